// Kinematics of the contacts of spheres, and the wrench of a force and a moment in the contact
// point.
#pragma once

#include "items/contact_law.h"
#include "items/rigid_connector.h"

namespace catena {

// Kinematics of a contact, world components; "relative" is body 1 relative to body 0.
template <class S>
struct ContactMotion {
  using V = MatrixOf<S, 3>;
  V n;                // unit normal from body 0 to body 1
  V lever0, lever1;   // contact point minus markers 0, 1
  V velocity;         // relative, of the material points in the contact point
  V angularVelocity;  // relative
  S gap, gapRate;
  bool possible = true;  // false beside a disc

  void setRates(const PairMotion<S>& motion) {
    const V w0 = motion.angularVelocity0(), w1 = motion.angularVelocity1();
    angularVelocity = w1 - w0;
    velocity = motion.velocity() + w1.cross(lever1) - w0.cross(lever0);
    gapRate = n.dot(velocity);
  }
};

// Force and moment act in the contact point, equal and opposite on the bodies.
template <class S>
PairWrench<S> contactWrench(const ContactMotion<S>& m, const ContactForces<S>& f) {
  using V = MatrixOf<S, 3>;
  PairWrench<S> w;
  if (valueOf(f.normal) == 0) return w;
  const V force = f.force(m.n), moment = f.moment(m.n);
  w.force = -force;
  w.torque1 = -V(m.lever1.cross(force) + moment);
  w.torque0 = m.lever0.cross(force) + moment;
  return w;
}

// Sphere 0 of radius r0 in marker 0 and sphere 1 of radius r1 in marker 1, which is hollow around
// sphere 0 for side = -1 and outside for side = 1. contactPointRatio: 0 on the undeformed sphere 1,
// 1 on sphere 0. Throws ModelError if the centres coincide.
template <class S>
ContactMotion<S> sphereOnSphere(const PairMotion<S>& motion, Real r0, Real r1, Real side,
                                Real contactPointRatio, const std::string& where) {
  using std::sqrt;
  const MatrixOf<S, 3> dp = motion.displacement();
  const S distance2 = dp.dot(dp);
  if (!(valueOf(distance2) > 0))
    throw ModelError(where + ": the distance of its markers is 0, so the contact has no direction");
  const S distance = sqrt(distance2);
  ContactMotion<S> m;
  m.n = dp * (S(side) / distance);
  m.gap = S(side) * distance - S(r0 + side * r1);
  m.lever0 = m.n * (S(r0) + m.gap * S(1 - contactPointRatio));
  m.lever1 = m.n * (-S(side * r1) - m.gap * S(contactPointRatio));
  m.setRates(motion);
  return m;
}

// A plane or disc in marker 0.
struct DiscShape {
  Vector3 normal;    // unit, in axes of the marker's frame
  Real radius = 0;   // 0: a plane
  bool rim = false;  // a sphere beside the disc touches its rim
};

// A sphere of radius R in marker 1 on a disc. contactPointRatio: 0 on the undeformed sphere, 1 on
// the disc.
template <class S>
ContactMotion<S> sphereOnDisc(const PairMotion<S>& motion, const DiscShape& disc, Real R,
                              Real contactPointRatio) {
  using std::sqrt;
  using V = MatrixOf<S, 3>;
  const V dp = motion.displacement();
  ContactMotion<S> m;
  m.n = motion.m0.rotation * lift<S>(disc.normal);
  const S height = m.n.dot(dp);
  m.gap = height - S(R);
  if (disc.radius > 0) {
    const V across = dp - m.n * height;
    const S distance2 = across.dot(across);
    if (valueOf(distance2) > disc.radius * disc.radius) {
      const V fromRim = across * (S(1) - S(disc.radius) / sqrt(distance2)) + m.n * height;
      const S length = sqrt(fromRim.dot(fromRim));
      m.n = fromRim / length;
      m.gap = length - S(R);
      m.possible = disc.rim;
    }
  }
  m.lever1 = m.n * (-S(R) - S(contactPointRatio) * m.gap);
  m.lever0 = dp + m.lever1;
  m.setRates(motion);
  return m;
}

}  // namespace catena
