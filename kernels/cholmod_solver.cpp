#include "kernels/cholmod_solver.h"

#include <stdexcept>

#ifdef CATENA_HAVE_CHOLMOD
#include <cholmod.h>

#include <algorithm>
#include <cmath>

#include "kernels/elimination_order.h"
#endif

namespace catena {

#ifdef CATENA_HAVE_CHOLMOD
namespace {

constexpr int maxRefinements = 20;
constexpr Real leastReduction = 0.5;  // of the residual by one refinement
// Residuals are small enough at the first part of the right-hand side, or at the second of it if
// they are below the third part of the terms that they are sums of.
constexpr Real acceptedResidual = 1e-12, largestResidual = 1e-3, acceptedRounding = 1e-15;

class CholmodSolver final : public LinearSolver {
 public:
  explicit CholmodSolver(const BlockStructure& blocks) : blocks_(blocks) {
    cholmod_start(&common_);
    common_.print = 0;
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.final_ll = 0;
    common_.nmethods = 1;
  }
  ~CholmodSolver() override {
    release();
    for (cholmod_dense** work : {&solution_, &work1_, &work2_})
      if (*work) cholmod_free_dense(work, &common_);
    cholmod_finish(&common_);
  }
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  std::string_view name() const override { return "CHOLMOD"; }
  std::string_view weakness() const override { return weakness_; }
  Real factorCost() const override {
    // the simplicial factorization runs at about the speed of a solution
    return common_.fl / std::max(1.0, 4 * common_.lnz);
  }

  void analyze(const CscMatrix& a) override {
    release();
    poor_ = false;
    scale_.setOnes(a.size);
    residual_.resize(a.size);
    magnitude_.resize(a.size);
    mapEntries(a);
    cholmod_sparse upper = symmetricPart();
    std::vector<int> order;
    if (blocks_.count() > 0) order = eliminationOrder(a, blocks_, false);
    common_.method[0].ordering = order.empty() ? CHOLMOD_NATURAL : CHOLMOD_GIVEN;
    factor_ =
        cholmod_analyze_p(&upper, order.empty() ? nullptr : order.data(), nullptr, 0, &common_);
    if (!factor_) throw std::runtime_error("CHOLMOD: symbolic analysis failed (out of memory)");
    counts_.factorNonZeros = static_cast<long long>(common_.lnz);
    counts_.factorOperations = common_.fl;
  }

  bool factor(const CscMatrix& a) override {
    if (poor_) return false;
    ++counts_.factorizations;
    matrix_ = &a;
    scaleRows(a);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const Entry& e = entries_[k];
      values_[k] = 0.5 * ((e.above < 0 ? 0 : scale_[rows_[k]] * a.values[e.above]) +
                          (e.below < 0 ? 0 : scale_[e.column] * a.values[e.below]));
    }
    cholmod_sparse upper = symmetricPart();
    weakness_ = "a pivot vanished";
    return cholmod_factorize(&upper, factor_, &common_) && common_.status == CHOLMOD_OK;
  }

  void solve(VectorX& rhs) override {
    x_.setZero(rhs.size());
    poor_ = !refine(rhs, x_);
    rhs = x_;
  }

  bool factorAndSolve(const CscMatrix& a, const VectorX& rhs, VectorX& x) override {
    if (!factor(a)) return false;
    x.setZero(rhs.size());
    return refine(rhs, x);
  }

 private:
  // An entry of the upper triangle of the symmetric part, and where its two halves come from.
  struct Entry {
    int column, above, below;  // values of the matrix; -1: none
  };

  void release() {
    if (factor_) cholmod_free_factor(&factor_, &common_);
  }

  // Pattern of the upper triangle of A + A^T.
  void mapEntries(const CscMatrix& a) {
    struct Place {
      int column, row, from;
      bool below;
    };
    std::vector<Place> places;
    places.reserve(a.nonZeros());
    a.forEntries([&](int i, int j, int k) {
      if (i <= j) places.push_back({j, i, k, false});
      if (i >= j) places.push_back({i, j, k, true});
    });
    std::sort(places.begin(), places.end(), [](const Place& p, const Place& q) {
      return p.column != q.column ? p.column < q.column : p.row < q.row;
    });
    columns_.assign(a.size + 1, 0);
    rows_.clear(), entries_.clear();
    for (const Place& p : places) {
      if (entries_.empty() || entries_.back().column != p.column || rows_.back() != p.row) {
        entries_.push_back({p.column, -1, -1});
        rows_.push_back(p.row);
        ++columns_[p.column + 1];
      }
      (p.below ? entries_.back().below : entries_.back().above) = p.from;
    }
    for (int j = 0; j < a.size; ++j) columns_[j + 1] += columns_[j];
    values_.assign(entries_.size(), 0);
  }

  // CHOLMOD's view of the entries.
  cholmod_sparse symmetricPart() {
    cholmod_sparse s{};
    s.nrow = s.ncol = columns_.size() - 1;
    s.nzmax = rows_.size();
    s.p = columns_.data();
    s.i = rows_.data();
    s.x = values_.data();
    s.stype = 1;
    s.itype = CHOLMOD_INT;
    s.xtype = CHOLMOD_REAL;
    s.dtype = CHOLMOD_DOUBLE;
    s.sorted = s.packed = 1;
    return s;
  }

  // Rows of multipliers get the magnitude of their columns.
  void scaleRows(const CscMatrix& a) {
    VectorX& rowSum = residual_;
    VectorX& columnSum = magnitude_;
    rowSum.setZero();
    columnSum.setZero();
    a.forEntries([&](int i, int j, int k) {
      rowSum[i] += std::abs(a.values[k]);
      columnSum[j] += std::abs(a.values[k]);
    });
    for (int b = 0; b < blocks_.count(); ++b)
      if (blocks_.isMultiplier[b])
        for (int i = blocks_.start[b]; i < blocks_.start[b + 1]; ++i)
          scale_[i] = rowSum[i] > 0 && columnSum[i] > 0 ? columnSum[i] / rowSum[i] : 1;
  }

  // x for the right-hand side, starting from zero. False: the factors are too poor.
  bool refine(const VectorX& rhs, VectorX& x) {
    ++counts_.solves;
    Real last = 0;
    residual_ = rhs.cwiseProduct(scale_);
    const Real right = residual_.norm();
    for (int it = 0; it < maxRefinements; ++it) {
      addSolution(x);
      const Real rounding = computeResidual(rhs, x);
      const Real size = residual_.norm();
      if (size <= std::max(acceptedResidual * right, std::min(rounding, largestResidual * right)))
        return true;
      if (!(it == 0 || size < leastReduction * last)) break;
      last = size;
    }
    weakness_ = "its refinement did not converge";
    return false;
  }

  // x += S^-1 residual
  void addSolution(VectorX& x) {
    cholmod_dense right{};
    right.nrow = right.nzmax = right.d = static_cast<std::size_t>(residual_.size());
    right.ncol = 1;
    right.x = residual_.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work1_, &work2_,
                        &common_))
      throw std::runtime_error("CHOLMOD: a solution failed (out of memory)");
    x += Eigen::Map<const VectorX>(static_cast<const Real*>(solution_->x), x.size());
  }

  // Of the scaled system; returns what rounding explains of its size.
  Real computeResidual(const VectorX& rhs, const VectorX& x) {
    residual_ = rhs;
    magnitude_ = rhs.cwiseAbs();
    const CscMatrix& a = *matrix_;
    a.forEntries([&](int i, int j, int k) {
      const Real term = a.values[k] * x[j];
      residual_[i] -= term;
      magnitude_[i] += std::abs(term);
    });
    residual_.array() *= scale_.array();
    return acceptedRounding * magnitude_.cwiseProduct(scale_).norm();
  }

  BlockStructure blocks_;
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work1_ = nullptr, *work2_ = nullptr;
  const CscMatrix* matrix_ = nullptr;
  std::vector<int> columns_, rows_;
  std::vector<Entry> entries_;
  std::vector<Real> values_;
  VectorX scale_;  // of the rows
  VectorX residual_, magnitude_, x_;
  std::string_view weakness_;
  bool poor_ = false;  // a solution with the last factors was
};

}  // namespace

std::unique_ptr<LinearSolver> makeCholmodSolver(const BlockStructure& blocks) {
  return std::make_unique<CholmodSolver>(blocks);
}

#else

std::unique_ptr<LinearSolver> makeCholmodSolver(const BlockStructure&) {
  throw std::invalid_argument(
      "this program was built without CHOLMOD (configure with -DCATENA_CHOLMOD=ON)");
}

#endif

}  // namespace catena
