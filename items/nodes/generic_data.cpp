// History variables of contacts, friction and angle continuation.
#include "items/node_behaviour.h"

namespace catena {
namespace {

struct NodeGenericData {
  static constexpr std::string_view typeName = "GenericData";
  static constexpr std::string_view summary = "history (data) variables, constant during Newton";
  static constexpr std::string_view theory =
      "n values that are no unknowns: they change only after a converged Newton run, by the items "
      "that use them or by a "
      "user function. A repeated step starts again from their values at the start of the step.";
  static constexpr OutputVariable outputs[] = {OutputVariable::Coordinates};

  VectorX initialCoordinates;
  int numberOfDataCoordinates = 0;

  static std::span<const Field> fields() {
    using T = NodeGenericData;
    static constexpr Field table[] = {
        field<&T::initialCoordinates>("initialCoordinates", "z_0", "",
                                      "initial values; empty: zeros"),
        field<&T::numberOfDataCoordinates>("numberOfDataCoordinates", "n", "", "number of values",
                                           Bounds{0, 1e7}),
    };
    return table;
  }

  static void check(const NodeGenericData& n, const std::string& where) {
    if (n.initialCoordinates.size() != 0 &&
        n.initialCoordinates.size() != n.numberOfDataCoordinates)
      throw ModelError(
          where + ": initialCoordinates has " + std::to_string(n.initialCoordinates.size()) +
          " values, numberOfDataCoordinates = " + std::to_string(n.numberOfDataCoordinates) +
          "; give that many values or none");
  }
  static NodeLayout layout(const NodeGenericData& n) { return {.data = n.numberOfDataCoordinates}; }
  static void initialState(const NodeGenericData& n, const NodeView& s) {
    for (int i = 0; i < n.numberOfDataCoordinates; ++i)
      s.data[i] = n.initialCoordinates.size() ? n.initialCoordinates[i] : 0;
  }
};

const RegisterNode<NodeGenericData> registered;

}  // namespace
}  // namespace catena
