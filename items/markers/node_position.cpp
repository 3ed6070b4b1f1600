// Position of a node.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerNodePosition {
  static constexpr std::string_view typeName = "NodePosition";
  static constexpr std::string_view summary = "position of a node";
  static constexpr std::string_view theory = "p = position of the node.";

  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = MarkerNodePosition;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "a node with position")};
    return table;
  }

  static MarkerBinding bind(const MarkerNodePosition& m, const std::string& where,
                            const AssemblyView& view) {
    if (!markerNode(view, m.nodeNumber, where).providesPosition)
      throw ModelError(where + ": " + view.where(Category::node, m.nodeNumber.value) +
                       " has no position");
    return {.position = true, .point = {view.place(m.nodeNumber).frame, Vector3::Zero()}};
  }
};

const RegisterMarker<MarkerNodePosition> registered;

}  // namespace
}  // namespace catena
