// The subcommands of catena. Each returns its exit code; mistakes of the user throw ModelError.
#pragma once

#include <string>
#include <vector>

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

// Writes one line "catena: error: ..." to standard error.
void printError(const std::string& message);

}  // namespace catena
