// Published benchmark problems, from examples/benchmarks, against values of other methods: fixed
// steps show order 2, and steps by their local error end near what the tolerance says.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "model/json_reader.h"
#include "model/main_system.h"

using namespace catena;

namespace {

struct Benchmark {
  std::string file, sensor;
  int component;
  Real endTime, reference;
  int steps;     // of the coarsest of three runs with fixed steps
  Real largest;  // error of that run, roughly
};

// Sources: IVP/DAE test set (Andrews squeezer, car axis); others index-reduced or on minimal
// coordinates with tolerance 1e-11 or better.
const Benchmark benchmarks[] = {
    {"heavy_top", "position", 0, 0.2, .60555056137698, 400, 5e-4},
    {"slider_crank", "slider position", 0, 1, 0.211721661394, 1000, 2e-4},
    {"slider_crank", "slider velocity", 0, 1, -0.503491864922, 1000, 2e-3},
    {"flyball_governor", "slider", 2, 1, 0.50142092238, 1000, 1e-4},
    {"flyball_governor", "shaft speed", 2, 1, 6.2711257419, 1000, 1e-3},
    {"andrews_squeezer", "crank", 2, 0.03, 15.81077119629904 + 0.0617138900142764496, 3000, 2e-4},
    {"car_axis", "ends", 3, 3, .373911027265361256927, 1500, 2e-3},
    {"scissors", "rising rod", 2, 0.4, .84947307868 - 1.04719755119660, 50, 1e-6},
    {"rolling_disc", "centre", 1, 4.107145630572, 0, 2000, 1e-5},
    {"bricard", "pin", 2, 2, 0.754278010780, 2000, 5e-6},
    {"falling_chain", "tip", 1, 1, -4.906262319715, 1000, 5e-6},
};

const SensorRecord& record(const MainSystem& mbs, const std::string& name) {
  for (const SensorRecord& s : mbs.recording().sensors)
    if (s.name == name) return s;
  FAIL("no sensor " << name);
  throw;
}

SimulationJob load(const Benchmark& b) {
  SimulationJob job =
      readJsonFile(std::string(CATENA_SOURCE_DIR) + "/examples/benchmarks/" + b.file + ".json");
  job.settings.set("timeIntegration.endTime", b.endTime);
  job.system->Assemble();
  return job;
}

Vector3 finalValue(const MainSystem& mbs, const std::string& sensor) {
  const std::vector<Real>& values = record(mbs, sensor).values;
  return Eigen::Map<const Vector3>(values.data() + values.size() - 3);
}

Real finalError(SimulationJob& job, const Benchmark& b, SolveReport* tell = nullptr) {
  const SolveReport report = job.system->SolveDynamic(job.settings);
  REQUIRE(report.outcome == Outcome::finished);
  if (tell) *tell = report;
  const SensorRecord& s = record(*job.system, b.sensor);
  REQUIRE(job.system->recording().times.back() == Approx(b.endTime).margin(1e-9));
  return std::abs(s.values[s.values.size() - s.components + b.component] - b.reference);
}

void controlError(SimulationJob& job, Real tolerance) {
  job.settings.set("timeIntegration.generalizedAlpha.errorControl", true);
  job.settings.set("timeIntegration.numberOfSteps", 10.0);
  job.settings.set("timeIntegration.relativeTolerance", tolerance);
  job.settings.set("timeIntegration.absoluteTolerance", tolerance);
}

}  // namespace

TEST_CASE("published benchmarks converge with order 2 to their references", "[integrators]") {
  const Benchmark b = GENERATE(from_range(std::begin(benchmarks), std::end(benchmarks)));
  std::vector<Real> errors;
  for (const int refinement : {1, 2, 4}) {
    SimulationJob job = load(b);
    job.settings.set("timeIntegration.numberOfSteps", static_cast<Real>(b.steps * refinement));
    errors.push_back(finalError(job, b));
  }
  INFO(b.file << " " << b.sensor << ": " << errors[0] << " " << errors[1] << " " << errors[2]);
  CHECK(errors[0] < b.largest);
  CHECK(errors[2] < b.largest / 10);
  CHECK(errors[0] / errors[1] == Approx(4).margin(1));
  CHECK(errors[1] / errors[2] == Approx(4).margin(1));
}

TEST_CASE("extrapolation brings published benchmarks to order 3 or beyond", "[integrators]") {
  const Benchmark b = GENERATE(from_range(std::begin(benchmarks), std::end(benchmarks)));
  std::vector<Real> errors;
  for (const int division : {2, 1}) {
    SimulationJob job = load(b);
    job.settings.timeIntegration.generalizedAlpha.extrapolation = true;
    job.settings.timeIntegration.numberOfSteps = b.steps / division;
    errors.push_back(finalError(job, b));
  }
  INFO(b.file << " " << b.sensor << ": " << errors[0] << " " << errors[1]);
  constexpr Real digits = 3e-9;  // of the references
  CHECK(errors[1] < b.largest / 50);
  CHECK((errors[1] < errors[0] / 6.5 || errors[1] < digits));
}

TEST_CASE("the error shrinks with the tolerance when it controls the steps", "[integrators]") {
  const Benchmark b = GENERATE(from_range(std::begin(benchmarks), std::end(benchmarks)));
  if (b.file == "scissors") return;  // the largest step is already exact to 1e-6
  std::vector<Real> errors, steps;
  for (const Real tolerance : {1e-4, 1e-6, 1e-8}) {
    SimulationJob job = load(b);
    controlError(job, tolerance);
    SolveReport report;
    errors.push_back(finalError(job, b, &report));
    steps.push_back(static_cast<Real>(report.steps));
    INFO(b.file << ": " << report.steps << " steps, " << report.rejectedSteps << " rejected");
    CHECK(static_cast<Real>(report.rejectedSteps) < 0.3 * steps.back());
  }
  INFO(b.file << " " << b.sensor << ": " << errors[0] << " " << errors[1] << " " << errors[2]
              << "; steps " << steps[0] << " " << steps[1] << " " << steps[2]);
  // global errors of a method of order 2: between tolerance^(2/3) and tolerance
  CHECK(errors[1] < errors[0] / 5);
  CHECK(errors[2] < errors[1] / 5);
  CHECK(steps[2] / steps[1] == Approx(std::cbrt(100)).epsilon(0.35));
}

TEST_CASE("sensors are interpolated to their period within steps of any size", "[integrators]") {
  const Benchmark b = benchmarks[1];
  const auto run = [&](Real tolerance) {
    SimulationJob job = load(b);
    controlError(job, tolerance);
    job.settings.set("solutionSettings.sensorsWritePeriod", 1.0 / 512);
    REQUIRE(job.system->SolveDynamic(job.settings).outcome == Outcome::finished);
    const std::vector<Real>& times = job.system->recording().times;
    REQUIRE(times.size() == 513);
    for (std::size_t i = 0; i < times.size(); ++i)
      CHECK(times[i] == Approx(static_cast<Real>(i) / 512).margin(1e-12));
    const SensorRecord& s = record(*job.system, b.sensor);
    std::vector<Real> x;
    for (std::size_t i = 0; i < times.size(); ++i) x.push_back(s.values[3 * i]);
    return x;
  };
  const std::vector<Real> coarse = run(1e-5), fine = run(1e-8);
  Real largest = 0, between = 0;  // of all times, and of second differences: no kinks
  for (std::size_t i = 0; i < fine.size(); ++i) {
    largest = std::max(largest, std::abs(coarse[i] - fine[i]));
    if (i < 2) continue;
    const auto second = [&](const std::vector<Real>& x) { return x[i] - 2 * x[i - 1] + x[i - 2]; };
    between = std::max(between, std::abs(second(coarse) - second(fine)));
  }
  CHECK(largest < 1e-3);
  CHECK(between < 2e-5);
}

TEST_CASE("spheres slide until they roll, and roll or slide on inclines, as Coulomb says",
          "[integrators]") {
  const auto solve = [](const std::string& file) {
    SimulationJob job =
        readJsonFile(std::string(CATENA_SOURCE_DIR) + "/examples/benchmarks/" + file + ".json");
    job.system->Assemble();
    REQUIRE(job.system->SolveDynamic(job.settings).outcome == Outcome::finished);
    return std::move(job.system);
  };
  const Real g = 9.81, mu = 0.2, R = 0.1;
  const auto flat = solve("sliding_sphere");
  const Real rolls = 2 * 3 / (7 * mu * g), speed = 15.0 / 7;
  CHECK(rolls == Approx(.436871996505));
  CHECK(finalValue(*flat, "sphere Velocity")[0] == Approx(speed).epsilon(1e-10));
  CHECK(finalValue(*flat, "sphere AngularVelocity")[1] == Approx(speed / R).epsilon(1e-10));
  CHECK(finalValue(*flat, "sphere Position")[0] ==
        Approx(12 * 9 / (49 * mu * g) + (1 - rolls) * speed).epsilon(1e-9));

  const auto inclined = solve("spheres_on_inclines");
  const auto along = [&](const std::string& sensor, Real slope) {
    const Vector3 v = finalValue(*inclined, sensor);
    return std::cos(slope) * v[0] - std::sin(slope) * v[2];
  };
  // up to the slip of frictionProportionalZone = 1e-6 m/s that friction asks for
  CHECK(along("rolling sphere Velocity", M_PI / 6) == Approx(3.503571428571).margin(1e-6));
  CHECK(finalValue(*inclined, "rolling sphere AngularVelocity")[1] ==
        Approx(3.503571428571 / R).margin(1e-5));
  // started at 0.1 m/s: there is no friction to begin with at rest
  CHECK(along("sliding sphere Velocity", M_PI / 4.5) == Approx(0.1 + 4.802767253626).margin(1e-9));
  CHECK(finalValue(*inclined, "sliding sphere AngularVelocity")[1] ==
        Approx(37.57447993499).margin(1e-8));
}

TEST_CASE("a bouncing ball approaches the flights of rigid impacts as its stiffness grows",
          "[integrators]") {
  const Real g = 9.81, c = 0.8, first = std::sqrt(2 / g);
  const Real rest = first * (1 + c) / (1 - c);
  CHECK(first == Approx(.451523640986));
  CHECK(rest == Approx(4.063712768872));
  const auto height = [&](Real t) {
    if (t < first) return 1 - g * t * t / 2;
    t -= first;
    Real launch = c * g * first;
    for (; t > 2 * launch / g; launch *= c) t -= 2 * launch / g;
    return launch * t - g * t * t / 2;
  };
  // A contact takes time in proportion to stiffness^-0.4 (Hertz): so do the deviations.
  const Real shrink = std::pow(100, 0.4);
  std::vector<Vector3> errors;
  for (const Real stiffness : {1e8, 1e10, 1e12}) {
    Vector3 error = Vector3::Zero();
    Real touch = 0, moving = 0;
    for (int k = 0; k < 3; ++k) {
      SimulationJob job = readJsonFile(CATENA_SOURCE_DIR "/examples/benchmarks/bouncing_ball.json");
      MainSystem& mbs = *job.system;
      const int contact = mbs.items().find(Category::object, "contact of ball");
      mbs.items().setParameter(Category::object, contact, "contactStiffness", stiffness);
      mbs.Assemble();
      const Real end = k == 2 ? 5 : 1 + k;
      job.settings.timeIntegration.endTime = end;
      const SolveReport report = mbs.Solve(job.solve, job.settings, [&](const StepInfo& info) {
        const Real gap = mbs.GetObjectOutput(contact, OutputVariable::Gap)[0];
        const Real rate = mbs.GetObjectOutput(contact, OutputVariable::GapRate)[0];
        if (touch == 0 && gap < 0) touch = info.time - gap / rate;
        if (std::abs(rate) > 0.01) moving = info.time;
        return true;
      });
      INFO(report.message);
      REQUIRE(report.outcome == Outcome::finished);
      error[k] = k < 2 ? mbs.GetObjectOutput(contact, OutputVariable::Gap)[0] - height(end)
                       // from a launch at 0.01 m/s it bounces for another 2 v / (g (1 - c))
                       : moving + 2 * 0.01 / (g * (1 - c)) - rest;
    }
    CHECK(touch == Approx(first).epsilon(1e-9));
    errors.push_back(error);
  }
  INFO(errors[0].transpose() << "; " << errors[1].transpose() << "; " << errors[2].transpose());
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 2; ++i)
      CHECK(errors[i][k] / errors[i + 1][k] == Approx(shrink).epsilon(0.05));
  CHECK(std::abs(errors[2][2]) < 0.01);
}
