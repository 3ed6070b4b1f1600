// Revolute joint in the x-y plane.
#include "items/joint.h"

namespace catena {
namespace {

struct JointRevolute2D {
  static constexpr std::string_view typeName = "JointRevolute2D";
  static constexpr std::string_view aliases[] = {"RevoluteJoint2D"};
  static constexpr std::string_view summary = "revolute joint in the x-y plane";
  static constexpr std::string_view theory =
      "The x and y components of p1 - p0 vanish (world axes). Force = (lambda_0, lambda_1, 0): the "
      "force on marker 0.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position, OutputVariable::Velocity,
                                               OutputVariable::Displacement, OutputVariable::Force};

  MarkerPair markerNumbers;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointRevolute2D;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
    };
    return table;
  }

  JointDefinition definition() const {
    JointDefinition d;
    d.markers = markerNumbers;
    d.need = MarkerNeed::position;
    d.axes = {{true, true, false}, {false, false, false}};
    d.active = activeConnector;
    return d;
  }

  using Behaviour = JointBehaviour<JointRevolute2D>;
};

const RegisterObject<JointRevolute2D> registered;

}  // namespace
}  // namespace catena
