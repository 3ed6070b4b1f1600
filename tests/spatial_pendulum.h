// The pendulum of two universal joints over a rotating disc, twice: in minimal coordinates as
// derived in docs/theory.md, section 11, and as a model of bodies and joints.
#pragma once

#include <functional>

#include "kernels/dual.h"
#include "tests/mechanisms.h"

namespace catena::test {

struct SpatialPendulum {
  Real g = 9.81;
  Real l1 = 0.2, e1 = 0.1, m1 = 0.3;
  Real l2 = 0.25, e2 = 0.18, m2 = 0.45;
  Vector3 I1{1.2e-3, 1.1e-3, 1.5e-4}, I2{2.6e-3, 2.4e-3, 2.2e-4};  // about the centres of mass
  Real ballRadius = 0.03;
  Eigen::Vector4d damping = Eigen::Vector4d::Zero();
  Vector3 base = Vector3::Zero();  // omega = b0 + b1 sin(b2 t)
  Real discSpeed = 0;
  Vector3 disc{0.1, 0, -0.44};
  struct Contact {
    Real k = 0, b = 0, mu = 0, vEps = 1e-2, fr = 0, wEps = 0.1;
    bool contensou = false;
  } contact;

  Real baseSpeed(Real t) const { return base[0] + base[1] * std::sin(base[2] * t); }
  Real baseRate(Real t) const { return base[1] * base[2] * std::cos(base[2] * t); }
  Real baseAngle(Real t) const {
    return base[0] * t + (base[2] == 0 ? 0 : base[1] / base[2] * (1 - std::cos(base[2] * t)));
  }
};

using PendulumState = Eigen::Matrix<Real, 8, 1>;  // theta1, phi1, theta2, phi2 and their rates

// What the tests compare, world components.
struct PendulumMotion {
  Vector3 ball, ballVelocity, omega1, omega2;
  Matrix3 R1, R2;
  Real difference(const PendulumMotion& o) const {
    return std::max({(ball - o.ball).norm(), (ballVelocity - o.ballVelocity).norm(),
                     (omega1 - o.omega1).norm(), (omega2 - o.omega2).norm(), (R1 - o.R1).norm(),
                     (R2 - o.R2).norm()});
  }
};

// --- minimal coordinates -----------------------------------------------------------------------

namespace minimal {

// Components in the turning base frame; axes[k] is the axis of joint angle k.
template <class S>
struct Links {
  using V = MatrixOf<S, 3>;
  MatrixOf<S, 3, 3> R1, R2;
  std::array<V, 4> axes;
  V u1, u2;  // from the joint down the link
};

template <class S>
MatrixOf<S, 3, 3> about(int axis, const S& angle) {
  using std::cos;
  using std::sin;
  MatrixOf<S, 3, 3> R;
  const S c = cos(angle), s = sin(angle);
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  R.setConstant(S(0));
  R(axis, axis) = S(1);
  R(i, i) = c, R(j, j) = c, R(j, i) = s, R(i, j) = -s;
  return R;
}

template <class S>
Links<S> links(const MatrixOf<S, 4>& q) {
  Links<S> l;
  const MatrixOf<S, 3, 3> A = about<S>(0, q[0]);
  l.R1 = A * about<S>(1, q[1]);
  const MatrixOf<S, 3, 3> B = l.R1 * about<S>(0, q[2]);
  l.R2 = B * about<S>(1, q[3]);
  l.axes[0] = lift<S>(Vector3(1, 0, 0));
  l.axes[1] = A.col(1);
  l.axes[2] = l.R1.col(0);
  l.axes[3] = B.col(1);
  l.u1 = -l.R1.col(2);
  l.u2 = -l.R2.col(2);
  return l;
}

// T = q'^T M q' / 2 + w b1^T q' + w^2 b0 / 2, V: all functions of q alone.
template <class S>
struct Energies {
  MatrixOf<S, 4, 4> M;
  MatrixOf<S, 4> b1;
  S b0, V;
};
template <class S>
Energies<S> energies(const SpatialPendulum& p, const MatrixOf<S, 4>& q) {
  using V3 = MatrixOf<S, 3>;
  const Links<S> l = links<S>(q);
  Energies<S> e;
  e.M.setConstant(S(0));
  e.b1.setConstant(S(0));
  e.b0 = e.V = S(0);
  const V3 ez = lift<S>(Vector3(0, 0, 1)), joint2 = l.u1 * S(p.l1);
  for (int body = 0; body < 2; ++body) {
    const S m(body ? p.m2 : p.m1);
    const V3 centre = body ? V3(joint2 + l.u2 * S(p.e2)) : V3(l.u1 * S(p.e1));
    const MatrixOf<S, 3, 3>& R = body ? l.R2 : l.R1;
    const Vector3 I = body ? p.I2 : p.I1;
    // columns: velocity and angular velocity (link axes) per unit of each rate, last of the base
    MatrixOf<S, 3, 5> J, W;
    J.setConstant(S(0));
    W.setConstant(S(0));
    for (int k = 0; k < (body ? 4 : 2); ++k) {
      J.col(k) = l.axes[k].cross(k < 2 ? centre : V3(centre - joint2));
      W.col(k) = R.transpose() * l.axes[k];
    }
    J.col(4) = ez.cross(centre);
    W.col(4) = R.transpose() * ez;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        S sum = m * V3(J.col(i)).dot(V3(J.col(j)));
        for (int a = 0; a < 3; ++a) sum += S(I[a]) * W(a, i) * W(a, j);
        if (i < 4 && j < 4) e.M(i, j) += sum;
        if (i < 4 && j == 4) e.b1[i] += sum;
        if (i == 4 && j == 4) e.b0 += sum;
      }
    e.V += m * S(p.g) * centre[2];
  }
  return e;
}

// Force and moment of the disc on the ball, base frame, written down anew for these tests.
struct BallContact {
  Real gap = 0, gapRate = 0;
  Vector3 point, force = Vector3::Zero(), moment = Vector3::Zero();
};
inline BallContact ballContact(const SpatialPendulum& p, const Vector3& ball,
                               const Vector3& ballVelocity, const Vector3& omega2, Real angle) {
  BallContact c;
  c.gap = ball[2] - p.disc[2] - p.ballRadius;
  c.point = ball - Vector3(0, 0, p.ballRadius);
  const Vector3 w = omega2 - Vector3(0, 0, p.discSpeed);
  const Vector3 v = ballVelocity + omega2.cross(Vector3(0, 0, -p.ballRadius)) -
                    Vector3(0, 0, p.discSpeed).cross(c.point - about<Real>(2, -angle) * p.disc);
  c.gapRate = v[2];
  if (!(c.gap < 0) || p.contact.k == 0) return c;
  const Real depth = -c.gap;
  const Real N = std::max(0.0, p.contact.k * std::pow(depth, 1.5) * (1 - p.contact.b * c.gapRate));
  const Real speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + p.contact.vEps * p.contact.vEps);
  Real f = 1, g = 0;
  const Real a = std::sqrt(p.ballRadius * depth);
  if (p.contact.contensou) {
    const Real d = speed / (a * std::abs(w[2])), s = 1 / d;
    if (d <= 1) {
      f = 3 * M_PI / 8 * (d - d * d * d / 4);
      g = 3 * M_PI / 16 * (1 - d * d) + 9 * M_PI / 128 * std::pow(d, 4);
    } else if (d < 8) {
      const Real A = std::asin(s), r = std::sqrt(d * d - 1);
      f = 0.75 * ((d - d * d * d / 4) * A + (3 * r + r * r * r) / (4 * d));
      g = 0.75 * ((0.5 - d * d / 2 + 3 * std::pow(d, 4) / 16) * A + 3 * (r - r * r * r) / 16);
    } else {
      f = 1 - s * s / 10 - 3 * std::pow(s, 4) / 280 - std::pow(s, 6) / 336 -
          5 * std::pow(s, 8) / 4224 - 21 * std::pow(s, 10) / 36608;
      g = s / 5 + std::pow(s, 3) / 70 + std::pow(s, 5) / 280 + 5 * std::pow(s, 7) / 3696 +
          35 * std::pow(s, 9) / 54912;
    }
  }
  const Real turning = std::sqrt(w[0] * w[0] + w[1] * w[1] + p.contact.wEps * p.contact.wEps);
  c.force = {-p.contact.mu * N * f * v[0] / speed, -p.contact.mu * N * f * v[1] / speed, N};
  c.moment = {-p.contact.fr * N * w[0] / turning, -p.contact.fr * N * w[1] / turning,
              w[2] == 0 ? 0 : -p.contact.mu * N * a * g * (w[2] > 0 ? 1 : -1)};
  return c;
}

// State in the base frame.
struct Kinematics {
  Links<Real> links;
  Vector3 ball, ballVelocity, omega1, omega2;  // velocities include those of the base
  Vector3 joint2;
};
inline Kinematics kinematics(const SpatialPendulum& p, Real t, const PendulumState& y) {
  Kinematics k;
  k.links = links<Real>(y.head<4>());
  const auto& a = k.links.axes;
  k.joint2 = p.l1 * k.links.u1;
  k.ball = k.joint2 + p.l2 * k.links.u2;
  k.omega1 = Vector3(0, 0, p.baseSpeed(t)) + y[4] * a[0] + y[5] * a[1];
  k.omega2 = k.omega1 + y[6] * a[2] + y[7] * a[3];
  k.ballVelocity = k.omega1.cross(k.joint2) + k.omega2.cross(Vector3(k.ball - k.joint2));
  return k;
}

inline BallContact ballContact(const SpatialPendulum& p, Real t, const PendulumState& y) {
  const Kinematics k = kinematics(p, t, y);
  return ballContact(p, k.ball, k.ballVelocity, k.omega2, p.baseAngle(t));
}

// q'' from M q'' + b1 w' + C q' + c1 w + c2 w^2 + grad V = tau.
inline Eigen::Vector4d accelerations(const SpatialPendulum& p, Real t, const PendulumState& y,
                                     Real w, Real wRate) {
  using S = Dual<4>;
  using Vector4 = Eigen::Vector4d;
  MatrixOf<S, 4> q;
  for (int i = 0; i < 4; ++i) q[i] = S(y[i]), q[i].gradient[i] = 1;
  const Vector4 rate = y.tail<4>();
  const Energies<S> e = energies<S>(p, q);
  Eigen::Matrix4d M;
  Vector4 b1, C = Vector4::Zero(), c1 = Vector4::Zero(), c2, potential;
  for (int i = 0; i < 4; ++i) {
    b1[i] = e.b1[i].value;
    c2[i] = -0.5 * e.b0.gradient[i];
    potential[i] = e.V.gradient[i];
    for (int j = 0; j < 4; ++j) {
      M(i, j) = e.M(i, j).value;
      for (int k = 0; k < 4; ++k)  // dM/dt q' - d(q'^T M q')/dq / 2
        C[i] += e.M(i, j).gradient[k] * rate[k] * rate[j] -
                0.5 * e.M(j, k).gradient[i] * rate[j] * rate[k];
      c1[i] += e.b1[i].gradient[j] * rate[j] - e.b1[j].gradient[i] * rate[j];
    }
  }
  Vector4 tau = -p.damping.cwiseProduct(rate);
  const BallContact contact = ballContact(p, t, y);
  if (contact.gap < 0 && p.contact.k != 0) {
    const Kinematics k = kinematics(p, t, y);
    for (int i = 0; i < 4; ++i) {
      const Vector3 arm = contact.point - (i < 2 ? Vector3(Vector3::Zero()) : k.joint2);
      tau[i] += contact.force.dot(k.links.axes[i].cross(arm)) + contact.moment.dot(k.links.axes[i]);
    }
  }
  return M.llt().solve(tau - b1 * wRate - C - c1 * w - c2 * w * w - potential);
}

inline PendulumState rungeKutta(const SpatialPendulum& p, Real t, const PendulumState& y, Real h) {
  const auto f = [&](Real time, const PendulumState& x) {
    PendulumState d;
    d << x.tail<4>(), accelerations(p, time, x, p.baseSpeed(time), p.baseRate(time));
    return d;
  };
  const PendulumState k1 = f(t, y), k2 = f(t + h / 2, y + h / 2 * k1),
                      k3 = f(t + h / 2, y + h / 2 * k2), k4 = f(t + h, y + h * k3);
  return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

// Steps of size h, those across touch-down cut there; contact steps are smaller by the factor.
inline PendulumState integrate(const SpatialPendulum& p, Real t, Real end, PendulumState y, Real h,
                               Real contactFactor) {
  const auto gap = [&](Real time, const PendulumState& x) { return ballContact(p, time, x).gap; };
  while (t < end - 1e-14) {
    const bool closed = p.contact.k != 0 && gap(t, y) < 0;
    Real step = std::min(closed ? h * contactFactor : h, end - t);
    PendulumState next = rungeKutta(p, t, y, step);
    if (p.contact.k != 0 && (gap(t + step, next) < 0) != closed) {
      Real low = 0, high = step;
      for (int i = 0; i < 60; ++i) {
        const Real middle = 0.5 * (low + high);
        ((gap(t + middle, rungeKutta(p, t, y, middle)) < 0) == closed ? low : high) = middle;
      }
      step = high;
      next = rungeKutta(p, t, y, step);
    }
    y = next;
    t += step;
  }
  return y;
}

inline PendulumMotion motion(const SpatialPendulum& p, Real t, const PendulumState& y) {
  const Kinematics k = kinematics(p, t, y);
  const Matrix3 B = about<Real>(2, p.baseAngle(t));
  return {B * k.ball,   B * k.ballVelocity, B * k.omega1,
          B * k.omega2, B * k.links.R1,     B * k.links.R2};
}

}  // namespace minimal

// --- bodies and joints -------------------------------------------------------------------------

struct PendulumModel {
  int link1 = -1, link2 = -1, contact = -1;
};

inline PendulumModel addSpatialPendulum(MainSystem& mbs, const SpatialPendulum& p,
                                        const PendulumState& y, std::string_view node) {
  const minimal::Kinematics k = minimal::kinematics(p, 0, y);
  const int ground = mbs.AddObject("Ground");
  const auto addRotor = [&](const Vector3& position, const std::string& angle,
                            const std::string& speed, Real initialSpeed) {
    const VectorX rate = VectorX::Constant(1, initialSpeed);
    const int n = mbs.AddNode("1D", {{"initialVelocities", rate}});
    const int rotor = mbs.AddObject(
        "RotationalMass1D",
        {{"inertia", 1.0}, {"nodeNumber", n}, {"referencePosition", VectorX(position)}});
    const int zero = mbs.AddMarker("NodeCoordinate",
                                   {{"nodeNumber", mbs.AddNode("PointGround")}, {"coordinate", 0}});
    const int turn = mbs.AddMarker("NodeCoordinate", {{"nodeNumber", n}, {"coordinate", 0}});
    addConnector(mbs, "ConnectorCoordinate", zero, turn,
                 {{"offsetUserFunction", UserFunction{{angle}, {}}},
                  {"offsetUserFunction_t", UserFunction{{speed}, {}}}});
    return addMarker(mbs, rotor);
  };
  const auto text = [](Real x) { return valueText(x); };
  const bool turns = !p.base.head<2>().isZero(0);
  const int base =
      turns
          ? addRotor(Vector3::Zero(),
                     text(p.base[0]) + "*t + " + text(p.base[1] / p.base[2]) + "*(1 - cos(" +
                         text(p.base[2]) + "*t))",
                     text(p.base[0]) + " + " + text(p.base[1]) + "*sin(" + text(p.base[2]) + "*t)",
                     p.base[0])
          : addMarker(mbs, ground);
  Body b;
  b.mass = p.m1;
  b.principal = p.I1;
  b.rotation = k.links.R1;
  b.position = p.e1 * k.links.u1;
  b.velocity = k.omega1.cross(b.position);
  b.omega = b.rotation.transpose() * k.omega1;
  PendulumModel model;
  model.link1 = addBody(mbs, node, b);
  b.mass = p.m2;
  b.principal = p.I2;
  b.rotation = k.links.R2;
  b.position = k.joint2 + p.e2 * k.links.u2;
  b.velocity = k.omega1.cross(k.joint2) + k.omega2.cross(Vector3(p.e2 * k.links.u2));
  b.omega = b.rotation.transpose() * k.omega2;
  model.link2 = addBody(mbs, node, b);
  const int markers[] = {base, addMarker(mbs, model.link1, {0, 0, p.e1}),
                         addMarker(mbs, model.link1, {0, 0, p.e1 - p.l1}),
                         addMarker(mbs, model.link2, {0, 0, p.e2})};
  for (const int i : {0, 2}) {
    // universal joint: common point, x of the one normal to y of the other
    addConnector(mbs, "JointGeneric", markers[i], markers[i + 1],
                 {{"constrainedAxes", std::vector<int>{1, 1, 1, 0, 0, 1}}});
    if (p.damping.isZero(0)) continue;
    MatrixX D = MatrixX::Zero(6, 6);  // the relative angular velocity has no part along x0 x y1
    D(3, 3) = p.damping[i];
    D(4, 4) = D(5, 5) = p.damping[i + 1];
    addConnector(mbs, "ConnectorRigidBodySpringDamper", markers[i], markers[i + 1],
                 {{"damping", D}});
  }
  for (const int link : {model.link1, model.link2}) addGravity(mbs, link, {0, 0, -p.g});
  if (p.contact.k != 0) {
    const int disc = p.discSpeed != 0 ? addRotor(p.disc, text(p.discSpeed) + "*t",
                                                 text(p.discSpeed), p.discSpeed)
                                      : addMarker(mbs, ground, p.disc);
    const int ball = addMarker(mbs, model.link2, {0, 0, p.e2 - p.l2});
    model.contact =
        addConnector(mbs, "ContactSphereDisc", disc, ball,
                     {{"sphereRadius", p.ballRadius},
                      {"contactStiffness", p.contact.k},
                      {"dampingModel", std::string("huntCrossley")},
                      {"huntCrossleyDamping", p.contact.b},
                      {"frictionModel", std::string(p.contact.contensou ? "contensou" : "coulomb")},
                      {"dynamicFriction", p.contact.mu},
                      {"frictionProportionalZone", p.contact.vEps},
                      {"rollingResistance", p.contact.fr},
                      {"rollingProportionalZone", p.contact.wEps}});
  }
  mbs.Assemble();
  return model;
}

inline PendulumMotion motionOf(const MainSystem& mbs, const SpatialPendulum& p,
                               const PendulumModel& model) {
  const auto out = [&](int body, OutputVariable v, const Vector3& at = Vector3::Zero()) {
    return mbs.GetObjectOutputBody(body, v, at);
  };
  const auto matrix = [](const std::vector<Real>& v) {
    return Matrix3(Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(v.data()));
  };
  const Vector3 ball(0, 0, p.e2 - p.l2);
  return {vector3(out(model.link2, OutputVariable::Position, ball)),
          vector3(out(model.link2, OutputVariable::Velocity, ball)),
          vector3(out(model.link1, OutputVariable::AngularVelocity)),
          vector3(out(model.link2, OutputVariable::AngularVelocity)),
          matrix(out(model.link1, OutputVariable::RotationMatrix)),
          matrix(out(model.link2, OutputVariable::RotationMatrix))};
}

}  // namespace catena::test
