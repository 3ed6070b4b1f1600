// A point in the x-y plane and the slope along an axis.
#include "items/slope_node.h"

namespace catena {
namespace {

struct NodePoint2DSlope1 : SlopeNode<2> {
  static constexpr std::string_view typeName = "Point2DSlope1";
  static constexpr std::string_view aliases[] = {"Point2DS1"};
  static constexpr std::string_view summary =
      "point in the x-y plane with the slope along one axis";
  static constexpr std::string_view theory =
      "q = (x, y, x', y') in the world frame, x' and y' the derivatives by the arc length of the "
      "reference: p = p_ref + (q_0, q_1, 0), slope = q_ref,2..3 + q_2..3.";
};

const RegisterNode<NodePoint2DSlope1> registered;

}  // namespace
}  // namespace catena
