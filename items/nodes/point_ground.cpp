// A fixed point without coordinates.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodePointGround {
  static constexpr std::string_view typeName = "PointGround";
  static constexpr std::string_view summary =
      "fixed point without coordinates, for markers on ground";
  static constexpr std::string_view theory =
      "p = p_ref, identity rotation. Coordinate markers on it measure 0; forces and multipliers on "
      "it vanish. One "
      "ground node serves any number of coordinate connectors.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position,
                                               OutputVariable::Displacement,
                                               OutputVariable::Velocity,
                                               OutputVariable::RotationMatrix,
                                               OutputVariable::Rotation,
                                               OutputVariable::AngularVelocity,
                                               OutputVariable::AngularVelocityLocal};

  Vector3 referenceCoordinates = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = NodePointGround;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "p_ref", "m", "position"),
    };
    return table;
  }

  static NodeLayout layout(const NodePointGround&) {
    return {
        .hasFrame = true, .providesPosition = true, .providesOrientation = true, .ground = true};
  }
  static Vector3 referencePosition(const NodePointGround& n) { return n.referenceCoordinates; }
  static void initialState(const NodePointGround&, const NodeView&) {}
  static void motion(const NodePointGround&, const ConstNodeView&, Frame& f) {
    f = {Vector3::Zero(), Matrix3::Identity(), Vector3::Zero(),
         Vector3::Zero(), Vector3::Zero(),     Vector3::Zero()};
  }
};

const RegisterNode<NodePointGround> registered;

}  // namespace
}  // namespace catena
