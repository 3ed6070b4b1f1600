// Torsional spring-damper about the z axis of a joint frame.
#include "items/rigid_connector.h"
#include "items/scalar_coordinate.h"

namespace catena {
namespace {

struct ConnectorTorsionalSpringDamper {
  static constexpr std::string_view typeName = "ConnectorTorsionalSpringDamper";
  static constexpr std::string_view aliases[] = {"TorsionalSpringDamper"};
  static constexpr std::string_view summary = "torsional spring-damper about the local z axis";
  static constexpr std::string_view theory =
      "AJ0 = A0 rotationMarker0, AJ1 = A1 rotationMarker1, R = AJ0^T AJ1: theta = atan2(-R_01, "
      "R_00), the angle about the z "
      "axis of AJ0, w = z.(w1 - w0) with world angular velocities. With a data node of one value "
      "theta is continued "
      "beyond +-pi: the branch nearest to the stored angle, which is updated after every converged "
      "Newton run. tau = k "
      "(theta - theta_off) + d (w - w_off) + tau_a acts as -tau z on marker 1 and +tau z on marker "
      "0. It is assumed that "
      "a joint keeps the other two rotations small.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Rotation, OutputVariable::AngularVelocityLocal, OutputVariable::TorqueLocal};
  static constexpr MarkerNeed need = MarkerNeed::orientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Real stiffness = 0;
  Real damping = 0;
  Matrix3 rotationMarker0 = Matrix3::Identity();
  Matrix3 rotationMarker1 = Matrix3::Identity();
  Real offset = 0;
  Real velocityOffset = 0;
  Real torque = 0;
  bool activeConnector = true;
  UserFunction springTorqueUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorTorsionalSpringDamper;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two rigid markers"),
        field<&T::nodeNumber>("nodeNumber", "", "",
                              "GenericData node with one value that continues the angle; -1: none"),
        field<&T::stiffness>("stiffness", "k", "N m/rad", "torsional stiffness"),
        field<&T::damping>("damping", "d", "N m s/rad", "torsional damping"),
        field<&T::rotationMarker0>("rotationMarker0", "R_0", "", "connector frame in marker 0"),
        field<&T::rotationMarker1>("rotationMarker1", "R_1", "", "connector frame in marker 1"),
        field<&T::offset>("offset", "theta_off", "rad", "angle without spring torque"),
        field<&T::velocityOffset>("velocityOffset", "w_off", "rad/s",
                                  "rate without damping torque"),
        field<&T::torque>("torque", "tau_a", "N m", "added constant torque"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no torque"),
        field<&T::springTorqueUserFunction>("springTorqueUserFunction", "tau", "N m",
                                            "replaces tau; of t, u = theta, v = w, k, d, offset"),
    };
    return table;
  }

  struct Resolved {
    CompiledFunction function;
    int data = -1;
  };
  static Resolved resolve(const ConnectorTorsionalSpringDamper& c, const std::string& where,
                          const AssemblyView& view) {
    return {CompiledFunction(c.springTorqueUserFunction, {"t", "u", "v", "k", "d", "offset"}, 1,
                             where + ": springTorqueUserFunction"),
            dataOf(view, c.nodeNumber, 1, where)};
  }

  // Axis z of AJ0 (world), angle and rate.
  template <class S>
  struct Twist {
    MatrixOf<S, 3> axis;
    std::array<S, 2> angleAndRate;
  };
  template <class S>
  static Twist<S> twist(const ConnectorTorsionalSpringDamper& c, const Resolved& resolved,
                        const PairMotion<S>& motion) {
    using std::atan2;
    using V = MatrixOf<S, 3>;
    const MatrixOf<S, 3, 3> AJ0 = motion.m0.rotation * lift<S>(c.rotationMarker0);
    const MatrixOf<S, 3, 3> AJ1 = motion.m1.rotation * lift<S>(c.rotationMarker1);
    const V x0 = AJ0.col(0);
    S angle = atan2(S(-x0.dot(V(AJ1.col(1)))), S(x0.dot(V(AJ1.col(0)))));
    if (resolved.data >= 0)
      angle += S(continuedAngle(valueOf(angle), motion.state.data[resolved.data]) - valueOf(angle));
    const V axis = AJ0.col(2);
    return {axis, {angle, axis.dot(motion.angularVelocity())}};
  }
  template <class S>
  static S torqueOf(const ConnectorTorsionalSpringDamper& c, Resolved& resolved, Real time,
                    const std::array<S, 2>& x) {
    if (!resolved.function.defined())
      return S(c.stiffness) * (x[0] - S(c.offset)) + S(c.damping) * (x[1] - S(c.velocityOffset)) +
             S(c.torque);
    Real arguments[] = {time, 0, 0, c.stiffness, c.damping, c.offset};
    S result;
    evaluateLifted<S>(resolved.function, arguments, 1, x, {&result, 1});
    return result;
  }
  template <class S>
  static PairWrench<S> wrench(const ConnectorTorsionalSpringDamper& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    const Twist<S> t = twist<S>(c, resolved, motion);
    PairWrench<S> w;
    w.torque1 = t.axis * torqueOf<S>(c, resolved, motion.state.time, t.angleAndRate);
    w.torque0 = -w.torque1;
    return w;
  }

  static bool isDiscontinuous(const ConnectorTorsionalSpringDamper&, const Resolved& resolved) {
    return resolved.data >= 0;
  }
  static ElementBatch::PostNewton postNewton(const ConnectorTorsionalSpringDamper& c,
                                             Resolved& resolved, const PairMotion<Real>& motion,
                                             const State&, State& state) {
    state.data[resolved.data] = twist<Real>(c, resolved, motion).angleAndRate[0];
    return {};
  }

  static bool output(const ConnectorTorsionalSpringDamper& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const std::array<Real, 2> x = twist<Real>(c, resolved, motion).angleAndRate;
    switch (variable) {
      case Rotation:
        setOutput(out, x[0]);
        return true;
      case AngularVelocityLocal:
        setOutput(out, x[1]);
        return true;
      case TorqueLocal:
        setOutput(out, c.activeConnector ? torqueOf<Real>(c, resolved, motion.state.time, x) : 0.0);
        return true;
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConnectorBehaviour<ConnectorTorsionalSpringDamper> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ConnectorTorsionalSpringDamper*>(object);
      checkRotation(c.rotationMarker0, "rotationMarker0", where);
      checkRotation(c.rotationMarker1, "rotationMarker1", where);
    }
  };
};

const RegisterObject<ConnectorTorsionalSpringDamper> registered;

}  // namespace
}  // namespace catena
