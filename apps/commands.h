// The subcommands of catena. Each returns its exit code; mistakes of the user throw ModelError.
#pragma once

#include <string>
#include <vector>

#include "integrators/settings.h"

namespace catena {

namespace exitCode {
inline constexpr int done = 0;
inline constexpr int failed = 1;      // did not converge, deviates, or a file could not be written
inline constexpr int wrongInput = 2;  // model, settings or usage
inline constexpr int interrupted = 130;
}  // namespace exitCode

enum class Verbosity { quiet, normal, verbose };

struct RunOptions {
  std::string model;
  std::vector<std::string> settings;  // "path=value"
  int threads = 0;                    // 0: as the model says
  std::string output;                 // empty: output/<model name>, "none": no files
  Verbosity verbosity = Verbosity::normal;
  std::string commandLine;
};
int runModel(const RunOptions& options);

struct EigenvalueCommand {
  std::string model;
  std::vector<std::string> settings;
  int modes = 0;             // 0: as the model says
  bool damped = false;       // of the damped system, else undamped
  bool equilibrium = false;  // at the static equilibrium, else at the initial state
  bool ignoreLoads = false;
  std::string json;  // file; empty: none
  std::string commandLine;
};
int eigenvalues(const EigenvalueCommand& command);

struct VerifyOptions {
  std::vector<std::string> cases;
  int threads = 1;
  std::string linearSolver;
  bool allowWaiting = false;
  Verbosity verbosity = Verbosity::normal;
};
int verifyModels(const VerifyOptions& options);

int describe(const std::string& topic, const std::string& exampleFolder);

struct GenerateCommand {
  std::string kind, nodes = "RotVecLG", file;  // empty: standard output
  long long bodies = 0;
};
int generate(const GenerateCommand& command);

struct BenchOptions {
  std::vector<std::string> models;  // files, or kind:bodies
  std::vector<std::string> settings;
  std::vector<int> threads{1};
  int repeat = 5;
  long long steps = 0;  // 0: as the model says, generated ones by their size
  std::string json;     // file; empty: none
  std::string commandLine;
};
int bench(const BenchOptions& options);
// Two files of bench(): failed if a phase became slower by more than the threshold (a ratio),
// beyond the spread of both.
int compareBenchmarks(const std::string& before, const std::string& after, Real threshold);

// Changes settings, each given as "path=value".
void setSettings(SimulationSettings& settings, const std::vector<std::string>& assignments);

// The text of a model file. Throws ModelError.
std::string readModelText(const std::string& path);

// Writes one line "catena: error: ..." to standard error.
void printError(const std::string& message);

}  // namespace catena
