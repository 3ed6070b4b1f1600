// Spring-damper along an axis that is fixed in marker 0.
#include "items/rigid_connector.h"

namespace catena {
namespace {

struct ConnectorLinearSpringDamper {
  static constexpr std::string_view typeName = "ConnectorLinearSpringDamper";
  static constexpr std::string_view aliases[] = {"LinearSpringDamper"};
  static constexpr std::string_view summary =
      "spring-damper along an axis of marker 0, for prismatic joints";
  static constexpr std::string_view theory =
      "a = A0 axisMarker0, x = a.(p1 - p0), v = a.(v1 - v0) (the turning of a is neglected: meant "
      "for points that slide along "
      "a): f = k (x - l_off) + d (v - v_off) + f_a acts as -f a on marker 1 and +f a on marker 0, "
      "at the points.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::DisplacementLocal, OutputVariable::VelocityLocal, OutputVariable::ForceLocal};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  Real stiffness = 0;
  Real damping = 0;
  Vector3 axisMarker0 = Vector3::UnitX();
  Real offset = 0;
  Real velocityOffset = 0;
  Real force = 0;
  bool activeConnector = true;
  UserFunction springForceUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorLinearSpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::stiffness>("stiffness", "k", "N/m", "stiffness"),
        field<&T::damping>("damping", "d", "N s/m", "damping"),
        field<&T::axisMarker0>("axisMarker0", "a_0", "", "axis in marker 0, unit length"),
        field<&T::offset>("offset", "l_off", "m", "distance along the axis without spring force"),
        field<&T::velocityOffset>("velocityOffset", "v_off", "m/s", "rate without damping force"),
        field<&T::force>("force", "f_a", "N", "added constant force, tension positive"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        field<&T::springForceUserFunction>("springForceUserFunction", "f", "N",
                                           "replaces f; of t, u = x, v, k, d, offset"),
    };
    return table;
  }

  struct Resolved {
    CompiledFunction function;
  };
  static Resolved resolve(const ConnectorLinearSpringDamper& c, const std::string& where,
                          const AssemblyView&) {
    return {CompiledFunction(c.springForceUserFunction, {"t", "u", "v", "k", "d", "offset"}, 1,
                             where + ": springForceUserFunction")};
  }

  // Axis (world), distance along it and rate.
  template <class S>
  struct Stretch {
    MatrixOf<S, 3> axis;
    std::array<S, 2> lengthAndRate;
  };
  template <class S>
  static Stretch<S> stretch(const ConnectorLinearSpringDamper& c, const PairMotion<S>& motion) {
    const MatrixOf<S, 3> axis = motion.m0.rotation * lift<S>(c.axisMarker0);
    return {axis, {axis.dot(motion.displacement()), axis.dot(motion.velocity())}};
  }
  template <class S>
  static S tension(const ConnectorLinearSpringDamper& c, Resolved& resolved, Real time,
                   const std::array<S, 2>& x) {
    if (!resolved.function.defined())
      return S(c.stiffness) * (x[0] - S(c.offset)) + S(c.damping) * (x[1] - S(c.velocityOffset)) +
             S(c.force);
    Real arguments[] = {time, 0, 0, c.stiffness, c.damping, c.offset};
    S result;
    evaluateLifted<S>(resolved.function, arguments, 1, x, {&result, 1});
    return result;
  }
  template <class S>
  static PairWrench<S> wrench(const ConnectorLinearSpringDamper& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    const Stretch<S> s = stretch<S>(c, motion);
    PairWrench<S> w;
    w.force = s.axis * tension<S>(c, resolved, motion.state.time, s.lengthAndRate);
    return w;
  }
  static bool output(const ConnectorLinearSpringDamper& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const std::array<Real, 2> x = stretch<Real>(c, motion).lengthAndRate;
    switch (variable) {
      case DisplacementLocal:
        setOutput(out, x[0]);
        return true;
      case VelocityLocal:
        setOutput(out, x[1]);
        return true;
      case ForceLocal:
        setOutput(out, c.activeConnector ? tension<Real>(c, resolved, motion.state.time, x) : 0.0);
        return true;
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConnectorBehaviour<ConnectorLinearSpringDamper> {
   public:
    void check(const void* object, const std::string& where) const override {
      const Vector3& axis = static_cast<const ConnectorLinearSpringDamper*>(object)->axisMarker0;
      if (std::abs(axis.norm() - 1) > 1e-6)
        throw ModelError(where + ": axisMarker0 = " + valueText(VectorX(axis)) +
                         " must have length 1");
    }
  };
};

const RegisterObject<ConnectorLinearSpringDamper> registered;

}  // namespace
}  // namespace catena
