// Implicit time integration: generalized-alpha and Newmark, index 3 and 2, with Newton,
// discontinuous iteration and step-size recovery.
#pragma once

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

SolveReport solveGeneralizedAlpha(System& system, const SimulationSettings& settings,
                                  const StepObserver& observer,
                                  const StepFunctions& functions = {});

}  // namespace catena
