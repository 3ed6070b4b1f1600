// Number and matrix types used throughout.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

namespace catena {

using Real = double;

template <class S, int R, int C = 1>
using MatrixOf = Eigen::Matrix<S, R, C>;

using Vector2 = MatrixOf<Real, 2>;
using Vector3 = MatrixOf<Real, 3>;
using Vector4 = MatrixOf<Real, 4>;
using Vector6 = MatrixOf<Real, 6>;
using Vector7 = MatrixOf<Real, 7>;
using VectorX = Eigen::VectorXd;
using Matrix3 = MatrixOf<Real, 3, 3>;
using Matrix6 = MatrixOf<Real, 6, 6>;
using MatrixX = Eigen::MatrixXd;
using Matrix6X = MatrixOf<Real, 6, Eigen::Dynamic>;

using VectorView = Eigen::Map<VectorX>;
using ConstVectorView = Eigen::Map<const VectorX>;

// skew(w) x = w x x.
template <class Derived>
Eigen::Matrix<typename Derived::Scalar, 3, 3> skew(const Eigen::MatrixBase<Derived>& w) {
  using S = typename Derived::Scalar;
  Eigen::Matrix<S, 3, 3> m;
  m << S(0), -w[2], w[1], w[2], S(0), -w[0], -w[1], w[0], S(0);
  return m;
}

// A v and A^T v, always expanded in place.
inline Vector3 times(const Matrix3& A, const Vector3& v) {
  return v[0] * A.col(0) + v[1] * A.col(1) + v[2] * A.col(2);
}
inline Vector3 transposedTimes(const Matrix3& A, const Vector3& v) {
  return {A.col(0).dot(v), A.col(1).dot(v), A.col(2).dot(v)};
}

// skew(u) skew(v) = v u^T - (u . v) I.
template <class U, class V>
Eigen::Matrix<typename U::Scalar, 3, 3> skewProduct(const Eigen::MatrixBase<U>& u,
                                                    const Eigen::MatrixBase<V>& v) {
  Eigen::Matrix<typename U::Scalar, 3, 3> m = v * u.transpose();
  m.diagonal().array() -= u.dot(v);
  return m;
}

}  // namespace catena
