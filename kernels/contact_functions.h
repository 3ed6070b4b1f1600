// Scalar functions of contact mechanics: friction coupled to spin, and damping from restitution.
#pragma once

namespace catena {

// Dry friction of a circular patch of radius a that slides with speed v and spins with rate w:
//   force = mu N F(sigma), moment = mu N a G(sigma), sigma = a w / v.
// F is even and G is odd. In the usual ratio d = 1 / sigma these are f(d) and g(d) of the
// Coulomb-Contensou law (R. Leine, C. Glocker, Eur. J. Mech. A 22 (2003) 193-216); sigma keeps all
// of them smooth where the spin vanishes.
struct CoupledFriction {
  double force = 1, moment = 0;            // F, G
  double forceSlope = 0, momentSlope = 0;  // dF/dsigma, dG/dsigma
};

enum class PatchPressure { hertz, uniform };
enum class FrictionModel { coulomb, contensou, ellipsoid, pade1, power };

// f = d / (d^m + b^m)^(1/m), g = g(0) / (1 + (c d)^n)^(1/n), the type of law of G. Kudra, J.
// Awrejcewicz, Acta Mech. 226 (2015) 2831-2848.
struct PowerLaw {
  double b, m, c, n;
};
PowerLaw fittedPowerLaw(PatchPressure pressure);  // fit of the exact functions for 0.01 <= d <= 30

// coulomb: F = 1, G = 0. contensou: exact integrals over the patch, for Hertz' pressure elementary
// functions, for uniform pressure complete elliptic integrals. ellipsoid: F, G on a quarter of an
// ellipse. pade1: V. Zhuravlev, J. Appl. Math. Mech. 62 (1998) 705-710.
CoupledFriction coupledFriction(FrictionModel model, PatchPressure pressure, const PowerLaw& power,
                                double sigma);

// Damping factor b of the force k depth^e (1 + b depthRate) from the wanted coefficient of
// restitution c in (0, 1] and the speed v of impact: b = y / v. exact solves y (1 + c) = ln((1 + y)
// / (1 - c y)), which holds for the free impact with any exponent e.
enum class RestitutionModel {
  exact,
  huntCrossley,
  herbertMcWhannell,
  leeWang,
  lankaraniNikravesh,
  gonthier,
  flores
};
double restitutionDamping(RestitutionModel model, double c);

}  // namespace catena
