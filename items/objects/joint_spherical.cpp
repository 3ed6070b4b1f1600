// Spherical joint.
#include "items/joint.h"

namespace catena {
namespace {

struct JointSpherical {
  static constexpr std::string_view typeName = "JointSpherical";
  static constexpr std::string_view aliases[] = {"SphericalJoint"};
  static constexpr std::string_view summary = "spherical joint between two points";
  static constexpr std::string_view theory =
      "p1 - p0 = 0 for the constrained world axes. Force = lambda (world): the force on marker 0.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position, OutputVariable::Velocity,
                                               OutputVariable::Displacement, OutputVariable::Force};

  MarkerPair markerNumbers;
  std::array<int, 3> constrainedAxes{1, 1, 1};
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointSpherical;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::constrainedAxes>("constrainedAxes", "", "", "1 = fixed, 0 = free, world axes",
                                   {0, 1}),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
    };
    return table;
  }

  JointDefinition definition() const {
    JointDefinition d;
    d.markers = markerNumbers;
    d.need = MarkerNeed::position;
    for (int k = 0; k < 3; ++k) d.axes.translation[k] = constrainedAxes[k];
    d.active = activeConnector;
    return d;
  }

  using Behaviour = JointBehaviour<JointSpherical>;
};

const RegisterObject<JointSpherical> registered;

}  // namespace
}  // namespace catena
