// Prismatic joint in the x-y plane.
#include "items/rigid_constraint.h"

namespace catena {
namespace {

struct JointPrismatic2D {
  static constexpr std::string_view typeName = "JointPrismatic2D";
  static constexpr std::string_view aliases[] = {"PrismaticJoint2D"};
  static constexpr std::string_view summary =
      "prismatic joint in the x-y plane, with locked or free rotation";
  static constexpr std::string_view theory =
      "t = A0 axisMarker0, n = A1 normalMarker1: the points stay on a line fixed in marker 1, g_0 "
      "= n.(p1 - p0) = 0, and the "
      "axis stays along it, g_1 = t.n = 0 (only with constrainRotation). lambda_0 n is a force, "
      "lambda_1 t x n a torque on "
      "marker 0: Force = lambda_0 n (world), TorqueLocal = lambda_1. (Haug 1989, section 3.3.)";
  static constexpr OutputVariable outputs[] = {OutputVariable::Position, OutputVariable::Velocity,
                                               OutputVariable::Displacement, OutputVariable::Force,
                                               OutputVariable::TorqueLocal};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;
  static constexpr int equationCount = 2;
  static constexpr bool velocityConstraint = false;

  MarkerPair markerNumbers;
  Vector3 axisMarker0 = Vector3::UnitX();
  Vector3 normalMarker1 = Vector3::UnitY();
  bool constrainRotation = true;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = JointPrismatic2D;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::axisMarker0>("axisMarker0", "t_0", "",
                               "direction of sliding in marker 0, unit length"),
        field<&T::normalMarker1>("normalMarker1", "n_1", "",
                                 "normal to the sliding direction in marker 1, unit length"),
        field<&T::constrainRotation>("constrainRotation", "", "",
                                     "also lock the relative rotation"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the joint off (lambda = 0)"),
    };
    return table;
  }

  std::array<bool, 2> constrained() const { return {true, constrainRotation}; }

  template <class S>
  static void equations(const JointPrismatic2D& j, const PairMotion<S>& motion, S* g) {
    using V = MatrixOf<S, 3>;
    const V t = motion.m0.rotation * lift<S>(j.axisMarker0),
            n = motion.m1.rotation * lift<S>(j.normalMarker1);
    g[0] = n.dot(motion.displacement());
    g[1] = t.dot(n);
  }
  template <class S>
  static void rates(const JointPrismatic2D& j, const PairMotion<S>& motion, S* g) {
    using V = MatrixOf<S, 3>;
    const V t = motion.m0.rotation * lift<S>(j.axisMarker0),
            n = motion.m1.rotation * lift<S>(j.normalMarker1);
    const V tRate = motion.angularVelocity0().cross(t), nRate = motion.angularVelocity1().cross(n);
    g[0] = n.dot(motion.velocity()) + nRate.dot(motion.displacement());
    g[1] = tRate.dot(n) + t.dot(nRate);
  }
  template <class S>
  static PairWrench<S> wrench(const JointPrismatic2D& j, const PairMotion<S>& motion,
                              const S* lambda) {
    using V = MatrixOf<S, 3>;
    const V t = motion.m0.rotation * lift<S>(j.axisMarker0),
            n = motion.m1.rotation * lift<S>(j.normalMarker1);
    PairWrench<S> w;
    w.force = n * lambda[0];
    w.torque0 = V(t.cross(n)) * lambda[1];
    w.torque1 = V(n.cross(motion.displacement())) * lambda[0] - w.torque0;
    return w;
  }

  static bool output(const JointPrismatic2D& j, const PairMotion<Real>& motion, const Real* lambda,
                     OutputVariable variable, std::vector<Real>& out) {
    using enum OutputVariable;
    switch (variable) {
      case Position:
        setOutput(out, motion.position0());
        return true;
      case Velocity:
        setOutput(out, motion.velocity0());
        return true;
      case Displacement:
        setOutput(out, motion.displacement());
        return true;
      case Force:
        setOutput(out, lambda[0] * (motion.m1.rotation * j.normalMarker1));
        return true;
      case TorqueLocal:
        setOutput(out, lambda[1]);
        return true;
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConstraintBehaviour<JointPrismatic2D> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& j = *static_cast<const JointPrismatic2D*>(object);
      for (const Vector3* v : {&j.axisMarker0, &j.normalMarker1})
        if (std::abs(v->norm() - 1) > 1e-6)
          throw ModelError(where + ": " + (v == &j.axisMarker0 ? "axisMarker0" : "normalMarker1") +
                           " = " + valueText(VectorX(*v)) + " must have length 1");
    }
  };
};

const RegisterObject<JointPrismatic2D> registered;

}  // namespace
}  // namespace catena
