// Nodes with a position and its slope along an axis, for cables.
#pragma once

#include "items/node_behaviour.h"

namespace catena {

// D = 2: in the x-y plane, D = 3: in space.
template <int D>
struct SlopeNode {
  using Coordinates = MatrixOf<Real, 2 * D>;
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Position,      OutputVariable::Displacement,     OutputVariable::Velocity,
      OutputVariable::Acceleration,  OutputVariable::CoordinatesTotal, OutputVariable::Coordinates,
      OutputVariable::Coordinates_t, OutputVariable::Coordinates_tt};

  Coordinates referenceCoordinates = Coordinates::Unit(D);  // at the origin, along x
  Coordinates initialCoordinates = Coordinates::Zero();
  Coordinates initialVelocities = Coordinates::Zero();

  static std::span<const Field> fields() {
    using T = SlopeNode;
    static constexpr Field table[] = {
        field<&T::referenceCoordinates>("referenceCoordinates", "q_ref", "m, 1",
                                        "reference position, reference slope"),
        field<&T::initialCoordinates>("initialCoordinates", "q_0", "m, 1",
                                      "initial displacement, initial change of the slope"),
        field<&T::initialVelocities>("initialVelocities", "v_0", "m/s, 1/s",
                                     "initial velocity, initial rate of the slope"),
    };
    return table;
  }

  static NodeLayout layout(const SlopeNode&) {
    return {.coordinates = 2 * D,
            .groups = {D, D},
            .hasFrame = true,
            .shape = {D, 0},
            .providesPosition = true,
            .providesOrientation = D == 2};
  }
  static Vector3 referencePosition(const SlopeNode& n) {
    return inSpace(n.referenceCoordinates.data());
  }
  static void initialState(const SlopeNode& n, const NodeView& s) {
    Eigen::Map<Coordinates>(s.q) = n.initialCoordinates;
    Eigen::Map<Coordinates>(s.v) = n.initialVelocities;
  }
  static Vector3 inSpace(const Real* x) { return {x[0], x[1], D == 3 ? x[2] : 0}; }
  static void motion(const SlopeNode&, const ConstNodeView& s, Frame& f) {
    f = {inSpace(s.q),    Matrix3::Identity(), inSpace(s.v),
         Vector3::Zero(), inSpace(s.a),        Vector3::Zero()};
  }
};

}  // namespace catena
