// Where results come from: what is kept with every result so that it can be reproduced.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integrators/settings.h"

namespace catena {

struct Provenance {
  std::string modelName;
  std::string modelFile;  // as given
  std::string modelHash;  // hashText() of the text of the file
  std::string command;    // command line
};

// FNV-1a, 64 bits, as 16 hexadecimal digits.
std::string hashText(std::string_view text);
// All settings, one "path = value" a line.
std::string settingsText(const SimulationSettings& settings);
// Version, commit, compiler, command, model and its hash: names and values for files.
std::vector<std::pair<std::string, std::string>> provenanceEntries(const Provenance& provenance);
// "catena 0.1.0 (commit, compiler)".
std::string versionText();

}  // namespace catena
