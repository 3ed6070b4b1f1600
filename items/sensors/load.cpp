// Value of a load.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorLoad {
  static constexpr std::string_view typeName = "Load";
  static constexpr std::string_view summary = "value of a load";

  LoadIndex loadNumber;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorLoad;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::loadNumber>("loadNumber", "", "", "the measured load"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorLoad& s) {
    return {.category = Category::load, .number = s.loadNumber.value};
  }
};

const RegisterSensor<SensorLoad> registered;

}  // namespace
}  // namespace catena
