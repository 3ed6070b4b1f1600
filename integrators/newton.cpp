#include "integrators/newton.h"

#include <chrono>
#include <cmath>
#include <stdexcept>

namespace catena {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(Real& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<Real>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  Real& total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

LinearSolverKind linearSolverKind(const std::string& name) {
  if (name == "KLU") return LinearSolverKind::klu;
  if (name == "multifrontal") return LinearSolverKind::multifrontal;
  if (name == "SparseLU") return LinearSolverKind::sparseLU;
  if (name == "dense" || name == "EXUdense" || name == "EigenDense") return LinearSolverKind::dense;
  return LinearSolverKind::automatic;
}

namespace {

std::unique_ptr<LinearSolver> solverFor(const System& system, const std::string& name) {
  try {
    return makeLinearSolver(linearSolverKind(name), system.matrix(), system.blocks(),
                            system.threads());
  } catch (const std::invalid_argument& error) {
    throw ModelError("settings: linearSolverType = '" + name + "': " + error.what() +
                     "; use auto or KLU");
  }
}

}  // namespace

Newton::Newton(System& system, const SimulationSettings& settings, const NewtonSettings& newton)
    : system_(system), settings_(newton), solver_(solverFor(system, settings.linearSolverType)) {
  if (newton.weightTolerancePerCoordinate) weight_ = std::sqrt(std::max(1, system.unknowns()));
}

Real Newton::norm(const VectorX& r) const { return r.norm() / weight_; }

Real Newton::residual(const Variation& variation, ConstraintLevel level, bool withMatrix) {
  system_.evaluate(variation, level, withMatrix, residual_);
  jacobianCurrent_ = withMatrix;
  return norm(residual_);
}

void Newton::factorize() {
  ++jacobians_;
  bool regular;
  {
    const Stopwatch watch(factorSeconds_);
    regular = solver_->factor(system_.matrix());
  }
  if (!regular)
    throw ModelError("t = " + valueText(system_.state().time) +
                     " s: " + system_.describeSingularity());
}

// Solves J step = -r with the current factors and moves the state.
Real Newton::iterate(const Variation& variation, ConstraintLevel level) {
  step_ = -residual_;
  step_.head(system_.dynamicUnknowns()) *= variation.rowScale;
  {
    const Stopwatch watch(solveSeconds_);
    solver_->solve(step_);
  }
  system_.increment(step_, variation, level);
  return step_.head(system_.unknowns() - system_.multipliers()).norm() / weight_;
}

bool Newton::diverged() const {
  const State& s = system_.state();
  const Real q = s.q.squaredNorm(), v = s.v.squaredNorm();
  return !(q < settings_.maximumSolutionNorm) || !(v < settings_.maximumSolutionNorm) ||
         !std::isfinite(s.multipliers.sum());
}

bool Newton::solve(const Variation& variation, ConstraintLevel level,
                   const std::function<void()>& predict) {
  predict();
  const bool modified = settings_.useModifiedNewton;
  bool full = !modified, restarted = false, extra = false, converged = false, stopped = false;
  Real reference = residual(variation, level, full || jacobianRequested_);
  if (settings_.newtonResidualMode == 1) reference = 2 * settings_.relativeTolerance;
  if (reference <= settings_.absoluteTolerance) reference = 2 * settings_.absoluteTolerance;
  Real last = reference, current = reference;
  const int expected = lastIterations_;
  int it = 0;
  while (!converged && !stopped && it < settings_.maxIterations) {
    ++it;
    if (jacobianRequested_ || full) {
      if (!jacobianCurrent_) residual(variation, level, true);
      factorize();
      jacobianRequested_ = false;
    }
    const Real increment = iterate(variation, level);
    // a further iteration that the last step needed too will need its matrix at this state
    current = residual(variation, level, full && it < expected);
    if (settings_.newtonResidualMode == 1) current = increment;
    if (settings_.adaptInitialResidual && current > reference && it <= 1)
      reference = last = current;
    converged = current <= settings_.relativeTolerance * reference ||
                current <= settings_.absoluteTolerance || !settings_.useNewtonSolver;
    if (extra && converged) {
      extra = converged = false;
      continue;
    }
    if (converged) break;
    extra = false;
    const bool lost = !std::isfinite(current) || diverged();
    if (lost && full) stopped = true;
    if (!full && it > settings_.maxModifiedNewtonIterations) jacobianRequested_ = true;
    if (!full && it > settings_.maxModifiedNewtonIterations +
                          (settings_.modifiedNewtonJacUpdatePerStep
                               ? 0
                               : settings_.maxModifiedNewtonRestartIterations))
      full = true;
    const Real contraction = current / last;
    last = current;
    if (modified && !full &&
        (lost || (contraction > settings_.modifiedNewtonContractivity && it > 2))) {
      jacobianRequested_ = true;
      if (restarted) full = true;
      if (lost || contraction > 2 || full) {
        restarted = extra = true;
        last = reference;
        predict();
        residual(variation, level, true);
      }
    }
  }
  iterations_ += it;
  lastIterations_ = it;
  if (!converged) {
    describeFailure(it, current, reference);
    jacobianRequested_ = true;
    solver_->requestPivoting();
  }
  return converged;
}

void Newton::solveAccelerations() {
  const Variation variation{.position = 0,
                            .velocity = 0,
                            .acceleration = 1,
                            .rowScale = 1,
                            .constraintPosition = 1,
                            .constraintVelocity = 1};
  residual(variation, ConstraintLevel::acceleration, true);
  factorize();
  iterate(variation, ConstraintLevel::acceleration);
  solver_->requestPivoting();
  jacobianRequested_ = true;
}

void Newton::describeFailure(int iterations, Real residual, Real reference) {
  failure_ = "Newton did not converge: residual " + valueText(residual) + " after " +
             std::to_string(iterations) + " iterations, reference " + valueText(reference);
  if (!std::isfinite(residual)) return;
  int worst = 0;
  residual_.cwiseAbs().maxCoeff(&worst);
  failure_ +=
      "; largest at " + system_.describeUnknown(worst) + " (" + valueText(residual_[worst]) + ")";
}

void Newton::fill(SolveReport& report) const {
  report.newtonIterations = iterations_;
  report.jacobians = jacobians_;
  report.factorizations = solver_->counts();
  report.linearSolver = solver_->name();
  report.note = solver_->note();
  report.phases.factorization = factorSeconds_;
  report.phases.solve = solveSeconds_;
}

}  // namespace catena
