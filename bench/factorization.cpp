// Sparse factorization of the Newton matrix of a chain: KLU, and multifrontal elimination.
#include "bench/counters.h"
#include "bench/mechanism.h"

namespace catena::bench {
namespace {

// The system with its Newton matrix evaluated.
System& newtonSystem(long long bodies) {
  System& system = chain(bodies, "RigidBodyRotVecLG").system();
  setMoving(system);
  VectorX residual;
  system.evaluate(stepVariation(), ConstraintLevel::position, true, residual);
  return system;
}

struct Factors {
  Factors(const System& system, LinearSolverKind kind)
      : matrix(system.matrix()), solver(makeLinearSolver(kind, matrix, system.blocks())) {
    regular = solver->factor(matrix);
  }
  const CscMatrix& matrix;
  std::unique_ptr<LinearSolver> solver;
  bool regular = false;
};

void describe(benchmark::State& state, const Factors& factors) {
  countBodies(state, state.range(0));
  state.counters["unknowns"] = factors.matrix.size;
  state.counters["nonzeros"] = factors.matrix.nonZeros();
  state.counters["factorNonzeros"] = static_cast<double>(factors.solver->counts().factorNonZeros);
}

void factor(benchmark::State& state, LinearSolverKind kind) {
  Factors factors(newtonSystem(state.range(0)), kind);
  for (auto _ : state) {
    factors.solver->requestPivoting();
    if (!factors.solver->factor(factors.matrix)) state.SkipWithError("the matrix is singular");
  }
  describe(state, factors);
}

void refactor(benchmark::State& state, LinearSolverKind kind) {
  Factors factors(newtonSystem(state.range(0)), kind);
  const int factorizations = factors.solver->counts().factorizations;
  for (auto _ : state)
    if (!factors.solver->factor(factors.matrix)) state.SkipWithError("the matrix is singular");
  if (factors.solver->counts().factorizations != factorizations)
    state.SkipWithError("pivots were chosen anew instead of reused");
  describe(state, factors);
}

void solve(benchmark::State& state, LinearSolverKind kind) {
  Factors factors(newtonSystem(state.range(0)), kind);
  if (!factors.regular) state.SkipWithError("the matrix is singular");
  const VectorX rhs = VectorX::LinSpaced(factors.matrix.size, -1, 1);
  VectorX x = rhs;
  for (auto _ : state) {
    x = rhs;
    factors.solver->solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  describe(state, factors);
}

const bool registered = [] {
  const auto add = [](const char* name, auto f, LinearSolverKind kind) {
    auto* b = benchmark::RegisterBenchmark(name, f, kind);
    b->ArgName("bodies")->Unit(benchmark::kMicrosecond);
    for (const long long n : sizes) b->Arg(n);
  };
  add("KLU/factor", factor, LinearSolverKind::klu);
  add("KLU/refactor", refactor, LinearSolverKind::klu);
  add("KLU/solve", solve, LinearSolverKind::klu);
  add("multifrontal/factor", factor, LinearSolverKind::multifrontal);
  add("multifrontal/solve", solve, LinearSolverKind::multifrontal);
  return true;
}();

}  // namespace
}  // namespace catena::bench
