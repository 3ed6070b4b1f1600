// Revolute joint about the z axis of its frame.
#include "items/joint.h"

namespace catena {
namespace {

struct JointRevoluteZ {
  static constexpr std::string_view typeName = "JointRevoluteZ";
  static constexpr std::string_view aliases[] = {"RevoluteJointZ"};
  static constexpr std::string_view summary = "revolute joint about the local z axis";
  static constexpr std::string_view theory =
      "p1 - p0 = 0 (world), z0.x1 = 0, z0.y1 = 0 with AJ0 = A0 rotationMarker0, AJ1 = A1 "
      "rotationMarker1. ForceLocal = AJ0^T "
      "(lambda_0, lambda_1, lambda_2), TorqueLocal = (lambda_3, lambda_4, 0): force and torque on "
      "marker 0.";
  static constexpr auto& outputs = jointOutputs;

  MarkerPair markerNumbers;
  Matrix3 rotationMarker0 = Matrix3::Identity();
  Matrix3 rotationMarker1 = Matrix3::Identity();
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointRevoluteZ;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::rotationMarker0>("rotationMarker0", "R_0", "", "joint frame in marker 0"),
        field<&T::rotationMarker1>("rotationMarker1", "R_1", "", "joint frame in marker 1"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
    };
    return table;
  }

  JointDefinition definition() const {
    JointDefinition d;
    d.markers = markerNumbers;
    d.axes = {{true, true, true}, {true, true, false}};
    d.rotation0 = rotationMarker0;
    d.rotation1 = rotationMarker1;
    d.active = activeConnector;
    return d;
  }

  using Behaviour = JointBehaviour<JointRevoluteZ>;
};

const RegisterObject<JointRevoluteZ> registered;

}  // namespace
}  // namespace catena
