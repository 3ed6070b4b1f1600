// The solution as an HDF5 file that grows while the run goes on.
//
//   /time            [s]
//   /q /v /a         coordinates, rates, second rates: one row per time, attributes "names" and
//   "units" /y               coordinates of first order /multipliers     constraint forces and
//   torques /data            history variables
//
// Attributes of the file: provenance and "settings". Sets without entries or switched off are left
// out.
#pragma once

#include <memory>
#include <string>

#include "assembly/system.h"
#include "integrators/settings.h"
#include "model/provenance.h"

namespace catena {

class SolutionFile {
 public:
  // Throws ModelError if the file cannot be created.
  SolutionFile(const std::string& path, const System& system, const SimulationSettings& settings,
               const Provenance& provenance);
  ~SolutionFile();
  SolutionFile(SolutionFile&&) noexcept;

  // Adds a row to every set. Throw WriteError.
  void append(const State& state);
  void flush();
  void close();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace catena
