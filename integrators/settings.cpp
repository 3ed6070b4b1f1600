#include "integrators/settings.h"

#include <charconv>
#include <deque>
#include <vector>

namespace catena {
namespace {

constexpr std::string_view linearSolvers[] = {
    "auto",     "multifrontal", "KLU",      "CHOLMOD",    "dense",
    "SparseLU", "EigenSparse",  "EXUdense", "EigenDense", "EigenSparseSymmetric"};

constexpr std::string_view explicitMethods[] = {
    "ExplicitEuler", "ExplicitMidpoint", "RK33",          "RK44", "RK67",
    "ODE23",         "DOPRI5",           "VelocityVerlet"};

constexpr Field enumeration(Field f, std::span<const std::string_view> choices) {
  f.kind = FieldKind::enumeration;
  f.choices = choices;
  return f;
}

using S = SimulationSettings;
using T = TimeIntegrationSettings;
using L = StaticSolverSettings;
using C = SolverSettings;
using E = ExplicitIntegrationSettings;
using N = NewtonSettings;
using D = DiscontinuousSettings;
using G = GeneralizedAlphaSettings;
using O = SolutionSettings;
constexpr auto time = &S::timeIntegration;
constexpr auto statics = &S::staticSolver;
constexpr auto alpha = &T::generalizedAlpha;
constexpr auto explicitly = &T::explicitIntegration;
constexpr auto solution = &S::solutionSettings;

// Settings that the static and the dynamic solvers have in common, without the solver's name.
template <auto solver>
constexpr Field common[] = {
    field<solver, &C::adaptiveStep>("adaptiveStep", "", "",
                                    "repeat failed steps with a smaller step"),
    field<solver, &C::adaptiveStepRecoverySteps>("adaptiveStepRecoverySteps", "", "",
                                                 "accepted steps before the step size grows again",
                                                 nonNegative),
    field<solver, &C::adaptiveStepRecoveryIterations>(
        "adaptiveStepRecoveryIterations", "", "",
        "most Newton iterations and rounds for the step to grow", nonNegative),
    field<solver, &C::adaptiveStepIncrease>("adaptiveStepIncrease", "", "", "growth factor",
                                            {1, 1e9, true}),
    field<solver, &C::adaptiveStepDecrease>(
        "adaptiveStepDecrease", "", "", "reduction factor after a failed step", {0, 0.999, true}),
    field<solver, &C::minimumStepSize>("minimumStepSize", "", "s", "smallest step size", positive),
    field<solver, &C::verboseMode>("verboseMode", "", "", "0 silent, 1 progress, 2 every step",
                                   nonNegative),
    field<solver, &C::newton, &N::relativeTolerance>(
        "newton.relativeTolerance", "", "", "residual norm relative to that of the predicted state",
        nonNegative),
    field<solver, &C::newton, &N::absoluteTolerance>("newton.absoluteTolerance", "", "",
                                                     "residual norm that is always small enough",
                                                     nonNegative),
    field<solver, &C::newton, &N::useNewtonSolver>("newton.useNewtonSolver", "", "",
                                                   "false: one iteration per step"),
    field<solver, &C::newton, &N::weightTolerancePerCoordinate>(
        "newton.weightTolerancePerCoordinate", "", "",
        "divide norms by the root of the number of unknowns"),
    field<solver, &C::newton, &N::newtonResidualMode>(
        "newton.newtonResidualMode", "", "", "0: residual norm, 1: norm of the increments", {0, 1}),
    field<solver, &C::newton, &N::adaptInitialResidual>(
        "newton.adaptInitialResidual", "", "",
        "take the residual of the first iteration as reference if larger"),
    field<solver, &C::newton, &N::useModifiedNewton>(
        "newton.useModifiedNewton", "", "",
        "keep the factorized Jacobian while the iteration contracts"),
    field<solver, &C::newton, &N::reuseFactors>(
        "newton.reuseFactors", "", "",
        "keep factors over iterations and steps while that is cheaper, and start from the "
        "increments of the last steps; false: full Newton (useModifiedNewton goes first)"),
    field<solver, &C::newton, &N::modifiedNewtonContractivity>(
        "newton.modifiedNewtonContractivity", "", "", "largest contraction without a new Jacobian",
        positive),
    field<solver, &C::newton, &N::modifiedNewtonJacUpdatePerStep>(
        "newton.modifiedNewtonJacUpdatePerStep", "", "", "new Jacobian at every step"),
    field<solver, &C::newton, &N::maxIterations>("newton.maxIterations", "", "",
                                                 "most iterations per step", {1}),
    field<solver, &C::newton, &N::maxModifiedNewtonIterations>(
        "newton.maxModifiedNewtonIterations", "", "",
        "iterations before every iteration gets a new Jacobian", nonNegative),
    field<solver, &C::newton, &N::maxModifiedNewtonRestartIterations>(
        "newton.maxModifiedNewtonRestartIterations", "", "",
        "further iterations before full Newton", nonNegative),
    field<solver, &C::newton, &N::maximumSolutionNorm>(
        "newton.maximumSolutionNorm", "", "",
        "squared norm of coordinates that counts as divergence", positive),
    field<solver, &C::discontinuous, &D::maxIterations>(
        "discontinuous.maxIterations", "", "",
        "most rounds of Newton and update of the data variables per step", nonNegative),
    field<solver, &C::discontinuous, &D::iterationTolerance>(
        "discontinuous.iterationTolerance", "", "N",
        "error of the data variables that is small enough", nonNegative),
    field<solver, &C::discontinuous, &D::ignoreMaxIterations>(
        "discontinuous.ignoreMaxIterations", "", "", "go on when the rounds did not settle"),
    field<solver, &C::discontinuous, &D::useRecommendedStepSize>(
        "discontinuous.useRecommendedStepSize", "", "", "let contacts ask for smaller steps"),
};

constexpr Field table[] = {
    enumeration(field<&S::linearSolverType>(
                    "linearSolverType", "", "",
                    "auto: multifrontal, or KLU where that cannot be used; CHOLMOD: for nearly "
                    "symmetric matrices; SparseLU: slow, for comparison; EXUdense and EigenDense "
                    "mean dense, EigenSparse and EigenSparseSymmetric auto"),
                linearSolvers),
    field<&S::displayStatistics>("displayStatistics", "", "", "print iteration counts at the end"),
    field<&S::displayComputationTime>("displayComputationTime", "", "",
                                      "print times by phase at the end"),
    field<&S::parallel, &ParallelSettings::numberOfThreads>(
        "parallel.numberOfThreads", "", "", "threads; results do not depend on it", {1, 4096}),
    field<&S::parallel, &ParallelSettings::parts>(
        "parallel.parts", "", "",
        "parts that trees of bodies are cut into for the factorization: long chains keep about as "
        "many threads busy (2 with 1 part), for up to three times the operations",
        {1, 4096}),
    field<time, &T::startTime>("timeIntegration.startTime", "", "s", "start of the run"),
    field<time, &T::endTime>("timeIntegration.endTime", "", "s", "end of the run"),
    field<time, &T::numberOfSteps>(
        "timeIntegration.numberOfSteps", "", "",
        "number of steps; the largest step is (endTime - startTime) / numberOfSteps", {1}),
    field<time, &T::projectInitialState>(
        "timeIntegration.projectInitialState", "", "",
        "move initial positions and velocities onto the constraints"),
    field<time, &T::automaticStepSize>("timeIntegration.automaticStepSize", "", "",
                                       "choose steps by their local error: ODE23, DOPRI5, and "
                                       "generalized-alpha with errorControl"),
    field<time, &T::initialStepSize>("timeIntegration.initialStepSize", "h_0", "s",
                                     "first of the automatic steps; 0 = the largest step, and "
                                     "from the accelerations with errorControl",
                                     nonNegative),
    field<time, &T::absoluteTolerance>(
        "timeIntegration.absoluteTolerance", "", "",
        "local error of a step that is allowed in every coordinate and velocity", nonNegative),
    field<time, &T::relativeTolerance>("timeIntegration.relativeTolerance", "", "",
                                       "the same relative to their values", nonNegative),
    field<time, &T::stepSizeSafety>("timeIntegration.stepSizeSafety", "", "",
                                    "factor of the step that the error would just allow",
                                    {0, 1, true}),
    field<time, &T::stepSizeMaxIncrease>("timeIntegration.stepSizeMaxIncrease", "", "",
                                         "most growth from one automatic step to the next",
                                         {1, 1e9}),
    enumeration(field<time, explicitly, &E::dynamicSolverType>(
                    "timeIntegration.explicitIntegration.dynamicSolverType", "", "",
                    "method of solve = \"explicit\""),
                explicitMethods),
    field<time, explicitly, &E::computeEndOfStepAccelerations>(
        "timeIntegration.explicitIntegration.computeEndOfStepAccelerations", "", "",
        "accelerations of the end of the step for output, else those of the last stage"),
    field<time, explicitly, &E::signedErrorScale>(
        "timeIntegration.explicitIntegration.signedErrorScale", "", "",
        "scale errors by the larger of old and new value with their signs, as the language's other "
        "implementation does, not by the larger magnitude"),
    field<time, explicitly, &E::projectConstraints>(
        "timeIntegration.explicitIntegration.projectConstraints", "", "",
        "after every step, move positions and velocities onto the constraints"),
    field<statics, &L::numberOfLoadSteps>("staticSolver.numberOfLoadSteps", "n", "",
                                          "number of load steps", {1}),
    field<statics, &L::loadStepDuration>("staticSolver.loadStepDuration", "T", "s",
                                         "quasi-time of all load steps", positive),
    field<statics, &L::loadStepStart>("staticSolver.loadStepStart", "", "s",
                                      "quasi-time at the start"),
    field<statics, &L::loadStepGeometric>("staticSolver.loadStepGeometric", "", "",
                                          "load steps in geometric progression"),
    field<statics, &L::loadStepGeometricRange>("staticSolver.loadStepGeometricRange", "", "",
                                               "ratio of the last to the first load factor",
                                               {1, 1e300, true}),
    field<statics, &L::useLoadFactor>("staticSolver.useLoadFactor", "", "",
                                      "loads without function grow with quasi-time"),
    field<statics, &L::stabilizerODE2term>(
        "staticSolver.stabilizerODE2term", "kappa", "1/s^2",
        "resistance kappa (1 - loadFactor^2) M dq to the displacement of a load step", nonNegative),
    field<statics, &L::constrainODE1coordinates>(
        "staticSolver.constrainODE1coordinates", "", "",
        "first order coordinates keep their initial values; otherwise they become stationary"),
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
    field<time, alpha, &G::computeInitialFirstOrderRates>(
        "timeIntegration.generalizedAlpha.computeInitialFirstOrderRates", "", "",
        "start first order coordinates with their rates, for second order accuracy; the language "
        "starts with zero rates. With computeInitialAccelerations"),
    field<time, alpha, &G::storeInitialAlgebraicCoordinates>(
        "timeIntegration.generalizedAlpha.storeInitialAlgebraicCoordinates", "", "",
        "keep the multipliers of the initial accelerations for the first output"),
    field<time, alpha, &G::resetAccelerations>(
        "timeIntegration.generalizedAlpha.resetAccelerations", "", "",
        "start from zero accelerations when they are not computed"),
    field<time, alpha, &G::errorControl>(
        "timeIntegration.generalizedAlpha.errorControl", "", "",
        "choose steps by their local error, against timeIntegration.absoluteTolerance and "
        "relativeTolerance, and interpolate to the times of sensors and solution; needs "
        "automaticStepSize"),
    field<time, alpha, &G::extrapolation>(
        "timeIntegration.generalizedAlpha.extrapolation", "", "",
        "solve with steps h and h/2 side by side and extrapolate: order 3 or higher for smooth "
        "motions, and an estimate of the error"),
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
constexpr std::string_view ownFiles = "files have their own layout";
constexpr std::string_view pythonFiles = "only for the text files that Python writes";
constexpr std::string_view ownThreads = "work is split automatically";
constexpr std::string_view ownFactors = "patterns and factors are always reused";

constexpr Unused unusedTable[] = {
    {"cleanUpMemory", boolean, "false", "memory is freed anyway"},
    {"displayGlobalTimers", boolean, "true", console},
    {"outputPrecision", integer, "6", ownFiles},
    {"pauseAfterEachStep", boolean, "false", "runs do not wait for keys"},
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
    {"timeIntegration.explicitIntegration.eliminateConstraints", boolean, "true",
     "explicit methods keep all constraints"},
    {"timeIntegration.explicitIntegration.useLieGroupIntegration", boolean, "true",
     "rotation vectors have no other explicit methods; leave it true", true},
    {"timeIntegration.explicitIntegration.computeMassMatrixInversePerBody", boolean, "false",
     "mass matrices are always solved body by body where they can be"},
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
    {"staticSolver.computeLoadsJacobian", boolean, "true", byAnalysis},
    {"staticSolver.verboseModeFile", integer, "0", console},
    {"staticSolver.stepInformation", integer, "67", console},
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

// All settings with effect; names of the common ones are put together here.
struct Table {
  std::deque<std::string> names;
  std::vector<Field> fields{std::begin(table), std::end(table)};

  Table() {
    add("timeIntegration.", common<time>);
    add("staticSolver.", common<statics>);
  }

 private:
  void add(const std::string& prefix, std::span<const Field> list) {
    for (Field f : list) {
      f.name = names.emplace_back(prefix + std::string(f.name));
      fields.push_back(f);
    }
  }
};

// Newton's method of the static solver has the same settings without effect as that of the dynamic
// one.
constexpr std::string_view newtonWithoutEffect = "newton.numericalDifferentiation.";
constexpr std::string_view staticPrefix = "staticSolver.", dynamicPrefix = "timeIntegration.";
std::string equivalentPath(std::string_view path) {
  const bool shared = path.starts_with(staticPrefix) &&
                      path.substr(staticPrefix.size()).starts_with(newtonWithoutEffect);
  return shared ? std::string(dynamicPrefix) + std::string(path.substr(staticPrefix.size()))
                : std::string(path);
}

struct OthersTable {
  std::deque<std::string> names;
  std::vector<Field> fields;

  OthersTable() {
    for (const Unused& u : unusedTable) {
      Field f;
      f.name = u.name;
      f.kind = u.kind;
      f.description = u.reason;
      fields.push_back(f);
      if (!f.name.starts_with(dynamicPrefix)) continue;
      const std::string_view rest = f.name.substr(dynamicPrefix.size());
      if (!rest.starts_with(newtonWithoutEffect)) continue;
      f.name = names.emplace_back(std::string(staticPrefix) + std::string(rest));
      fields.push_back(f);
    }
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

std::span<const Field> SimulationSettings::fields() {
  static const Table all;
  return all.fields;
}

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
  return standardValue(*findUnused(equivalentPath(path)));
}

}  // namespace catena
