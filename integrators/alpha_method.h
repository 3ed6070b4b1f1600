// Single steps of generalized-alpha and Newmark, index 3 and 2.
//
// Method: J. Chung, G. Hulbert, J. Appl. Mech. 60 (1993); for constrained systems M. Arnold, O.
// Bruls, Multibody Syst. Dyn. 18 (2007), algorithm 1; on Lie groups O. Bruls, A. Cardona, M.
// Arnold, Mech. Mach. Theory 48 (2012).
#pragma once

#include "integrators/newton.h"
#include "integrators/settings.h"

namespace catena {

struct AlphaCoefficients {
  Real alphaM = 0.5, alphaF = 0.5, beta = 0.25, gamma = 0.5;
};
AlphaCoefficients alphaFromSpectralRadius(Real rho);  // rho in [0, 1]; 1 = no numerical damping

// The acceleration-like variable of the method: it stands for a(t + (alphaM - alphaF) step).
struct AlgorithmicAcceleration {
  VectorX value;
  Real step = 0;  // 0: no step yet, value is a
};

// The steps of one solution. What they need besides the state is the algorithmic acceleration.
class AlphaMethod {
 public:
  // Throws ModelError for settings that contradict each other.
  AlphaMethod(System& system, const TimeIntegrationSettings& settings, Newton& newton);

  // Accelerations, rates and multipliers of the system's state, as the settings want them.
  void start();
  // The accelerations and multipliers anew, after a jump of forces.
  void restart();

  // The state at the end of a step of size h from start; time and data are those of the system's
  // state. False: Newton failed.
  bool solve(const State& start, Real h);
  // Before a step is solved again.
  void takeBack() { algorithmic_ = start_; }

  const AlgorithmicAcceleration& algorithmic() const { return algorithmic_; }
  void setAlgorithmic(const AlgorithmicAcceleration& a) { algorithmic_ = a; }
  const AlphaCoefficients& coefficients() const { return alpha_; }
  Variation variation(Real h) const;

 private:
  void predict(const State& start);

  System& system_;
  const GeneralizedAlphaSettings& settings_;
  Newton& newton_;
  AlphaCoefficients alpha_;
  ConstraintLevel level_;
  AlgorithmicAcceleration algorithmic_, start_;  // start_: of the last step
  VectorX increment_;
};

}  // namespace catena
