// Static and explicit solvers, eigenvalues, degrees of freedom and inconsistent starts against
// closed forms.
#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;
using Catch::Contains;

namespace {

constexpr Real g = 9.81;

// Uniform rods in a row from the origin along a direction in the plane; total length and mass are
// given. Returns the last body.
int addRods(MainSystem& mbs, int count, Real length, Real mass, Real angle) {
  const Real l = length / count, m = mass / count;
  const Vector3 along(std::cos(angle), std::sin(angle), 0);
  int last = addMarker(mbs, mbs.AddObject("Ground")), body = -1;
  for (int i = 0; i < count; ++i) {
    const Vector3 centre = (i + 0.5) * l * along;
    const int node = mbs.AddNode("RigidBody2D",
                                 {{"referenceCoordinates", vector({centre[0], centre[1], angle})}});
    body = mbs.AddObject("RigidBody2D",
                         {{"mass", m}, {"inertia", m * l * l / 12}, {"nodeNumber", node}});
    addConnector(mbs, "JointRevolute2D", last, addMarker(mbs, body, {-l / 2, 0, 0}));
    addGravity(mbs, body, {0, -g, 0});
    last = addMarker(mbs, body, {l / 2, 0, 0});
  }
  return body;
}

SimulationSettings explicitMethod(const std::string& method, SimulationSettings s) {
  s.timeIntegration.explicitIntegration.dynamicSolverType = method;
  s.timeIntegration.automaticStepSize = false;
  s.timeIntegration.absoluteTolerance = 1e6;  // fixed steps, whatever the estimate says
  return s;
}

}  // namespace

TEST_CASE("explicit methods have their orders on the free rotation of a body", "[explicit]") {
  // I = (1, 2, 3), w(0) = (1, 0, 1): Jacobi elliptic functions with k^2 = 1/3.
  const Vector3 exact(.577802471812, .816176637480, .882015815511);
  const auto [method, order] = GENERATE(table<std::string, int>(
      {{"ExplicitEuler", 1}, {"ExplicitMidpoint", 2}, {"RK33", 3}, {"ODE23", 3}, {"RK44", 4}}));
  const std::string node = GENERATE("RigidBodyRotVecLG", "RigidBodyRxyz", "RigidBodyEP");
  const auto error = [&](int steps) {
    MainSystem mbs;
    Body b;
    b.principal = {1, 2, 3};
    b.omega = {1, 0, 1};
    const int body = addBody(mbs, node, b);
    mbs.Assemble();
    REQUIRE(mbs.SolveExplicit(explicitMethod(method, stepping(1, steps))).outcome ==
            Outcome::finished);
    return (vector3(mbs.GetObjectOutput(body, OutputVariable::AngularVelocityLocal)) - exact)
        .norm();
  };
  const Real coarse = error(20), fine = error(40);
  INFO(method << " with " << node << ": errors " << coarse << ", " << fine);
  CHECK(std::log2(coarse / fine) == Approx(order).margin(0.35));
}

TEST_CASE("methods of high order follow the attitude of the free body", "[explicit]") {
  const std::string method = GENERATE("RK67", "DOPRI5");
  MainSystem mbs;
  Body b;
  b.principal = {1, 2, 3};
  b.omega = {1, 0, 1};
  const int body = addBody(mbs, "RigidBodyRotVecLG", b);
  mbs.Assemble();
  REQUIRE(mbs.SolveExplicit(explicitMethod(method, stepping(10, 1000))).outcome ==
          Outcome::finished);
  const Vector4 q(.861441174065, .107340757620, .220947321794, -.444498983542);
  const auto A = mbs.GetObjectOutput(body, OutputVariable::RotationMatrix);
  const Matrix3 R = Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(A.data());
  CHECK((R - rotationFromEulerParameters(q)).norm() < 1e-8);
}

TEST_CASE("DOPRI5 with error control keeps the constraints of the pendulum", "[explicit]") {
  // A point mass on a massless rod from the horizontal, period 2.36784 s.
  MainSystem mbs;
  const int node = mbs.AddNode("Point", {{"referenceCoordinates", vector({-1, 0, 0})}});
  const int mass = mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", node}});
  const int ground = mbs.AddObject("Ground");
  const int m0 = mbs.AddMarker("BodyPosition", {{"bodyNumber", ground}});
  const int m1 = mbs.AddMarker("BodyPosition", {{"bodyNumber", mass}});
  addConnector(mbs, "ConnectorDistance", m0, m1, {{"distance", 1.0}});
  addGravity(mbs, mass, {0, -g, 0});
  mbs.Assemble();
  SimulationSettings s = stepping(10, 10);
  s.timeIntegration.relativeTolerance = s.timeIntegration.absoluteTolerance = 1e-9;
  const SolveReport report = mbs.SolveExplicit(s);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(report.steps > 100);
  const Vector3 p = vector3(mbs.GetNodeOutput(node, OutputVariable::Position));
  CHECK((p - Vector3(-0.275087462576117, -0.961419205099125, 0)).norm() < 1e-6);
  CHECK(std::abs(p.norm() - 1) < 1e-12);
}

TEST_CASE("a driven joint and a driven coordinate hold their body with the force of the motion",
          "[explicit]") {
  const bool withRates = GENERATE(true, false), freeAxis = GENERATE(true, false);
  const bool implicitly = GENERATE(true, false);
  const std::string solver = implicitly ? "dynamic" : "explicit:RK44";
  // x = 0.1 (1 - cos 3t) and a turn of 0.4 sin 2t about z, which the axes of the translation follow
  // if one of them is free; 0.2 t^3 + 0.5 t^2 of a mass of its own
  const auto position = [](Real t) { return 0.1 * (1 - std::cos(3 * t)); };
  const auto speed = [](Real t) { return 0.3 * std::sin(3 * t); };
  const auto turn = [&](Real t) { return freeAxis ? 0.4 * std::sin(2 * t) : 0; };
  const auto spin = [&](Real t) { return freeAxis ? 0.8 * std::cos(2 * t) : 0; };
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  Body b;
  b.mass = 2;
  b.principal = {0.3, 0.4, 0.5};
  b.omega = {0, 0, 0.8};
  const int body = addBody(mbs, "RigidBodyRotVecLG", b);
  Dictionary drive{{"constrainedAxes", std::vector<int>{1, 1, !freeAxis, 1, 1, 1}},
                   {"offsetUserFunction",
                    UserFunction{{"0.1*(1 - cos(3*t))", "0", "0", "0", "0", "0.4*sin(2*t)"}, {}}}};
  if (withRates)
    drive.emplace_back("offsetUserFunction_t",
                       UserFunction{{"0.3*sin(3*t)", "0", "0", "0", "0", "0.8*cos(2*t)"}, {}});
  const int joint =
      addConnector(mbs, "JointGeneric", addMarker(mbs, ground), addMarker(mbs, body), drive);
  const auto marker = [&](int node) {
    return mbs.AddMarker("NodeCoordinate", {{"nodeNumber", node}, {"coordinate", 0}});
  };
  const int node = mbs.AddNode("1D");
  mbs.AddObject("Mass1D", {{"physicsMass", 3.0}, {"nodeNumber", node}});
  Dictionary motion{{"offsetUserFunction", UserFunction{{"0.2*t^3 + offset*t^2"}, {}}},
                    {"offset", 0.5}};
  if (withRates)
    motion.emplace_back("offsetUserFunction_t", UserFunction{{"0.6*t^2 + 2*offset*t"}, {}});
  const int coordinate = addConnector(mbs, "ConnectorCoordinate",
                                      marker(mbs.AddNode("PointGround")), marker(node), motion);
  mbs.Assemble();
  SimulationSettings settings = stepping(1, 1000);
  settings.timeIntegration.generalizedAlpha.storeInitialAlgebraicCoordinates = true;
  int looks = 0;
  const SolveReport report = mbs.Solve(solver, settings, [&](const StepInfo& step) {
    const Real t = step.time;
    if (implicitly && t > 0) return true;  // later ones are those of the position level
    const auto force = vector3(mbs.GetObjectOutput(joint, OutputVariable::ForceLocal));
    const auto torque = vector3(mbs.GetObjectOutput(joint, OutputVariable::TorqueLocal));
    const Real tolerance = withRates ? 1e-9 : 1e-6;
    CHECK(force[0] ==
          Approx(-2 * (0.9 * std::cos(3 * t) - position(t) * spin(t) * spin(t))).margin(tolerance));
    CHECK(force[1] ==
          Approx(-2 * (2 * speed(t) * spin(t) - 4 * position(t) * turn(t))).margin(tolerance));
    CHECK(std::abs(torque[2]) == Approx(std::abs(0.5 * 1.6 * std::sin(2 * t))).margin(tolerance));
    CHECK(mbs.GetObjectOutput(coordinate, OutputVariable::Force)[0] ==
          Approx(-3 * (1.2 * t + 1)).margin(tolerance));
    ++looks;
    return true;
  });
  CHECK(report.outcome == Outcome::finished);
  CHECK(looks >= (implicitly ? 1 : 1000));
  CHECK(vector3(mbs.GetObjectOutputBody(body, OutputVariable::Velocity, Vector3::Zero()))[0] ==
        Approx(speed(1) * std::cos(turn(1)) - position(1) * spin(1) * std::sin(turn(1)))
            .epsilon(1e-5));
}

TEST_CASE("a step beyond the stability limit ends the run with a message", "[explicit]") {
  MainSystem mbs;
  const int node = mbs.AddNode("Point", {{"initialCoordinates", vector({0.1, 0, 0})}});
  const int mass = mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", node}});
  const int ground = mbs.AddObject("Ground");
  addConnector(mbs, "ConnectorCartesianSpringDamper",
               mbs.AddMarker("BodyPosition", {{"bodyNumber", ground}}),
               mbs.AddMarker("BodyPosition", {{"bodyNumber", mass}}),
               {{"stiffness", vector({1e6, 1e6, 1e6})}});
  mbs.Assemble();
  // RK44 is stable up to omega h = 2.83; omega = 1000.
  const SolveReport good = mbs.SolveExplicit(explicitMethod("RK44", stepping(1, 500)));
  CHECK(good.outcome == Outcome::finished);
  mbs.Assemble();
  bool finite = true;
  const SolveReport bad =
      mbs.SolveExplicit(explicitMethod("RK44", stepping(1, 250)), [&](const StepInfo&) {
        finite = finite && mbs.system().state().q.allFinite() && mbs.system().state().v.allFinite();
        return true;
      });
  CHECK(bad.outcome == Outcome::notConverged);
  CHECK(finite);
  CHECK_THAT(bad.message, Contains("stability limit of RK44") && Contains("numberOfSteps"));
}

TEST_CASE("static solver: a rod on a torsional spring turns to its equilibrium", "[static]") {
  // k phi = m g l/2 cos phi for a rod that is horizontal when the spring is relaxed.
  MainSystem mbs;
  addRods(mbs, 1, 1, 2, 0);
  const Real k = 5;
  addConnector(mbs, "ConnectorTorsionalSpringDamper", 0, 1, {{"stiffness", k}});
  mbs.Assemble();
  SimulationSettings s;
  s.staticSolver.numberOfLoadSteps = 4;
  s.staticSolver.newton.relativeTolerance = 1e-12;
  s.staticSolver.stabilizerODE2term = GENERATE(0.0, 10.0);
  s.staticSolver.loadStepGeometric = GENERATE(false, true);
  std::vector<Real> factors;
  const SolveReport report = mbs.SolveStatic(s, [&](const StepInfo& info) {
    factors.push_back(info.time);
    return true;
  });
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(factors.size() == 5);
  CHECK(factors.back() == 1);
  const Real phi = mbs.system().state().q[2];
  CHECK(phi < -0.5);
  CHECK(k * phi == Approx(-2 * g * 0.5 * std::cos(phi)).epsilon(1e-9));
}

TEST_CASE("static solver: first order coordinates become stationary", "[static]") {
  MainSystem mbs;
  const int linear = mbs.AddNode(
      "GenericODE1", {{"numberOfODE1Coordinates", 2}, {"initialCoordinates", vector({5, -3})}});
  const MatrixX A{{-2, 1}, {0.5, -3}};
  const Vector2 f(4, 1);
  mbs.AddObject(
      "GenericODE1",
      {{"nodeNumbers", std::vector<int>{linear}}, {"systemMatrix", A}, {"rhsVector", VectorX(f)}});
  const int cubic = mbs.AddNode("GenericODE1", {{"numberOfODE1Coordinates", 1}});
  mbs.AddObject("GenericODE1", {{"nodeNumbers", std::vector<int>{cubic}},
                                {"rhsUserFunction", std::string("2 - q0 - q0^3")}});
  addRods(mbs, 1, 1, 2, 0);
  addConnector(mbs, "ConnectorTorsionalSpringDamper", 0, 1, {{"stiffness", 50.0}});
  mbs.Assemble();
  SimulationSettings s;
  s.staticSolver.newton.relativeTolerance = 1e-12;
  SECTION("by default") {
    const SolveReport report = mbs.SolveStatic(s);
    INFO(report.message);
    REQUIRE(report.outcome == Outcome::finished);
    const VectorX& y = mbs.system().state().y;
    CHECK((A * y.head<2>() + f).norm() < 1e-11);
    CHECK(y[2] == Approx(1).epsilon(1e-12));  // 2 = y + y^3
    CHECK(mbs.system().state().ydot.norm() == 0);
  }
  SECTION("unless they keep their initial values") {
    s.staticSolver.constrainODE1coordinates = true;
    REQUIRE(mbs.SolveStatic(s).outcome == Outcome::finished);
    CHECK(mbs.system().state().y == VectorX(Vector3(5, -3, 0)));
    CHECK_FALSE(mbs.system().holdFirstOrder);  // for the runs that follow
  }
}

TEST_CASE("static solver: a cylinder with given pressures carries its load", "[static]") {
  // k x = p0 A0 - p1 A1 - m g along x
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  const int node = mbs.AddNode("Point", {{"referenceCoordinates", vector({1, 0, 0})}});
  const int mass = mbs.AddObject("MassPoint", {{"mass", 50.0}, {"nodeNumber", node}});
  const Vector2 pressures(3e6, 1e6);
  const int oil = mbs.AddNode(
      "GenericODE1", {{"numberOfODE1Coordinates", 2}, {"initialCoordinates", VectorX(pressures)}});
  const auto point = [&](int body) {
    return mbs.AddMarker("BodyPosition", {{"bodyNumber", body}});
  };
  const int foot = point(ground), head = point(mass);
  addConnector(mbs, "ConnectorHydraulicActuatorSimple", foot, head,
               {{"nodeNumbers", std::vector<int>{oil}},
                {"offsetLength", 0.9},
                {"strokeLength", 0.5},
                {"chamberCrossSection0", 1e-3},
                {"chamberCrossSection1", 8e-4},
                {"hoseVolume0", 1e-3},
                {"hoseVolume1", 1e-3},
                {"valveOpening0", 1.0},
                {"valveOpening1", -1.0},
                {"oilBulkModulus", 1e9},
                {"nominalFlow", 1e-7},
                {"systemPressure", 2e7}});
  addConnector(mbs, "ConnectorCartesianSpringDamper", foot, head,
               {{"stiffness", vector({2e4, 1e5, 1e5})}, {"offset", vector({1, 0, 0})}});
  addGravity(mbs, mass, {-g, 0, 0});
  mbs.Assemble();
  SimulationSettings s;
  s.staticSolver.constrainODE1coordinates = true;
  s.staticSolver.newton.relativeTolerance = 1e-12;
  const SolveReport report = mbs.SolveStatic(s);
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(mbs.system().state().y == VectorX(pressures));
  CHECK(mbs.system().state().q[0] == Approx((3e6 * 1e-3 - 1e6 * 8e-4 - 50 * g) / 2e4));
}

TEST_CASE("frequencies of the hanging chain, dense and sparse", "[eigenvalues]") {
  const bool sparse = GENERATE(false, true);
  MainSystem mbs;
  addRods(mbs, 10, 1, 3, -M_PI / 2);
  mbs.Assemble();
  const Eigenvalues e =
      mbs.ComputeODE2Eigenvalues({.numberOfEigenvalues = 4, .useSparseSolver = sparse});
  REQUIRE(e.values.size() == 4);
  const Real exact[] = {3.767208518302, 8.728321546416, 14.045381952778, 19.929173318381};
  for (int i = 0; i < 4; ++i) {
    CHECK(std::sqrt(e.values[i].real()) == Approx(exact[i]).epsilon(1e-10));
    CHECK(std::abs(e.values[i].imag()) == 0);
  }
}

TEST_CASE("a chain of ten thousand rods hangs like a rope", "[eigenvalues]") {
  // j_0k / 2 sqrt(g / L), from which a chain of N rods differs by O(1 / N^2).
  MainSystem mbs;
  addRods(mbs, 10000, 1, 3, -M_PI / 2);
  mbs.Assemble();
  const Eigenvalues e = mbs.ComputeODE2Eigenvalues({.numberOfEigenvalues = 4});
  const Real rope[] = {3.7660673884, 8.6446961137, 13.5521357783, 18.4660850631};
  for (int i = 0; i < 4; ++i) CHECK(std::sqrt(e.values[i].real()) == Approx(rope[i]).epsilon(1e-6));
  CHECK(mbs.ComputeSystemDegreeOfFreedom().degreeOfFreedom == 10000);
}

TEST_CASE("degrees of freedom with redundant constraints", "[eigenvalues]") {
  // Three rods and four hinges in a plane: 18 unknowns, 20 equations, of which 3 hold already.
  MainSystem mbs;
  const int ground = mbs.AddObject("Ground");
  const Vector3 ends[] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
  int last = addMarker(mbs, ground, ends[0]);
  for (int i = 0; i < 3; ++i) {
    Body b;
    b.position = (ends[i] + ends[i + 1]) / 2;
    const int body = addBody(mbs, "RigidBodyEP", b);
    addConnector(mbs, "JointRevoluteZ", last, addMarker(mbs, body, ends[i] - b.position));
    last = addMarker(mbs, body, ends[i + 1] - b.position);
  }
  addConnector(mbs, "JointRevoluteZ", last, addMarker(mbs, ground, ends[3]));
  mbs.Assemble();
  const DegreesOfFreedom d = mbs.ComputeSystemDegreeOfFreedom();
  CHECK(d.degreeOfFreedom == 1);
  CHECK(d.redundantConstraints == 3);
  CHECK(d.unknowns == 18);
  CHECK(d.constraints == 20);
}

TEST_CASE("a start that violates constraints is reported and projected on request", "[start]") {
  MainSystem mbs;
  const int body = addRods(mbs, 3, 3, 3, 0);
  mbs.Assemble();
  State& s = mbs.system().state();
  s.q[0] += 0.01;
  s.v[4] += 1;
  SimulationSettings settings = stepping(1e-3, 1);
  SECTION("reported") {
    const SolveReport report = mbs.SolveDynamic(settings);
    REQUIRE(report.warnings.size() == 1);
    CHECK_THAT(report.warnings[0], Contains("positions by 0.01 at multiplier") &&
                                       Contains("velocities by 1 at multiplier") &&
                                       Contains("JointRevolute2D"));
  }
  SECTION("projected") {
    settings.timeIntegration.projectInitialState = true;
    Real gap = 1;
    const SolveReport report = mbs.SolveDynamic(settings, [&](const StepInfo& info) {
      if (info.step == 0) {
        VectorX r;
        gap = 0;
        for (const auto level : {ConstraintLevel::position, ConstraintLevel::velocity}) {
          mbs.system().evaluate({}, level, false, r);
          gap = std::max(gap, r.tail(6).lpNorm<Eigen::Infinity>());
        }
      }
      return true;
    });
    CHECK(report.warnings.empty());
    CHECK(gap < 1e-10);
  }
  CHECK(mbs.GetObjectOutput(body, OutputVariable::Position).size() == 3);
}
