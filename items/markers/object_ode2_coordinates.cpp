// All coordinates of an object.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerObjectODE2Coordinates {
  static constexpr std::string_view typeName = "ObjectODE2Coordinates";
  static constexpr std::string_view summary =
      "all coordinates of an object as a vector, with reference values";
  static constexpr std::string_view theory =
      "x = q_ref + q of the nodes of the object, in their order; rate v.";

  ObjectIndex objectNumber;

  static std::span<const Field> fields() {
    using T = MarkerObjectODE2Coordinates;
    static constexpr Field table[] = {
        field<&T::objectNumber>("objectNumber", "", "", "a body or generic object")};
    return table;
  }

  static MarkerBinding bind(const MarkerObjectODE2Coordinates& m, const std::string& where,
                            const AssemblyView& view) {
    if (!m.objectNumber.valid())
      throw ModelError(where + ": objectNumber is missing; give the index of a body");
    const int number = m.objectNumber.value;
    const ObjectBehaviour& object = *view.typeOf(Category::object, number).object;
    const std::vector<NodeIndex> nodes = object.nodes(view.item(Category::object, number));
    if (nodes.empty() && !object.isGround())
      throw ModelError(where + ": " + view.where(Category::object, number) +
                       " has no coordinates of second order");
    return {.vector = std::make_shared<CoordinateVector>(view, nodes)};
  }
};

const RegisterMarker<MarkerObjectODE2Coordinates> registered;

}  // namespace
}  // namespace catena
