#include "model/verify.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace catena {
namespace {

// Compares one sensor; rows of the run are matched to the reference times.
VerifyReport::Deviation compare(const ReferenceResults& reference,
                                const ReferenceResults::Sensor& expected, const Recording& run) {
  VerifyReport::Deviation d;
  d.sensor = expected.name;
  Real scale = 0;
  for (const Real x : expected.values) scale = std::max(scale, std::abs(x));
  auto tolerance = std::pair{reference.relativeTolerance, reference.absoluteTolerance};
  if (const auto own = reference.sensorTolerances.find(expected.name);
      own != reference.sensorTolerances.end())
    tolerance = own->second;
  d.tolerance = tolerance.second + tolerance.first * scale;

  const auto sensor = std::find_if(run.sensors.begin(), run.sensors.end(),
                                   [&](const SensorRecord& s) { return s.name == expected.name; });
  const std::size_t n = expected.components;
  d.largest = std::numeric_limits<Real>::infinity();
  if (sensor == run.sensors.end() || sensor->components != expected.components) return d;
  Real largest = 0;
  for (std::size_t i = 0; i < reference.times.size(); ++i) {
    const auto at = std::lower_bound(run.times.begin(), run.times.end(), reference.times[i] - 1e-9);
    if (at == run.times.end() || std::abs(*at - reference.times[i]) > 1e-9) return d;
    const std::size_t row = at - run.times.begin();
    for (std::size_t k = 0; k < n; ++k) {
      const Real difference = std::abs(sensor->values[row * n + k] - expected.values[i * n + k]);
      if (!(difference <= largest)) largest = difference;
    }
  }
  d.largest = largest;
  return d;
}

// The reference values against the nearest computed ones, each of which is used once.
VerifyReport::Deviation compareEigenvalues(const ReferenceResults& reference,
                                           Eigen::VectorXcd values) {
  VerifyReport::Deviation worst{"eigenvalues", 0, 1};  // relative to what is allowed for each
  std::vector<char> used(values.size(), 0);
  for (const std::complex<Real> expected : reference.eigenvalues) {
    int nearest = -1;
    for (int i = 0; i < values.size(); ++i)
      if (!used[i] &&
          (nearest < 0 || std::abs(values[i] - expected) < std::abs(values[nearest] - expected)))
        nearest = i;
    const Real allowed =
        reference.absoluteTolerance + reference.relativeTolerance * std::abs(expected);
    Real part = std::numeric_limits<Real>::infinity();
    if (nearest >= 0) {
      used[nearest] = 1;
      part = std::abs(values[nearest] - expected) / allowed;
    }
    if (!(part <= worst.largest)) worst.largest = part;
  }
  return worst;
}

}  // namespace

VerifyReport verifyCase(const std::string& path, int threads, const std::string& linearSolver) {
  VerifyReport report;
  report.name = std::filesystem::path(path).stem().string();
  SimulationJob job;
  try {
    job = readJsonFile(path);
  } catch (const ModelError& error) {
    const std::string what = error.what();
    const auto unknown = what.find("unknown type '");
    if (unknown == std::string::npos) throw;
    report.waitingFor = what.substr(unknown + 13, what.find('\'', unknown + 14) - unknown - 12);
    return report;
  }
  const bool eigenvalues = job.solve == "eigenvalues";
  if (!eigenvalues && !MainSystem::isSolver(job.solve)) {
    report.waitingFor = "solver '" + job.solve + "'";
    return report;
  }
  if (!job.results) throw ModelError(path + ": carries no results to compare with");
  job.settings.parallel.numberOfThreads = threads;
  if (!linearSolver.empty()) job.settings.linearSolverType = linearSolver;
  job.system->Assemble();
  if (eigenvalues) {
    const Eigenvalues found = job.system->ComputeODE2Eigenvalues(job.eigenvalueOptions);
    report.deviations.push_back(compareEigenvalues(*job.results, found.values));
    report.passed = report.deviations.back().passed();
    return report;
  }
  report.solve = job.system->Solve(job.solve, job.settings);
  report.message = report.solve.message;
  report.passed = report.solve.outcome == Outcome::finished;
  for (const auto& sensor : job.results->sensors) {
    report.deviations.push_back(compare(*job.results, sensor, job.system->recording()));
    report.passed = report.passed && report.deviations.back().passed();
  }
  return report;
}

}  // namespace catena
