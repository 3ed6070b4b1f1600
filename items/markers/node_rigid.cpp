// Position and orientation of a node.
#include "items/marker.h"
#include "items/slope_frame.h"

namespace catena {
namespace {

struct MarkerNodeRigid {
  static constexpr std::string_view typeName = "NodeRigid";
  static constexpr std::string_view summary = "position and orientation of a node";
  static constexpr std::string_view theory = "Position and orientation of the node.";

  NodeIndex nodeNumber;

  static std::span<const Field> fields() {
    using T = MarkerNodeRigid;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "a node with position and orientation")};
    return table;
  }

  static MarkerBinding bind(const MarkerNodeRigid& m, const std::string& where,
                            AssemblyView& view) {
    const NodeLayout& layout = markerNode(view, m.nodeNumber, where);
    if (!layout.providesOrientation)
      throw ModelError(where + ": " + view.where(Category::node, m.nodeNumber.value) +
                       " has no orientation; use a rigid body node or a NodePosition marker");
    if (!layout.ground && layout.shape.rotations == 0)  // the angle of the slope
      return {.position = true,
              .orientation = true,
              .point = {view.addFrame(std::make_shared<SlopeFrame<2>>(
                            view, std::vector{m.nodeNumber}, where, Vector2(1, 0), Vector2(0, 1))),
                        Vector3::Zero()}};
    return {.position = true,
            .orientation = true,
            .point = {view.place(m.nodeNumber).frame, Vector3::Zero()}};
  }
};

const RegisterMarker<MarkerNodeRigid> registered;

}  // namespace
}  // namespace catena
