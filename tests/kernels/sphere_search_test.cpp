#include "kernels/sphere_search.h"

#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

TEST_CASE("the grid finds the pairs of spheres that a comparison of all with all finds") {
  Random random(3);
  SphereSearch search;
  for (int run = 0; run < 60; ++run) {
    const int count = run < 3 ? run : 2 + random.below(300);
    const Real size = std::pow(10, random.uniform(-1, 1)), distance = random.uniform(0, 0.3);
    const Vector3 centre = random.vector(3, run % 3 == 0 ? 1e4 : 1);  // far from the origin too
    std::vector<Vector3> centres;
    std::vector<Real> radii;
    for (int i = 0; i < count; ++i) {
      centres.push_back(centre + Vector3(random.vector(3, size)));
      radii.push_back(random.uniform(0.01, 0.3));
    }
    if (count > 10) centres[7] = centres[3];  // the same place
    if (run % 7 == 6) centres[0] += Vector3(1e9, 0, -1e9);
    std::vector<std::array<int, 2>> all, found;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if ((centres[i] - centres[j]).norm() < radii[i] + radii[j] + distance)
          all.push_back({i, j});
    search.findPairs(centres, radii, distance, found);
    INFO("run " << run << ", " << count << " spheres");
    CHECK(found == all);
  }
}
