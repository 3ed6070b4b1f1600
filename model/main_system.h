// A model: items, assembled system, solution. The C++ front end; JSON and Python use the same
// class.
//
//   MainSystem mbs;
//   const int node = mbs.AddNode("Point", {{"referenceCoordinates", vector({2, 0, 0})}});
//   const int mass = mbs.AddObject("MassPoint", {{"mass", 5.0}, {"nodeNumber", node}});
//   ...
//   mbs.Assemble();
//   mbs.SolveDynamic(settings);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assembly/system.h"
#include "integrators/linearization.h"
#include "integrators/report.h"
#include "integrators/settings.h"
#include "items/item_store.h"

namespace catena {

// Parameter value from numbers.
inline Value vector(std::initializer_list<Real> numbers) {
  VectorX v(static_cast<int>(numbers.size()));
  int i = 0;
  for (const Real x : numbers) v[i++] = x;
  return v;
}

// Times and values of one sensor.
struct SensorRecord {
  std::string name;  // the sensor's name or "sensor<number>"
  OutputVariable variable{};
  int components = 0;
  std::vector<Real> values;  // row by row, one row per time
};

struct Recording {
  std::vector<Real> times;
  std::vector<SensorRecord> sensors;
};

class MainSystem {
 public:
  int AddNode(std::string_view type, const Dictionary& parameters = {}, std::string_view name = {});
  int AddObject(std::string_view type, const Dictionary& parameters = {},
                std::string_view name = {});
  int AddMarker(std::string_view type, const Dictionary& parameters = {},
                std::string_view name = {});
  int AddLoad(std::string_view type, const Dictionary& parameters = {}, std::string_view name = {});
  int AddSensor(std::string_view type, const Dictionary& parameters = {},
                std::string_view name = {});
  int Add(Category category, std::string_view type, const Dictionary& parameters,
          std::string_view name);

  // Checks the model and makes it ready to solve, at its initial state. Throws ModelError.
  void Assemble();
  // Solvers start from the current state and record the sensors into recording(); observer may be
  // empty. SolveDynamic: implicit, generalized-alpha or Newmark. SolveExplicit: the method of
  // timeIntegration.explicitIntegration. SolveStatic: equilibrium by load steps.
  SolveReport SolveDynamic(const SimulationSettings& settings, const StepObserver& observer = {},
                           const StepFunctions& functions = {});
  SolveReport SolveExplicit(const SimulationSettings& settings, const StepObserver& observer = {},
                            const StepFunctions& functions = {});
  SolveReport SolveStatic(const SimulationSettings& settings, const StepObserver& observer = {},
                          const StepFunctions& functions = {});
  // By the name that model files use: dynamic, static, explicit, explicit:<method>. Throws
  // ModelError for others.
  static bool isSolver(std::string_view name);
  SolveReport Solve(std::string_view solver, const SimulationSettings& settings,
                    const StepObserver& observer = {}, const StepFunctions& functions = {});

  // Of the linearised equations at the current state, see integrators/linearization.h.
  LinearizedSystem ComputeLinearizedSystem(Real tolerance = rankTolerance,
                                           bool ignoreLoads = false) {
    return linearize(system(), tolerance, ignoreLoads);
  }
  Eigenvalues ComputeODE2Eigenvalues(const EigenvalueOptions& options = {}) {
    return computeEigenvalues(system(), options);
  }
  DegreesOfFreedom ComputeSystemDegreeOfFreedom() { return computeDegreesOfFreedom(system()); }

  ItemStore& items() { return items_; }
  const ItemStore& items() const { return items_; }
  System& system();  // throws ModelError unless assembled
  const System& system() const;
  const Recording& recording() const { return recording_; }

  // Values of a sensor in the current state.
  std::vector<Real> GetSensorValues(int sensor) const;
  std::vector<Real> GetNodeOutput(int node, OutputVariable variable) const;
  std::vector<Real> GetObjectOutput(int object, OutputVariable variable) const;
  std::vector<Real> GetObjectOutputBody(int object, OutputVariable variable,
                                        const Vector3& localPosition) const;
  std::vector<Real> GetMarkerOutput(int marker, OutputVariable variable) const;

 private:
  using Solver = std::function<SolveReport(const StepObserver&)>;
  SolveReport recorded(Real start, const SimulationSettings& settings, const StepObserver& observer,
                       const Solver& solve);
  void record(Real time);

  ItemStore items_;
  std::unique_ptr<System> system_;
  Recording recording_;
};

}  // namespace catena
