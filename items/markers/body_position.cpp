// Position of a point of a body.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerBodyPosition {
  static constexpr std::string_view typeName = "BodyPosition";
  static constexpr std::string_view summary = "position of a point of a body";
  static constexpr std::string_view theory = "p = r + A u with u = localPosition in body axes.";

  ObjectIndex bodyNumber;
  Vector3 localPosition = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = MarkerBodyPosition;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "the body"),
        field<&T::localPosition>("localPosition", "u", "m",
                                 "the point, in body axes from the reference point"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerBodyPosition& m, const std::string& where,
                            AssemblyView& view) {
    return {.position = true,
            .point = bodyPoint(view, m.bodyNumber, m.localPosition, false, where)};
  }
};

const RegisterMarker<MarkerBodyPosition> registered;

}  // namespace
}  // namespace catena
