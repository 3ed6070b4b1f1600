#include "integrators/generalized_alpha.h"

#include "integrators/constraint_projection.h"
#include "integrators/step_loop.h"

namespace catena {

AlphaCoefficients alphaFromSpectralRadius(Real rho) {
  AlphaCoefficients c;
  c.alphaM = (2 * rho - 1) / (rho + 1);
  c.alphaF = rho / (rho + 1);
  c.gamma = 0.5 + c.alphaF - c.alphaM;
  c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
  return c;
}

namespace {

class GeneralizedAlpha final : public StepLoop {
 public:
  GeneralizedAlpha(System& system, const SimulationSettings& settings, const StepObserver& observer,
                   const StepFunctions& functions)
      : StepLoop(system, settings, settings.timeIntegration, settings.timeIntegration.startTime,
                 settings.timeIntegration.endTime, plannedSteps(settings.timeIntegration), observer,
                 functions),
        settings_(settings),
        time_(settings.timeIntegration) {
    const GeneralizedAlphaSettings& g = time_.generalizedAlpha;
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

 private:
  void initialize() override {
    makeStartConsistent(system_, settings_, report_);
    initialAccelerations();
    algorithmic_ = system_.state().a;
  }

  // M a + C^T lambda = f, with the constraints on acceleration level, from the initial positions
  // and velocities.
  void initialAccelerations() {
    const GeneralizedAlphaSettings& g = time_.generalizedAlpha;
    State& s = system_.state();
    s.multipliers.setZero();
    if (!g.computeInitialAccelerations) {
      if (g.resetAccelerations) s.a.setZero();
      system_.computeMotions();
      return;
    }
    s.a.setZero();
    newton_.solveAccelerations();
    if (!g.computeInitialFirstOrderRates) s.ydot.setZero();
    if (!g.storeInitialAlgebraicCoordinates) s.multipliers.setZero();
    system_.computeMotions();
  }

  void rememberStart() override { startAlgorithmic_ = algorithmic_; }
  void restoreStart() override { algorithmic_ = startAlgorithmic_; }

  bool solveStep() override {
    if (!newton_.solve(stepVariation(), level_, [this] { predict(); })) return false;
    algorithmic_ += (1 - alpha_.alphaF) / (1 - alpha_.alphaM) * system_.state().a;
    return true;
  }

  Variation stepVariation() const {
    const Real h = step_;
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
  void predict() {
    const Real h = step_, beta = alpha_.beta, gamma = alpha_.gamma;
    State& s = system_.state();
    increment_ = h * start_.v;
    if (time_.generalizedAlpha.useNewmark) {
      increment_ += h * h * (0.5 - beta) * start_.a;
      s.v = start_.v + h * (1 - gamma) * start_.a;
    } else {
      const VectorX& p0 = startAlgorithmic_;
      algorithmic_ = (alpha_.alphaF * start_.a - alpha_.alphaM * p0) / (1 - alpha_.alphaM);
      increment_ += h * h * ((0.5 - beta) * p0 + beta * algorithmic_);
      s.v = start_.v + h * ((1 - gamma) * p0 + gamma * algorithmic_);
    }
    system_.predict(start_.q, increment_, h * beta / (2 * gamma));
    s.a.setZero();
    s.y = start_.y + h / 2 * start_.ydot;  // the trapezoidal rule
    s.ydot.setZero();
    s.multipliers.setZero();
  }

  const SimulationSettings& settings_;
  const TimeIntegrationSettings& time_;
  AlphaCoefficients alpha_;
  ConstraintLevel level_;
  VectorX algorithmic_, startAlgorithmic_;  // the algorithmic acceleration of generalized-alpha
  VectorX increment_;
};

}  // namespace

SolveReport solveGeneralizedAlpha(System& system, const SimulationSettings& settings,
                                  const StepObserver& observer, const StepFunctions& functions) {
  system.setThreads(settings.parallel.numberOfThreads);
  return GeneralizedAlpha(system, settings, observer, functions).run();
}

}  // namespace catena
