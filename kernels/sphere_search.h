// Which spheres are close to each other: a uniform grid, sorted by cells.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/types.h"

namespace catena {

class SphereSearch {
 public:
  // All pairs i < j of spheres whose surfaces are nearer than the distance, in ascending order. The
  // cells are as wide as the largest sphere and the distance: cost O(N log N) for sizes that do not
  // differ by orders of magnitude. Memory is kept for the next call.
  void findPairs(const std::vector<Vector3>& centres, const std::vector<Real>& radii, Real distance,
                 std::vector<std::array<int, 2>>& pairs);

 private:
  std::vector<std::pair<std::uint64_t, int>> cells_;  // key and sphere, ascending
};

}  // namespace catena
