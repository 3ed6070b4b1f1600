// A rigid body frame in the x-y plane.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodeRigidBody2D {
  static constexpr std::string_view typeName = "RigidBody2D";
  static constexpr std::string_view aliases[] = {"Rigid2D"};
  static constexpr std::string_view summary =
      "rigid body frame in the x-y plane: position and angle about z";
  static constexpr std::string_view theory =
      "Coordinates [x, y, phi], angle theta = phi_ref + phi, A = Rz(theta), angular velocity (0, "
      "0, dphi/dt). The output "
      "Rotation is (0, 0, theta) over any number of turns.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,           OutputVariable::Displacement,
      OutputVariable::Velocity,           OutputVariable::Acceleration,
      OutputVariable::CoordinatesTotal,   OutputVariable::Coordinates,
      OutputVariable::Coordinates_t,      OutputVariable::Coordinates_tt,
      OutputVariable::RotationMatrix,     OutputVariable::Rotation,
      OutputVariable::AngularVelocity,    OutputVariable::AngularVelocityLocal,
      OutputVariable::AngularAcceleration};

  Vector3 referenceCoordinates = Vector3::Zero();
  Vector3 initialCoordinates = Vector3::Zero();
  Vector3 initialVelocities = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = NodeRigidBody2D;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "m, rad",
                                        "reference position and angle"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m, rad",
                                      "initial displacements from the reference"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, rad/s",
                                     "initial velocity and angular velocity"),
    };
    return table;
  }

  static NodeLayout layout(const NodeRigidBody2D&) {
    return {.coordinates = 3,
            .groups = {2, 1},
            .hasFrame = true,
            .shape = {2, 1},
            .providesPosition = true,
            .providesOrientation = true};
  }
  static Vector3 referencePosition(const NodeRigidBody2D& n) {
    return inPlane(n.referenceCoordinates.data());
  }
  static void initialState(const NodeRigidBody2D& n, const NodeView& s) {
    Eigen::Map<Vector3>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector3>(s.v) = n.initialVelocities;
  }
  static Vector3 inPlane(const Real* x) { return {x[0], x[1], 0}; }
  static void motion(const NodeRigidBody2D& n, const ConstNodeView& s, Frame& f) {
    const Real theta = n.referenceCoordinates[2] + s.q[2];
    const Real c = std::cos(theta), sine = std::sin(theta);
    f = {inPlane(s.q),   Matrix3::Identity(), inPlane(s.v),
         {0, 0, s.v[2]}, inPlane(s.a),        {0, 0, s.a[2]}};
    f.rotation.topLeftCorner<2, 2>() << c, -sine, sine, c;
  }
  static bool output(const NodeRigidBody2D& n, const ConstNodeView& s, OutputVariable variable,
                     std::vector<Real>& out) {
    if (variable != OutputVariable::Rotation) return false;
    out = {0, 0, n.referenceCoordinates[2] + s.q[2]};
    return true;
  }
};

const RegisterNode<NodeRigidBody2D> registered;

}  // namespace
}  // namespace catena
