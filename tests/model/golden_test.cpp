// Every model in tests/golden carries the results of an independent code; see
// tests/golden/README.md.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "items/registry.h"
#include "model/verify.h"

using namespace catena;

namespace {

const std::filesystem::path folder = std::filesystem::path(CATENA_SOURCE_DIR) / "tests/golden";

// What is not built yet. An entry that has become available fails the test below, so the list stays
// true.
const std::set<std::string> waitingTypes = {"'BeamGeometricallyExact2D'", "'ContactConvexRoll'",
                                            "'ContactSphereTorus'", "'ContactSphereTriangle'",
                                            "'FFRF'"};

// Multipliers of this case oscillate by the convergence noise of the reference code: on the same
// mechanism with Euler parameters (chain100_ep, converged 1000 times tighter there) they are smooth
// and agree with ours.
const std::string noisyCase = "chain100_rotveclg";
const std::set<std::string> noisySensors = {"object2 ForceLocal", "object2 TorqueLocal",
                                            "body199 AngularVelocity"};

// In these cases the reference starts with accelerations that are not those of the motion: it
// varies rotation vectors additively, and drops the change of velocity constraints along the
// motion. Its multipliers ring for some steps. Ours are continuous from the start, see the test
// below.
const std::map<std::string, std::set<std::string>> wrongStart = {
    {"torsional_spring_small",
     {"body1 AngularVelocity", "object2 AngularVelocityLocal", "object2 TorqueLocal"}},
    {"joint_generic_111101_rotveclg",
     {"body1 AngularVelocity", "object2 AngularVelocityLocal", "object2 VelocityLocal",
      "object2 ForceLocal", "object2 TorqueLocal"}},
    {"rolling_disc_joint_partial",
     {"body1 Position", "body1 Rotation", "body1 Velocity", "body1 AngularVelocity",
      "object2 Position", "object2 Velocity", "object2 ForceLocal", "object2 RotationMatrix"}}};

bool knownDifference(const std::string& name, const std::string& sensor) {
  if (name == noisyCase) return noisySensors.contains(sensor);
  const auto found = wrongStart.find(name);
  return found != wrongStart.end() && found->second.contains(sensor);
}

std::vector<std::string> cases() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool available(const std::string& quoted) {
  const std::string type = quoted.substr(1, quoted.size() - 2);
  for (const Category c :
       {Category::node, Category::object, Category::marker, Category::load, Category::sensor})
    for (const ItemType* t : Registry::instance().types())
      if (t->category == c && t->name == type) return true;
  return false;
}

void requireDeviations(const VerifyReport& report) {
  for (const auto& d : report.deviations) {
    if (knownDifference(report.name, d.sensor)) continue;
    INFO(report.name << ": " << d.sensor << " deviates by " << d.largest << ", tolerance "
                     << d.tolerance);
    CHECK(d.passed());
  }
}

}  // namespace

TEST_CASE("all golden cases made of available items agree with the independent results",
          "[golden]") {
  const std::string solver =
      GENERATE(as<std::string>{}, "auto", "KLU", "CHOLMOD", "multifrontal", "dense", "SparseLU");
  int run = 0;
  for (const std::string& path : cases()) {
    const bool large = path.find("chain100") != std::string::npos;
    if (large && solver == "dense") continue;  // 1100 unknowns
    const VerifyReport report = verifyCase(path, 1, solver);
    if (!report.waitingFor.empty()) continue;
    ++run;
    INFO(report.name << " with " << solver << ": " << report.message);
    CHECK(report.solve.outcome == Outcome::finished);
    requireDeviations(report);
  }
  CHECK(run >= 53);
}

TEST_CASE("golden cases wait only for what the list says, and the list is not stale", "[golden]") {
  std::set<std::string> found;
  for (const std::string& path : cases()) {
    const VerifyReport report = verifyCase(path);
    if (report.waitingFor.empty() || report.waitingFor.starts_with("solver")) continue;
    INFO(report.name << " waits for " << report.waitingFor);
    CHECK(waitingTypes.contains(report.waitingFor));
    WARN(report.name << " waits for " << report.waitingFor);
  }
  for (const std::string& type : waitingTypes) {
    // the names of loads and springs overlap with nodes: 'UserFunction' is a sensor, 'RigidBody2D'
    // node and object
    INFO(type << " is available now: take it off the list");
    CHECK_FALSE(available(type));
  }
}

TEST_CASE(
    "multipliers of the chain agree between rotation vectors and the Euler parameter reference",
    "[golden]") {
  SimulationJob reference = readJsonFile((folder / "chain100_ep.json").string());
  SimulationJob job = readJsonFile((folder / "chain100_rotveclg.json").string());
  job.settings.set("timeIntegration.newton.relativeTolerance", 1e-12);
  job.system->Assemble();
  job.system->SolveDynamic(job.settings);
  for (const auto& expected : reference.results->sensors) {
    if (!noisySensors.contains(expected.name)) continue;
    for (const SensorRecord& s : job.system->recording().sensors) {
      if (s.name != expected.name) continue;
      REQUIRE(s.values.size() == expected.values.size());
      Real scale = 0, largest = 0;
      for (const Real x : expected.values) scale = std::max(scale, std::abs(x));
      for (std::size_t i = 0; i < s.values.size(); ++i)
        largest = std::max(largest, std::abs(s.values[i] - expected.values[i]));
      INFO(s.name);
      CHECK(largest < 1e-6 * scale);  // the integrators differ: Lie group against Euler parameters
    }
  }
}

TEST_CASE("reactions are continuous from the start where the reference is not", "[golden]") {
  for (const auto& [name, sensors] : wrongStart) {
    SimulationJob job = readJsonFile((folder / (name + ".json")).string());
    job.settings.set("timeIntegration.endTime", 1e-4);
    job.settings.set("timeIntegration.numberOfSteps", 10.0);
    job.settings.set("solutionSettings.sensorsWritePeriod", 1e-5);
    job.system->Assemble();
    job.system->SolveDynamic(job.settings);
    for (const SensorRecord& s : job.system->recording().sensors) {
      const bool reaction = s.name.find("ForceLocal") != std::string::npos ||
                            s.name.find("TorqueLocal") != std::string::npos;
      if (!reaction || !sensors.contains(s.name)) continue;
      const std::size_t last = s.values.size() - s.components;
      Real scale = 1;
      for (const Real x : s.values) scale = std::max(scale, std::abs(x));
      for (int k = 0; k < s.components; ++k) {
        INFO(name << ": " << s.name << ", component " << k);
        CHECK(std::abs(s.values[last + k] - s.values[k]) < 1e-3 * scale);
      }
    }
  }
}
