#include "items/contact_output.h"

namespace catena {

bool contactOutput(const ContactLaw& law, const PairMotion<Real>& motion,
                   const ContactMotion<Real>& m, const ContactForces<Real>& f,
                   OutputVariable variable, std::vector<Real>& out) {
  using enum OutputVariable;
  const bool touching = m.possible && m.gap < 0;
  const Real inContact = touching ? 1 : 0;
  switch (variable) {
    case Position:
    case ContactPoint:
      setOutput(out, motion.position0() + m.lever0);
      return true;
    case Displacement:
      setOutput(out, motion.displacement());
      return true;
    case Director1:
      setOutput(out, m.n);
      return true;
    case Gap:
      setOutput(out, m.gap);
      return true;
    case GapRate:
      setOutput(out, m.gapRate);
      return true;
    case PenetrationDepth:
      setOutput(out, touching ? -m.gap : 0);
      return true;
    case NormalForce:
      setOutput(out, f.normal);
      return true;
    case FrictionForce:
      setOutput(out, f.friction);
      return true;
    case DrillingMoment:
      setOutput(out, f.drilling);
      return true;
    case RollingMoment:
      setOutput(out, f.rolling);
      return true;
    case SlipVelocity:
      setOutput(out, m.velocity - m.n * m.gapRate);
      return true;
    case Spin:
      setOutput(out, m.n.dot(m.angularVelocity));
      return true;
    case PatchRadius:
      setOutput(out, inContact * law.patchRadiusAt(m.gap));
      return true;
    case PotentialEnergy:
      setOutput(out, inContact * law.energy(m.n, m.gap, m.velocity, m.angularVelocity, f).stored);
      return true;
    case DissipatedPower:
      setOutput(out, inContact *
                         law.energy(m.n, m.gap, m.velocity, m.angularVelocity, f).dissipatedPower);
      return true;
    default:
      return false;
  }
}

ElementBatch::PostNewton ContactRecord::postNewton(const ContactMotion<Real>& m, bool localize,
                                                   const State& start, State& state) const {
  if (!m.possible) return {};
  if (speedData >= 0) {  // 0 while the contact is open
    const Real before = start.data[speedData];
    state.data[speedData] = m.gap < 0 ? (before > 0 ? before : std::max<Real>(-m.gapRate, 0)) : 0;
  }
  if (!localize) return {};
  return touchDown.check(law, m.gap, m.gapRate, state.time - start.time);
}

void ContactRecord::stepAccepted(const ContactMotion<Real>& m, Real h) {
  if (!m.possible) {
    touchDown = {};
    return;
  }
  if (h == 0) {
    touchDown = {};
    deepStart.clear();
    const std::string depth = where + ": the initial depth is " + valueText(-m.gap) +
                              " m, of a radius of " + valueText(smallestRadius) + " m";
    if (-m.gap > smallestRadius)
      throw ModelError(depth + "; move one of its bodies, or turn the normal");
    if (-m.gap > 0.1 * smallestRadius) deepStart = depth + ": large forces at the start";
  }
  touchDown.accept(m.gap, m.gapRate, h);
}

void ContactRecord::warnings(std::vector<std::string>& out) const {
  if (!deepStart.empty()) out.push_back(deepStart);
  if (touchDown.shortestContact() > 0)
    out.push_back(where + ": a contact lasted " + std::to_string(touchDown.shortestContact()) +
                  " steps; steps of " + valueText(touchDown.adequateStep()) +
                  " s would resolve it with twenty");
}

}  // namespace catena
