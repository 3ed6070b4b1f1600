// Single bodies in contact against closed forms, and the rate of Newton's method in contact.
#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "integrators/alpha_method.h"
#include "kernels/contact_functions.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

constexpr Real g = 9.81;

Body ball(Real mass, Real radius) {
  Body b;
  b.mass = mass;
  b.principal = 0.4 * mass * radius * radius * Vector3::Ones();
  return b;
}

struct OnPlane {
  int body, contact;
};
// A body whose marker at this point is the centre of a sphere over the plane z = 0.
OnPlane addOnPlane(MainSystem& mbs, const Body& b, Real radius, Dictionary parameters,
                   const Vector3& centre = Vector3::Zero()) {
  const int ground = addMarker(mbs, mbs.AddObject("Ground"));
  const int body = addBody(mbs, "RigidBodyRotVecLG", b);
  parameters.emplace_back("sphereRadius", radius);
  return {body,
          addConnector(mbs, "ContactSphereDisc", ground, addMarker(mbs, body, centre), parameters)};
}

void solve(MainSystem& mbs, Real end, Real steps, const StepObserver& observer = {}) {
  SimulationSettings settings = stepping(end, steps);
  settings.timeIntegration.newton.relativeTolerance = 1e-11;
  settings.timeIntegration.newton.absoluteTolerance = 1e-13;
  const SolveReport report = mbs.SolveDynamic(settings, observer);
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
}

Vector3 bodyVector(const MainSystem& mbs, int body, OutputVariable variable) {
  return vector3(mbs.GetObjectOutputBody(body, variable, Vector3::Zero()));
}

// Depth at which the elastic force carries the weight.
Real restDepth(Real mass, Real stiffness) { return std::pow(mass * g / stiffness, 2.0 / 3); }

}  // namespace

TEST_CASE("contact: the free impact has the depth, duration and restitution of the closed form",
          "[contact]") {
  const Real m = 1, k = 1e6, v = 1, c = 0.7, R = 0.1;
  const Real y = restitutionDamping(RestitutionModel::exact, c), b = y / v;
  CHECK(y * (1 + c) == Approx(std::log((1 + y) / (1 - c * y))).epsilon(1e-13));
  // (y - ln(1 + y)) / b^2 = 2 k / (5 m) depth^(5/2)
  const Real depth = std::pow((y - std::log1p(y)) / (b * b) * 5 * m / (2 * k), 0.4);
  CHECK(depth == Approx(0.003797851339).epsilon(1e-9));
  struct Found {
    Real depth, duration, restitution;
  };
  const auto run = [&](Real h) {
    MainSystem mbs;
    Body b0 = ball(m, R);
    b0.position = {0, 0, R + 1e-3};
    b0.velocity = {0, 0, -v};
    const OnPlane model = addOnPlane(mbs, b0, R,
                                     {{"contactStiffness", k},
                                      {"dampingModel", std::string("restitution")},
                                      {"restitutionCoefficient", c},
                                      {"impactVelocity", v},
                                      {"localizeTouchDown", true}});
    mbs.Assemble();
    Found found{};
    Real touch = -1, release = -1, last = 0, lastGap = 1;
    solve(mbs, 0.016, std::round(0.016 / h), [&](const StepInfo& step) {
      const Real gap = mbs.GetObjectOutput(model.contact, OutputVariable::Gap)[0];
      const Real rate = mbs.GetObjectOutput(model.contact, OutputVariable::GapRate)[0];
      // the parabola through gap and rate of this point and the gap of the last one
      found.depth = std::max(found.depth, -gap);
      if (touch < 0 && gap < 0) touch = step.time - gap / rate;  // steps end just inside
      if (touch >= 0 && release < 0 && lastGap < 0 && gap >= 0) release = step.time - gap / rate;
      last = step.time, lastGap = gap;
      return true;
    });
    found.duration = release - touch;
    found.restitution = bodyVector(mbs, model.body, OutputVariable::Velocity)[2] / v;
    return found;
  };
  const Found coarse = run(2e-5), fine = run(1e-5);
  CHECK(fine.depth == Approx(depth).epsilon(1e-5));
  CHECK(fine.duration == Approx(0.013432063715).epsilon(1e-5));
  CHECK(fine.restitution == Approx(c).epsilon(1e-6));
  CHECK((coarse.restitution - c) / (fine.restitution - c) == Approx(4).epsilon(0.1));
}

namespace {

// A ball falls on a plane with force k depth^e + d rate and bounces; error of position and speed
// after 0.05 s, generalized-alpha with steps of size h.
struct Bounce {
  Real e, k, d, position, velocity;
  bool localize = true;
};
Real bounceError(const Bounce& bounce, Real h) {
  MainSystem mbs;
  Body b = ball(0.5, 0.1);
  b.position = {0, 0, 0.104};
  b.velocity = {0, 0, -0.5};
  const OnPlane model = addOnPlane(mbs, b, 0.1,
                                   {{"contactStiffness", bounce.k},
                                    {"contactStiffnessExponent", bounce.e},
                                    {"dampingModel", std::string("linear")},
                                    {"contactDamping", bounce.d},
                                    {"localizeTouchDown", bounce.localize}});
  addGravity(mbs, model.body, {0, 0, -g});
  mbs.Assemble();
  solve(mbs, 0.05, std::round(0.05 / h));
  return std::abs(bodyVector(mbs, model.body, OutputVariable::Position)[2] - bounce.position) +
         0.01 *
             std::abs(bodyVector(mbs, model.body, OutputVariable::Velocity)[2] - bounce.velocity);
}

}  // namespace

TEST_CASE("contact: a force that jumps at touch-down costs no order", "[contact]") {
  // closed form: a damped oscillator until the force vanishes, then free flight
  const Real m = 0.5, k = 2e4, d = 20, fall = 0.004, v0 = 0.5, end = 0.05;
  const Real v = std::sqrt(v0 * v0 + 2 * g * fall), touch = (v - v0) / g;
  const Real decay = d / (2 * m), w = std::sqrt(k / m - decay * decay), rest = m * g / k;
  const auto depth = [&](Real t) {
    const Real A = -rest, B = (v + decay * A) / w;
    const Real c = std::cos(w * t), s = std::sin(w * t), f = std::exp(-decay * t);
    return Vector2(rest + f * (A * c + B * s),
                   f * ((B * w - decay * A) * c - (A * w + decay * B) * s));
  };
  Real low = 0.5 * M_PI / w, high = 1.3 * M_PI / w;
  for (int i = 0; i < 60; ++i) {
    const Real t = 0.5 * (low + high);
    (k * depth(t)[0] + d * depth(t)[1] > 0 ? low : high) = t;
  }
  const Vector2 release = depth(low);
  const Real flight = end - touch - low;
  Bounce bounce{1, k, d, 0.1 - release[0] - flight * (release[1] + g * flight / 2),
                -release[1] - g * flight};
  for (const Real h : {1e-4, 5e-5, 2.5e-5, 1.25e-5, 6.25e-6}) {
    bounce.localize = true;
    const Real with = bounceError(bounce, h);
    bounce.localize = false;
    const Real without = bounceError(bounce, h);
    INFO(h << ": " << with << ", with touch-down within a step " << without);
    CHECK(with < 150 * h * h);
    if (h < 2e-5) CHECK(without > 20 * with);
  }
}

TEST_CASE("contact: a sliding ball rolls after 2 v / (7 mu g) with 5/7 of its speed", "[contact]") {
  const Real m = 0.2, R = 0.03, k = 1e6, mu = 0.2, v = 1;
  Body b = ball(m, R);
  b.position = {0, 0, R - restDepth(m, k)};
  b.velocity = {v, 0, 0};
  MainSystem mbs;
  const OnPlane model = addOnPlane(mbs, b, R,
                                   {{"contactStiffness", k},
                                    {"frictionModel", std::string("coulomb")},
                                    {"dynamicFriction", mu},
                                    {"frictionProportionalZone", 1e-5}});
  addGravity(mbs, model.body, {0, 0, -g});
  mbs.Assemble();
  const Real rolling = 2 * v / (7 * mu * g), end = 0.2;
  CHECK(rolling == Approx(0.145623999).epsilon(1e-8));
  Real worst = 0;  // deviation of the speed while it slides
  solve(mbs, end, 4000, [&](const StepInfo& step) {
    if (step.time < rolling - 1e-3)
      worst = std::max(worst, std::abs(bodyVector(mbs, model.body, OutputVariable::Velocity)[0] -
                                       (v - mu * g * step.time)));
    return true;
  });
  CHECK(worst < 1e-7);
  const Vector3 velocity = bodyVector(mbs, model.body, OutputVariable::Velocity);
  CHECK(velocity[0] == Approx(5 * v / 7).epsilon(1e-6));
  CHECK(bodyVector(mbs, model.body, OutputVariable::AngularVelocity)[1] * R ==
        Approx(5 * v / 7).epsilon(1e-2));
  CHECK(bodyVector(mbs, model.body, OutputVariable::Position)[0] ==
        Approx(12 * v * v / (49 * mu * g) + (end - rolling) * 5 * v / 7).epsilon(1e-5));
}

TEST_CASE("contact: a spinning ball is braked by the moment of Hertz' patch until it stops",
          "[contact]") {
  const Real m = 0.2, R = 0.03, k = 1e6, mu = 0.2, spin = 50;
  const Real depth = restDepth(m, k), a = std::sqrt(R * depth);
  const Real moment = 3 * M_PI / 16 * mu * m * g * a;
  CHECK(depth == Approx(1.567230e-4).epsilon(1e-6));
  CHECK(moment == Approx(5.011954e-4).epsilon(1e-6));
  Body b = ball(m, R);
  b.position = {0, 0, R - depth};
  b.omega = {0, 0, spin};
  MainSystem mbs;
  const OnPlane model = addOnPlane(
      mbs, b, R,
      {{"contactStiffness", k}, {"dynamicFriction", mu}, {"frictionProportionalZone", 1e-7}});
  addGravity(mbs, model.body, {0, 0, -g});
  mbs.Assemble();
  const Real inertia = 0.4 * m * R * R, stop = inertia * spin / moment;
  CHECK(stop == Approx(7.182827).epsilon(1e-6));
  Real worst = 0;
  solve(mbs, 7.3, 7300, [&](const StepInfo& step) {
    const Real w = bodyVector(mbs, model.body, OutputVariable::AngularVelocity)[2];
    const Real exact = std::max(0.0, spin * (1 - step.time / stop));
    worst = std::max(worst, std::abs(w - exact));
    return true;
  });
  CHECK(worst < 1e-2);  // at the stop, within one step of 7 rad/s^2
  CHECK(std::abs(bodyVector(mbs, model.body, OutputVariable::AngularVelocity)[2]) < 1e-4);
  CHECK(mbs.GetObjectOutput(model.contact, OutputVariable::PatchRadius)[0] ==
        Approx(2.168338e-3).epsilon(1e-6));
}

TEST_CASE("contact: sliding and spin of a flat puck end together", "[contact]") {
  const Real m = 0.2, a = 0.04, mu = 0.2, k = 1e7, R = 0.1;
  Body b;
  b.mass = m;
  b.principal = m * a * a * Vector3(0.25, 0.25, 0.5);
  b.position = {0, 0, -restDepth(m, k)};
  b.velocity = {1, 0, 0};
  b.omega = {0, 0, 20};
  MainSystem mbs;
  // the contact point is the centre of mass, so that nothing tilts the puck
  const OnPlane model = addOnPlane(mbs, b, R,
                                   {{"contactStiffness", k},
                                    {"patchPressure", std::string("uniform")},
                                    {"patchRadius", a},
                                    {"dynamicFriction", mu},
                                    {"frictionProportionalZone", 1e-7}},
                                   {0, 0, R});
  addGravity(mbs, model.body, {0, 0, -g});
  mbs.Assemble();
  const Real expected[][3] = {{0.1, 0.822729713, 17.80840047},
                              {0.2, 0.649596083, 15.37923679},
                              {0.3, 0.482791201, 12.61851583},
                              {0.4, 0.325550835, 9.40202292},
                              {0.5, 0.179168554, 5.71552352}};
  int row = 0;
  Real ratio = 0;
  solve(mbs, 0.6352, 12704, [&](const StepInfo& step) {
    const Real v = bodyVector(mbs, model.body, OutputVariable::Velocity)[0];
    const Real w = bodyVector(mbs, model.body, OutputVariable::AngularVelocity)[2];
    ratio = v / (a * w);
    if (row < 5 && std::abs(step.time - expected[row][0]) < 1e-9) {
      CHECK(v == Approx(expected[row][1]).epsilon(1e-6));
      CHECK(w == Approx(expected[row][2]).epsilon(1e-6));
      ++row;
    }
    return true;
  });
  CHECK(row == 5);
  // v' / (a w)' = F / (2 G) = v / (a w) in the limit
  Real low = 0.1, high = 0.99;
  for (int i = 0; i < 60; ++i) {
    const Real d = 0.5 * (low + high);
    const CoupledFriction f =
        coupledFriction(FrictionModel::contensou, PatchPressure::uniform, {}, 1 / d);
    (f.force / (2 * f.moment) < d ? low : high) = d;
  }
  CHECK(low == Approx(0.6530017892055975).epsilon(1e-10));
  CHECK(ratio == Approx(low).epsilon(3e-3));
}

TEST_CASE("contact: Newton's method converges quadratically", "[contact]") {
  Random random(8);
  int seen = 0;
  for (const std::string_view model : {"coulomb", "contensou", "ellipsoid", "pade1", "power"})
    for (int i = 0; i < 10; ++i) {
      MainSystem mbs;
      Body b = ball(0.3, 0.03);
      b.position = {0, 0, 0.029};
      b.rotation = random.rotation();
      b.velocity = Vector3(0.3, 0.1, -0.3) + 0.1 * random.vector(3);
      b.omega = random.vector(3, 30);
      const OnPlane on = addOnPlane(mbs, b, 0.03,
                                    {{"contactStiffness", 1e5},
                                     {"dampingModel", std::string("huntCrossley")},
                                     {"huntCrossleyDamping", 0.5},
                                     {"frictionModel", std::string(model)},
                                     {"dynamicFriction", 0.4},
                                     {"frictionProportionalZone", 0.1},
                                     {"rollingResistance", 1e-3},
                                     {"rollingProportionalZone", 1.0}},
                                    0.01 * random.direction());
      addGravity(mbs, on.body, {0, 0, -g});
      mbs.Assemble();
      System& s = mbs.system();
      const Real h = 2e-3;
      const AlphaCoefficients alpha = alphaFromSpectralRadius(0.9);
      Variation along;
      along.velocity = alpha.gamma / (h * alpha.beta);
      along.acceleration = (1 - alpha.alphaM) / (h * h * alpha.beta * (1 - alpha.alphaF));
      along.rowScale = alpha.beta * h * h;
      VectorX r, increment;
      std::vector<Real> lengths;
      for (int k = 0; k < 12; ++k) {
        s.evaluate(along, ConstraintLevel::position, true, r);
        r.head(s.dynamicUnknowns()) *= along.rowScale;
        increment = -s.matrix().dense().partialPivLu().solve(r);
        s.increment(increment, along, ConstraintLevel::position);
        lengths.push_back(increment.norm());
      }
      CHECK(lengths.back() < 1e-14);
      int k = 0;  // the last three increments above rounding
      while (lengths[k + 3] > 1e-14) ++k;
      if (lengths[k] > 1e-2 || lengths[k + 2] < 1e-14) continue;  // too few of them
      const Real rate =
          std::log(lengths[k + 2] / lengths[k + 1]) / std::log(lengths[k + 1] / lengths[k]);
      INFO(model << ": " << lengths[k] << ", " << lengths[k + 1] << ", " << lengths[k + 2]);
      CHECK(rate > 1.5);  // 2 in the limit, 1 with a tangent that is a little wrong
      ++seen;
    }
  CHECK(seen >= 20);
}

TEST_CASE("contact: a ball beside a disc touches the nearest point of the rim", "[contact]") {
  const Real R = 0.03, disc = 0.2, k = 1e5;
  const auto outputs = [&](const Vector3& at, bool rim) {
    MainSystem mbs;
    Body b = ball(0.2, R);
    b.position = at;
    const OnPlane model = addOnPlane(mbs, b, R,
                                     {{"contactStiffness", k},
                                      {"discRadius", disc},
                                      {"rimContact", rim},
                                      {"contactPointRatio", 1.0}});
    mbs.Assemble();
    const auto out = [&](OutputVariable v) { return mbs.GetObjectOutput(model.contact, v); };
    struct {
      Real gap, force;
      Vector3 normal, point;
    } o{out(OutputVariable::Gap)[0], out(OutputVariable::NormalForce)[0],
        vector3(out(OutputVariable::Director1)), vector3(out(OutputVariable::ContactPoint))};
    return o;
  };
  // 1 mm into the rim, seen at 50 degrees above the plane, on a radius at 30 degrees
  const Vector3 radial(std::cos(M_PI / 6), std::sin(M_PI / 6), 0), up(0, 0, 1);
  const Vector3 n = std::cos(0.9) * radial + std::sin(0.9) * up, rim = disc * radial;
  const auto touching = outputs(rim + 0.029 * n, true);
  CHECK(touching.gap == Approx(-1e-3).epsilon(1e-12));
  CHECK(touching.force == Approx(k * std::pow(1e-3, 1.5)).epsilon(1e-12));
  CHECK((touching.normal - n).norm() < 1e-14);
  CHECK((touching.point - rim).norm() < 1e-14);
  CHECK(outputs(rim + 0.029 * n, false).force == 0);
  // the gap is continuous where disc and rim meet
  const Real inside = outputs((disc - 1e-9) * radial + 0.029 * up, true).gap,
             outside = outputs((disc + 1e-9) * radial + 0.029 * up, true).gap;
  CHECK(std::abs(inside - outside) < 1e-12);
}

TEST_CASE("contact: a ball bounces off the rim of a disc without loss", "[contact]") {
  const Real R = 0.03, disc = 0.2;
  MainSystem mbs;
  Body b = ball(0.2, R);
  b.position = {disc + 0.01, 0, 0.05};
  b.velocity = {0, 0, -1};
  const OnPlane model = addOnPlane(
      mbs, b, R, {{"contactStiffness", 1e6}, {"discRadius", disc}, {"rimContact", true}});
  mbs.Assemble();
  Real work = 0, last = 0;
  solve(mbs, 0.04, 8000, [&](const StepInfo&) {
    work = std::max(work, mbs.GetObjectOutput(model.contact, OutputVariable::PotentialEnergy)[0]);
    last = mbs.GetObjectOutput(model.contact, OutputVariable::NormalForce)[0];
    return true;
  });
  CHECK(last == 0);
  CHECK(work > 0.05);  // of 0.1 J
  const Vector3 v = bodyVector(mbs, model.body, OutputVariable::Velocity);
  CHECK(v.norm() == Approx(1).epsilon(1e-6));
  CHECK(v[0] > 0.3);  // pushed off the disc
}
