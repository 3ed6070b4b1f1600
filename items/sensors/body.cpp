// Output of a body at a point.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorBody {
  static constexpr std::string_view typeName = "Body";
  static constexpr std::string_view summary = "output of a body at a point";

  ObjectIndex bodyNumber;
  Vector3 localPosition = Vector3::Zero();
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorBody;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::bodyNumber>("bodyNumber", "", "", "the measured body"),
        field<&T::localPosition>("localPosition", "u", "m", "point of the body, in body axes"),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorBody& s) {
    return {.category = Category::object,
            .number = s.bodyNumber.value,
            .variable = s.outputVariableType,
            .atPoint = true,
            .localPosition = s.localPosition};
  }
};

const RegisterSensor<SensorBody> registered;

}  // namespace
}  // namespace catena
