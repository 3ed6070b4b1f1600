#include "kernels/rotation.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace catena {
namespace {

Real sinc(Real x) { return std::abs(x) < 1e-8 ? 1 - x * x / 6 : std::sin(x) / x; }

}  // namespace

Matrix3 expSO3(const Vector3& phi) {
  const Real angle2 = phi.squaredNorm();
  Real a, b;  // A = I + a skew(phi) + b skew(phi)^2
  if (angle2 < 1e-4) {
    a = 1 - angle2 / 6 * (1 - angle2 / 20 * (1 - angle2 / 42));
    b = 0.5 - angle2 / 24 * (1 - angle2 / 30 * (1 - angle2 / 56));
  } else {
    const Real angle = std::sqrt(angle2);
    const Real s = std::sin(angle / 2), c = std::cos(angle / 2);
    a = 2 * s * c / angle;
    b = 2 * s * s / angle2;
  }
  const Real x = phi[0], y = phi[1], z = phi[2];
  Matrix3 A;
  A << 1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y,  //
      b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x,   //
      b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y);
  return A;
}

Vector3 logSO3(const Matrix3& A) {
  const Vector4 e = eulerParametersFromRotation(A);
  const Vector3 v = e.tail<3>();
  const Real s = v.norm();
  if (s < 1e-150) return Vector3::Zero();
  return (2 * std::atan2(s, e[0]) / s) * v;
}

Vector3 composeRotationVectors(const Vector3& phi, const Vector3& theta) {
  const Real p = phi.norm() / 2, t = theta.norm() / 2;
  const Real sp = sinc(p) / 2, st = sinc(t) / 2, cp = std::cos(p), ct = std::cos(t);
  const Vector3 v =
      sp * ct * phi + cp * st * theta + sp * st * phi.cross(theta);  // |v| = sin(angle / 2)
  const Real c = cp * ct - sp * st * phi.dot(theta);                 // cos(angle / 2)
  const Real s = v.norm();
  if (s < 1e-150) return Vector3::Zero();
  return (2 * std::atan2(s, c) / s) * v;
}

Matrix3 tangentSO3(const Vector3& phi) {
  const Real angle = phi.norm();
  const Real s = sinc(angle / 2);
  const Real a2 = angle * angle;
  const Real c =
      angle < 0.02 ? 1.0 / 6 - a2 / 120 + a2 * a2 / 5040 : (1 - std::sin(angle) / angle) / a2;
  const Matrix3 w = skew(phi);
  return Matrix3::Identity() - 0.5 * s * s * w + c * w * w;
}

Matrix3 inverseTangentSO3(const Vector3& phi) {
  const Real angle = phi.norm();
  const Real a2 = angle * angle;
  Real b, c;
  if (angle > 0.02) {
    b = 0.5 * angle / std::tan(0.5 * angle);
    c = (1 - b) / a2;
  } else {
    c = 1.0 / 12 + a2 / 720 + a2 * a2 / 30240;
    b = 1 - c * a2;
  }
  return b * Matrix3::Identity() + 0.5 * skew(phi) + c * phi * phi.transpose();
}

Matrix3 rotationFromEulerParameters(const Vector4& e) {
  Matrix3 A;
  A << 1 - 2 * (e[2] * e[2] + e[3] * e[3]), 2 * (e[1] * e[2] - e[0] * e[3]),
      2 * (e[1] * e[3] + e[0] * e[2]),  //
      2 * (e[1] * e[2] + e[0] * e[3]), 1 - 2 * (e[1] * e[1] + e[3] * e[3]),
      2 * (e[2] * e[3] - e[0] * e[1]),  //
      2 * (e[1] * e[3] - e[0] * e[2]), 2 * (e[2] * e[3] + e[0] * e[1]),
      1 - 2 * (e[1] * e[1] + e[2] * e[2]);
  return A;
}

Matrix34 gbarEulerParameters(const Vector4& e) {
  Matrix34 G;
  G << -e[1], e[0], e[3], -e[2],  //
      -e[2], -e[3], e[0], e[1],   //
      -e[3], e[2], -e[1], e[0];
  return 2 * G;
}

Vector4 eulerParametersFromRotation(const Matrix3& A) {
  // The largest of the four squares decides, so that no digits are lost near a half turn.
  const Real trace = A.trace();
  Vector4 e;
  int k = 0;
  Real largest = trace;
  for (int i = 0; i < 3; ++i)
    if (A(i, i) > largest) largest = A(i, i), k = i + 1;
  if (k == 0) {
    const Real s = std::sqrt(std::max(0.0, 1 + trace));
    e << s / 2, (A(2, 1) - A(1, 2)) / (2 * s), (A(0, 2) - A(2, 0)) / (2 * s),
        (A(1, 0) - A(0, 1)) / (2 * s);
  } else {
    const int i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    const Real s = std::sqrt(std::max(0.0, 1 + A(i, i) - A(j, j) - A(l, l)));
    e[0] = (A(l, j) - A(j, l)) / (2 * s);
    e[1 + i] = s / 2;
    e[1 + j] = (A(j, i) + A(i, j)) / (2 * s);
    e[1 + l] = (A(l, i) + A(i, l)) / (2 * s);
  }
  if (e[0] < 0) e = -e;
  return e;
}

Matrix3 rotationFromTaitBryan(const Vector3& angles) {
  const Real s0 = std::sin(angles[0]), c0 = std::cos(angles[0]);
  const Real s1 = std::sin(angles[1]), c1 = std::cos(angles[1]);
  const Real s2 = std::sin(angles[2]), c2 = std::cos(angles[2]);
  Matrix3 A;
  A << c1 * c2, -c1 * s2, s1,                                     //
      s0 * s1 * c2 + c0 * s2, -s0 * s1 * s2 + c0 * c2, -s0 * c1,  //
      -c0 * s1 * c2 + s0 * s2, c0 * s1 * s2 + s0 * c2, c0 * c1;
  return A;
}

Matrix3 gbarTaitBryan(const Vector3& angles) {
  const Real s1 = std::sin(angles[1]), c1 = std::cos(angles[1]);
  const Real s2 = std::sin(angles[2]), c2 = std::cos(angles[2]);
  Matrix3 G;
  G << c1 * c2, s2, 0, -c1 * s2, c2, 0, s1, 0, 1;
  return G;
}

Matrix3 gbarRateTaitBryan(const Vector3& angles, const Vector3& rates) {
  const Real s1 = std::sin(angles[1]), c1 = std::cos(angles[1]);
  const Real s2 = std::sin(angles[2]), c2 = std::cos(angles[2]);
  const Real b = rates[1], c = rates[2];
  Matrix3 G;
  G << -c * c1 * s2 - b * c2 * s1, c * c2, 0, b * s2 * s1 - c * c2 * c1, -c * s2, 0, b * c1, 0, 0;
  return G;
}

Matrix3 gbarProductDerivativeTaitBryan(const Vector3& angles, const Vector3& x) {
  const Real s1 = std::sin(angles[1]), c1 = std::cos(angles[1]);
  const Real s2 = std::sin(angles[2]), c2 = std::cos(angles[2]);
  Matrix3 D;
  D << 0, -s1 * c2 * x[0], -c1 * s2 * x[0] + c2 * x[1],  //
      0, s1 * s2 * x[0], -c1 * c2 * x[0] - s2 * x[1],    //
      0, c1 * x[0], 0;
  return D;
}

Vector3 taitBryanFromRotation(const Matrix3& A) { return taitBryanAngles<Real>(A); }

Matrix3 basisAroundAxis(const Vector3& a) {
  Matrix3 basis;
  int smallest = 0;
  a.cwiseAbs().minCoeff(&smallest);
  const Vector3 x = Vector3::Unit(smallest).cross(a).normalized();
  basis << x, a.cross(x), a;
  return basis;
}

}  // namespace catena
