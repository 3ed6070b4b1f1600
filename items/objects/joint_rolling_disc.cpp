// A thin disc rolls on a plane without slip.
#include "items/rigid_constraint.h"
#include "items/rolling_disc.h"

namespace catena {
namespace {

struct JointRollingDisc {
  static constexpr std::string_view typeName = "JointRollingDisc";
  static constexpr std::string_view aliases[] = {"RollingDiscJoint"};
  static constexpr std::string_view summary =
      "thin disc (marker 1) rolling on a plane (marker 0) without slip";
  static constexpr std::string_view theory =
      "w1 = A1 discAxis, n = A0 planeNormal, w2 = w1 x n / |w1 x n| (forward), contact point c = "
      "p1 + r w1 x w2, l = n x w2. The "
      "velocity of the disc's contact point relative to the plane body, v1 + w_1 x (c - p1) - v0 - "
      "w_0 x (c - p0), has no "
      "components along l, w2 and n. Non-holonomic: a constraint of velocities only, so the disc "
      "must touch the plane at the "
      "start. ForceLocal = -lambda: force on the disc in (l, w2, n); Position: c; Velocity: of c "
      "along its trail; "
      "RotationMatrix = [l, w2, n]. (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972, "
      "chapter I.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position, OutputVariable::Velocity, OutputVariable::VelocityLocal,
      OutputVariable::ForceLocal, OutputVariable::RotationMatrix};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;
  static constexpr int equationCount = 3;
  static constexpr bool velocityConstraint = true;

  MarkerPair markerNumbers;
  std::array<int, 3> constrainedAxes{1, 1, 1};
  Real discRadius = 0;
  Vector3 discAxis = Vector3::UnitX();
  Vector3 planeNormal = Vector3::UnitZ();
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointRollingDisc;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "",
                                 "rigid markers: a point of the plane, the centre of the disc"),
        field<&T::constrainedAxes>("constrainedAxes", "", "",
                                   "1 = no slip: lateral, forward, normal", Bounds{0, 1}),
        field<&T::discRadius>("discRadius", "r", "m", "radius of the disc", nonNegative),
        field<&T::discAxis>("discAxis", "", "", "axis of the disc in marker 1, unit length"),
        field<&T::planeNormal>("planeNormal", "", "",
                               "normal of the plane in marker 0, unit length"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
    };
    return table;
  }

  std::array<bool, 3> constrained() const {
    return {constrainedAxes[0] != 0, constrainedAxes[1] != 0, constrainedAxes[2] != 0};
  }
  template <class S>
  static RollingDisc<S> disc(const JointRollingDisc& j, const PairMotion<S>& motion) {
    return rollingDisc<S>(motion, j.discRadius, j.discAxis, j.planeNormal);
  }
  template <class S>
  static void rates(const JointRollingDisc& j, const PairMotion<S>& motion, S* g) {
    const RollingDisc<S> d = disc<S>(j, motion);
    for (int k = 0; k < 3; ++k) g[k] = d.slip[k];
  }
  template <class S>
  static PairWrench<S> wrench(const JointRollingDisc& j, const PairMotion<S>& motion,
                              const S* lambda) {
    const RollingDisc<S> d = disc<S>(j, motion);
    return contactWrench<S>(d, d.world(lambda));
  }
  static bool output(const JointRollingDisc& j, const PairMotion<Real>& motion, const Real* lambda,
                     OutputVariable variable, std::vector<Real>& out) {
    using enum OutputVariable;
    const RollingDisc<Real> d = disc<Real>(j, motion);
    const auto trail = [&] {
      return contactTrail(motion, j.discRadius, j.discAxis, j.planeNormal);
    };
    switch (variable) {
      case Position:
        setOutput(out, trail().position);
        return true;
      case Velocity:
        setOutput(out, trail().velocity);
        return true;
      case VelocityLocal:
        setOutput(out, d.slip);
        return true;
      case ForceLocal:
        setOutput(out, Vector3(-lambda[0], -lambda[1], -lambda[2]));
        return true;
      case RotationMatrix: {
        Matrix3 J1;
        J1 << d.lateral, d.forward, d.normal;
        setOutput(out, J1);
        return true;
      }
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConstraintBehaviour<JointRollingDisc> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& j = *static_cast<const JointRollingDisc*>(object);
      checkDisc(j.discRadius, j.discAxis, j.planeNormal, where);
    }
  };
};

const RegisterObject<JointRollingDisc> registered;

}  // namespace
}  // namespace catena
