#include "integrators/constraint_projection.h"

#include <cmath>

#include "integrators/newton.h"

namespace catena {

namespace {

// Of the accelerations, which every constraint understands: the matrix [M C^T; C 0].
constexpr Variation byAccelerations{.position = 0,
                                    .velocity = 0,
                                    .acceleration = 1,
                                    .firstOrderRate = 1,
                                    .rowScale = 1,
                                    .constraintPosition = 1,
                                    .constraintVelocity = 1};

constexpr Real projected = 1e-12;  // violation that counts as none, in the equations' units
constexpr Real reported = 1e-6;    // violation of a start that is worth a warning

}  // namespace

ConstraintProjection::ConstraintProjection(System& system, const SimulationSettings& settings)
    : system_(system), linearSolverType_(settings.linearSolverType) {}

void ConstraintProjection::evaluate(ConstraintLevel level) {
  State& s = system_.state();
  const VectorX multipliers = s.multipliers;
  s.multipliers.setZero();  // the equation of a free axis is lambda = 0
  system_.evaluate(byAccelerations, level, false, residual_);
  s.multipliers = multipliers;
}

// Equations of position level that change with the velocities restrict these only.
void ConstraintProjection::findVelocityConstraints() {
  const int m = system_.multipliers();
  State& s = system_.state();
  const VectorX v = s.v, g = residual_.tail(m);
  for (int i = 0; i < s.v.size(); ++i) s.v[i] += 1 + 0.1 * std::sin(i + 1.0);
  evaluate(ConstraintLevel::position);
  s.v = v;
  velocityOnly_.resize(m);
  for (int i = 0; i < m; ++i) velocityOnly_[i] = residual_[system_.unknowns() - m + i] != g[i];
  residual_.tail(m) = g;
}

ConstraintProjection::Violation ConstraintProjection::violation(ConstraintLevel level) {
  evaluate(level);
  const int m = system_.multipliers(), first = system_.unknowns() - m;
  const bool positions = level == ConstraintLevel::position;
  if (positions && velocityOnly_.empty() && residual_.tail(m).lpNorm<Eigen::Infinity>() > projected)
    findVelocityConstraints();
  Violation worst;
  for (int i = 0; i < m; ++i) {
    if (positions && !velocityOnly_.empty() && velocityOnly_[i]) residual_[first + i] = 0;
    const Real g = std::abs(residual_[first + i]);
    if (g > worst.largest || std::isnan(g)) worst = {g, first + i};
  }
  return worst;
}

void ConstraintProjection::factorize() {
  VectorX unused;
  system_.evaluate(byAccelerations, ConstraintLevel::acceleration, true, unused);
  if (!solver_)
    solver_ = makeLinearSolver(linearSolverKind(linearSolverType_), system_.matrix(),
                               system_.blocks(), system_.threads());
  if (!solver_->factor(system_.matrix())) throw ModelError(system_.describeSingularity());
}

// With the violations that violation() has left in residual_.
void ConstraintProjection::correct(const Variation& variation, ConstraintLevel level) {
  VectorX step = -residual_;
  step.head(system_.unknowns() - system_.multipliers()).setZero();
  solver_->solve(step);
  step.tail(system_.multipliers()).setZero();
  system_.increment(step, variation, level);
}

bool ConstraintProjection::project() {
  constexpr int most = 20;
  factorize();
  int iteration = 0;
  Real last = std::numeric_limits<Real>::infinity();
  for (;; ++iteration) {
    const Real g = violation(ConstraintLevel::position).largest;
    if (g <= projected) break;
    if (iteration == most || std::isnan(g)) return false;
    if (g > 0.9 * last && g < 1e3 * projected) break;  // only rounding is left
    if (g > 0.1 * last) {
      factorize();
      violation(ConstraintLevel::position);
    }
    last = g;
    correct({.position = 1, .velocity = 0, .acceleration = 0}, ConstraintLevel::position);
  }
  if (iteration > 0) factorize();
  violation(ConstraintLevel::velocity);
  correct({.position = 0, .velocity = 1, .acceleration = 0}, ConstraintLevel::velocity);
  system_.computeMotions();
  return true;
}

void makeStartConsistent(System& system, const SimulationSettings& settings, SolveReport& report) {
  if (system.multipliers() == 0) return;
  ConstraintProjection projection(system, settings);
  std::string worst;
  for (const auto level : {ConstraintLevel::position, ConstraintLevel::velocity}) {
    const auto v = projection.violation(level);
    if (v.largest <= reported) continue;
    worst += (worst.empty() ? "the start violates constraints: " : ", ") +
             std::string(level == ConstraintLevel::position ? "positions" : "velocities") + " by " +
             valueText(v.largest) + " at " + system.describeUnknown(v.unknown);
  }
  if (settings.timeIntegration.projectInitialState) {
    if (!projection.project())
      throw ModelError(worst +
                       "; timeIntegration.projectInitialState found no state near it that keeps "
                       "them: correct the positions");
    return;
  }
  system.computeMotions();
  if (!worst.empty())
    report.warnings.push_back(worst +
                              "; correct the initial values, or set "
                              "timeIntegration.projectInitialState");
}

}  // namespace catena
