// Mistakes in a model: what the messages must name.
#include <catch2/catch.hpp>
#include <limits>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;
using Catch::Contains;

namespace {

// The message of the ModelError that f throws; empty if there is none.
template <class F>
std::string messageOf(const F& f) {
  try {
    f();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

std::string assemblyMessage(MainSystem& mbs) {
  return messageOf([&] { mbs.Assemble(); });
}

int rigidBody(MainSystem& mbs, const Dictionary& more = {}, std::string_view name = {}) {
  const int n = mbs.AddNode("RigidBodyRotVecLG");
  Dictionary p{{"mass", 1.0}, {"inertia", vector({1, 1, 1, 0, 0, 0})}, {"nodeNumber", n}};
  for (const auto& entry : more) p.push_back(entry);
  return mbs.AddObject("RigidBody", p, name);
}

}  // namespace

TEST_CASE("unknown types and parameters are refused with the nearest known name", "[items]") {
  MainSystem mbs;
  CHECK_THAT(
      messageOf([&] { mbs.AddObject("RigidBdy"); }),
      Contains("object 0") && Contains("'RigidBdy'") && Contains("did you mean 'RigidBody'"));
  CHECK_THAT(messageOf([&] { mbs.AddNode("Zebra"); }), Contains("node 0") && Contains("'Zebra'"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("RigidBody", {{"mas", 1.0}}, "arm");
             }),
             Contains("object 0 'arm' (RigidBody)") && Contains("'mas'") &&
                 Contains("did you mean 'mass'"));
  CHECK_THAT(messageOf([&] {
               mbs.AddMarker("BodyMass", {{"colour", 1}});
             }),
             Contains("marker 0 (BodyMass)") && Contains("'colour'"));
}

TEST_CASE("a refused item leaves no trace in the model", "[items]") {
  MainSystem mbs;
  CHECK_THROWS_AS(mbs.AddNode("Point", {{"referenceCoordinates", vector({1, 2})}}, "tip"),
                  ModelError);
  CHECK(mbs.items().count(Category::node) == 0);
  CHECK(mbs.AddNode("Point", {}, "tip") == 0);  // the name is still free
}

TEST_CASE("values of the wrong size, type or range are refused by name and value", "[items]") {
  MainSystem mbs;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real infinity = std::numeric_limits<Real>::infinity();
  CHECK_THAT(messageOf([&] {
               mbs.AddNode("Point", {{"referenceCoordinates", vector({1, 2})}}, "tip");
             }),
             Contains("node 0 'tip' (Point)") && Contains("referenceCoordinates = [1, 2]") &&
                 Contains("2 values") && Contains("3 numbers"));
  CHECK_THAT(messageOf([&] {
               mbs.AddNode("Point", {{"initialVelocities", vector({0, nan, 0})}});
             }),
             Contains("initialVelocities") && Contains("nan") && Contains("finite"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("MassPoint", {{"mass", infinity}});
             }),
             Contains("mass = inf") && Contains("finite"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("MassPoint", {{"mass", -2.5}});
             }),
             Contains("object 0 (MassPoint)") && Contains("mass = -2.5 kg") && Contains(">= 0"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("MassPoint", {{"mass", std::string("heavy")}});
             }),
             Contains("mass = 'heavy'") && Contains("a number"));
  CHECK_THAT(
      messageOf([&] {
        mbs.AddObject("JointGeneric", {{"constrainedAxes", std::vector<int>{1, 1, 2, 0, 0, 0}}});
      }),
      Contains("constrainedAxes") && Contains("[0, 1]"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("JointRevoluteZ", {{"markerNumbers", std::vector<int>{1}}});
             }),
             Contains("markerNumbers") && Contains("1 entries") && Contains("2 marker"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("RigidBody", {{"nodeNumber", 1.5}});
             }),
             Contains("nodeNumber = 1.5") && Contains("index or name of a node"));
  CHECK(mbs.items().count(Category::object) == 0);
}

TEST_CASE("inertia that no distribution of mass has is refused", "[items]") {
  MainSystem mbs;
  // one moment larger than the sum of the others
  CHECK_THAT(messageOf([&] {
               rigidBody(mbs, {{"inertia", vector({1, 1, 3, 0, 0, 0})}}, "rotor");
             }),
             Contains("'rotor' (RigidBody)") && Contains("inertia = [1, 1, 3, 0, 0, 0]") &&
                 Contains("not physical"));
  CHECK_THAT(messageOf([&] {
               rigidBody(mbs, {{"inertia", vector({-1, 1, 1, 0, 0, 0})}});
             }),
             Contains("not physical"));
  // products of inertia that make a principal moment negative
  CHECK_THAT(messageOf([&] {
               rigidBody(mbs, {{"inertia", vector({1, 1, 1, 0, 0, 2})}});
             }),
             Contains("not physical"));
  // given about the reference point: less than the mass at that distance alone has
  CHECK_THAT(messageOf([&] {
               rigidBody(mbs, {{"centerOfMass", vector({2, 0, 0})}});
             }),
             Contains("not physical") && Contains("reference point"));
  CHECK(mbs.items().count(Category::object) == 0);
  // a thin rod and a flat plate are limits that exist
  rigidBody(mbs, {{"inertia", vector({0, 1, 1, 0, 0, 0})}});
  rigidBody(mbs, {{"inertia", vector({1, 1, 2, 0, 0, 0})}});
  CHECK(mbs.items().count(Category::object) == 2);
}

TEST_CASE("matrices that should turn and do not are refused", "[items]") {
  MainSystem mbs;
  const MatrixX stretched = 1.1 * MatrixX::Identity(3, 3);
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("JointRevoluteZ", {{"rotationMarker1", stretched}});
             }),
             Contains("rotationMarker1") && Contains("rotation matrix"));
  CHECK_THAT(messageOf([&] {
               mbs.AddObject("Ground", {{"referenceRotation", stretched}});
             }),
             Contains("referenceRotation") && Contains("rotation matrix"));
  CHECK_THAT(messageOf([&] { mbs.AddNode("RigidBodyEP"); }),
             Contains("Euler parameters") && Contains("norm 0") && Contains("[1, 0, 0, 0]"));
}

TEST_CASE("references to items that do not exist are refused when the model is assembled",
          "[items]") {
  MainSystem mbs;
  SECTION("an index") {
    mbs.AddObject("MassPoint", {{"nodeNumber", 7}}, "bob");
    CHECK_THAT(assemblyMessage(mbs), Contains("object 0 'bob' (MassPoint)") &&
                                         Contains("nodeNumber = 7") && Contains("no node"));
  }
  SECTION("a name, with the nearest one") {
    mbs.AddNode("Point", {}, "pivot");
    mbs.AddObject("MassPoint", {{"nodeNumber", std::string("pivvot")}});
    CHECK_THAT(assemblyMessage(mbs),
               Contains("nodeNumber = 'pivvot'") && Contains("did you mean 'pivot'"));
  }
  SECTION("a missing marker") {
    rigidBody(mbs);
    mbs.AddObject("JointSpherical", {}, "hip");
    CHECK_THAT(assemblyMessage(mbs), Contains("'hip' (JointSpherical)") && Contains("marker"));
  }
  SECTION("names that exist are followed") {
    mbs.AddNode("Point", {}, "pivot");
    mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", std::string("pivot")}});
    CHECK(assemblyMessage(mbs).empty());
  }
}

TEST_CASE("a joint refuses markers that do not provide what it needs", "[items]") {
  MainSystem mbs;
  const int body = rigidBody(mbs);
  const int ground = mbs.AddObject("Ground");
  const int position = mbs.AddMarker("BodyPosition", {{"bodyNumber", body}}, "point");
  const int rigid = mbs.AddMarker("BodyRigid", {{"bodyNumber", ground}});
  const int coordinate = mbs.AddMarker("NodeCoordinate", {{"nodeNumber", 0}, {"coordinate", 1}});
  SECTION("no orientation") {
    addConnector(mbs, "JointRevoluteZ", rigid, position);
    CHECK_THAT(assemblyMessage(mbs), Contains("(JointRevoluteZ)") && Contains("'point'") &&
                                         Contains("orientation") && Contains("BodyRigid"));
  }
  SECTION("a coordinate instead of a point") {
    addConnector(mbs, "ConnectorSpringDamper", rigid, coordinate);
    CHECK_THAT(assemblyMessage(mbs), Contains("(NodeCoordinate)") && Contains("position"));
  }
  SECTION("a point instead of a coordinate") {
    addConnector(mbs, "ConnectorCoordinate", coordinate, position);
    CHECK_THAT(assemblyMessage(mbs), Contains("'point'") && Contains("coordinate"));
  }
  SECTION("the same marker twice") {
    addConnector(mbs, "JointSpherical", position, position);
    CHECK_THAT(assemblyMessage(mbs), Contains("markerNumbers = [0, 0]") && Contains("twice"));
  }
  SECTION("a coordinate beyond those of the node") {
    mbs.AddMarker("NodeCoordinate", {{"nodeNumber", 0}, {"coordinate", 6}});
    CHECK_THAT(assemblyMessage(mbs), Contains("coordinate = 6") && Contains("0 to 5"));
  }
  SECTION("a body where there is none") {
    const int spring = addConnector(mbs, "ConnectorSpringDamper", position, rigid);
    mbs.AddMarker("BodyRigid", {{"bodyNumber", spring}});
    CHECK_THAT(assemblyMessage(mbs), Contains("marker 3 (BodyRigid)") && Contains("no body"));
  }
}

TEST_CASE("two items of a category cannot have one name", "[items]") {
  MainSystem mbs;
  mbs.AddNode("Point", {}, "tip");
  CHECK_THAT(messageOf([&] { mbs.AddNode("Point", {}, "tip"); }),
             Contains("'tip'") && Contains("taken by node 0"));
  CHECK(mbs.AddMarker("NodePosition", {{"nodeNumber", 0}}, "tip") == 0);  // another category may
}

TEST_CASE("a model without items is refused", "[items]") {
  MainSystem mbs;
  CHECK_THAT(assemblyMessage(mbs), Contains("empty") && Contains("add"));
  CHECK_THAT(messageOf([&] { mbs.system(); }), Contains("not assembled"));
}

TEST_CASE("an expression with a mistake is refused with its place in the text", "[items]") {
  MainSystem mbs;
  const int body = rigidBody(mbs);
  const int marker = mbs.AddMarker("BodyRigid", {{"bodyNumber", body}});
  const auto load = [&](std::vector<std::string> f) {
    mbs.AddLoad("ForceVector",
                {{"markerNumber", marker}, {"loadVectorUserFunction", UserFunction{f, nullptr}}},
                "push");
    return assemblyMessage(mbs);
  };
  SECTION("syntax") {
    CHECK_THAT(load({"1", "2*+*t", "0"}), Contains("load 0 'push'") &&
                                              Contains("loadVectorUserFunction") &&
                                              Contains("'2*+*t'") && Contains("position 4"));
  }
  SECTION("a name that is not known") {
    CHECK_THAT(load({"1", "2*omega", "0"}), Contains("'2*omega'") && Contains("position 3") &&
                                                Contains("omega") &&
                                                Contains("known names: t f0 f1 f2"));
  }
  SECTION("too few components") {
    CHECK_THAT(load({"1", "2"}), Contains("2 expressions") && Contains("expected 3"));
  }
  SECTION("values that are no numbers, when they arise") {
    CHECK(load({"sqrt(0.5 - t)", "0", "0"}).empty());
    CHECK_THAT(messageOf([&] { mbs.SolveDynamic(stepping(1, 10)); }),
               Contains("load 0 'push'") && Contains("nan") && Contains("t = 0.6"));
  }
}

TEST_CASE("an expression is evaluated as mathematics writes it", "[items]") {
  MainSystem mbs;
  const int body = rigidBody(mbs);
  const int marker = mbs.AddMarker("BodyRigid", {{"bodyNumber", body}});
  const UserFunction f{{"2*sin(pi*t/2) + f0", "exp(-t)*log(2)", "t^2 + atan2(1, 1)"}, nullptr};
  mbs.AddLoad(
      "ForceVector",
      {{"markerNumber", marker}, {"loadVector", vector({3, 0, 0})}, {"loadVectorUserFunction", f}});
  mbs.Assemble();
  mbs.system().state().time = 0.5;
  const auto value = mbs.system().loadValue(0);
  CHECK(value[0] == Approx(2 * std::sin(M_PI / 4) + 3).epsilon(1e-14));
  CHECK(value[1] == Approx(std::exp(-0.5) * std::log(2.0)).epsilon(1e-14));
  CHECK(value[2] == Approx(0.25 + M_PI / 4).epsilon(1e-14));
}

TEST_CASE("a singular system names the items that make it so", "[items]") {
  const std::string solver = GENERATE(as<std::string>{}, "auto", "dense", "KLU", "SparseLU");
  SimulationSettings settings = stepping(0.1, 10);
  settings.linearSolverType = solver;
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  const int m0 = addMarker(mbs, ground);
  const auto revolute = [&](int marker1, std::string_view name) {
    mbs.AddObject("JointRevoluteZ", {{"markerNumbers", std::vector<int>{m0, marker1}}}, name);
  };
  const auto refusal = [&] {
    mbs.Assemble();
    return messageOf([&] { mbs.SolveDynamic(settings); });
  };
  SECTION("a joint that is there twice, where the solver needs regular matrices") {
    if (solver == "dense" || solver == "auto") return;
    const int m1 = addMarker(mbs, rigidBody(mbs));
    revolute(m1, "hinge");
    revolute(m1, "double");
    CHECK_THAT(refusal(), Contains("singular") && Contains("'hinge' (JointRevoluteZ)") &&
                              Contains("'double' (JointRevoluteZ)") && Contains("redundant"));
  }
  SECTION("a body without inertia") {
    const int n = mbs.AddNode("RigidBodyRotVecLG", {}, "carrier");
    mbs.AddObject("RigidBody", {{"mass", 1.0}, {"nodeNumber", n}});
    CHECK_THAT(refusal(), Contains("singular") && Contains("rotation") &&
                              Contains("node 0 'carrier'") && Contains("inertia"));
  }
  SECTION("a thin rod that turns freely about itself") {
    rigidBody(mbs, {{"inertia", vector({0, 1, 1, 0, 0, 0})}});
    CHECK_THAT(refusal(), Contains("rotation about body axis x of node 0") &&
                              !Contains("body axis y") && !Contains("translation"));
  }
  SECTION("a node that no body uses") {
    rigidBody(mbs);
    mbs.AddNode("Point", {}, "forgotten");
    CHECK_THAT(refusal(), Contains("singular") && Contains("'forgotten' (Point)"));
  }
}

TEST_CASE("settings out of range or unknown are refused by name", "[items]") {
  SimulationSettings s;
  CHECK_THAT(messageOf([&] { s.set("timeIntegration.numberOfStep", 10); }),
             Contains("numberOfStep'") && Contains("did you mean 'timeIntegration.numberOfSteps'"));
  CHECK_THAT(messageOf([&] { s.set("timeIntegration.generalizedAlpha.spectralRadius", 1.5); }),
             Contains("spectralRadius = 1.5") && Contains("[0, 1]"));
  CHECK_THAT(messageOf([&] { s.set("linearSolverType", std::string("Pardiso")); }),
             Contains("linearSolverType = 'Pardiso'") && Contains("'KLU'"));
  CHECK_THAT(messageOf([&] { s.set("timeIntegration.newton.maxIterations", 2.5); }),
             Contains("maxIterations = 2.5") && Contains("integer"));
  s.set("timeIntegration.newton.maxIterations", 12);
  CHECK(s.timeIntegration.newton.maxIterations == 12);
  CHECK(std::get<int>(s.get("timeIntegration.newton.maxIterations")) == 12);

  MainSystem mbs;
  rigidBody(mbs);
  mbs.Assemble();
  SimulationSettings backwards = stepping(-1, 10);
  CHECK_THAT(messageOf([&] { mbs.SolveDynamic(backwards); }),
             Contains("endTime = -1") && Contains("startTime"));
  SimulationSettings broken = stepping(1, 10.5);
  CHECK_THAT(messageOf([&] { mbs.SolveDynamic(broken); }),
             Contains("numberOfSteps = 10.5") && Contains("whole number"));
  SimulationSettings index2 = stepping(1, 10);
  index2.timeIntegration.generalizedAlpha.useIndex2Constraints = true;
  CHECK_THAT(messageOf([&] { mbs.SolveDynamic(index2); }), Contains("useNewmark"));
}

namespace {

// Of a contact 'touch' of that type, between ground and a body, with changes of good parameters.
std::string contactMessage(std::string_view type, const Dictionary& good, const Dictionary& change,
                           std::string_view marker0) {
  return messageOf([&] {
    MainSystem mbs;
    const int body = rigidBody(mbs);
    const int ground = mbs.AddObject("Ground");
    const int m0 = marker0 == "NodeCoordinate"
                       ? mbs.AddMarker(marker0, {{"nodeNumber", 0}, {"coordinate", 0}})
                       : mbs.AddMarker(marker0, {{"bodyNumber", ground}});
    const int m1 = mbs.AddMarker("BodyRigid", {{"bodyNumber", body}});
    Dictionary p = change;
    p.emplace_back("markerNumbers", std::vector<int>{m0, m1});
    for (const auto& entry : good)
      if (std::ranges::none_of(change, [&](const auto& c) { return c.first == entry.first; }))
        p.push_back(entry);
    mbs.AddObject(type, p, "touch");
    mbs.Assemble();
  });
}

}  // namespace

TEST_CASE("mistakes of a sphere contact are named with their remedy", "[items][contact]") {
  const auto message = [](const Dictionary& change, std::string_view marker0 = "BodyRigid") {
    return contactMessage("ContactSphereDisc", {{"sphereRadius", 0.1}, {"contactStiffness", 1e5}},
                          change, marker0);
  };
  const auto text = [](std::string_view s) { return std::string(s); };
  const std::string who = "object 2 'touch' (ContactSphereDisc)";
  CHECK(message({}).empty());
  CHECK_THAT(message({{"contactStiffness", -1.0}}),
             Contains(who) && Contains("contactStiffness = -1") && Contains(">= 0"));
  CHECK_THAT(message({{"sphereRadius", -0.1}}),
             Contains(who) && Contains("sphereRadius = -0.1 m must be > 0"));
  for (const Real c : {0.0, -0.5})
    CHECK_THAT(message({{"restitutionCoefficient", c}}),
               Contains(who) && Contains("restitutionCoefficient = ") && Contains("> 0"));
  CHECK_THAT(message({{"dampingModel", text("restitution")},
                      {"restitutionCoefficient", 1.2},
                      {"impactVelocity", 1.0}}),
             Contains(who) && Contains("restitutionCoefficient = 1.2") && Contains("(0, 1]"));
  CHECK_THAT(message({{"dampingModel", text("restitution")}, {"restitutionCoefficient", 0.5}}),
             Contains(who) && Contains("nodeNumber is missing") && Contains("GenericData"));
  CHECK_THAT(
      message({{"frictionModel", text("coulombs")}}),
      Contains(who) && Contains("'coulombs'") && Contains("coulomb") && Contains("contensou"));
  CHECK_THAT(message({{"planeNormal", vector({0, 0, 0})}}),
             Contains(who) && Contains("planeNormal = [0, 0, 0]") && Contains("[0, 0, 1]"));
  CHECK_THAT(message({}, "NodeCoordinate"),
             Contains(who) && Contains("provides no") && Contains("BodyRigid"));
  CHECK_THAT(message({{"rimContact", true}}), Contains(who) && Contains("discRadius > 0"));
}

TEST_CASE("mistakes of a contact of two spheres are named with their remedy", "[items][contact]") {
  const auto message = [](const Dictionary& change, std::string_view marker0 = "BodyRigid") {
    return contactMessage("ContactSphereSphere",
                          {{"spheresRadii", vector({0.1, 0.2})},
                           {"contactStiffness", 1e5},
                           {"dampingModel", std::string("none")}},
                          change, marker0);
  };
  const std::string who = "object 2 'touch' (ContactSphereSphere)";
  CHECK(message({}).empty());
  CHECK_THAT(message({{"contactStiffness", -1.0}}),
             Contains(who) && Contains("contactStiffness = -1") && Contains(">= 0"));
  CHECK_THAT(message({{"spheresRadii", vector({0.1, -0.2})}}),
             Contains(who) && Contains("spheresRadii = [0.1, -0.2]") && Contains(">= 0"));
  CHECK_THAT(contactMessage("ContactSphereSphere", {}, {{"contactStiffness", 1e5}}, "BodyRigid"),
             Contains(who) && Contains("spheresRadii") && Contains("must be given"));
  CHECK_THAT(message({{"restitutionCoefficient", -0.5}}),
             Contains(who) && Contains("restitutionCoefficient = -0.5") && Contains("> 0"));
  CHECK_THAT(message({{"dampingModel", std::string("impactModel")}}),
             Contains(who) && Contains("nodeNumber is missing") && Contains("GenericData"));
  CHECK_THAT(message({{"frictionModel", std::string("coulombs")}}),
             Contains(who) && Contains("'coulombs'") && Contains("contensou"));
  CHECK_THAT(message({}, "NodeCoordinate"),
             Contains(who) && Contains("provides no") && Contains("BodyRigid"));
}

TEST_CASE("deep starts and steps too large for a contact are told with the pair",
          "[items][contact]") {
  const Real radius = 0.1;
  const auto warnings = [&](Real height, Real speed, Real steps) {
    MainSystem mbs;
    Body b;
    b.position = {0, 0, height};
    b.velocity = {0, 0, -speed};
    const int ground = mbs.AddObject("Ground"), body = addBody(mbs, "RigidBodyRotVecLG", b);
    const int floor = mbs.AddMarker("BodyRigid", {{"bodyNumber", ground}}, "floor");
    const int ball = mbs.AddMarker("BodyRigid", {{"bodyNumber", body}}, "ball");
    mbs.AddObject("ContactSphereDisc",
                  {{"markerNumbers", std::vector<int>{floor, ball}},
                   {"sphereRadius", radius},
                   {"contactStiffness", 1e6},
                   {"localizeTouchDown", false}},
                  "touch");
    mbs.Assemble();
    std::string all;
    for (const std::string& w : mbs.SolveDynamic(stepping(0.05, steps)).warnings) all += w + "\n";
    return all;
  };
  const auto namesPair = [](const std::string& text) {
    CHECK_THAT(text, Contains("'touch'") && Contains("'floor'") && Contains("'ball'"));
  };
  const std::string wrongSide = messageOf([&] { warnings(-0.0625, 0, 10); });
  namesPair(wrongSide);
  CHECK_THAT(wrongSide, Contains("initial depth is 0.1625 m, of a radius of 0.1 m") &&
                            Contains("turn the normal"));
  const std::string deep = warnings(0.08, 0, 1000);
  namesPair(deep);
  CHECK_THAT(deep, Contains("initial depth is 0.02"));
  CHECK(warnings(0.098, 0, 1000).empty());
  // the contact lasts 12.8 ms: 128 steps, or five
  CHECK(warnings(radius + 1e-3, 1, 500).empty());
  const std::string coarse = warnings(radius + 1e-3, 1, 20);
  namesPair(coarse);
  CHECK_THAT(coarse, Contains("lasted 5 steps") && Contains("s would resolve it"));
  const std::string before = "steps of ";
  const Real step = std::stod(coarse.substr(coarse.find(before) + before.size()));
  CHECK(step == Approx(0.0128 / 20).epsilon(0.3));
}
