// The force law that all contacts of spheres share: normal force, friction coupled to spin, rolling
// resistance; and the localisation of touch-down.
#pragma once

#include "items/element.h"
#include "items/frame.h"
#include "kernels/contact_force.h"
#include "kernels/contact_functions.h"

namespace catena {

// The parameters of the law, a member of every item that uses it. The initialisers of the member
// are the item's defaults.
struct ContactParameters {
  Real contactStiffness = 0;
  Real contactStiffnessExponent = 1.5;
  Vector2 youngsModuli{0, 0};
  Vector2 poissonRatios{0.3, 0.3};
  std::string dampingModel = "none";
  Real contactDamping = 0;
  Real dampingRampDepth = 0;
  Real huntCrossleyDamping = 0;
  Real restitutionCoefficient = 1;
  std::string restitutionModel = "exact";
  Real impactVelocity = 0;
  std::string frictionModel = "contensou";
  std::string patchPressure = "hertz";
  Eigen::Matrix<Real, 4, 1> powerLawCoefficients = Eigen::Matrix<Real, 4, 1>::Zero();
  Real dynamicFriction = 0;
  std::string frictionRegularization = "smooth";
  Real frictionProportionalZone = 1e-3;
  Real patchRadius = 0;
  Real rollingResistance = 0;
  Real rollingProportionalZone = 1e-3;
};

template <class T, std::size_t N, std::size_t M>
constexpr std::array<T, N + M> joined(const std::array<T, N>& a, const std::array<T, M>& b) {
  std::array<T, N + M> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < M; ++i) all[N + i] = b[i];
  return all;
}

inline constexpr std::string_view dampingModels[] = {"none", "linear", "huntCrossley",
                                                     "restitution"};
inline constexpr std::string_view restitutionModels[] = {
    "exact",    "huntCrossley", "herbertMcWhannell", "leeWang", "lankaraniNikravesh",
    "gonthier", "flores"};
inline constexpr std::string_view frictionModels[] = {"coulomb", "contensou", "ellipsoid", "pade1",
                                                      "power"};
inline constexpr std::string_view patchPressures[] = {"hertz", "uniform"};
inline constexpr std::string_view frictionRegularizations[] = {"smooth", "linear", "tanh"};

// The fields of the member Law of an item.
template <auto Law>
constexpr std::array<Field, 20> contactFields(
    std::span<const std::string_view> dampings = dampingModels) {
  using P = ContactParameters;
  return {
      field<Law, &P::contactStiffness>("contactStiffness", "k", "N/m^e",
                                       "contact stiffness; 0: from youngsModuli", nonNegative),
      field<Law, &P::contactStiffnessExponent>("contactStiffnessExponent", "e", "",
                                               "exponent of the depth; 1.5 for Hertz", positive),
      field<Law, &P::youngsModuli>("youngsModuli", "E_0, E_1", "N/m^2",
                                   "moduli of elasticity, for the stiffness of Hertz", nonNegative),
      field<Law, &P::poissonRatios>("poissonRatios", "nu_0, nu_1", "", "Poisson's ratios",
                                    Bounds{-1, 0.5}),
      field<Law, &P::dampingModel>("dampingModel", "", "", "model of damping")
          .withChoices(dampings),
      field<Law, &P::contactDamping>("contactDamping", "d", "N s/m", "damping of the model linear",
                                     nonNegative),
      field<Law, &P::dampingRampDepth>(
          "dampingRampDepth", "", "m",
          "depth over which linear damping sets in; 0: at once, with a jump of the force",
          nonNegative),
      field<Law, &P::huntCrossleyDamping>("huntCrossleyDamping", "b", "s/m",
                                          "damping of the model huntCrossley", nonNegative),
      field<Law, &P::restitutionCoefficient>("restitutionCoefficient", "c", "",
                                             "restitution of the model restitution", positive),
      field<Law, &P::restitutionModel>("restitutionModel", "", "",
                                       "relation of damping and restitution; only exact gives the "
                                       "wanted restitution for all c")
          .withChoices(restitutionModels),
      field<Law, &P::impactVelocity>(
          "impactVelocity", "v", "m/s",
          "speed of impact of the model restitution; 0: that of the last touch-down", nonNegative),
      field<Law, &P::frictionModel>("frictionModel", "", "", "law of friction")
          .withChoices(frictionModels),
      field<Law, &P::patchPressure>("patchPressure", "", "", "pressure in the patch of contact")
          .withChoices(patchPressures),
      field<Law, &P::powerLawCoefficients>("powerLawCoefficients", "b, m, c, n", "",
                                           "of the law power; zeros: fitted to the exact functions",
                                           nonNegative),
      field<Law, &P::dynamicFriction>("dynamicFriction", "mu", "", "coefficient of friction",
                                      nonNegative),
      field<Law, &P::frictionRegularization>("frictionRegularization", "", "",
                                             "how friction grows at small slip")
          .withChoices(frictionRegularizations),
      field<Law, &P::frictionProportionalZone>("frictionProportionalZone", "v_mu", "m/s",
                                               "slip up to which friction is about proportional",
                                               nonNegative),
      field<Law, &P::patchRadius>("patchRadius", "a", "m",
                                  "fixed radius of the patch; 0: sqrt(R depth)", nonNegative),
      field<Law, &P::rollingResistance>("rollingResistance", "f_r", "m",
                                        "lever of the rolling resistance", nonNegative),
      field<Law, &P::rollingProportionalZone>(
          "rollingProportionalZone", "w_r", "rad/s",
          "rolling speed up to which the resistance is about proportional", nonNegative),
  };
}

// What slip a state that is frozen during Newton asks for.
enum class Sliding { free, sticking, sliding };

template <class S>
struct ContactForces {
  using V = MatrixOf<S, 3>;
  S normal = S(0);                 // N >= 0 unless the item adds adhesion
  V friction = V::Constant(S(0));  // T on body 1, in the plane of contact
  S drilling = S(0);               // moment on body 1 about n
  V rolling = V::Constant(S(0));   // moment on body 1
  S patchRadius = S(0);
  V force(const V& n) const { return V(n * normal + friction); }
  V moment(const V& n) const { return V(n * drilling + rolling); }
};

// Power that a contact takes from the bodies without what it stores: -(F.v + M.w) - d stored/dt.
struct ContactEnergy {
  Real stored = 0, dissipatedPower = 0;
};

// The law with numbers in place of names. Kinematics of a contact: unit normal n from body 0 to
// body 1, gap, velocity and angular velocity of body 1 relative to body 0 in the contact point.
struct ContactLaw {
  Real stiffness = 0, exponent = 1.5;
  bool isHertzian = false;  // the stiffness belongs to moduli and the radius
  Real linearDamping = 0, rampDepth = 0;
  Real huntCrossley = 0;        // b
  Real restitutionDamping = 0;  // y: b = y / speed of impact
  Real impactVelocity = 0;
  FrictionModel model = FrictionModel::coulomb;
  PatchPressure pressure = PatchPressure::hertz;
  PowerLaw power{};
  SlipRegularization regularization = SlipRegularization::smooth;
  Real friction = 0, slipZone = 0;
  Real radius = 0;  // effective: 1/R = 1/R_0 + 1/R_1
  Real fixedPatchRadius = 0;
  Real rolling = 0, rollingZone = 0;

  // Checks the parameters; where is the beginning of messages. radius: the effective radius, 0 if
  // there is none.
  ContactLaw() = default;
  ContactLaw(const ContactParameters& p, Real radius, const std::string& where);

  // The same for other curvatures.
  void setRadius(Real r) {
    if (isHertzian) stiffness *= std::sqrt(r / radius);
    radius = r;
  }
  bool hasMoments() const { return model != FrictionModel::coulomb || rolling != 0; }
  // True if the normal force is not continuous at touch-down.
  bool jumps() const { return linearDamping != 0 && rampDepth == 0; }
  // True if the speed of impact must be remembered.
  bool needsImpactSpeed() const { return restitutionDamping != 0 && impactVelocity == 0; }

  // k depth^e (1 + b rate) + d rate, never pulling.
  template <class S>
  S normalForce(const S& gap, const S& gapRate, Real lastImpactSpeed) const {
    if (!(valueOf(gap) < 0)) return S(0);
    const S depth = -gap, rate = -gapRate;
    const S d = linearDamping != 0 ? S(linearDamping) * ramp(depth) : S(0);
    const S force = penaltyForce<S>(depth, rate, stiffness, exponent, damping(lastImpactSpeed), d);
    return valueOf(force) > 0 ? force : S(0);
  }

  // Friction, drilling and rolling moments of a normal force.
  template <class S>
  void addFriction(const MatrixOf<S, 3>& n, const S& gap, const MatrixOf<S, 3>& velocity,
                   const MatrixOf<S, 3>& angularVelocity, Sliding state,
                   ContactForces<S>& f) const {
    using V = MatrixOf<S, 3>;
    if (friction != 0) {
      const V slip = velocity - n * n.dot(velocity);
      const S speed = regularized(slip, state);
      if (valueOf(speed) == 0) return;  // no zone and no slip: no direction
      const S limit = S(friction) * f.normal;
      if (model == FrictionModel::coulomb) {
        f.friction = slip * (-limit / speed);
      } else {
        const S a = patchRadiusAt(gap);
        const S sigma = a * n.dot(angularVelocity) / speed;
        const CoupledFriction c = coupledFriction(model, pressure, power, valueOf(sigma));
        f.patchRadius = a;
        f.friction = slip * (-limit * chain(c.force, c.forceSlope, sigma) / speed);
        f.drilling = -limit * a * chain(c.moment, c.momentSlope, sigma);
      }
    }
    if (rolling != 0) {
      using std::sqrt;
      const V turning = angularVelocity - n * n.dot(angularVelocity);
      f.rolling = turning * (S(-rolling) * f.normal /
                             sqrt(turning.dot(turning) + S(rollingZone * rollingZone)));
    }
  }

  template <class S>
  S patchRadiusAt(const S& gap) const {
    using std::sqrt;
    if (fixedPatchRadius != 0) return S(fixedPatchRadius);
    return valueOf(gap) < 0 ? sqrt(S(-radius) * gap) : S(0);
  }

  ContactEnergy energy(const Vector3& n, Real gap, const Vector3& velocity,
                       const Vector3& angularVelocity, const ContactForces<Real>& f) const;
  Real elasticForce(Real gap) const {  // of the depth |gap|
    return stiffness * std::pow(std::abs(gap), exponent);
  }

 private:
  Real damping(Real lastImpactSpeed) const {
    if (restitutionDamping == 0) return huntCrossley;
    const Real v = impactVelocity != 0 ? impactVelocity : lastImpactSpeed;
    return v > 0 ? restitutionDamping / v : 0;
  }
  template <class S>
  S ramp(const S& depth) const {
    if (valueOf(depth) >= rampDepth) return S(1);
    const S x = depth / S(rampDepth);
    return x * x * (S(3) - S(2) * x);
  }
  // A function of x with known value and slope.
  static Real chain(Real value, Real, Real) { return value; }
  template <int N>
  static Dual<N> chain(Real value, Real slope, const Dual<N>& x) {
    return {value, slope * x.gradient};
  }
  template <class S>
  S regularized(const MatrixOf<S, 3>& slip, Sliding state) const {
    if (regularization != SlipRegularization::smooth) {
      if (state == Sliding::sticking) return S(slipZone);
      // of vanishing slip the direction is not defined
      if (regularization == SlipRegularization::linear && state == Sliding::sliding)
        return slipDenominator<S>(slip.dot(slip), std::max(1e-3 * slipZone, 1e-12), regularization);
    }
    return slipDenominator<S>(slip.dot(slip), slipZone, regularization);
  }
};

// Finds out whether a contact opens or closes within a step, and where. Remembers the last accepted
// step; nothing of that enters a force.
class TouchDown {
 public:
  // After a converged Newton run over a step of size h. A contact that opens or closes, or touches
  // and opens again, further than a hundredth of the step from both its ends returns an error, the
  // force at the depth reached, and recommends the step that ends there. Where the force jumps at
  // touch-down, that step ends just before it, as close as the moment is known, and the next one
  // restarts with the force.
  ElementBatch::PostNewton check(const ContactLaw& law, Real gap, Real gapRate, Real h) const;
  // After an accepted step that ended at the given time.
  void accept(Real gap, Real gapRate, Real h);
  // A contact was shorter than ten steps: steps, and the step that resolves it with twenty; else 0.
  int shortestContact() const { return shortestSteps_; }
  Real adequateStep() const { return shortestDuration_ / 20; }

 private:
  bool known_ = false;
  Real gap_ = 0, gapRate_ = 0, largestStep_ = 0;
  int steps_ = -1;  // since touch-down, -1: none seen
  Real duration_ = 0;
  int shortestSteps_ = 0;
  Real shortestDuration_ = 0;
};

}  // namespace catena
