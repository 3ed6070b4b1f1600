// All coordinates of a planar cable.
#include "items/marked_cable.h"

namespace catena {
namespace {

struct MarkerBodyCable2DCoordinates {
  static constexpr std::string_view typeName = "BodyCable2DCoordinates";
  static constexpr std::string_view summary =
      "all eight coordinates of a planar cable as a vector, with reference values";
  static constexpr std::string_view theory =
      "x = q_ref + q of both nodes: position and slope of each; rate v.";

  ObjectIndex bodyNumber;

  static std::span<const Field> fields() {
    using T = MarkerBodyCable2DCoordinates;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "an ANCFCable2D")};
    return table;
  }

  static MarkerBinding bind(const MarkerBodyCable2DCoordinates& m, const std::string& where,
                            const AssemblyView& view) {
    const int body = markedCable2D(view, m.bodyNumber, where).value;
    return {
        .vector = std::make_shared<CoordinateVector>(
            view,
            view.typeOf(Category::object, body).object->nodes(view.item(Category::object, body)))};
  }
};

const RegisterMarker<MarkerBodyCable2DCoordinates> registered;

}  // namespace
}  // namespace catena
