// Outputs and records that the contacts of spheres with two markers have in common.
#pragma once

#include "items/contact_motion.h"

namespace catena {

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
