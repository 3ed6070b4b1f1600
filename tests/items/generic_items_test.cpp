// Generic second-order objects, constraints of coordinate vectors, sensors of sensors.
#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

VectorX numbers(std::initializer_list<Real> list) {
  VectorX v(static_cast<int>(list.size()));
  std::copy(list.begin(), list.end(), v.data());
  return v;
}
MatrixX square(std::initializer_list<Real> rows) {
  const int n = static_cast<int>(std::lround(std::sqrt(rows.size())));
  return Eigen::Map<const MatrixX>(numbers(rows).data(), n, n).transpose();
}

void solve(MainSystem& mbs, SimulationSettings settings) {
  settings.timeIntegration.newton.relativeTolerance = 1e-11;
  settings.timeIntegration.newton.absoluteTolerance = 1e-12;
  const SolveReport report = mbs.SolveDynamic(settings);
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
}

}  // namespace

TEST_CASE("generic object: two coupled oscillators in their modes", "[items]") {
  // m = 1, springs k to ground and between: frequencies sqrt(k) and sqrt(3 k)
  const Real k = 4;
  for (const bool expression : {false, true}) {
    MainSystem mbs;
    const int node = mbs.AddNode("GenericODE2", {{"numberOfODE2Coordinates", 2},
                                                 {"initialCoordinates", numbers({0.3, 0.1})}});
    Dictionary p{{"nodeNumbers", std::vector<int>{node}}, {"massMatrix", square({1, 0, 0, 1})}};
    if (expression)
      p.emplace_back("forceUserFunction", UserFunction{{"-8*q0+4*q1", "4*q0-8*q1"}, nullptr});
    else
      p.emplace_back("stiffnessMatrix", square({2 * k, -k, -k, 2 * k}));
    const int object = mbs.AddObject("GenericODE2", p);
    mbs.Assemble();
    const Real t = 1.3;
    solve(mbs, stepping(t, 4000, 1));
    const Real sum = 0.2 * std::cos(std::sqrt(k) * t),
               difference = 0.1 * std::cos(std::sqrt(3 * k) * t);
    const std::vector<Real> q = mbs.GetObjectOutput(object, OutputVariable::Coordinates);
    CHECK(q[0] == Approx(sum + difference).epsilon(1e-5));
    CHECK(q[1] == Approx(sum - difference).epsilon(1e-5));
    const std::vector<Real> f = mbs.GetObjectOutput(object, OutputVariable::Force);
    CHECK(f[0] == Approx(2 * k * q[0] - k * q[1]).epsilon(1e-12));
  }
}

TEST_CASE("generic object on points moves them", "[items]") {
  MainSystem mbs;
  const int node = mbs.AddNode("Point", {{"referenceCoordinates", numbers({1, 2, 3})}});
  const int object =
      mbs.AddObject("GenericODE2", {{"nodeNumbers", std::vector<int>{node}},
                                    {"massMatrix", square({2, 0, 0, 0, 2, 0, 0, 0, 2})},
                                    {"forceVector", numbers({0, 0, 4})}});
  mbs.Assemble();
  solve(mbs, stepping(1, 10));
  CHECK(mbs.GetNodeOutput(node, OutputVariable::Position)[2] == Approx(4));
  CHECK(mbs.GetObjectOutput(object, OutputVariable::CoordinatesTotal)[2] == Approx(4));
}

TEST_CASE("vector constraint: a lever between two masses", "[items]") {
  // 2 x_0 = x_1 on one axis, force F on mass 1: (m_1 + m_0 / 4) a = F
  MainSystem mbs;
  const Real m0 = 3, m1 = 2, F = 5;
  int node[2], marker[2];
  for (int i = 0; i < 2; ++i) {
    node[i] = mbs.AddNode("1D");
    mbs.AddObject("Mass1D", {{"mass", i ? m1 : m0}, {"nodeNumber", node[i]}});
    marker[i] = mbs.AddMarker("NodeCoordinates", {{"nodeNumber", node[i]}});
  }
  const int lever = addConnector(mbs, "ConnectorCoordinateVector", marker[0], marker[1],
                                 {{"scalingMarker0", MatrixX(MatrixX::Constant(1, 1, 2))},
                                  {"scalingMarker1", MatrixX(MatrixX::Ones(1, 1))}});
  const int at = mbs.AddMarker("NodeCoordinate", {{"nodeNumber", node[1]}, {"coordinate", 0}});
  mbs.AddLoad("Coordinate", {{"markerNumber", at}, {"load", F}});
  mbs.Assemble();
  solve(mbs, stepping(1, 100));
  const Real a = F / (m1 + m0 / 4);
  CHECK(mbs.GetNodeOutput(node[1], OutputVariable::Coordinates)[0] == Approx(a / 2));
  CHECK(mbs.GetObjectOutput(lever, OutputVariable::Force)[0] == Approx(F - m1 * a));
}

TEST_CASE("quadratic vector constraint keeps a point on a circle", "[items]") {
  for (const bool expressions : {false, true}) {
    MainSystem mbs;
    const int node = mbs.AddNode("Point2D", {{"referenceCoordinates", numbers({0.6, -0.8})},
                                             {"initialVelocities", numbers({0.8, 0.6})}});
    const int mass = mbs.AddObject("MassPoint2D", {{"mass", 1.0}, {"nodeNumber", node}});
    const int ground =
        mbs.AddMarker("NodeCoordinates", {{"nodeNumber", mbs.AddNode("PointGround")}});
    const int marker = mbs.AddMarker("ObjectODE2Coordinates", {{"objectNumber", mass}});
    Dictionary p{{"offset", numbers({1})}};
    if (expressions) {
      p = {{"scalingMarker0", MatrixX(MatrixX::Zero(1, 1))},
           {"constraintUserFunction",
            UserFunction{{"velocityLevel ? 2*(q0*v0+q1*v1) : q0^2+q1^2-1"}, nullptr}},
           {"jacobianUserFunction", UserFunction{{"2*q0", "2*q1"}, nullptr}}};
    } else {
      p.emplace_back("quadraticTermMarker1", MatrixX(MatrixX::Ones(1, 2)));
    }
    const int constraint = addConnector(mbs, "ConnectorCoordinateVector", ground, marker, p);
    mbs.Assemble();
    solve(mbs, stepping(1, 1000));
    const Real angle = std::atan2(-0.8, 0.6) + 1;  // speed 1 on radius 1
    const std::vector<Real> x = mbs.GetNodeOutput(node, OutputVariable::Position);
    CHECK(x[0] == Approx(std::cos(angle)).epsilon(1e-5));
    CHECK(x[1] == Approx(std::sin(angle)).epsilon(1e-5));
    // a = -C^T lambda with C = 2 x: lambda = 1/2
    CHECK(mbs.GetObjectOutput(constraint, OutputVariable::Force)[0] == Approx(0.5).epsilon(1e-4));
  }
}

TEST_CASE("sensors computed from other sensors", "[items]") {
  MainSystem mbs;
  const int node = mbs.AddNode("Point", {{"referenceCoordinates", numbers({3, 4, 0})}});
  mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", node}});
  const int position = mbs.AddSensor(
      "Node", {{"nodeNumber", node}, {"outputVariableType", std::string("Position")}});
  const int sensor = mbs.AddSensor(
      "UserFunction",
      {{"sensorNumbers", std::vector<int>{position}},
       {"factors", numbers({2})},
       {"sensorUserFunction", UserFunction{{"sqrt(s0_0^2+s0_1^2)", "factor0*s0_1+t"}, nullptr}}});
  mbs.Assemble();
  CHECK(mbs.GetSensorValues(sensor) == std::vector<Real>{5, 8});
  const int later =
      mbs.AddSensor("UserFunction", {{"sensorNumbers", std::vector<int>{sensor + 1}},
                                     {"sensorUserFunction", UserFunction{{"s0_0"}, nullptr}}});
  CHECK(later == sensor + 1);
  CHECK_THROWS_WITH(mbs.Assemble(), Catch::Contains("added before it"));
}

TEST_CASE("first order coordinates follow the trapezoidal rule", "[items]") {
  // y' = -y: y1 = y0 / (1 + h/2) from zero rates, then y (1 - h/2) / (1 + h/2); with the rates at
  // the start all steps are alike.
  const Real h = 0.01;
  const int steps = 50;
  for (const bool rates : {false, true}) {
    MainSystem mbs;
    const int node = mbs.AddNode(
        "GenericODE1", {{"numberOfODE1Coordinates", 1}, {"initialCoordinates", vector({1})}});
    mbs.AddObject("GenericODE1", {{"nodeNumbers", std::vector<int>{node}},
                                  {"systemMatrix", MatrixX(MatrixX::Constant(1, 1, -1))}});
    mbs.Assemble();
    SimulationSettings settings;
    settings.timeIntegration.numberOfSteps = steps;
    settings.timeIntegration.endTime = steps * h;
    settings.timeIntegration.generalizedAlpha.computeInitialFirstOrderRates = rates;
    mbs.SolveDynamic(settings);
    const Real factor = (1 - h / 2) / (1 + h / 2);
    const Real expected =
        rates ? std::pow(factor, steps) : std::pow(factor, steps - 1) / (1 + h / 2);
    CHECK(mbs.GetNodeOutput(node, OutputVariable::Coordinates)[0] ==
          Approx(expected).epsilon(1e-12));
    if (rates)
      CHECK(mbs.GetNodeOutput(node, OutputVariable::Coordinates)[0] ==
            Approx(std::exp(-steps * h)).epsilon(1e-5));
  }
}

TEST_CASE("first order coordinates take loads but no forces", "[items]") {
  MainSystem mbs;
  const int node = mbs.AddNode("GenericODE1", {{"numberOfODE1Coordinates", 2}});
  const int ground = mbs.AddNode("PointGround");
  const int state = mbs.AddMarker("NodeODE1Coordinate", {{"nodeNumber", node}, {"coordinate", 1}});
  const int fixed = mbs.AddMarker("NodeCoordinate", {{"nodeNumber", ground}, {"coordinate", 0}});
  mbs.AddObject("ConnectorCoordinateSpringDamper",
                {{"markerNumbers", std::vector<int>{fixed, state}}});
  CHECK_THROWS_WITH(mbs.Assemble(), Catch::Contains("takes no forces"));
}

TEST_CASE("nodes with slopes move their point by the positions alone", "[items]") {
  for (const int dimension : {2, 3}) {
    MainSystem mbs;
    const int n = 2 * dimension;
    const int node = mbs.AddNode(dimension == 2 ? "Point2DSlope1" : "PointSlope1");
    mbs.AddObject("GenericODE2", {{"nodeNumbers", std::vector<int>{node}},
                                  {"massMatrix", MatrixX(MatrixX::Identity(n, n))}});
    const int point = mbs.AddMarker("NodePosition", {{"nodeNumber", node}});
    const int slope =
        mbs.AddMarker("NodeCoordinate", {{"nodeNumber", node}, {"coordinate", n - 1}});
    mbs.AddLoad("ForceVector", {{"markerNumber", point}, {"loadVector", numbers({2, -3, 0})}});
    mbs.AddLoad("Coordinate", {{"markerNumber", slope}, {"load", 4.0}});
    mbs.Assemble();
    solve(mbs, {});
    const auto p = mbs.GetNodeOutput(node, OutputVariable::Position);
    CHECK(p[0] == Approx(1).epsilon(1e-10));  // f t^2 / 2 m after 1 s
    CHECK(p[1] == Approx(-1.5).epsilon(1e-10));
    const auto total = mbs.GetNodeOutput(node, OutputVariable::CoordinatesTotal);
    CHECK(total[dimension] == Approx(1).epsilon(1e-10));  // the reference slope, along x
    CHECK(total[n - 1] == Approx(2).epsilon(1e-10));
  }
}
