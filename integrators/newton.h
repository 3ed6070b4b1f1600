// Newton's method for one step, full or modified.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "assembly/system.h"
#include "integrators/generalized_alpha.h"
#include "integrators/settings.h"

namespace catena {

// The linear solver that a settings name asks for.
LinearSolverKind linearSolverKind(const std::string& name);

class Newton {
 public:
  Newton(System& system, const SimulationSettings& settings, const NewtonSettings& newton);

  // Calls predict() and iterates until the residual is small compared with that of the predicted
  // state (or below the absolute tolerance). False: not converged, see failureText(). Throws
  // ModelError if the matrix is singular.
  bool solve(const Variation& variation, ConstraintLevel level,
             const std::function<void()>& predict);

  // Accelerations and multipliers of the current positions and velocities.
  void solveAccelerations();

  long long iterations() const { return iterations_; }
  int lastIterations() const { return lastIterations_; }
  const std::string& failureText() const { return failure_; }
  void fill(SolveReport& report) const;

 private:
  Real norm(const VectorX& r) const;
  Real residual(const Variation& variation, ConstraintLevel level, bool withMatrix);
  void factorize();
  Real iterate(const Variation& variation, ConstraintLevel level);
  bool diverged() const;
  void describeFailure(int iterations, Real residual, Real reference);

  System& system_;
  const NewtonSettings& settings_;
  std::unique_ptr<LinearSolver> solver_;
  VectorX residual_, step_;
  bool jacobianRequested_ = true;
  bool jacobianCurrent_ = false;  // the matrix values belong to the current state
  long long iterations_ = 0, jacobians_ = 0;
  int lastIterations_ = 0;
  Real weight_ = 1;
  Real factorSeconds_ = 0, solveSeconds_ = 0;
  std::string failure_;
};

}  // namespace catena
