// Static equilibrium by load steps, with Newton's method and smaller steps where it fails.
#pragma once

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

// f(q, v, t) + C^T lambda = 0, g(q, t) = 0, from the current state: velocities keep their values,
// accelerations are zero. Loads without function are multiplied by the load factor, which grows to
// 1 with the quasi-time. Multipliers are left with the sign of the language's static solver: the
// opposite of that of a dynamic run at rest.
SolveReport solveStatic(System& system, SimulationSettings settings, const StepObserver& observer,
                        const StepFunctions& functions = {});

}  // namespace catena
