// Kinematics of points on frames, for every scalar type.
#pragma once

#include <vector>

#include "items/field.h"
#include "items/state.h"
#include "kernels/dual.h"

namespace catena {

// Motion of a frame in scalar type S: displacement of the origin, rotation, velocity (world), omega
// (frame).
template <class S>
struct Motion {
  MatrixOf<S, 3> displacement;
  MatrixOf<S, 3, 3> rotation;
  MatrixOf<S, 3> velocity;
  MatrixOf<S, 3> omega;
};

inline Motion<Real> motionOf(const Frame& f) {
  return {f.displacement, f.rotation, f.velocity, f.omega};
}

// The motion with derivatives along the tangent increment of the frame in directions first .. first
// + 5.
template <int N>
Motion<Dual<N>> liftMotion(const Frame& f, const FrameVariation* variation, const Variation& along,
                           int first) {
  using S = Dual<N>;
  Motion<S> m;
  for (int i = 0; i < 3; ++i) {
    m.displacement[i] = S(f.displacement[i]);
    m.displacement[i].gradient[first + i] = along.position;
    m.velocity[i] = S(f.velocity[i]);
    m.velocity[i].gradient[first + i] = along.velocity;
    m.omega[i] = S(f.omega[i]);
    m.omega[i].gradient[first + 3 + i] = along.velocity;
    if (variation)
      for (int j = 0; j < 3; ++j)
        m.omega[i].gradient[first + 3 + j] += along.position * variation->omega(i, j);
    for (int j = 0; j < 3; ++j) m.rotation(i, j) = S(f.rotation(i, j));
  }
  // dA = A skew(dtheta): column c changes by A (dtheta x e_c)
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) {
      const int d1 = (c + 1) % 3, d2 = (c + 2) % 3;
      // dtheta x e_c = theta_{d2} e_{d1} - theta_{d1} e_{d2}
      m.rotation(i, c).gradient[first + 3 + d2] += along.position * f.rotation(i, d1);
      m.rotation(i, c).gradient[first + 3 + d1] -= along.position * f.rotation(i, d2);
    }
  return m;
}

// The motion with its time derivative as the only direction.
inline Motion<Dual<1>> timeMotion(const Frame& f) {
  using S = Dual<1>;
  using G = S::Gradient;
  Motion<S> m;
  const Matrix3 rate = f.rotation * skew(f.omega);
  for (int i = 0; i < 3; ++i) {
    m.displacement[i] = S(f.displacement[i], G::Constant(f.velocity[i]));
    m.velocity[i] = S(f.velocity[i], G::Constant(f.acceleration[i]));
    m.omega[i] = S(f.omega[i], G::Constant(f.alpha[i]));
    for (int j = 0; j < 3; ++j) m.rotation(i, j) = S(f.rotation(i, j), G::Constant(rate(i, j)));
  }
  return m;
}

// Constant vectors and matrices in scalar type S.
template <class S, int R, int C>
MatrixOf<S, R, C> lift(const MatrixOf<Real, R, C>& m) {
  return m.template cast<S>();
}

// Velocity of the point u of a moving frame, world components.
template <class S>
MatrixOf<S, 3> pointVelocity(const Motion<S>& m, const Vector3& u) {
  return m.velocity + m.rotation * m.omega.cross(lift<S>(u));
}

// Position of point 1 minus position of point 0; origins is the difference of the reference
// positions of the origins. Computed from displacements, so that far from the world origin no
// digits are lost.
template <class S>
MatrixOf<S, 3> relativePosition(const Motion<S>& m0, const Vector3& u0, const Motion<S>& m1,
                                const Vector3& u1, const Vector3& origins) {
  return (m1.displacement - m0.displacement) +
         ((m1.rotation * lift<S>(u1) - m0.rotation * lift<S>(u0)) + lift<S>(origins));
}

// Outputs of the point u of a frame; false if the variable is not one of a frame.
bool frameOutput(const Frame& frame, const Matrix3& referenceRotation,
                 const Vector3& referencePosition, const Vector3& u, OutputVariable variable,
                 std::vector<Real>& out);

inline void setOutput(std::vector<Real>& out, Real x) { out.assign(1, x); }
template <class Derived>
void setOutput(std::vector<Real>& out, const Eigen::MatrixBase<Derived>& m) {
  out.clear();
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j) out.push_back(m(i, j));  // row by row
}

}  // namespace catena
