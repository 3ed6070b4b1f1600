// The normal law and the regularisation of friction that all contact items share, for any scalar
// type.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/dual.h"

namespace catena {

// sign(x) |x|^exponent
template <class S>
S signedPower(const S& x, double exponent) {
  using std::pow;
  if (exponent == 1 || valueOf(x) == 0) return x;
  return valueOf(x) > 0 ? S(pow(x, exponent)) : S(-pow(S(-x), exponent));
}

// k depth^e (1 + b rate) + d rate, rate being that of the depth; negative where it pulls.
// b: K. Hunt, F. Crossley, J. Appl. Mech. 42 (1975) 440-445.
template <class S>
S penaltyForce(const S& depth, const S& rate, double k, double e, double b, const S& d) {
  S force = S(k) * signedPower(depth, e);
  if (b != 0) force *= S(1) + S(b) * rate;
  return force + d * rate;
}

// What the slip v is divided by to give its direction, for |v| well above the zone |v| itself:
//   smooth  sqrt(v^2 + zone^2)
//   linear  max(|v|, zone)
//   tanh    |v| / tanh(|v| / zone)
enum class SlipRegularization { smooth, linear, tanh };

template <class S>
S slipDenominator(const S& speed2, double zone, SlipRegularization kind) {
  using std::sqrt;
  if (kind == SlipRegularization::smooth) return sqrt(speed2 + S(zone * zone));
  if (kind == SlipRegularization::linear)
    return valueOf(speed2) > zone * zone ? sqrt(speed2) : S(zone);
  if (zone == 0) return valueOf(speed2) > 0 ? sqrt(speed2) : S(0);
  const S x2 = speed2 / S(zone * zone);
  if (valueOf(x2) < 1e-4) return S(zone) * (S(1) + x2 / S(3) - x2 * x2 / S(45));
  using std::exp;
  const S x = sqrt(x2), decay = exp(S(-2) * x);  // tanh x = (1 - decay) / (1 + decay)
  return S(zone) * x * (S(1) + decay) / (S(1) - decay);
}

}  // namespace catena
