// One rotation of a node.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerNodeRotationCoordinate {
  static constexpr std::string_view typeName = "NodeRotationCoordinate";
  static constexpr std::string_view summary = "rotation of a node about one axis";
  static constexpr std::string_view theory =
      "x = Tait-Bryan angle i of the node, rate = world angular velocity component i; meant for "
      "rotation about one axis, "
      "where the rate is the derivative of the angle.";

  NodeIndex nodeNumber;
  int rotationCoordinate = -1;

  static std::span<const Field> fields() {
    using T = MarkerNodeRotationCoordinate;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "a node with orientation"),
        field<&T::rotationCoordinate>("rotationCoordinate", "i", "", "0 = x, 1 = y, 2 = z",
                                      {-1, 2}),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerNodeRotationCoordinate& m, const std::string& where,
                            const AssemblyView& view) {
    const NodeLayout& layout = markerNode(view, m.nodeNumber, where);
    MarkerBinding binding = MarkerBinding::ofCoordinate();
    if (layout.ground) return binding;
    if (!layout.providesOrientation || layout.shape.rotations == 0)
      throw ModelError(where + ": " + view.where(Category::node, m.nodeNumber.value) +
                       " has no orientation");
    if (m.rotationCoordinate < 0)
      throw ModelError(where + ": rotationCoordinate = " + std::to_string(m.rotationCoordinate) +
                       " must be 0, 1 or 2");
    binding.scalar->kind = ScalarCoordinate::Kind::rotation;
    binding.scalar->node = m.nodeNumber;
    binding.scalar->component = m.rotationCoordinate;
    return binding;
  }
};

const RegisterMarker<MarkerNodeRotationCoordinate> registered;

}  // namespace
}  // namespace catena
