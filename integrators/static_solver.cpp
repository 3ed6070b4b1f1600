#include "integrators/static_solver.h"

#include <cmath>

#include "integrators/step_loop.h"

namespace catena {

namespace {

class StaticSolver final : public StepLoop {
 public:
  StaticSolver(System& system, const SimulationSettings& settings, const StepObserver& observer,
               const StepFunctions& functions)
      : StepLoop(system, settings, settings.staticSolver, settings.staticSolver.loadStepStart,
                 settings.staticSolver.loadStepStart + settings.staticSolver.loadStepDuration,
                 settings.staticSolver.numberOfLoadSteps, observer, functions),
        load_(settings.staticSolver) {}
  ~StaticSolver() override {
    system_.loadFactor = 1;
    system_.holdFirstOrder = false;
  }

 private:
  void initialize() override {
    State& s = system_.state();
    s.a.setZero();
    s.ydot.setZero();
    s.multipliers.setZero();
    system_.holdFirstOrder = load_.constrainODE1coordinates;
    system_.computeMotions();
  }

  // The end is met exactly, without a change of the step.
  void advanceTime() override {
    const Real duration = load_.loadStepDuration;
    Real passed = start_.time - startTime_;
    if (!load_.loadStepGeometric)
      passed += step_;
    else if (report_.steps == 0)
      passed = duration / load_.loadStepGeometricRange;
    else
      passed *= std::pow(load_.loadStepGeometricRange, 1.0 / (load_.numberOfLoadSteps - 1));
    if (passed >= duration * (1 - tolerance)) passed = duration;
    system_.state().time = startTime_ + passed;
    factor_ = passed / duration;
    system_.loadFactor = load_.useLoadFactor ? factor_ : 1;
  }
  Real nextTry(Real /*failedEnd*/) override { return solver_.adaptiveStepDecrease * step_; }
  bool finished() const override {
    return system_.state().time >= endTime_ - tolerance * load_.loadStepDuration;
  }

  // The stabiliser acts on an acceleration that follows the displacement of the load step.
  bool solveStep() override {
    State& s = system_.state();
    Variation v;
    v.acceleration = load_.stabilizerODE2term * (1 - factor_ * factor_);
    const bool converged = newton_.solve(v, ConstraintLevel::position, [&] {
      s.q = start_.q;
      s.y = start_.y;
      s.a.setZero();
      s.multipliers.setZero();
    });
    s.a.setZero();
    s.multipliers *= -1;
    return converged;
  }

  static constexpr Real tolerance = 1e-10;  // of the duration
  const StaticSolverSettings& load_;
  Real factor_ = 1;
};

}  // namespace

SolveReport solveStatic(System& system, SimulationSettings settings, const StepObserver& observer,
                        const StepFunctions& functions) {
  StaticSolverSettings& load = settings.staticSolver;
  load.newton.reuseFactors = false;  // load steps are few, and far apart
  if (load.loadStepGeometric) {      // the progression leaves no room for other steps
    load.adaptiveStep = false;
    load.numberOfLoadSteps = std::max(2, load.numberOfLoadSteps);
  }
  system.setThreads(settings.parallel.numberOfThreads, settings.parallel.parts);
  return StaticSolver(system, settings, observer, functions).run();
}

}  // namespace catena
