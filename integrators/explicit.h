// Explicit time integration: Runge-Kutta methods, with error control where they are embedded, and
// velocity Verlet.
//
// Tableaus: J. C. Butcher, Numerical Methods for Ordinary Differential Equations (RK67: J. Austral.
// Math. Soc. 4, 1964); ODE23: P. Bogacki, L. Shampine, Appl. Math. Lett. 2 (1989); DOPRI5 and the
// step control: E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
// section II.4. Rotation vectors on their Lie group: H. Munthe-Kaas, BIT 38 (1998). Constraints on
// acceleration level with projection: E. Eich, SIAM J. Numer. Anal. 30 (1993).
#pragma once

#include "integrators/report.h"
#include "integrators/settings.h"

namespace catena {

// Integrates M a + f + C^T lambda = 0, y' = f1 with the method of explicitIntegration. The mass
// matrix and the constraints on acceleration level are solved together in every stage; positions
// and velocities are projected onto the constraints after every step.
SolveReport solveExplicit(System& system, const SimulationSettings& settings,
                          const StepObserver& observer, const StepFunctions& functions = {});

}  // namespace catena
