#include "integrators/explicit.h"

#include <array>
#include <cmath>
#include <optional>

#include "integrators/constraint_projection.h"
#include "integrators/step_loop.h"

namespace catena {

namespace {

constexpr int maximumStages = 7;
using Row = std::array<Real, maximumStages>;

struct Tableau {
  int stages = 1;
  Row c{};
  std::array<Row, maximumStages> a{};
  Row b{};
  Row embedded{};      // weights of the solution that is compared with
  int errorOrder = 0;  // the error of a step is proportional to h^errorOrder; 0: not embedded
};

Tableau runge67() {
  const Real r = std::sqrt(5.0);
  Tableau t;
  t.stages = 7;
  t.c = {0, 0.5 - r / 10, 0.5 + r / 10, 0.5 - r / 10, 0.5 + r / 10, 0.5 - r / 10, 1};
  t.a[1] = {0.5 - r / 10};
  t.a[2] = {-r / 10, 0.5 + r / 5};
  t.a[3] = {7 * r / 20 - 0.75, r / 4 - 0.25, 1.5 - 7 * r / 10};
  t.a[4] = {1.0 / 12 - r / 60, 0, 1.0 / 6, 7 * r / 60 + 0.25};
  t.a[5] = {r / 60 + 1.0 / 12, 0, 0.75 - 5 * r / 12, 1.0 / 6, 3 * r / 10 - 0.5};
  t.a[6] = {1.0 / 6, 0, 25 * r / 12 - 55.0 / 12, -7 * r / 12 - 25.0 / 12, 5 - 2 * r, 2.5 + r / 2};
  t.b = {1.0 / 12, 0, 0, 0, 5.0 / 12, 5.0 / 12, 1.0 / 12};
  return t;
}

Tableau bogackiShampine() {
  Tableau t;
  t.stages = 4;
  t.c = {0, 0.5, 0.75, 1};
  t.a[1] = {0.5};
  t.a[2] = {0, 0.75};
  t.a[3] = {2.0 / 9, 1.0 / 3, 4.0 / 9};
  t.b = {2.0 / 9, 1.0 / 3, 4.0 / 9};
  t.embedded = {7.0 / 24, 0.25, 1.0 / 3, 0.125};
  t.errorOrder = 3;
  return t;
}

Tableau dormandPrince() {
  Tableau t;
  t.stages = 7;
  t.c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
  t.a[1] = {0.2};
  t.a[2] = {3.0 / 40, 9.0 / 40};
  t.a[3] = {44.0 / 45, -56.0 / 15, 32.0 / 9};
  t.a[4] = {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729};
  t.a[5] = {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656};
  t.a[6] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  t.b = t.a[6];
  t.embedded = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                187.0 / 2100,   1.0 / 40};
  t.errorOrder = 5;
  return t;
}

Tableau tableauOf(const std::string& method) {
  Tableau t;
  if (method == "ExplicitEuler") {
    t.b = {1};
  } else if (method == "ExplicitMidpoint") {
    t.stages = 2, t.c = {0, 0.5}, t.a[1] = {0.5}, t.b = {0, 1};
  } else if (method == "RK33") {
    t.stages = 3, t.c = {0, 1.0 / 3, 2.0 / 3}, t.a[1] = {1.0 / 3}, t.a[2] = {0, 2.0 / 3};
    t.b = {0.25, 0, 0.75};
  } else if (method == "RK44") {
    t.stages = 4, t.c = {0, 0.5, 0.5, 1}, t.a[1] = {0.5}, t.a[2] = {0, 0.5}, t.a[3] = {0, 0, 1};
    t.b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  } else if (method == "RK67") {
    t = runge67();
  } else if (method == "ODE23") {
    t = bogackiShampine();
  } else {
    t = dormandPrince();
  }
  return t;
}

class Explicit final : public StepLoop {
 public:
  Explicit(System& system, const SimulationSettings& settings, const StepObserver& observer,
           const StepFunctions& functions)
      : StepLoop(system, settings, observer, functions),
        settings_(settings),
        time_(settings.timeIntegration),
        method_(time_.explicitIntegration.dynamicSolverType),
        verlet_(method_ == "VelocityVerlet"),
        tableau_(tableauOf(method_)),
        automatic_(time_.automaticStepSize && tableau_.errorOrder > 0) {
    if (automatic_ && time_.initialStepSize > 0)
      step_ = std::min(maximumStep_, std::max(time_.initialStepSize, time_.minimumStepSize));
    next_ = step_;
    if (system.multipliers() > 0 && time_.explicitIntegration.projectConstraints)
      projection_.emplace(system, settings);
  }

 private:
  void initialize() override {
    makeStartConsistent(system_, settings_, report_);
    derivatives();
    State& s = system_.state();
    initialScale_ = 1 + s.q.norm() + s.v.norm() + s.a.norm();
    system_.computeMotions();
  }

  // a, y' and lambda of q, v, y and the time.
  void derivatives() {
    State& s = system_.state();
    s.a.setZero();
    s.ydot.setZero();
    s.multipliers.setZero();
    newton_.solveStage();
  }

  void restart() override { derivatives(); }
  void rememberStart() override {
    if (automatic_) step_ = next_;
  }
  void advanceTime() override {
    if (!automatic_) return StepLoop::advanceTime();
    if (start_.time + step_ > endTime_) step_ = endTime_ - start_.time;
    system_.state().time = start_.time + step_;
  }

  bool solveStep() override {
    failure_.clear();
    const Real end = system_.state().time;
    if (verlet_)
      verletStep();
    else
      rungeKuttaStep();
    State& s = system_.state();
    s.time = end;
    unbounded_ = !bounded();
    if (unbounded_) {
      failure_ = "the solution grows without bounds: the step is beyond the stability limit of " +
                 method_ + ", which stiff springs, dampers and small masses make small; use " +
                 "smaller steps (timeIntegration.numberOfSteps) or an implicit solver";
      return false;
    }
    if (tableau_.errorOrder > 0 && !verlet_ && !errorAccepted()) return false;
    if (projection_ && !projection_->project()) {
      failure_ = "the constraints could not be restored after the step";
      return false;
    }
    if (time_.explicitIntegration.computeEndOfStepAccelerations && !verlet_) derivatives();
    return true;
  }

  void rungeKuttaStep() {
    State& s = system_.state();
    const int n = tableau_.stages;
    for (int i = 0; i < n; ++i) {
      moveTo(tableau_.a[i], i);
      s.time = start_.time + tableau_.c[i] * step_;
      system_.localRates(move_, s.v, rates_[i]);
      derivatives();
      if (!std::isfinite(s.a.sum() + s.ydot.sum())) return;
      second_[i] = s.a;
      first_[i] = s.ydot;
    }
    moveTo(tableau_.b, n);
  }

  // The state h sum_j weights[j] k_j from the start of the step. Motions on a Lie group are
  // composed from the sum of their local rates.
  void moveTo(const Row& weights, int count) {
    State& s = system_.state();
    move_.setZero(s.q.size());
    s.v = start_.v;
    s.y = start_.y;
    for (int j = 0; j < count; ++j) {
      const Real w = step_ * weights[j];
      if (w == 0) continue;
      move_ += w * rates_[j];
      s.v += w * second_[j];
      s.y += w * first_[j];
    }
    system_.predict(start_.q, move_, 0);
  }

  void verletStep() {
    State& s = system_.state();
    s.v = start_.v + step_ / 2 * start_.a;
    move_ = step_ * s.v;
    system_.predict(start_.q, move_, 0);
    half_ = s.v;
    derivatives();
    s.v = half_ + step_ / 2 * s.a;
    s.y = start_.y + step_ * s.ydot;
  }

  bool bounded() const {
    const State& s = system_.state();
    const Real size = s.q.norm() + s.v.norm() + s.y.norm();
    return std::isfinite(size) && size < runaway * initialScale_ &&
           std::isfinite(s.multipliers.sum());
  }

  // The difference to the embedded solution, as root mean square of the parts of the tolerance.
  Real error() {
    const State& s = system_.state();
    const int n = tableau_.stages;
    Real sum = 0;
    const auto add = [&](const VectorX& start, const VectorX& now,
                         const std::array<VectorX, maximumStages>& k) {
      difference_.setZero(now.size());
      for (int j = 0; j < n; ++j)
        if (const Real w = step_ * (tableau_.embedded[j] - tableau_.b[j]); w != 0)
          difference_ += w * k[j];
      for (int i = 0; i < now.size(); ++i) {
        const Real size = time_.explicitIntegration.signedErrorScale
                              ? std::max(now[i] + difference_[i], start[i])
                              : std::max(std::abs(now[i]), std::abs(start[i]));
        const Real part =
            difference_[i] / (time_.absoluteTolerance + time_.relativeTolerance * size);
        sum += part * part;
      }
    };
    add(start_.q, s.q, rates_);
    add(start_.v, s.v, second_);
    add(start_.y, s.y, first_);
    const auto count = 2 * s.q.size() + s.y.size();
    return count ? std::sqrt(sum / static_cast<Real>(count)) : 0;
  }

  bool errorAccepted() {
    const Real e = error();
    const Real best = e > 0 ? step_ * std::pow(e, -1.0 / tableau_.errorOrder) : 1e12;
    const Real proposed = std::min(std::min(maximumStep_, time_.stepSizeMaxIncrease * step_),
                                   std::max(time_.minimumStepSize, time_.stepSizeSafety * best));
    if (automatic_) next_ = proposed;
    if (best >= step_ || (automatic_ && step_ <= time_.minimumStepSize)) return true;
    failure_ = "the error of the step is " + valueText(e) +
               " times what timeIntegration.absoluteTolerance and relativeTolerance allow";
    return false;
  }

  // From a state that has grown for many fixed steps smaller ones lead nowhere.
  bool mayRetry() const override { return automatic_ || (solver_.adaptiveStep && !unbounded_); }
  Real nextTry(Real failedEnd) override {
    if (automatic_ && !failure_.empty() && next_ < step_) return next_;
    return StepLoop::nextTry(failedEnd);
  }
  void recoverStep() override {
    if (!automatic_) StepLoop::recoverStep();
  }
  std::string failureText() const override { return failure_; }

  static constexpr Real runaway = 1e9;  // growth of the state that only instability makes

  const SimulationSettings& settings_;
  const TimeIntegrationSettings& time_;
  const std::string& method_;
  bool verlet_;
  Tableau tableau_;
  bool automatic_;
  std::optional<ConstraintProjection> projection_;
  std::array<VectorX, maximumStages> rates_, second_, first_;  // of q (local), v and y
  VectorX move_, half_, difference_;
  Real next_ = 0, initialScale_ = 1;
  std::string failure_;
  bool unbounded_ = false;
};

}  // namespace

SolveReport solveExplicit(System& system, const SimulationSettings& settings,
                          const StepObserver& observer, const StepFunctions& functions) {
  system.setThreads(settings.parallel.numberOfThreads, settings.parallel.parts);
  return Explicit(system, settings, observer, functions).run();
}

}  // namespace catena
