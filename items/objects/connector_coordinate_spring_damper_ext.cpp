// Spring-damper on scalar coordinates with friction and limit stops.
#include "items/scalar_connector.h"

namespace catena {
namespace {

struct ConnectorCoordinateSpringDamperExt {
  static constexpr std::string_view typeName = "ConnectorCoordinateSpringDamperExt";
  static constexpr std::string_view aliases[] = {"CoordinateSpringDamperExt"};
  static constexpr std::string_view summary =
      "spring-damper between two scalar coordinates with friction and limit stops";
  static constexpr std::string_view theory =
      "u = factor1 q_m1 - factor0 q_m0, v = du/dt: f = k (u - l_off) + d v + f_r + f_l acts as "
      "-factor1 f on marker 1 and "
      "+factor0 f on marker 0; v_off enters only a user function. Friction f_r = sign(v) (f_d + "
      "f_s exp(-|v| / v_e) + f_v |v|) while slipping. With a "
      "proportional zone v_r > 0: |v| is replaced by |v| - v_r, and f_r = (f_d + f_s) v / v_r "
      "where |v| <= v_r; no state is "
      "needed. With v_r = 0 a bristle sticks: f_r = k_b (u - u_b) + d_b v, until |f_r| exceeds f_d "
      "+ f_s after a converged "
      "Newton run; it sticks again where v reverses. Limit stops: f_l = k_l (u - u_l) + d_l v "
      "beyond the upper or lower "
      "limit u_l. Data values: friction force while slipping (0: stick), position u_b of the "
      "bristle, penetration of a limit "
      "stop (positive above the upper one); they change only after Newton. (B. Armstrong-Helouvry, "
      "P. Dupont, C. Canudas de "
      "Wit, Automatica 30, 1994.)";
  static constexpr OutputVariable outputs[] = {OutputVariable::Displacement,
                                               OutputVariable::Velocity, OutputVariable::Force};

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Real stiffness = 0;
  Real damping = 0;
  Real offset = 0;
  Real velocityOffset = 0;
  Real factor0 = 1;
  Real factor1 = 1;
  Real fDynamicFriction = 0;
  Real fStaticFrictionOffset = 0;
  Real stickingStiffness = 0;
  Real stickingDamping = 0;
  Real exponentialDecayStatic = 1e-3;
  Real fViscousFriction = 0;
  Real frictionProportionalZone = 0;
  Real limitStopsUpper = 0;
  Real limitStopsLower = 0;
  Real limitStopsStiffness = 0;
  Real limitStopsDamping = 0;
  bool useLimitStops = false;
  bool activeConnector = true;
  UserFunction springForceUserFunction;

  static std::span<const Field> fields() {
    using T = ConnectorCoordinateSpringDamperExt;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two coordinate markers"),
        field<&T::nodeNumber>(
            "nodeNumber", "", "",
            "GenericData node with three values; for bristle friction and limit stops"),
        field<&T::stiffness>("stiffness", "k", "N/m", "stiffness"),
        field<&T::damping>("damping", "d", "N s/m", "damping"),
        field<&T::offset>("offset", "l_off", "m", "displacement without spring force"),
        field<&T::velocityOffset>("velocityOffset", "v_off", "m/s",
                                  "rate that is handed to springForceUserFunction"),
        field<&T::factor0>("factor0", "", "", "factor of the coordinate of marker 0"),
        field<&T::factor1>("factor1", "", "", "factor of the coordinate of marker 1"),
        field<&T::fDynamicFriction>("dynamicFrictionForce", "f_d", "N", "dynamic friction force",
                                    nonNegative)
            .withAlias("fDynamicFriction"),
        field<&T::fStaticFrictionOffset>("fStaticFrictionOffset", "f_s", "N",
                                         "static minus dynamic friction force", nonNegative),
        field<&T::stickingStiffness>("stickingStiffness", "k_b", "N/m", "stiffness of the bristle",
                                     nonNegative),
        field<&T::stickingDamping>("stickingDamping", "d_b", "N s/m", "damping of the bristle",
                                   nonNegative),
        field<&T::exponentialDecayStatic>("exponentialDecayStatic", "v_e", "m/s",
                                          "decay of the static friction with the rate", positive),
        field<&T::fViscousFriction>("fViscousFriction", "f_v", "N s/m",
                                    "viscous friction while slipping"),
        field<&T::frictionProportionalZone>("frictionProportionalZone", "v_r", "m/s",
                                            "rate up to which friction is proportional; 0: bristle",
                                            nonNegative),
        field<&T::limitStopsUpper>("limitStopsUpper", "u_l", "m", "upper limit of u"),
        field<&T::limitStopsLower>("limitStopsLower", "u_l", "m", "lower limit of u"),
        field<&T::limitStopsStiffness>("limitStopsStiffness", "k_l", "N/m",
                                       "stiffness of the limit stops", nonNegative),
        field<&T::limitStopsDamping>("limitStopsDamping", "d_l", "N s/m",
                                     "damping of the limit stops", nonNegative),
        field<&T::useLimitStops>("useLimitStops", "", "", "limit stops act"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        field<&T::springForceUserFunction>(
            "springForceUserFunction", "f", "N",
            "replaces f as a whole; of t, u, v, k, d, offset, velocityOffset, "
            "dynamicFrictionForce, fStaticFrictionOffset, exponentialDecayStatic, "
            "fViscousFriction, frictionProportionalZone"),
    };
    return table;
  }

  std::array<Real, 2> factors() const { return {factor0, factor1}; }
  bool hasFriction() const { return fDynamicFriction != 0 || fStaticFrictionOffset != 0; }
  bool hasBristle() const { return frictionProportionalZone == 0 && hasFriction(); }

  struct Resolved {
    CompiledFunction function;
    int data = -1;
  };
  static Resolved resolve(const ConnectorCoordinateSpringDamperExt& c, const std::string& where,
                          const AssemblyView& view) {
    Resolved r;
    if (c.springForceUserFunction.defined())
      r.function = CompiledFunction(
          c.springForceUserFunction,
          {"t", "u", "v", "k", "d", "offset", "velocityOffset", "dynamicFrictionForce",
           "fStaticFrictionOffset", "exponentialDecayStatic", "fViscousFriction",
           "frictionProportionalZone"},
          1, where + ": springForceUserFunction");
    const bool needsData = !r.function.defined() && (c.hasBristle() || c.useLimitStops);
    r.data = needsData ? dataOf(view, c.nodeNumber, 3, where, true) : -1;
    return r;
  }

  static ScalarForce force(const ConnectorCoordinateSpringDamperExt& c, Resolved& r,
                           const State& state, Real u, Real v, bool withDerivatives) {
    if (r.function.defined()) return c.userForce(r.function, state.time, u, v, withDerivatives);
    ScalarForce s{c.stiffness * (u - c.offset) + c.damping * v, c.stiffness, c.damping};
    const auto add = [&](const ScalarForce& more) {
      s.f += more.f, s.byU += more.byU, s.byV += more.byV;
    };
    if (c.hasBristle()) {
      const Real last = state.data[r.data];
      add(last == 0 ? c.bristle(u - state.data[r.data + 1], v) : c.sliding(v, last));
    } else if (c.hasFriction()) {
      add(c.sliding(v, v));
    }
    if (c.useLimitStops && state.data[r.data + 2] != 0)
      add(c.limitStop(state.data[r.data + 2] > 0, u, v));
    return s;
  }
  ScalarForce userForce(CompiledFunction& function, Real t, Real u, Real v,
                        bool withDerivatives) const {
    const auto at = [&](Real x, Real y) {
      const Real arguments[] = {t,
                                x,
                                y,
                                stiffness,
                                damping,
                                offset,
                                velocityOffset,
                                fDynamicFriction,
                                fStaticFrictionOffset,
                                exponentialDecayStatic,
                                fViscousFriction,
                                frictionProportionalZone};
      Real f;
      function.evaluate(arguments, {&f, 1});
      return f;
    };
    ScalarForce s{at(u, v), 0, 0};
    if (withDerivatives) {
      s.byU = centralDifference([&](Real x) { return at(x, v); }, u);
      s.byV = centralDifference([&](Real y) { return at(u, y); }, v);
    }
    return s;
  }
  // Friction of sliding, regularised in the proportional zone if there is one; else in the
  // direction of the sign given, which a bristle keeps while Newton runs.
  ScalarForce sliding(Real rate, Real direction) const {
    return scalarForce(
        [&](auto, auto v) {
          using S = decltype(v);
          const Real zone = frictionProportionalZone;
          const S beyond = abs(v) - S(zone);
          S limit(fDynamicFriction + fStaticFrictionOffset);
          if (!(beyond < S(0)))
            limit = S(fDynamicFriction) +
                    S(fStaticFrictionOffset) * exp(-beyond / S(exponentialDecayStatic)) +
                    S(fViscousFriction) * beyond;
          if (zone > 0)
            return S(limit * v / slipDenominator<S>(v * v, zone, SlipRegularization::linear));
          return S(limit * S(direction < 0 ? -1 : direction > 0 ? 1 : 0));
        },
        0, rate);
  }
  ScalarForce bristle(Real u, Real v) const {
    return {stickingStiffness * u + stickingDamping * v, stickingStiffness, stickingDamping};
  }
  ScalarForce limitStop(bool upper, Real u, Real v) const {
    return scalarForce(
        [&](auto x, auto rate) {
          using S = decltype(x);
          return penaltyForce<S>(x - S(upper ? limitStopsUpper : limitStopsLower), rate,
                                 limitStopsStiffness, 1, 0, S(limitStopsDamping));
        },
        u, v);
  }

  static bool isDiscontinuous(const ConnectorCoordinateSpringDamperExt& c, const Resolved& r) {
    return c.activeConnector && r.data >= 0;
  }
  static ElementBatch::PostNewton postNewton(const ConnectorCoordinateSpringDamperExt& c,
                                             Resolved& r, Real u, Real v, const State&,
                                             State& state) {
    Real error = 0;
    Real* z = state.data.data() + r.data;
    if (c.hasBristle()) error = c.updateFriction(u, v, z);
    if (c.useLimitStops) error = std::max(error, c.updateLimitStop(u, z));
    return {error, -1};
  }
  // Stick to slip and back; returns the change of the friction force.
  Real updateFriction(Real u, Real v, Real* z) const {
    const Real slip = sliding(v, v).f;
    if (z[0] == 0) {
      const Real f = bristle(u - z[1], v).f;
      if (std::abs(f) <= fDynamicFriction + fStaticFrictionOffset) return 0;
      z[0] = std::copysign(std::abs(slip), f);
      return std::abs(f - z[0]);
    }
    if (slip * z[0] > 0) {
      z[0] = slip;
      return 0;
    }
    z[1] = u - (z[0] - stickingDamping * v) / stickingStiffness;
    const Real change = std::abs(slip - z[0]);
    z[0] = 0;
    return change;
  }
  Real updateLimitStop(Real u, Real* z) const {
    const Real before = z[2];
    z[2] = u > limitStopsUpper   ? u - limitStopsUpper
           : u < limitStopsLower ? u - limitStopsLower
                                 : 0;
    const auto side = [](Real x) { return (x > 0) - (x < 0); };
    if (side(z[2]) == side(before)) return 0;
    return limitStopsStiffness * std::max(std::abs(z[2]), std::abs(before));
  }

  class Behaviour final : public ScalarConnectorBehaviour<ConnectorCoordinateSpringDamperExt> {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ConnectorCoordinateSpringDamperExt*>(object);
      if (c.useLimitStops && !(c.limitStopsLower < c.limitStopsUpper))
        throw ModelError(where + ": limitStopsLower = " + valueText(c.limitStopsLower) +
                         " must be below limitStopsUpper = " + valueText(c.limitStopsUpper));
      if (c.hasBristle() && !c.springForceUserFunction.defined() && c.stickingStiffness == 0)
        throw ModelError(
            where + ": friction with frictionProportionalZone = 0 needs stickingStiffness > 0");
    }
  };
};

const RegisterObject<ConnectorCoordinateSpringDamperExt> registered;

}  // namespace
}  // namespace catena
