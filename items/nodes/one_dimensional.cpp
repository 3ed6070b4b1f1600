// A single coordinate.
#include "items/node_behaviour.h"

namespace catena {
namespace {

using Vector1 = MatrixOf<Real, 1>;

struct Node1D {
  static constexpr std::string_view typeName = "1D";
  static constexpr std::string_view summary =
      "one coordinate, for masses on an axis and for coordinate connectors";
  static constexpr std::string_view theory =
      "One coordinate q with rate v and acceleration a; total value q_ref + q.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates, OutputVariable::Coordinates_t,
      OutputVariable::Coordinates_tt};

  Vector1 referenceCoordinates = Vector1::Zero();
  Vector1 initialCoordinates = Vector1::Zero();
  Vector1 initialVelocities = Vector1::Zero();

  static std::span<const Field> fields() {
    using T = Node1D;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "m, rad",
                                        "reference value"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m, rad",
                                      "initial displacement"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, rad/s", "initial rate"),
    };
    return table;
  }

  static NodeLayout layout(const Node1D&) { return {.coordinates = 1, .groups = {1}}; }
  static void initialState(const Node1D& n, const NodeView& s) {
    s.q[0] = n.initialCoordinates[0];
    s.v[0] = n.initialVelocities[0];
  }
};

const RegisterNode<Node1D> registered;

}  // namespace
}  // namespace catena
