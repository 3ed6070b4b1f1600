#include "model/main_system.h"

#include "integrators/explicit.h"
#include "integrators/generalized_alpha.h"
#include "integrators/static_solver.h"

namespace catena {

int MainSystem::Add(Category category, std::string_view type, const Dictionary& parameters,
                    std::string_view name) {
  system_.reset();
  return items_.add(category, type, parameters, name);
}
int MainSystem::AddNode(std::string_view type, const Dictionary& parameters,
                        std::string_view name) {
  return Add(Category::node, type, parameters, name);
}
int MainSystem::AddObject(std::string_view type, const Dictionary& parameters,
                          std::string_view name) {
  return Add(Category::object, type, parameters, name);
}
int MainSystem::AddMarker(std::string_view type, const Dictionary& parameters,
                          std::string_view name) {
  return Add(Category::marker, type, parameters, name);
}
int MainSystem::AddLoad(std::string_view type, const Dictionary& parameters,
                        std::string_view name) {
  return Add(Category::load, type, parameters, name);
}
int MainSystem::AddSensor(std::string_view type, const Dictionary& parameters,
                          std::string_view name) {
  return Add(Category::sensor, type, parameters, name);
}

void MainSystem::Assemble() {
  system_.reset();
  system_ = std::make_unique<System>(items_);
  for (int i = 0; i < items_.count(Category::sensor); ++i)
    system_->sensorOutput(i);  // refuses unknown outputs early
}

System& MainSystem::system() {
  if (!system_)
    throw ModelError("the system is not assembled; call Assemble() after the last item was added");
  return *system_;
}
const System& MainSystem::system() const { return const_cast<MainSystem*>(this)->system(); }

SolveReport MainSystem::SolveDynamic(const SimulationSettings& settings,
                                     const StepObserver& observer, const StepFunctions& functions) {
  return recorded(settings.timeIntegration.startTime, settings, observer,
                  [&](const StepObserver& record) {
                    return solveGeneralizedAlpha(system(), settings, record, functions);
                  });
}

SolveReport MainSystem::SolveExplicit(const SimulationSettings& settings,
                                      const StepObserver& observer,
                                      const StepFunctions& functions) {
  return recorded(settings.timeIntegration.startTime, settings, observer,
                  [&](const StepObserver& record) {
                    return solveExplicit(system(), settings, record, functions);
                  });
}

SolveReport MainSystem::SolveStatic(const SimulationSettings& settings,
                                    const StepObserver& observer, const StepFunctions& functions) {
  return recorded(settings.staticSolver.loadStepStart, settings, observer,
                  [&](const StepObserver& record) {
                    return solveStatic(system(), settings, record, functions);
                  });
}

namespace {
constexpr std::string_view explicitPrefix = "explicit:";
}

bool MainSystem::isSolver(std::string_view name) {
  return name == "dynamic" || name == "static" || name == "explicit" ||
         name.starts_with(explicitPrefix);
}

SolveReport MainSystem::Solve(std::string_view solver, const SimulationSettings& settings,
                              const StepObserver& observer, const StepFunctions& functions) {
  if (solver == "dynamic") return SolveDynamic(settings, observer, functions);
  if (solver == "static") return SolveStatic(settings, observer, functions);
  if (solver == "explicit") return SolveExplicit(settings, observer, functions);
  if (!isSolver(solver))
    throw ModelError("solve = '" + std::string(solver) +
                     "' is not known; use dynamic, static, explicit or explicit:<method>, e.g. "
                     "explicit:RK44");
  SimulationSettings copy = settings;
  copy.set("timeIntegration.explicitIntegration.dynamicSolverType",
           std::string(solver.substr(explicitPrefix.size())));
  return SolveExplicit(copy, observer, functions);
}

// Runs a solver that starts at this time, with the sensors recorded in their period.
SolveReport MainSystem::recorded(Real start, const SimulationSettings& settings,
                                 const StepObserver& observer, const Solver& solve) {
  recording_ = {};
  for (int i = 0; i < items_.count(Category::sensor); ++i) {
    const std::string_view name = items_.name(Category::sensor, i);
    const SensorTarget t =
        items_.type(Category::sensor, i).sensor->target(items_.item(Category::sensor, i));
    recording_.sensors.push_back(
        {name.empty() ? "sensor" + std::to_string(i) : std::string(name), t.variable, 0, {}});
  }
  Real next = start;
  return solve([&](const StepInfo& info) {
    if (info.step > 0 && std::abs(info.time - info.endTime) <= 1e-10)
      next = std::min(next, info.time);
    const bool due =
        info.step == 0 ? settings.solutionSettings.writeInitialValues : info.time - next >= -1e-10;
    if (due && settings.solutionSettings.sensorsStoreAndWriteFiles) record(info.time);
    if (due || info.step == 0)
      next = std::max(next + settings.solutionSettings.sensorsWritePeriod, info.time);
    return !observer || observer(info);
  });
}

void MainSystem::record(Real time) {
  if (recording_.sensors.empty()) return;
  recording_.times.push_back(time);
  for (std::size_t i = 0; i < recording_.sensors.size(); ++i) {
    const std::vector<Real> values = system_->sensorOutput(static_cast<int>(i));
    SensorRecord& r = recording_.sensors[i];
    r.components = static_cast<int>(values.size());
    r.values.insert(r.values.end(), values.begin(), values.end());
  }
}

std::vector<Real> MainSystem::GetSensorValues(int sensor) const {
  return system().sensorOutput(sensor);
}
std::vector<Real> MainSystem::GetNodeOutput(int node, OutputVariable variable) const {
  return system().nodeOutput(node, variable);
}
std::vector<Real> MainSystem::GetObjectOutput(int object, OutputVariable variable) const {
  return system().objectOutput(object, variable);
}
std::vector<Real> MainSystem::GetObjectOutputBody(int object, OutputVariable variable,
                                                  const Vector3& local) const {
  return system().bodyOutput(object, variable, local);
}
std::vector<Real> MainSystem::GetMarkerOutput(int marker, OutputVariable variable) const {
  return system().markerOutput(marker, variable);
}

}  // namespace catena
