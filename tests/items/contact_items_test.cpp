// Friction, contact and rolling against closed forms.
#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

constexpr Real g = 9.81;

VectorX numbers(std::initializer_list<Real> list) {
  VectorX v(static_cast<int>(list.size()));
  std::copy(list.begin(), list.end(), v.data());
  return v;
}

void solve(MainSystem& mbs, SimulationSettings settings) {
  settings.timeIntegration.newton.relativeTolerance = 1e-10;
  settings.timeIntegration.newton.absoluteTolerance = 1e-10;
  const SolveReport report = mbs.SolveDynamic(settings);
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
}

int dataNode(MainSystem& mbs, std::initializer_list<Real> values) {
  const VectorX v = numbers(values);
  return mbs.AddNode("GenericData", {{"numberOfDataCoordinates", static_cast<int>(v.size())},
                                     {"initialCoordinates", v}});
}

// A mass on an axis and the markers of ground and mass.
struct Slider {
  int node, markers[2];
};
Slider addSlider(MainSystem& mbs, Real mass, Real position, Real velocity) {
  const int ground = mbs.AddNode("PointGround");
  const int node = mbs.AddNode("1D", {{"initialCoordinates", numbers({position})},
                                      {"initialVelocities", numbers({velocity})}});
  mbs.AddObject("Mass1D", {{"mass", mass}, {"nodeNumber", node}});
  const auto marker = [&](int n) {
    return mbs.AddMarker("NodeCoordinate", {{"nodeNumber", n}, {"coordinate", 0}});
  };
  return {node, {marker(ground), marker(node)}};
}

Body disc(Real radius, Real mass) {  // axis x
  Body b;
  b.mass = mass;
  b.principal = mass * radius * radius * Vector3(0.5, 0.25, 0.25);
  return b;
}

}  // namespace

TEST_CASE("extended spring: dry friction stops a mass after v^2 / (2 mu g)", "[items]") {
  for (const bool bristle : {false, true}) {
    MainSystem mbs;
    const Slider s = addSlider(mbs, 2, 0, 1);
    Dictionary p{{"dynamicFrictionForce", 4.0}};
    if (bristle) {
      p.insert(p.end(), {{"stickingStiffness", 1e5},
                         {"stickingDamping", 200.0},
                         {"nodeNumber", dataNode(mbs, {4, 0, 0})}});
    } else {
      p.emplace_back("frictionProportionalZone", 1e-3);
    }
    addConnector(mbs, "ConnectorCoordinateSpringDamperExt", s.markers[0], s.markers[1], p);
    mbs.Assemble();
    solve(mbs, stepping(1, 2000));
    // m v^2 / 2 = f x: stands at 0.25 m
    CHECK(mbs.GetNodeOutput(s.node, OutputVariable::Coordinates)[0] == Approx(0.25).epsilon(2e-3));
    CHECK(std::abs(mbs.GetNodeOutput(s.node, OutputVariable::Coordinates_t)[0]) < 1e-3);
  }
}

TEST_CASE("extended spring: a mass swings between elastic limit stops", "[items]") {
  MainSystem mbs;
  const Slider s = addSlider(mbs, 1, 0, 2);
  const Real k = 1e4, half = 0.5;
  addConnector(mbs, "ConnectorCoordinateSpringDamperExt", s.markers[0], s.markers[1],
               {{"useLimitStops", true},
                {"limitStopsUpper", half},
                {"limitStopsLower", -half},
                {"limitStopsStiffness", k},
                {"nodeNumber", dataNode(mbs, {0, 0, 0})}});
  mbs.Assemble();
  // a period: twice across the gap and two half oscillations on the stops
  const Real period = 2 * (2 * half / 2) + 2 * M_PI / std::sqrt(k);
  solve(mbs, stepping(period, 4000, 1));
  CHECK(mbs.GetNodeOutput(s.node, OutputVariable::Coordinates)[0] == Approx(0).margin(2e-3));
  CHECK(mbs.GetNodeOutput(s.node, OutputVariable::Coordinates_t)[0] == Approx(2).epsilon(1e-2));
}

TEST_CASE("coordinate contact: a mass comes to rest in the contact", "[items]") {
  MainSystem mbs;
  const Slider s = addSlider(mbs, 2, 0.1, 0);
  addConnector(
      mbs, "ContactCoordinate", s.markers[0], s.markers[1],
      {{"contactStiffness", 1e4}, {"contactDamping", 100.0}, {"nodeNumber", dataNode(mbs, {0.1})}});
  mbs.AddLoad("Coordinate", {{"markerNumber", s.markers[1]}, {"load", -2 * g}});
  mbs.Assemble();
  solve(mbs, stepping(2, 2000));
  CHECK(mbs.GetNodeOutput(s.node, OutputVariable::Coordinates)[0] ==
        Approx(-2 * g / 1e4).epsilon(1e-3));
}

TEST_CASE("rolling disc joint: steady circle of a leaning disc", "[items]") {
  // Lean theta from the vertical, radius rho of the path of the centre:
  // Omega^2 = g tan theta / (1.5 rho + 0.25 R sin theta); spin -Omega rho / R about the axis.
  const Real R = 0.3, theta = M_PI / 9, rho = 1;
  const Real Omega = std::sqrt(g * std::tan(theta) / (1.5 * rho + 0.25 * R * std::sin(theta)));
  for (const std::string_view node : {"RigidBodyEP", "RigidBodyRotVecLG"}) {
    MainSystem mbs;
    Body b = disc(R, 2);
    // leans towards the centre of the circle; the axis is in the radial plane
    b.rotation = rotationFromTaitBryan({0, -theta, 0});
    b.position = Vector3(rho, 0, R * std::cos(theta));
    b.velocity = Vector3(0, Omega * rho, 0);
    const Vector3 axis = b.rotation.col(0);
    Vector3 omega = Omega * Vector3::UnitZ();
    omega += (-Omega * rho / R - omega.dot(axis)) * axis;  // total component along the axis
    b.omega = b.rotation.transpose() * omega;
    const int ground = addMarker(mbs, mbs.AddObject("Ground"));
    const int body = addBody(mbs, node, b);
    const int joint =
        addConnector(mbs, "JointRollingDisc", ground, addMarker(mbs, body), {{"discRadius", R}});
    addGravity(mbs, body, {0, 0, -g});
    mbs.Assemble();
    const Real lap = 2 * M_PI / Omega;
    solve(mbs, stepping(lap, 2000));
    CHECK((vector3(mbs.GetObjectOutput(body, OutputVariable::Position)) - b.position).norm() <
          2e-4);
    const Vector3 force = vector3(mbs.GetObjectOutput(joint, OutputVariable::ForceLocal));
    CHECK(std::abs(force[0]) / force[2] == Approx(0.238567085407).epsilon(1e-4));
    CHECK(force[2] == Approx(2 * g).epsilon(1e-4));
  }
}

TEST_CASE("rolling disc contact: a disc rolls down an incline", "[items]") {
  MainSystem mbs;
  const Real R = 0.2, slope = 0.3;
  const Matrix3 tilt = rotationFromTaitBryan({-slope, 0, 0});  // y goes downhill
  Body b = disc(R, 2);
  b.rotation = tilt;
  b.position = tilt * Vector3(0, 0, R - 1e-4);
  const int ground =
      addMarker(mbs, mbs.AddObject("Ground", {{"referenceRotation", MatrixX(tilt)}}));
  const int body = addBody(mbs, "RigidBodyEP", b);
  addConnector(mbs, "ConnectorRollingDiscPenalty", ground, addMarker(mbs, body),
               {{"discRadius", R},
                {"contactStiffness", 1e5},
                {"contactDamping", 500.0},
                {"dryFriction", numbers({0.5, 0.5})},
                {"dryFrictionProportionalZone", 1e-3},
                {"nodeNumber", dataNode(mbs, {0, 0, -1e-4})}});
  addGravity(mbs, body, {0, 0, -g});
  mbs.Assemble();
  solve(mbs, stepping(0.5, 2000));
  const Real v = 0.5 * g * std::sin(slope) / 1.5;
  const Vector3 velocity = vector3(mbs.GetObjectOutput(body, OutputVariable::Velocity));
  CHECK(velocity.dot(tilt.col(1)) == Approx(v).epsilon(2e-3));
  const Vector3 omega = vector3(mbs.GetObjectOutput(body, OutputVariable::AngularVelocityLocal));
  CHECK(-omega[0] * R == Approx(v).epsilon(4e-3));
}

TEST_CASE("sphere contact: restitution, momentum and sliding to rolling", "[items]") {
  const auto addSphere = [](MainSystem& mbs, Real radius, Real mass, const Vector3& position,
                            const Vector3& velocity) {
    Body b;
    b.mass = mass;
    b.position = position;
    b.velocity = velocity;
    b.principal = 0.4 * mass * radius * radius * Vector3::Ones();
    return addBody(mbs, "RigidBodyRotVecLG", b);
  };
  SECTION("impact models give the coefficient of restitution") {
    for (const int model : {1, 2}) {
      MainSystem mbs;
      const Real e = 0.8;
      const int body0 = addSphere(mbs, 0.1, 1, Vector3::Zero(), {1, 0, 0});
      const int body1 = addSphere(mbs, 0.1, 2, Vector3(0.21, 0, 0), {0, 0, 0});
      addConnector(mbs, "ContactSphereSphere", addMarker(mbs, body0), addMarker(mbs, body1),
                   {{"spheresRadii", numbers({0.1, 0.1})},
                    {"contactStiffness", 1e6},
                    {"contactStiffnessExponent", 1.5},
                    {"impactModel", model},
                    {"restitutionCoefficient", e},
                    {"nodeNumber", dataNode(mbs, {0.01, 0, 0, 0})}});
      mbs.Assemble();
      solve(mbs, stepping(0.05, 5000));
      const Vector3 v0 = vector3(mbs.GetObjectOutput(body0, OutputVariable::Velocity));
      const Vector3 v1 = vector3(mbs.GetObjectOutput(body1, OutputVariable::Velocity));
      CHECK((v0 + 2 * v1 - Vector3(1, 0, 0)).norm() < 1e-6);
      CHECK(v1[0] - v0[0] == Approx(e).epsilon(model == 1 ? 0.06 : 0.02));
    }
  }
  SECTION("a sliding sphere rolls at 5/7 of its speed") {
    MainSystem mbs;
    const Real R = 0.1, mu = 0.2, v0 = 3;  // on a sphere so large that it is a plane here
    const Real large = 1e4;
    const int ground =
        addMarker(mbs, mbs.AddObject("Ground", {{"referencePosition", numbers({0, 0, -large})}}));
    const int body = addSphere(mbs, R, 1, Vector3(0, 0, R - 1e-5), {v0, 0, 0});
    addConnector(mbs, "ContactSphereSphere", ground, addMarker(mbs, body),
                 {{"spheresRadii", numbers({large, R})},
                  {"contactStiffness", g / 1e-5},
                  {"contactDamping", 1000.0},
                  {"dynamicFriction", mu},
                  {"frictionProportionalZone", 1e-3},
                  {"nodeNumber", dataNode(mbs, {-1e-5, v0, 0, 0})}});
    addGravity(mbs, body, {0, 0, -g});
    mbs.Assemble();
    solve(mbs, stepping(0.5, 2000));
    const Vector3 v = vector3(mbs.GetObjectOutput(body, OutputVariable::Velocity));
    CHECK(v[0] == Approx(5.0 / 7 * v0).epsilon(1e-3));
  }
}
