// What the contacts of spheres with two markers have in common besides their law.
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

inline constexpr OutputVariable contactOutputs[] = {OutputVariable::Position,
                                                    OutputVariable::Displacement,
                                                    OutputVariable::Director1,
                                                    OutputVariable::Gap,
                                                    OutputVariable::GapRate,
                                                    OutputVariable::PenetrationDepth,
                                                    OutputVariable::NormalForce,
                                                    OutputVariable::FrictionForce,
                                                    OutputVariable::DrillingMoment,
                                                    OutputVariable::RollingMoment,
                                                    OutputVariable::ContactPoint,
                                                    OutputVariable::SlipVelocity,
                                                    OutputVariable::Spin,
                                                    OutputVariable::PatchRadius,
                                                    OutputVariable::PotentialEnergy,
                                                    OutputVariable::DissipatedPower};

// Vectors are world components; forces and moments are those on body 1.
bool contactOutput(const ContactLaw& law, const PairMotion<Real>& motion,
                   const ContactMotion<Real>& m, const ContactForces<Real>& f,
                   OutputVariable variable, std::vector<Real>& out);

// What a contact keeps besides its parameters.
struct ContactRecord {
  std::string where;  // with the names of its markers
  ContactLaw law;
  TouchDown touchDown;
  int speedData = -1;       // data variable with the speed of the last touch-down
  Real smallestRadius = 0;  // of the spheres
  std::string deepStart;    // a warning

  Real impactSpeed(const State& state) const { return speedData < 0 ? 0 : state.data[speedData]; }
  ElementBatch::PostNewton postNewton(const ContactMotion<Real>& m, bool localize,
                                      const State& start, State& state) const;
  void stepAccepted(const ContactMotion<Real>& m, Real h);
  void warnings(std::vector<std::string>& out) const;
};

}  // namespace catena
