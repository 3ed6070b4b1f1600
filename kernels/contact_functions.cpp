#include "kernels/contact_functions.h"

#include <cmath>

namespace catena {
namespace {

// Values and slopes at s = |sigma|.
CoupledFriction hertz(double s) {
  if (s < 0.4) {  // series, for the closed form cancels
    CoupledFriction c;
    double g = 1.0 / 5, power = 1;  // of s^2
    for (int n = 0; n < 20; ++n) {
      c.moment += g * power * s;
      c.momentSlope += (2 * n + 1) * g * power;
      power *= s * s;
      c.force -= (2 * n + 1) * g / (2 * n + 2) * power;
      g *= (2 * n + 1) * (2 * n + 1) / (2.0 * (n + 1) * (2 * n + 7));
    }
    c.forceSlope = -s * c.momentSlope;  // holds for every law from a potential
    return c;
  }
  const double d = 1 / s;
  double f, g, df;  // by d
  if (d <= 1) {
    f = 3 * M_PI / 8 * (d - d * d * d / 4);
    df = 3 * M_PI / 8 * (1 - 0.75 * d * d);
    g = 3 * M_PI / 16 * (1 - d * d) + 9 * M_PI / 128 * d * d * d * d;
  } else {
    const double A = std::asin(s), w = std::sqrt(d * d - 1), d2 = d * d;
    f = 0.75 * ((d - d * d2 / 4) * A + (3 * w + w * w * w) / (4 * d));
    df = 0.75 * ((2 - d2) * A + w) - f / d;
    g = 0.75 * ((0.5 - d2 / 2 + 3 * d2 * d2 / 16) * A + 3 * (w - w * w * w) / 16);
  }
  return {f, g, -d * d * df, d * d * d * df};  // dg/dd = -d df/dd
}

CoupledFriction uniform(double s) {
  if (s <= 0.35) {  // series of E and K in m = s^2, for the closed form cancels
    // K = pi/2 sum a_n m^n, E = pi/2 sum e_n m^n with e_n = -a_n / (2 n - 1):
    //   F = 2/3 sum_n (e_{n+1} + e_n - a_{n+1} + a_n) m^n
    //   G = 2/9 s sum_n (4 e_{n+1} - 2 e_{n+2} + 2 a_{n+2} - 5 a_{n+1} + 3 a_n) m^n
    const double m = s * s;
    CoupledFriction c;
    c.force = 0;
    double power = 1;
    double a[3] = {1, 0.25, 9.0 / 64};
    for (int n = 0; n < 18; ++n) {
      const double e0 = -a[0] / (2 * n - 1), e1 = -a[1] / (2 * n + 1), e2 = -a[2] / (2 * n + 3);
      const double coefficient = 2.0 / 9 * (4 * e1 - 2 * e2 + 2 * a[2] - 5 * a[1] + 3 * a[0]);
      c.force += 2.0 / 3 * (e1 + e0 - a[1] + a[0]) * power;
      c.moment += s * coefficient * power;
      c.momentSlope += (2 * n + 1) * coefficient * power;
      power *= m;
      const double ratio = (2 * n + 5.0) / (2 * n + 6.0);
      a[0] = a[1], a[1] = a[2], a[2] *= ratio * ratio;
    }
    c.forceSlope = -s * c.momentSlope;
    return c;
  }
  const double d = 1 / s, d2 = d * d;
  double f, g, df;
  if (d <= 1) {
    // at d = 1 K is infinite, but its factors vanish
    const double K = d < 1 ? std::comp_ellint_1(d) : 0, E = std::comp_ellint_2(d);
    // (1 + m) E - (1 - m) K over m loses digits for small m = d^2, where f = d (1 - m/8 - ...)
    f = d < 0.02 ? d * (1 - d2 / 8 * (1 + d2 / 8))
                 : 4 / (3 * M_PI * d) * ((1 + d2) * E - (1 - d2) * K);
    df = 4 / M_PI * E - f / d;
    g = 4 / (9 * M_PI) * ((4 - 2 * d2) * E + (d2 - 1) * K);
  } else {
    const double K = s < 1 ? std::comp_ellint_1(s) : 0, E = std::comp_ellint_2(s);
    f = 4 / (3 * M_PI) * ((d2 + 1) * E - (d2 - 1) * K);
    df = 4 / (3 * M_PI) * (2 * d * (E - K) - (E - 2 * K) / d);
    g = 4 * d / (9 * M_PI) * ((4 - 2 * d2) * E + (2 * d2 - 5 + 3 / d2) * K);
  }
  return {f, g, -d2 * df, d2 * d * df};
}

CoupledFriction powerLaw(const PowerLaw& p, double g0, double s) {
  // In sigma: F = (1 + (b s)^m)^(-1/m), G = g0 s / (s^n + c^n)^(1/n).
  const double x = std::pow(p.b * s, p.m), y = std::pow(s, p.n) + std::pow(p.c, p.n);
  CoupledFriction c;
  c.force = std::pow(1 + x, -1 / p.m);
  c.moment = g0 * s * std::pow(y, -1 / p.n);
  c.forceSlope = s > 0 ? -c.force / (1 + x) * x / s : 0;
  c.momentSlope = g0 * std::pow(p.c, p.n) * std::pow(y, -1 / p.n - 1);
  return c;
}

}  // namespace

PowerLaw fittedPowerLaw(PatchPressure pressure) {
  return pressure == PatchPressure::hertz
             ? PowerLaw{0.8500167355424142, 3.383219446847, 2.4656217674008216, 4.4437724786065065}
             : PowerLaw{0.9856270019306338, 3.7042091996009665, 2.2201385579050807,
                        4.860760327567235};
}

CoupledFriction coupledFriction(FrictionModel model, PatchPressure pressure, const PowerLaw& power,
                                double sigma) {
  const bool isHertz = pressure == PatchPressure::hertz;
  const double s = std::abs(sigma);
  const double g0 = isHertz ? 3 * M_PI / 16 : 2.0 / 3;  // moment without sliding
  const double slope0 = isHertz ? 3 * M_PI / 8 : 1;     // df/dd without sliding
  const double far = isHertz ? 1.0 / 5 : 1.0 / 4;       // G -> far sigma without spin
  CoupledFriction c;
  switch (model) {
    case FrictionModel::coulomb:
      return c;
    case FrictionModel::contensou:
      c = isHertz ? hertz(s) : uniform(s);
      break;
    case FrictionModel::ellipsoid: {
      const double gs = g0 * s, root = std::sqrt(1 + gs * gs);
      c = {1 / root, g0 * gs / root, -g0 * gs / (root * root * root),
           g0 * g0 / (root * root * root)};
      break;
    }
    case FrictionModel::pade1: {
      const double p = 1 + s / slope0, q = s + g0 / far;
      c = {1 / p, g0 * s / q, -1 / (slope0 * p * p), g0 * (g0 / far) / (q * q)};
      break;
    }
    case FrictionModel::power:
      c = powerLaw(power, g0, s);
      break;
  }
  if (sigma < 0) c.moment = -c.moment, c.forceSlope = -c.forceSlope;
  return c;
}

double restitutionDamping(RestitutionModel model, double c) {
  switch (model) {
    case RestitutionModel::huntCrossley:
      return 1.5 * (1 - c);
    case RestitutionModel::herbertMcWhannell:
      return 6 * (1 - c) / ((2 * c - 1) * (2 * c - 1) + 3);
    case RestitutionModel::leeWang:
      return 0.75 * (1 - c);
    case RestitutionModel::lankaraniNikravesh:
      return 0.75 * (1 - c * c);
    case RestitutionModel::gonthier:
      return (1 - c * c) / c;
    case RestitutionModel::flores:
      return 1.6 * (1 - c) / c;
    case RestitutionModel::exact:
      break;
  }
  if (c >= 1) return 0;
  // h(y) = ln(1 + y) - ln(1 - c y) - (1 + c) y has a double root at 0, is negative up to the wanted
  // root below 1 / c and positive beyond. Bisection in u = -ln(1 - c y) on h / y^2.
  const auto h = [c](double u) {
    const double y = -std::expm1(-u) / c;
    if (y > 0.1) return (std::log1p(y) + u - (1 + c) * y) / (y * y);
    double sum = (c - 1) * (c + 1) / 2, power = 1, cn = c * c;
    for (int n = 3; n < 24; ++n) power *= y, cn *= c, sum += power * (cn + (n % 2 ? 1 : -1)) / n;
    return sum;
  };
  double low = 0, high = 1;
  while (h(high) < 0) low = high, high *= 2;
  while (high - low > 1e-16 * high) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (h(middle) < 0 ? low : high) = middle;
  }
  return -std::expm1(-high) / c;
}

}  // namespace catena
