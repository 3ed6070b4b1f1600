// Rotations: rotation vectors, Euler parameters and Tait-Bryan angles.
//
// A rotation matrix A maps body-fixed components to global ones. The body-fixed angular velocity
// w_B satisfies dA/dt = A skew(w_B); for rotation parameters theta, w_B = Gbar(theta) dtheta/dt.
// Sources: O. A. Bauchau, Flexible Multibody Dynamics (Springer 2011), ch. 13; A. Shabana, Dynamics
// of Multibody Systems (Cambridge), ch. 2; E. Holzinger, J. Gerstmayr, Multibody Syst. Dyn. 53
// (2021), rotation vector updates.
#pragma once

#include "kernels/types.h"

namespace catena {

// --- rotation vectors: A = exp(skew(phi))
// ---------------------------------------------------------------------

Matrix3 expSO3(const Vector3& phi);  // exact for every |phi|
Vector3 logSO3(const Matrix3& A);    // |result| <= pi
Vector3 composeRotationVectors(const Vector3& phi,
                               const Vector3& theta);  // log(exp phi exp theta), angle in [0, 2 pi]
Matrix3 tangentSO3(const Vector3& phi);  // T: exp(phi + d) = exp(phi) exp(T d), w_B = T dphi/dt
Matrix3 inverseTangentSO3(const Vector3& phi);  // T^-1

// --- Euler parameters e = (e0, e1, e2, e3), scalar first
// ------------------------------------------------------ The polynomial A(e) is a rotation only for
// |e| = 1; it is used without normalisation.

using Matrix34 = MatrixOf<Real, 3, 4>;
Matrix3 rotationFromEulerParameters(const Vector4& e);
Matrix34 gbarEulerParameters(const Vector4& e);  // 2 [-e_v, e0 I - skew(e_v)]
Vector4 eulerParametersFromRotation(const Matrix3& A);

// --- Tait-Bryan angles (a, b, c): A = Rx(a) Ry(b) Rz(c)
// -------------------------------------------------------

Matrix3 rotationFromTaitBryan(const Vector3& angles);
Matrix3 gbarTaitBryan(const Vector3& angles);
Matrix3 gbarRateTaitBryan(const Vector3& angles, const Vector3& rates);  // d Gbar / dt
Matrix3 gbarProductDerivativeTaitBryan(const Vector3& angles,
                                       const Vector3& x);  // d (Gbar(angles) x) / d angles
Vector3 taitBryanFromRotation(const Matrix3& A);

// Tait-Bryan angles of a rotation matrix for every scalar type (see dual.h).
template <class S>
MatrixOf<S, 3> taitBryanAngles(const MatrixOf<S, 3, 3>& A) {
  using std::atan2;
  using std::sqrt;
  const S cosB = sqrt(A(1, 2) * A(1, 2) + A(2, 2) * A(2, 2));
  if (cosB > S(1e-14))
    return {atan2(-A(1, 2), A(2, 2)), atan2(A(0, 2), cosB), atan2(-A(0, 1), A(0, 0))};
  return {S(0), atan2(A(0, 2), cosB), atan2(A(1, 0), A(1, 1))};
}

// Two unit vectors that complete the unit vector a to a right-handed basis [x, y, a].
Matrix3 basisAroundAxis(const Vector3& a);

}  // namespace catena
