// For every item the smallest model that uses it and carries checked results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "items/registry.h"

namespace catena {

struct Example {
  std::string name;          // of the file, without folder and extension
  int items = 0;             // in the model
  std::string sensor;        // the first one with results
  Real time = 0;             // of the last result
  std::vector<Real> values;  // then
};

// From the models of a folder with results of a dynamic run. Models with unknown items are left
// out.
std::map<const ItemType*, Example> smallestExamples(const std::string& folder);

}  // namespace catena
