// One first order coordinate of a node.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerNodeODE1Coordinate {
  static constexpr std::string_view typeName = "NodeODE1Coordinate";
  static constexpr std::string_view summary =
      "one first order coordinate of a node, without its reference value";
  static constexpr std::string_view theory =
      "y_i, rate y_i'. For Coordinate loads, which add to the rate, and for sensors.";

  NodeIndex nodeNumber;
  int coordinate = -1;

  static std::span<const Field> fields() {
    using T = MarkerNodeODE1Coordinate;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "a GenericODE1 node"),
        field<&T::coordinate>("coordinate", "i", "", "index of the coordinate, from 0", {-1}),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerNodeODE1Coordinate& m, const std::string& where,
                            const AssemblyView& view) {
    const NodeLayout& layout = markerNode(view, m.nodeNumber, where);
    if (layout.firstOrder == 0)
      throw ModelError(where + ": " + view.where(Category::node, m.nodeNumber.value) +
                       " has no first order coordinates; use a GenericODE1 node");
    if (m.coordinate < 0 || m.coordinate >= layout.firstOrder)
      throw ModelError(where + ": coordinate = " + std::to_string(m.coordinate) + " but " +
                       view.where(Category::node, m.nodeNumber.value) +
                       " has the first order coordinates 0 to " +
                       std::to_string(layout.firstOrder - 1));
    MarkerBinding binding = MarkerBinding::ofCoordinate();
    binding.scalar->kind = ScalarCoordinate::Kind::firstOrder;
    binding.scalar->node = m.nodeNumber;
    binding.scalar->component = m.coordinate;
    return binding;
  }
};

const RegisterMarker<MarkerNodeODE1Coordinate> registered;

}  // namespace
}  // namespace catena
