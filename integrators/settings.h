// Simulation settings, with the names and defaults of the modelling language.
#pragma once

#include <map>
#include <span>
#include <string>

#include "items/field.h"

namespace catena {

struct NewtonSettings {
  Real relativeTolerance = 1e-8;
  Real absoluteTolerance = 1e-10;
  bool useNewtonSolver = true;
  bool weightTolerancePerCoordinate = false;
  int newtonResidualMode = 0;
  bool adaptInitialResidual = true;
  bool useModifiedNewton = false;
  bool reuseFactors = true;
  Real modifiedNewtonContractivity = 0.5;
  bool modifiedNewtonJacUpdatePerStep = false;
  int maxIterations = 25;
  int maxModifiedNewtonIterations = 8;
  int maxModifiedNewtonRestartIterations = 7;
  Real maximumSolutionNorm = 1e38;
};

struct DiscontinuousSettings {
  int maxIterations = 5;
  Real iterationTolerance = 1;
  bool ignoreMaxIterations = true;
  bool useRecommendedStepSize = true;
};

// What static and dynamic solvers have in common.
struct SolverSettings {
  bool adaptiveStep = true;
  int adaptiveStepRecoverySteps = 10;
  int adaptiveStepRecoveryIterations = 7;
  Real adaptiveStepIncrease = 2;
  Real adaptiveStepDecrease = 0.5;
  Real minimumStepSize = 1e-8;
  int verboseMode = 0;
  NewtonSettings newton;
  DiscontinuousSettings discontinuous;
};

struct GeneralizedAlphaSettings {
  Real newmarkBeta = 0.25;
  Real newmarkGamma = 0.5;
  bool useIndex2Constraints = false;
  bool useNewmark = false;
  Real spectralRadius = 0.9;
  bool computeInitialAccelerations = true;
  bool computeInitialFirstOrderRates = false;
  bool storeInitialAlgebraicCoordinates = true;
  bool resetAccelerations = false;
  bool errorControl = false;
  bool extrapolation = false;
};

struct ExplicitIntegrationSettings {
  std::string dynamicSolverType = "DOPRI5";
  bool computeEndOfStepAccelerations = true;
  bool projectConstraints = true;
  bool signedErrorScale = false;
};

struct TimeIntegrationSettings : SolverSettings {
  Real startTime = 0;
  Real endTime = 1;
  Real numberOfSteps = 100;
  bool projectInitialState = false;
  bool automaticStepSize = true;
  Real initialStepSize = 0;
  Real absoluteTolerance = 1e-8;
  Real relativeTolerance = 1e-8;
  Real stepSizeSafety = 0.9;
  Real stepSizeMaxIncrease = 2;
  GeneralizedAlphaSettings generalizedAlpha;
  ExplicitIntegrationSettings explicitIntegration;
};

struct StaticSolverSettings : SolverSettings {
  int numberOfLoadSteps = 1;
  Real loadStepDuration = 1;
  Real loadStepStart = 0;
  bool loadStepGeometric = false;
  Real loadStepGeometricRange = 1000;
  bool useLoadFactor = true;
  Real stabilizerODE2term = 0;
  bool constrainODE1coordinates = false;

  StaticSolverSettings() {
    adaptiveStepRecoverySteps = 4;
    adaptiveStepDecrease = 0.25;
    verboseMode = 1;
  }
};

struct SolutionSettings {
  bool writeSolutionToFile = true;
  Real solutionWritePeriod = 0.01;
  bool writeInitialValues = true;
  bool exportVelocities = true;
  bool exportAccelerations = true;
  bool exportAlgebraicCoordinates = true;
  bool exportDataCoordinates = true;
  Real sensorsWritePeriod = 0.01;
  bool sensorsStoreAndWriteFiles = true;
  int outputPrecision = 10;
  std::string solutionInformation;
};

struct ParallelSettings {
  int numberOfThreads = 1;
  int parts = 1;
};

struct SimulationSettings {
  TimeIntegrationSettings timeIntegration;
  StaticSolverSettings staticSolver;
  SolutionSettings solutionSettings;
  ParallelSettings parallel;
  std::string linearSolverType = "auto";
  bool displayStatistics = false;
  bool displayComputationTime = false;

  // The settings that have an effect; names are dotted paths like
  // "timeIntegration.newton.relativeTolerance".
  static std::span<const Field> fields();
  // The other settings of the modelling language. Their values are checked and kept, and change
  // nothing; the description says why. These fields have no get and set of their own.
  static std::span<const Field> fieldsWithoutEffect();
  // Sets one value by its dotted path. Throws ModelError (unknown name with the nearest known one,
  // wrong type, range).
  void set(std::string_view path, const Value& value);
  Value get(std::string_view path) const;

 private:
  std::map<std::string, Value, std::less<>> others_;  // without effect, where they were set
};

}  // namespace catena
