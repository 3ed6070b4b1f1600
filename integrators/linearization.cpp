#include "integrators/linearization.h"

#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace catena {

namespace {

constexpr Variation byPositions{.position = 1, .velocity = 0, .acceleration = 0};
constexpr Variation byAccelerations{
    .position = 0, .velocity = 0, .acceleration = 1, .firstOrderRate = 1};
constexpr int denseUnknowns = 1000;  // above, eigenvalues take the sparse solver

// The matrices of a state; the state itself comes back in the end.
class Linearization {
 public:
  Linearization(System& system, bool ignoreLoads)
      : system_(system), before_(system.state()), ignoreLoads_(ignoreLoads) {
    if (ignoreLoads) system.loadFactor = 0;
    State& s = system.state();
    s.a.setZero();
    s.multipliers.setZero();
    system.evaluate(byAccelerations, ConstraintLevel::acceleration, true, residual_);
    accelerations_ = system.matrix();
  }
  ~Linearization() {
    system_.loadFactor = 1;
    system_.state() = before_;
    system_.computeMotions();
  }
  Linearization(const Linearization&) = delete;

  int unknowns() const { return system_.dynamicUnknowns(); }
  int multipliers() const { return system_.multipliers(); }
  const CscMatrix& accelerations() const { return accelerations_; }

  // Multipliers of [M C^T; C 0] [a; lambda] = -r, for the geometric stiffness.
  void findMultipliers() {
    if (multipliers() == 0 || ignoreLoads_) return;
    const auto solver = makeLinearSolver(LinearSolverKind::automatic, accelerations_,
                                         system_.blocks(), system_.threads());
    if (!solver->factor(accelerations_)) throw ModelError(system_.describeSingularity());
    VectorX x = -residual_;
    solver->solve(x);
    system_.state().multipliers = x.tail(multipliers());
  }

  // d r / d Delta with the rows of the constraints C, of whatever level they are.
  CscMatrix matrix(const Variation& variation) {
    VectorX unused;
    system_.evaluate(variation, ConstraintLevel::position, true, unused);
    CscMatrix A = system_.matrix();
    const int first = A.size - multipliers();
    A.forEntries([&](int row, int, int k) {
      if (row >= first) A.values[k] = accelerations_.values[k];
    });
    return A;
  }

 private:
  System& system_;
  State before_;
  bool ignoreLoads_;
  CscMatrix accelerations_;  // [M C^T; C 0]
  VectorX residual_;
};

MatrixX constraintsOf(const Linearization& l) {
  return l.accelerations().dense().bottomLeftCorner(l.multipliers(), l.unknowns());
}

// The rows of the constraints that hold these coordinates.
MatrixX rowsOfCoordinates(const System& system, const std::vector<int>& coordinates) {
  MatrixX rows = MatrixX::Zero(static_cast<int>(coordinates.size()), system.dynamicUnknowns());
  int k = 0;
  for (const int c : coordinates) {
    if (c < 0 || c >= system.coordinates())
      throw ModelError("eigenvalues: constrainedCoordinates has " + std::to_string(c) +
                       "; the system has " + std::to_string(system.coordinates()) +
                       " coordinates, counted from 0");
    const System::CoordinateRow r = system.rowOfCoordinate(c);
    rows.row(k++).segment(r.first, r.position.size()) = r.position.transpose();
  }
  return rows;
}

int rankAndNullSpace(const MatrixX& C, int n, MatrixX* N, Real tolerance = rankTolerance) {
  if (C.rows() == 0) {
    if (N) *N = MatrixX::Identity(n, n);
    return 0;
  }
  Eigen::ColPivHouseholderQR<MatrixX> qr(C.transpose());
  qr.setThreshold(tolerance);
  const int rank = static_cast<int>(qr.rank());
  if (N) *N = (qr.householderQ() * MatrixX::Identity(n, n)).rightCols(n - rank);
  return rank;
}

// y = (K - sigma M)^-1 x with constraints.
class ShiftInvert {
 public:
  using Scalar = Real;
  ShiftInvert(System& system, Linearization& linearization)
      : system_(system), linearization_(linearization) {}
  Eigen::Index rows() const { return system_.unknowns(); }
  Eigen::Index cols() const { return rows(); }
  void set_shift(Real sigma) {
    matrix_ = linearization_.matrix({.position = 1, .velocity = 0, .acceleration = -sigma});
    solver_ =
        makeLinearSolver(LinearSolverKind::automatic, matrix_, system_.blocks(), system_.threads());
    if (!solver_->factor(matrix_))
      throw ModelError("eigenvalues: " + system_.describeSingularity());
  }
  void perform_op(const Real* x, Real* y) const {
    work_ = ConstVectorView(x, rows());
    solver_->solve(work_);
    VectorView(y, rows()) = work_;
  }

 private:
  System& system_;
  Linearization& linearization_;
  CscMatrix matrix_;  // whose residuals the solver checks
  std::unique_ptr<LinearSolver> solver_;
  mutable VectorX work_;
};

// y = [M 0; 0 0] x.
class MassProduct {
 public:
  using Scalar = Real;
  explicit MassProduct(const Linearization& l)
      : matrix_(l.accelerations()), unknowns_(l.unknowns()) {}
  Eigen::Index rows() const { return matrix_.size; }
  Eigen::Index cols() const { return matrix_.size; }
  void perform_op(const Real* x, Real* y) const {
    std::fill_n(y, matrix_.size, 0.0);
    for (int j = 0; j < unknowns_; ++j)
      matrix_.forColumn(j, [&](int row, int k) {
        if (row < unknowns_) y[row] += matrix_.values[k] * x[j];
      });
  }

 private:
  const CscMatrix& matrix_;
  int unknowns_;
};

Eigenvalues sparseEigenvalues(System& system, Linearization& l, int count) {
  ShiftInvert op(system, l);
  MassProduct mass(l);
  const int n = system.unknowns(), freedom = std::max(1, l.unknowns() - l.multipliers());
  count = std::clamp(count, 1, std::max(1, freedom - 1));
  // A shift below zero, small against the frequencies of any stiffness or gravity, so that rigid
  // body motions do not make the matrix singular.
  constexpr Real shift = -1e-3;
  Spectra::SymGEigsShiftSolver<ShiftInvert, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      op, mass, count, std::min(n, std::max(2 * count + 20, 30)), shift);
  VectorX random(n), start(n), weighted(n);
  for (int i = 0; i < n; ++i) random[i] = std::sin(12.9898 * (i + 1));
  mass.perform_op(random.data(), weighted.data());
  op.perform_op(weighted.data(), start.data());  // in the space that keeps the constraints
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-11, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw ModelError(
        "eigenvalues: the Lanczos iteration did not converge; ask for fewer with "
        "numberOfEigenvalues");
  return {solver.eigenvalues().cast<std::complex<Real>>(),
          solver.eigenvectors().topRows(l.unknowns()).cast<std::complex<Real>>()};
}

Eigenvalues undamped(const LinearizedSystem& s) {
  const MatrixX K = s.N.transpose() * s.K * s.N, M = s.N.transpose() * s.M * s.N;
  const Real asymmetry = (K - K.transpose()).norm();
  if (asymmetry <= 1e-8 * K.norm()) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, M);
    return {solver.eigenvalues().cast<std::complex<Real>>(),
            (s.N * solver.eigenvectors()).cast<std::complex<Real>>()};
  }
  const Eigen::EigenSolver<MatrixX> solver(M.ldlt().solve(K));  // follower loads, no equilibrium
  return {solver.eigenvalues(), s.N.cast<std::complex<Real>>() * solver.eigenvectors()};
}

Eigenvalues damped(const LinearizedSystem& s) {
  const MatrixX K = s.N.transpose() * s.K * s.N, D = s.N.transpose() * s.D * s.N;
  const Eigen::LDLT<MatrixX> M(s.N.transpose() * s.M * s.N);
  const auto n = K.rows();
  MatrixX A = MatrixX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -M.solve(K);
  A.bottomRightCorner(n, n) = -M.solve(D);
  const Eigen::EigenSolver<MatrixX> solver(A);
  return {solver.eigenvalues(), s.N.cast<std::complex<Real>>() * solver.eigenvectors().topRows(n)};
}

LinearizedSystem linearized(Linearization& l, Real tolerance = rankTolerance) {
  l.findMultipliers();
  const int n = l.unknowns();
  LinearizedSystem s;
  s.M = l.accelerations().dense().topLeftCorner(n, n);
  s.C = constraintsOf(l);
  s.K = l.matrix(byPositions).dense().topLeftCorner(n, n);
  // rates together with positions, on which the rates of some nodes' frames depend
  s.D =
      l.matrix({.position = 1, .velocity = 1, .acceleration = 0}).dense().topLeftCorner(n, n) - s.K;
  rankAndNullSpace(s.C, n, &s.N, tolerance);
  return s;
}

void sort(Eigenvalues& e, const EigenvalueOptions& options) {
  const auto n = e.values.size();
  if (options.useAbsoluteValues) e.values = e.values.cwiseAbs().cast<std::complex<Real>>();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto x = e.values[a], y = e.values[b];
    return x.real() != y.real() ? x.real() < y.real() : x.imag() < y.imag();
  });
  const auto kept =
      options.numberOfEigenvalues > 0 ? std::min<Eigen::Index>(options.numberOfEigenvalues, n) : n;
  Eigenvalues sorted{Eigen::VectorXcd(kept), Eigen::MatrixXcd(e.vectors.rows(), kept)};
  for (int i = 0; i < kept; ++i) {
    sorted.values[i] = e.values[order[i]];
    sorted.vectors.col(i) = e.vectors.col(order[i]);
  }
  e = std::move(sorted);
}

}  // namespace

std::span<const Field> EigenvalueOptions::fields() {
  using E = EigenvalueOptions;
  static constexpr Field table[] = {
      field<&E::numberOfEigenvalues>("numberOfEigenvalues", "", "",
                                     "how many of the smallest; 0: all, of large systems 10",
                                     nonNegative),
      field<&E::computeComplexEigenvalues>("computeComplexEigenvalues", "", "",
                                           "exponents of the damped system"),
      field<&E::useAbsoluteValues>("useAbsoluteValues", "", "", "magnitudes"),
      field<&E::useSparseSolver>("useSparseSolver", "", "",
                                 "sparse shift-invert; large systems take it anyway"),
      field<&E::constrainedCoordinates>("constrainedCoordinates", "", "",
                                        "numbers of coordinates that are held"),
      field<&E::ignoreAlgebraicEquations>("ignoreAlgebraicEquations", "", "",
                                          "leave the constraints of the model out"),
      field<&E::ignoreLoads>("ignoreLoads", "", "", "leave loads and the reactions to them out"),
  };
  return table;
}

LinearizedSystem linearize(System& system, Real tolerance, bool ignoreLoads) {
  Linearization l(system, ignoreLoads);
  return linearized(l, tolerance);
}

Eigenvalues computeEigenvalues(System& system, const EigenvalueOptions& options) {
  Linearization l(system, options.ignoreLoads);
  Eigenvalues e;
  const bool sparse = options.useSparseSolver || l.unknowns() > denseUnknowns;
  if (sparse && system.state().y.size() > 0)
    throw ModelError("eigenvalues: the sparse solver takes no models with first order coordinates");
  if (sparse && options.computeComplexEigenvalues)
    throw ModelError("eigenvalues: computeComplexEigenvalues is not possible with " +
                     std::to_string(l.unknowns()) + " unknowns or useSparseSolver; up to " +
                     std::to_string(denseUnknowns) + " are solved as dense matrices");
  const bool changed = options.ignoreAlgebraicEquations || !options.constrainedCoordinates.empty();
  if (sparse && changed)
    throw ModelError(
        "eigenvalues: constrainedCoordinates and ignoreAlgebraicEquations are not possible with "
        "more than " +
        std::to_string(denseUnknowns) + " unknowns or useSparseSolver; constrain the model itself");
  if (sparse) {
    l.findMultipliers();
    e = sparseEigenvalues(system, l,
                          options.numberOfEigenvalues > 0 ? options.numberOfEigenvalues : 10);
  } else {
    LinearizedSystem s = linearized(l);
    if (changed) {
      const MatrixX held = rowsOfCoordinates(system, options.constrainedCoordinates);
      MatrixX C(held.rows() + (options.ignoreAlgebraicEquations ? 0 : s.C.rows()), held.cols());
      C << (options.ignoreAlgebraicEquations ? MatrixX(0, held.cols()) : s.C), held;
      rankAndNullSpace(C, l.unknowns(), &s.N);
    }
    e = options.computeComplexEigenvalues ? damped(s) : undamped(s);
  }
  sort(e, options);
  return e;
}

Eigen::MatrixXcd coordinateIncrements(const System& system, const Eigen::MatrixXcd& unknowns) {
  Eigen::MatrixXcd q = Eigen::MatrixXcd::Zero(system.coordinates(), unknowns.cols());
  for (int c = 0; c < system.coordinates(); ++c) {
    const System::CoordinateRow r = system.rowOfCoordinate(c);
    q.row(c) = r.position.transpose().cast<std::complex<Real>>() *
               unknowns.middleRows(r.first, r.position.size());
  }
  return q;
}

DegreesOfFreedom computeDegreesOfFreedom(System& system) {
  Linearization l(system, false);
  DegreesOfFreedom d;
  d.unknowns = l.unknowns();
  const CscMatrix& A = l.accelerations();
  const int first = A.size - l.multipliers();
  std::vector<char> acts(l.multipliers(), 0);  // switched off ones have no entries
  for (int j = 0; j < l.unknowns(); ++j)
    A.forColumn(j, [&](int row, int k) {
      if (row >= first && A.values[k] != 0) acts[row - first] = 1;
    });
  d.constraints = static_cast<int>(std::count(acts.begin(), acts.end(), 1));
  if (A.size <= 2 * denseUnknowns) {
    d.redundantConstraints =
        d.constraints - rankAndNullSpace(constraintsOf(l), l.unknowns(), nullptr);
  } else {
    const auto solver =
        makeLinearSolver(LinearSolverKind::automatic, A, system.blocks(), system.threads());
    if (!solver->factor(A)) throw ModelError(system.describeSingularity());
    d.redundantConstraints = static_cast<int>(solver->redundantRows().size());
  }
  d.degreeOfFreedom = d.unknowns - d.constraints + d.redundantConstraints;
  return d;
}

}  // namespace catena
