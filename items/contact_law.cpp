#include "items/contact_law.h"

#include <algorithm>

namespace catena {
namespace {

template <class Enum, std::size_t N>
Enum named(const std::string_view (&names)[N], const std::string& name) {
  return static_cast<Enum>(std::find(names, names + N, name) - names);
}

}  // namespace

ContactLaw::ContactLaw(const ContactParameters& p, Real effectiveRadius, const std::string& where)
    : stiffness(p.contactStiffness),
      exponent(p.contactStiffnessExponent),
      impactVelocity(p.impactVelocity),
      model(named<FrictionModel>(frictionModels, p.frictionModel)),
      pressure(named<PatchPressure>(patchPressures, p.patchPressure)),
      regularization(named<SlipRegularization>(frictionRegularizations, p.frictionRegularization)),
      friction(p.dynamicFriction),
      slipZone(p.frictionProportionalZone),
      radius(effectiveRadius),
      fixedPatchRadius(p.patchRadius),
      rolling(p.rollingResistance),
      rollingZone(p.rollingProportionalZone) {
  const bool hasModuli = p.youngsModuli[0] > 0 && p.youngsModuli[1] > 0;
  if (stiffness == 0 && p.youngsModuli.maxCoeff() > 0) {
    if (!hasModuli)
      throw ModelError(where + ": youngsModuli = " + valueText(VectorX(p.youngsModuli)) +
                       " N/m^2 must both be > 0; for a rigid body give a very large one");
    if (!(radius > 0))
      throw ModelError(where +
                       ": youngsModuli need curved surfaces, but the effective radius is not "
                       "finite and > 0; give contactStiffness instead");
    if (exponent != 1.5)
      throw ModelError(where + ": contactStiffnessExponent = " + valueText(exponent) +
                       " must be 1.5 when the stiffness comes from youngsModuli");
    Real compliance = 0;
    for (int i = 0; i < 2; ++i)
      compliance += (1 - p.poissonRatios[i] * p.poissonRatios[i]) / p.youngsModuli[i];
    stiffness = 4.0 / 3 / compliance * std::sqrt(radius);
    isHertzian = true;
  }
  if (p.dampingModel == "linear") {
    linearDamping = p.contactDamping;
    rampDepth = p.dampingRampDepth;
  } else if (p.dampingModel == "huntCrossley") {
    huntCrossley = p.huntCrossleyDamping;
  } else if (p.dampingModel == "restitution") {
    const Real c = p.restitutionCoefficient;
    if (c > 1)
      throw ModelError(where + ": restitutionCoefficient = " + valueText(c) + " must be in (0, 1]");
    restitutionDamping = catena::restitutionDamping(
        named<RestitutionModel>(restitutionModels, p.restitutionModel), c);
  }
  const auto& b = p.powerLawCoefficients;
  if (b.isZero(0))
    power = fittedPowerLaw(pressure);
  else if ((b.array() > 0).all())
    power = {b[0], b[1], b[2], b[3]};
  else
    throw ModelError(where + ": powerLawCoefficients = " + valueText(VectorX(b)) +
                     " must all be > 0, or all 0 for the fitted ones");
  if (friction > 0 && model != FrictionModel::coulomb) {
    if (slipZone == 0)
      throw ModelError(where +
                       ": frictionProportionalZone = 0 m/s must be > 0 with frictionModel '" +
                       p.frictionModel + "'");
    if (fixedPatchRadius == 0 && !(radius > 0))
      throw ModelError(where + ": frictionModel '" + p.frictionModel +
                       "' needs the radius of the patch, and the effective radius is not finite "
                       "and > 0; give patchRadius");
  }
  if (friction > 0 && slipZone == 0 && regularization == SlipRegularization::smooth)
    throw ModelError(where +
                     ": frictionProportionalZone = 0 m/s must be > 0 with "
                     "frictionRegularization 'smooth'");
  if (rolling > 0 && rollingZone == 0)
    throw ModelError(where +
                     ": rollingProportionalZone = 0 rad/s must be > 0 with rollingResistance");
}

ContactEnergy ContactLaw::energy(const Vector3& n, Real gap, const Vector3& velocity,
                                 const Vector3& angularVelocity,
                                 const ContactForces<Real>& f) const {
  if (!(gap < 0)) return {};
  const Real elastic = elasticForce(gap);
  return {elastic * -gap / (exponent + 1),
          elastic * n.dot(velocity) - f.force(n).dot(velocity) - f.moment(n).dot(angularVelocity)};
}

ElementBatch::PostNewton TouchDown::check(const ContactLaw& law, Real gap, Real gapRate,
                                          Real h) const {
  if (!known_ || !(h > 0)) return {};
  constexpr Real margin = 0.01;
  // cubic with the gaps and rates of both ends, x in [0, 1]
  const auto at = [&](Real x) {
    const Real y = 1 - x;
    return y * y * ((1 + 2 * x) * gap_ + x * h * gapRate_) +
           x * x * ((1 + 2 * y) * gap - y * h * gapRate);
  };
  Real low = 0, high = 1;
  const bool closed = gap_ < 0, jumps = !closed && law.jumps();
  Real reached = gap;
  if (jumps && gap >= 0 && gapRate < 0 &&
      gap < -2 * margin * std::max(h, 0.1 * largestStep_) * gapRate)
    return {.restartAfter = 1.001 * gap / -gapRate + 1e-9 * h};
  if (closed == (gap < 0)) {
    if (closed || gapRate_ >= 0 || gapRate <= 0) return {};
    Real a = 0, b = 1;  // open at both ends, approaching at first: the least gap in between
    for (int i = 0; i < 40; ++i) {
      const Real x = a + (b - a) / 3, y = b - (b - a) / 3;
      (at(x) < at(y) ? b : a) = at(x) < at(y) ? y : x;
    }
    reached = at(a);
    if (!(reached < 0)) return {};
    high = a;
  }
  for (int i = 0; i < 50; ++i) {
    const Real x = 0.5 * (low + high);
    ((at(x) < 0) == closed ? low : high) = x;
  }
  if (high < margin || (!jumps && high > 1 - margin)) return {};
  const Real force = law.normalForce<Real>(-std::abs(reached), closed ? gapRate : gapRate_, 0);
  if (!jumps) return {force, high * h};
  if (h < 1e-3 * largestStep_) return {};  // as close as it gets
  // before the moment by the distance of the cubic from the parabola with the same start
  const Real parabola = gap_ + low * h * gapRate_ + low * low * (gap - gap_ - h * gapRate_);
  const Real before = std::abs(parabola / (h * gapRate_)) + 1e-9;
  return {force, std::max<Real>(low - before, 0) * h};
}

void TouchDown::accept(Real gap, Real gapRate, Real h) {
  if (gap < 0) {
    if (known_ && !(gap_ < 0)) steps_ = 0, duration_ = 0;
    if (steps_ >= 0) ++steps_, duration_ += h;
  } else if (steps_ >= 0) {
    if (steps_ < 10 && (shortestSteps_ == 0 || duration_ < shortestDuration_))
      shortestSteps_ = steps_, shortestDuration_ = duration_;
    steps_ = -1;
  }
  known_ = true;
  largestStep_ = std::max(largestStep_, h);
  gap_ = gap;
  gapRate_ = gapRate;
}

}  // namespace catena
