// Sparse factorization of the Newton matrix of a chain.
#include "bench/counters.h"
#include "bench/mechanism.h"

namespace catena::bench {
namespace {

const CscMatrix& newtonMatrix(long long bodies) {
  System& system = chain(bodies, "RigidBodyRotVecLG").system();
  setMoving(system);
  VectorX residual;
  system.evaluate(stepVariation(), ConstraintLevel::position, true, residual);
  return system.matrix();
}

struct Factors {
  explicit Factors(const CscMatrix& matrix)
      : solver(makeLinearSolver(LinearSolverKind::klu, matrix, {})) {
    regular = solver->factor(matrix);
  }
  std::unique_ptr<LinearSolver> solver;
  bool regular = false;
};

void describe(benchmark::State& state, const CscMatrix& matrix, const LinearSolver& solver) {
  countBodies(state, state.range(0));
  state.counters["unknowns"] = matrix.size;
  state.counters["nonzeros"] = matrix.nonZeros();
  state.counters["factorNonzeros"] = static_cast<double>(solver.counts().factorNonZeros);
}

void factor(benchmark::State& state) {
  const CscMatrix& matrix = newtonMatrix(state.range(0));
  Factors factors(matrix);
  for (auto _ : state) {
    factors.solver->requestPivoting();
    if (!factors.solver->factor(matrix)) state.SkipWithError("the matrix is singular");
  }
  describe(state, matrix, *factors.solver);
}

void refactor(benchmark::State& state) {
  const CscMatrix& matrix = newtonMatrix(state.range(0));
  Factors factors(matrix);
  const int factorizations = factors.solver->counts().factorizations;
  for (auto _ : state)
    if (!factors.solver->factor(matrix)) state.SkipWithError("the matrix is singular");
  if (factors.solver->counts().factorizations != factorizations)
    state.SkipWithError("pivots were chosen anew instead of reused");
  describe(state, matrix, *factors.solver);
}

void solve(benchmark::State& state) {
  const CscMatrix& matrix = newtonMatrix(state.range(0));
  Factors factors(matrix);
  if (!factors.regular) state.SkipWithError("the matrix is singular");
  const VectorX rhs = VectorX::LinSpaced(matrix.size, -1, 1);
  VectorX x = rhs;
  for (auto _ : state) {
    x = rhs;
    factors.solver->solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  describe(state, matrix, *factors.solver);
}

const bool registered = [] {
  const auto add = [](const char* name, void (*f)(benchmark::State&)) {
    auto* b = benchmark::RegisterBenchmark(name, f);
    b->ArgName("bodies")->Unit(benchmark::kMicrosecond);
    for (const long long n : sizes) b->Arg(n);
  };
  add("KLU/factor", factor);
  add("KLU/refactor", refactor);
  add("KLU/solve", solve);
  return true;
}();

}  // namespace
}  // namespace catena::bench
