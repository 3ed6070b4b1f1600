// A point in space and the slope along an axis.
#include "items/slope_node.h"

namespace catena {
namespace {

struct NodePointSlope1 : SlopeNode<3> {
  static constexpr std::string_view typeName = "PointSlope1";
  static constexpr std::string_view summary = "point in space with the slope along one axis";
  static constexpr std::string_view theory =
      "q = (r, r') in the world frame, r the position and r' its derivative by the arc length of "
      "the reference: p = p_ref + q_0..2, slope = q_ref,3..5 + q_3..5.";
};

const RegisterNode<NodePointSlope1> registered;

}  // namespace
}  // namespace catena
