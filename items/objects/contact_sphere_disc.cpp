// Contact of a sphere with a plane or a disc.
#include "items/contact_output.h"

namespace catena {
namespace {

struct ContactSphereDisc {
  static constexpr std::string_view typeName = "ContactSphereDisc";
  static constexpr std::string_view summary =
      "contact of a sphere with a plane or a disc: Hertz pressure, damping, friction coupled to "
      "spin, rolling resistance";
  static constexpr std::string_view theory =
      "Marker 0 carries the plane with normal n = A0 planeNormal, marker 1 is the centre of the "
      "sphere. Gap g = n.(p1 - p0) - R, contact where g < 0 and, for a disc, |r - n (n.r)| <= "
      "discRadius with r = p1 - p0; with rimContact a sphere beyond touches the nearest point of "
      "the rim. Contact point c = p1 - (R + lambda g) n. The forces are those of docs/contact.md. "
      "With localizeTouchDown a step over which the contact opens or closes is "
      "repeated, shortened to end there.";
  static constexpr auto& outputs = contactOutputs;
  static constexpr MarkerNeed need = MarkerNeed::positionAndOrientation;

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Real sphereRadius = 0;
  Vector3 planeNormal{0, 0, 1};
  Real discRadius = 0;
  bool rimContact = false;
  Real contactPointRatio = 0;
  ContactParameters law;
  bool localizeTouchDown = true;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ContactSphereDisc;
    static constexpr auto table = joined(
        joined(
            std::array{
                field<&T::markerNumbers>(
                    "markerNumbers", "", "",
                    "rigid markers: on the plane, at the centre of the sphere"),
                field<&T::nodeNumber>("nodeNumber", "", "",
                                      "GenericData node with one value, the speed at "
                                      "touch-down of the present contact; only for restitution "
                                      "without impactVelocity"),
                field<&T::sphereRadius>("sphereRadius", "R", "m", "radius of the sphere", positive),
                field<&T::planeNormal>("planeNormal", "", "",
                                       "normal of the plane in marker 0, towards the sphere"),
                field<&T::discRadius>("discRadius", "", "m",
                                      "radius of the disc; 0: infinite plane", nonNegative),
                field<&T::rimContact>("rimContact", "", "", "contact with the rim of the disc"),
                field<&T::contactPointRatio>(
                    "contactPointRatio", "lambda", "",
                    "contact point: 0 on the undeformed sphere, 1 on the plane", Bounds{0, 1}),
            },
            contactFields<&T::law>()),
        std::array{
            field<&T::localizeTouchDown>("localizeTouchDown", "", "",
                                         "end steps where the contact opens or closes"),
            field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        });
    return table;
  }

  struct Resolved : ContactRecord {
    DiscShape disc;
  };
  static Resolved resolve(const ContactSphereDisc& c, const std::string& where,
                          const AssemblyView& view) {
    Resolved r;
    r.where = where + " between " + view.where(Category::marker, c.markerNumbers[0].value) +
              " and " + view.where(Category::marker, c.markerNumbers[1].value);
    r.law = ContactLaw(c.law, c.sphereRadius, where);
    r.smallestRadius = c.sphereRadius;
    r.disc = {c.planeNormal.normalized(), c.discRadius, c.rimContact};
    r.speedData = dataOf(view, c.nodeNumber, 1, where, r.law.needsImpactSpeed());
    return r;
  }

  template <class S>
  static ContactMotion<S> contact(const ContactSphereDisc& c, const Resolved& resolved,
                                  const PairMotion<S>& motion) {
    return sphereOnDisc<S>(motion, resolved.disc, c.sphereRadius, c.contactPointRatio);
  }
  template <class S>
  static ContactForces<S> forces(const ContactSphereDisc& c, const Resolved& resolved,
                                 const State& state, const ContactMotion<S>& m) {
    ContactForces<S> f;
    if (!c.activeConnector || !m.possible) return f;
    f.normal = resolved.law.normalForce<S>(m.gap, m.gapRate, resolved.impactSpeed(state));
    if (valueOf(f.normal) > 0)
      resolved.law.addFriction<S>(m.n, m.gap, m.velocity, m.angularVelocity, Sliding::free, f);
    return f;
  }

  template <class S>
  static PairWrench<S> wrench(const ContactSphereDisc& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    const ContactMotion<S> m = contact<S>(c, resolved, motion);
    return contactWrench(m, forces<S>(c, resolved, motion.state, m));
  }

  static bool isDiscontinuous(const ContactSphereDisc& c, const Resolved& resolved) {
    return c.activeConnector && (c.localizeTouchDown || resolved.law.needsImpactSpeed());
  }
  static ElementBatch::PostNewton postNewton(const ContactSphereDisc& c, Resolved& resolved,
                                             const PairMotion<Real>& motion, const State& start,
                                             State& state) {
    return resolved.postNewton(contact<Real>(c, resolved, motion), c.localizeTouchDown, start,
                               state);
  }
  static void stepAccepted(const ContactSphereDisc& c, Resolved& resolved,
                           const PairMotion<Real>& motion, Real h) {
    if (c.activeConnector) resolved.stepAccepted(contact<Real>(c, resolved, motion), h);
  }
  static void warnings(const Resolved& resolved, std::vector<std::string>& out) {
    resolved.warnings(out);
  }

  static bool output(const ContactSphereDisc& c, Resolved& resolved, const PairMotion<Real>& motion,
                     OutputVariable variable, std::vector<Real>& out) {
    const ContactMotion<Real> m = contact<Real>(c, resolved, motion);
    return contactOutput(resolved.law, motion, m, forces<Real>(c, resolved, motion.state, m),
                         variable, out);
  }

  class Behaviour final : public RigidConnectorBehaviour<ContactSphereDisc> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ContactSphereDisc*>(object);
      if (!(c.sphereRadius > 0))
        throw ModelError(where + ": sphereRadius is missing; give the radius of the sphere in m");
      if (!(c.planeNormal.norm() > 0))
        throw ModelError(where +
                         ": planeNormal = [0, 0, 0] has no direction; give the normal of "
                         "the plane in marker 0, e.g. [0, 0, 1]");
      if (c.rimContact && c.discRadius == 0)
        throw ModelError(where + ": rimContact = true needs discRadius > 0");
    }
  };
};

const RegisterObject<ContactSphereDisc> registered;

}  // namespace
}  // namespace catena
