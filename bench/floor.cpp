// One Newton iteration of a chain with new factors, over what cannot be saved: an elimination
// written by hand for exactly this chain, and one pass over the data.
#include <chrono>
#include <stdexcept>

#include "bench/counters.h"
#include "bench/mechanism.h"

namespace catena::bench {
namespace {

constexpr int node = 6, joint = 5, pivots = node + joint, rows = pivots + node;
constexpr int padded = 20;  // rows, to whole registers

// Elimination from the free end: body i with its joint to body i - 1, dense blocks of fixed size,
// no search for pivots.
class ChainElimination {
 public:
  ChainElimination(const CscMatrix& a, const BlockStructure& blocks)
      : bodies_(blocks.count() / 2), blocks_(bodies_), upper_(bodies_) {
    for (int b = 0; b < blocks.count(); ++b)
      if (blocks.start[b + 1] - blocks.start[b] != (b < bodies_ ? node : joint))
        throw std::logic_error("this is no chain of bodies and revolute joints");
    for (int i = 0; i < bodies_; ++i) {
      Block& block = blocks_[i];
      block.setZero();
      for (int j = 0; j < rows; ++j) {
        const int column = unknown(i, j);
        if (column < 0) continue;
        a.forColumn(column, [&](int row, int k) {
          for (int r = 0; r < rows; ++r)
            if (row == unknown(i, r) && (r < pivots || j < pivots)) block(r, j) = a.values[k];
        });
      }
    }
  }

  void solve(const VectorX& rhs, VectorX& x) {
    x = rhs;
    Eigen::Matrix<Real, node, node + 1> update;
    update.setZero();
    Extended F = Extended::Zero();
    for (int i = bodies_ - 1; i >= 0; --i) {
      F.topLeftCorner<rows, rows>() = blocks_[i];
      F.col(rows).setZero();
      for (int r = 0; r < pivots; ++r) F(r, rows) = x[unknown(i, r)];
      F.topLeftCorner<node, node>() += update.leftCols<node>();
      F.col(rows).head<node>() += update.col(node);
      for (int k = 0; k < pivots; ++k) {
        const Real reciprocal = 1 / F(k, k);
        Eigen::Matrix<Real, padded, 1> factor = F.col(k) * reciprocal;
        factor.head(k + 1).setZero();
        for (int j = k + 1; j <= rows; ++j) F.col(j) -= F(k, j) * factor;
      }
      upper_[i] = F.topRows<pivots>();
      update = F.block<node, node + 1>(pivots, pivots);
    }
    Eigen::Matrix<Real, rows, 1> y;
    for (int i = 0; i < bodies_; ++i) {
      for (int r = pivots; r < rows; ++r) y[r] = i > 0 ? x[unknown(i, r)] : 0;
      for (int r = pivots - 1; r >= 0; --r) {
        Real sum = upper_[i](r, rows);
        for (int j = r + 1; j < rows; ++j) sum -= upper_[i](r, j) * y[j];
        x[unknown(i, r)] = y[r] = sum / upper_[i](r, r);
      }
    }
  }

 private:
  using Block = Eigen::Matrix<Real, rows, rows>;
  using Extended = Eigen::Matrix<Real, padded, rows + 1>;

  // Of row or column k of the block of body i: its coordinates, its joint's multipliers, the
  // coordinates of the body before.
  int unknown(int i, int k) const {
    if (k < node) return node * i + k;
    if (k < pivots) return node * bodies_ + joint * i + k - node;
    return i > 0 ? node * (i - 1) + k - pivots : -1;
  }

  int bodies_;
  std::vector<Block> blocks_;
  std::vector<Eigen::Matrix<Real, pivots, rows + 1>> upper_;
};

// Reads every number that an iteration has to read and writes what it has to write.
Real passOverData(const System& system, VectorX& residual) {
  const State& s = system.state();
  Real sum = 0;
  for (const Real v : system.matrix().values) sum += v;
  sum += s.q.sum() + s.v.sum() + s.a.sum() + s.multipliers.sum();
  residual.setConstant(sum);
  return sum;
}

void iteration(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  System& system = chain(state.range(0), "RigidBodyRotVecLG").system();
  setMoving(system);
  const State start = system.state();
  const Variation along = stepVariation();
  VectorX residual, step, byHand;
  system.evaluate(along, ConstraintLevel::position, true, residual);
  const auto solver =
      makeLinearSolver(LinearSolverKind::automatic, system.matrix(), system.blocks());
  ChainElimination elimination(system.matrix(), system.blocks());
  elimination.solve(residual, byHand);
  system.matrix().multiply(byHand, step);
  if ((step - residual).norm() > 1e-6 * residual.norm())
    return state.SkipWithError("the elimination by hand solves another system");
  double whole = 0, floor = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    system.evaluate(along, ConstraintLevel::position, true, residual);
    if (!solver->factorAndSolve(system.matrix(), residual, step))
      state.SkipWithError("the matrix is singular");
    system.increment(step, along, ConstraintLevel::position);
    const auto middle = Clock::now();
    elimination.solve(residual, byHand);
    const auto between = Clock::now();
    system.state() = start;
    const auto last = Clock::now();
    benchmark::DoNotOptimize(passOverData(system, residual));
    const auto end = Clock::now();
    whole += std::chrono::duration<double>(middle - begin).count();
    floor += std::chrono::duration<double>(between - middle + (end - last)).count();
    state.SetIterationTime(std::chrono::duration<double>(middle - begin).count());
  }
  countBodies(state, state.range(0));
  state.counters["overFloor"] = whole / floor;
}

const bool registered = [] {
  auto* b = benchmark::RegisterBenchmark("iteration/floor", iteration);
  b->ArgName("bodies")->UseManualTime()->Unit(benchmark::kMicrosecond);
  for (const long long n : {400, 4'000, 100'000}) b->Arg(n);
  return true;
}();

}  // namespace
}  // namespace catena::bench
