#include "kernels/linear_solver.h"

#include <klu.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "kernels/cholmod_solver.h"
#include "kernels/elimination_order.h"
#include "kernels/multifrontal_solver.h"

namespace catena {
namespace {

// Below this ratio of smallest to largest pivot (of the row-scaled matrix) a matrix counts as
// singular.
constexpr Real singularPivotRatio = 1e-16;
// Below this one the dense solver looks for redundant constraints.
constexpr Real suspectPivotRatio = 1e-12;
// A refactorization whose pivot ratio fell by this factor since pivots were chosen gets new pivots.
constexpr Real pivotRatioLoss = 1e-3;

class KluSolver final : public LinearSolver {
 public:
  explicit KluSolver(const BlockStructure& blocks = {}) : blocks_(blocks) {
    klu_defaults(&common_);
    common_.tol = 1e-6;  // diagonal pivots keep the order; the pivot ratio is watched
  }
  ~KluSolver() override { release(); }
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;

  std::string_view name() const override { return "KLU"; }

  void analyze(const CscMatrix& a) override {
    release();
    rows_.resize(a.nonZeros());
    a.forEntries([&](int row, int, int k) { rows_[k] = row; });
    if (blocks_.count() > 0) {
      common_.btf = 0;
      std::vector<int> order = eliminationOrder(a, blocks_, true);
      symbolic_ =
          klu_analyze_given(a.size, columns(a), rows_.data(), order.data(), order.data(), &common_);
    } else {
      // The matching of the block triangular form moves the zero diagonal of the multipliers away,
      // so that AMD orders entries that can be pivots; without it the fill grows tenfold.
      common_.btf = 1;
      common_.ordering = 0;  // AMD
      symbolic_ = klu_analyze(a.size, columns(a), rows_.data(), &common_);
    }
    if (!symbolic_)
      throw std::runtime_error(
          "KLU: symbolic analysis failed (out of memory or malformed pattern)");
  }

  bool factor(const CscMatrix& a) override {
    if (numeric_ && !pivotingRequested_) {
      const bool done =
          klu_refactor(columns(a), rows_.data(), entries(a), symbolic_, numeric_, &common_) &&
          common_.status == KLU_OK;
      if (done) {
        klu_rcond(symbolic_, numeric_, &common_);
        if (common_.rcond > pivotRatioLoss * pivotRatio_) {
          ++counts_.refactorizations;
          return true;
        }
      }
      ++counts_.repivots;
    }
    pivotingRequested_ = false;
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(columns(a), rows_.data(), entries(a), symbolic_, &common_);
    ++counts_.factorizations;
    if (!numeric_ || common_.status == KLU_SINGULAR) return false;
    klu_rcond(symbolic_, numeric_, &common_);
    pivotRatio_ = common_.rcond;
    counts_.factorNonZeros = numeric_->lnz + numeric_->unz;
    klu_flops(symbolic_, numeric_, &common_);
    counts_.factorOperations = common_.flops;
    return pivotRatio_ > singularPivotRatio;
  }

  void solve(VectorX& rhs) override {
    ++counts_.solves;
    klu_solve(symbolic_, numeric_, static_cast<int>(rhs.size()), 1, rhs.data(), &common_);
  }

  void requestPivoting() override { pivotingRequested_ = true; }

 private:
  // KLU's interface is not const-correct; it only reads these arrays.
  static int* columns(const CscMatrix& a) { return const_cast<int*>(a.columnStart.data()); }
  static double* entries(const CscMatrix& a) { return const_cast<double*>(a.values.data()); }

  void release() {
    if (numeric_) klu_free_numeric(&numeric_, &common_);
    if (symbolic_) klu_free_symbolic(&symbolic_, &common_);
  }

  BlockStructure blocks_;
  std::vector<int> rows_;  // of all entries
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  Real pivotRatio_ = 0;
  bool pivotingRequested_ = false;
};

class DenseSolver final : public LinearSolver {
 public:
  explicit DenseSolver(const BlockStructure& blocks) : blocks_(blocks) {}

  std::string_view name() const override { return "dense LU"; }

  void analyze(const CscMatrix& a) override {
    matrix_.resize(a.size, a.size);
    scale_.resize(a.size);
    permutation_.resize(a.size);
    work_.resize(a.size);
  }

  bool factor(const CscMatrix& a) override {
    leastNorm_.reset();
    const Real pivotRatio = factorRegular(a);
    if (pivotRatio < suspectPivotRatio && leaveOutRedundant(a)) return true;
    return pivotRatio > singularPivotRatio;
  }

  // Row-scaled LU with partial pivoting, in place. Returns the smallest pivot by the largest.
  Real factorRegular(const CscMatrix& a) {
    ++counts_.factorizations;
    counts_.factorNonZeros = static_cast<long long>(a.size) * a.size;
    counts_.factorOperations = 2.0 / 3 * a.size * a.size * a.size;
    const int n = a.size;
    matrix_.setZero();
    a.forEntries([&](int i, int j, int k) { matrix_(i, j) = a.values[k]; });
    for (int i = 0; i < n; ++i) {
      const Real largest = matrix_.row(i).cwiseAbs().maxCoeff();
      if (!(largest > 0)) return 0;
      scale_[i] = 1 / largest;
      matrix_.row(i) *= scale_[i];
    }
    Real smallestPivot = 1, largestPivot = 0;
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      matrix_.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
      pivot += k;
      permutation_[k] = pivot;
      if (pivot != k) matrix_.row(k).swap(matrix_.row(pivot));
      const Real p = matrix_(k, k);
      if (!(std::abs(p) > 0)) return 0;
      smallestPivot = k == 0 ? std::abs(p) : std::min(smallestPivot, std::abs(p));
      largestPivot = std::max(largestPivot, std::abs(p));
      const int rest = n - k - 1;
      if (rest == 0) continue;
      matrix_.col(k).tail(rest) /= p;
      for (int j = k + 1; j < n; ++j) {
        const Real u = matrix_(k, j);
        if (u != 0) matrix_.col(j).tail(rest).noalias() -= u * matrix_.col(k).tail(rest);
      }
    }
    return n == 0 ? 1 : smallestPivot / largestPivot;
  }

  // The shortest solution is found, and none of its rows is left out.
  int redundantCount() const override { return leastNorm_ ? static_cast<int>(null_.cols()) : 0; }
  VectorX nullCombination(const VectorX& values) override {
    if (!leastNorm_) return VectorX::Zero(values.size());
    return null_ * (null_.transpose() * values);
  }
  void shorten(VectorX& x) override {
    if (leastNorm_) x -= nullCombination(x);
  }

  void solve(VectorX& rhs) override {
    ++counts_.solves;
    if (leastNorm_) {
      rhs = leastNorm_->solve(rhs).eval();
      return;
    }
    const int n = static_cast<int>(rhs.size());
    rhs.array() *= scale_.array();
    for (int k = 0; k < n; ++k)
      if (permutation_[k] != k) std::swap(rhs[k], rhs[permutation_[k]]);
    for (int k = 0; k < n; ++k)
      rhs.tail(n - k - 1).noalias() -= rhs[k] * matrix_.col(k).tail(n - k - 1);
    for (int k = n - 1; k >= 0; --k) {
      rhs[k] /= matrix_(k, k);
      rhs.head(k).noalias() -= rhs[k] * matrix_.col(k).head(k);
    }
  }

 private:
  // If only multipliers are left undetermined, solutions are those of least norm.
  bool leaveOutRedundant(const CscMatrix& a) {
    if (blocks_.count() == 0) return false;
    const MatrixX A = a.dense();
    if (!A.allFinite()) return false;
    Eigen::FullPivLU<MatrixX> lu;
    lu.setThreshold(suspectPivotRatio);
    lu.compute(A);
    if (lu.isInvertible()) return false;
    null_ = Eigen::HouseholderQR<MatrixX>(lu.kernel()).householderQ() *
            MatrixX::Identity(a.size, lu.dimensionOfKernel());
    for (int b = 0; b < blocks_.count(); ++b)
      if (!blocks_.isMultiplier[b] &&
          null_.middleRows(blocks_.start[b], blocks_.start[b + 1] - blocks_.start[b])
                  .cwiseAbs()
                  .maxCoeff() > 1e-6)
        return false;
    leastNorm_.emplace();
    leastNorm_->setThreshold(suspectPivotRatio);
    leastNorm_->compute(A);
    return true;
  }

  BlockStructure blocks_;
  MatrixX matrix_;
  MatrixX null_;  // orthonormal null vectors
  VectorX scale_, work_;
  std::vector<int> permutation_;
  std::optional<Eigen::CompleteOrthogonalDecomposition<MatrixX>> leastNorm_;
};

// The slow obvious twin of the fast paths: the matrix is rebuilt from triplets for every
// factorization.
class SparseLuSolver final : public LinearSolver {
 public:
  std::string_view name() const override { return "Eigen SparseLU"; }

  void analyze(const CscMatrix&) override { analysed_ = false; }

  bool factor(const CscMatrix& a) override {
    ++counts_.factorizations;
    triplets_.clear();
    a.forEntries([&](int i, int j, int k) { triplets_.emplace_back(i, j, a.values[k]); });
    matrix_.resize(a.size, a.size);
    matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
    if (!analysed_) solver_.analyzePattern(matrix_);
    analysed_ = true;
    solver_.factorize(matrix_);
    counts_.factorNonZeros = solver_.nnzL() + solver_.nnzU();
    return solver_.info() == Eigen::Success;
  }

  void solve(VectorX& rhs) override {
    ++counts_.solves;
    rhs = solver_.solve(rhs).eval();
  }

 private:
  Eigen::SparseLU<Eigen::SparseMatrix<Real>, Eigen::COLAMDOrdering<int>> solver_;
  Eigen::SparseMatrix<Real> matrix_;
  std::vector<Eigen::Triplet<Real>> triplets_;
  bool analysed_ = false;
};

}  // namespace

void CscMatrix::clear() {
  size = 0;
  columnStart.assign(1, 0);
  firstRow.clear(), rowIndex.clear(), values.clear();
}

void CscMatrix::addColumn(std::span<const int> added) {
  if (size > 0 && std::ranges::equal(rows(size - 1), added)) {
    firstRow.push_back(firstRow.back());
  } else {
    firstRow.push_back(static_cast<int>(rowIndex.size()));
    rowIndex.insert(rowIndex.end(), added.begin(), added.end());
  }
  columnStart.push_back(columnStart.back() + static_cast<int>(added.size()));
  ++size;
}

void CscMatrix::multiply(const VectorX& x, VectorX& y) const {
  y.setZero(size);
  forEntries([&](int i, int j, int k) { y[i] += values[k] * x[j]; });
}

MatrixX CscMatrix::dense() const {
  MatrixX m = MatrixX::Zero(size, size);
  forEntries([&](int i, int j, int k) { m(i, j) += values[k]; });
  return m;
}

namespace {

// A fast solver that is watched: singular pivots or a large residual hand over to KLU for good.
class WatchedSolver final : public LinearSolver {
 public:
  explicit WatchedSolver(std::unique_ptr<LinearSolver> fast) : active_(std::move(fast)) {}

  std::string_view name() const override { return active_->name(); }
  void analyze(const CscMatrix& a) override { active_->analyze(a); }

  bool factor(const CscMatrix& a) override {
    matrix_ = &a;
    if (active_->factor(a)) return true;
    if (handedOver()) return false;
    handOver(active_->weakness());
    return active_->factor(a);
  }
  void solve(VectorX& rhs) override {
    const bool checked = isChecked();
    if (checked) right_ = rhs;
    active_->solve(rhs);
    // if KLU finds the matrix singular, x stays as it is and Newton fails
    if (checked) refine(right_, rhs);
  }
  bool factorAndSolve(const CscMatrix& a, const VectorX& rhs, VectorX& x) override {
    matrix_ = &a;
    if (!active_->factorAndSolve(a, rhs, x)) {
      if (handedOver()) return false;
      handOver(active_->weakness());
      return active_->factorAndSolve(a, rhs, x);
    }
    return !isChecked() || refine(rhs, x);
  }
  void requestPivoting() override { active_->requestPivoting(); }
  std::vector<int> redundantRows() const override { return active_->redundantRows(); }
  int redundantCount() const override { return active_->redundantCount(); }
  VectorX nullCombination(const VectorX& values) override {
    return active_->nullCombination(values);
  }
  void shorten(VectorX& x) override { active_->shorten(x); }
  Real factorCost() const override { return active_->factorCost(); }
  std::string note() const override { return note_; }
  const FactorizationCounts& counts() const override { return active_->counts(); }

 private:
  static constexpr Real acceptedResidual = 1e-6, acceptedRounding = 1e-12;

  bool handedOver() const { return !note_.empty(); }
  // Whether the next solution is: the first ones are, and then every 64th; Newton's contraction
  // watches the others.
  bool isChecked() {
    const long long before = solves_++;
    return (before < 4 || before % 64 == 0) && !handedOver();
  }
  // One step of refinement if the residual is large; hands over if that does not help. False: KLU
  // finds the matrix singular.
  bool refine(const VectorX& rhs, VectorX& x) {
    if (isAccurate(rhs, x)) return true;
    VectorX correction = residual_;
    active_->solve(correction);
    x += correction;
    if (isAccurate(rhs, x)) return true;
    handOver("the residual of a solution was too large");
    return active_->factorAndSolve(*matrix_, rhs, x);
  }
  // A small residual, or one that rounding in the sums of A x explains: no solver gets below that.
  bool isAccurate(const VectorX& rhs, const VectorX& x) {
    const CscMatrix& a = *matrix_;
    residual_ = rhs;
    a.forEntries([&](int i, int j, int k) { residual_[i] -= a.values[k] * x[j]; });
    for (const int row : active_->redundantRows()) residual_[row] = 0;
    const Real r = residual_.norm();
    if (r <= acceptedResidual * rhs.norm()) return true;
    VectorX terms = rhs.cwiseAbs();
    a.forEntries([&](int i, int j, int k) { terms[i] += std::abs(a.values[k] * x[j]); });
    return std::isfinite(r) && r <= acceptedRounding * terms.norm();
  }
  void handOver(std::string_view why) {
    note_ = "linear solver: " + std::string(active_->name()) + " gave way to KLU (" +
            std::string(why) + ")";
    active_ = std::make_unique<KluSolver>();
    active_->analyze(*matrix_);
  }

  std::unique_ptr<LinearSolver> active_;
  const CscMatrix* matrix_ = nullptr;
  VectorX right_, residual_;
  std::string note_;
  long long solves_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> makeLinearSolver(LinearSolverKind kind, const CscMatrix& matrix,
                                               const BlockStructure& blocks,
                                               std::shared_ptr<ThreadPool> pool) {
  if (!pool) pool = std::make_shared<ThreadPool>(1);
  std::unique_ptr<LinearSolver> solver;
  switch (kind) {
    case LinearSolverKind::automatic:
      solver = makeMultifrontalSolver(matrix, blocks, pool);
      if (!solver)
        return makeLinearSolver(
            matrix.size < denseLimit ? LinearSolverKind::dense : LinearSolverKind::klu, matrix,
            blocks, pool);
      solver = std::make_unique<WatchedSolver>(std::move(solver));
      break;
    case LinearSolverKind::multifrontal:
      solver = makeMultifrontalSolver(matrix, blocks, pool);
      if (!solver)
        throw std::invalid_argument(
            "the model has multipliers that act on multipliers, or large sparse blocks");
      break;
    case LinearSolverKind::cholmod:
      solver = std::make_unique<WatchedSolver>(makeCholmodSolver(blocks));
      break;
    case LinearSolverKind::klu:
      solver = std::make_unique<KluSolver>(blocks);
      break;
    case LinearSolverKind::dense:
      solver = std::make_unique<DenseSolver>(blocks);
      break;
    case LinearSolverKind::sparseLU:
      solver = std::make_unique<SparseLuSolver>();
      break;
  }
  solver->analyze(matrix);
  return solver;
}

VectorX nullVector(const CscMatrix& a, const VectorX& shiftSigns) {
  Real largest = 0;
  for (const Real v : a.values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  const Real shift = 1e-8 * (largest > 0 ? largest : 1);
  std::vector<Eigen::Triplet<Real>> triplets;
  a.forEntries([&](int i, int j, int k) { triplets.emplace_back(i, j, a.values[k]); });
  for (int j = 0; j < a.size; ++j) triplets.emplace_back(j, j, shift * shiftSigns[j]);
  Eigen::SparseMatrix<Real> shifted(a.size, a.size);
  shifted.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::SparseLU<Eigen::SparseMatrix<Real>> lu(shifted);
  VectorX x(a.size);
  for (int i = 0; i < a.size; ++i)
    x[i] = 1 + 0.3 * std::sin(1.7 * i);  // any vector with no special direction
  if (lu.info() != Eigen::Success) return x.setZero(), x;
  for (int iteration = 0; iteration < 4; ++iteration) {
    x = lu.solve(x).eval();
    x.normalize();
  }
  return x;
}

}  // namespace catena
