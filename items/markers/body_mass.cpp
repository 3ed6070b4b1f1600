// The mass of a body, for mass-proportional loads.
#include "items/marker.h"

namespace catena {
namespace {

struct MarkerBodyMass {
  static constexpr std::string_view typeName = "BodyMass";
  static constexpr std::string_view summary = "the mass of a body, for mass-proportional loads";
  static constexpr std::string_view theory = "Mass and centre of mass of the body.";

  ObjectIndex bodyNumber;

  static std::span<const Field> fields() {
    using T = MarkerBodyMass;
    static constexpr Field table[] = {field<&T::bodyNumber>("bodyNumber", "", "", "the body")};
    return table;
  }

  static MarkerBinding bind(const MarkerBodyMass& m, const std::string& where,
                            const AssemblyView& view) {
    const FramePoint origin = bodyPoint(view, m.bodyNumber, Vector3::Zero(), false, where);
    return {.mass = true, .point = origin, .body = m.bodyNumber};
  }
};

const RegisterMarker<MarkerBodyMass> registered;

}  // namespace
}  // namespace catena
