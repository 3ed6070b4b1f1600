// Sets of many contacts: against single contacts, conservation, weight, pattern that grows.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/allocations.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

Dictionary law(Real friction) {
  return {{"contactStiffness", 2e4},
          {"contactStiffnessExponent", 1.5},
          {"dampingModel", std::string("huntCrossley")},
          {"huntCrossleyDamping", 0.3},
          {"frictionModel", std::string("contensou")},
          {"dynamicFriction", friction},
          {"frictionRegularization", std::string("smooth")},
          {"frictionProportionalZone", 0.01},
          {"rollingResistance", friction > 0 ? 1e-3 : 0.0},
          {"contactPointRatio", 0.5}};
}

struct Cloud {
  std::vector<int> bodies, markers, planes;
  std::vector<Real> radii;
  std::vector<Vector3> normals;
  Real mass(std::size_t i) const { return 500 * 4.19 * std::pow(radii[i], 3); }
  Real inertia(std::size_t i) const { return 0.4 * mass(i) * radii[i] * radii[i]; }
};

// Spheres of different size that fly towards the origin; with planes: into a corner.
Cloud addCloud(MainSystem& mbs, int count, bool planes, unsigned seed) {
  Random random(seed);
  Cloud c;
  for (int i = 0; i < count; ++i) {
    Body b;
    b.position =
        Vector3(0.25 * (i % 3), 0.25 * (i / 3 % 3), 0.25 * (i / 9)) + random.vector(3, 0.02);
    b.rotation = random.rotation();
    b.velocity = -2 * (b.position - Vector3(0.3, 0.3, 0.3)) + random.vector(3, 0.3);
    b.omega = random.vector(3, 5);
    c.radii.push_back(random.uniform(0.05, 0.1));
    b.mass = c.mass(i);
    b.principal = Vector3::Constant(c.inertia(i));
    c.bodies.push_back(addBody(mbs, rigidNodes[i % 3], b));
    c.markers.push_back(addMarker(mbs, c.bodies.back()));
  }
  if (!planes) return c;
  const int ground = mbs.AddObject("Ground");
  for (int axis = 0; axis < 3; ++axis) {
    c.planes.push_back(addMarker(mbs, ground, Vector3(-0.1, -0.1, -0.1)));
    c.normals.push_back(Vector3::Unit(axis));
  }
  return c;
}

int addSet(MainSystem& mbs, const Cloud& c, Dictionary parameters) {
  parameters.emplace_back("sphereMarkers", c.markers);
  parameters.emplace_back("sphereRadii",
                          VectorX(Eigen::Map<const VectorX>(c.radii.data(), c.radii.size())));
  MatrixX normals(c.normals.size(), 3);
  for (std::size_t i = 0; i < c.normals.size(); ++i) normals.row(i) = c.normals[i].transpose();
  parameters.emplace_back("planeMarkers", c.planes);
  parameters.emplace_back("planeNormals", normals);
  return mbs.AddObject("ContactSet", parameters);
}

void addSingles(MainSystem& mbs, const Cloud& c, const Dictionary& parameters) {
  const int n = static_cast<int>(c.markers.size());
  Dictionary p = parameters;
  p.emplace_back("localizeTouchDown", false);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      Dictionary pair = p;
      pair.emplace_back("spheresRadii", VectorX(Vector2(c.radii[i], c.radii[j])));
      addConnector(mbs, "ContactSphereSphere", c.markers[i], c.markers[j], pair);
    }
    for (std::size_t k = 0; k < c.planes.size(); ++k) {
      Dictionary pair = p;
      pair.emplace_back("sphereRadius", c.radii[i]);
      pair.emplace_back("planeNormal", VectorX(c.normals[k]));
      addConnector(mbs, "ContactSphereDisc", c.planes[k], c.markers[i], pair);
    }
  }
}

SimulationSettings tight(Real endTime, Real steps) {
  SimulationSettings s = stepping(endTime, steps);
  s.timeIntegration.newton.relativeTolerance = 1e-10;
  s.timeIntegration.newton.absoluteTolerance = 1e-10;
  return s;
}

State solved(MainSystem& mbs, const SimulationSettings& settings) {
  const SolveReport report = mbs.SolveDynamic(settings);
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
  return mbs.system().state();
}

bool sameBits(const VectorX& a, const VectorX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// Linear and angular momentum and kinetic energy.
struct Conserved {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  Real energy = 0;
};
Conserved conserved(const MainSystem& mbs, const Cloud& c) {
  Conserved sum;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    const auto value = [&](OutputVariable v) {
      return vector3(mbs.GetObjectOutputBody(c.bodies[i], v, Vector3::Zero()));
    };
    const Vector3 v = value(OutputVariable::Velocity), w = value(OutputVariable::AngularVelocity);
    sum.linear += c.mass(i) * v;
    sum.angular += value(OutputVariable::Position).cross(c.mass(i) * v) + c.inertia(i) * w;
    sum.energy += 0.5 * (c.mass(i) * v.squaredNorm() + c.inertia(i) * w.squaredNorm());
  }
  return sum;
}

}  // namespace

TEST_CASE("a set of contacts moves the bodies as single contacts of all pairs do", "[items]") {
  const bool planes = GENERATE(true, false);
  const Real friction = GENERATE(0.0, 0.4);
  MainSystem one, all;
  const Cloud c = addCloud(one, 9, planes, 4);
  addCloud(all, 9, planes, 4);
  addSet(one, c, law(friction));
  addSingles(all, c, law(friction));
  one.Assemble();
  all.Assemble();
  // steps without step control for failed ones, so that both take the same
  const State a = solved(one, tight(0.25, 1000)), b = solved(all, tight(0.25, 1000));
  CHECK((a.q - b.q).cwiseAbs().maxCoeff() < 1e-9);
  CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 1e-6);
  one.Assemble();
  const VectorX start = one.system().state().v;
  CHECK((a.v - start).norm() > 0.5);  // they did collide
}

TEST_CASE("spheres that fly together keep their momentum, and without damping their energy",
          "[items]") {
  MainSystem mbs;
  const Cloud c = addCloud(mbs, 27, false, 9);
  Dictionary elastic{{"contactStiffness", 2e4}};
  const bool dissipating = GENERATE(false, true);
  const int set = addSet(mbs, c, dissipating ? law(0.3) : elastic);
  mbs.Assemble();
  const Conserved before = conserved(mbs, c);
  SimulationSettings settings = tight(0.4, 8000);
  settings.timeIntegration.generalizedAlpha.spectralRadius = 1;
  Real largestDepth = 0;
  const SolveReport report = mbs.SolveDynamic(settings, [&](const StepInfo&) {
    largestDepth =
        std::max(largestDepth, mbs.GetObjectOutput(set, OutputVariable::PenetrationDepth)[0]);
    return true;
  });
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(largestDepth > 1e-3);
  const Conserved after = conserved(mbs, c);
  CHECK((after.linear - before.linear).norm() < 1e-9);
  CHECK((after.angular - before.angular).norm() < 1e-6);
  const Real energy = after.energy + mbs.GetObjectOutput(set, OutputVariable::PotentialEnergy)[0];
  if (dissipating)
    CHECK(energy < 0.95 * before.energy);
  else
    CHECK(energy == Approx(before.energy).epsilon(1e-4));
}

TEST_CASE("pairs that touch unforeseen join within the step", "[items]") {
  // Far faster than the search looks ahead: every contact begins without a place in the matrix.
  const auto run = [](Real searchDistance, int& patterns) {
    MainSystem mbs;
    const Cloud c = addCloud(mbs, 9, true, 4);
    Dictionary p = law(0.4);
    p.emplace_back("searchDistance", searchDistance);
    addSet(mbs, c, p);
    mbs.Assemble();
    const State end = solved(mbs, tight(0.25, 1000));
    patterns = mbs.system().patternEpoch();
    return end;
  };
  int few = 0, many = 0;
  const State a = run(1, few), b = run(1e-7, many);
  CHECK(few == 0);
  CHECK(many > 5);
  CHECK((a.q - b.q).cwiseAbs().maxCoeff() < 1e-9);
  CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("spheres come to rest in a corner and weigh what they weigh", "[items]") {
  MainSystem mbs;
  const Cloud c = addCloud(mbs, 12, true, 2);
  Dictionary p = law(0.2);
  for (auto& [name, value] : p)
    if (name == "huntCrossleyDamping") value = 20.0;
  const int set = addSet(mbs, c, p);
  const Vector3 g(-3, -4, -9);
  Real mass = 0;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    addGravity(mbs, c.bodies[i], g);
    mass += c.mass(i);
  }
  mbs.Assemble();
  SimulationSettings settings = stepping(2, 2000, 0.5);
  AllocationCount counted;
  const SolveReport report = mbs.SolveDynamic(settings, [&](const StepInfo& info) {
    if (info.time > 1.5 && info.time < 1.51) countAllocations(true);
    if (info.time > 1.9) countAllocations(false);
    return true;
  });
  countAllocations(false);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(conserved(mbs, c).energy < 1e-4);
  const Vector3 force = vector3(mbs.GetObjectOutput(set, OutputVariable::Force));
  CHECK((force - mass * g).norm() < 1e-3 * mass * g.norm());
  if (allocationsAreCounted) CHECK(allocationsCounted().count == 0);
}

TEST_CASE("beds are the same bits for any number of threads and in repeated runs", "[items]") {
  const auto start = [](MainSystem& mbs) {
    addSet(mbs, addCloud(mbs, 40, true, 7), law(0.3));
    mbs.Assemble();
  };
  SimulationSettings settings = stepping(0.1, 200);
  MainSystem one;
  start(one);
  const State first = solved(one, settings);
  CHECK(one.system().patternEpoch() > 0);
  for (const int threads : {1, 2, 4}) {
    MainSystem other;
    start(other);
    settings.parallel.numberOfThreads = threads;
    const State state = solved(other, settings);
    INFO(threads << " threads");
    CHECK(sameBits(state.q, first.q));
    CHECK(sameBits(state.v, first.v));
  }
  one.system().state() = one.system().initialState();
  const State again = solved(one, settings);
  CHECK(sameBits(again.q, first.q));
}

TEST_CASE("mistakes in sets of contacts are named", "[items]") {
  const auto message = [](const std::string& parameter, const Value& value, bool points = false) {
    MainSystem mbs;
    const Cloud c = addCloud(mbs, 3, true, 1);
    Dictionary p = law(0.3);
    p.insert(p.end(), {{"sphereMarkers", c.markers},
                       {"sphereRadii", VectorX(VectorX::Constant(3, 0.1))},
                       {"planeMarkers", c.planes},
                       {"restitutionCoefficient", 0.5}});
    if (points) {
      std::vector<int> markers;
      for (int i = 0; i < 3; ++i)
        markers.push_back(mbs.AddMarker("BodyPosition", {{"bodyNumber", c.bodies[i]}}));
      p[p.size() - 4].second = markers;
    }
    std::erase_if(p, [&](const auto& entry) { return entry.first == parameter; });
    p.emplace_back(parameter, value);
    try {
      mbs.AddObject("ContactSet", p, "bed");
      mbs.Assemble();
      mbs.SolveDynamic(stepping(1e-3, 2));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(message("contactStiffness", 1e4), Catch::Equals("no error"));
  CHECK_THAT(message("sphereRadii", VectorX(Vector2(1, 1))),
             Catch::Contains("'bed'") && Catch::Contains("sphereRadii has 2 entries") &&
                 Catch::Contains("one for each of the 3 sphereMarkers"));
  CHECK_THAT(message("planeNormals", MatrixX(MatrixX::Zero(3, 3))),
             Catch::Contains("planeNormals[0] = [0, 0, 0] has no direction"));
  CHECK_THAT(message("discRadii", VectorX(Vector2(1, 1))), Catch::Contains("discRadii has 2"));
  CHECK_THAT(message("dampingModel", std::string("restitution")),
             Catch::Contains("needs impactVelocity > 0"));
  CHECK_THAT(message("frictionModel", std::string("sticky")), Catch::Contains("frictionModel"));
  CHECK_THAT(message("contactStiffness", 1e4, true), Catch::Contains("marker"));
  CHECK_THAT(message("sphereRadii", VectorX(VectorX::Constant(1, 2))),
             Catch::Contains("between marker") && Catch::Contains("the initial depth is"));
}
