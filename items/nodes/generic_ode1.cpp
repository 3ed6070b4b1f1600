// Coordinates of first order: pressures, temperatures, states of controllers.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodeGenericODE1 {
  static constexpr std::string_view typeName = "GenericODE1";
  static constexpr std::string_view summary = "n coordinates of first order";
  static constexpr std::string_view theory =
      "n coordinates y with rates y'. CoordinatesTotal = y_ref + y. Objects give the rates, "
      "integrated with the trapezoidal rule.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates, OutputVariable::Coordinates_t};

  VectorX referenceCoordinates;
  VectorX initialCoordinates;
  int numberOfODE1Coordinates = 0;

  static std::span<const Field> fields() {
    using T = NodeGenericODE1;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "y_ref", "",
                                        "reference values; empty: zeros"),
        field<&T::initialCoordinates>("initialCoordinates", "y_0", "",
                                      "initial values without reference; empty: zeros"),
        field<&T::numberOfODE1Coordinates>("numberOfODE1Coordinates", "n", "",
                                           "number of coordinates", Bounds{0, 1e7}),
    };
    return table;
  }

  static void check(const NodeGenericODE1& n, const std::string& where) {
    const auto length = [&](const VectorX& v, const char* name) {
      if (v.size() != 0 && v.size() != n.numberOfODE1Coordinates)
        throw ModelError(
            where + ": " + name + " has " + std::to_string(v.size()) +
            " values, numberOfODE1Coordinates = " + std::to_string(n.numberOfODE1Coordinates) +
            "; give that many values or none");
    };
    length(n.referenceCoordinates, "referenceCoordinates");
    length(n.initialCoordinates, "initialCoordinates");
  }
  static NodeLayout layout(const NodeGenericODE1& n) {
    return {.firstOrder = n.numberOfODE1Coordinates};
  }
  static void initialState(const NodeGenericODE1& n, const NodeView& s) {
    for (int i = 0; i < n.initialCoordinates.size(); ++i) s.y[i] = n.initialCoordinates[i];
  }
};

const RegisterNode<NodeGenericODE1> registered;

}  // namespace
}  // namespace catena
