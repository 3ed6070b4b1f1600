// Prismatic joint along the x axis of its frame.
#include "items/joint.h"

namespace catena {
namespace {

struct JointPrismaticX {
  static constexpr std::string_view typeName = "JointPrismaticX";
  static constexpr std::string_view aliases[] = {"PrismaticJointX"};
  static constexpr std::string_view summary = "prismatic joint along the local x axis";
  static constexpr std::string_view theory =
      "The y and z components of AJ0^T (p1 - p0) and z0.y1, z0.x1, x0.y1 vanish, with AJ0 = A0 "
      "rotationMarker0, AJ1 = A1 "
      "rotationMarker1. ForceLocal = (0, lambda_0, lambda_1), TorqueLocal = (lambda_2, lambda_3, "
      "lambda_4): force and "
      "torque on marker 0.";
  static constexpr auto& outputs = jointOutputs;

  MarkerPair markerNumbers;
  Matrix3 rotationMarker0 = Matrix3::Identity();
  Matrix3 rotationMarker1 = Matrix3::Identity();
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointPrismaticX;
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
    d.axes = {{false, true, true}, {true, true, true}};
    d.rotation0 = rotationMarker0;
    d.rotation1 = rotationMarker1;
    d.active = activeConnector;
    return d;
  }

  using Behaviour = JointBehaviour<JointPrismaticX>;
};

const RegisterObject<JointPrismaticX> registered;

}  // namespace
}  // namespace catena
