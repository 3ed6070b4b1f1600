// Richardson extrapolation of generalized-alpha: two solutions side by side, with steps h and h/2.
#pragma once

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

// With generalizedAlpha.extrapolation. Both solutions go on from their own states (E. Hairer, S. P.
// Norsett, G. Wanner, Solving Ordinary Differential Equations I, Springer 1993, section II.4,
// global extrapolation); observers see their combination at the ends of the steps h, which has
// order 3 or higher where the motion is smooth. Throws ModelError for models with contact, friction
// or other jumps, for functions of the author and for settings without an expansion in h^2.
SolveReport solveExtrapolated(System& system, const SimulationSettings& settings,
                              const StepObserver& observer, const StepFunctions& functions);

}  // namespace catena
