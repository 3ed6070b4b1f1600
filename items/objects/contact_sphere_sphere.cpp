// Contact of two spheres, or of a sphere in a hollow sphere.
#include "items/rigid_connector.h"

namespace catena {
namespace {

struct ContactSphereSphere {
  static constexpr std::string_view typeName = "ContactSphereSphere";
  static constexpr std::string_view summary =
      "contact of two spheres or of a sphere in a hollow one: elastic, impact and adhesion models, "
      "friction";
  static constexpr std::string_view theory =
      "h = 1, or -1 for a hollow sphere 1: gap g = h |p1 - p0| - (r_0 + h r_1), n = h (p1 - p0) / "
      "|p1 - p0|, delta = -g, v_n = n.(v1 "
      "- v0), x = sign(delta) |delta|^m. Normal force f (positive pushes the spheres apart): "
      "impactModel 0: k x; 1 (Hunt, "
      "Crossley 1975): k x + lambda x v_n, lambda = 1.5 (e - 1) k / v_-; 2 (Gonthier et al. 2004, "
      "e > 1/3): lambda = 1.5 (e - 1) "
      "(11 - e) / (1 + 9 e) k / v_-, else (e^2 - 1) / e k / v_-; always - d v_n. v_- is the speed "
      "of approach at first touch, at "
      "least minimumImpactVelocity. With contactPlasticityRatio a > 0 and impactModel 0 the "
      "edge-adhesion-plasticity model "
      "(Luding, Granular Matter 10, 2008): k_2 = k / (1 - a), y = sign(delta_p) |delta_p|^m; k x "
      "if k_2 (x - y) >= k x, else k_2 (x - "
      "y) down to -k_adh delta^b; minus the pull-off force. Friction: -mu f v_t / max(|v_t|, v_mu) "
      "on sphere 1, v_t the "
      "tangential relative velocity in the contact point. Data values: gap, |v_t|, speed of "
      "approach, plastic overlap delta_p "
      "of the last converged Newton run; they decide about contact (gap < 0) and sliding while "
      "Newton runs. Force and Torque are "
      "the force on the left-hand side of sphere 1 (-f n ..., negative in compression) and the "
      "torque on that of sphere 0; Displacement p1 - p0, DisplacementLocal g, "
      "Velocity the relative velocity in the contact point, zero without contact.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position, OutputVariable::Displacement, OutputVariable::DisplacementLocal,
      OutputVariable::Velocity, OutputVariable::Force,        OutputVariable::Director1,
      OutputVariable::Torque};
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Vector2 spheresRadii{-1, -1};
  bool isHollowSphere1 = false;
  Real dynamicFriction = 0;
  Real frictionProportionalZone = 1e-3;
  Real contactStiffness = 0;
  Real contactDamping = 0;
  Real contactStiffnessExponent = 1;
  Real constantPullOffForce = 0;
  Real contactPlasticityRatio = 0;
  Real adhesionCoefficient = 0;
  Real adhesionExponent = 1;
  Real restitutionCoefficient = 1;
  Real minimumImpactVelocity = 0;
  int impactModel = 0;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ContactSphereSphere;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "",
                                 "rigid markers at the centres of the spheres"),
        field<&T::nodeNumber>(
            "nodeNumber", "", "",
            "GenericData node with four values; start the first, the gap, positive"),
        field<&T::spheresRadii>("spheresRadii", "r_0, r_1", "m", "radii of the spheres",
                                nonNegative),
        field<&T::isHollowSphere1>("isHollowSphere1", "", "",
                                   "sphere 0 is inside the hollow sphere 1"),
        field<&T::dynamicFriction>("dynamicFriction", "mu", "", "coefficient of friction",
                                   nonNegative),
        field<&T::frictionProportionalZone>("frictionProportionalZone", "v_mu", "m/s",
                                            "slip up to which friction is proportional",
                                            nonNegative),
        field<&T::contactStiffness>("contactStiffness", "k", "N/m^m", "contact stiffness",
                                    nonNegative),
        field<&T::contactDamping>("contactDamping", "d", "N s/m", "contact damping", nonNegative),
        field<&T::contactStiffnessExponent>("contactStiffnessExponent", "m", "",
                                            "exponent of the overlap; 1.5 for Hertz", positive),
        field<&T::constantPullOffForce>("constantPullOffForce", "f_0", "N", "constant adhesion",
                                        nonNegative),
        field<&T::contactPlasticityRatio>("contactPlasticityRatio", "a", "",
                                          "ratio of plastic to largest overlap; 0: no plasticity",
                                          Bounds{0, 0.999999}),
        field<&T::adhesionCoefficient>("adhesionCoefficient", "k_adh", "N/m^b",
                                       "adhesion stiffness", nonNegative),
        field<&T::adhesionExponent>("adhesionExponent", "b", "",
                                    "exponent of the overlap in adhesion", nonNegative),
        field<&T::restitutionCoefficient>("restitutionCoefficient", "e", "",
                                          "restitution of impact models 1, 2", positive),
        field<&T::minimumImpactVelocity>("minimumImpactVelocity", "", "m/s",
                                         "least speed of approach in impact models 1, 2",
                                         nonNegative),
        field<&T::impactModel>("impactModel", "", "", "0: none, 1: Hunt-Crossley, 2: Gonthier",
                               Bounds{0, 2}),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
    };
    return table;
  }

  struct Resolved {
    int data = -1;
    std::string where;
  };
  static Resolved resolve(const ContactSphereSphere& c, const std::string& where,
                          const AssemblyView& view) {
    return {dataOf(view, c.nodeNumber, 4, where, true), where};
  }

  Real side() const { return isHollowSphere1 ? -1 : 1; }

  template <class S>
  struct Approach {
    MatrixOf<S, 3> n, velocity;  // velocity: relative, in the contact point if there is friction
    MatrixOf<S, 3> lever0, lever1;
    S gap, normalVelocity;
    MatrixOf<S, 3> slip() const { return velocity - n * normalVelocity; }
  };
  template <class S>
  static Approach<S> approach(const ContactSphereSphere& c, const Resolved& resolved,
                              const PairMotion<S>& motion) {
    using std::sqrt;
    using V = MatrixOf<S, 3>;
    const Real h = c.side();
    const V dp = motion.displacement();
    const S distance2 = dp.dot(dp);
    if (!(valueOf(distance2) > 0))
      throw ModelError(resolved.where +
                       ": the distance of its markers is 0, so the contact has no direction");
    const S distance = sqrt(distance2);
    Approach<S> a;
    a.n = dp * (S(h) / distance);
    a.gap = S(h) * distance - S(c.spheresRadii[0] + h * c.spheresRadii[1]);
    a.lever0 = a.n * (S(c.spheresRadii[0]) + a.gap * S(0.5));
    a.lever1 = a.n * (-S(h * c.spheresRadii[1]) - a.gap * S(0.5));
    a.velocity = motion.velocity();
    if (c.dynamicFriction != 0)
      a.velocity +=
          motion.angularVelocity1().cross(a.lever1) - motion.angularVelocity0().cross(a.lever0);
    a.normalVelocity = a.velocity.dot(a.n);
    return a;
  }

  template <class S>
  static S power(const S& x, Real exponent) {  // sign(x) |x|^exponent
    using std::pow;
    if (exponent == 1 || valueOf(x) == 0) return x;
    return valueOf(x) > 0 ? S(pow(x, exponent)) : S(-pow(S(-x), exponent));
  }
  template <class S>
  static S normalForce(const ContactSphereSphere& c, const Real* data, const Approach<S>& a) {
    const S delta = -a.gap, x = power<S>(delta, c.contactStiffnessExponent);
    const Real k = c.contactStiffness;
    S f = S(k) * x;
    if (c.impactModel != 0) {
      const Real approachSpeed = std::max(c.minimumImpactVelocity, data[2]);
      if (approachSpeed != 0) f += S(c.dissipation() * k / approachSpeed) * x * a.normalVelocity;
    } else if (c.contactPlasticityRatio != 0) {
      f = plasticForce<S>(c, data[3], delta, x);
    }
    return f - S(c.contactDamping) * a.normalVelocity;
  }
  Real dissipation() const {  // lambda v_- / k
    const Real e = restitutionCoefficient;
    if (impactModel == 1) return 1.5 * (e - 1);
    return e > 1.0 / 3 ? 1.5 * (e - 1) * (11 - e) / (1 + 9 * e) : (e * e - 1) / e;
  }
  template <class S>
  static S plasticForce(const ContactSphereSphere& c, Real plasticOverlap, const S& delta,
                        const S& x) {
    const Real k2 = c.contactStiffness / (1 - c.contactPlasticityRatio);
    const Real y = power<Real>(plasticOverlap, c.contactStiffnessExponent);
    const S loading = S(c.contactStiffness) * x, unloading = S(k2) * (x - S(y));
    const S adhesion = S(-c.adhesionCoefficient) * power<S>(delta, c.adhesionExponent);
    S f = adhesion;
    if (unloading >= loading)
      f = loading;
    else if (unloading > adhesion)
      f = unloading;
    return f - S(c.constantPullOffForce);
  }
  // Friction on sphere 1. The data value decides about sliding.
  template <class S>
  static MatrixOf<S, 3> friction(const ContactSphereSphere& c, const Real* data,
                                 const Approach<S>& a, const S& f) {
    using std::sqrt;
    using V = MatrixOf<S, 3>;
    const V slip = a.slip();
    if (c.dynamicFriction == 0) return V::Constant(S(0));
    S speed = S(c.frictionProportionalZone);
    if (data[1] > c.frictionProportionalZone) {  // sliding; without slip it has no direction
      const Real least = std::max(1e-3 * c.frictionProportionalZone, 1e-12);
      const S speed2 = slip.dot(slip);
      speed = valueOf(speed2) > least * least ? sqrt(speed2) : S(least);
    }
    if (valueOf(speed) == 0) return V::Constant(S(0));
    return slip * (S(-c.dynamicFriction) * f / speed);
  }

  template <class S>
  static PairWrench<S> wrenchOf(const ContactSphereSphere& c, const Real* data,
                                const Approach<S>& a) {
    using V = MatrixOf<S, 3>;
    PairWrench<S> w;
    if (!(data[0] < 0)) return w;
    const S f = normalForce<S>(c, data, a);
    w.force = -V(a.n * f + friction<S>(c, data, a, f));
    w.torque1 = a.lever1.cross(w.force);
    w.torque0 = -V(a.lever0.cross(w.force));
    return w;
  }
  template <class S>
  static PairWrench<S> wrench(const ContactSphereSphere& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    return wrenchOf<S>(c, motion.state.data.data() + resolved.data,
                       approach<S>(c, resolved, motion));
  }

  static bool isDiscontinuous(const ContactSphereSphere& c, const Resolved&) {
    return c.activeConnector;
  }
  static ElementBatch::PostNewton postNewton(const ContactSphereSphere& c, Resolved& resolved,
                                             const PairMotion<Real>& motion, const State& start,
                                             State& state) {
    const Approach<Real> a = approach<Real>(c, resolved, motion);
    const Real* before = start.data.data() + resolved.data;
    Real* data = state.data.data() + resolved.data;
    ElementBatch::PostNewton result;
    const bool contact = a.gap < 0;
    // without contact the turning of the spheres does not count
    const Vector3 velocity = contact ? a.velocity : motion.velocity();
    const Real slip = (velocity - a.n * a.normalVelocity).norm();
    if (contact != (data[0] < 0)) {
      result.error = std::abs(a.gap * c.contactStiffness);
      if (a.normalVelocity != 0) result.recommendedStep = std::abs(before[0] / a.normalVelocity);
    }
    if (contact && (slip > c.frictionProportionalZone) != (data[1] > c.frictionProportionalZone) &&
        c.frictionProportionalZone > 0)
      result.error = std::max(result.error, c.frictionChange(data, a, slip));
    data[0] = a.gap;
    data[1] = slip;
    data[2] = contact && !(before[0] < 0) ? -a.normalVelocity : before[2];
    data[3] =
        contact
            ? std::max(std::pow(c.contactPlasticityRatio, 1 / c.contactStiffnessExponent) * -a.gap,
                       before[3])
            : 0;
    return result;
  }
  // How much friction changes when sliding starts or ends.
  Real frictionChange(const Real* data, const Approach<Real>& a, Real slip) const {
    return std::abs(dynamicFriction * normalForce<Real>(*this, data, a) *
                    (slip / frictionProportionalZone - 1));
  }

  static bool output(const ContactSphereSphere& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const Real* data = motion.state.data.data() + resolved.data;
    const Approach<Real> a = approach<Real>(c, resolved, motion);
    const PairWrench<Real> w = c.activeConnector ? wrenchOf<Real>(c, data, a) : PairWrench<Real>{};
    switch (variable) {
      case Position:
        setOutput(out, motion.position0() + a.lever0);
        return true;
      case Displacement:
        setOutput(out, motion.displacement());
        return true;
      case DisplacementLocal:
        setOutput(out, a.gap);
        return true;
      case Velocity:
        setOutput(out, data[0] < 0 ? a.velocity : Vector3(Vector3::Zero()));
        return true;
      case Force:
        setOutput(out, w.force);
        return true;
      case Torque:
        setOutput(out, w.torque0);
        return true;
      case Director1:
        setOutput(out, a.n);
        return true;
      default:
        return false;
    }
  }

  class Behaviour final : public RigidConnectorBehaviour<ContactSphereSphere> {
   public:
    void check(const void* object, const std::string& where) const override {
      const Vector2& r = static_cast<const ContactSphereSphere*>(object)->spheresRadii;
      if (!(r[0] >= 0 && r[1] >= 0))
        throw ModelError(where + ": spheresRadii = " + valueText(VectorX(r)) +
                         " m must be given and >= 0");
    }
  };
};

const RegisterObject<ContactSphereSphere> registered;

}  // namespace
}  // namespace catena
