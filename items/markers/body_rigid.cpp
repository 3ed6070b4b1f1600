// Position and orientation at a point of a body.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerBodyRigid {
  static constexpr std::string_view typeName = "BodyRigid";
  static constexpr std::string_view summary = "position and orientation at a point of a body";
  static constexpr std::string_view theory =
      "p = r + A u with u = localPosition in body axes; orientation A.";

  ObjectIndex bodyNumber;
  Vector3 localPosition = Vector3::Zero();

  static std::span<const Field> fields() {
    using T = MarkerBodyRigid;
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "the body"),
        field<&T::localPosition>("localPosition", "u", "m",
                                 "the point, in body axes from the reference point"),
    };
    return table;
  }

  static MarkerBinding bind(const MarkerBodyRigid& m, const std::string& where,
                            AssemblyView& view) {
    return {.position = true,
            .orientation = true,
            .point = bodyPoint(view, m.bodyNumber, m.localPosition, true, where)};
  }
};

const RegisterMarker<MarkerBodyRigid> registered;

}  // namespace
}  // namespace catena
