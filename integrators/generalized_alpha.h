// Implicit time integration: generalized-alpha and Newmark, index 3 and 2, with Newton,
// discontinuous iteration and step-size recovery.
//
// Method: J. Chung, G. Hulbert, J. Appl. Mech. 60 (1993); for constrained systems M. Arnold, O.
// Bruls, Multibody Syst. Dyn. 18 (2007), algorithm 1; on Lie groups O. Bruls, A. Cardona, M.
// Arnold, Mech. Mach. Theory 48 (2012).
#pragma once

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

struct AlphaCoefficients {
  Real alphaM = 0.5, alphaF = 0.5, beta = 0.25, gamma = 0.5;
};
AlphaCoefficients alphaFromSpectralRadius(Real rho);  // rho in [0, 1]; 1 = no numerical damping

SolveReport solveGeneralizedAlpha(System& system, const SimulationSettings& settings,
                                  const StepObserver& observer,
                                  const StepFunctions& functions = {});

}  // namespace catena
