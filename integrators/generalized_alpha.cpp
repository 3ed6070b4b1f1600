#include "integrators/generalized_alpha.h"

#include <algorithm>
#include <cmath>

#include "integrators/alpha_method.h"
#include "integrators/constraint_projection.h"
#include "integrators/extrapolation.h"
#include "integrators/step_loop.h"

namespace catena {

namespace {

class GeneralizedAlpha final : public StepLoop {
 public:
  GeneralizedAlpha(System& system, const SimulationSettings& settings, const StepObserver& observer,
                   const StepFunctions& functions)
      : StepLoop(system, settings, observer, functions),
        settings_(settings),
        time_(settings.timeIntegration),
        method_(system, time_, newton_) {
    const GeneralizedAlphaSettings& g = time_.generalizedAlpha;
    errorControl_ = g.errorControl && time_.automaticStepSize;
    if (g.errorControl && g.useNewmark)
      throw ModelError(
          "settings: timeIntegration.generalizedAlpha.errorControl = true needs useNewmark = "
          "false; generalized-alpha with spectralRadius = 1 is the same method");
  }

 private:
  void initialize() override {
    makeStartConsistent(system_, settings_, report_);
    method_.start();
    if (errorControl_) chooseFirstStep();
  }

  void restoreStart() override { method_.takeBack(); }

  bool solveStep() override {
    tooLarge_ = 0;
    return method_.solve(start_, step_) && (!errorControl_ || errorAccepted());
  }

  void restart() override {
    method_.restart();
    lastStep_ = 0;  // no history
  }

  // --- steps by their local error ---

  // Root mean square of change(i) in parts of the tolerance.
  template <class Change>
  Real weightedNorm(const VectorX& from, const VectorX& to, const Change& change) const {
    Real sum = 0;
    for (int i = 0; i < to.size(); ++i) {
      const Real size = std::max(std::abs(from[i]), std::abs(to[i]));
      const Real part = change(i) / (time_.absoluteTolerance + time_.relativeTolerance * size);
      sum += part * part;
    }
    return to.size() ? std::sqrt(sum / static_cast<Real>(to.size())) : 0;
  }

  // A step over which the acceleration moves the positions by the tolerance.
  void chooseFirstStep() {
    const State& s = system_.state();
    Real h = time_.initialStepSize;
    if (h == 0) {
      const Real size = std::max(weightedNorm(s.q, s.q, [&](int i) { return s.a[i]; }),
                                 weightedNorm(s.y, s.y, [&](int i) { return s.ydot[i]; }));
      h = size > 0 ? std::sqrt(1 / size) : maximumStep_;
    }
    step_ = std::clamp(h, std::min(time_.minimumStepSize, maximumStep_), maximumStep_);
  }

  // Leading local errors with D = alphaM - alphaF, p = a(t + D h) + D (alphaM - 1/2) h^2 a_tt:
  //   positions  (1/6 - beta - D/2) h^3 a_t,
  //   velocities (1/6 - D (alphaM - 1/2) - gamma (1/2 + D)) h^3 a_tt,
  // and of the trapezoidal rule for first order coordinates -1/12 h^3 y_ttt; the derivatives from
  // differences of accelerations and rates over this step and the last one. Accelerations of
  // constrained systems carry an alternating part that grows as 1 / h^2 and that constraint forces
  // take up, so errors are filtered through the Newton matrix, as for stiff equations (E. Hairer,
  // G. Wanner, Solving Ordinary Differential Equations II, Springer 1996, section IV.8).
  Real error() {
    const State& s = system_.state();
    const auto [alphaM, alphaF, beta, gamma] = method_.coefficients();
    const Real D = alphaM - alphaF, h = step_;
    const Real ofPositions = 1.0 / 6 - beta - D / 2;
    const Real ofVelocities = 1.0 / 6 - D * (alphaM - 0.5) - gamma * (0.5 + D);
    const Variation along = method_.variation(h);
    end_ = s;
    change_ = s.a - start_.a;
    firstOrderChange_ = s.ydot - start_.ydot;
    // h^2 times the second derivatives
    secondChange_ = change_;
    firstOrderError_ = firstOrderChange_;
    if (lastStep_ > 0) {
      const Real scale = 2 * h / (h + lastStep_), ratio = h / lastStep_;
      secondChange_ = scale * (change_ - ratio * lastChange_);
      firstOrderError_ = scale * (firstOrderChange_ - ratio * lastFirstOrderChange_);
    }
    error_ = (ofPositions * h * h * along.acceleration) * change_;
    firstOrderError_ *= h / 12 * along.firstOrderRate;
    filterError();
    const Real positions =
        std::max(weightedNorm(end_.q, end_.q, [&](int i) { return s.q[i] - end_.q[i]; }),
                 weightedNorm(end_.y, end_.y, [&](int i) { return s.y[i] - end_.y[i]; }));
    error_ = (ofVelocities * h * along.acceleration) * secondChange_;
    firstOrderError_.setZero();
    filterError();
    const Real velocities = weightedNorm(end_.v, end_.v, [&](int i) { return s.q[i] - end_.q[i]; });
    system_.state() = end_;
    return std::max(positions, velocities);
  }
  // The state becomes that of the end of the step and the filtered error.
  void filterError() {
    State& s = system_.state();
    s = end_;
    newton_.filter(error_, firstOrderError_, filtered_);
    s = end_;
    filtered_.tail(system_.multipliers()).setZero();
    system_.increment(filtered_, {.position = 1}, ConstraintLevel::position);
  }

  // Proportional-integral control of the step (K. Gustafsson, ACM Trans. Math. Softw. 20, 1994). A
  // step that may stay nearly the same stays the same, for the sake of the factors.
  bool errorAccepted() {
    const Real e = std::max(error(), 1e-10);
    if (e > 1 && step_ > time_.minimumStepSize) {
      tooLarge_ = e;
      next_ = step_ * std::clamp(time_.stepSizeSafety * std::pow(e, -1.0 / 3), 0.2, 0.9);
      return false;
    }
    const Real factor =
        time_.stepSizeSafety * std::pow(e, -0.7 / 3) * std::pow(lastError_, 0.4 / 3);
    next_ = step_;
    if (factor < 0.9 || factor > 1.2)
      next_ = std::min(maximumStep_, step_ * std::clamp(factor, 0.2, time_.stepSizeMaxIncrease));
    acceptedError_ = e;
    return true;
  }

  bool mayRetry() const override { return errorControl_ || StepLoop::mayRetry(); }
  Real nextTry(Real failedEnd) override {
    return errorControl_ && tooLarge_ > 0 ? next_ : StepLoop::nextTry(failedEnd);
  }
  void advanceTime() override {
    if (!errorControl_) return StepLoop::advanceTime();
    if (start_.time + 1.0001 * step_ > endTime_) step_ = endTime_ - start_.time;
    system_.state().time = start_.time + step_;
  }
  void recoverStep() override {
    if (!errorControl_) return StepLoop::recoverStep();
    lastChange_ = change_;
    lastFirstOrderChange_ = firstOrderChange_;
    lastStep_ = step_;
    lastError_ = acceptedError_;
    step_ = next_;
  }
  std::string failureText() const override {
    if (tooLarge_ == 0) return StepLoop::failureText();
    return "the error of the step is " + valueText(tooLarge_) +
           " times what timeIntegration.absoluteTolerance and relativeTolerance allow";
  }

  // --- output within a step ---

  bool interpolates() const override { return errorControl_; }
  // Cubic in positions (local increments), velocities and first order coordinates, linear in
  // accelerations, rates and multipliers.
  void interpolate(const State& end, Real time, State& out) override {
    const Real h = end.time - start_.time, x = (time - start_.time) / h;
    const Real value1 = x * x * (3 - 2 * x), rate0 = h * x * (1 - x) * (1 - x),
               rate1 = -h * x * x * (1 - x);
    const auto cubic = [&](const VectorX& y0, const VectorX& y1, const VectorX& d0,
                           const VectorX& d1,
                           VectorX& y) { y = y0 + value1 * (y1 - y0) + rate0 * d0 + rate1 * d1; };
    system_.difference(start_.q, end.q, whole_);
    none_.setZero(whole_.size());
    system_.localRates(none_, start_.v, startRate_);
    system_.localRates(whole_, end.v, endRate_);
    out = end;
    out.time = time;
    cubic(none_, whole_, startRate_, endRate_, increment_);
    system_.predict(start_.q, increment_, 0);
    cubic(start_.v, end.v, start_.a, end.a, out.v);
    cubic(start_.y, end.y, start_.ydot, end.ydot, out.y);
    out.a = start_.a + x * (end.a - start_.a);
    out.ydot = start_.ydot + x * (end.ydot - start_.ydot);
    out.multipliers = start_.multipliers + x * (end.multipliers - start_.multipliers);
  }

  const SimulationSettings& settings_;
  const TimeIntegrationSettings& time_;
  AlphaMethod method_;

  bool errorControl_ = false;
  Real next_ = 0, lastStep_ = 0;
  Real tooLarge_ = 0, acceptedError_ = 1, lastError_ = 1;
  VectorX change_, firstOrderChange_, lastChange_, lastFirstOrderChange_;  // of a and y_t
  VectorX secondChange_, error_, firstOrderError_, filtered_;
  State end_;
  VectorX whole_, none_, startRate_, endRate_, increment_;  // of the interpolation
};

}  // namespace

SolveReport solveGeneralizedAlpha(System& system, const SimulationSettings& settings,
                                  const StepObserver& observer, const StepFunctions& functions) {
  system.setThreads(settings.parallel.numberOfThreads, settings.parallel.parts);
  if (settings.timeIntegration.generalizedAlpha.extrapolation)
    return solveExtrapolated(system, settings, observer, functions);
  return GeneralizedAlpha(system, settings, observer, functions).run();
}

}  // namespace catena
