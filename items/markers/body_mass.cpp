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

  static MarkerBinding bind(const MarkerBodyMass& m, const std::string& where, AssemblyView& view) {
    if (m.bodyNumber.valid()) {
      const int body = m.bodyNumber.value;
      if (std::shared_ptr<const DependentFrame> centre =
              view.typeOf(Category::object, body)
                  .object->massFrame(view.item(Category::object, body), where, view))
        return {.mass = true,
                .body = m.bodyNumber,
                .point = {view.addFrame(std::move(centre)), Vector3::Zero()}};
    }
    const FramePoint origin = bodyPoint(view, m.bodyNumber, Vector3::Zero(), false, where);
    return {.mass = true, .body = m.bodyNumber, .point = origin};
  }
};

const RegisterMarker<MarkerBodyMass> registered;

}  // namespace
}  // namespace catena
