// Constraint violations of a state, and the smallest change that removes them.
#pragma once

#include <memory>
#include <string>

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

// Corrections are the smallest in the metric of the mass matrix: M dq + C^T mu = 0, C dq = -g for
// positions, likewise for velocities.
class ConstraintProjection {
 public:
  ConstraintProjection(System& system, const SimulationSettings& settings);

  struct Violation {
    Real largest = 0;
    int unknown = -1;  // the multiplier of the worst equation
  };
  // Of the positions or of the velocities; position level leaves out the constraints that restrict
  // velocities only.
  Violation violation(ConstraintLevel level);
  // Moves positions and velocities onto the constraints. False: the positions did not converge.
  bool project();

 private:
  void evaluate(ConstraintLevel level);
  void findVelocityConstraints();
  void factorize();
  void correct(const Variation& variation, ConstraintLevel level);

  System& system_;
  std::unique_ptr<LinearSolver> solver_;
  std::string linearSolverType_;
  std::vector<char> velocityOnly_;  // per multiplier; empty until it matters
  VectorX residual_;
};

// Warns in the report of a start that violates constraints, with the worst joint; projects it if
// the settings ask for that. Throws ModelError if the projection fails.
void makeStartConsistent(System& system, const SimulationSettings& settings, SolveReport& report);

}  // namespace catena
