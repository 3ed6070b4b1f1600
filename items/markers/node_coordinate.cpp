// One coordinate of a node.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerNodeCoordinate {
  static constexpr std::string_view typeName = "NodeCoordinate";
  static constexpr std::string_view summary =
      "one coordinate of a node, without its reference value";
  static constexpr std::string_view theory =
      "x = q_i (displacement), rate v_i; 0 for ground nodes.";

  NodeIndex nodeNumber;
  int coordinate = -1;

  static std::span<const Field> fields() {
    using T = MarkerNodeCoordinate;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "the node"),
        field<&T::coordinate>("coordinate", "i", "", "index of the coordinate, from 0", {-1}),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerNodeCoordinate& m, const std::string& where,
                            const AssemblyView& view) {
    const NodeLayout& layout = markerNode(view, m.nodeNumber, where);
    MarkerBinding binding = MarkerBinding::ofCoordinate();
    if (layout.ground) return binding;
    if (m.coordinate < 0 || m.coordinate >= layout.coordinates)
      throw ModelError(where + ": coordinate = " + std::to_string(m.coordinate) + " but " +
                       view.where(Category::node, m.nodeNumber.value) +
                       " has the coordinates 0 to " + std::to_string(layout.coordinates - 1));
    binding.scalar->kind = ScalarCoordinate::Kind::node;
    binding.scalar->node = m.nodeNumber;
    binding.scalar->component = m.coordinate;
    return binding;
  }
};

const RegisterMarker<MarkerNodeCoordinate> registered;

}  // namespace
}  // namespace catena
