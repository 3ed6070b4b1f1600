// Tables of eigenvalues and degrees of freedom.
#pragma once

#include "integrators/linearization.h"

namespace catena {

// A vibration exp(s t), from the squared angular frequency or, damped, from the exponent s itself.
struct Mode {
  std::complex<Real> exponent;  // [1/s]
  Real frequency = 0;           // [Hz]
  Real dampingRatio = 0;        // - Re s / |s|; negative: it grows

  Mode(std::complex<Real> value, bool damped);
};

// To standard output.
void printModes(const Eigenvalues& eigenvalues, bool damped);
void printDegreesOfFreedom(const DegreesOfFreedom& degrees);

}  // namespace catena
