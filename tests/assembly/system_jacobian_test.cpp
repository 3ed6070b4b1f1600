// The assembled system: its matrix, its independence of threads, its silence on the heap.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

#include "integrators/alpha_method.h"
#include "tests/allocations.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

// A chain whose joints are revolute, prismatic, spherical, generic and none but springs in turn,
// with gravity, follower forces and follower torques, on the three kinds of rigid nodes in turn.
std::unique_ptr<MainSystem> mixedChain(int bodies, unsigned seed) {
  auto mbs = std::make_unique<MainSystem>();
  Random random(seed);
  int last = addMarker(*mbs, mbs->AddObject("Ground")), lastBody = -1;
  Body b;
  Matrix3 lastRotation = Matrix3::Identity();
  Vector3 end = Vector3::Zero();
  for (int i = 0; i < bodies; ++i) {
    b.rotation = b.rotation * expSO3(0.15 * random.vector(3));
    b.position = end + b.rotation * Vector3(0.3, 0, 0);
    b.mass = random.uniform(1, 2);
    b.principal = b.mass * Vector3(0.02, 0.03, 0.04);
    b.centerOfMass = random.vector(3, 0.05);
    const int body = addBody(*mbs, rigidNodes[i % 3], b);
    const int left = addMarker(*mbs, body, {-0.3, 0, 0});
    const Matrix3 joint = random.rotation();  // seen from the body; the same world axes for both
    const Dictionary frames{
        {"rotationMarker0", MatrixX(lastRotation.transpose() * b.rotation * joint)},
        {"rotationMarker1", MatrixX(joint)}};
    switch (i % 5) {
      case 0:
        addConnector(*mbs, "JointRevoluteZ", last, left, frames);
        break;
      case 1:
        addConnector(*mbs, "JointPrismaticX", last, left, frames);
        break;
      case 2:
        addConnector(*mbs, "JointSpherical", last, left);
        break;
      case 3: {
        Dictionary generic = frames;
        generic.emplace_back("constrainedAxes", std::vector<int>{1, 1, 1, 0, 1, 0});
        addConnector(*mbs, "JointGeneric", last, left, generic);
        break;
      }
      default:
        addConnector(*mbs, "ConnectorCartesianSpringDamper", last, left,
                     {{"stiffness", vector({4e3, 5e3, 6e3})}, {"damping", vector({20, 30, 40})}});
    }
    if (lastBody >= 0) {
      const auto relative = [&](std::string_view type) {
        return mbs->AddMarker(type, {{"bodyNumbers", std::vector<int>{lastBody, body}},
                                     {"axis0", VectorX(random.direction())}});
      };
      const int ground = mbs->AddNode("PointGround");
      const int none =
          mbs->AddMarker("NodeCoordinate", {{"nodeNumber", ground}, {"coordinate", 0}});
      const std::string_view kind =
          i % 2 ? "BodiesRelativeTranslationCoordinate" : "BodiesRelativeRotationCoordinate";
      addConnector(*mbs, "ConnectorCoordinateSpringDamper", none, relative(kind),
                   {{"stiffness", 40.0}, {"damping", 2.0}});
      addConnector(*mbs, "ConnectorSpringDamper", addMarker(*mbs, lastBody, {0, 0.3, 0.1}),
                   addMarker(*mbs, body, {0.1, 0.2, 0}),
                   {{"stiffness", 50.0}, {"damping", 3.0}, {"referenceLength", 0.4}});
    }
    addGravity(*mbs, body, {0, 1, -9.81});
    const int centre = addMarker(*mbs, body, random.vector(3, 0.1));
    mbs->AddLoad(
        i % 2 ? "ForceVector" : "TorqueVector",
        {{"markerNumber", centre}, {"loadVector", random.vector(3)}, {"bodyFixed", i % 4 < 2}});
    last = addMarker(*mbs, body, {0.3, 0, 0});
    lastBody = body;
    lastRotation = b.rotation;
    end = b.position + b.rotation * Vector3(0.3, 0, 0);
  }
  mbs->Assemble();
  return mbs;
}

Variation stepVariation(Real h) {
  const AlphaCoefficients a = alphaFromSpectralRadius(0.8);
  Variation v;
  v.velocity = a.gamma / (h * a.beta);
  v.acceleration = (1 - a.alphaM) / (h * h * a.beta * (1 - a.alphaF));
  v.rowScale = a.beta * h * h;
  v.constraintVelocity = v.velocity;
  return v;
}

bool sameBits(const VectorX& a, const VectorX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

SimulationSettings dynamics(int steps, int threads) {
  SimulationSettings s = stepping(steps * 1e-3, steps, 0.8);
  s.parallel.numberOfThreads = threads;
  return s;
}

}  // namespace

TEST_CASE("the matrix of a mixed mechanism is the derivative of its residual", "[assembly]") {
  const auto level = GENERATE(ConstraintLevel::position, ConstraintLevel::velocity);
  const int threads = GENERATE(1, 3);
  const auto mbs = mixedChain(15, 3);
  System& s = mbs->system();
  s.setThreads(threads);
  Random random(4);
  // a state on the move, away from the assembled one
  s.increment(0.1 * random.vector(s.unknowns()), {.position = 1}, ConstraintLevel::position);
  s.increment(random.vector(s.unknowns()), {.position = 0, .velocity = 1},
              ConstraintLevel::velocity);
  s.increment(random.vector(s.unknowns()), {.position = 0, .velocity = 0, .acceleration = 1},
              ConstraintLevel::acceleration);
  s.state().multipliers = random.vector(s.multipliers(), 5);
  const Variation along = stepVariation(1e-2);
  VectorX r;
  s.evaluate(along, level, true, r);
  const MatrixX J = s.matrix().dense();
  const State base = s.state();
  VectorX delta = VectorX::Zero(s.unknowns());
  const auto at = [&](int column, Real step) {
    delta[column] = step;
    s.increment(delta, along, ConstraintLevel::position);
    delta[column] = 0;
    VectorX moved;
    s.evaluate(along, level, false, moved);
    s.state() = base;
    moved.head(s.dynamicUnknowns()) *= along.rowScale;
    return moved;
  };
  MatrixX D(s.unknowns(), s.unknowns());
  for (int j = 0; j < s.unknowns(); ++j) {
    const Real h = 1e-5;
    const VectorX near = (at(j, h) - at(j, -h)) / (2 * h);
    const VectorX far = (at(j, 2 * h) - at(j, -2 * h)) / (4 * h);
    D.col(j) = (4 * near - far) / 3;
  }
  for (int i = 0; i < s.unknowns(); ++i) {
    int j = 0;
    const Real error = (J.row(i) - D.row(i)).cwiseAbs().maxCoeff(&j);
    INFO("row " << s.describeUnknown(i) << ", column " << s.describeUnknown(j) << ": " << J(i, j)
                << " and by differences " << D(i, j));
    CHECK(error < 1e-6 * J.row(i).cwiseAbs().maxCoeff());
  }
}

TEST_CASE("states after 50 steps are the same bits for 1, 2, 4 threads and in repeated runs",
          "[assembly]") {
  const std::string solver = GENERATE(as<std::string>{}, "KLU", "auto");
  constexpr int bodies = 600;  // long enough for every loop to run in parallel
  const auto run = [&](int threads) {
    const auto mbs = mixedChain(bodies, 8);
    SimulationSettings settings = dynamics(50, threads);
    settings.linearSolverType = solver;
    const SolveReport report = mbs->SolveDynamic(settings);
    INFO(report.message);
    REQUIRE(report.outcome == Outcome::finished);
    REQUIRE(report.steps == 50);
    return mbs->system().state();
  };
  const State one = run(1);
  CHECK(one.q.norm() > 1e-3);  // it moved
  for (const int threads : {1, 2, 4}) {
    const State other = run(threads);
    INFO(threads << " threads");
    CHECK(sameBits(one.q, other.q));
    CHECK(sameBits(one.v, other.v));
    CHECK(sameBits(one.a, other.a));
    CHECK(sameBits(one.multipliers, other.multipliers));
  }
}

TEST_CASE("steps of controlled error and their interpolation allocate nothing", "[assembly]") {
  if (!allocationsAreCounted) return;
  const auto mbs = mixedChain(100, 5);
  SimulationSettings settings = dynamics(1, 1);
  settings.timeIntegration.endTime = 0.1;
  settings.timeIntegration.generalizedAlpha.errorControl = true;
  settings.timeIntegration.absoluteTolerance = settings.timeIntegration.relativeTolerance = 1e-4;
  settings.solutionSettings.sensorsWritePeriod = 1e-3;
  int outputs = 0;
  const SolveReport report = mbs->SolveDynamic(settings, [&](const StepInfo& info) {
    if (info.step == 8) countAllocations(true);
    if (info.step == 16) countAllocations(false);
    ++outputs;
    return true;
  });
  countAllocations(false);
  REQUIRE(report.outcome == Outcome::finished);
  REQUIRE(report.steps > 16);
  CHECK(outputs > 100);
  const AllocationCount counted = allocationsCounted();
  INFO(counted.count << " allocations in eight steps of " << report.steps);
  if (counted.count > 0) printFirstAllocations();
  CHECK(counted.count == 0);
}

TEST_CASE("steps allocate nothing once the run is warm", "[assembly]") {
  if (!allocationsAreCounted) return;
  const std::string newton =
      GENERATE(as<std::string>{}, "default", "full", "modified", "extrapolated");
  const std::string solver = GENERATE(as<std::string>{}, "auto", "KLU", "dense");
  const auto mbs = mixedChain(solver == "dense" ? 12 : 300, 5);
  SimulationSettings settings = dynamics(12, 1);
  settings.linearSolverType = solver;
  settings.timeIntegration.newton.useModifiedNewton = newton == "modified";
  settings.timeIntegration.newton.reuseFactors = newton == "default" || newton == "extrapolated";
  settings.timeIntegration.generalizedAlpha.extrapolation = newton == "extrapolated";
  // the counter itself
  countAllocations(true);
  void* volatile probe = std::malloc(100);
  delete new int(3);
  const VectorX eigen = VectorX::Zero(1000);
  countAllocations(false);
  std::free(probe);
  REQUIRE(eigen.size() == 1000);
  REQUIRE(allocationsCounted().count >= 2);  // the compiler may drop new with delete

  const SolveReport report = mbs->SolveDynamic(settings, [](const StepInfo& info) {
    if (info.step == 4) countAllocations(true);
    if (info.step == 12) countAllocations(false);
    return true;
  });
  countAllocations(false);
  REQUIRE(report.outcome == Outcome::finished);
  REQUIRE(report.steps == 12);
  const AllocationCount counted = allocationsCounted();
  INFO(counted.count << " allocations of " << counted.bytes << " bytes in eight steps, "
                     << report.newtonIterations << " iterations in twelve");
  if (counted.count > 0) printFirstAllocations();
  CHECK(counted.count == 0);
}
