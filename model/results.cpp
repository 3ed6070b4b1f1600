#include "model/results.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "items/behaviour.h"

namespace catena {
namespace {

namespace fs = std::filesystem;

// A sensor may have any name, a file may not.
std::string asFileName(std::string name) {
  for (char& c : name)
    if (c == '/' || static_cast<unsigned char>(c) < 0x20) c = '_';
  if (name == "." || name == "..") name = "_";
  return name;
}

std::string csvText(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void makeDirectory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw ModelError(directory.string() + ": cannot be made: " + error.message());
}

}  // namespace

std::string sensorLabel(const ItemStore& items, int sensor) {
  const std::string_view name = items.name(Category::sensor, sensor);
  return name.empty() ? "sensor" + std::to_string(sensor) : std::string(name);
}

std::vector<std::string> componentNames(OutputVariable variable, int components) {
  using enum OutputVariable;
  if (components == 1) return {""};
  const bool coordinates = variable == Coordinates || variable == CoordinatesTotal ||
                           variable == Coordinates_t || variable == Coordinates_tt ||
                           variable == ConstraintEquation;
  if (components <= 3 && !coordinates) {
    std::vector<std::string> names{"x", "y", "z"};
    names.resize(components);
    return names;
  }
  if (variable == RotationMatrix && components == 9)
    return {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
  if ((variable == StrainLocal || variable == StressLocal) && components == 6)
    return {"xx", "yy", "zz", "yz", "xz", "xy"};
  std::vector<std::string> names;
  for (int i = 0; i < components; ++i) names.push_back(std::to_string(i));
  return names;
}

std::string outputUnit(OutputVariable variable, int components) {
  using enum OutputVariable;
  // Scalar connectors measure lengths or angles, forces or torques.
  const bool known = components > 1;
  switch (variable) {
    case Distance:
    case Position:
      return "m";
    case Displacement:
    case DisplacementLocal:
      return known ? "m" : "";
    case Velocity:
    case VelocityLocal:
      return known ? "m/s" : "";
    case Acceleration:
    case AccelerationLocal:
      return known ? "m/s^2" : "";
    case Rotation:
      return "rad";
    case AngularVelocity:
    case AngularVelocityLocal:
      return "rad/s";
    case AngularAcceleration:
    case AngularAccelerationLocal:
      return "rad/s^2";
    case Force:
    case ForceLocal:
      return known ? "N" : "";
    case NormalForce:
    case FrictionForce:
      return "N";
    case Torque:
    case TorqueLocal:
    case DrillingMoment:
    case RollingMoment:
      return "N m";
    case Gap:
    case PenetrationDepth:
    case ContactPoint:
    case PatchRadius:
      return "m";
    case GapRate:
    case SlipVelocity:
      return "m/s";
    case Spin:
      return "rad/s";
    case DissipatedPower:
      return "W";
    case PotentialEnergy:
    case KineticEnergy:
      return "J";
    default:
      return "";
  }
}

long long peakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024LL * usage.ru_maxrss;
}

ResultWriter::ResultWriter(std::string directory, const MainSystem& system,
                           const SimulationSettings& settings, Provenance provenance)
    : directory_(std::move(directory)),
      system_(system),
      settings_(settings),
      provenance_(std::move(provenance)) {
  makeDirectory(directory_);
  // Whoever looks while the run goes on must not find the summary of an earlier one.
  writeSummary({}, "running");
  if (settings_.solutionSettings.sensorsStoreAndWriteFiles) openSensorFiles();
  if (settings_.solutionSettings.writeSolutionToFile)
    solution_.emplace((fs::path(directory_) / "solution.h5").string(), system_.system(), settings_,
                      provenance_);
}

ResultWriter::~ResultWriter() = default;

std::string ResultWriter::sensorFileName(int sensor) const {
  const ItemStore& items = system_.items();
  std::string name = std::get<std::string>(items.parameter(Category::sensor, sensor, "fileName"));
  if (name.empty()) return asFileName(sensorLabel(items, sensor)) + ".csv";
  const fs::path path = fs::path(name).lexically_normal();
  if (path.is_absolute() || *path.begin() == ".." || !path.has_filename() || path == ".")
    throw ModelError(items.where(Category::sensor, sensor) + ": fileName = '" + name +
                     "' must name a file in the output directory, e.g. '" +
                     (path.has_filename() ? path.filename().string() : "sensor.csv") + "'");
  return path.string();
}

void ResultWriter::openSensorFiles() {
  const ItemStore& items = system_.items();
  std::set<std::string> taken{"summary.json", "solution.h5"};
  for (int i = 0; i < items.count(Category::sensor); ++i) {
    if (!std::get<bool>(items.parameter(Category::sensor, i, "writeToFile"))) continue;
    const std::string name = sensorFileName(i);
    if (!taken.insert(name).second)
      throw ModelError(items.where(Category::sensor, i) + ": another one is written to '" + name +
                       "' too; give one of them another name or fileName");
    const fs::path path = fs::path(directory_) / name;
    makeDirectory(path.parent_path());
    sensorFiles_.push_back({i, TextFile(path.string())});

    const OutputVariable variable =
        items.type(Category::sensor, i).sensor->target(items.item(Category::sensor, i)).variable;
    const int components = static_cast<int>(system_.GetSensorValues(i).size());
    std::string quantity = sensorLabel(items, i);
    if (variable != OutputVariable::None)
      quantity += "." + std::string(outputVariableName(variable));
    const std::string unit = outputUnit(variable, components);
    std::string header = "time [s]";
    for (const std::string& component : componentNames(variable, components))
      header += "," + csvText(quantity + (component.empty() ? "" : "." + component) +
                              (unit.empty() ? "" : " [" + unit + "]"));
    sensorFiles_.back().file.write(header + "\n");
  }
}

// Runs an action that writes; the first failure is kept and stops the run.
template <class F>
void ResultWriter::guarded(const F& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    if (failure_.empty()) failure_ = error.what();
  }
}

bool ResultWriter::step(const StepInfo& info) {
  guarded([&] {
    writeSensorRows();
    if (solution_ && solutionDue(info)) {
      solution_->append(system_.system().state());
      lastSolutionTime_ = info.time;
    }
    // Often enough to lose little, seldom enough to cost nothing.
    if (std::chrono::steady_clock::now() - lastFlush_ > std::chrono::seconds(1)) flush();
  });
  return failure_.empty();
}

void ResultWriter::flush() {
  for (SensorFile& f : sensorFiles_) f.file.flush();
  if (solution_) solution_->flush();
  lastFlush_ = std::chrono::steady_clock::now();
}

bool ResultWriter::solutionDue(const StepInfo& info) {
  const SolutionSettings& s = settings_.solutionSettings;
  const bool end = std::abs(info.time - info.endTime) <= 1e-10;
  const bool due =
      info.step == 0 ? s.writeInitialValues : end || info.time - nextSolutionTime_ >= -1e-10;
  if (info.step == 0) nextSolutionTime_ = info.time;
  if (due || info.step == 0)
    nextSolutionTime_ = std::max(nextSolutionTime_ + s.solutionWritePeriod, info.time);
  return due;
}

void ResultWriter::writeSensorRows() {
  const Recording& recording = system_.recording();
  for (; rowsWritten_ < recording.times.size(); ++rowsWritten_) {
    lastSensorTime_ = recording.times[rowsWritten_];
    for (SensorFile& f : sensorFiles_) {
      const SensorRecord& r = recording.sensors[f.sensor];
      writeRow(f, *lastSensorTime_, r.values.data() + rowsWritten_ * r.components, r.components);
    }
  }
}

void ResultWriter::writeRow(SensorFile& file, Real time, const Real* values, int components) {
  const int digits = settings_.solutionSettings.outputPrecision;
  row_.clear();
  appendNumber(row_, time, digits);
  for (int i = 0; i < components; ++i) {
    row_ += ',';
    appendNumber(row_, values[i], digits);
  }
  row_ += '\n';
  file.file.write(row_);
}

void ResultWriter::finish(const SolveReport& report, std::string_view outcome) {
  writeLastState();
  close(report, outcome);
}

void ResultWriter::abandon(const SolveReport& report) { close(report, "failed"); }

void ResultWriter::writeLastState() {
  const State& state = system_.system().state();
  guarded([&] {
    if (solution_ && lastSolutionTime_ != state.time) solution_->append(state);
  });
  if (lastSensorTime_ == state.time) return;
  for (SensorFile& f : sensorFiles_) {
    guarded([&] {
      const std::vector<Real> values = system_.GetSensorValues(f.sensor);
      writeRow(f, state.time, values.data(), static_cast<int>(values.size()));
    });
  }
}

void ResultWriter::close(const SolveReport& report, std::string_view outcome) {
  for (SensorFile& f : sensorFiles_) guarded([&] { f.file.close(); });
  guarded([&] {
    if (solution_) solution_->close();
  });
  guarded([&] { writeSummary(report, failure_.empty() ? outcome : "write error"); });
}

namespace {

// The members of a JSON object, one a line.
class ObjectText {
 public:
  explicit ObjectText(std::string indent) : indent_(std::move(indent)) {}
  void add(std::string_view key, std::string_view json) {
    text_ += (text_.empty() ? "{\n" : ",\n") + indent_ + "  " + jsonString(key) + ": ";
    text_ += json;
  }
  void add(std::string_view key, long long x) { add(key, std::to_string(x)); }
  void addNumber(std::string_view key, Real x) {
    std::string text;
    appendNumber(text, x, 10);
    add(key, std::isfinite(x) ? text : "null");
  }
  void addText(std::string_view key, std::string_view text) { add(key, jsonString(text)); }
  std::string text() const { return text_ + "\n" + indent_ + "}"; }

 private:
  std::string indent_, text_;
};

std::string phasesText(const PhaseTimes& p) {
  ObjectText phases("  ");
  phases.addNumber("motions", p.motions);
  phases.addNumber("elements", p.elements);
  phases.addNumber("gather", p.gather);
  phases.addNumber("factorization", p.factorization);
  phases.addNumber("solve", p.solve);
  phases.addNumber("update", p.update);
  phases.addNumber("output", p.output);
  phases.addNumber("total", p.total);
  return phases.text();
}

std::string factorizationsText(const SolveReport& report) {
  const FactorizationCounts& c = report.factorizations;
  ObjectText counts("  ");
  counts.addText("solver", report.linearSolver);
  counts.add("factorizations", c.factorizations);
  counts.add("refactorizations", c.refactorizations);
  counts.add("repivots", c.repivots);
  counts.add("solves", c.solves);
  counts.add("factorNonZeros", c.factorNonZeros);
  return counts.text();
}

std::string sizesText(const MainSystem& system) {
  ObjectText sizes("  ");
  for (int c = 0; c < categoryCount; ++c)
    sizes.add(std::string(categoryName(static_cast<Category>(c))) + "s",
              system.items().count(static_cast<Category>(c)));
  sizes.add("coordinates", system.system().coordinates());
  sizes.add("multipliers", system.system().multipliers());
  sizes.add("unknowns", system.system().unknowns());
  return sizes.text();
}

}  // namespace

void ResultWriter::writeSummary(const SolveReport& report, std::string_view outcome) {
  ObjectText o("");
  o.addText("outcome", outcome);
  o.addText("message", failure_.empty() ? report.message : failure_);
  o.addNumber("time", report.time);
  o.add("steps", report.steps);
  o.add("rejectedSteps", report.rejectedSteps);
  o.add("newtonIterations", report.newtonIterations);
  o.add("jacobians", report.jacobians);
  o.add("discontinuousIterations", report.discontinuousIterations);
  o.addText("constraints", report.constraints);
  o.addText("note", report.note);
  if (report.correction.coordinate >= 0) {
    ObjectText correction("  ");
    correction.addText("coordinate", system_.system().coordinateName(report.correction.coordinate));
    correction.addNumber("largest", report.correction.size);
    correction.addNumber("time", report.correction.time);
    o.add("extrapolation", correction.text());
  }
  o.add("linearSolver", factorizationsText(report));
  o.add("seconds", phasesText(report.phases));
  o.add("peakMemoryBytes", peakMemory());
  o.add("sizes", sizesText(system_));
  ObjectText provenance("  ");
  for (const auto& [name, text] : provenanceEntries(provenance_)) provenance.addText(name, text);
  o.add("provenance", provenance.text());
  ObjectText settings("  ");
  for (const Field& f : SimulationSettings::fields()) {
    const Value value = f.get(&settings_);
    const auto* text = std::get_if<std::string>(&value);
    settings.add(f.name, text ? jsonString(*text) : valueText(value));
  }
  o.add("settings", settings.text());
  TextFile file((fs::path(directory_) / "summary.json").string());
  file.write(o.text() + "\n");
  file.close();
}

}  // namespace catena
