// Dual numbers against differences.
#include "kernels/dual.h"

#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

// Every operation of dual.h, in one function of three variables.
template <class S>
S everything(const S& x, const S& y, const S& z) {
  using std::abs;
  using std::atan2;
  using std::cos;
  using std::exp;
  using std::log;
  using std::pow;
  using std::sin;
  using std::sqrt;
  S a = x * y - z / (S(2) + y * y);
  a += sin(x * z) * cos(y) + S(3);
  a -= exp(S(-1) * x) * log(S(4) + z);
  a *= sqrt(S(2) + x * x) + pow(S(3) + y, 1.7);
  a /= S(1) + abs(-z);
  return -a + atan2(y + x, z - S(5));
}

}  // namespace

TEST_CASE("derivatives of dual numbers are those of differences", "[kernels]") {
  Random random(1);
  using D = Dual<3>;
  for (int i = 0; i < 100; ++i) {
    const Vector3 x = random.vector(3, 1.5);
    D d[3];
    for (int k = 0; k < 3; ++k) d[k] = {x[k], D::Gradient(Vector3::Unit(k).array())};
    const D f = everything(d[0], d[1], d[2]);
    CHECK(f.value == Approx(everything(x[0], x[1], x[2])).epsilon(1e-14));
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](Real h) {
        const Vector3 y = x + h * Vector3::Unit(k);
        return everything(y[0], y[1], y[2]);
      };
      const Real h = 1e-3;
      if (k == 2 && std::abs(x[2]) < 3 * h) continue;  // the kink of abs
      const Real near = (at(h) - at(-h)) / (2 * h), far = (at(2 * h) - at(-2 * h)) / (4 * h);
      CHECK(f.gradient[k] == Approx((4 * near - far) / 3).epsilon(1e-8).margin(1e-8));
    }
  }
}

TEST_CASE("matrices of dual numbers multiply by the product rule", "[kernels]") {
  using D = Dual<1>;
  const auto rotation = [](const D& angle) {
    MatrixOf<D, 3, 3> A;
    A << cos(angle), -sin(angle), D(0), sin(angle), cos(angle), D(0), D(0), D(0), D(1);
    return A;
  };
  const D angle(0.7, D::Gradient(1.0));
  const MatrixOf<D, 3, 3> twice = rotation(angle) * rotation(angle);  // the rotation by 1.4
  CHECK(twice(0, 0).value == Approx(std::cos(1.4)));
  CHECK(twice(0, 0).gradient[0] == Approx(-2 * std::sin(1.4)));
  CHECK(twice(1, 0).gradient[0] == Approx(2 * std::cos(1.4)));
}

TEST_CASE("dual numbers compare by their values", "[kernels]") {
  using D = Dual<1>;
  const D a(1, D::Gradient(5.0)), b(2, D::Gradient(-5.0)), same(1, D::Gradient(7.0));
  CHECK(a < b);
  CHECK(b > a);
  CHECK(a <= same);
  CHECK(a == same);
  CHECK(a != b);
  CHECK(abs(-a).gradient[0] == 5);
}
