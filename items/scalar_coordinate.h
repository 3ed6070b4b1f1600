// Scalar coordinates that coordinate connectors, constraints and loads act on.
#pragma once

#include "items/connector.h"

namespace catena {

// Value, rate and variations of a scalar coordinate. The local unknowns (up to 12) are those of
// addScalarGroups().
struct ScalarMotion {
  static constexpr int capacity = 12;
  int size = 0;  // local unknowns
  Real value = 0, rate = 0;
  Eigen::Matrix<Real, capacity, 1> forceRow;          // generalised force of a unit force
  Eigen::Matrix<Real, capacity, 1> dValue, dRate;     // along the variation
  Eigen::Matrix<Real, capacity, capacity> dForceRow;  // along the variation
};

// Local unknowns of a coordinate: 0 for ground, 1 for a plain coordinate, 3 for a rotation, 12 for
// relative motion.
int scalarSize(const AssemblyView& view, const ScalarCoordinate& c);
// Appends the groups of the coordinate at local row offset; returns their positions.
std::array<int, 4> addScalarGroups(const AssemblyView& view, const ScalarCoordinate& c, int offset,
                                   ElementPattern& pattern);
// withVariations: also dValue, dRate, dForceRow.
void evaluateScalar(const AssemblyView& view, const ScalarCoordinate& c, const State& state,
                    const Frame* frames, const EvaluationContext* variations, ScalarMotion& out);

// d rate / dt at the current accelerations.
Real scalarSecondRate(const AssemblyView& view, const ScalarCoordinate& c, const State& state,
                      const Frame* frames);

// The angle of a relative rotation without offset and continuation, in (-pi, pi].
Real relativeAngle(const ScalarCoordinate& c, const Frame* frames);

// Continues an angle over its last value: adds the multiple of 2 pi that comes nearest.
Real continuedAngle(Real angle, Real last);

// Two scalar coordinates of a connector; local rows 0.. of marker 0, width.. of marker 1, 2 width..
// multipliers.
struct ScalarPair {
  ScalarCoordinate c0, c1;
};
ScalarPair resolveScalars(const AssemblyView& view, int number, const MarkerPair& markers);

// The local rows that coordinates of a batch need: 1, 3 or 12 per marker.
int scalarWidth(const AssemblyView& view, const std::vector<ScalarPair>& pairs);

}  // namespace catena
