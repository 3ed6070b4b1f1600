// catena eigenvalues: frequencies, degrees of freedom and redundant constraints of a model.
#include "apps/eigenvalues.h"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "model/json_reader.h"
#include "model/provenance.h"
#include "model/text_file.h"

namespace catena {

Mode::Mode(std::complex<Real> value, bool damped)
    : exponent(damped ? value : std::sqrt(std::complex<Real>(-value.real(), 0))),
      frequency(std::abs(exponent.imag()) / (2 * M_PI)),
      dampingRatio(exponent == 0.0 ? 0 : -exponent.real() / std::abs(exponent)) {}

void printModes(const Eigenvalues& eigenvalues, bool damped) {
  std::printf("%6s %22s %22s %22s\n", "mode", "frequency [Hz]",
              damped ? "real [1/s]" : "growth [1/s]", damped ? "imag [rad/s]" : "omega [rad/s]");
  for (int i = 0; i < eigenvalues.values.size(); ++i) {
    const Mode mode(eigenvalues.values[i], damped);
    std::printf("%6d %22.15g %22.15g %22.15g\n", i + 1, mode.frequency, mode.exponent.real(),
                mode.exponent.imag());
  }
}

void printDegreesOfFreedom(const DegreesOfFreedom& d) {
  std::printf("%d degree%s of freedom: %d coordinates, %d constraint%s, %d of them redundant\n",
              d.degreeOfFreedom, d.degreeOfFreedom == 1 ? "" : "s", d.unknowns, d.constraints,
              d.constraints == 1 ? "" : "s", d.redundantConstraints);
}

namespace {

void writeJson(const std::string& path, const Provenance& provenance, const DegreesOfFreedom& d,
               const Eigenvalues& eigenvalues, bool damped) {
  nlohmann::ordered_json file;
  for (const auto& [name, value] : provenanceEntries(provenance)) file["provenance"][name] = value;
  file["degreesOfFreedom"] = d.degreeOfFreedom;
  file["coordinates"] = d.unknowns;
  file["constraints"] = d.constraints;
  file["redundantConstraints"] = d.redundantConstraints;
  file["damped"] = damped;
  file["modes"] = nlohmann::ordered_json::array();
  for (const std::complex<Real> value : eigenvalues.values) {
    const Mode mode(value, damped);
    file["modes"].push_back({{"frequency", mode.frequency},
                             {"dampingRatio", mode.dampingRatio},
                             {"exponent", {mode.exponent.real(), mode.exponent.imag()}}});
  }
  TextFile text(path);
  text.write(file.dump(1) + "\n");
  text.close();
}

}  // namespace

int eigenvalues(const EigenvalueCommand& command) {
  const std::string text = readModelText(command.model);
  SimulationJob job = readJsonText(text, command.model);
  setSettings(job.settings, command.settings);
  job.system->Assemble();
  if (command.equilibrium) {
    const SolveReport report = job.system->SolveStatic(job.settings);
    if (report.outcome != Outcome::finished) {
      printError(command.model + ": no equilibrium found: " + report.message);
      return exitCode::failed;
    }
  }
  EigenvalueOptions options = job.eigenvalueOptions;
  if (command.modes > 0) options.numberOfEigenvalues = command.modes;
  options.computeComplexEigenvalues |= command.damped;
  options.ignoreLoads |= command.ignoreLoads;
  options.useAbsoluteValues = false;  // modes that grow are told
  const bool damped = options.computeComplexEigenvalues;

  const DegreesOfFreedom degrees = job.system->ComputeSystemDegreeOfFreedom();
  printDegreesOfFreedom(degrees);
  const Eigenvalues found = job.system->ComputeODE2Eigenvalues(options);
  printModes(found, damped);
  if (!command.json.empty()) {
    const Provenance provenance{
        job.name.empty() ? std::filesystem::path(command.model).stem().string() : job.name,
        command.model, hashText(text), command.commandLine};
    writeJson(command.json, provenance, degrees, found, damped);
    std::printf("written %s\n", command.json.c_str());
  }
  return exitCode::done;
}

}  // namespace catena
