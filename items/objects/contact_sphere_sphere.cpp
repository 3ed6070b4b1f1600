// Contact of two spheres, or of a sphere in a hollow sphere.
#include "items/contact_output.h"

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
      "Velocity the relative velocity in the contact point, zero without contact. "
      "A dampingModel other than 'impactModel' replaces impactModel, contactPlasticityRatio and "
      "constantPullOffForce by the normal force of docs/contact.md, which decides about contact by "
      "the gap itself and then needs no node. The other laws of friction and the rolling "
      "resistance are those of docs/contact.md too, with 1/R = 1/r_0 + h/r_1. The contact point is "
      "p1 - n (h r_1 + lambda g).";
  static constexpr auto outputs =
      joined(std::to_array({OutputVariable::DisplacementLocal, OutputVariable::Velocity,
                            OutputVariable::Force, OutputVariable::Torque}),
             std::to_array(contactOutputs));
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Vector2 spheresRadii{-1, -1};
  bool isHollowSphere1 = false;
  ContactParameters law{.contactStiffnessExponent = 1,
                        .dampingModel = "impactModel",
                        .frictionModel = "coulomb",
                        .frictionRegularization = "linear"};
  Real constantPullOffForce = 0;
  Real contactPlasticityRatio = 0;
  Real adhesionCoefficient = 0;
  Real adhesionExponent = 1;
  Real minimumImpactVelocity = 0;
  int impactModel = 0;
  Real contactPointRatio = 0.5;
  bool localizeTouchDown = false;
  bool activeConnector = true;

  static constexpr std::string_view dampings[] = {"impactModel", "none", "linear", "huntCrossley",
                                                  "restitution"};
  static std::span<const Field> fields() {
    using T = ContactSphereSphere;
    static constexpr auto table = joined(
        joined(
            std::array{
                field<&T::markerNumbers>("markerNumbers", "", "",
                                         "rigid markers at the centres of the spheres"),
                field<&T::nodeNumber>(
                    "nodeNumber", "", "",
                    "GenericData node with four values; start the first, the gap, positive. Needed "
                    "for dampingModel 'impactModel' and for restitution without impactVelocity"),
                field<&T::spheresRadii>("spheresRadii", "r_0, r_1", "m", "radii of the spheres",
                                        nonNegative),
                field<&T::isHollowSphere1>("isHollowSphere1", "", "",
                                           "sphere 0 is inside the hollow sphere 1"),
            },
            contactFields<&T::law>(dampings)),
        std::array{
            field<&T::constantPullOffForce>("constantPullOffForce", "f_0", "N", "constant adhesion",
                                            nonNegative),
            field<&T::contactPlasticityRatio>(
                "contactPlasticityRatio", "a", "",
                "ratio of plastic to largest overlap; 0: no plasticity", Bounds{0, 0.999999}),
            field<&T::adhesionCoefficient>("adhesionCoefficient", "k_adh", "N/m^b",
                                           "adhesion stiffness", nonNegative),
            field<&T::adhesionExponent>("adhesionExponent", "b", "",
                                        "exponent of the overlap in adhesion", nonNegative),
            field<&T::minimumImpactVelocity>("minimumImpactVelocity", "", "m/s",
                                             "least speed of approach in impact models 1, 2",
                                             nonNegative),
            field<&T::impactModel>("impactModel", "", "", "0: none, 1: Hunt-Crossley, 2: Gonthier",
                                   Bounds{0, 2}),
            field<&T::contactPointRatio>(
                "contactPointRatio", "lambda", "",
                "contact point: 0 on the undeformed sphere 1, 1 on sphere 0, 0.5 in the middle",
                Bounds{0, 1}),
            field<&T::localizeTouchDown>("localizeTouchDown", "", "",
                                         "end steps where the contact opens or closes; not with "
                                         "dampingModel 'impactModel'"),
            field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        });
    return table;
  }

  struct Resolved : ContactRecord {
    int data = -1;
  };
  static Resolved resolve(const ContactSphereSphere& c, const std::string& where,
                          const AssemblyView& view) {
    Resolved r;
    r.where = where + " between " + view.where(Category::marker, c.markerNumbers[0].value) +
              " and " + view.where(Category::marker, c.markerNumbers[1].value);
    const Vector2& radii = c.spheresRadii;
    const Real curvature = 1 / radii[0] + c.side() / radii[1];
    r.smallestRadius = radii.minCoeff();
    r.law = ContactLaw(c.law, radii.minCoeff() > 0 && curvature > 0 ? 1 / curvature : 0, where);
    r.data = dataOf(view, c.nodeNumber, 4, where, c.usesData() || r.law.needsImpactSpeed());
    if (!c.usesData() && r.data >= 0) r.speedData = r.data + 2;
    return r;
  }
  // The relative velocity: without contact or friction the turning of the spheres does not count.
  Vector3 velocity(bool contact, const ContactMotion<Real>& m,
                   const PairMotion<Real>& motion) const {
    return contact && law.dynamicFriction != 0 ? m.velocity : motion.velocity();
  }
  bool usesData() const { return law.dampingModel == "impactModel"; }
  Real side() const { return isHollowSphere1 ? -1 : 1; }

  template <class S>
  static ContactMotion<S> contact(const ContactSphereSphere& c, const Resolved& resolved,
                                  const PairMotion<S>& motion) {
    return sphereOnSphere<S>(motion, c.spheresRadii[0], c.spheresRadii[1], c.side(),
                             c.contactPointRatio, resolved.where);
  }

  // The impact models 0, 1, 2 and the plastic one.
  template <class S>
  static S normalForce(const ContactSphereSphere& c, const Resolved& resolved, const Real* data,
                       const ContactMotion<S>& m) {
    const ContactParameters& p = c.law;
    const Real k = resolved.law.stiffness;
    const S depth = -m.gap, rate = -m.gapRate;
    Real b = 0;
    if (c.impactModel != 0) {
      const Real approachSpeed = std::max(c.minimumImpactVelocity, data[2]);
      if (approachSpeed != 0) b = c.dissipation() / approachSpeed;
    } else if (c.contactPlasticityRatio != 0) {
      return plasticForce<S>(c, k, data[3], depth) + S(p.contactDamping) * rate;
    }
    return penaltyForce<S>(depth, rate, k, p.contactStiffnessExponent, b, S(p.contactDamping));
  }
  Real dissipation() const {  // lambda v_- / k
    const Real e = law.restitutionCoefficient;
    if (impactModel == 1) return 1.5 * (1 - e);
    return e > 1.0 / 3 ? 1.5 * (1 - e) * (11 - e) / (1 + 9 * e) : (1 - e * e) / e;
  }
  template <class S>
  static S plasticForce(const ContactSphereSphere& c, Real k, Real plasticOverlap, const S& delta) {
    const Real k2 = k / (1 - c.contactPlasticityRatio);
    const Real e = c.law.contactStiffnessExponent, y = signedPower(plasticOverlap, e);
    const S x = signedPower(delta, e);
    const S loading = S(k) * x, unloading = S(k2) * (x - S(y));
    const S adhesion = S(-c.adhesionCoefficient) * signedPower(delta, c.adhesionExponent);
    S f = adhesion;
    if (unloading >= loading)
      f = loading;
    else if (unloading > adhesion)
      f = unloading;
    return f - S(c.constantPullOffForce);
  }

  template <class S>
  static ContactForces<S> forces(const ContactSphereSphere& c, const Resolved& resolved,
                                 const State& state, const ContactMotion<S>& m) {
    ContactForces<S> f;
    if (!c.activeConnector) return f;
    if (!c.usesData()) {
      f.normal = resolved.law.normalForce<S>(m.gap, m.gapRate, resolved.impactSpeed(state));
      if (valueOf(f.normal) > 0)
        resolved.law.addFriction<S>(m.n, m.gap, m.velocity, m.angularVelocity, Sliding::free, f);
      return f;
    }
    const Real* data = state.data.data() + resolved.data;
    if (!(data[0] < 0)) return f;
    f.normal = normalForce<S>(c, resolved, data, m);
    resolved.law.addFriction<S>(
        m.n, m.gap, m.velocity, m.angularVelocity,
        data[1] > c.law.frictionProportionalZone ? Sliding::sliding : Sliding::sticking, f);
    return f;
  }
  template <class S>
  static PairWrench<S> wrench(const ContactSphereSphere& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    const ContactMotion<S> m = contact<S>(c, resolved, motion);
    return contactWrench(m, forces<S>(c, resolved, motion.state, m));
  }

  static bool isDiscontinuous(const ContactSphereSphere& c, const Resolved& resolved) {
    return c.activeConnector &&
           (c.usesData() || c.localizeTouchDown || resolved.law.needsImpactSpeed());
  }
  static ElementBatch::PostNewton postNewton(const ContactSphereSphere& c, Resolved& resolved,
                                             const PairMotion<Real>& motion, const State& start,
                                             State& state) {
    const ContactMotion<Real> m = contact<Real>(c, resolved, motion);
    if (!c.usesData()) return resolved.postNewton(m, c.localizeTouchDown, start, state);
    const Real* before = start.data.data() + resolved.data;
    Real* data = state.data.data() + resolved.data;
    const Real zone = c.law.frictionProportionalZone;
    ElementBatch::PostNewton result;
    const bool contact = m.gap < 0;
    const Vector3 velocity = c.velocity(contact, m, motion);
    const Real slip = (velocity - m.n * m.gapRate).norm();
    if (contact != (data[0] < 0)) {
      result.error = std::abs(m.gap * resolved.law.stiffness);
      if (m.gapRate != 0) result.recommendedStep = std::abs(before[0] / m.gapRate);
    }
    if (contact && (slip > zone) != (data[1] > zone) && zone > 0)  // sliding starts or ends
      result.error = std::max(
          result.error, std::abs(c.law.dynamicFriction * normalForce<Real>(c, resolved, data, m) *
                                 (slip / zone - 1)));
    data[0] = m.gap;
    data[1] = slip;
    data[2] = contact && !(before[0] < 0) ? -m.gapRate : before[2];
    data[3] =
        contact ? std::max(std::pow(c.contactPlasticityRatio, 1 / c.law.contactStiffnessExponent) *
                               -m.gap,
                           before[3])
                : 0;
    return result;
  }
  static void stepAccepted(const ContactSphereSphere& c, Resolved& resolved,
                           const PairMotion<Real>& motion, Real h) {
    if (c.activeConnector && !c.usesData())
      resolved.stepAccepted(contact<Real>(c, resolved, motion), h);
  }
  static void warnings(const Resolved& resolved, std::vector<std::string>& out) {
    resolved.warnings(out);
  }

  static bool output(const ContactSphereSphere& c, Resolved& resolved,
                     const PairMotion<Real>& motion, OutputVariable variable,
                     std::vector<Real>& out) {
    using enum OutputVariable;
    const ContactMotion<Real> m = contact<Real>(c, resolved, motion);
    const ContactForces<Real> f = forces<Real>(c, resolved, motion.state, m);
    const bool touching = c.usesData() ? motion.state.data[resolved.data] < 0 : valueOf(m.gap) < 0;
    switch (variable) {
      case DisplacementLocal:
        setOutput(out, m.gap);
        return true;
      case Velocity:
        setOutput(out, touching ? c.velocity(true, m, motion) : Vector3(Vector3::Zero()));
        return true;
      case Force:
        setOutput(out, contactWrench(m, f).force);
        return true;
      case Torque:
        setOutput(out, contactWrench(m, f).torque0);
        return true;
      default:
        return contactOutput(resolved.law, motion, m, f, variable, out);
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
