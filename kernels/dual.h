// Forward automatic differentiation: a value together with N directional derivatives.
//
// A function written for a scalar type S gives its exact Jacobian when called with Dual<N>: seed
// direction j of the independent variable x_j with derivative(j) = 1 and read d f / d x_j from
// derivative(j) of the result.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace catena {

template <int N>
struct Dual {
  using Gradient = Eigen::Array<double, N, 1>;
  double value;
  Gradient gradient;

  Dual() : value(0), gradient(Gradient::Zero()) {}
  Dual(double v) : value(v), gradient(Gradient::Zero()) {}  // NOLINT: constants convert implicitly
  Dual(int v) : Dual(static_cast<double>(v)) {}             // NOLINT
  Dual(double v, const Gradient& g) : value(v), gradient(g) {}

  Dual& operator+=(const Dual& b) {
    value += b.value;
    gradient += b.gradient;
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    value -= b.value;
    gradient -= b.gradient;
    return *this;
  }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator-(const Dual& a) { return {-a.value, -a.gradient}; }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.gradient + b.gradient};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.gradient - b.gradient};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.gradient * b.value + b.gradient * a.value};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double q = a.value / b.value;
    return {q, (a.gradient - q * b.gradient) / b.value};
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

template <int N>
Dual<N> sqrt(const Dual<N>& a) {
  const double r = std::sqrt(a.value);
  return {r, a.gradient / (2 * r)};
}
template <int N>
Dual<N> sin(const Dual<N>& a) {
  return {std::sin(a.value), std::cos(a.value) * a.gradient};
}
template <int N>
Dual<N> cos(const Dual<N>& a) {
  return {std::cos(a.value), -std::sin(a.value) * a.gradient};
}
template <int N>
Dual<N> exp(const Dual<N>& a) {
  const double e = std::exp(a.value);
  return {e, e * a.gradient};
}
template <int N>
Dual<N> log(const Dual<N>& a) {
  return {std::log(a.value), a.gradient / a.value};
}
template <int N>
Dual<N> pow(const Dual<N>& a, double p) {
  const double r = std::pow(a.value, p - 1);
  return {r * a.value, p * r * a.gradient};
}
template <int N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (x.value * y.gradient - y.value * x.gradient) / r2};
}
template <int N>
Dual<N> abs(const Dual<N>& a) {
  return a.value < 0 ? -a : a;
}

inline double valueOf(double x) { return x; }
template <int N>
double valueOf(const Dual<N>& x) {
  return x.value;
}

}  // namespace catena

namespace Eigen {
template <int N>
struct NumTraits<catena::Dual<N>> : NumTraits<double> {
  using Real = catena::Dual<N>;
  using NonInteger = catena::Dual<N>;
  using Nested = catena::Dual<N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N,
    AddCost = N,
    MulCost = 2 * N
  };
};
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<catena::Dual<N>, double, BinaryOp> {
  using ReturnType = catena::Dual<N>;
};
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<double, catena::Dual<N>, BinaryOp> {
  using ReturnType = catena::Dual<N>;
};
}  // namespace Eigen
