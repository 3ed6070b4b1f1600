// Long chains: accuracy, iterations per step, memory.
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

TEST_CASE("the last of 400 bodies ends where it must after 1 s, with at most 3 iterations a step",
          "[integrators][slow]") {
  const std::string node = GENERATE(as<std::string>{}, "RigidBodyEP", "RigidBodyRotVecLG");
  MainSystem mbs;
  const Chain chain = addChain(mbs, 400, node);
  mbs.Assemble();
  const SolveReport report = mbs.SolveDynamic(stepping(1, 1000, 0.8));
  INFO(node << ": " << report.newtonIterations << " iterations, " << report.message);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(report.steps == 1000);
  CHECK(report.rejectedSteps == 0);
  CHECK(report.newtonIterations <= 3000);
  const auto u = vector3(mbs.GetObjectOutput(chain.bodies.back(), OutputVariable::Displacement));
  const auto a = vector3(mbs.GetObjectOutput(chain.bodies.back(), OutputVariable::Rotation));
  INFO("displacement " << u.transpose() << ", rotation " << a.transpose());
  // a code with Euler parameters at the same step size
  CHECK((u - Vector3(-0.25907236, -0.43030816, 1.09168392)).cwiseAbs().maxCoeff() < 1e-6);
  CHECK((a - Vector3(0.40213238, 0.8653121, 2.25943439)).cwiseAbs().maxCoeff() < 1e-6);
  // relative coordinates, integrated to 1e-10
  CHECK((u - Vector3(-.2590718214, -.4303081126, 1.0916838221)).cwiseAbs().maxCoeff() < 1e-6);
  CHECK((a - Vector3(.4021325310, .8653120485, 2.2594340478)).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("a chain that is cut into parts moves the same and leaves less to do in order",
          "[integrators]") {
  VectorX positions[3];
  Real inOrder[3] = {};
  int k = 0;
  for (const auto& [threads, parts] : {std::pair(1, 1), std::pair(1, 8), std::pair(2, 8)}) {
    MainSystem mbs;
    addChain(mbs, 2000, "RigidBodyRotVecLG");
    mbs.Assemble();
    SimulationSettings s = stepping(0.01, 10, 0.8);
    s.parallel.numberOfThreads = threads;
    s.parallel.parts = parts;
    const SolveReport report = mbs.SolveDynamic(s);
    REQUIRE(report.outcome == Outcome::finished);
    positions[k] = mbs.system().state().q;
    inOrder[k++] = report.factorizations.factorSpan;
  }
  CHECK((positions[1] - positions[0]).cwiseAbs().maxCoeff() < 1e-8);
  CHECK(positions[2] == positions[1]);
  CHECK(inOrder[1] < inOrder[0] / 2);
}

TEST_CASE("a chain of 100000 bodies takes ten steps within four iterations each and 1.5 GB",
          "[integrators][slow]") {
  MainSystem mbs;
  addChain(mbs, 100000, "RigidBodyRotVecLG");
  mbs.Assemble();
  SimulationSettings s = stepping(0.01, 10, 0.8);
  long long before = 0, most = 0;
  const SolveReport report = mbs.SolveDynamic(s, [&](const StepInfo& info) {
    most = std::max(most, info.newtonIterations - before);
    before = info.newtonIterations;
    return true;
  });
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(report.steps == 10);
  CHECK(report.rejectedSteps == 0);
  CHECK(most <= 4);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const Real gigabytes = static_cast<Real>(usage.ru_maxrss) / 1024 / 1024;
  INFO("peak memory of the program " << gigabytes << " GB");
  CHECK(gigabytes < 1.5);
}
