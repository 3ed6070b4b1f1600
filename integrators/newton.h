// Newton's method for one step.
//
// By default the increments of the last steps are extrapolated to start close to the solution, and
// factors are reused, over steps too, as long as the iterations that a fresh factor would save cost
// less than it. The tolerance is relative to the residual of the predicted state without
// accelerations and multipliers, whatever the iteration starts from.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

// The linear solver that a settings name asks for.
LinearSolverKind linearSolverKind(const std::string& name);

class Newton {
 public:
  Newton(System& system, const SimulationSettings& settings, const NewtonSettings& newton);

  // Functions of the model's author, may be empty: before every residual, with its number within
  // the run, and for more entries of the matrix; see StepFunctions.
  std::function<void(int)> beforeResidual;
  std::function<std::vector<MatrixEntry>(const Variation&)> moreJacobian;

  // Calls predict() and iterates until the residual is small compared with that of the predicted
  // state (or below the absolute tolerance). False: not converged, see failureText(). Throws
  // ModelError if already the first matrix is singular.
  bool solve(const Variation& variation, ConstraintLevel level,
             const std::function<void()>& predict);

  // After solve(): the increment that accelerations and rates smaller by these would ask for, with
  // the factors at hand. It obeys the constraints, and stiff forces damp it, which makes it the
  // part of an error that stays.
  void filter(const VectorX& accelerations, const VectorX& rates, VectorX& increment);

  // Accelerations, rates of first order coordinates and multipliers of the current positions and
  // velocities.
  void solveAccelerations();
  // The same for the many states of an explicit method: pivots are kept while they are good.
  void solveStage();

  // Must be called where the matrix of the system has become that of another solution.
  void forgetFactors() { jacobianRequested_ = true; }

  // The step that the last solve() belongs to was accepted: the next ones may start from it.
  // Multipliers of redundant constraints become the shortest ones with the same forces.
  void acceptStep();

  long long iterations() const { return iterations_; }
  int lastIterations() const { return lastIterations_; }
  const std::string& failureText() const { return failure_; }
  void fill(SolveReport& report) const;  // counts and times are added

 private:
  // Increments of the last accepted steps, from the predicted state to the solution.
  struct History {
    static constexpr int depth = 4;
    std::array<VectorX, depth> increments;  // newest first
    int count = 0;
    Real rowScale = 0;  // of the newest; increments are proportional to the square of the step size
    int order = 0;      // how many of them the extrapolation takes
    VectorX current;    // of the step that is being solved
  };

  // How long factors are kept. Costs are relative to an iteration with old factors.
  struct Reuse {
    Real factorCost = 1;
    int freshIterations = 1;   // of the last extrapolated step that began with new factors
    int age = 0;               // of the factors, in steps
    int allowedAge = 1 << 20;  // beyond this, new factors were cheaper
    int sinceTooOld = 0;       // steps since that was found
    Real wasted = 0;           // what the factors have cost above new ones

    // After a step: shall the next one begin with new factors? extrapolated: this one started from
    // the steps before; fresh: it began with new factors; factors: how many it made.
    bool isTooOld(bool extrapolated, bool fresh, int iterations, int factors);
  };

  void makeSolver();  // for the present pattern of the system
  Real norm(const VectorX& r) const;
  Real squaredNorm(const VectorX& x, int begin, int count) const;
  Real residual(const Variation& variation, ConstraintLevel level, bool withMatrix);
  [[nodiscard]] bool iterate(const Variation& variation, ConstraintLevel level, bool factorize);
  [[noreturn]] void throwSingular() const;
  bool diverged() const;
  bool solveModified(const Variation& variation, ConstraintLevel level,
                     const std::function<void()>& predict);
  bool solveReusing(const Variation& variation, ConstraintLevel level,
                    const std::function<void()>& predict);
  Real target(Real reference) const;
  Real extrapolate(const Variation& variation, ConstraintLevel level, Real reference,
                   const std::function<void()>& predict);
  void chooseOrder();
  bool finish(bool converged, int iterations, Real residual, Real reference);
  void describeFailure(int iterations, Real residual, Real reference);
  void watchRank();
  void describeConstraints();

  System& system_;
  const NewtonSettings& settings_;
  std::string linearSolverType_;
  std::unique_ptr<LinearSolver> solver_;
  int patternEpoch_ = 0;              // that the solver belongs to
  FactorizationCounts countsBefore_;  // of earlier solvers
  VectorX residual_, step_;
  bool jacobianRequested_ = true;
  bool singular_ = false;         // the last matrix that factors were asked of
  int residuals_ = 0;             // of this run
  bool jacobianCurrent_ = false;  // the matrix values belong to the current state
  Variation factored_;            // that the factors belong to
  Reuse reuse_;
  History history_;
  // Residual and gap that iterations did not reduce further, as far as seen.
  Real rounding_ = 0, gapRounding_ = 0;
  long long iterations_ = 0, jacobians_ = 0;
  int lastIterations_ = 0;
  Real weight_ = 1;
  Real factorSeconds_ = 0, solveSeconds_ = 0;
  std::string failure_;
  int redundant_ = -1;  // constraints; -1: not yet known
  int rankChanges_ = 0;
  std::string constraints_, rankText_;
};

}  // namespace catena
