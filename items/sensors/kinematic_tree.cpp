// Output of a link of a kinematic tree at a point.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorKinematicTree {
  static constexpr std::string_view typeName = "KinematicTree";
  static constexpr std::string_view summary = "output of a link of a kinematic tree at a point";

  ObjectIndex objectNumber;
  int linkNumber = -1;
  Vector3 localPosition = Vector3::Zero();
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorKinematicTree;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::objectNumber>("objectNumber", "", "", "the kinematic tree"),
        field<&T::linkNumber>("linkNumber", "", "", "the measured link, from 0", Bounds{-1}),
        field<&T::localPosition>("localPosition", "u", "m",
                                 "point of the link, in link axes from its joint"),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorKinematicTree& s) {
    return {.category = Category::object,
            .number = s.objectNumber.value,
            .variable = s.outputVariableType,
            .atPoint = true,
            .part = std::max(0, s.linkNumber),
            .localPosition = s.localPosition};
  }
};

const RegisterSensor<SensorKinematicTree> registered;

}  // namespace
}  // namespace catena
