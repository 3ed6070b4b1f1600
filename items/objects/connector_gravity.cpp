// Attraction of two masses.
#include "items/rigid_connector.h"

namespace catena {
namespace {

struct ConnectorGravity {
  static constexpr std::string_view typeName = "ConnectorGravity";
  static constexpr std::string_view summary = "gravitational attraction of two point masses";
  static constexpr std::string_view theory =
      "L = |p1 - p0|, n = (p1 - p0) / L: the attraction f = G m_0 m_1 / L^2 acts as -f n on marker "
      "1 and +f n on marker 0. Below "
      "the distance L_min, if given, f = G m_0 m_1 / (L^2 + (L - L_min)^2). The masses are "
      "parameters of the connector; "
      "bodies do not attract each other by themselves. Force = f n.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Distance,
                                               OutputVariable::Displacement, OutputVariable::Force};
  static constexpr MarkerNeed need = MarkerNeed::position;

  MarkerPair markerNumbers;
  Real gravitationalConstant = 6.67430e-11;
  Real mass0 = 0;
  Real mass1 = 0;
  Real minDistanceRegularization = 0;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorGravity;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::gravitationalConstant>("gravitationalConstant", "G", "m^3/(kg s^2)",
                                         "gravitational constant"),
        field<&T::mass0>("mass0", "m_0", "kg", "mass at marker 0", nonNegative),
        field<&T::mass1>("mass1", "m_1", "kg", "mass at marker 1", nonNegative),
        field<&T::minDistanceRegularization>("minDistanceRegularization", "L_min", "m",
                                             "distance below which the force is regularised",
                                             nonNegative),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
    };
    return table;
  }

  struct Resolved {
    std::string where;
  };
  static Resolved resolve(const ConnectorGravity&, const std::string& where, const AssemblyView&) {
    return {where};
  }

  template <class S>
  static MatrixOf<S, 3> attraction(const ConnectorGravity& c, const Resolved& resolved,
                                   const PairMotion<S>& motion) {
    using std::sqrt;
    using V = MatrixOf<S, 3>;
    const V dp = motion.displacement();
    const S length2 = dp.dot(dp);
    if (!(valueOf(length2) > 0)) {
      if (c.minDistanceRegularization > 0) return V::Constant(S(0));
      throw ModelError(resolved.where +
                       ": the distance of its markers is 0, where the force is infinite; keep the "
                       "points apart or give minDistanceRegularization > 0");
    }
    const S length = sqrt(length2);
    const S below = valueOf(length) < c.minDistanceRegularization
                        ? length - S(c.minDistanceRegularization)
                        : S(0);
    return dp *
           (S(c.gravitationalConstant * c.mass0 * c.mass1) / (length * (length2 + below * below)));
  }
  template <class S>
  static PairWrench<S> wrench(const ConnectorGravity& c, Resolved& resolved,
                              const PairMotion<S>& motion) {
    PairWrench<S> w;
    w.force = attraction<S>(c, resolved, motion);
    return w;
  }
  static bool output(const ConnectorGravity& c, Resolved& resolved, const PairMotion<Real>& motion,
                     OutputVariable variable, std::vector<Real>& out) {
    using enum OutputVariable;
    switch (variable) {
      case Distance:
        setOutput(out, motion.displacement().norm());
        return true;
      case Displacement:
        setOutput(out, motion.displacement());
        return true;
      case Force:
        setOutput(out, c.activeConnector ? attraction<Real>(c, resolved, motion)
                                         : Vector3(Vector3::Zero()));
        return true;
      default:
        return false;
    }
  }

  using Behaviour = RigidConnectorBehaviour<ConnectorGravity>;
};

const RegisterObject<ConnectorGravity> registered;

}  // namespace
}  // namespace catena
