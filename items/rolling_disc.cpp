#include "items/rolling_disc.h"

namespace catena {

ContactTrail contactTrail(const PairMotion<Real>& motion, Real radius, const Vector3& discAxis,
                          const Vector3& planeNormal) {
  // d lever / dt from the rates of both frames; positions alone matter for the lever
  using S = Dual<1>;
  const auto moving = [](const Motion<Real>& m) {
    const Matrix3 rate = m.rotation * skew(m.omega);
    Motion<S> out;
    for (int i = 0; i < 3; ++i) {
      out.displacement[i] = S(m.displacement[i], S::Gradient::Constant(m.velocity[i]));
      out.velocity[i] = S(m.velocity[i]);
      out.omega[i] = S(m.omega[i]);
      for (int j = 0; j < 3; ++j)
        out.rotation(i, j) = S(m.rotation(i, j), S::Gradient::Constant(rate(i, j)));
    }
    return out;
  };
  const PairMotion<S> lifted{motion.pair, motion.view, motion.state, moving(motion.m0),
                             moving(motion.m1)};
  const RollingDisc<S> disc = rollingDisc<S>(lifted, radius, discAxis, planeNormal);
  ContactTrail trail;
  trail.position = motion.position0();
  trail.velocity = motion.velocity0();
  for (int i = 0; i < 3; ++i) {
    trail.position[i] += disc.contact[i].value;
    trail.velocity[i] += disc.contact[i].gradient[0];
  }
  return trail;
}

void checkDisc(Real radius, const Vector3& discAxis, const Vector3& planeNormal,
               const std::string& where) {
  if (!(radius > 0))
    throw ModelError(where + ": discRadius = " + valueText(radius) + " m must be > 0");
  for (const Vector3* v : {&discAxis, &planeNormal})
    if (std::abs(v->norm() - 1) > 1e-6)
      throw ModelError(where + ": " + (v == &discAxis ? "discAxis" : "planeNormal") + " = " +
                       valueText(VectorX(*v)) + " must have length 1");
}

}  // namespace catena
