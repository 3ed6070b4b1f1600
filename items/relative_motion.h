// Relative rotations and screw motions for every scalar type (see kernels/dual.h).
//
// Source: O. A. Bauchau, Flexible Multibody Dynamics (Springer 2011), chapters 13 and 14; R.
// Murray, Z. Li, S. Sastry, A Mathematical Introduction to Robotic Manipulation (CRC 1994),
// appendix A.
#pragma once

#include "kernels/dual.h"
#include "kernels/types.h"

namespace catena {

// Euler parameters (e0, e) of a rotation matrix, e0 >= 0.
template <class S>
MatrixOf<S, 4> eulerParametersOf(const MatrixOf<S, 3, 3>& R) {
  using std::sqrt;
  const S trace = R(0, 0) + R(1, 1) + R(2, 2);
  MatrixOf<S, 4> q;
  int largest =
      0;  // of the four parameters, by their squares (1 + trace) / 4, (1 + 2 R_ii - trace) / 4
  Real best = valueOf(trace);
  for (int i = 0; i < 3; ++i)
    if (const Real square = 2 * valueOf(R(i, i)) - valueOf(trace); square > best)
      best = square, largest = i + 1;
  if (largest == 0) {
    q[0] = sqrt(S(1) + trace) / S(2);
    for (int i = 0; i < 3; ++i)
      q[1 + i] = (R((i + 2) % 3, (i + 1) % 3) - R((i + 1) % 3, (i + 2) % 3)) / (S(4) * q[0]);
    return q;
  }
  const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
  q[largest] = sqrt(S(1) + S(2) * R(i, i) - trace) / S(2);
  q[0] = (R(k, j) - R(j, k)) / (S(4) * q[largest]);
  q[1 + j] = (R(i, j) + R(j, i)) / (S(4) * q[largest]);
  q[1 + k] = (R(i, k) + R(k, i)) / (S(4) * q[largest]);
  if (valueOf(q[0]) < 0) q = -q;
  return q;
}

// The motion from a frame to another one, (p, R) = exp(u, phi): a screw with rotation vector phi.
template <class S>
struct ScrewMotion {
  MatrixOf<S, 3> u, phi;
  MatrixOf<S, 3, 3> half;  // exp(phi / 2)
};

template <class S>
ScrewMotion<S> screwMotion(const MatrixOf<S, 3>& p, const MatrixOf<S, 3, 3>& R) {
  using std::atan2;
  using std::sqrt;
  using V = MatrixOf<S, 3>;
  const MatrixOf<S, 4> q = eulerParametersOf<S>(R);
  const V e = q.template tail<3>();
  const S n2 = e.dot(e);
  // phi = e * angle / |e|;  c = (1 - (angle / 2) cot(angle / 2)) / angle^2
  S factor, c;
  if (valueOf(n2) < 1e-4) {
    factor = S(2) + n2 * (S(1.0 / 3) + n2 * (S(3.0 / 20) + n2 * S(5.0 / 56)));
    const S angle2 = n2 * factor * factor;
    c = S(1.0 / 12) +
        angle2 * (S(1.0 / 720) + angle2 * (S(1.0 / 30240) + angle2 * S(1.0 / 1209600)));
  } else {
    const S n = sqrt(n2);
    const S angle = S(2) * atan2(n, q[0]);
    factor = angle / n;
    c = (S(1) - angle * q[0] / (S(2) * n)) / (angle * angle);
  }
  ScrewMotion<S> screw;
  screw.phi = e * factor;
  const V across = screw.phi.cross(p);
  screw.u = p - across * S(0.5) + V(screw.phi.cross(across)) * c;
  const MatrixOf<S, 3, 3> tilde = skew(e);
  screw.half = MatrixOf<S, 3, 3>::Identity() + tilde + (tilde * tilde) * (S(1) / (S(1) + q[0]));
  return screw;
}

}  // namespace catena
