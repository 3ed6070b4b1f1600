// A rigid body frame on the Lie group R^3 x SO(3), described by a rotation vector.
#include "items/node_behaviour.h"
#include "kernels/rotation.h"

namespace catena {
namespace {

struct NodeRigidBodyRotVecLG {
  static constexpr std::string_view typeName = "RigidBodyRotVecLG";
  static constexpr std::string_view aliases[] = {"RigidRotVecLG"};
  static constexpr std::string_view summary =
      "rigid body frame: position and rotation vector, Lie-group update";
  static constexpr std::string_view theory =
      "Coordinates [u (3), nu (3)], rotation vector phi = nu_ref + nu, A = exp(skew phi). The "
      "velocity coordinates are the "
      "world velocity and the body-fixed angular velocity. Increments compose, A <- A exp(skew "
      "dtheta), so there is no "
      "singularity. (Holzinger, Gerstmayr, Multibody Syst. Dyn. 53, 2021; Bruls, Cardona, Arnold, "
      "Mech. Mach. Theory 48, "
      "2012.)";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::Acceleration,
                                               OutputVariable::CoordinatesTotal,
                                               OutputVariable::Coordinates,
                                               OutputVariable::Coordinates_t,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::Rotation,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal,
                                               OutputVariable::AngularAcceleration,
                                               OutputVariable::AngularAccelerationLocal};

  Vector6 referenceCoordinates = Vector6::Zero();
  Vector6 initialCoordinates = Vector6::Zero();
  Vector6 initialVelocities = Vector6::Zero();

  static std::span<const Field> fields() {
    using T = NodeRigidBodyRotVecLG;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "m, rad",
                                        "reference position and rotation vector"),
        field<&T::initialCoordinates>(
            "initialCoordinates", "q_0", "m, rad",
            "initial displacements; rotation vectors are added to the reference"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, rad/s",
                                     "initial world velocity and body-fixed angular velocity"),
    };
    return table;
  }

  static NodeLayout layout(const NodeRigidBodyRotVecLG&) {
    return {.coordinates = 6,
            .groups = {3, 3},
            .hasFrame = true,
            .shape = {3, 3},
            .providesPosition = true,
            .providesOrientation = true};
  }
  static Vector3 referencePosition(const NodeRigidBodyRotVecLG& n) {
    return n.referenceCoordinates.head<3>();
  }
  static void initialState(const NodeRigidBodyRotVecLG& n, const NodeView& s) {
    Eigen::Map<Vector6>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector6>(s.v) = n.initialVelocities;
  }

  static Vector3 rotationVector(const NodeRigidBodyRotVecLG& n, const Real* q) {
    return n.referenceCoordinates.tail<3>() + Eigen::Map<const Vector3>(q + 3);
  }
  static void motion(const NodeRigidBodyRotVecLG& n, const ConstNodeView& s, Frame& f) {
    f = {Eigen::Map<const Vector3>(s.q), expSO3(rotationVector(n, s.q)),
         Eigen::Map<const Vector3>(s.v), Eigen::Map<const Vector3>(s.v + 3),
         Eigen::Map<const Vector3>(s.a), Eigen::Map<const Vector3>(s.a + 3)};
  }
  static void increment(const NodeRigidBodyRotVecLG& n, const NodeView& s, const Real* delta,
                        const Variation& along, ConstraintLevel) {
    for (int k = 0; k < 6; ++k) {
      s.v[k] += along.velocity * delta[k];
      s.a[k] += along.acceleration * delta[k];
    }
    if (along.position == 0) return;
    for (int k = 0; k < 3; ++k) s.q[k] += along.position * delta[k];
    compose(n, s.q, s.q, along.position * Eigen::Map<const Vector3>(delta + 3));
  }
  static void predict(const NodeRigidBodyRotVecLG& n, const NodeView& s, const Real* start,
                      const Real* dq, Real twist) {
    for (int k = 0; k < 3; ++k) s.q[k] = start[k] + dq[k];
    const Vector3 w = Eigen::Map<const Vector3>(dq + 3);
    compose(n, start, s.q, w - twist * Eigen::Map<const Vector3>(s.v + 3).cross(w));
  }
  static void localRate(const Real* dq, const Real* v, Real* rate) {
    for (int k = 0; k < 3; ++k) rate[k] = v[k];
    Eigen::Map<Vector3>(rate + 3) =
        inverseTangentSO3(Eigen::Map<const Vector3>(dq + 3)) * Eigen::Map<const Vector3>(v + 3);
  }
  static void difference(const NodeRigidBodyRotVecLG& n, const Real* q0, const Real* q1, Real* dq) {
    for (int k = 0; k < 3; ++k) dq[k] = q1[k] - q0[k];
    const Vector3 between = composeRotationVectors(-rotationVector(n, q0), rotationVector(n, q1));
    Eigen::Map<Vector3>(dq + 3) = logSO3(expSO3(between));
  }
  static void compose(const NodeRigidBodyRotVecLG& n, const Real* from, Real* to,
                      const Vector3& theta) {
    const Vector3 reference = n.referenceCoordinates.tail<3>();
    const Vector3 phi = reference + Eigen::Map<const Vector3>(from + 3);
    Eigen::Map<Vector3>(to + 3) = composeRotationVectors(phi, theta) - reference;
  }
  // The rate of rotation coordinate i is the body-fixed angular velocity component i; a force on it
  // is the torque about that axis. Only for small rotation vectors is it the rate of the coordinate
  // itself.
  static void coordinateRows(const NodeRigidBodyRotVecLG& n, const ConstNodeView& s, int coordinate,
                             Real* positionRow, Real* forceRow, Real*) {
    forceRow[coordinate] = 1;
    if (coordinate < 3)
      positionRow[coordinate] = 1;
    else
      Eigen::Map<Vector3>(positionRow + 3) =
          inverseTangentSO3(rotationVector(n, s.q)).row(coordinate - 3).transpose();
  }
};

const RegisterNode<NodeRigidBodyRotVecLG> registered;

}  // namespace
}  // namespace catena
