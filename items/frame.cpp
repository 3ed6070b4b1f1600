#include "items/frame.h"

#include "kernels/rotation.h"

namespace catena {

bool frameOutput(const Frame& f, const Matrix3& referenceRotation, const Vector3& referencePosition,
                 const Vector3& u, OutputVariable variable, std::vector<Real>& out) {
  using enum OutputVariable;
  const Matrix3& A = f.rotation;
  const auto acceleration = [&]() -> Vector3 {
    return f.acceleration + A * (f.alpha.cross(u) + f.omega.cross(f.omega.cross(u)));
  };
  const auto velocity = [&]() -> Vector3 { return f.velocity + A * f.omega.cross(u); };
  switch (variable) {
    case Position:
      setOutput(out, referencePosition + f.displacement + A * u);
      return true;
    case Displacement:
      setOutput(out, f.displacement + (A * u - referenceRotation * u));
      return true;
    case Velocity:
      setOutput(out, velocity());
      return true;
    case VelocityLocal:
      setOutput(out, A.transpose() * velocity());
      return true;
    case Acceleration:
      setOutput(out, acceleration());
      return true;
    case AccelerationLocal:
      setOutput(out, A.transpose() * acceleration());
      return true;
    case RotationMatrix:
      setOutput(out, A);
      return true;
    case Rotation:
      setOutput(out, taitBryanFromRotation(A));
      return true;
    case AngularVelocity:
      setOutput(out, f.angularRotation() * f.omega);
      return true;
    case AngularVelocityLocal:
      setOutput(out, f.omega);
      return true;
    case AngularAcceleration:
      setOutput(out, f.angularRotation() * f.alpha);
      return true;
    case AngularAccelerationLocal:
      setOutput(out, f.alpha);
      return true;
    default:
      return false;
  }
}

}  // namespace catena
