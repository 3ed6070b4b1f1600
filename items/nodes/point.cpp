// A point: three displacements.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodePoint {
  static constexpr std::string_view typeName = "Point";
  static constexpr std::string_view summary = "point with three displacement coordinates";
  static constexpr std::string_view theory =
      "p = p_ref + q, v = dq/dt, a = d^2q/dt^2, all in the world frame. Orientation outputs are "
      "constant (identity).";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,         OutputVariable::Displacement,
      OutputVariable::Velocity,         OutputVariable::Acceleration,
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates,
      OutputVariable::Coordinates_t,    OutputVariable::Coordinates_tt,
      OutputVariable::RotationMatrix,   OutputVariable::Rotation,
      OutputVariable::AngularVelocity,  OutputVariable::AngularVelocityLocal};

  Vector3 referenceCoordinates = Vector3::Zero();
  Vector3 initialCoordinates = Vector3::Zero();
  Vector3 initialVelocities = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = NodePoint;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "p_ref", "m", "reference position"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m", "initial displacement"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s", "initial velocity"),
    };
    return table;
  }

  static NodeLayout layout(const NodePoint&) {
    return {.coordinates = 3,
            .groups = {3},
            .hasFrame = true,
            .shape = {3, 0},
            .providesPosition = true};
  }
  static Vector3 referencePosition(const NodePoint& n) { return n.referenceCoordinates; }
  static void initialState(const NodePoint& n, const NodeView& s) {
    Eigen::Map<Vector3>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector3>(s.v) = n.initialVelocities;
  }
  static void motion(const NodePoint&, const ConstNodeView& s, Frame& f) {
    f = {Eigen::Map<const Vector3>(s.q), Matrix3::Identity(),
         Eigen::Map<const Vector3>(s.v), Vector3::Zero(),
         Eigen::Map<const Vector3>(s.a), Vector3::Zero()};
  }
};

const RegisterNode<NodePoint> registered;

}  // namespace
}  // namespace catena
