// Torque on a rigid marker.
#include "items/load.h"

namespace catena {
namespace {

struct LoadTorqueVector {
  static constexpr std::string_view typeName = "TorqueVector";
  static constexpr std::string_view aliases[] = {"Torque"};
  static constexpr std::string_view summary = "torque on a rigid marker";
  static constexpr std::string_view theory =
      "Q = J_rot^T T with T = loadVector (world), or T = A loadVector if bodyFixed (follower "
      "torque).";

  MarkerIndex markerNumber;
  Vector3 loadVector = Vector3::Zero();
  bool bodyFixed = false;
  UserFunction loadVectorUserFunction;

  static std::span<const Field> fields() {
    using T = LoadTorqueVector;
    static constexpr Field table[] = {
        field<&T::markerNumber>("markerNumber", "", "", "a marker with orientation"),
        field<&T::loadVector>("loadVector", "tau", "N m", "torque"),
        field<&T::bodyFixed>("bodyFixed", "", "",
                             "the torque is given in the axes of the marker and turns with it"),
        field<&T::loadVectorUserFunction>(
            "loadVectorUserFunction", "tau", "N m",
            "replaces the torque, three components; of t, f0, f1, f2 = loadVector"),
    };
    return table;
  }

  static FramePoint resolve(const LoadTorqueVector& load, int number, const std::string&,
                            const AssemblyView& view) {
    return resolveMarker(view, Category::load, number, load.markerNumber, MarkerNeed::orientation)
        .point;
  }
  static bool torqueTurns(const LoadTorqueVector& load, const Vector3&) { return !load.bodyFixed; }
  static bool forceTurns(const LoadTorqueVector&) { return false; }
  static void apply(const LoadTorqueVector& load, const Vector3& torque, const Frame& frame,
                    const Vector3&, LoadWrench& w) {
    w.torque = load.bodyFixed ? torque : Vector3(frame.rotation.transpose() * torque);
    if (!load.bodyFixed) w.torqueByTheta = skew(w.torque);
  }

  using Batch = VectorLoadBatch<LoadTorqueVector>;
};

const RegisterLoad<LoadTorqueVector> registered;

}  // namespace
}  // namespace catena
