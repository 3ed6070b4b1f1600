#include "kernels/sphere_search.h"

#include <algorithm>
#include <cmath>

namespace catena {
namespace {

// A cell is (z, y, x) in one number; x is last, so that neighbours along x are adjacent keys.
constexpr int bits = 21;
constexpr Real last = (1 << bits) - 2;  // cells 1 .. last, so that every cell has neighbours

std::uint64_t cellAlong(Real distance, Real size) {
  // spheres that fly off share the outermost cells
  return static_cast<std::uint64_t>(std::clamp(std::floor(distance / size) + 1, 1.0, last));
}

}  // namespace

void SphereSearch::findPairs(const std::vector<Vector3>& centres, const std::vector<Real>& radii,
                             Real distance, std::vector<std::array<int, 2>>& pairs) {
  pairs.clear();
  cells_.clear();
  if (centres.empty()) return;
  Vector3 low = centres[0];
  for (const Vector3& c : centres) low = low.cwiseMin(c);
  const Real size = 2 * *std::max_element(radii.begin(), radii.end()) + distance;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const Vector3 d = centres[i] - low;
    const std::uint64_t x = cellAlong(d[0], size), y = cellAlong(d[1], size),
                        z = cellAlong(d[2], size);
    cells_.emplace_back((z << 2 * bits) | (y << bits) | x, static_cast<int>(i));
  }
  std::sort(cells_.begin(), cells_.end());
  const auto tryPair = [&](int i, int j) {
    const Real reach = radii[i] + radii[j] + distance;
    if ((centres[i] - centres[j]).squaredNorm() < reach * reach)
      pairs.push_back({std::min(i, j), std::max(i, j)});
  };
  // Half of the neighbourhood: the rest of the own row of cells, and four rows of three cells.
  constexpr std::int64_t y = std::int64_t{1} << bits, z = std::int64_t{1} << 2 * bits;
  constexpr std::int64_t rows[] = {y, z - y, z, z + y};
  for (auto own = cells_.begin(); own != cells_.end(); ++own) {
    const auto [key, i] = *own;
    for (auto other = own + 1; other != cells_.end() && other->first <= key + 1; ++other)
      tryPair(i, other->second);
    for (const std::int64_t row : rows) {
      const std::uint64_t first = key + row - 1;
      auto other = std::lower_bound(own, cells_.end(), std::pair{first, -1});
      for (; other != cells_.end() && other->first <= first + 2; ++other) tryPair(i, other->second);
    }
  }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace catena
