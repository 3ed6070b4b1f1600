// Richardson extrapolation of generalized-alpha; published benchmarks are in benchmarks_test.cpp.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

SimulationSettings extrapolating(Real endTime, int steps, Real rho) {
  SimulationSettings s = stepping(endTime, steps, rho);
  s.timeIntegration.newton.relativeTolerance = 1e-11;
  s.timeIntegration.newton.absoluteTolerance = 1e-12;
  s.timeIntegration.generalizedAlpha.extrapolation = true;
  return s;
}

VectorX values(std::initializer_list<Real> x) {
  return Eigen::Map<const VectorX>(x.begin(), static_cast<int>(x.size()));
}

constexpr Real omega = 7, rate = 3, amplitude = 0.3;

// A mass on a spring, u = amplitude cos(omega t), and beside it y' = -rate y from 1.
struct Oscillator {
  MainSystem mbs;
  int mass, decay;
  Oscillator() {
    const int ground = mbs.AddNode("PointGround");
    const int node = mbs.AddNode("Point", {{"initialCoordinates", values({amplitude, 0, 0})}});
    mass = mbs.AddObject("MassPoint", {{"nodeNumber", node}, {"physicsMass", 2.0}});
    const auto marker = [&](int n, int c) {
      return mbs.AddMarker("NodeCoordinate", {{"nodeNumber", n}, {"coordinate", c}});
    };
    mbs.AddObject("ConnectorCoordinateSpringDamper",
                  {{"markerNumbers", std::vector<int>{marker(ground, 0), marker(node, 0)}},
                   {"stiffness", 2.0 * omega * omega}});
    decay = mbs.AddNode("GenericODE1",
                        {{"numberOfODE1Coordinates", 1}, {"initialCoordinates", values({1})}});
    mbs.AddObject("GenericODE1", {{"nodeNumbers", std::vector<int>{decay}},
                                  {"systemMatrix", MatrixX(MatrixX::Constant(1, 1, -rate))}});
    mbs.Assemble();
  }
  // Largest errors over the run.
  struct Errors {
    Real position = 0, velocity = 0, acceleration = 0, firstOrder = 0;
  };
  Errors solve(const SimulationSettings& settings, SolveReport* tell = nullptr) {
    Errors e;
    const SolveReport report = mbs.SolveDynamic(settings, [&](const StepInfo& info) {
      const State& s = mbs.system().state();
      const Real phase = omega * info.time, a = amplitude;
      const auto raise = [](Real& to, Real error) { to = std::max(to, std::abs(error)); };
      raise(e.position, s.q[0] - a * std::cos(phase));
      raise(e.velocity, s.v[0] + a * omega * std::sin(phase));
      raise(e.acceleration, s.a[0] + a * omega * omega * std::cos(phase));
      raise(e.firstOrder, s.y[0] - std::exp(-rate * info.time));
      return true;
    });
    INFO(report.message);
    REQUIRE(report.outcome == Outcome::finished);
    if (tell) *tell = report;
    return e;
  }
};

}  // namespace

TEST_CASE("extrapolated oscillations and decays converge with order 3 and more", "[integrators]") {
  const Real rho = GENERATE(1.0, 0.8, 0.2);
  Oscillator model;
  const auto coarse = Oscillator().solve(extrapolating(2, 160, rho));
  const auto fine = Oscillator().solve(extrapolating(2, 320, rho));
  INFO("rho " << rho << ", ratios " << coarse.position / fine.position << " "
              << coarse.velocity / fine.velocity << " " << coarse.acceleration / fine.acceleration
              << " " << coarse.firstOrder / fine.firstOrder << ", last errors " << fine.position
              << " " << fine.firstOrder);
  CHECK(coarse.position / fine.position > 7.4);
  CHECK(coarse.velocity / fine.velocity > 7.4);
  CHECK(coarse.acceleration / fine.acceleration > 7.4);
  CHECK(coarse.firstOrder / fine.firstOrder > 14);
  CHECK(fine.position < 2e-5);
}

TEST_CASE("the correction is the error that the half steps alone would have", "[integrators]") {
  Oscillator model;
  SimulationSettings s = extrapolating(2, 200, 0.8);
  SolveReport report;
  Oscillator().solve(s, &report);
  s.timeIntegration.generalizedAlpha.extrapolation = false;
  s.timeIntegration.numberOfSteps = 400;
  CHECK(report.correction.size == Approx(Oscillator().solve(s).position).epsilon(0.1));
  CHECK(report.correction.coordinate == 0);
}

TEST_CASE("extrapolation gives the same bits for any number of threads", "[integrators]") {
  VectorX q[2];
  for (const int threads : {1, 2}) {
    MainSystem mbs;
    addChain(mbs, 300, "RigidBodyRotVecLG");
    mbs.Assemble();
    SimulationSettings s = extrapolating(0.1, 4, 0.8);
    s.parallel.numberOfThreads = threads;
    REQUIRE(mbs.SolveDynamic(s).outcome == Outcome::finished);
    q[threads - 1] = mbs.system().state().q;
  }
  CHECK(q[0] == q[1]);
}

TEST_CASE("a long chain over steps that Newton cannot take is solved with shorter ones",
          "[integrators]") {
  MainSystem mbs;
  addChain(mbs, 1000, "RigidBodyRotVecLG");
  mbs.Assemble();
  SimulationSettings s = stepping(0.75, 3, 0.8);
  s.timeIntegration.generalizedAlpha.extrapolation = GENERATE(false, true);
  const SolveReport report = mbs.SolveDynamic(s);
  INFO(report.message);
  CHECK(report.outcome == Outcome::finished);
  CHECK(report.time == Approx(0.75));
  CHECK(report.rejectedSteps > 0);
}

TEST_CASE("extrapolation is refused where there is no expansion of the error", "[integrators]") {
  Oscillator model;
  SimulationSettings s = extrapolating(1, 10, 0.8);
  GeneralizedAlphaSettings& g = s.timeIntegration.generalizedAlpha;
  using Catch::Contains;
  SECTION("error control") {
    g.errorControl = true;
    CHECK_THROWS_WITH(model.mbs.SolveDynamic(s),
                      Contains("extrapolation") && Contains("errorControl"));
  }
  SECTION("first order") {
    g.useNewmark = true;
    g.newmarkGamma = 0.6;
    CHECK_THROWS_WITH(model.mbs.SolveDynamic(s), Contains("extrapolation") && Contains("0.6"));
  }
  SECTION("unknown initial accelerations") {
    g.computeInitialAccelerations = false;
    CHECK_THROWS_WITH(model.mbs.SolveDynamic(s), Contains("computeInitialAccelerations"));
  }
  SECTION("limit stops") {
    MainSystem mbs;
    const int ground = mbs.AddNode("PointGround");
    const int node = mbs.AddNode("Point");
    const int data = mbs.AddNode(
        "GenericData", {{"numberOfDataCoordinates", 3}, {"initialCoordinates", values({0, 0, 0})}});
    mbs.AddObject("MassPoint", {{"nodeNumber", node}, {"physicsMass", 1.0}});
    std::vector<int> markers;
    for (const int n : {ground, node})
      markers.push_back(mbs.AddMarker("NodeCoordinate", {{"nodeNumber", n}, {"coordinate", 0}}));
    mbs.AddObject("ConnectorCoordinateSpringDamperExt", {{"markerNumbers", markers},
                                                         {"nodeNumber", data},
                                                         {"useLimitStops", true},
                                                         {"limitStopsLower", -1.0},
                                                         {"limitStopsUpper", 1.0},
                                                         {"limitStopsStiffness", 1e4}});
    mbs.Assemble();
    CHECK_THROWS_WITH(mbs.SolveDynamic(s), Contains("ConnectorCoordinateSpringDamperExt"));
  }
}
