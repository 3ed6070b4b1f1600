// Connectors between two rigid frames against closed forms and conservation laws.
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

Body randomBody(Random& random) {
  Body b;
  b.position = random.vector(3);
  b.rotation = random.rotation();
  b.velocity = random.vector(3);
  b.omega = random.vector(3, 2);
  b.mass = random.uniform(1, 2);
  b.principal = Vector3(0.3, 0.4, 0.5);
  return b;
}

MatrixX randomStiffness(Random& random, Real size) {
  const MatrixX A = Eigen::Map<const MatrixX>(random.vector(36).data(), 6, 6);
  return size * (A * A.transpose() + MatrixX::Identity(6, 6));
}

void solve(MainSystem& mbs, const SimulationSettings& settings) {
  const SolveReport report = mbs.SolveDynamic(tight(settings));
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
}

}  // namespace

TEST_CASE("torsional spring: period of a wheel and angle over several turns", "[items]") {
  for (const std::string_view node : rigidNodes) {
    if (node == "RigidBodyRxyz") continue;  // turned so that z is horizontal: singular
    MainSystem mbs;
    const Matrix3 frame = rotationFromTaitBryan({0, M_PI / 2, 0});
    Body wheel;
    wheel.rotation = frame;
    wheel.principal = {1, 1, 2};
    const int ground = addMarker(mbs, mbs.AddObject("Ground"));
    const int body = addBody(mbs, node, wheel);
    const int marker = addMarker(mbs, body);
    addConnector(mbs, "JointRevoluteZ", ground, marker, {{"rotationMarker0", MatrixX(frame)}});
    const int data = mbs.AddNode("GenericData", {{"numberOfDataCoordinates", 1}});
    const Real k = 0.5, offset = 9;  // wound up by 9 rad: swings between 0 and 18 rad
    const int spring = addConnector(mbs, "ConnectorTorsionalSpringDamper", ground, marker,
                                    {{"rotationMarker0", MatrixX(frame)},
                                     {"stiffness", k},
                                     {"offset", offset},
                                     {"nodeNumber", data}});
    mbs.Assemble();
    solve(mbs, stepping(3, 3000));
    const Real frequency = std::sqrt(k / 2), phi = offset * (1 - std::cos(frequency * 3));
    const Real angle = mbs.GetObjectOutput(spring, OutputVariable::Rotation)[0];
    const Real torque = mbs.GetObjectOutput(spring, OutputVariable::TorqueLocal)[0];
    CHECK(phi > 2 * M_PI);
    CHECK(angle == Approx(phi).epsilon(1e-5));
    CHECK(torque == Approx(k * (angle - offset)).epsilon(1e-12));
  }
}

TEST_CASE("linear spring-damper in a prismatic joint: damped oscillation", "[items]") {
  MainSystem mbs;
  const Matrix3 frame = rotationFromTaitBryan({0.3, 0.4, 0.5});
  Body slider;
  slider.rotation = frame;
  slider.position = frame.col(0);
  slider.mass = 2;
  const int ground =
      addMarker(mbs, mbs.AddObject("Ground", {{"referenceRotation", MatrixX(frame)}}));
  const int body = addBody(mbs, "RigidBodyRotVecLG", slider);
  const int marker = addMarker(mbs, body);
  addConnector(mbs, "JointPrismaticX", ground, marker);
  const int spring =
      addConnector(mbs, "ConnectorLinearSpringDamper", ground, marker,
                   {{"stiffness", 50.0}, {"damping", 4.0}, {"offset", 0.6}, {"force", -5.0}});
  mbs.Assemble();
  solve(mbs, stepping(1, 2000));
  // 2 x'' + 4 x' + 50 (x - 0.6) - 5 = 0: rests at 0.7, starts at 1
  const Real delta = 1, omega = std::sqrt(25 - delta * delta);
  const Real x = 0.7 + 0.3 * std::exp(-delta) * (std::cos(omega) + delta / omega * std::sin(omega));
  CHECK(mbs.GetObjectOutput(spring, OutputVariable::DisplacementLocal)[0] ==
        Approx(x).epsilon(1e-6));
}

TEST_CASE("intrinsic rigid-body spring: the order of the markers does not matter", "[items]") {
  Random random(3);
  const Body bodies[] = {randomBody(random), randomBody(random)};
  const MatrixX K = randomStiffness(random, 20), D = randomStiffness(random, 0.2);
  const Matrix3 R[] = {random.rotation(), random.rotation()};
  VectorX position[2];
  for (const bool swapped : {false, true}) {
    MainSystem mbs;
    int marker[2], body[2];
    for (int i = 0; i < 2; ++i) {
      body[i] = addBody(mbs, "RigidBodyRotVecLG", bodies[i]);
      marker[i] = addMarker(mbs, body[i], Vector3(0.1, 0.2, -0.1));
    }
    // the relative motion of the exchanged markers is the opposite one: u -> -u, phi -> -phi
    addConnector(mbs, "ConnectorRigidBodySpringDamper", marker[swapped], marker[!swapped],
                 {{"stiffness", K},
                  {"damping", D},
                  {"rotationMarker0", MatrixX(R[swapped])},
                  {"rotationMarker1", MatrixX(R[!swapped])},
                  {"intrinsicFormulation", true}});
    mbs.Assemble();
    solve(mbs, stepping(0.5, 500));
    position[swapped] =
        vector3(mbs.GetObjectOutputBody(body[0], OutputVariable::Position, Vector3(1, 1, 1)));
  }
  CHECK((position[0] - position[1]).norm() < 1e-9);
}

TEST_CASE("undamped rigid-body spring keeps energy and gravity keeps momentum", "[items]") {
  Random random(5);
  MainSystem mbs;
  Body b = randomBody(random);
  const int ground = addMarker(mbs, mbs.AddObject("Ground"));
  const int body = addBody(mbs, "RigidBodyEP", b);
  const int marker = addMarker(mbs, body);
  // equal stiffness in all directions: the force is a gradient also for large rotations
  MatrixX K = MatrixX::Zero(6, 6);
  K.diagonal() << 100, 100, 100, 0, 0, 0;
  addConnector(mbs, "ConnectorRigidBodySpringDamper", ground, marker, {{"stiffness", K}});
  mbs.Assemble();
  const auto energy = [&] {
    const Vector3 p = vector3(mbs.GetObjectOutput(body, OutputVariable::Position));
    const Vector3 v = vector3(mbs.GetObjectOutput(body, OutputVariable::Velocity));
    const Vector3 w = vector3(mbs.GetObjectOutput(body, OutputVariable::AngularVelocityLocal));
    return 0.5 *
           (b.mass * v.squaredNorm() + w.dot(b.principal.cwiseProduct(w)) + 100 * p.squaredNorm());
  };
  const Real before = energy();
  solve(mbs, stepping(2, 4000, 1));
  CHECK(energy() == Approx(before).epsilon(1e-5));
}

TEST_CASE("gravity connector: circular orbit of two bodies", "[items]") {
  MainSystem mbs;
  const Real G = 2, m0 = 3, m1 = 1, distance = 2,
             omega = std::sqrt(G * (m0 + m1) / std::pow(distance, 3));
  const Real r0 = distance * m1 / (m0 + m1), r1 = distance - r0;
  int body[2], marker[2];
  for (int i = 0; i < 2; ++i) {
    const Real x = i ? r1 : -r0;
    const int node =
        mbs.AddNode("Point", {{"referenceCoordinates", VectorX(Vector3(x, 0, 0))},
                              {"initialVelocities", VectorX(Vector3(0, omega * x, 0))}});
    body[i] = mbs.AddObject("MassPoint", {{"mass", i ? m1 : m0}, {"nodeNumber", node}});
    marker[i] = mbs.AddMarker("BodyPosition", {{"bodyNumber", body[i]}});
  }
  const int link = addConnector(mbs, "ConnectorGravity", marker[0], marker[1],
                                {{"gravitationalConstant", G}, {"mass0", m0}, {"mass1", m1}});
  mbs.Assemble();
  const Real quarter = M_PI / (2 * omega);
  solve(mbs, stepping(quarter, 1000, 1));
  const Vector3 p = vector3(mbs.GetObjectOutput(body[1], OutputVariable::Position));
  CHECK((p - Vector3(0, r1, 0)).norm() < 1e-5);
  CHECK(mbs.GetObjectOutput(link, OutputVariable::Distance)[0] == Approx(distance).epsilon(1e-6));
}
