// The ground: a fixed frame.
#include "items/connector.h"

namespace catena {
namespace {

struct ObjectGround {
  static constexpr std::string_view typeName = "Ground";
  static constexpr std::string_view summary = "fixed body";
  static constexpr std::string_view theory =
      "Point u of the ground lies at referencePosition + referenceRotation u. No unknowns; forces "
      "on it vanish.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position, OutputVariable::Displacement,   OutputVariable::Velocity,
      OutputVariable::Rotation, OutputVariable::RotationMatrix, OutputVariable::AngularVelocity};

  Vector3 referencePosition = Vector3::Zero();
  Matrix3 referenceRotation = Matrix3::Identity();

  static std::span<const Field> fields() {
    using T = ObjectGround;
    static constexpr Field table[] = {
        field<&T::referencePosition>("referencePosition", "p", "m",
                                     "position of the origin of the body"),
        field<&T::referenceRotation>("referenceRotation", "A", "", "rotation matrix of the body"),
    };
    return table;
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    bool isGround() const override { return true; }
    Frame groundFrame(const void* object) const override {
      return {Vector3::Zero(), static_cast<const ObjectGround*>(object)->referenceRotation,
              Vector3::Zero(), Vector3::Zero(),
              Vector3::Zero(), Vector3::Zero()};
    }
    Vector3 groundPosition(const void* object) const override {
      return static_cast<const ObjectGround*>(object)->referencePosition;
    }
    void check(const void* object, const std::string& where) const override {
      const Matrix3& A = static_cast<const ObjectGround*>(object)->referenceRotation;
      if ((A.transpose() * A - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-6)
        throw ModelError(where + ": referenceRotation = " + valueText(MatrixX(A)) +
                         " is not a rotation matrix (A^T A != I)");
    }
  };
};

const RegisterObject<ObjectGround> registered;

}  // namespace
}  // namespace catena
