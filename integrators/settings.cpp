#include "integrators/settings.h"

#include <charconv>
#include <memory>
#include <vector>

namespace catena {
namespace {

constexpr std::string_view linearSolvers[] = {"auto",     "KLU",        "multifrontal",
                                              "dense",    "SparseLU",   "EigenSparse",
                                              "EXUdense", "EigenDense", "EigenSparseSymmetric"};

constexpr Field enumeration(Field f, std::span<const std::string_view> choices) {
  f.kind = FieldKind::enumeration;
  f.choices = choices;
  return f;
}

using S = SimulationSettings;
using T = TimeIntegrationSettings;
using N = NewtonSettings;
using D = DiscontinuousSettings;
using G = GeneralizedAlphaSettings;
using O = SolutionSettings;
constexpr auto time = &S::timeIntegration;
constexpr auto newton = &T::newton;
constexpr auto disc = &T::discontinuous;
constexpr auto alpha = &T::generalizedAlpha;
constexpr auto solution = &S::solutionSettings;

constexpr Field table[] = {
    enumeration(field<&S::linearSolverType>(
                    "linearSolverType", "", "",
                    "auto: dense for small systems, else sparse. KLU, tree (no loops), dense, "
                    "SparseLU (slow, for "
                    "comparison); EXUdense and EigenDense mean dense, EigenSparse and "
                    "EigenSparseSymmetric mean auto"),
                linearSolvers),
    field<&S::displayStatistics>("displayStatistics", "", "", "print iteration counts at the end"),
    field<&S::displayComputationTime>("displayComputationTime", "", "",
                                      "print times by phase at the end"),
    field<&S::parallel, &ParallelSettings::numberOfThreads>(
        "parallel.numberOfThreads", "", "", "threads; results do not depend on it", {1, 4096}),
    field<time, &T::startTime>("timeIntegration.startTime", "", "s", "start of the run"),
    field<time, &T::endTime>("timeIntegration.endTime", "", "s", "end of the run"),
    field<time, &T::numberOfSteps>(
        "timeIntegration.numberOfSteps", "", "",
        "number of steps; the largest step is (endTime - startTime) / numberOfSteps", {1}),
    field<time, &T::adaptiveStep>("timeIntegration.adaptiveStep", "", "",
                                  "repeat failed steps with a smaller step"),
    field<time, &T::adaptiveStepRecoverySteps>("timeIntegration.adaptiveStepRecoverySteps", "", "",
                                               "accepted steps before the step size grows again",
                                               nonNegative),
    field<time, &T::adaptiveStepRecoveryIterations>(
        "timeIntegration.adaptiveStepRecoveryIterations", "", "",
        "most Newton iterations and rounds for the step to grow", nonNegative),
    field<time, &T::adaptiveStepIncrease>("timeIntegration.adaptiveStepIncrease", "", "",
                                          "growth factor", {1, 1e9, true}),
    field<time, &T::adaptiveStepDecrease>("timeIntegration.adaptiveStepDecrease", "", "",
                                          "reduction factor after a failed step", {0, 0.999, true}),
    field<time, &T::minimumStepSize>("timeIntegration.minimumStepSize", "", "s",
                                     "smallest step size", positive),
    field<time, &T::verboseMode>("timeIntegration.verboseMode", "", "",
                                 "0 silent, 1 progress, 2 every step", nonNegative),
    field<time, newton, &N::relativeTolerance>(
        "timeIntegration.newton.relativeTolerance", "", "",
        "residual norm relative to that of the predicted state", nonNegative),
    field<time, newton, &N::absoluteTolerance>("timeIntegration.newton.absoluteTolerance", "", "",
                                               "residual norm that is always small enough",
                                               nonNegative),
    field<time, newton, &N::useNewtonSolver>("timeIntegration.newton.useNewtonSolver", "", "",
                                             "false: one iteration per step"),
    field<time, newton, &N::weightTolerancePerCoordinate>(
        "timeIntegration.newton.weightTolerancePerCoordinate", "", "",
        "divide norms by the root of the number of unknowns"),
    field<time, newton, &N::newtonResidualMode>("timeIntegration.newton.newtonResidualMode", "", "",
                                                "0: residual norm, 1: norm of the increments",
                                                {0, 1}),
    field<time, newton, &N::adaptInitialResidual>(
        "timeIntegration.newton.adaptInitialResidual", "", "",
        "take the residual of the first iteration as reference if larger"),
    field<time, newton, &N::useModifiedNewton>(
        "timeIntegration.newton.useModifiedNewton", "", "",
        "keep the factorized Jacobian while the iteration contracts"),
    field<time, newton, &N::reuseFactors>(
        "timeIntegration.newton.reuseFactors", "", "",
        "keep factors over iterations and steps while that is cheaper, and start from the "
        "increments of the last steps; false: full Newton (useModifiedNewton goes first)"),
    field<time, newton, &N::modifiedNewtonContractivity>(
        "timeIntegration.newton.modifiedNewtonContractivity", "", "",
        "largest contraction without a new Jacobian", positive),
    field<time, newton, &N::modifiedNewtonJacUpdatePerStep>(
        "timeIntegration.newton.modifiedNewtonJacUpdatePerStep", "", "",
        "new Jacobian at every step"),
    field<time, newton, &N::maxIterations>("timeIntegration.newton.maxIterations", "", "",
                                           "most iterations per step", {1}),
    field<time, newton, &N::maxModifiedNewtonIterations>(
        "timeIntegration.newton.maxModifiedNewtonIterations", "", "",
        "iterations before every iteration gets a new Jacobian", nonNegative),
    field<time, newton, &N::maxModifiedNewtonRestartIterations>(
        "timeIntegration.newton.maxModifiedNewtonRestartIterations", "", "",
        "further iterations before full Newton", nonNegative),
    field<time, newton, &N::maximumSolutionNorm>(
        "timeIntegration.newton.maximumSolutionNorm", "", "",
        "squared norm of coordinates that counts as divergence", positive),
    field<time, disc, &D::maxIterations>(
        "timeIntegration.discontinuous.maxIterations", "", "",
        "most rounds of Newton and update of the data variables per step", nonNegative),
    field<time, disc, &D::iterationTolerance>(
        "timeIntegration.discontinuous.iterationTolerance", "", "N",
        "error of the data variables that is small enough", nonNegative),
    field<time, disc, &D::ignoreMaxIterations>("timeIntegration.discontinuous.ignoreMaxIterations",
                                               "", "", "go on when the rounds did not settle"),
    field<time, disc, &D::useRecommendedStepSize>(
        "timeIntegration.discontinuous.useRecommendedStepSize", "", "",
        "let contacts ask for smaller steps"),
    field<time, alpha, &G::newmarkBeta>("timeIntegration.generalizedAlpha.newmarkBeta", "", "",
                                        "with useNewmark", {0, 1, true}),
    field<time, alpha, &G::newmarkGamma>("timeIntegration.generalizedAlpha.newmarkGamma", "", "",
                                         "with useNewmark", {0, 1, true}),
    field<time, alpha, &G::useIndex2Constraints>(
        "timeIntegration.generalizedAlpha.useIndex2Constraints", "", "",
        "constraints on velocity level; needs useNewmark"),
    field<time, alpha, &G::useNewmark>("timeIntegration.generalizedAlpha.useNewmark", "", "",
                                       "Newmark's method instead of generalized-alpha"),
    field<time, alpha, &G::spectralRadius>(
        "timeIntegration.generalizedAlpha.spectralRadius", "rho", "",
        "spectral radius at infinite frequency; 1 = no numerical damping", {0, 1}),
    field<time, alpha, &G::computeInitialAccelerations>(
        "timeIntegration.generalizedAlpha.computeInitialAccelerations", "", "",
        "consistent accelerations at the start"),
    field<time, alpha, &G::storeInitialAlgebraicCoordinates>(
        "timeIntegration.generalizedAlpha.storeInitialAlgebraicCoordinates", "", "",
        "keep the multipliers of the initial accelerations for the first output"),
    field<time, alpha, &G::resetAccelerations>(
        "timeIntegration.generalizedAlpha.resetAccelerations", "", "",
        "start from zero accelerations when they are not computed"),
    field<solution, &O::writeSolutionToFile>("solutionSettings.writeSolutionToFile", "", "",
                                             "write solution.h5"),
    field<solution, &O::solutionWritePeriod>("solutionSettings.solutionWritePeriod", "", "s",
                                             "time between rows of the solution file", nonNegative),
    field<solution, &O::writeInitialValues>("solutionSettings.writeInitialValues", "", "",
                                            "write the initial state"),
    field<solution, &O::exportVelocities>("solutionSettings.exportVelocities", "", "",
                                          "write velocities"),
    field<solution, &O::exportAccelerations>("solutionSettings.exportAccelerations", "", "",
                                             "write accelerations"),
    field<solution, &O::exportAlgebraicCoordinates>("solutionSettings.exportAlgebraicCoordinates",
                                                    "", "", "write multipliers"),
    field<solution, &O::exportDataCoordinates>("solutionSettings.exportDataCoordinates", "", "",
                                               "write data variables"),
    field<solution, &O::sensorsWritePeriod>("solutionSettings.sensorsWritePeriod", "", "s",
                                            "time between sensor values", nonNegative),
    field<solution, &O::sensorsStoreAndWriteFiles>("solutionSettings.sensorsStoreAndWriteFiles", "",
                                                   "", "evaluate and write sensors"),
    field<solution, &O::outputPrecision>("solutionSettings.outputPrecision", "", "",
                                         "digits in text files", {1, 17}),
    field<solution, &O::solutionInformation>("solutionSettings.solutionInformation", "", "",
                                             "text kept with the solution"),
};

// Settings of the modelling language that the program reads, checks and keeps without using them,
// so that models written for other programs run as they are. Where another value than the default
// would change results, it is refused.
struct Unused {
  std::string_view name;
  FieldKind kind;
  std::string_view standard;  // default, as text
  std::string_view reason;    // why it has no effect, or what is not available
  bool refused = false;       // values other than the default are errors
};

constexpr auto boolean = FieldKind::boolean;
constexpr auto integer = FieldKind::integer;
constexpr auto real = FieldKind::real;
constexpr auto text = FieldKind::string;

constexpr std::string_view byAnalysis = "all tangents are analytic";
constexpr std::string_view console = "console output is governed by --quiet and --verbose";
constexpr std::string_view explicitOnly = "for explicit integration";
constexpr std::string_view staticOnly = "for the static solver";
constexpr std::string_view ownFiles = "files have their own layout";
constexpr std::string_view pythonFiles = "only for the text files that Python writes";
constexpr std::string_view ownThreads = "work is split automatically";
constexpr std::string_view ownFactors = "patterns and factors are always reused";

constexpr Unused unusedTable[] = {
    {"cleanUpMemory", boolean, "false", "memory is freed anyway"},
    {"displayGlobalTimers", boolean, "true", console},
    {"outputPrecision", integer, "6", ownFiles},
    {"pauseAfterEachStep", boolean, "false", "runs do not wait for keys"},
    {"timeIntegration.automaticStepSize", boolean, "true", explicitOnly},
    {"timeIntegration.initialStepSize", real, "0", explicitOnly},
    {"timeIntegration.absoluteTolerance", real, "1e-8", explicitOnly},
    {"timeIntegration.relativeTolerance", real, "1e-8", explicitOnly},
    {"timeIntegration.stepSizeSafety", real, "0.9", explicitOnly},
    {"timeIntegration.stepSizeMaxIncrease", real, "2", explicitOnly},
    {"timeIntegration.computeLoadsJacobian", integer, "0", byAnalysis},
    {"timeIntegration.reuseConstantMassMatrix", boolean, "true", "mass matrices need no assembly"},
    {"timeIntegration.simulateInRealtime", boolean, "false", "runs go as fast as they can"},
    {"timeIntegration.realtimeFactor", real, "1", "runs go as fast as they can"},
    {"timeIntegration.realtimeWaitMicroseconds", integer, "1000", "runs go as fast as they can"},
    {"timeIntegration.verboseModeFile", integer, "0", console},
    {"timeIntegration.stepInformation", integer, "67", console},
    {"timeIntegration.generalizedAlpha.lieGroupAddTangentOperator", boolean, "true", byAnalysis},
    {"timeIntegration.generalizedAlpha.lieGroupSimplifiedKinematicRelations", boolean, "false",
     "the simplified update of rotation vectors is not available; leave it false for the exact one",
     true},
    {"timeIntegration.explicitIntegration.dynamicSolverType", text, "DOPRI5", explicitOnly},
    {"timeIntegration.explicitIntegration.eliminateConstraints", boolean, "true", explicitOnly},
    {"timeIntegration.explicitIntegration.useLieGroupIntegration", boolean, "true", explicitOnly},
    {"timeIntegration.explicitIntegration.computeEndOfStepAccelerations", boolean, "true",
     explicitOnly},
    {"timeIntegration.explicitIntegration.computeMassMatrixInversePerBody", boolean, "false",
     explicitOnly},
    {"timeIntegration.newton.numericalDifferentiation.relativeEpsilon", real, "1e-7", byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.minimumCoordinateSize", real, "0.01",
     byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.addReferenceCoordinatesToEpsilon", boolean,
     "false", byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.doSystemWideDifferentiation", boolean,
     "false", byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.forAE", boolean, "false", byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.forODE2", boolean, "false", byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.forODE2connectors", boolean, "false",
     byAnalysis},
    {"timeIntegration.newton.numericalDifferentiation.jacobianConnectorDerivative", boolean, "true",
     byAnalysis},
    {"staticSolver.pauseAfterEachStep", boolean, "false", "runs do not wait for keys"},
    {"staticSolver.numberOfLoadSteps", integer, "1", staticOnly},
    {"staticSolver.loadStepDuration", real, "1", staticOnly},
    {"staticSolver.loadStepStart", real, "0", staticOnly},
    {"staticSolver.loadStepGeometric", boolean, "false", staticOnly},
    {"staticSolver.loadStepGeometricRange", real, "1000", staticOnly},
    {"staticSolver.useLoadFactor", boolean, "true", staticOnly},
    {"staticSolver.stabilizerODE2term", real, "0", staticOnly},
    {"staticSolver.adaptiveStep", boolean, "true", staticOnly},
    {"staticSolver.adaptiveStepRecoverySteps", integer, "4", staticOnly},
    {"staticSolver.adaptiveStepRecoveryIterations", integer, "7", staticOnly},
    {"staticSolver.adaptiveStepIncrease", real, "2", staticOnly},
    {"staticSolver.adaptiveStepDecrease", real, "0.25", staticOnly},
    {"staticSolver.minimumStepSize", real, "1e-8", staticOnly},
    {"staticSolver.computeLoadsJacobian", boolean, "true", staticOnly},
    {"staticSolver.constrainODE1coordinates", boolean, "true", staticOnly},
    {"staticSolver.verboseMode", integer, "1", staticOnly},
    {"staticSolver.verboseModeFile", integer, "0", staticOnly},
    {"staticSolver.stepInformation", integer, "67", staticOnly},
    {"linearSolverSettings.pivotThreshold", real, "0", "pivots are chosen by the solver"},
    {"linearSolverSettings.ignoreSingularJacobian", boolean, "false",
     "redundant constraints are an error that names the items"},
    {"linearSolverSettings.reuseAnalyzedPattern", boolean, "false", ownFactors},
    {"linearSolverSettings.showCausingItems", boolean, "true", "messages always name the items"},
    {"parallel.useLoadBalancing", boolean, "true", ownThreads},
    {"parallel.multithreadedLLimitLoads", integer, "20", ownThreads},
    {"parallel.multithreadedLLimitResiduals", integer, "20", ownThreads},
    {"parallel.multithreadedLLimitJacobians", integer, "20", ownThreads},
    {"parallel.multithreadedLLimitMassMatrices", integer, "20", ownThreads},
    {"parallel.taskSplitMinItems", integer, "50", ownThreads},
    {"parallel.taskSplitTasksPerThread", integer, "16", ownThreads},
    {"solutionSettings.coordinatesSolutionFileName", text, "coordinatesSolution",
     "the command writes solution.h5; in Python the coordinates go to a text file of this name, if "
     "it is not the default"},
    {"solutionSettings.writeFileHeader", boolean, "true", ownFiles},
    {"solutionSettings.writeFileFooter", boolean, "true", ownFiles},
    {"solutionSettings.binarySolutionFile", boolean, "false", ownFiles},
    {"solutionSettings.appendToFile", boolean, "false", ownFiles},
    {"solutionSettings.flushFilesImmediately", boolean, "false", ownFiles},
    {"solutionSettings.flushFilesDOF", integer, "10000", ownFiles},
    {"solutionSettings.exportODE1Velocities", boolean, "true", pythonFiles},
    {"solutionSettings.writeRestartFile", boolean, "false", "there are no restart files"},
    {"solutionSettings.restartFileName", text, "restartFile.txt", ownFiles},
    {"solutionSettings.restartWritePeriod", real, "0.01", ownFiles},
    {"solutionSettings.sensorsAppendToFile", boolean, "false", ownFiles},
    {"solutionSettings.sensorsWriteFileHeader", boolean, "true", pythonFiles},
    {"solutionSettings.sensorsWriteFileFooter", boolean, "false", ownFiles},
    {"solutionSettings.solverInformationFileName", text, "solverInformation.txt", ownFiles},
    {"solutionSettings.recordImagesInterval", real, "-1", "there are no images"},
};

Value standardValue(const Unused& u) {
  Real number = 0;
  std::from_chars(u.standard.data(), u.standard.data() + u.standard.size(), number);
  switch (u.kind) {
    case FieldKind::boolean:
      return u.standard == "true";
    case FieldKind::integer:
      return static_cast<int>(number);
    case FieldKind::real:
      return number;
    default:
      return std::string(u.standard);
  }
}

const Unused* findUnused(std::string_view path) {
  for (const Unused& u : unusedTable)
    if (u.name == path) return &u;
  return nullptr;
}

const Field* findIn(std::span<const Field> fields, std::string_view path) {
  for (const Field& f : fields)
    if (f.name == path) return &f;
  return nullptr;
}

// The static solver has the settings of Newton's method and of the discontinuous iteration once
// more.
constexpr std::string_view staticPrefix = "staticSolver.", dynamicPrefix = "timeIntegration.";
bool isSharedBySolvers(std::string_view path) {
  return path.starts_with("timeIntegration.newton.") ||
         path.starts_with("timeIntegration.discontinuous.");
}
// The path of the dynamic solver for a setting of the static one.
std::string equivalentPath(std::string_view path) {
  if (!path.starts_with(staticPrefix)) return std::string(path);
  const std::string dynamic =
      std::string(dynamicPrefix) + std::string(path.substr(staticPrefix.size()));
  return isSharedBySolvers(dynamic) ? dynamic : std::string(path);
}

// All settings without effect, with names of their own for those of the static solver.
struct OthersTable {
  std::vector<std::unique_ptr<std::string>> names;
  std::vector<Field> fields;

  OthersTable() {
    for (const Unused& u : unusedTable) {
      Field f;
      f.name = u.name;
      f.kind = u.kind;
      f.description = u.reason;
      add(f);
    }
    for (const Field& f : table) addStatic(f);
  }

 private:
  void add(const Field& f) {
    fields.push_back(f);
    addStatic(f);
  }
  void addStatic(Field f) {
    if (!isSharedBySolvers(f.name)) return;
    names.push_back(std::make_unique<std::string>(
        std::string(staticPrefix) + std::string(f.name.substr(dynamicPrefix.size()))));
    f.name = *names.back();
    if (findIn(table, f.name)) return;
    if (f.get) f.description = staticOnly;
    fields.push_back(f);
  }
};

[[noreturn]] void refuseUnknown(std::string_view path) {
  std::vector<std::string_view> known;
  for (const auto fields :
       {SimulationSettings::fields(), SimulationSettings::fieldsWithoutEffect()})
    for (const Field& f : fields) known.push_back(f.name);
  const std::string near = nearestName(path, known);
  throw ModelError("settings: unknown setting '" + std::string(path) + "'" +
                   (near.empty() ? "; 'catena describe settings' lists them"
                                 : "; did you mean '" + near + "'?"));
}

}  // namespace

std::span<const Field> SimulationSettings::fields() { return table; }

std::span<const Field> SimulationSettings::fieldsWithoutEffect() {
  static const OthersTable others;
  return others.fields;
}

void SimulationSettings::set(std::string_view path, const Value& value) {
  if (const Field* f = findIn(fields(), path)) {
    f->set(this, checkedValue(*f, value, "settings"));
    return;
  }
  const Field* other = findIn(fieldsWithoutEffect(), path);
  if (!other) refuseUnknown(path);
  const Value checked = checkedValue(*other, value, "settings");
  if (const Unused* u = findUnused(path);
      u && u->refused && valueText(checked) != valueText(standardValue(*u)))
    throw ModelError("settings: " + std::string(path) + " = " + valueText(checked) +
                     " is not possible: " + std::string(u->reason));
  others_[std::string(path)] = checked;
}

Value SimulationSettings::get(std::string_view path) const {
  if (const Field* f = findIn(fields(), path)) return f->get(this);
  const Field* other = findIn(fieldsWithoutEffect(), path);
  if (!other) refuseUnknown(path);
  if (const auto given = others_.find(path); given != others_.end()) return given->second;
  if (const Unused* u = findUnused(equivalentPath(path))) return standardValue(*u);
  static const SimulationSettings standard;
  return other->get(&standard);
}

}  // namespace catena
