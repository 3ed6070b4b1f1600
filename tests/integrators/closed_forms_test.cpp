// The integrator against closed forms and against values of unrelated codes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

constexpr Real g = 9.81;

// Newton to rounding, so that errors are those of the integration.
SimulationSettings tight(SimulationSettings s, Real relative = 1e-11) {
  s.timeIntegration.newton.relativeTolerance = relative;
  s.timeIntegration.newton.absoluteTolerance = 1e-12;
  return s;
}

// Values asked for at some times of a run, by the number of the time.
using Probe = std::function<VectorX(MainSystem&)>;
std::vector<VectorX> sample(MainSystem& mbs, const SimulationSettings& settings,
                            const std::vector<Real>& times, const Probe& probe) {
  std::vector<VectorX> values;
  const SolveReport report = mbs.SolveDynamic(settings, [&](const StepInfo& info) {
    if (values.size() < times.size() && std::abs(info.time - times[values.size()]) < 1e-9)
      values.push_back(probe(mbs));
    return true;
  });
  INFO(report.message);
  REQUIRE(report.outcome == Outcome::finished);
  REQUIRE(report.rejectedSteps == 0);
  REQUIRE(values.size() == times.size());
  return values;
}

VectorX joined(std::initializer_list<std::vector<Real>> parts) {
  std::vector<Real> all;
  for (const auto& p : parts) all.insert(all.end(), p.begin(), p.end());
  return Eigen::Map<const VectorX>(all.data(), static_cast<int>(all.size()));
}

// Ratios of the errors of successive step sizes must be near 4, the last error below the bound.
void requireOrderTwo(const std::vector<Real>& errors, Real bound, const std::string& what,
                     Real low = 3.7, Real high = 4.3) {
  std::string table;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    table += " " + valueText(errors[i]);
    if (i > 0) table += " (" + valueText(errors[i - 1] / errors[i]) + ")";
  }
  INFO(what << ": errors and ratios" << table);
  for (std::size_t i = 1; i < errors.size(); ++i) {
    CHECK(errors[i - 1] / errors[i] > low);
    CHECK(errors[i - 1] / errors[i] < high);
  }
  CHECK(errors.back() < bound);
}

}  // namespace

// --- pendulum ----------------------------------------------------------------------------------

namespace {

// Point mass 1 kg on a massless rod of 1 m, released horizontally at x = -1.
struct Pendulum {
  MainSystem mbs;
  int node, rod;
  explicit Pendulum(const Vector3& start = {-1, 0, 0}, const Vector3& velocity = Vector3::Zero()) {
    const int ground = mbs.AddNode("PointGround");
    node = mbs.AddNode("Point", {{"referenceCoordinates", VectorX(start)},
                                 {"initialVelocities", VectorX(velocity)}});
    const int mass = mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", node}});
    const int marker0 = mbs.AddMarker("NodePosition", {{"nodeNumber", ground}});
    const int marker1 = mbs.AddMarker("NodePosition", {{"nodeNumber", node}});
    rod = addConnector(mbs, "ConnectorDistance", marker0, marker1, {{"distance", 1.0}});
    addGravity(mbs, mass, {0, -g, 0});
    mbs.Assemble();
  }
  Real energy() {
    const State& s = mbs.system().state();
    return 0.5 * s.v.squaredNorm() + g * s.q[1];
  }
  VectorX values() {  // x, y, tension
    return joined({mbs.GetNodeOutput(node, OutputVariable::Position),
                   mbs.GetObjectOutput(rod, OutputVariable::Force)});
  }
};

// t, x, y, tension: from th, the angle from the downward vertical, sin(th/2) = k sn(K - t
// sqrt(g/L)).
constexpr Real pendulumTable[][4] = {
    {0.5, -0.391048791550546, -0.920369948785192, 27.0864875927482},
    {1, 0.986291751131875, -0.165010853125541, 4.85626940748468},
    {2, -0.793566195343322, -0.608483930443791, 17.9076820729608},
    {5, -0.942305435043757, -0.334754338414002, 9.85182017952408},
    {10, -0.275087462576117, -0.961419205099125, 28.2945672060673}};
constexpr Real pendulumPeriod = 2.3678419475762373;

}  // namespace

TEST_CASE("a pendulum follows the elliptic functions with order 2, its rod force too",
          "[integrators]") {
  std::vector<Real> times;
  for (const auto& row : pendulumTable) times.push_back(row[0]);
  std::vector<Real> position, tension;
  for (const Real steps : {4000, 8000, 16000}) {
    Pendulum p;
    const auto values = sample(p.mbs, tight(stepping(10, steps, 0.9)), times,
                               [&](MainSystem&) { return p.values(); });
    Real dx = 0, dForce = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      dx = std::max({dx, std::abs(values[i][0] - pendulumTable[i][1]),
                     std::abs(values[i][1] - pendulumTable[i][2])});
      dForce = std::max(dForce, std::abs(values[i][3] - pendulumTable[i][3]));
      CHECK(std::abs(values[i].head<2>().norm() - 1) < 1e-11);  // no drift of the rod
    }
    position.push_back(dx);
    tension.push_back(dForce);
  }
  requireOrderTwo(position, 1e-4, "position");
  requireOrderTwo(tension, 2e-3, "tension");
}

// Newmark on velocity level. The index-3 form has no such test: without numerical damping it is
// unstable, for every method of this family (Cardona, Geradin, Comput. Struct. 33, 1989).
TEST_CASE("a pendulum keeps its energy to 1e-6 over ten periods without numerical damping",
          "[integrators]") {
  std::vector<Real> swing;
  for (const Real steps : {12000, 24000, 48000}) {
    Pendulum p;
    SimulationSettings s = tight(stepping(10 * pendulumPeriod, steps));
    s.timeIntegration.generalizedAlpha.useNewmark = true;
    s.timeIntegration.generalizedAlpha.useIndex2Constraints = true;
    const Real scale = g;  // the energy that swings between its two forms
    Real worst = 0;
    const SolveReport report = p.mbs.SolveDynamic(s, [&](const StepInfo&) {
      worst = std::max(worst, std::abs(p.energy()) / scale);
      return true;
    });
    REQUIRE(report.outcome == Outcome::finished);
    swing.push_back(worst);
    // what is left after whole periods, where the error of the swing returns to zero
    CHECK(std::abs(p.energy()) < 1e-12 * scale);
  }
  requireOrderTwo(swing, 1e-6, "energy");
}

// --- heavy top ---------------------------------------------------------------------------------

namespace {

struct TopReference {
  Real time;
  Vector3 x, omega, reaction;
};
const TopReference topTable[] = {{0.1,
                                  {.42129665892536, .89457197434561, -.14916470056193},
                                  {4.80894133173, 150, 1.02830075672},
                                  {-361.05600478716, -295.39317301123, -212.26717185507}},
                                 {0.2,
                                  {.60555056137698, .59895768179499, -.52398302743009},
                                  {-2.69159091214, 150, 4.91726098990},
                                  {-640.23640799210, -148.62771134698, 136.92931303860}}};

// x (3), body angular velocity (3), reaction on the body (3), Euler parameters (4).
std::vector<VectorX> runTop(std::string_view node, Real steps, Real spectralRadius) {
  MainSystem mbs;
  Body b;
  b.mass = 15;
  b.principal = {.234375, .46875, .234375};
  b.position = {0, 1, 0};
  b.omega = {0, 150, -4.61538};
  b.velocity = b.omega.cross(b.position);
  const int ground = mbs.AddObject("Ground");
  const int body = addBody(mbs, node, b);
  const int joint =
      addConnector(mbs, "JointSpherical", addMarker(mbs, ground), addMarker(mbs, body, {0, -1, 0}));
  addGravity(mbs, body, {0, 0, -g});
  mbs.Assemble();
  std::vector<Real> times;
  for (const auto& row : topTable) times.push_back(row.time);
  return sample(mbs, tight(stepping(0.2, steps, spectralRadius), 1e-10), times, [&](MainSystem& m) {
    const auto A = m.GetObjectOutput(body, OutputVariable::RotationMatrix);
    const Vector4 e = eulerParametersFromRotation(
        Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(A.data()));
    VectorX out(13);
    out << vector3(m.GetObjectOutput(body, OutputVariable::Position)),
        vector3(m.GetObjectOutput(body, OutputVariable::AngularVelocityLocal)),
        -vector3(m.GetObjectOutput(joint, OutputVariable::Force)), e;
    return out;
  });
}

}  // namespace

TEST_CASE("the heavy top is integrated with order 2 in position, angular velocity and reaction",
          "[integrators]") {
  const std::string node = GENERATE(as<std::string>{}, "RigidBodyEP", "RigidBodyRotVecLG");
  // Rotation vectors need numerical damping on a fast top: with 0.9 the multipliers of the index-3
  // form grow for steps between 1e-4 and 1e-3 s.
  const Real spectralRadius = node == "RigidBodyEP" ? 0.9 : 0.6;
  std::vector<Real> x, omega, reaction, turned;
  for (const Real steps : {400, 800, 1600}) {
    const auto values = runTop(node, steps, spectralRadius);
    Real ex = 0, ew = 0, ef = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      ex = std::max(ex, (values[i].head<3>() - topTable[i].x).norm());
      ew = std::max(ew, (values[i].segment<3>(3) - topTable[i].omega).norm());
      ef = std::max(ef, (values[i].segment<3>(6) - topTable[i].reaction).norm());
    }
    x.push_back(ex);
    omega.push_back(ew);
    reaction.push_back(ef);
    const Vector4 e(-.70827915297, .43878108813, .54572839615, .08939975282);
    const Vector4 ours = values.back().tail<4>();
    turned.push_back(std::min((ours - e).norm(), (ours + e).norm()));
  }
  requireOrderTwo(x, 1e-4, node + " position");
  requireOrderTwo(omega, 5e-3, node + " angular velocity");
  requireOrderTwo(reaction, 1, node + " reaction");
  requireOrderTwo(turned, 1e-3, node + " Euler parameters");
}

// --- free rigid body ---------------------------------------------------------------------------

TEST_CASE("a free rigid body follows Jacobi's elliptic functions with order 2", "[integrators]") {
  const std::string node = GENERATE(as<std::string>{}, "RigidBodyEP", "RigidBodyRotVecLG");
  const struct {
    Real time;
    Vector3 omega;
    Vector4 e;
  } table[] = {{1,
                {.577802471812, .816176637480, .882015815511},
                {.779039602588, .358209265957, .195829970695, .475850861047}},
               {5,
                {-.164350429765, -.986402015527, .821991699829},
                {-.892059380238, .345719957007, -.246102924411, .155374142165}},
               {10,
                {-.921069998444, .389397044115, .974400660583},
                {.861441174065, .107340757620, .220947321794, -.444498983542}}};
  std::vector<Real> omega, turned, momentum;
  for (const Real steps : {2000, 4000, 8000}) {
    MainSystem mbs;
    Body b;
    b.principal = {1, 2, 3};
    b.omega = {1, 0, 1};
    const int body = addBody(mbs, node, b);
    mbs.Assemble();
    const auto values =
        sample(mbs, tight(stepping(10, steps, 0.9)), {1, 5, 10}, [&](MainSystem& m) {
          return joined({m.GetObjectOutput(body, OutputVariable::AngularVelocityLocal),
                         m.GetObjectOutput(body, OutputVariable::RotationMatrix)});
        });
    Real ew = 0, ee = 0, em = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Vector3 w = values[i].head<3>();
      const Matrix3 A = Eigen::Map<const Matrix3>(values[i].data() + 3).transpose();
      ew = std::max(ew, (w - table[i].omega).norm());
      ee = std::max(ee, (A - rotationFromEulerParameters(table[i].e)).norm());
      em = std::max(em, (A * b.principal.cwiseProduct(w) - Vector3(1, 0, 3)).norm());
    }
    omega.push_back(ew);
    turned.push_back(ee);
    momentum.push_back(em);
  }
  requireOrderTwo(omega, 1e-5, node + " angular velocity");
  requireOrderTwo(turned, 2e-5, node + " rotation");
  requireOrderTwo(momentum, 2e-5, node + " spatial angular momentum");
}

// --- planar four-bars ----------------------------------------------------------------------------

namespace {

// N + 1 cranks and N couplers, rods of 1 m and 1 kg, all in the plane z = 0. Every body is kept in
// the plane by three equations, every pin by two, so that no equation is redundant.
struct FourBars {
  MainSystem mbs;
  int firstCrank;
  explicit FourBars(int n, std::string_view node) {
    const int ground = mbs.AddObject("Ground");
    const int origin = addMarker(mbs, ground);
    const std::vector<int> pin{1, 1, 0, 0, 0, 0}, planar{0, 0, 1, 1, 1, 0};
    const auto rod = [&](const Vector3& at, const Matrix3& A, const Vector3& v, Real spin) {
      Body b;
      b.position = at;
      b.rotation = A;
      b.velocity = v;
      b.omega = {0, 0, spin};
      b.principal = {0.01, 1.0 / 12, 1.0 / 12};
      const int body = addBody(mbs, node, b);
      addGravity(mbs, body, {0, -g, 0});
      addConnector(mbs, "JointGeneric", origin, addMarker(mbs, body),
                   {{"constrainedAxes", planar}});
      return body;
    };
    const auto join = [&](int body0, const Vector3& at0, int body1, const Vector3& at1) {
      addConnector(mbs, "JointGeneric", addMarker(mbs, body0, at0), addMarker(mbs, body1, at1),
                   {{"constrainedAxes", pin}});
    };
    const Matrix3 upright = rotationFromTaitBryan({0, 0, M_PI / 2});
    const Vector3 left(-0.5, 0, 0), right(0.5, 0, 0);
    std::vector<int> cranks;
    for (int i = 0; i <= n; ++i) {
      const Real x = i;
      cranks.push_back(rod({x, 0.5, 0}, upright, {0.5, 0, 0}, -1));
      join(ground, {x, 0, 0}, cranks.back(), left);
    }
    for (int i = 0; i < n; ++i) {
      const int coupler = rod({i + 0.5, 1, 0}, Matrix3::Identity(), {1, 0, 0}, 0);
      join(cranks[i], right, coupler, left);
      join(cranks[i + 1], right, coupler, right);
    }
    firstCrank = cranks[0];
    mbs.Assemble();
  }
};

// Tip of the first crank: th'' = c sin th, th(0) = 0, th'(0) = 1; (sin th, cos th). Runge-Kutta of
// fourth order with steps so small that only rounding is left.
Vector2 fourBarTip(int n, Real time) {
  const Real c = (1.5 * n + 0.5) / (4.0 * n / 3 + 1.0 / 3) * g;
  const int steps = 20000;
  const Real h = time / steps;
  Real th = 0, w = 1;
  for (int i = 0; i < steps; ++i) {
    const Real k1 = w, l1 = c * std::sin(th);
    const Real k2 = w + h / 2 * l1, l2 = c * std::sin(th + h / 2 * k1);
    const Real k3 = w + h / 2 * l2, l3 = c * std::sin(th + h / 2 * k2);
    const Real k4 = w + h * l3, l4 = c * std::sin(th + h * k3);
    th += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {std::sin(th), std::cos(th)};
}

}  // namespace

TEST_CASE("planar four-bars follow the exact reduction to one degree of freedom with order 2",
          "[integrators]") {
  // the reduction against published values beyond the flat pose
  CHECK((fourBarTip(2, 1) - Vector2(-0.195020301950, -0.980799205662)).norm() < 1e-10);
  CHECK((fourBarTip(40, 1) - Vector2(-0.115356880632, -0.993324111300)).norm() < 1e-10);

  const int n = GENERATE(2, 40);
  const std::string node = GENERATE(as<std::string>{}, "RigidBodyEP", "RigidBodyRotVecLG");
  const std::vector<Real> times{0.2, 0.4, 0.6};  // flat at 0.70 s
  std::vector<Real> errors;
  for (const Real steps : {150, 300, 600}) {
    FourBars bars(n, node);
    const auto tips =
        sample(bars.mbs, tight(stepping(0.6, steps, 0.9), 1e-10), times, [&](MainSystem& m) {
          return joined(
              {m.GetObjectOutputBody(bars.firstCrank, OutputVariable::Position, {0.5, 0, 0})});
        });
    Real error = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
      error = std::max(error, (tips[i].head<2>() - fourBarTip(n, times[i])).norm());
    errors.push_back(error);
  }
  requireOrderTwo(errors, 2e-5, std::to_string(n) + " four-bars, " + node);
}

// --- hanging chains ------------------------------------------------------------------------------

namespace {

// Vertical force of the support on a chain of n rods released horizontally, in units of m g.
Real supportReaction(int n) {
  const Real r = -2 + std::sqrt(3.0);
  const Real A = 1 / (4 * (1 - std::pow(r, 2 * n)) + 2 * (r - std::pow(r, 2 * n - 1)));
  return A * (1 - std::pow(r, 2 * n));
}

void checkReleasedChain(int n, std::string_view node) {
  MainSystem mbs;
  mbs.items().reserve(Category::object, 2 * n + 1);
  int last = addMarker(mbs, mbs.AddObject("Ground"));
  std::vector<int> joints;
  for (int i = 0; i < n; ++i) {
    Body b;
    b.position = {i + 0.5, 0, 0};
    b.principal = {0.01, 1.0 / 12, 1.0 / 12};
    const int body = addBody(mbs, node, b);
    addGravity(mbs, body, {0, -g, 0});
    joints.push_back(addConnector(mbs, "JointRevoluteZ", last, addMarker(mbs, body, {-0.5, 0, 0})));
    last = addMarker(mbs, body, {0.5, 0, 0});
  }
  mbs.Assemble();
  VectorX support, second;
  const SolveReport report = mbs.SolveDynamic(stepping(1e-6, 1), [&](const StepInfo&) {
    support = joined({mbs.GetObjectOutput(joints[0], OutputVariable::Force)});
    if (n > 1) second = joined({mbs.GetObjectOutput(joints[1], OutputVariable::Force)});
    return false;
  });
  CHECK(report.outcome == Outcome::stopped);
  CHECK(report.steps == 0);
  INFO(n << " rods on " << node << ", solver " << report.linearSolver);
  // The multiplier is the force on marker 0, here the ground, which the chain pulls down.
  const Real f0 = supportReaction(n);
  CHECK(std::abs(-support[1] / g - f0) < 1e-11);
  CHECK(std::abs(support[0]) < 1e-9);
  CHECK(std::abs(support[2]) < 1e-9);
  if (n > 1) {
    // f_1 of the same series; with both the first free joint accelerates as it should
    const Real r = -2 + std::sqrt(3.0);
    const Real A = 1 / (4 * (1 - std::pow(r, 2 * n)) + 2 * (r - std::pow(r, 2 * n - 1)));
    CHECK(std::abs(-second[1] / g - A * (r - std::pow(r, 2 * n - 1))) < 1e-11);
  }
}

}  // namespace

TEST_CASE("a chain released horizontally pulls its support with the exact force", "[integrators]") {
  CHECK(supportReaction(1) == Approx(0.25).epsilon(1e-14));
  CHECK(supportReaction(2) == Approx(2.0 / 7).epsilon(1e-14));
  CHECK(supportReaction(5) == Approx(.2886740331491713).epsilon(1e-14));
  const int n = GENERATE(1, 2, 5, 1000);
  for (const std::string_view node : rigidNodes) checkReleasedChain(n, node);
}

TEST_CASE("100000 rods released horizontally pull their support with the exact force",
          "[integrators][slow]") {
  checkReleasedChain(100000, "RigidBodyRotVecLG");
}

// --- step size -----------------------------------------------------------------------------------

TEST_CASE("a step that does not converge is repeated smaller and leaves no trace",
          "[integrators]") {
  // One Newton iteration suffices only for small steps. Pushed at the lowest point, the pendulum
  // rejects the first step; the smaller ones all pass and may not grow again.
  const auto run = [](Real steps, std::vector<Real>& times) {
    auto p = std::make_unique<Pendulum>(Vector3(0, -1, 0), Vector3(2, 0, 0));
    SimulationSettings s = stepping(0.0625, steps);
    s.timeIntegration.newton.reuseFactors = false;
    s.timeIntegration.newton.maxIterations = 1;
    s.timeIntegration.newton.relativeTolerance = 1e-5;
    s.timeIntegration.adaptiveStepRecoverySteps = 1000000;
    s.timeIntegration.adaptiveStepDecrease = 1.0 / 16;
    const SolveReport report = p->mbs.SolveDynamic(s, [&](const StepInfo& info) {
      times.push_back(info.time);
      return true;
    });
    INFO(report.message);
    REQUIRE(report.outcome == Outcome::finished);
    return std::pair{std::move(p), report};
  };
  std::vector<Real> times, direct;
  const auto [halved, report] = run(1, times);
  REQUIRE(report.rejectedSteps == 1);
  CHECK(times.back() == 0.0625);
  const Real h = times[1] - times[0];
  CHECK(h == 0.0625 / 16);
  REQUIRE(times.size() == 1 + 0.0625 / h);

  const auto [small, plain] = run(0.0625 / h, direct);
  CHECK(plain.rejectedSteps == 0);
  CHECK(times == direct);
  CHECK(halved->mbs.system().state().q == small->mbs.system().state().q);
  CHECK(halved->mbs.system().state().v == small->mbs.system().state().v);
  CHECK(halved->mbs.system().state().a == small->mbs.system().state().a);
  CHECK(halved->mbs.system().state().multipliers == small->mbs.system().state().multipliers);
}

TEST_CASE("step sizes shrink in hard phases, recover in easy ones, and the time stays right",
          "[integrators]") {
  Pendulum p;
  SimulationSettings s = stepping(2, 100);
  s.timeIntegration.newton.maxIterations = 2;
  s.timeIntegration.newton.relativeTolerance = 1e-10;
  s.timeIntegration.adaptiveStepRecoverySteps = 4;
  const Real planned = 0.02;
  Real time = 0, last = planned;
  int shrunk = 0, recovered = 0;
  const SolveReport report = p.mbs.SolveDynamic(s, [&](const StepInfo& info) {
    if (info.step == 0) return true;
    const Real h = info.time - time;
    CHECK(h < planned * (1 + 1e-12));
    if (info.time < 1.99) {  // the last step is cut to end in time
      if (h < 0.6 * last) ++shrunk;
      if (h > 1.9 * last) ++recovered;
    }
    last = h;
    time = info.time;
    return true;
  });
  INFO("rejected " << report.rejectedSteps << ", shrunk " << shrunk << ", recovered " << recovered);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(report.rejectedSteps > 0);
  CHECK(shrunk >= 2);
  CHECK(recovered >= 2);
  CHECK(time == Approx(2).epsilon(1e-14));
  // between the errors at 0.01 s (2e-3) and 0.02 s (9e-3)
  CHECK((p.values().head<2>() - Vector2(pendulumTable[2][1], pendulumTable[2][2])).norm() < 8e-3);
}

TEST_CASE("a time at which every step fails is passed by", "[integrators]") {
  Pendulum p;
  SimulationSettings s = stepping(1, 100);
  s.timeIntegration.discontinuous.ignoreMaxIterations = false;
  StepFunctions functions;
  functions.postNewton = [](Real time) {
    return ElementBatch::PostNewton{.error = std::abs(time - 0.5) < 1e-9 ? 2.0 : 0.0};
  };
  std::vector<Real> times;
  const auto observe = [&](const StepInfo& info) {
    times.push_back(info.time);
    return true;
  };
  const SolveReport report = p.mbs.SolveDynamic(s, observe, functions);
  REQUIRE(report.outcome == Outcome::finished);
  CHECK(report.rejectedSteps == 2);
  const auto after = std::upper_bound(times.begin(), times.end(), 0.5);
  CHECK(after[-1] == Approx(0.495).epsilon(1e-12));
  CHECK(after[0] == Approx(0.5025).epsilon(1e-12));
}

TEST_CASE("a run that cannot converge stops at the smallest step and keeps the last good state",
          "[integrators]") {
  const bool adaptive = GENERATE(true, false);
  Pendulum p(Vector3(0, -1, 0), Vector3(3, 0, 0));
  SimulationSettings s = stepping(1, 10);
  s.timeIntegration.newton.maxIterations = 1;
  s.timeIntegration.newton.relativeTolerance = 1e-15;
  s.timeIntegration.newton.absoluteTolerance = 0;
  s.timeIntegration.minimumStepSize = 0.02;
  s.timeIntegration.adaptiveStep = adaptive;
  const SolveReport report = p.mbs.SolveDynamic(s);
  CHECK(report.outcome == Outcome::notConverged);
  CHECK(report.steps == 0);
  CHECK(report.time == 0);
  CHECK(report.rejectedSteps == (adaptive ? 4 : 1));  // 0.1, 0.05, 0.025, 0.02
  CHECK(p.mbs.system().state().q.isZero(0));
  CHECK(p.mbs.system().state().v == Vector3(3, 0, 0));
  CHECK_THAT(report.message,
             Catch::Contains("did not converge") && Catch::Contains("(Point)") &&
                 Catch::Contains(adaptive ? "minimum 0.02" : "adaptiveStep is off"));
}

TEST_CASE("a matrix that becomes singular on the way ends the run, which keeps the last good state",
          "[integrators]") {
  MainSystem mbs;
  const int node = mbs.AddNode("Point");
  addGravity(mbs, mbs.AddObject("MassPoint", {{"mass", 1.0}, {"nodeNumber", node}}), {0, -g, 0});
  mbs.Assemble();
  SimulationSettings s = stepping(1, 8);
  s.linearSolverType = GENERATE(as<std::string>{}, "auto", "dense", "KLU");
  s.timeIntegration.generalizedAlpha.spectralRadius = 1;
  s.timeIntegration.newton.reuseFactors = false;
  s.timeIntegration.minimumStepSize = 1.0 / 32;
  StepFunctions functions;
  functions.jacobian = [](Real time, Real, Real velocity, Real) {
    const Real inertia = velocity * velocity;  // of a unit mass in the trapezoidal rule
    return time < 0.6 ? std::vector<MatrixEntry>{} : std::vector<MatrixEntry>{{1, 1, inertia}};
  };
  const SolveReport report = mbs.SolveDynamic(s, {}, functions);
  CHECK(report.outcome == Outcome::notConverged);
  CHECK(report.time == Approx(0.59375));  // 19 / 32
  CHECK(mbs.system().state().q[1] == Approx(-g / 2 * 0.59375 * 0.59375));
  CHECK_THAT(report.message, Catch::Contains("singular") &&
                                 Catch::Contains("translation y of node 0") &&
                                 Catch::Contains("smaller steps"));
}

// --- momentum ------------------------------------------------------------------------------------

TEST_CASE("two free bodies with springs keep their momentum, their spin with order 2",
          "[integrators]") {
  const std::string node =
      GENERATE(as<std::string>{}, "RigidBodyEP", "RigidBodyRxyz", "RigidBodyRotVecLG");
  std::vector<Real> spinErrors;
  for (const Real steps : {500, 1000, 2000}) {
    MainSystem mbs;
    Body bodies[2];
    int numbers[2];
    Random random(5);
    for (int i = 0; i < 2; ++i) {
      Body& b = bodies[i];
      b.position = {2.0 * i, 0.3 * i, 0};
      b.rotation = expSO3(0.5 * random.vector(3));
      b.velocity = random.vector(3);
      b.omega = random.vector(3);
      b.mass = 1 + i;
      b.principal = {0.3, 0.4, 0.5};
      numbers[i] = addBody(mbs, node, b);
    }
    for (int k = 0; k < 3; ++k)
      addConnector(mbs, "ConnectorSpringDamper", addMarker(mbs, numbers[0], random.vector(3, 0.4)),
                   addMarker(mbs, numbers[1], random.vector(3, 0.4)),
                   {{"stiffness", 30.0 + 5 * k}, {"damping", 0.2}, {"referenceLength", 1.5}});
    mbs.Assemble();
    const auto momentum = [&](MainSystem& m) {
      Vector6 p = Vector6::Zero();
      for (int i = 0; i < 2; ++i) {
        const Body& b = bodies[i];
        const auto A = m.GetObjectOutput(numbers[i], OutputVariable::RotationMatrix);
        const Matrix3 rotation = Eigen::Map<const Matrix3>(A.data()).transpose();
        const Vector3 v = vector3(m.GetObjectOutput(numbers[i], OutputVariable::Velocity));
        const Vector3 x = vector3(m.GetObjectOutput(numbers[i], OutputVariable::Position));
        const Vector3 w =
            vector3(m.GetObjectOutput(numbers[i], OutputVariable::AngularVelocityLocal));
        p.head<3>() += b.mass * v;
        p.tail<3>() += b.mass * x.cross(v) + rotation * b.principal.cwiseProduct(w);
      }
      return VectorX(p);
    };
    const auto values = sample(mbs, tight(stepping(2, steps, 0.9)), {0, 1, 2}, momentum);
    Real linear = 0, spin = 0;
    for (const VectorX& p : values) {
      linear = std::max(linear, (p - values[0]).head<3>().norm());
      spin = std::max(spin, (p - values[0]).tail<3>().norm());
    }
    INFO(node << ", " << steps << " steps: linear momentum changed by " << linear);
    CHECK(linear < 1e-10);
    spinErrors.push_back(spin);
  }
  requireOrderTwo(spinErrors, 1e-4, node + " angular momentum");
}
