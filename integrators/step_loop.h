// What all solvers that go step by step share: the loop with its output and the functions of the
// model's author, failed steps repeated smaller, and the iteration over data variables.
#pragma once

#include "integrators/newton.h"
#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

class StepLoop {
 public:
  virtual ~StepLoop() = default;
  SolveReport run();

 protected:
  // time is real time or the quasi-time of load steps. The largest step is (end - start) / steps.
  StepLoop(System& system, const SimulationSettings& settings, const SolverSettings& solver,
           Real start, Real end, Real steps, const StepObserver& observer,
           const StepFunctions& functions);
  // Over the time of the settings.
  StepLoop(System& system, const SimulationSettings& settings, const StepObserver& observer,
           const StepFunctions& functions);

  // The state at the start.
  virtual void initialize() = 0;
  // The state at the end of the step, from start_, with data variables as they are. False: failed,
  // failureText() says why.
  virtual bool solveStep() = 0;
  // Accelerations at the end of the last step anew, after a jump of forces.
  virtual void restart() {}
  // Remembers, or takes back, what belongs to the step besides the state.
  virtual void rememberStart() {}
  virtual void restoreStart() {}
  virtual void acceptStep() { newton_.acceptStep(); }
  virtual void fillReport() { newton_.fill(report_); }
  // Time at the end of the step; may shorten it.
  virtual void advanceTime();
  // Whether a failed step may be tried again, and with which size after one that ended there.
  virtual bool mayRetry() const { return solver_.adaptiveStep; }
  virtual Real nextTry(Real failedEnd);
  // May change the size of the next step after an accepted one.
  virtual void recoverStep();
  virtual bool finished() const;
  // Solvers with long steps: whether output between their ends is wanted, and the state at a time
  // between the beginning (start_) and the end of the last step.
  virtual bool interpolates() const { return false; }
  virtual void interpolate(const State& /*end*/, Real /*time*/, State& /*out*/) {}
  virtual std::string failureText() const { return newton_.failureText(); }

  System& system_;
  const SolverSettings& solver_;
  Newton newton_;
  State start_;  // at the beginning of the step
  Real startTime_, endTime_;
  Real step_ = 0, maximumStep_ = 0, recommendedStep_ = -1;
  SolveReport report_;

 private:
  void goThroughSteps();
  bool step();
  bool discontinuousIteration();
  ElementBatch::PostNewton postNewton();
  void passJump();
  bool endFunction();
  bool observe();
  bool observeWithinStep();
  StepInfo stepInfo() const;

  static constexpr Real none = std::numeric_limits<Real>::quiet_NaN();

  const DiscontinuousSettings& discontinuous_;
  const SolutionSettings& output_;
  VectorX roundData_;  // data variables of the last round
  VectorX move_;
  Real restartAfter_ = -1;
  Real failedEnd_ = none;  // of the last step that did not converge
  State stepEnd_;          // while the state is one within the step
  const StepObserver& observer_;
  const StepFunctions& functions_;
  long long plannedSteps_ = 0;
  int stepsSinceChange_ = 0, lastRounds_ = 1;
  Real unsettled_ = 0;  // error of the data variables that made the step fail
  bool stop_ = false;   // a function asked to stop after this step
};

}  // namespace catena
