// Contact between two scalar coordinates.
#include "items/scalar_connector.h"

namespace catena {
namespace {

struct ContactCoordinate {
  static constexpr std::string_view typeName = "ContactCoordinate";
  static constexpr std::string_view summary =
      "contact stiffness and damping between two scalar coordinates";
  static constexpr std::string_view theory =
      "Gap g = q_m1 - q_m0 - l_off. In contact f = k g + d dg/dt (negative: it pushes marker 1 in "
      "positive direction); else 0. "
      "The data value z decides during Newton: contact where z <= 0. After a converged Newton run "
      "z becomes g; where the "
      "state of contact differs from that at the start of the step, the error k |g| asks for "
      "another iteration and the "
      "step size |z_start / (dg/dt)| is recommended.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Displacement,
                                               OutputVariable::Velocity, OutputVariable::Force};

  MarkerPair markerNumbers;
  NodeIndex nodeNumber;
  Real contactStiffness = 0;
  Real contactDamping = 0;
  Real offset = 0;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ContactCoordinate;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two coordinate markers"),
        field<&T::nodeNumber>(
            "nodeNumber", "z", "",
            "GenericData node with one value, the gap; start it positive if open"),
        field<&T::contactStiffness>("contactStiffness", "k", "N/m", "contact stiffness",
                                    nonNegative),
        field<&T::contactDamping>("contactDamping", "d", "N s/m", "contact damping", nonNegative),
        field<&T::offset>("offset", "l_off", "m", "distance of the coordinates at gap 0"),
        field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
    };
    return table;
  }

  std::array<Real, 2> factors() const { return {1, 1}; }

  struct Resolved {
    int data = -1;
  };
  static Resolved resolve(const ContactCoordinate& c, const std::string& where,
                          const AssemblyView& view) {
    return {dataOf(view, c.nodeNumber, 1, where, true)};
  }
  static ScalarForce force(const ContactCoordinate& c, Resolved& r, const State& state, Real u,
                           Real v, bool) {
    if (state.data[r.data] > 0) return {};
    return scalarForce(
        [&](auto x, auto rate) {
          using S = decltype(x);
          return -penaltyForce<S>(S(c.offset) - x, -rate, c.contactStiffness, 1, 0,
                                  S(c.contactDamping));
        },
        u, v);
  }
  static bool isDiscontinuous(const ContactCoordinate& c, const Resolved&) {
    return c.activeConnector;
  }
  static ElementBatch::PostNewton postNewton(const ContactCoordinate& c, Resolved& r, Real u,
                                             Real v, const State& start, State& state) {
    const Real gap = u - c.offset, before = start.data[r.data];
    state.data[r.data] = gap;
    if ((gap <= 0) == (before <= 0)) return {};
    return {std::abs(c.contactStiffness * gap), v != 0 ? std::abs(before / v) : -1};
  }

  using Behaviour = ScalarConnectorBehaviour<ContactCoordinate>;
};

const RegisterObject<ContactCoordinate> registered;

}  // namespace
}  // namespace catena
