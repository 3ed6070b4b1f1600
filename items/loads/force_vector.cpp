// Force on a point.
#include "items/load.h"

namespace catena {
namespace {

struct LoadForceVector {
  static constexpr std::string_view typeName = "ForceVector";
  static constexpr std::string_view aliases[] = {"Force"};
  static constexpr std::string_view summary = "force on a position marker";
  static constexpr std::string_view theory =
      "Q = J_pos^T F with F = loadVector (world), or F = A loadVector if bodyFixed (follower "
      "force).";

  MarkerIndex markerNumber;
  Vector3 loadVector = Vector3::Zero();
  bool bodyFixed = false;
  UserFunction loadVectorUserFunction;

  static std::span<const Field> fields() {
    using T = LoadForceVector;
    static constexpr Field table[] = {
        field<&T::markerNumber>("markerNumber", "", "", "a position marker; rigid if bodyFixed"),
        field<&T::loadVector>("loadVector", "f", "N", "force"),
        field<&T::bodyFixed>("bodyFixed", "", "",
                             "the force is given in the axes of the marker and turns with it"),
        field<&T::loadVectorUserFunction>(
            "loadVectorUserFunction", "f", "N",
            "replaces the force, three components; of t, f0, f1, f2 = loadVector"),
    };
    return table;
  }

  static FramePoint resolve(const LoadForceVector& load, int number, const std::string&,
                            const AssemblyView& view) {
    return resolveMarker(view, Category::load, number, load.markerNumber,
                         load.bodyFixed ? MarkerNeed::positionAndOrientation : MarkerNeed::position)
        .point;
  }
  static bool torqueTurns(const LoadForceVector& load, const Vector3& u) {
    return !load.bodyFixed && !u.isZero(0);
  }
  static bool forceTurns(const LoadForceVector& load) { return load.bodyFixed; }
  static void apply(const LoadForceVector& load, const Vector3& f, const Frame& frame,
                    const Vector3& u, LoadWrench& w) {
    if (load.bodyFixed) {
      w.force = frame.rotation * f;
      w.torque = u.cross(f);
      w.forceByTheta = -frame.rotation * skew(f);
    } else {
      const Vector3 local = frame.rotation.transpose() * f;
      w.force = f;
      w.torque = u.cross(local);
      w.torqueByTheta = skew(u) * skew(local);
    }
  }

  using Batch = VectorLoadBatch<LoadForceVector>;
};

const RegisterLoad<LoadForceVector> registered;

}  // namespace
}  // namespace catena
