// Comparison of a run with the results that its model file carries.
#pragma once

#include <string>
#include <vector>

#include "model/json_reader.h"

namespace catena {

struct VerifyReport {
  struct Deviation {
    std::string sensor;
    Real largest = 0;    // |x - reference|
    Real tolerance = 0;  // absolute + relative * largest reference magnitude
    bool passed() const { return largest <= tolerance; }
  };
  std::string name;
  bool passed = false;
  std::string waitingFor;  // a solver or item type that is not available
  std::string message;     // why the run failed
  std::vector<Deviation> deviations;
  SolveReport solve;
};

// Runs the model of a file and compares every sensor at every time. Throws ModelError if the file
// cannot be read or carries no results; a model that needs something unknown is reported as
// waiting.
VerifyReport verifyCase(const std::string& path, int threads = 1,
                        const std::string& linearSolver = "");

}  // namespace catena
