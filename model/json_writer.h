// Models to JSON files, such that reading them gives the same model, bit for bit.
#pragma once

#include <string>

#include "integrators/settings.h"
#include "items/item_store.h"
#include "model/text_file.h"

namespace catena {

struct JsonHeader {
  std::string name, description;
};

// Writes the items and settings, without those parameters that have their default. Throws
// ModelError for an item with a callable, which has no text.
void writeJson(TextFile& out, const ItemStore& items, const SimulationSettings& settings,
               const JsonHeader& header = {});
void writeJsonFile(const std::string& path, const ItemStore& items,
                   const SimulationSettings& settings, const JsonHeader& header = {});

}  // namespace catena
