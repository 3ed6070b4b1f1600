#include "integrators/newton.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/stopwatch.h"

namespace catena {
LinearSolverKind linearSolverKind(const std::string& name) {
  if (name == "KLU") return LinearSolverKind::klu;
  if (name == "multifrontal") return LinearSolverKind::multifrontal;
  if (name == "CHOLMOD") return LinearSolverKind::cholmod;
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
    : system_(system), settings_(newton), linearSolverType_(settings.linearSolverType) {
  makeSolver();
  if (newton.weightTolerancePerCoordinate) weight_ = std::sqrt(std::max(1, system.unknowns()));
}

void Newton::makeSolver() {
  if (solver_) countsBefore_.add(solver_->counts());
  solver_ = solverFor(system_, linearSolverType_);
  patternEpoch_ = system_.patternEpoch();
  // The matrix costs about as much as a solution, motions and residuals somewhat more.
  reuse_.factorCost = (solver_->factorCost() + 0.9) / 2.3;
  jacobianRequested_ = true;
  jacobianCurrent_ = false;
}

Real Newton::norm(const VectorX& r) const {
  return std::sqrt(squaredNorm(r, 0, static_cast<int>(r.size()))) / weight_;
}

Real Newton::squaredNorm(const VectorX& x, int begin, int count) const {
  return system_.threads()->sumOverParts(
      count, [&](int first, int n) { return x.segment(begin + first, n).squaredNorm(); });
}

Real Newton::residual(const Variation& variation, ConstraintLevel level, bool withMatrix) {
  if (beforeResidual) {
    system_.computeMotions();
    beforeResidual(residuals_++);
  }
  system_.evaluate(variation, level, withMatrix, residual_);
  if (withMatrix && moreJacobian) system_.addForces(moreJacobian(variation), variation);
  jacobianCurrent_ = withMatrix;
  return norm(residual_);
}

// Finds out about redundant constraints with the first factors, and whether they change.
void Newton::watchRank() {
  const int found = solver_->redundantCount();
  if (found == redundant_) return;
  if (redundant_ < 0) {
    redundant_ = found;
    describeConstraints();
    return;
  }
  constexpr int listed = 5;
  if (rankChanges_++ < listed)
    rankText_ += (rankText_.empty() ? "" : "; ") + std::string("t = ") +
                 valueText(system_.state().time) + " s: " + std::to_string(redundant_) + " -> " +
                 std::to_string(found);
  redundant_ = found;
}

void Newton::describeConstraints() {
  VectorX values(system_.unknowns());  // a null vector without special direction
  for (int i = 0; i < values.size(); ++i) values[i] = 1.5 + std::sin(12.9898 * (i + 1));
  constraints_ = system_.describeConstraints(
      redundant_, redundant_ > 0 ? solver_->nullCombination(values) : VectorX());
}

// Solves J step = -r, with new factors or the last ones, and moves the state. The residual is used
// up. False: the matrix is singular.
bool Newton::iterate(const Variation& variation, ConstraintLevel level, bool factorize) {
  if (factorize) {
    if (!jacobianCurrent_) residual(variation, level, true);
    ++jacobians_;
  }
  VectorX& right = factorize ? residual_ : step_;
  right.resize(residual_.size());
  system_.threads()->forParts(static_cast<int>(right.size()), [&](int begin, int n) {
    const int scaled = std::clamp(system_.dynamicUnknowns() - begin, 0, n);
    right.segment(begin, scaled) = -variation.rowScale * residual_.segment(begin, scaled);
    right.segment(begin + scaled, n - scaled) = -residual_.segment(begin + scaled, n - scaled);
  });
  bool regular = true;
  {
    const Stopwatch watch(factorize ? factorSeconds_ : solveSeconds_);
    if (factorize)
      regular = solver_->factorAndSolve(system_.matrix(), residual_, step_);
    else
      solver_->solve(step_);
  }
  singular_ = !regular;
  if (singular_) return false;
  if (factorize) {
    jacobianRequested_ = false;
    watchRank();
  }
  system_.increment(step_, variation, level);
  return true;
}

void Newton::throwSingular() const {
  throw ModelError("t = " + valueText(system_.state().time) +
                   " s: " + system_.describeSingularity());
}

bool Newton::diverged() const {
  const State& s = system_.state();
  const Real q = s.q.squaredNorm(), v = s.v.squaredNorm();
  return !(q < settings_.maximumSolutionNorm) || !(v < settings_.maximumSolutionNorm) ||
         !std::isfinite(s.y.sum()) || !std::isfinite(s.multipliers.sum());
}

bool Newton::solve(const Variation& variation, ConstraintLevel level,
                   const std::function<void()>& predict) {
  residuals_ = 0;
  if (patternEpoch_ != system_.patternEpoch()) makeSolver();
  const bool plain = settings_.newtonResidualMode == 0 && settings_.useNewtonSolver;
  return plain && settings_.reuseFactors && !settings_.useModifiedNewton
             ? solveReusing(variation, level, predict)
             : solveModified(variation, level, predict);
}

// Full Newton, or the modified one with the restart rules of the modelling language.
bool Newton::solveModified(const Variation& variation, ConstraintLevel level,
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
    if (!iterate(variation, level, jacobianRequested_ || full)) {
      if (redundant_ < 0) throwSingular();  // the model's fault, for there was no regular one
      stopped = true;                       // the iteration went astray
      break;
    }
    // a further iteration that the last step needed too will need its matrix at this state
    current = residual(variation, level, full && it < expected);
    if (settings_.newtonResidualMode == 1)
      current = step_.head(system_.unknowns() - system_.multipliers()).norm() / weight_;
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
  return finish(converged, it, current, reference);
}

void Newton::filter(const VectorX& accelerations, const VectorX& rates, VectorX& increment) {
  State& s = system_.state();
  s.a -= accelerations;
  s.ydot -= rates;
  system_.evaluate(factored_, ConstraintLevel::position, false, increment);
  s.a += accelerations;
  s.ydot += rates;
  increment = -increment;
  increment.head(system_.dynamicUnknowns()) *= factored_.rowScale;
  increment.tail(system_.multipliers()).setZero();
  solver_->solve(increment);
}

// Compares a step with old factors with the last one that began with new ones.
bool Newton::Reuse::isTooOld(bool extrapolated, bool fresh, int iterations, int factors) {
  constexpr int patience = 32;  // steps until older factors are tried again
  if (++sinceTooOld > patience) ++allowedAge, sinceTooOld = 0;
  if (!extrapolated) {
    age = 0;
    wasted = 0;
  } else if (fresh) {
    freshIterations = std::max(1, iterations);
    age = 0;
    wasted = 0;
  } else {
    ++age;
    const Real excess = std::max(0.0, iterations + factors * factorCost - freshIterations);
    wasted += excess;
    if (excess > factorCost) allowedAge = age - 1, sinceTooOld = 0;
    if (factors > 0) age = 0, wasted = 0;
  }
  return wasted >= factorCost || age >= allowedAge;
}

bool Newton::solveReusing(const Variation& variation, ConstraintLevel level,
                          const std::function<void()>& predict) {
  if (!(variation == factored_)) jacobianRequested_ = true;
  factored_ = variation;
  predict();
  history_.current.setZero(system_.unknowns());
  // factors are made where the iteration starts, for without multipliers they miss much stiffness
  Real reference = residual(variation, level, jacobianRequested_ && history_.order == 0);
  if (reference <= settings_.absoluteTolerance) reference = 2 * settings_.absoluteTolerance;
  Real current = extrapolate(variation, level, reference, predict);
  const bool fresh = jacobianRequested_;
  bool lost = false;  // the state is far off
  int factors = 0;
  // With old factors the residual ends close to the tolerance, where full Newton ends far below.
  // For the same accuracy a smaller one is aimed at, and small gaps compared with the increment
  // that the accelerations make, both as far as rounding lets them, unless the next iteration
  // misses that too.
  constexpr Real tightening = 0.1, relativeGap = 1e-6;
  const Real gapScale = level == ConstraintLevel::velocity ? variation.velocity : 1;
  Real gap = 0;
  const auto isGood = [&] {
    return current <= std::max({tightening * settings_.relativeTolerance * reference,
                                settings_.absoluteTolerance, 2 * rounding_}) &&
           gap <=
               std::max(relativeGap * gapScale *
                            std::sqrt(squaredNorm(history_.current, 0, system_.dynamicUnknowns())),
                        2 * gapRounding_);
  };
  bool converged = false;
  bool within = false;
  int it = 0;
  while (!converged && it < settings_.maxIterations) {
    ++it;
    factors += jacobianRequested_;
    if (!iterate(variation, level, jacobianRequested_)) {
      if (redundant_ < 0) throwSingular();
      within = false;  // the iteration went astray
      break;
    }
    system_.threads()->forParts(system_.unknowns(), [&](int begin, int n) {
      history_.current.segment(begin, n) += step_.segment(begin, n);
    });
    const Real last = current, lastGap = gap;
    current = residual(variation, level, false);
    gap = std::sqrt(
        squaredNorm(residual_, system_.unknowns() - system_.multipliers(), system_.multipliers()));
    if (settings_.adaptInitialResidual && current > reference && it <= 1) reference = current;
    const bool wasWithin = within;
    within = current <= target(reference);
    if (current < rounding_ || (wasWithin && current > last / 2)) rounding_ = current;
    if (gap < gapRounding_ || (wasWithin && gap > lastGap / 2)) gapRounding_ = gap;
    converged = within && (wasWithin || isGood());
    if (converged) break;
    const bool wasLost = lost;
    lost = !std::isfinite(current) || diverged();
    if (lost && wasLost) break;
    if (lost) {
      predict();
      history_.current.setZero();
      current = reference;
    }
    // iterations that these factors still need
    const Real needed = current < last
                            ? std::ceil(std::log(current / (tightening * target(reference))) /
                                        std::log(last / current))
                            : settings_.maxIterations;
    jacobianRequested_ = lost || needed > 1 + reuse_.factorCost;
  }
  jacobianRequested_ = reuse_.isTooOld(history_.order > 0, fresh, it, factors);
  return finish(converged || within, it, current, reference);
}

Real Newton::target(Real reference) const {
  return std::max(settings_.relativeTolerance * reference, settings_.absoluteTolerance);
}

// Moves the predicted state by the extrapolated increment of the last steps, or not if that makes
// the residual larger. Returns the residual.
Real Newton::extrapolate(const Variation& variation, ConstraintLevel level, Real reference,
                         const std::function<void()>& predict) {
  if (history_.order == 0) return reference;
  static constexpr Real weights[][History::depth] = {{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
  const Real scale = variation.rowScale / history_.rowScale;
  system_.threads()->forParts(system_.unknowns(), [&](int begin, int n) {
    for (int k = 0; k < history_.order; ++k)
      history_.current.segment(begin, n) +=
          scale * weights[history_.order][k] * history_.increments[k].segment(begin, n);
  });
  system_.increment(history_.current, variation, level);
  const Real current = residual(variation, level, jacobianRequested_);
  if (current < reference) return current;
  history_.count = history_.order = 0;
  history_.current.setZero();
  predict();
  return residual(variation, level, jacobianRequested_);
}

void Newton::acceptStep() {
  if (redundant_ > 0) {
    const int m = system_.multipliers();
    step_.setZero(system_.unknowns());
    step_.tail(m) = system_.state().multipliers;
    solver_->shorten(step_);
    if (history_.current.size() > 0)
      history_.current.tail(m) +=
          factored_.rowScale * (step_.tail(m) - system_.state().multipliers);
    system_.state().multipliers = step_.tail(m);
  }
  if (history_.current.size() == 0) return;
  History& h = history_;
  if (h.rowScale != factored_.rowScale && h.count > 0)
    h.count = 1;  // steps of different size are not extrapolated
  h.rowScale = factored_.rowScale;
  chooseOrder();
  std::rotate(h.increments.begin(), h.increments.end() - 1, h.increments.end());
  h.increments[0] = h.current;
  h.count = std::min(h.count + 1, History::depth);
  h.order = std::min(h.order, h.count);
}

// The order that would have come closest to the increment that was found.
void Newton::chooseOrder() {
  History& h = history_;
  h.order = 1;
  if (h.count == 0) return;
  const Vector4 errors = system_.threads()->sumOverParts(system_.unknowns(), [&](int begin, int n) {
    const auto current = h.current.segment(begin, n);
    const auto d = [&](int k) { return h.increments[k].segment(begin, n); };
    Vector4 squares = Vector4::Zero();
    squares[0] = (current - d(0)).squaredNorm();
    if (h.count > 1) squares[1] = (current - 2 * d(0) + d(1)).squaredNorm();
    if (h.count > 2) squares[2] = (current - 3 * d(0) + 3 * d(1) - d(2)).squaredNorm();
    if (h.count > 3) squares[3] = (current - 4 * d(0) + 6 * d(1) - 4 * d(2) + d(3)).squaredNorm();
    return squares;
  });
  errors.head(h.count).minCoeff(&h.order);
  ++h.order;
}

bool Newton::finish(bool converged, int iterations, Real residual, Real reference) {
  iterations_ += iterations;
  lastIterations_ = iterations;
  if (!converged) {
    describeFailure(iterations, residual, reference);
    jacobianRequested_ = true;
    history_.count = history_.order = 0;
    solver_->requestPivoting();
  }
  return converged;
}

void Newton::solveAccelerations() {
  solveStage();
  solver_->requestPivoting();
  jacobianRequested_ = true;
}

void Newton::solveStage() {
  const Variation variation{.position = 0,
                            .velocity = 0,
                            .acceleration = 1,
                            .firstOrderRate = 1,
                            .rowScale = 1,
                            .constraintPosition = 1,
                            .constraintVelocity = 1};
  if (patternEpoch_ != system_.patternEpoch()) makeSolver();
  residual(variation, ConstraintLevel::acceleration, true);
  if (!iterate(variation, ConstraintLevel::acceleration, true)) throwSingular();
}

void Newton::describeFailure(int iterations, Real residual, Real reference) {
  failure_ = "Newton did not converge: residual " + valueText(residual) + " after " +
             std::to_string(iterations) + " iterations, reference " + valueText(reference);
  if (!std::isfinite(residual)) return;
  if (singular_) {
    failure_ += "; " + system_.describeSingularity() +
                ", or take smaller steps or a smaller spectral radius if the motion is unstable";
    return;
  }
  int worst = 0;
  residual_.cwiseAbs().maxCoeff(&worst);
  failure_ +=
      "; largest at " + system_.describeUnknown(worst) + " (" + valueText(residual_[worst]) + ")";
}

void Newton::fill(SolveReport& report) const {
  report.newtonIterations += iterations_;
  report.jacobians += jacobians_;
  report.factorizations.add(countsBefore_);
  report.factorizations.add(solver_->counts());
  report.linearSolver = solver_->name();
  if (report.note.empty()) report.note = solver_->note();
  report.constraints = constraints_;
  if (rankChanges_ > 0)
    report.constraints += "; the number of redundant constraints changed " +
                          std::to_string(rankChanges_) + " times (" + rankText_ +
                          (rankChanges_ > 5 ? "; ...)" : ")");
  report.phases.factorization += factorSeconds_;
  report.phases.solve += solveSeconds_;
}

}  // namespace catena
