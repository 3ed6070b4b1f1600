// What a solver tells: after every step, and at the end.
#pragma once

#include <functional>
#include <string>

#include "assembly/system.h"

namespace catena {

// Wall-clock seconds by phase.
struct PhaseTimes {
  Real motions = 0, elements = 0, gather = 0, factorization = 0, solve = 0, update = 0, output = 0,
       total = 0;
};

enum class Outcome { finished, stopped, notConverged };

// What extrapolation changed at most in a coordinate, as a local increment [m, rad].
struct Correction {
  Real size = 0, time = 0;
  int coordinate = -1;  // -1: no extrapolation
};

struct SolveReport {
  Outcome outcome = Outcome::finished;
  std::string message;  // why it ended early, with item names
  long long steps = 0;  // accepted
  long long rejectedSteps = 0;
  long long newtonIterations = 0;
  long long jacobians = 0;
  long long discontinuousIterations = 0;
  Real time = 0;
  FactorizationCounts factorizations;
  std::string linearSolver;
  std::string constraints;  // degrees of freedom, redundant constraints and changes of their number
  std::string note;         // e.g. that a fast solver was left
  Correction correction;
  std::vector<std::string> warnings;  // of the items, e.g. steps too large for a contact
  PhaseTimes phases;
};

// Told after every accepted step (and at the start, step 0). Return false to stop after this step.
struct StepInfo {
  Real time = 0, stepSize = 0, endTime = 0;
  long long step = 0, plannedSteps = 0, newtonIterations = 0;
};
using StepObserver = std::function<bool(const StepInfo&)>;

// Functions of the model's author around a step; all may be empty. They may change loads,
// parameters and coordinates.
struct StepFunctions {
  StepObserver
      begin;  // before Newton, with the time at the end of the step; false: stop after this step
  StepObserver end;  // after the step is accepted, before its output; false: stop after this step
  // Before every residual of Newton's method: number of the residual within its run, and of the run
  // within the step, both counted from 0.
  std::function<void(Real time, int residual, int run)> newtonResidual;
  // Entries that are added to the matrix after it was computed: the derivatives of forces that the
  // functions above bring in, times these factors of coordinates, velocities and first order
  // coordinates. Signs are those of forces. They count where items couple the coordinates too.
  std::function<std::vector<MatrixEntry>(Real time, Real position, Real velocity, Real firstOrder)>
      jacobian;
  // After every Newton run, before the elements' own updates: may change data variables; see
  // ElementBatch::PostNewton.
  std::function<ElementBatch::PostNewton(Real time)> postNewton;
};

}  // namespace catena
