// Models as JSON files.
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/main_system.h"

namespace catena {

// Results that a model file carries, for verification.
struct ReferenceResults {
  struct Sensor {
    std::string name;
    int components = 0;
    std::vector<Real> values;  // one row per time
  };
  std::vector<Real> times;
  std::vector<Sensor> sensors;
  Real relativeTolerance = 1e-7, absoluteTolerance = 1e-10;
  std::map<std::string, std::pair<Real, Real>> sensorTolerances;  // relative, absolute
  std::vector<std::complex<Real>> eigenvalues;
};

struct SimulationJob {
  std::string name, description;
  std::string solve = "dynamic";
  EigenvalueOptions eigenvalueOptions;  // of solve = "eigenvalues"
  SimulationSettings settings;
  std::unique_ptr<MainSystem> system;
  std::optional<ReferenceResults> results;
};

// Reads a file or a text. label names the text in messages. Throws ModelError:
// "file.json:line:column: ..." for malformed JSON, "file.json: node 3 'tip' (Point): ..." for
// mistakes in the model.
SimulationJob readJsonFile(const std::string& path);
SimulationJob readJsonText(std::string_view text, const std::string& label);

// Value of a setting given as text, e.g. on the command line: JSON, or a bare word as text.
Value valueFromText(const std::string& text);

}  // namespace catena
