// Planar and one-dimensional items against their spatial twins and closed forms.
#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

SimulationSettings tight(SimulationSettings s) {
  s.timeIntegration.newton.relativeTolerance = 1e-11;
  s.timeIntegration.newton.absoluteTolerance = 1e-12;
  return s;
}

void solve(MainSystem& mbs, const SimulationSettings& settings) {
  const SolveReport report = mbs.SolveDynamic(tight(settings));
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
}

VectorX numbers(std::initializer_list<Real> list) {
  VectorX v(static_cast<int>(list.size()));
  std::copy(list.begin(), list.end(), v.data());
  return v;
}

// A double pendulum that hangs in a spring-damper, of planar or of spatial items.
Vector3 tipOfPendulum(bool planar) {
  MainSystem mbs;
  const Vector3 com(0.1, 0.05, 0);
  const int ground = addMarker(mbs, mbs.AddObject("Ground"));
  int last = ground, body = -1;
  for (int i = 0; i < 2; ++i) {
    Body b;
    b.position = Vector3(0.5 + i, 0, 0);
    b.mass = 2;
    b.principal = {0.1, 0.1, 0.2};
    b.centerOfMass = com;
    if (planar) {
      const int node =
          mbs.AddNode("RigidBody2D", {{"referenceCoordinates", numbers({0.5 + i, 0, 0})}});
      body = mbs.AddObject("RigidBody2D", {{"mass", b.mass},
                                           {"inertia", 0.2 + b.mass * com.squaredNorm()},
                                           {"centerOfMass", numbers({com[0], com[1]})},
                                           {"nodeNumber", node}});
    } else {
      body = addBody(mbs, "RigidBodyRotVecLG", b);
    }
    addConnector(mbs, planar ? "JointRevolute2D" : "JointRevoluteZ", last,
                 addMarker(mbs, body, {-0.5, 0, 0}));
    addGravity(mbs, body, {0, -9.81, 0});
    last = addMarker(mbs, body, {0.5, 0, 0});
  }
  addConnector(mbs, "ConnectorCartesianSpringDamper", ground, last,
               {{"stiffness", numbers({20, 20, 20})}, {"damping", numbers({1, 1, 1})}});
  mbs.Assemble();
  solve(mbs, stepping(1, 400));
  return vector3(mbs.GetObjectOutputBody(body, OutputVariable::Position, Vector3(0.5, 0, 0)));
}

}  // namespace

TEST_CASE("planar bodies and joints move like spatial ones", "[items]") {
  CHECK((tipOfPendulum(true) - tipOfPendulum(false)).norm() < 1e-9);
}

TEST_CASE("planar prismatic joint: free fall along an incline", "[items]") {
  for (const bool locked : {true, false}) {
    MainSystem mbs;
    const Real slope = 0.4;
    const int ground = addMarker(mbs, mbs.AddObject("Ground"));
    const int node =
        mbs.AddNode("RigidBody2D", {{"initialVelocities", numbers({0, 0, locked ? 0.0 : 3.0})}});
    const int body =
        mbs.AddObject("RigidBody2D", {{"mass", 2.0}, {"inertia", 0.3}, {"nodeNumber", node}});
    addGravity(mbs, body, {0, -9.81, 0});
    // the line is fixed in marker 1, so the ground is marker 1
    addConnector(mbs, "JointPrismatic2D", addMarker(mbs, body), ground,
                 {{"axisMarker0", numbers({std::cos(slope), -std::sin(slope), 0})},
                  {"normalMarker1", numbers({std::sin(slope), std::cos(slope), 0})},
                  {"constrainRotation", locked}});
    mbs.Assemble();
    solve(mbs, stepping(1, 100));
    const Real s = 0.5 * 9.81 * std::sin(slope);
    const Vector3 p = vector3(mbs.GetObjectOutput(body, OutputVariable::Position));
    CHECK((p - s * Vector3(std::cos(slope), -std::sin(slope), 0)).norm() < 1e-8);
    // over any number of turns, without the reference value
    CHECK(mbs.GetObjectOutput(body, OutputVariable::Rotation)[0] ==
          Approx(locked ? 0 : 3).margin(1e-8));
  }
}

TEST_CASE("masses on axes feel the component of a wrench along their axis", "[items]") {
  MainSystem mbs;
  const Matrix3 frame = rotationFromTaitBryan({0.5, -0.4, 0.7});
  const Vector3 force(1, 2, 3), torque(-2, 1, 1);
  const int node0 = mbs.AddNode("1D", {{"referenceCoordinates", numbers({0.5})}});
  const int mass = mbs.AddObject(
      "Mass1D", {{"mass", 2.0}, {"nodeNumber", node0}, {"referenceRotation", MatrixX(frame)}});
  const int node1 = mbs.AddNode("1D");
  const int rotor = mbs.AddObject(
      "RotationalMass1D",
      {{"inertia", 3.0}, {"nodeNumber", node1}, {"referenceRotation", MatrixX(frame)}});
  mbs.AddLoad("ForceVector",
              {{"markerNumber", addMarker(mbs, mass)}, {"loadVector", VectorX(force)}});
  mbs.AddLoad("TorqueVector",
              {{"markerNumber", addMarker(mbs, rotor)}, {"loadVector", VectorX(torque)}});
  addGravity(mbs, mass, {0, 0, -1});
  mbs.Assemble();
  solve(mbs, stepping(2, 100));
  const Vector3 axis = frame.col(0);
  const Real x = 0.5 + 0.5 * 4 * (force + Vector3(0, 0, -2)).dot(axis) / 2;
  CHECK((vector3(mbs.GetObjectOutput(mass, OutputVariable::Position)) - x * axis).norm() < 1e-9);
  const Real phi = 0.5 * 4 * torque.dot(frame.col(2)) / 3;
  CHECK(mbs.GetObjectOutput(rotor, OutputVariable::Rotation)[0] == Approx(phi).epsilon(1e-9));
  CHECK((vector3(mbs.GetObjectOutput(rotor, OutputVariable::AngularVelocity)) - phi * frame.col(2))
            .norm() < 1e-8);
}

TEST_CASE("a mass on an axis with a spring and a joint to another body", "[items]") {
  // A pendulum on a slider on an inclined axis: the slider is one coordinate or a body in a
  // prismatic joint.
  Vector3 tip[2];
  const Matrix3 frame = rotationFromTaitBryan({0.2, 0.3, 0.4});
  for (const bool onAxis : {true, false}) {
    MainSystem mbs;
    const int ground = mbs.AddObject("Ground", {{"referenceRotation", MatrixX(frame)}});
    int slider;
    if (onAxis) {
      const int node = mbs.AddNode("1D");
      slider = mbs.AddObject(
          "Mass1D", {{"mass", 2.0}, {"nodeNumber", node}, {"referenceRotation", MatrixX(frame)}});
    } else {
      Body b;
      b.rotation = frame;
      b.mass = 2;
      slider = addBody(mbs, "RigidBodyRotVecLG", b);
      addConnector(mbs, "JointPrismaticX", addMarker(mbs, ground), addMarker(mbs, slider));
    }
    Body b;
    b.position = Vector3(0, 0.5, 0);
    b.mass = 1;
    const int pendulum = addBody(mbs, "RigidBodyRotVecLG", b);
    addConnector(mbs, "JointSpherical", addMarker(mbs, slider),
                 addMarker(mbs, pendulum, {0, -0.5, 0}));
    addConnector(mbs, "ConnectorSpringDamper", addMarker(mbs, ground, {1, 0.5, 0}),
                 addMarker(mbs, slider),
                 {{"stiffness", 30.0}, {"damping", 1.0}, {"referenceLength", 0.5}});
    for (const int body : {slider, pendulum}) addGravity(mbs, body, {0, 0, -9.81});
    mbs.Assemble();
    solve(mbs, stepping(0.5, 500));
    tip[onAxis] = vector3(mbs.GetObjectOutput(pendulum, OutputVariable::Position));
  }
  CHECK((tip[0] - tip[1]).norm() < 1e-7);
}

TEST_CASE("the points of a bent cable lie beside its axis, from node 0 to node 1") {
  MainSystem mbs;
  std::vector<int> ends;
  for (const VectorX& q : {numbers({0.3, 0.1, 1, 0.2}), numbers({1.8, 0.9, 0.4, 1.1})})
    ends.push_back(mbs.AddNode(
        "Point2DSlope1",
        {{"referenceCoordinates", q}, {"initialVelocities", numbers({0.5, -1, 2, 0.3})}}));
  const Real length = 1.7, offset = 0.05;
  const int cable =
      mbs.AddObject("ANCFCable2D", {{"nodeNumbers", ends}, {"physicsLength", length}});
  const int marker =
      mbs.AddMarker("BodyCable2DShape",
                    {{"bodyNumber", cable}, {"numberOfSegments", 7}, {"verticalOffset", offset}});
  mbs.Assemble();
  for (const auto variable : {OutputVariable::Position, OutputVariable::Velocity}) {
    const std::vector<Real> points = mbs.GetMarkerOutput(marker, variable);
    REQUIRE(points.size() == 3 * 8);
    for (int i = 0; i < 8; ++i) {
      const Vector3 point(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      const Vector3 expected =
          vector3(mbs.GetObjectOutputBody(cable, variable, {length * i / 7, offset, 0}));
      CHECK((point - expected).norm() < 1e-13);
    }
  }
  const Vector3 normal = Vector3(-0.2, 1, 0).normalized();  // at node 0
  const std::vector<Real> points = mbs.GetMarkerOutput(marker, OutputVariable::Position);
  CHECK((Vector3(points[0], points[1], points[2]) - Vector3(0.3, 0.1, 0) - offset * normal).norm() <
        1e-14);
  CHECK_THROWS_WITH(mbs.GetMarkerOutput(marker, OutputVariable::RotationMatrix),
                    Catch::Contains("BodyCable2DShape") && Catch::Contains("Velocity"));

  mbs.AddMarker("BodyCable2DShape", {{"bodyNumber", mbs.AddObject("Ground")}});
  CHECK_THROWS_WITH(mbs.Assemble(), Catch::Contains("give the index of an ANCFCable2D"));
}
