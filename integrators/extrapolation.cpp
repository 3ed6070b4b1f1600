#include "integrators/extrapolation.h"

#include "integrators/alpha_method.h"
#include "integrators/constraint_projection.h"
#include "integrators/step_loop.h"

namespace catena {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw ModelError("settings: timeIntegration.generalizedAlpha.extrapolation = true " + why);
}

class Extrapolation final : public StepLoop {
 public:
  Extrapolation(System& system, const SimulationSettings& settings, const StepObserver& observer,
                const StepFunctions& functions)
      : StepLoop(system, settings, observer, functions),
        settings_(settings),
        fineNewton_(system, settings, settings.timeIntegration.newton),
        coarse_{{system, settings.timeIntegration, newton_}, newton_},
        fine_{{system, settings.timeIntegration, fineNewton_}, fineNewton_} {}

 private:
  struct Solution {
    AlphaMethod method;
    Newton& newton;
    State state;
    // at the beginning of the step
    State start;
    AlgorithmicAcceleration algorithmic;

    void remember() {
      start = state;
      algorithmic = method.algorithmic();
    }
    void restore() {
      state = start;
      method.setAlgorithmic(algorithmic);
    }
  };

  void initialize() override {
    makeStartConsistent(system_, settings_, report_);
    coarse_.method.start();
    coarse_.state = fine_.state = system_.state();
    fine_.method.setAlgorithmic(coarse_.method.algorithmic());
  }

  void rememberStart() override {
    coarse_.remember();
    fine_.remember();
  }
  void restoreStart() override {
    coarse_.restore();
    fine_.restore();
  }

  bool solveStep() override {
    const Real begin = start_.time, end = system_.state().time;
    coarse_.newton.forgetFactors();
    fine_.newton.forgetFactors();
    if (!advance(coarse_, end, step_) || !advance(fine_, begin + step_ / 2, step_ / 2) ||
        !advance(fine_, end, step_ / 2))
      return false;
    combine();
    return true;
  }

  // Goes on with one of the solutions by a step of size h.
  bool advance(Solution& solution, Real time, Real h) {
    State& s = system_.state();
    solution.state.data = s.data;
    s = solution.state;
    s.time = time;
    failed_ = &solution.newton;
    if (!solution.method.solve(solution.state, h)) return false;
    solution.newton.acceptStep();
    solution.state = s;
    return true;
  }

  // x = x_fine + (x_fine - x_coarse) / 3, for configurations along the geodesic through both.
  void combine() {
    State& s = system_.state();
    const State &c = coarse_.state, &f = fine_.state;
    system_.difference(c.q, f.q, correction_);
    correction_ /= 3;
    system_.predict(f.q, correction_, 0);
    for (const auto x : {&State::v, &State::a, &State::y, &State::ydot, &State::multipliers})
      system_.threads()->forParts(static_cast<int>((f.*x).size()), [&](int begin, int n) {
        (s.*x).segment(begin, n) = (4 * (f.*x).segment(begin, n) - (c.*x).segment(begin, n)) / 3;
      });
    if (correction_.size() == 0) return;
    int largest = 0;
    const Real correction = correction_.cwiseAbs().maxCoeff(&largest);
    if (correction <= report_.correction.size) return;
    report_.correction = {correction, s.time, largest};
  }

  void acceptStep() override {}  // done for every solution
  void fillReport() override {
    newton_.fill(report_);
    fineNewton_.fill(report_);
  }
  std::string failureText() const override { return failed_->failureText(); }

  const SimulationSettings& settings_;
  Newton fineNewton_;
  Solution coarse_, fine_;
  const Newton* failed_ = nullptr;
  VectorX correction_;
};

}  // namespace

SolveReport solveExtrapolated(System& system, const SimulationSettings& settings,
                              const StepObserver& observer, const StepFunctions& functions) {
  const GeneralizedAlphaSettings& g = settings.timeIntegration.generalizedAlpha;
  if (g.errorControl) refuse("does not go with errorControl = true");
  if (!g.computeInitialAccelerations) refuse("needs computeInitialAccelerations = true");
  if (g.useNewmark && g.newmarkGamma != 0.5)
    refuse("needs a method of order 2: newmarkGamma = 0.5, not " + valueText(g.newmarkGamma));
  if (const ItemType* type = system.discontinuousType())
    refuse("is for smooth motions; " + std::string(type->name) +
           " has contact, friction or other jumps: use false");
  if (functions.begin || functions.end || functions.newtonResidual || functions.jacobian ||
      functions.postNewton)
    refuse("does not go with user functions of the step or of Newton's method: use false");
  return Extrapolation(system, settings, observer, functions).run();
}

}  // namespace catena
