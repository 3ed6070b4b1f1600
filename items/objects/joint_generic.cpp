// Joint with any subset of translations and rotations fixed.
#include "items/joint.h"

namespace catena {
namespace {

struct JointGeneric {
  static constexpr std::string_view typeName = "JointGeneric";
  static constexpr std::string_view aliases[] = {"GenericJoint"};
  static constexpr std::string_view summary =
      "joint that fixes any of three translations and three rotations";
  static constexpr std::string_view theory =
      "Joint frames AJ0 = A0 rotationMarker0, AJ1 = A1 rotationMarker1 with axes x, y, z. "
      "Translations: all three fixed: "
      "p1 - p0 = offset (world axes); else the fixed components of AJ0^T (p1 - p0) = offset. "
      "Rotations: three fixed: "
      "z0.y1, z0.x1, x0.y1 = 0; two fixed, F free: F0.a1, F0.b1 = 0; one fixed, f < g free: f0.g1 "
      "= 0. The offset "
      "function gives three translations and the Tait-Bryan angles that turn AJ0 from the right. "
      "ForceLocal, TorqueLocal: multipliers, the force and torque on marker 0 in AJ0.";
  static constexpr auto& outputs = jointOutputs;

  MarkerPair markerNumbers;
  std::array<int, 6> constrainedAxes{1, 1, 1, 1, 1, 1};
  Matrix3 rotationMarker0 = Matrix3::Identity();
  Matrix3 rotationMarker1 = Matrix3::Identity();
  bool activeConnector = true;
  Vector6 offsetUserFunctionParameters = Vector6::Zero();
  UserFunction offsetUserFunction;
  UserFunction offsetUserFunction_t;

  static std::span<const Field> fields() {
    using T = JointGeneric;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::constrainedAxes>("constrainedAxes", "", "",
                                   "1 = fixed, 0 = free: three translations, three rotations",
                                   {0, 1}),
        field<&T::rotationMarker0>("rotationMarker0", "R_0", "", "joint frame in marker 0"),
        field<&T::rotationMarker1>("rotationMarker1", "R_1", "", "joint frame in marker 1"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
        field<&T::offsetUserFunctionParameters>("offsetUserFunctionParameters", "p", "",
                                                "values handed to the offset"),
        field<&T::offsetUserFunction>("offsetUserFunction", "", "m, rad",
                                      "six components of t, p0 ... p5: translations and angles"),
        field<&T::offsetUserFunction_t>(
            "offsetUserFunction_t", "", "m/s, rad/s",
            "time derivative of offsetUserFunction, for explicit methods, initial accelerations "
            "and constraints on velocity level; if missing, from differences of "
            "offsetUserFunction"),
    };
    return table;
  }

  JointDefinition definition() const {
    JointDefinition d;
    d.markers = markerNumbers;
    for (int k = 0; k < 3; ++k) {
      d.axes.translation[k] = constrainedAxes[k];
      d.axes.rotation[k] = constrainedAxes[3 + k];
    }
    d.rotation0 = rotationMarker0;
    d.rotation1 = rotationMarker1;
    d.active = activeConnector;
    d.offset = &offsetUserFunction;
    d.offsetRate = &offsetUserFunction_t;
    d.offsetParameters = offsetUserFunctionParameters;
    return d;
  }

  using Behaviour = JointBehaviour<JointGeneric>;
};

const RegisterObject<JointGeneric> registered;

}  // namespace
}  // namespace catena
