// Output of a node of a mesh.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorSuperElement {
  static constexpr std::string_view typeName = "SuperElement";
  static constexpr std::string_view summary = "output of a node of the mesh of a body";

  ObjectIndex bodyNumber;
  int meshNodeNumber = -1;
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorSuperElement;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "a GenericODE2 on nodes with positions"),
        field<&T::meshNodeNumber>("meshNodeNumber", "", "",
                                  "number within the mesh, from 0 in the order of nodeNumbers",
                                  Bounds{-1}),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorSuperElement& s) {
    return {.category = Category::object,
            .number = s.bodyNumber.value,
            .variable = s.outputVariableType,
            .atPoint = true,
            .part = std::max(0, s.meshNodeNumber)};
  }
};

const RegisterSensor<SensorSuperElement> registered;

}  // namespace
}  // namespace catena
