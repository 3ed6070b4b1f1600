#include "integrators/generalized_alpha.h"

#include <chrono>
#include <cmath>

#include "integrators/newton.h"

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

constexpr Real timeTolerance = 1e-10;  // a run ends when less than this is left

class Integrator {
 public:
  Integrator(System& system, const SimulationSettings& settings, const StepObserver& observer,
             const StepFunctions& functions)
      : system_(system),
        settings_(settings),
        time_(settings.timeIntegration),
        observer_(observer),
        functions_(functions),
        newton_(system, settings, time_.newton) {
    const GeneralizedAlphaSettings& g = time_.generalizedAlpha;
    if (g.useIndex2Constraints && !g.useNewmark)
      throw ModelError(
          "settings: timeIntegration.generalizedAlpha.useIndex2Constraints = true needs useNewmark "
          "= true");
    if (!(time_.endTime > time_.startTime))
      throw ModelError("settings: timeIntegration.endTime = " + valueText(time_.endTime) +
                       " must be > startTime = " + valueText(time_.startTime));
    const Real steps = std::round(time_.numberOfSteps);
    if (steps < 1 || std::abs(steps - time_.numberOfSteps) > 1e-13 * steps)
      throw ModelError("settings: timeIntegration.numberOfSteps = " +
                       valueText(time_.numberOfSteps) + " must be a whole number >= 1");
    plannedSteps_ = static_cast<long long>(steps);
    maximumStep_ = step_ = (time_.endTime - time_.startTime) / steps;
    if (g.useNewmark) {
      alpha_.beta = g.newmarkBeta;
      alpha_.gamma = g.newmarkGamma;
    } else {
      alpha_ = alphaFromSpectralRadius(g.spectralRadius);
    }
    level_ = g.useIndex2Constraints ? ConstraintLevel::velocity : ConstraintLevel::position;
  }

  SolveReport run() {
    const auto begin = std::chrono::steady_clock::now();
    const System::Timers timersBefore = system_.timers;
    State& s = system_.state();
    s.time = time_.startTime;
    initialAccelerations();
    algorithmic_ = s.a;
    system_.stepAccepted(0);
    if (!endFunction()) stop_ = true;
    bool goOn = finishStep() && !stop_;
    while (goOn && s.time < time_.endTime - timeTolerance) {
      if (!step()) {
        report_.outcome = Outcome::notConverged;
        break;
      }
      if (!endFunction()) stop_ = true;
      goOn = finishStep() && !stop_;
    }
    if (!goOn) report_.outcome = Outcome::stopped;
    report_.time = s.time;
    newton_.fill(report_);
    report_.warnings = system_.warnings();
    const System::Timers& t = system_.timers;
    report_.phases.motions = t.motions - timersBefore.motions;
    report_.phases.elements = t.elements - timersBefore.elements;
    report_.phases.gather = t.gather - timersBefore.gather;
    report_.phases.update = t.update - timersBefore.update;
    report_.phases.output = outputSeconds_;
    report_.phases.total =
        std::chrono::duration<Real>(std::chrono::steady_clock::now() - begin).count();
    return report_;
  }

 private:
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
    if (!g.storeInitialAlgebraicCoordinates) s.multipliers.setZero();
    system_.computeMotions();
  }

  StepInfo stepInfo() const {
    return {system_.state().time, step_,         time_.endTime,
            report_.steps,        plannedSteps_, newton_.iterations()};
  }

  bool endFunction() {
    if (!functions_.end) return true;
    const bool goOn = functions_.end(stepInfo());
    system_.computeMotions();
    return goOn;
  }

  bool finishStep() {
    if (!observer_) return true;
    const auto begin = std::chrono::steady_clock::now();
    const bool goOn = observer_(stepInfo());
    outputSeconds_ += std::chrono::duration<Real>(std::chrono::steady_clock::now() - begin).count();
    return goOn;
  }

  // One accepted step, with smaller step sizes where Newton fails. False: gave up, state is that of
  // the last good step.
  bool step() {
    State& s = system_.state();
    start_ = s;
    startAlgorithmic_ = algorithmic_;
    for (;;) {
      advanceTime();
      recommendedStep_ = -1;
      if (functions_.begin) {
        if (!functions_.begin(stepInfo())) stop_ = true;
        const Real startTime = start_.time;
        start_ = s;
        start_.time = startTime;
      }
      if (discontinuousIteration()) break;
      s = start_;
      algorithmic_ = startAlgorithmic_;
      ++report_.rejectedSteps;
      stepsSinceChange_ = 0;
      if (!time_.adaptiveStep || step_ <= time_.minimumStepSize) {
        report_.message =
            newton_.failureText() +
            (time_.adaptiveStep
                 ? "; the step size reached its minimum " + valueText(time_.minimumStepSize) + " s"
                 : "; adaptiveStep is off") +
            "; tried h = " + valueText(step_) + " s from t = " + valueText(s.time) + " s";
        system_.computeMotions();
        return false;
      }
      step_ = recommendedStep_ >= 0 ? std::min(0.75 * step_, recommendedStep_)
                                    : time_.adaptiveStepDecrease * step_;
      step_ = std::max(step_, time_.minimumStepSize);
    }
    newton_.acceptStep();
    ++report_.steps;
    system_.stepAccepted(s.time - start_.time);
    recoverStep();
    return true;
  }

  void advanceTime() {
    State& s = system_.state();
    if (!time_.adaptiveStep) {
      s.time = time_.startTime + static_cast<Real>(report_.steps + 1) * step_;
      return;
    }
    if (start_.time + step_ > time_.endTime) step_ = time_.endTime - start_.time;
    s.time = start_.time + step_;
  }

  void recoverStep() {
    if (!time_.adaptiveStep || step_ >= maximumStep_) return;
    if (++stepsSinceChange_ < time_.adaptiveStepRecoverySteps) return;
    if (newton_.lastIterations() + lastRounds_ > time_.adaptiveStepRecoveryIterations) return;
    step_ = std::min(maximumStep_, time_.adaptiveStepIncrease * step_);
    stepsSinceChange_ = 0;
  }

  // Newton with frozen data variables, repeated until the data variables settle.
  bool discontinuousIteration() {
    const DiscontinuousSettings& d = time_.discontinuous;
    State& s = system_.state();
    const int rounds = std::max(1, d.maxIterations);
    for (int round = 1;; ++round) {
      lastRounds_ = round;
      if (!newton_.solve(stepVariation(), level_, [this] { predict(); })) return false;
      algorithmic_ += (1 - alpha_.alphaF) / (1 - alpha_.alphaM) * s.a;
      system_.computeMotions();
      if (!system_.hasPostNewton() && !functions_.postNewton) return true;
      ++report_.discontinuousIterations;
      const ElementBatch::PostNewton post = postNewton();
      if (post.error <= d.iterationTolerance) return true;
      recommendedStep_ = d.useRecommendedStepSize ? post.recommendedStep : -1;
      if (round >= rounds) return d.ignoreMaxIterations || d.maxIterations == 0;
      const VectorX data = s.data;
      const Real time = s.time;
      s = start_;
      s.data = data;
      s.time = time;
      algorithmic_ = startAlgorithmic_;
      if (time_.adaptiveStep && recommendedStep_ >= 0 && recommendedStep_ < (1 + 1e-8) * step_)
        return false;
    }
  }

  ElementBatch::PostNewton postNewton() {
    ElementBatch::PostNewton all;
    if (functions_.postNewton) all = functions_.postNewton(system_.state().time);
    all.error = std::abs(all.error);
    if (!system_.hasPostNewton()) return all;
    const ElementBatch::PostNewton elements = system_.postNewton(start_);
    all.error += elements.error;
    if (all.recommendedStep < 0 ||
        (elements.recommendedStep >= 0 && elements.recommendedStep < all.recommendedStep))
      all.recommendedStep = elements.recommendedStep;
    return all;
  }

  Variation stepVariation() const {
    const Real h = step_;
    Variation v;
    v.position = 1;
    v.velocity = alpha_.gamma / (h * alpha_.beta);
    v.acceleration = (1 - alpha_.alphaM) / (h * h * alpha_.beta * (1 - alpha_.alphaF));
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
    s.multipliers.setZero();
  }

  System& system_;
  const SimulationSettings& settings_;
  const TimeIntegrationSettings& time_;
  const StepObserver& observer_;
  const StepFunctions& functions_;
  Newton newton_;
  AlphaCoefficients alpha_;
  ConstraintLevel level_;
  State start_;                             // at the beginning of the step
  VectorX algorithmic_, startAlgorithmic_;  // the algorithmic acceleration of generalized-alpha
  VectorX increment_;
  Real step_ = 0, maximumStep_ = 0, recommendedStep_ = -1, outputSeconds_ = 0;
  long long plannedSteps_ = 0;
  int stepsSinceChange_ = 0, lastRounds_ = 1;
  bool stop_ = false;  // a function asked to stop after this step
  SolveReport report_;
};

}  // namespace

SolveReport solveGeneralizedAlpha(System& system, const SimulationSettings& settings,
                                  const StepObserver& observer, const StepFunctions& functions) {
  system.setThreads(settings.parallel.numberOfThreads);
  return Integrator(system, settings, observer, functions).run();
}

}  // namespace catena
