#include "model/provenance.h"

#include <cstdint>
#include <cstdio>

#include "kernels/build_info.h"

namespace catena {

std::string hashText(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string settingsText(const SimulationSettings& settings) {
  std::string text;
  for (const Field& f : SimulationSettings::fields())
    text += std::string(f.name) + " = " + valueText(f.get(&settings)) + "\n";
  return text;
}

std::vector<std::pair<std::string, std::string>> provenanceEntries(const Provenance& provenance) {
  return {{"program", "catena"},
          {"version", buildInfo::version},
          {"commit", buildInfo::commit},
          {"compiler", buildInfo::compiler},
          {"buildType", buildInfo::buildType},
          {"command", provenance.command},
          {"model", provenance.modelName},
          {"modelFile", provenance.modelFile},
          {"modelHash", "fnv1a64:" + provenance.modelHash}};
}

std::string versionText() {
  return std::string("catena ") + buildInfo::version + " (" + buildInfo::commit + ", " +
         buildInfo::compiler + ", " + buildInfo::buildType + ")";
}

}  // namespace catena
