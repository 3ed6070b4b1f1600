// Output of a marker.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorMarker {
  static constexpr std::string_view typeName = "Marker";
  static constexpr std::string_view summary = "output of a marker";

  MarkerIndex markerNumber;
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorMarker;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::markerNumber>("markerNumber", "", "", "the measured marker"),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorMarker& s) {
    return {.category = Category::marker,
            .number = s.markerNumber.value,
            .variable = s.outputVariableType};
  }
};

const RegisterSensor<SensorMarker> registered;

}  // namespace
}  // namespace catena
