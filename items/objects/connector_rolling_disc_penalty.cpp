// A thin disc on a plane: penalty contact with anisotropic friction.
#include "items/rolling_disc.h"

namespace catena {
namespace {

struct ConnectorRollingDiscPenalty {
  static constexpr std::string_view typeName = "ConnectorRollingDiscPenalty";
  static constexpr std::string_view aliases[] = {"RollingDiscPenalty"};
  static constexpr std::string_view summary =
      "thin disc (marker 1) on a plane (marker 0): contact stiffness, damping and friction";
  static constexpr std::string_view theory =
      "Geometry as JointRollingDisc: contact point c, directions l, w2, n, slip v = (v_l, v_2, "
      "v_n) of the disc's contact point. "
      "Gap g = n.(c - p0); in contact f_n = -(k g + d v_n). Friction -f_n phi R^T diag(mu + mu_v "
      "|v_t|) R e with v_t = (v_l, v_2), "
      "e = v_t / |v_t|, R the rotation by dryFrictionAngle; in the proportional zone |v_t| <= v_mu "
      "phi = x = |v_t| / v_mu "
      "(linear) or phi = (2 - x) x, outside phi = 1. Data values: slip v_l, v_2 and gap of the "
      "last converged Newton run; they "
      "decide about contact (gap < 0), sliding and its direction while Newton runs. "
      "rollingFrictionViscous mu_r: force mu_r f_n "
      "against the tangential velocity of the centre, in the centre. ForceLocal: force on the disc "
      "in (l, w2, n).";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position, OutputVariable::Velocity, OutputVariable::VelocityLocal,
      OutputVariable::ForceLocal, OutputVariable::RotationMatrix};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Real discRadius = 0;
  Vector3 discAxis = Vector3::UnitX();
  Vector3 planeNormal = Vector3::UnitZ();
  Real dryFrictionAngle = 0;
  Real contactStiffness = 0;
  Real contactDamping = 0;
  Vector2 dryFriction = Vector2::Zero();
  Real dryFrictionProportionalZone = 0;
  Vector2 viscousFriction = Vector2::Zero();
  Real rollingFrictionViscous = 0;
  bool useLinearProportionalZone = false;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorRollingDiscPenalty;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "",
                                 "rigid markers: a point of the plane, the centre of the disc"),
        field<&T::nodeNumber>("nodeNumber", "", "",
                              "GenericData node with three values: slip (2), gap"),
        field<&T::discRadius>("discRadius", "r", "m", "radius of the disc", nonNegative),
        field<&T::discAxis>("discAxis", "", "", "axis of the disc in marker 1, unit length"),
        field<&T::planeNormal>("planeNormal", "", "",
                               "normal of the plane in marker 0, unit length"),
        field<&T::dryFrictionAngle>(
            "dryFrictionAngle", "alpha", "rad",
            "angle of the principal directions of friction, e.g. of mecanum wheels"),
        field<&T::contactStiffness>("contactStiffness", "k", "N/m", "normal contact stiffness",
                                    nonNegative),
        field<&T::contactDamping>("contactDamping", "d", "N s/m", "normal contact damping",
                                  nonNegative),
        field<&T::dryFriction>("dryFriction", "mu", "",
                               "coefficients of dry friction, lateral and forward"),
        field<&T::dryFrictionProportionalZone>("dryFrictionProportionalZone", "v_mu", "m/s",
                                               "slip up to which friction is regularised",
                                               nonNegative),
        field<&T::viscousFriction>("viscousFriction", "mu_v", "s/m",
                                   "increase of the coefficients with the slip"),
        field<&T::rollingFrictionViscous>("rollingFrictionViscous", "mu_r", "s/m",
                                          "coefficient of rolling friction"),
        field<&T::useLinearProportionalZone>(
            "useLinearProportionalZone", "", "",
            "linear instead of quadratic growth of friction with the slip"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
    };
    return table;
  }

  struct Resolved {
    int data = -1;
  };
  static Resolved resolve(const ConnectorRollingDiscPenalty& c, const std::string& where,
                          const AssemblyView& view) {
    return {dataOf(view, c.nodeNumber, 3, where, true)};
  }

  template <class S>
  struct Contact {
    RollingDisc<S> disc;
    MatrixOf<S, 3> force;         // on the disc, in J1, without rolling friction
    MatrixOf<S, 3> rollingForce;  // on the centre of the disc, world
  };
  // data: slip (2) and gap that decide; without contact forces are zero.
  template <class S>
  static Contact<S> contact(const ConnectorRollingDiscPenalty& c, const Real* data,
                            const PairMotion<S>& motion) {
    using V = MatrixOf<S, 3>;
    Contact<S> k;
    k.disc = rollingDisc<S>(motion, c.discRadius, c.discAxis, c.planeNormal);
    k.force = k.rollingForce = V::Constant(S(0));
    if (!(data[2] < 0)) return k;
    const S normal = -(S(c.contactStiffness) * k.disc.gap + S(c.contactDamping) * k.disc.slip[2]);
    using std::abs;
    const MatrixOf<S, 2> tangential = friction<S>(c, data, k.disc.slip, abs(normal));
    k.force = V(tangential[0], tangential[1], normal);
    const V tangent = k.disc.centre - k.disc.normal * k.disc.centre.dot(k.disc.normal);
    k.rollingForce = tangent * (-S(c.rollingFrictionViscous) * abs(normal));
    return k;
  }
  template <class S>
  static MatrixOf<S, 2> friction(const ConnectorRollingDiscPenalty& c, const Real* data,
                                 const MatrixOf<S, 3>& slip, const S& normal) {
    using std::sqrt;
    using V2 = MatrixOf<S, 2>;
    const Real zone = c.dryFrictionProportionalZone, last = std::hypot(data[0], data[1]);
    const S speed2 = slip[0] * slip[0] + slip[1] * slip[1];
    const S speed = valueOf(speed2) > 0 ? sqrt(speed2) : S(0);
    V2 e;  // phi times the direction
    if (last <= zone) {
      if (zone == 0) return V2(S(0), S(0));  // no slip yet, so no direction
      const S factor = (c.useLinearProportionalZone ? S(1) : S(2) - speed / S(zone)) / S(zone);
      e = V2(slip[0] * factor, slip[1] * factor);
    } else {
      e = V2(S(data[0] / last), S(data[1] / last));
    }
    const Real cosine = std::cos(c.dryFrictionAngle), sine = std::sin(c.dryFrictionAngle);
    const V2 turned(S(cosine) * e[0] - S(sine) * e[1], S(sine) * e[0] + S(cosine) * e[1]);
    V2 f;
    for (int i = 0; i < 2; ++i)
      f[i] = -normal * (S(c.dryFriction[i]) + S(c.viscousFriction[i]) * speed) * turned[i];
    return V2(S(cosine) * f[0] + S(sine) * f[1], S(-sine) * f[0] + S(cosine) * f[1]);
  }

  template <class S>
  static PairWrench<S> wrench(const ConnectorRollingDiscPenalty& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    using V = MatrixOf<S, 3>;
    const Contact<S> k = contact<S>(c, motion.state.data.data() + resolved.data, motion);
    PairWrench<S> w = contactWrench<S>(k.disc, V(-k.disc.world(k.force.data())));
    // the rolling force acts between the centre of the disc and the plane body there
    w.force -= k.rollingForce;
    w.torque0 += motion.displacement().cross(k.rollingForce);
    return w;
  }

  static bool isDiscontinuous(const ConnectorRollingDiscPenalty& c, const Resolved&) {
    return c.activeConnector;
  }
  static ElementBatch::PostNewton postNewton(const ConnectorRollingDiscPenalty& c,
                                             Resolved& resolved, const PairMotion<Real>& motion,
                                             const State&, State& state) {
    Real* data = state.data.data() + resolved.data;
    const Contact<Real> before = contact<Real>(c, data, motion);
    const Real gap = before.disc.gap;
    Real error = gap * data[2] < 0 ? c.contactStiffness * std::abs(gap) : 0;
    data[0] = before.disc.slip[0];
    data[1] = before.disc.slip[1];
    data[2] = gap;
    if (error == 0 && gap < 0) {
      const Contact<Real> after = contact<Real>(c, data, motion);
      error = (after.force - before.force).head<2>().norm();
    }
    return {error, -1};
  }

  static bool output(const ConnectorRollingDiscPenalty& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const Contact<Real> k = contact<Real>(c, motion.state.data.data() + resolved.data, motion);
    const auto trail = [&] {
      return contactTrail(motion, c.discRadius, c.discAxis, c.planeNormal);
    };
    switch (variable) {
      case Position:
        setOutput(out, trail().position);
        return true;
      case Velocity:
        setOutput(out, trail().velocity);
        return true;
      case VelocityLocal:
        setOutput(out, k.disc.slip);
        return true;
      case ForceLocal:
        setOutput(out, c.activeConnector ? k.force : Vector3(Vector3::Zero()));
        return true;
      case RotationMatrix: {
        Matrix3 J1;
        J1 << k.disc.lateral, k.disc.forward, k.disc.normal;
        setOutput(out, J1);
        return true;
      }
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConnectorBehaviour<ConnectorRollingDiscPenalty> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ConnectorRollingDiscPenalty*>(object);
      checkDisc(c.discRadius, c.discAxis, c.planeNormal, where);
    }
  };
};

const RegisterObject<ConnectorRollingDiscPenalty> registered;

}  // namespace
}  // namespace catena
