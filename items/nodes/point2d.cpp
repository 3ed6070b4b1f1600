// A point in the x-y plane: two displacements.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodePoint2D {
  static constexpr std::string_view typeName = "Point2D";
  static constexpr std::string_view summary =
      "point in the x-y plane with two displacement coordinates";
  static constexpr std::string_view theory =
      "p = (p_ref + q, 0), v = (dq/dt, 0), a = (d^2q/dt^2, 0), all in the world frame. Orientation "
      "outputs are constant "
      "(identity).";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,         OutputVariable::Displacement,
      OutputVariable::Velocity,         OutputVariable::Acceleration,
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates,
      OutputVariable::Coordinates_t,    OutputVariable::Coordinates_tt,
      OutputVariable::RotationMatrix,   OutputVariable::Rotation,
      OutputVariable::AngularVelocity,  OutputVariable::AngularVelocityLocal};

  Vector2 referenceCoordinates = Vector2::Zero();
  Vector2 initialCoordinates = Vector2::Zero();
  Vector2 initialVelocities = Vector2::Zero();

  static std::span<const Field> fields() {
    using T = NodePoint2D;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "p_ref", "m",
                                        "reference position (x, y)"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m", "initial displacement"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s", "initial velocity"),
    };
    return table;
  }

  static NodeLayout layout(const NodePoint2D&) {
    return {.coordinates = 2,
            .groups = {2},
            .hasFrame = true,
            .shape = {2, 0},
            .providesPosition = true};
  }
  static Vector3 referencePosition(const NodePoint2D& n) {
    return inSpace(n.referenceCoordinates.data());
  }
  static void initialState(const NodePoint2D& n, const NodeView& s) {
    Eigen::Map<Vector2>(s.q) = n.initialCoordinates;
    Eigen::Map<Vector2>(s.v) = n.initialVelocities;
  }
  static Vector3 inSpace(const Real* x) { return {x[0], x[1], 0}; }
  static void motion(const NodePoint2D&, const ConstNodeView& s, Frame& f) {
    f = {inSpace(s.q),    Matrix3::Identity(), inSpace(s.v),
         Vector3::Zero(), inSpace(s.a),        Vector3::Zero()};
  }
};

const RegisterNode<NodePoint2D> registered;

}  // namespace
}  // namespace catena
