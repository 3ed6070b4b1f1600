// Rotations: the representations against each other, and derivatives against differences.
#include "kernels/rotation.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

// The angles at which formulas change or lose digits.
const Real angles[] = {0,           1e-12,           1e-9,           1e-5, 9.9e-3,
                       1.01e-2,     0.0199,          0.0201,         0.5,  1.5,
                       M_PI - 1e-2, M_PI - 1e-7,     M_PI - 1e-12,   M_PI, M_PI + 1e-7,
                       4,           2 * M_PI - 0.01, 2 * M_PI - 1e-3};

// exp by its power series, in parts so that it converges: a rotation by |phi| / 1024, squared 10
// times in long double.
Matrix3 seriesExponential(const Vector3& phi) {
  using M = Eigen::Matrix<long double, 3, 3>;
  const M w = skew(phi).cast<long double>() / 1024;
  M term = M::Identity(), sum = M::Identity();
  for (int k = 1; k < 20; ++k) {
    term = (term * w / static_cast<long double>(k)).eval();
    sum += term;
  }
  for (int k = 0; k < 10; ++k) sum = (sum * sum).eval();
  return sum.cast<double>();
}

Real distance(const Matrix3& a, const Matrix3& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("the exponential of a rotation vector is that of its power series", "[kernels]") {
  Random random(1);
  for (const Real angle : angles)
    for (int i = 0; i < 20; ++i) {
      const Vector3 phi = angle * random.direction();
      INFO("angle " << angle);
      const Matrix3 A = expSO3(phi);
      CHECK(distance(A, seriesExponential(phi)) < 4e-15);
      CHECK(distance(A.transpose() * A, Matrix3::Identity()) < 4e-15);
    }
}

TEST_CASE("the logarithm undoes the exponential up to half a turn", "[kernels]") {
  Random random(2);
  for (const Real angle : angles)
    for (int i = 0; i < 20; ++i) {
      const Vector3 axis = random.direction();
      const Vector3 phi = logSO3(expSO3(angle * axis));
      INFO("angle " << angle);
      CHECK(phi.norm() <= M_PI + 1e-14);
      CHECK(distance(expSO3(phi), expSO3(angle * axis)) < 1e-14);
      if (angle < M_PI - 1e-8)  // at half a turn both axes are right
        CHECK((phi - angle * axis).norm() < 1e-14 + 1e-13 * angle);
    }
}

TEST_CASE("composed rotation vectors are the product of the rotations", "[kernels]") {
  Random random(3);
  for (const Real angle0 : angles)
    for (const Real angle1 : angles) {
      const Vector3 phi = angle0 * random.direction(), theta = angle1 * random.direction();
      const Vector3 both = composeRotationVectors(phi, theta);
      INFO("angles " << angle0 << " and " << angle1);
      CHECK(both.norm() <= 2 * M_PI + 1e-14);
      CHECK(distance(expSO3(both), expSO3(phi) * expSO3(theta)) < 2e-14);
    }
}

TEST_CASE("small steps about an axis add up beyond half a turn without a jump", "[kernels]") {
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  Vector3 phi = Vector3::Zero();
  for (int i = 1; i <= 600; ++i) {
    phi = composeRotationVectors(phi, 0.01 * axis);
    REQUIRE((phi - 0.01 * i * axis).norm() < 1e-12);
  }
  CHECK(phi.norm() == Approx(6).epsilon(1e-12));
}

TEST_CASE("the tangent of the exponential is its derivative", "[kernels]") {
  Random random(4);
  for (const Real angle : angles)
    for (int i = 0; i < 5; ++i) {
      const Vector3 phi = angle * random.direction();
      const Matrix3 A = expSO3(phi), T = tangentSO3(phi);
      INFO("angle " << angle);
      for (int k = 0; k < 3; ++k) {
        const auto at = [&](Real h) {
          return Matrix3(A.transpose() * expSO3(phi + h * Vector3::Unit(k)));
        };
        const Real h = 1e-3;
        const Matrix3 near = (at(h) - at(-h)) / (2 * h), far = (at(2 * h) - at(-2 * h)) / (4 * h);
        CHECK(distance((4 * near - far) / 3, skew(Vector3(T.col(k)))) < 1e-11);
      }
      // T is singular at a full turn, where the inverse grows like the reciprocal distance
      const Real scale = inverseTangentSO3(phi).cwiseAbs().maxCoeff();
      CHECK(distance(T * inverseTangentSO3(phi), Matrix3::Identity()) < 1e-14 * (1 + scale));
      CHECK(distance(inverseTangentSO3(phi) * T, Matrix3::Identity()) < 1e-14 * (1 + scale));
    }
}

TEST_CASE("Euler parameters and rotation matrices describe the same rotation", "[kernels]") {
  Random random(5);
  for (const Real angle : angles)
    for (int i = 0; i < 20; ++i) {
      const Matrix3 A = expSO3(angle * random.direction());
      const Vector4 e = eulerParametersFromRotation(A);
      INFO("angle " << angle);
      CHECK(std::abs(e.norm() - 1) < 4e-15);
      CHECK(e[0] >= 0);
      CHECK(distance(rotationFromEulerParameters(e), A) < 4e-15);
    }
  for (int k = 0; k < 3;
       ++k) {  // half turns about the axes: three equal diagonal terms of the trace
    const Matrix3 A = 2 * Vector3::Unit(k) * Vector3::Unit(k).transpose() - Matrix3::Identity();
    CHECK(distance(rotationFromEulerParameters(eulerParametersFromRotation(A)), A) < 1e-15);
  }
}

TEST_CASE("rates of Euler parameters and Tait-Bryan angles give the angular velocity",
          "[kernels]") {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Vector4 e = eulerParametersFromRotation(random.rotation());
    const Vector3 angle(random.uniform(-3, 3), random.uniform(-1.4, 1.4), random.uniform(-3, 3));
    const Vector3 rates = random.vector(3);
    const Vector3 w = random.vector(3);
    // de/dt of unit parameters is Gbar^T w / 4, and A^T dA/dt = skew(w)
    const Vector4 de = gbarEulerParameters(e).transpose() * w / 4;
    CHECK((gbarEulerParameters(e) * de - w).norm() < 1e-14);
    CHECK(std::abs(e.dot(de)) < 1e-15);
    const Real h = 1e-5;
    const Matrix3 dA =
        (rotationFromEulerParameters(e + h * de) - rotationFromEulerParameters(e - h * de)) /
        (2 * h);
    CHECK(distance(rotationFromEulerParameters(e).transpose() * dA, skew(w)) < 1e-9);

    const Matrix3 dB =
        (rotationFromTaitBryan(angle + h * rates) - rotationFromTaitBryan(angle - h * rates)) /
        (2 * h);
    const Vector3 wB = gbarTaitBryan(angle) * rates;
    CHECK(distance(rotationFromTaitBryan(angle).transpose() * dB, skew(wB)) < 1e-9);
    const Matrix3 dG =
        (gbarTaitBryan(angle + h * rates) - gbarTaitBryan(angle - h * rates)) / (2 * h);
    CHECK(distance(gbarRateTaitBryan(angle, rates), dG) < 1e-9);
    CHECK((gbarProductDerivativeTaitBryan(angle, w) * rates - dG * w).norm() < 1e-9);
    CHECK((taitBryanFromRotation(rotationFromTaitBryan(angle)) - angle).norm() < 1e-13);
  }
}

TEST_CASE("Tait-Bryan angles of a gimbal lock still give the rotation back", "[kernels]") {
  for (const Real b : {M_PI / 2, -M_PI / 2})
    for (const Real c : {-2.0, 0.3, 1.1}) {
      const Matrix3 A = rotationFromTaitBryan({0, b, c});
      CHECK(distance(rotationFromTaitBryan(taitBryanFromRotation(A)), A) < 1e-13);
    }
}

TEST_CASE("the basis around an axis is orthonormal, right-handed and ends with the axis",
          "[kernels]") {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const Vector3 a = i < 3 ? Vector3(Vector3::Unit(i)) : random.direction();
    const Matrix3 B = basisAroundAxis(a);
    CHECK(distance(B.transpose() * B, Matrix3::Identity()) < 1e-14);
    CHECK(B.determinant() == Approx(1).epsilon(1e-13));
    CHECK(B.col(2) == a);
  }
}
