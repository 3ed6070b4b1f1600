// The pendulum of two universal joints over a disc against reference trajectories.
#include "tests/spatial_pendulum.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace catena;
using namespace catena::test;

namespace {

using Json = nlohmann::json;

const Json& reference() {
  static const Json json = [] {
    std::ifstream file(CATENA_SOURCE_DIR "/tests/items/contact_reference.json");
    return Json::parse(file);
  }();
  return json;
}

template <int N>
Eigen::Matrix<Real, N, 1> vectorOf(const Json& json) {
  Eigen::Matrix<Real, N, 1> v;
  for (int i = 0; i < N; ++i) v[i] = json[i].get<Real>();
  return v;
}

Matrix3 matrixOf(const Json& json) {
  Matrix3 m;
  for (int i = 0; i < 3; ++i) m.row(i) = vectorOf<3>(json[i]).transpose();
  return m;
}

SpatialPendulum pendulumOf(const Json& parameters) {
  SpatialPendulum p;
  p.damping = vectorOf<4>(parameters["jointDamping"]);
  p.base = vectorOf<3>(parameters["base"]);
  p.discSpeed = parameters["discSpeed"];
  p.disc = Vector3(parameters["xO3"].get<Real>(), parameters["yO3"].get<Real>(),
                   parameters["zO3"].get<Real>());
  if (const Json& c = parameters["contact"]; !c.is_null()) {
    p.contact.k = c["k"];
    p.contact.b = c["b"];
    p.contact.mu = c.value("mu", 0.0);
    p.contact.vEps = c.value("vEps", 1e-2);
    p.contact.fr = c.value("fr", 0.0);
    p.contact.wEps = c.value("wEps", 0.1);
    p.contact.contensou = c.value("friction", "") == "contensou";
  }
  return p;
}

PendulumMotion motionOf(const Json& state) {
  return {vectorOf<3>(state["ballPosition"]),
          vectorOf<3>(state["ballVelocity"]),
          vectorOf<3>(state["omega1"]),
          vectorOf<3>(state["omega2"]),
          matrixOf(state["R1"]),
          matrixOf(state["R2"])};
}

const Json& scenario(char letter) {
  for (const auto& [name, s] : reference()["scenarios"].items())
    if (name[0] == letter) return s;
  throw std::logic_error("no such scenario");
}

// Errors of the model of bodies at the reference times, up to the last one wanted.
struct Run {
  std::vector<Real> errors;
  SolveReport report;  // of the last piece
  long long steps = 0;
};
Run run(char letter, Real end, std::string_view solver,
        const std::function<SimulationSettings(Real from, Real to)>& settings) {
  const Json& s = scenario(letter);
  const SpatialPendulum p = pendulumOf(s["parameters"]);
  MainSystem mbs;
  const PendulumModel model =
      addSpatialPendulum(mbs, p, vectorOf<8>(s["initialState"]), "RigidBodyRotVecLG");
  Run r;
  // From one reference time to the next, for steps that end at touch-down miss these times.
  Real start = 0;
  for (const Json& state : s["states"]) {
    const Real time = state["t"];
    if (time > end + 1e-9) break;
    SimulationSettings piece = settings(start, time);
    piece.timeIntegration.startTime = start;
    r.report = mbs.Solve(solver, piece);
    r.steps += r.report.steps;
    r.errors.push_back(motionOf(mbs, p, model).difference(motionOf(state)));
    start = time;
  }
  return r;
}
// Generalized-alpha with steps of size h.
Run run(char letter, Real h, Real end) {
  return run(letter, end, "dynamic", [&](Real from, Real to) {
    SimulationSettings settings = stepping(to, std::round((to - from) / h));
    settings.timeIntegration.newton.relativeTolerance = 1e-9;
    settings.timeIntegration.newton.absoluteTolerance = 1e-13;
    return settings;
  });
}
// The method of Dormand and Prince with error control.
Run runAdaptive(char letter, Real tolerance) {
  return run(letter, std::numeric_limits<Real>::infinity(), "explicit:DOPRI5", [&](Real, Real to) {
    SimulationSettings settings = stepping(to, 1);
    settings.timeIntegration.relativeTolerance = tolerance;
    settings.timeIntegration.absoluteTolerance = tolerance;
    settings.timeIntegration.initialStepSize = 1e-5;
    return settings;
  });
}

}  // namespace

TEST_CASE("spatial pendulum: accelerations in minimal coordinates", "[contact]") {
  for (const Json& a : reference()["lagrangeCheck"]["accelerations"]) {
    const SpatialPendulum p = pendulumOf(reference()["lagrangeCheck"]["parameters"]);
    const Eigen::Vector4d expected = vectorOf<4>(a["qdd"]);
    const Eigen::Vector4d found =
        minimal::accelerations(p, a["t"], vectorOf<8>(a["y"]), a["omega"], a["omegaDot"]);
    CHECK((found - expected).norm() < 1e-12 * expected.norm());
  }
}

TEST_CASE("spatial pendulum: minimal coordinates follow the reference trajectories",
          "[contact][slow]") {
  for (const auto& [name, s] : reference()["scenarios"].items()) {
    const SpatialPendulum p = pendulumOf(s["parameters"]);
    PendulumState y = vectorOf<8>(s["initialState"]);
    Real t = 0;
    for (std::size_t i = 0; i < s["states"].size(); ++i) {
      const Json& state = s["states"][i];
      y = minimal::integrate(p, t, state["t"], y, 5e-5, p.contact.k > 1e6 ? 0.01 : 0.2);
      t = state["t"];
      const Real error = minimal::motion(p, t, y).difference(motionOf(state));
      INFO(name << " at " << t);
      CHECK(error < 10 * s["maxDifferenceToRtol1e10"][i].get<Real>() + 1e-10);
    }
  }
}

TEST_CASE("spatial pendulum: bodies and joints converge with order two to the reference",
          "[contact]") {
  struct Study {
    char scenario;
    Real h, end;
  };
  // C and D: two impacts and one before the last time, D with friction
  for (const auto& [letter, h, end] : {Study{'A', 2.5e-4, 2},
                                       {'B', 2.5e-4, 2},
                                       {'G', 5e-5, 0.4},
                                       {'C', 2.5e-5, 0.4},
                                       {'D', 2.5e-5, 0.4}}) {
    const Run coarse = run(letter, h, end), fine = run(letter, h / 2, end);
    for (std::size_t i = 0; i < fine.errors.size(); ++i) {
      INFO("scenario " << letter << ", time " << i << ": " << coarse.errors[i] << ", "
                       << fine.errors[i]);
      CHECK(coarse.errors[i] / fine.errors[i] == Approx(4).epsilon(0.06));
    }
  }
}

TEST_CASE("spatial pendulum: free motion agrees with the reference to 1e-8", "[contact][slow]") {
  for (const char letter : {'A', 'B'}) {
    const Run fine = run(letter, 2e-6, 1);
    for (const Real error : fine.errors) {
      INFO("scenario " << letter << ": " << error);
      CHECK(error < 1e-8);
    }
  }
}

// Below these steps rounding, which constraints on position level amplify by 1 / h in the
// velocities, outweighs the error of the method.
TEST_CASE("spatial pendulum: contact agrees with the reference down to rounding",
          "[contact][slow]") {
  struct Limit {
    char scenario;
    Real h, error;
  };
  for (const auto& [letter, h, error] :
       {Limit{'G', 5e-7, 6e-9}, {'C', 2.5e-7, 3e-8}, {'D', 2.5e-7, 3e-8}}) {
    const Run fine = run(letter, h, 0.3);
    for (std::size_t i = 0; i < fine.errors.size(); ++i) {
      INFO("scenario " << letter << ", time " << i);
      CHECK(fine.errors[i] < error);
    }
  }
}
TEST_CASE("spatial pendulum: an explicit method with error control reaches the references",
          "[contact]") {
  for (const auto& [name, s] : reference()["scenarios"].items()) {
    const Run coarse = runAdaptive(name[0], 1e-10), fine = runAdaptive(name[0], 1e-12);
    REQUIRE(fine.errors.size() == s["states"].size());
    for (std::size_t i = 0; i < fine.errors.size(); ++i) {
      INFO(name << ", time " << i << ": " << coarse.errors[i] << ", " << fine.errors[i]);
      CHECK(fine.errors[i] < 10 * s["maxDifferenceToRtol1e10"][i].get<Real>() + 1e-11);
      CHECK(fine.errors[i] < 0.1 * coarse.errors[i]);
    }
  }
}
