// Output of a node.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorNode {
  static constexpr std::string_view typeName = "Node";
  static constexpr std::string_view summary = "output of a node";

  NodeIndex nodeNumber;
  OutputVariable outputVariableType = OutputVariable::None;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorNode;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "", "the measured node"),
        field<&T::outputVariableType>("outputVariableType", "", "", "the measured quantity"),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorNode& s) {
    return {
        .category = Category::node, .number = s.nodeNumber.value, .variable = s.outputVariableType};
  }
};

const RegisterSensor<SensorNode> registered;

}  // namespace
}  // namespace catena
