#include "model/examples.h"

#include <algorithm>
#include <filesystem>

#include "model/json_reader.h"

namespace catena {
namespace {

int countItems(const ItemStore& items) {
  int all = 0;
  for (int c = 0; c < categoryCount; ++c) all += items.count(static_cast<Category>(c));
  return all;
}

Example exampleOf(const std::string& path, const SimulationJob& job) {
  const ReferenceResults::Sensor& sensor = job.results->sensors.front();
  return {std::filesystem::path(path).stem().string(),
          countItems(job.system->items()),
          sensor.name,
          job.results->times.back(),
          {sensor.values.end() - sensor.components, sensor.values.end()}};
}

}  // namespace

std::map<const ItemType*, Example> smallestExamples(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());  // of models with equally many items the first one
  std::map<const ItemType*, Example> smallest;
  for (const std::string& path : paths) {
    SimulationJob job;
    try {
      job = readJsonFile(path);
    } catch (const ModelError&) {
      continue;
    }
    if (job.solve != "dynamic" || !job.results || job.results->sensors.empty()) continue;
    const Example example = exampleOf(path, job);
    for (const ItemType* type : Registry::instance().types()) {
      const ItemPool* pool = job.system->items().pool(*type);
      if (!pool || pool->size() == 0) continue;
      Example& best = smallest[type];
      if (best.items == 0 || example.items < best.items) best = example;
    }
  }
  return smallest;
}

}  // namespace catena
