// Geometry and kinematics of a thin disc on a plane, shared by the rolling joint and the contact.
//
// Marker 1 is the centre of the disc with the axis w1, marker 0 a point of the plane with the
// normal n: w2 = w1 x n / |w1 x n| is the direction of rolling, w3 = w1 x w2 points from the centre
// to the lowest point of the disc, l = n x w2 is the lateral direction. Frame J1 = [l, w2, n].
#pragma once

#include "items/rigid_connector.h"

namespace catena {

template <class S>
struct RollingDisc {
  using V = MatrixOf<S, 3>;

  V lateral, forward, normal;
  V lever;    // from the centre of the disc to the contact point
  V contact;  // contact point relative to marker 0
  S gap;      // of the contact point from the plane
  V slip;     // velocity of the disc's contact point relative to the plane body, in J1
  V centre;   // velocity of the disc's centre relative to the plane body, world

  // Components in J1 to world components.
  V world(const S* c) const { return V(lateral * c[0] + forward * c[1] + normal * c[2]); }
};

// n.(p1 - p0) - r sqrt(1 - (w1.n)^2), with the large parts of the distance and the radius
// subtracted before the small displacements are added: stiff contacts amplify the rounding of the
// gap.
template <class S>
S discGap(const PairMotion<S>& motion, const MatrixOf<S, 3>& axis, const MatrixOf<S, 3>& normal,
          Real radius) {
  using std::sqrt;
  using V = MatrixOf<S, 3>;
  const V moved = (motion.m1.displacement - motion.m0.displacement) +
                  (motion.m1.rotation * lift<S>(motion.pair.point1.local) -
                   motion.m0.rotation * lift<S>(motion.pair.point0.local));
  const S lean = axis.dot(normal), lean2 = lean * lean;
  const S lower = lean2 / (S(1) + sqrt(S(S(1) - lean2)));  // 1 - sqrt(1 - lean^2)
  return (normal.dot(lift<S>(motion.pair.origins)) - S(radius)) +
         (normal.dot(moved) + S(radius) * lower);
}

template <class S>
RollingDisc<S> rollingDisc(const PairMotion<S>& motion, Real radius, const Vector3& discAxis,
                           const Vector3& planeNormal) {
  using std::sqrt;
  using V = MatrixOf<S, 3>;
  RollingDisc<S> d;
  const V axis = motion.m1.rotation * lift<S>(discAxis);
  d.normal = motion.m0.rotation * lift<S>(planeNormal);
  const V across = axis.cross(d.normal);
  d.forward = across / sqrt(S(across.dot(across)));
  d.lateral = d.normal.cross(d.forward);
  d.lever = V(axis.cross(d.forward)) * S(radius);
  d.contact = motion.displacement() + d.lever;
  d.gap = discGap<S>(motion, axis, d.normal, radius);
  const V omega0 = motion.angularVelocity0();
  const V velocity = motion.velocity();
  d.centre = velocity - omega0.cross(motion.displacement());
  const V slip = velocity + motion.angularVelocity1().cross(d.lever) - omega0.cross(d.contact);
  d.slip = V(slip.dot(d.lateral), slip.dot(d.forward), slip.dot(d.normal));
  return d;
}

// A force on the disc in its contact point and the reaction on the plane body: on the left-hand
// side.
template <class S>
PairWrench<S> contactWrench(const RollingDisc<S>& disc, const MatrixOf<S, 3>& force) {
  using V = MatrixOf<S, 3>;
  PairWrench<S> w;
  w.force = force;
  w.torque1 = disc.lever.cross(force);
  w.torque0 = -V(disc.contact.cross(force));
  return w;
}

// Position of the contact point and its velocity along the trail, world.
struct ContactTrail {
  Vector3 position, velocity;
};
// timeMotion() of both frames gives the velocity.
ContactTrail contactTrail(const PairMotion<Real>& motion, Real radius, const Vector3& discAxis,
                          const Vector3& planeNormal);

void checkDisc(Real radius, const Vector3& discAxis, const Vector3& planeNormal,
               const std::string& where);

}  // namespace catena
