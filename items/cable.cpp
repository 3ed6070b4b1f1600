#include "items/cable.h"

namespace catena {

Shape cableShape(Real x, Real L) {
  const Real s = x / L, s2 = s * s, s3 = s2 * s;
  return {1 - 3 * s2 + 2 * s3, L * (s - 2 * s2 + s3), 3 * s2 - 2 * s3, L * (s3 - s2)};
}
Shape cableShapeDerivative(Real x, Real L) {
  const Real s = x / L, s2 = s * s;
  return {6 * (s2 - s) / L, 1 - 4 * s + 3 * s2, 6 * (s - s2) / L, 3 * s2 - 2 * s};
}
Shape cableShapeCurvature(Real x, Real L) {
  const Real s = x / L;
  return {(12 * s - 6) / (L * L), (6 * s - 4) / L, (6 - 12 * s) / (L * L), (6 * s - 2) / L};
}

namespace {

// Gauss and Lobatto points on 0 .. 1.
constexpr CablePoint gauss2[] = {{0.2113248654051871, 0.5}, {0.7886751345948129, 0.5}};
constexpr CablePoint gauss3[] = {
    {0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}};
constexpr CablePoint gauss4[] = {{0.06943184420297371, 0.1739274225687269},
                                 {0.3300094782075719, 0.3260725774312731},
                                 {0.6699905217924281, 0.3260725774312731},
                                 {0.9305681557970263, 0.1739274225687269}};
constexpr CablePoint gauss5[] = {{0.04691007703066800, 0.1184634425280945},
                                 {0.2307653449471585, 0.2393143352496832},
                                 {0.5, 0.2844444444444444},
                                 {0.7692346550528415, 0.2393143352496832},
                                 {0.9530899229693320, 0.1184634425280945}};
constexpr CablePoint lobatto3[] = {{0, 1.0 / 6}, {0.5, 4.0 / 6}, {1, 1.0 / 6}};

}  // namespace

std::span<const CablePoint> axialPoints(int reducedOrder) {
  if (reducedOrder == 0) return gauss5;
  if (reducedOrder == 1) return gauss4;
  return lobatto3;
}
std::span<const CablePoint> bendingPoints(int reducedOrder) {
  if (reducedOrder == 0) return gauss3;
  return gauss2;
}

}  // namespace catena
