// All coordinates of a node.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerNodeCoordinates {
  static constexpr std::string_view typeName = "NodeCoordinates";
  static constexpr std::string_view summary =
      "all coordinates of a node as a vector, with reference values";
  static constexpr std::string_view theory = "x = q_ref + q, rate v; empty for ground nodes.";

  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = MarkerNodeCoordinates;
    static constexpr Field table[] = {field<&T::nodeNumber>("nodeNumber", "", "", "the node")};
    return table;
  }

  static MarkerBinding bind(const MarkerNodeCoordinates& m, const std::string& where,
                            const AssemblyView& view) {
    markerNode(view, m.nodeNumber, where);
    return {.vector =
                std::make_shared<CoordinateVector>(view, std::vector<NodeIndex>{m.nodeNumber})};
  }
};

const RegisterMarker<MarkerNodeCoordinates> registered;

}  // namespace
}  // namespace catena
