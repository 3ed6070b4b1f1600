// The files of a run: sensors as CSV, the solution as HDF5, a summary as JSON, written while the
// run goes on.
//
//   ResultWriter results(directory, mbs, settings, provenance);   // throws ModelError if that
//   cannot be written auto report = mbs.SolveDynamic(settings, [&](const StepInfo& info) { return
//   results.step(info); }); results.finish(report, "finished"); if (!results.failure().empty()) ...
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/main_system.h"
#include "model/provenance.h"
#include "model/solution_file.h"
#include "model/text_file.h"

namespace catena {

class ResultWriter {
 public:
  // The system is assembled. Files of an earlier run with the same names are replaced.
  ResultWriter(std::string directory, const MainSystem& system, const SimulationSettings& settings,
               Provenance provenance);
  ~ResultWriter();

  // To be called after every step. False: a file could not be written, the run should stop.
  bool step(const StepInfo& info);
  // Adds the last state if it is not there yet, closes the files, writes the summary. outcome: one
  // word or two.
  void finish(const SolveReport& report, std::string_view outcome);
  // Closes the files and writes the summary after an exception, without looking at the state.
  void abandon(const SolveReport& report);

  // What could not be written, empty if nothing. The other files are complete all the same.
  const std::string& failure() const { return failure_; }
  const std::string& directory() const { return directory_; }

 private:
  struct SensorFile {
    int sensor;
    TextFile file;
  };

  void openSensorFiles();
  std::string sensorFileName(int sensor) const;
  void writeSensorRows();
  void writeLastState();
  void close(const SolveReport& report, std::string_view outcome);
  void writeRow(SensorFile& file, Real time, const Real* values, int components);
  void writeSummary(const SolveReport& report, std::string_view outcome);
  bool solutionDue(const StepInfo& info);
  void flush();
  template <class F>
  void guarded(const F& action);

  std::string directory_;
  const MainSystem& system_;
  SimulationSettings settings_;
  Provenance provenance_;
  std::vector<SensorFile> sensorFiles_;
  std::optional<SolutionFile> solution_;
  std::size_t rowsWritten_ = 0;  // of the sensors
  std::optional<Real> lastSensorTime_, lastSolutionTime_;
  Real nextSolutionTime_ = 0;
  std::string row_, failure_;
  std::chrono::steady_clock::time_point lastFlush_ = std::chrono::steady_clock::now();
};

// Name of a sensor: its own or "sensor<number>".
std::string sensorLabel(const ItemStore& items, int sensor);
// Names of the components of a measured quantity, e.g. x y z; one empty text for a scalar.
std::vector<std::string> componentNames(OutputVariable variable, int components);
// Unit of a measured quantity; empty where it depends on what is measured.
std::string outputUnit(OutputVariable variable, int components);
// Largest resident memory of this process so far, in bytes.
long long peakMemory();

}  // namespace catena
