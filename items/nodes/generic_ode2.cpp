// Coordinates of second order without a geometric meaning.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodeGenericODE2 {
  static constexpr std::string_view typeName = "GenericODE2";
  static constexpr std::string_view summary = "n coordinates of second order";
  static constexpr std::string_view theory =
      "Coordinates q with rates v and accelerations a; total values q_ref + q. Objects give them a "
      "meaning.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates, OutputVariable::Coordinates_t,
      OutputVariable::Coordinates_tt};

  VectorX referenceCoordinates;
  VectorX initialCoordinates;
  VectorX initialCoordinates_t;
  int numberOfODE2Coordinates = 0;

  static std::span<const Field> fields() {
    using T = NodeGenericODE2;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "",
                                        "reference values; empty: zeros"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "",
                                      "initial displacements; empty: zeros"),
        field<&T::initialCoordinates_t>("initialCoordinates_t", "v_0", "",
                                        "initial rates; empty: zeros"),
        field<&T::numberOfODE2Coordinates>("numberOfODE2Coordinates", "n", "",
                                           "number of coordinates", nonNegative),
    };
    return table;
  }

  static void check(const NodeGenericODE2& n, const std::string& where) {
    const auto length = [&](const VectorX& v, const char* name) {
      if (v.size() != 0 && v.size() != n.numberOfODE2Coordinates)
        throw ModelError(
            where + ": " + name + " has " + std::to_string(v.size()) +
            " values, numberOfODE2Coordinates = " + std::to_string(n.numberOfODE2Coordinates) +
            "; give that many values or none");
    };
    length(n.referenceCoordinates, "referenceCoordinates");
    length(n.initialCoordinates, "initialCoordinates");
    length(n.initialCoordinates_t, "initialCoordinates_t");
  }
  static NodeLayout layout(const NodeGenericODE2& n) {
    NodeLayout l{.coordinates = n.numberOfODE2Coordinates};
    if (n.numberOfODE2Coordinates) l.groups = {n.numberOfODE2Coordinates};
    return l;
  }
  static void initialState(const NodeGenericODE2& n, const NodeView& s) {
    for (int i = 0; i < n.initialCoordinates.size(); ++i) s.q[i] = n.initialCoordinates[i];
    for (int i = 0; i < n.initialCoordinates_t.size(); ++i) s.v[i] = n.initialCoordinates_t[i];
  }
};

const RegisterNode<NodeGenericODE2> registered;

}  // namespace
}  // namespace catena
