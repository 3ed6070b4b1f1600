#include "apps/benchmark.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "items/field.h"
#include "model/text_file.h"

namespace catena {

Real Sample::median() const {
  std::vector<Real> s = seconds;
  std::sort(s.begin(), s.end());
  const std::size_t n = s.size();
  return n == 0 ? 0 : (s[(n - 1) / 2] + s[n / 2]) / 2;
}
Real Sample::least() const {
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}
Real Sample::largest() const {
  return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end());
}
Real Sample::spread() const { return median() > 0 ? (largest() - least()) / median() : 0; }

void writeBenchmark(const Benchmark& benchmark, const std::string& path) {
  using Json = nlohmann::ordered_json;
  Json file;
  for (const auto& [name, value] : benchmark.provenance) file["provenance"][name] = value;
  file["runs"] = Json::array();
  for (const BenchmarkRun& run : benchmark.runs) {
    Json j = {{"model", run.model},        {"bodies", run.bodies},
              {"unknowns", run.unknowns},  {"threads", run.threads},
              {"steps", run.steps},        {"linearSolver", run.linearSolver},
              {"buildSeconds", run.build}, {"assembleSeconds", run.assemble}};
    for (const auto& [name, count] : run.counts) j["counts"][name] = count;
    for (std::size_t p = 0; p < benchmarkPhases.size(); ++p)
      j["seconds"][benchmarkPhases[p].name] = run.phases[p].seconds;
    file["runs"].push_back(std::move(j));
  }
  TextFile out(path);
  out.write(file.dump(1) + "\n");
  out.close();
}

Benchmark readBenchmark(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw ModelError(path + ": cannot be read");
  Benchmark benchmark;
  try {
    const auto file = nlohmann::ordered_json::parse(in);
    for (const auto& [name, value] : file.at("provenance").items())
      benchmark.provenance.emplace_back(name, value);
    for (const auto& j : file.at("runs")) {
      BenchmarkRun run;
      j.at("model").get_to(run.model);
      j.at("bodies").get_to(run.bodies);
      j.at("unknowns").get_to(run.unknowns);
      j.at("threads").get_to(run.threads);
      j.at("steps").get_to(run.steps);
      j.at("linearSolver").get_to(run.linearSolver);
      j.at("buildSeconds").get_to(run.build);
      j.at("assembleSeconds").get_to(run.assemble);
      for (const auto& [name, count] : j.at("counts").items()) run.counts.emplace_back(name, count);
      for (std::size_t p = 0; p < benchmarkPhases.size(); ++p)
        j.at("seconds").at(benchmarkPhases[p].name).get_to(run.phases[p].seconds);
      benchmark.runs.push_back(std::move(run));
    }
  } catch (const nlohmann::json::exception& error) {
    throw ModelError(path + ": not written by catena bench --json: " + error.what());
  }
  return benchmark;
}

}  // namespace catena
