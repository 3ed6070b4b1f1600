// The state of a mechanism and the frames that are computed from it.
#pragma once

#include "kernels/types.h"

namespace catena {

// Coordinates are displacements from the reference configuration. q, v, a have the sizes of the
// nodes' coordinates (7 for Euler parameters); the unknowns of the linear system are tangent
// increments (6 for every rigid node).
struct State {
  VectorX q, v, a;      // second order coordinates, rates, second rates
  VectorX y, ydot;      // first order coordinates
  VectorX multipliers;  // lambda
  VectorX data;         // history variables, constant during Newton
  Real time = 0;
};

// Motion of a reference frame: of a rigid node, a point, ground, or a point on a flexible body.
struct Frame {
  Vector3 displacement;  // of the origin from its reference position, world frame [m]
  Matrix3 rotation;      // A: frame components to world components
  Vector3 velocity;      // of the origin, world [m/s]
  Vector3 omega;         // angular velocity, frame components [rad/s]
  Vector3 acceleration;  // world [m/s^2]
  Vector3 alpha;         // angular acceleration, frame components [rad/s^2]
  // Squared norm of Euler parameters, which constraints on velocity level let drift from 1: then
  // rotation is I + norm2 (R - I) with the true rotation R, and torques and angular velocities
  // transform with R.
  Real norm2 = 1;

  Matrix3 angularRotation() const {
    if (norm2 == 1) return rotation;
    return (rotation - (1 - norm2) * Matrix3::Identity()) / norm2;
  }
};

// A tangent increment (dr world, dtheta body-fixed; A <- A exp(skew dtheta)) changes a frame's
// rates by
//   d velocity = gamma' dr,  d omega = (gamma' I + omega) dtheta,  d alpha = (beta' I + alpha)
//   dtheta
// where the matrices below vanish for rotation-vector nodes.
struct FrameVariation {
  Matrix3 omega;
  Matrix3 alpha;
};

// How an increment Delta of the unknowns moves a state: q by position Delta, v by velocity Delta, a
// by acceleration Delta; y by position Delta, y' by firstOrderRate Delta. Rows of the equations of
// motion are multiplied by rowScale, multipliers of the linear system are lambda rowScale;
// constraint rows have the factors constraintPosition, constraintVelocity.
struct Variation {
  Real position = 1;
  Real velocity = 0;
  Real acceleration = 0;
  Real firstOrderRate = 0;
  Real rowScale = 1;
  Real constraintPosition = 1;
  Real constraintVelocity = 1;

  bool operator==(const Variation&) const = default;
};

// Which time derivative of the constraints makes the algebraic equations.
enum class ConstraintLevel { position, velocity, acceleration };

}  // namespace catena
