// Output of an object, e.g. a connector.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorObject {
  static constexpr std::string_view typeName = "Object";
  static constexpr std::string_view summary = "output of an object, e.g. a connector";

  ObjectIndex objectNumber;
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorObject;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::objectNumber>("objectNumber", "", "", "the measured object"),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorObject& s) {
    return {.category = Category::object,
            .number = s.objectNumber.value,
            .variable = s.outputVariableType};
  }
};

const RegisterSensor<SensorObject> registered;

}  // namespace
}  // namespace catena
