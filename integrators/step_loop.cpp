#include "integrators/step_loop.h"

#include <cmath>

#include "kernels/stopwatch.h"

namespace catena {

namespace {

constexpr Real timeTolerance = 1e-10;  // a run ends when less than this is left

// Checks startTime, endTime and numberOfSteps; the number of steps.
Real plannedSteps(const TimeIntegrationSettings& time) {
  if (!(time.endTime > time.startTime))
    throw ModelError("settings: timeIntegration.endTime = " + valueText(time.endTime) +
                     " must be > startTime = " + valueText(time.startTime));
  const Real steps = std::round(time.numberOfSteps);
  if (steps < 1 || std::abs(steps - time.numberOfSteps) > 1e-13 * steps)
    throw ModelError("settings: timeIntegration.numberOfSteps = " + valueText(time.numberOfSteps) +
                     " must be a whole number >= 1");
  return steps;
}

}  // namespace

StepLoop::StepLoop(System& system, const SimulationSettings& settings, const SolverSettings& solver,
                   Real start, Real end, Real steps, const StepObserver& observer,
                   const StepFunctions& functions)
    : system_(system),
      solver_(solver),
      newton_(system, settings, solver.newton),
      startTime_(start),
      endTime_(end),
      step_((end - start) / steps),
      maximumStep_(step_),
      discontinuous_(solver.discontinuous),
      output_(settings.solutionSettings),
      observer_(observer),
      functions_(functions),
      plannedSteps_(static_cast<long long>(steps)) {
  if (functions.newtonResidual)
    newton_.beforeResidual = [this](int residual) {
      functions_.newtonResidual(system_.state().time, residual, lastRounds_ - 1);
    };
  if (functions.jacobian)
    newton_.moreJacobian = [this](const Variation& v) {
      return functions_.jacobian(system_.state().time, v.position, v.velocity, v.position);
    };
}

StepLoop::StepLoop(System& system, const SimulationSettings& settings, const StepObserver& observer,
                   const StepFunctions& functions)
    : StepLoop(system, settings, settings.timeIntegration, settings.timeIntegration.startTime,
               settings.timeIntegration.endTime, plannedSteps(settings.timeIntegration), observer,
               functions) {}

SolveReport StepLoop::run() {
  {
    const Stopwatch watch(report_.phases.total);
    goThroughSteps();
  }
  return report_;
}

void StepLoop::goThroughSteps() {
  const System::Timers timersBefore = system_.timers;
  State& s = system_.state();
  s.time = startTime_;
  system_.computeMotions();
  system_.renewElements(ElementBatch::Renewal::atStart);
  initialize();
  system_.stepAccepted(0);
  if (!endFunction()) stop_ = true;
  bool goOn = observe() && !stop_;
  while (goOn && !finished()) {
    if (!step()) {
      report_.outcome = Outcome::notConverged;
      break;
    }
    if (!observeWithinStep() || !endFunction()) stop_ = true;
    goOn = observe() && !stop_;
  }
  if (!goOn) report_.outcome = Outcome::stopped;
  report_.time = s.time;
  fillReport();
  const std::vector<std::string> warnings = system_.warnings();
  report_.warnings.insert(report_.warnings.end(), warnings.begin(), warnings.end());
  const System::Timers& t = system_.timers;
  report_.phases.motions = t.motions - timersBefore.motions;
  report_.phases.elements = t.elements - timersBefore.elements;
  report_.phases.gather = t.gather - timersBefore.gather;
  report_.phases.update = t.update - timersBefore.update;
}

bool StepLoop::finished() const { return system_.state().time >= endTime_ - timeTolerance; }

StepInfo StepLoop::stepInfo() const {
  return {system_.state().time, step_,         endTime_,
          report_.steps,        plannedSteps_, newton_.iterations()};
}

bool StepLoop::endFunction() {
  if (!functions_.end) return true;
  const bool goOn = functions_.end(stepInfo());
  system_.computeMotions();
  return goOn;
}

bool StepLoop::observe() {
  if (!observer_) return true;
  const Stopwatch watch(report_.phases.output);
  return observer_(stepInfo());
}

// Output at the multiples of both write periods within the last step.
bool StepLoop::observeWithinStep() {
  if (!observer_ || !interpolates()) return true;
  const Stopwatch watch(report_.phases.output);
  State& s = system_.state();
  const State& end = stepEnd_ = s;
  const auto nextAfter = [&](Real t) {
    Real next = endTime_;
    for (const Real period : {output_.sensorsWritePeriod, output_.solutionWritePeriod})
      if (period > 0)
        next = std::min(
            next,
            startTime_ + period * (std::floor((t - startTime_) / period + timeTolerance) + 1));
    return next;
  };
  bool goOn = true;
  for (Real t = nextAfter(start_.time); goOn && t < end.time - timeTolerance; t = nextAfter(t)) {
    interpolate(end, t, s);
    system_.computeMotions();
    goOn = observer_(stepInfo());
  }
  s = end;
  system_.computeMotions();
  return goOn;
}

// One accepted step, with smaller step sizes where it fails. False: gave up, state is that of the
// last good step.
bool StepLoop::step() {
  State& s = system_.state();
  start_ = s;
  rememberStart();
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
    const Real end = s.time;
    s = start_;
    restoreStart();
    ++report_.rejectedSteps;
    stepsSinceChange_ = 0;
    if (!mayRetry() || step_ <= solver_.minimumStepSize) {
      report_.message =
          (unsettled_ > 0
               ? "contacts or friction do not settle within the step: their error " +
                     valueText(unsettled_) + " is above discontinuous.iterationTolerance = " +
                     valueText(discontinuous_.iterationTolerance)
               : failureText()) +
          (mayRetry()
               ? "; the step size reached its minimum " + valueText(solver_.minimumStepSize) + " s"
           : solver_.adaptiveStep ? ""
                                  : "; adaptiveStep is off") +
          "; tried h = " + valueText(step_) + " s from t = " + valueText(s.time) + " s";
      system_.computeMotions();
      return false;
    }
    step_ = std::max(nextTry(end), solver_.minimumStepSize);
  }
  acceptStep();
  ++report_.steps;
  system_.stepAccepted(s.time - start_.time);
  recoverStep();
  if (restartAfter_ >= 0) passJump();
  return true;
}

// Where the mechanism is singular every step fails that ends there, as do both halves of one: then
// a longer one goes beyond.
Real StepLoop::nextTry(Real failedEnd) {
  if (recommendedStep_ >= 0) return std::min(0.75 * step_, recommendedStep_);
  const bool again = std::abs(failedEnd - failedEnd_) < 1e-3 * step_;
  failedEnd_ = again ? none : failedEnd;
  return again ? std::min(1.5 * step_, maximumStep_) : solver_.adaptiveStepDecrease * step_;
}

void StepLoop::advanceTime() {
  State& s = system_.state();
  if (!solver_.adaptiveStep) {
    s.time = startTime_ + static_cast<Real>(report_.steps + 1) * step_;
    return;
  }
  if (start_.time + step_ > endTime_) step_ = endTime_ - start_.time;
  s.time = start_.time + step_;
}

void StepLoop::recoverStep() {
  if (!solver_.adaptiveStep || step_ >= maximumStep_) return;
  if (++stepsSinceChange_ < solver_.adaptiveStepRecoverySteps) return;
  if (newton_.lastIterations() + lastRounds_ > solver_.adaptiveStepRecoveryIterations) return;
  step_ = std::min(maximumStep_, solver_.adaptiveStepIncrease * step_);
  stepsSinceChange_ = 0;
}

// The step with frozen data variables, repeated until the data variables settle.
bool StepLoop::discontinuousIteration() {
  State& s = system_.state();
  const int rounds = std::max(1, discontinuous_.maxIterations);
  for (int round = 1;; ++round) {
    lastRounds_ = round;
    unsettled_ = 0;
    if (!solveStep()) return false;
    system_.computeMotions();
    if (system_.renewElements(
            ElementBatch::Renewal::withinStep)) {  // again, with the elements that were missing
      const Real time = s.time;
      s = start_;
      s.time = time;
      restoreStart();
      --round;
      continue;
    }
    restartAfter_ = -1;
    if (!system_.hasPostNewton() && !functions_.postNewton) return true;
    ++report_.discontinuousIterations;
    roundData_ = s.data;
    const ElementBatch::PostNewton post = postNewton();
    restartAfter_ = post.restartAfter;
    if (post.error <= discontinuous_.iterationTolerance) return true;
    unsettled_ = post.error;
    recommendedStep_ = discontinuous_.useRecommendedStepSize ? post.recommendedStep : -1;
    const bool shorter = solver_.adaptiveStep && step_ > solver_.minimumStepSize &&
                         recommendedStep_ >= 0 && recommendedStep_ < (1 + 1e-8) * step_;
    // the remaining rounds would only repeat this one
    if (!shorter && !functions_.postNewton && s.data == roundData_) lastRounds_ = rounds;
    if (lastRounds_ >= rounds)
      return discontinuous_.ignoreMaxIterations || discontinuous_.maxIterations == 0;
    roundData_ = s.data;
    const Real time = s.time;
    s = start_;
    s.data = roundData_;
    s.time = time;
    restoreStart();
    if (shorter) return false;
  }
}

// The step ended just before a jump of forces: the motion goes on as it was for the moment that is
// missing, a small part of the step.
void StepLoop::passJump() {
  State& s = system_.state();
  stepEnd_ = s;
  move_ = restartAfter_ * (s.v + restartAfter_ / 2 * s.a);
  system_.predict(stepEnd_.q, move_, 0);
  s.v += restartAfter_ * s.a;
  s.time += restartAfter_;
  restart();
  system_.computeMotions();
}

ElementBatch::PostNewton StepLoop::postNewton() {
  ElementBatch::PostNewton all;
  if (functions_.postNewton) all = functions_.postNewton(system_.state().time);
  all.error = std::abs(all.error);
  if (!system_.hasPostNewton()) return all;
  const ElementBatch::PostNewton elements = system_.postNewton(start_);
  all.error += elements.error;
  all.restartAfter = elements.restartAfter;
  if (all.recommendedStep < 0 ||
      (elements.recommendedStep >= 0 && elements.recommendedStep < all.recommendedStep))
    all.recommendedStep = elements.recommendedStep;
  return all;
}

}  // namespace catena
