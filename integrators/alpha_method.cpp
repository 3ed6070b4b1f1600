#include "integrators/alpha_method.h"

#include <utility>

namespace catena {

AlphaCoefficients alphaFromSpectralRadius(Real rho) {
  AlphaCoefficients c;
  c.alphaM = (2 * rho - 1) / (rho + 1);
  c.alphaF = rho / (rho + 1);
  c.gamma = 0.5 + c.alphaF - c.alphaM;
  c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
  return c;
}

AlphaMethod::AlphaMethod(System& system, const TimeIntegrationSettings& settings, Newton& newton)
    : system_(system), settings_(settings.generalizedAlpha), newton_(newton) {
  const GeneralizedAlphaSettings& g = settings_;
  if (g.useIndex2Constraints && !g.useNewmark)
    throw ModelError(
        "settings: timeIntegration.generalizedAlpha.useIndex2Constraints = true needs useNewmark "
        "= true");
  if (g.useNewmark) {
    alpha_.beta = g.newmarkBeta;
    alpha_.gamma = g.newmarkGamma;
  } else {
    alpha_ = alphaFromSpectralRadius(g.spectralRadius);
  }
  level_ = g.useIndex2Constraints ? ConstraintLevel::velocity : ConstraintLevel::position;
}

// M a + C^T lambda = f, with the constraints on acceleration level, from the initial positions
// and velocities.
void AlphaMethod::start() {
  const GeneralizedAlphaSettings& g = settings_;
  State& s = system_.state();
  s.multipliers.setZero();
  if (g.computeInitialAccelerations) {
    s.a.setZero();
    newton_.solveAccelerations();
    if (!g.computeInitialFirstOrderRates && !g.extrapolation) s.ydot.setZero();
    if (!g.storeInitialAlgebraicCoordinates) s.multipliers.setZero();
  } else if (g.resetAccelerations) {
    s.a.setZero();
  }
  system_.computeMotions();
  algorithmic_ = {s.a};
}

void AlphaMethod::restart() {
  State& s = system_.state();
  const VectorX rates = s.ydot;
  s.a.setZero();
  s.multipliers.setZero();
  newton_.solveAccelerations();
  s.ydot = rates;
  algorithmic_ = {s.a};
}

bool AlphaMethod::solve(const State& start, Real h) {
  // when h changes, so does the distance of the algorithmic acceleration from a; else the method
  // loses an order
  if (algorithmic_.step > 0 && h != algorithmic_.step)
    algorithmic_.value = start.a + (h / algorithmic_.step) * (algorithmic_.value - start.a);
  algorithmic_.step = h;
  start_ = algorithmic_;
  if (!newton_.solve(variation(h), level_, [this, &start] { predict(start); })) return false;
  const Real factor = (1 - alpha_.alphaF) / (1 - alpha_.alphaM);
  system_.threads()->forParts(system_.coordinates(), [&](int begin, int n) {
    algorithmic_.value.segment(begin, n) += factor * system_.state().a.segment(begin, n);
  });
  return true;
}

Variation AlphaMethod::variation(Real h) const {
  Variation v;
  v.position = 1;
  v.velocity = alpha_.gamma / (h * alpha_.beta);
  v.acceleration = (1 - alpha_.alphaM) / (h * h * alpha_.beta * (1 - alpha_.alphaF));
  v.firstOrderRate = 2 / h;
  v.rowScale = alpha_.beta * h * h;
  v.constraintPosition = 1;
  v.constraintVelocity = v.velocity;
  return v;
}

// Start of the Newton iteration at the end of the step: a = 0, lambda = 0.
void AlphaMethod::predict(const State& start) {
  const Real h = start_.step, beta = alpha_.beta, gamma = alpha_.gamma;
  State& s = system_.state();
  increment_.resize(s.q.size());
  system_.threads()->forParts(system_.coordinates(), [&](int begin, int n) {
    const auto part = [&](auto& x) { return x.segment(begin, n); };
    const auto v0 = part(start.v), a0 = part(start.a), p0 = part(std::as_const(start_.value));
    if (settings_.useNewmark) {
      part(increment_) = h * v0 + h * h * (0.5 - beta) * a0;
      part(s.v) = v0 + h * (1 - gamma) * a0;
    } else {
      auto p = part(algorithmic_.value);
      p = (alpha_.alphaF * a0 - alpha_.alphaM * p0) / (1 - alpha_.alphaM);
      part(increment_) = h * v0 + h * h * ((0.5 - beta) * p0 + beta * p);
      part(s.v) = v0 + h * ((1 - gamma) * p0 + gamma * p);
    }
    part(s.a).setZero();
  });
  system_.predict(start.q, increment_, h * beta / (2 * gamma));
  s.y = start.y + h / 2 * start.ydot;  // the trapezoidal rule
  s.ydot.setZero();
  s.multipliers.setZero();
}

}  // namespace catena
