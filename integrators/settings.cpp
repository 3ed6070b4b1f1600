#include "integrators/settings.h"

#include <algorithm>
#include <vector>

namespace catena {
namespace {

constexpr std::string_view linearSolvers[] = {"auto",     "KLU",        "tree",
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

// Settings of the language that are read and checked by name but change nothing here.
constexpr std::string_view withoutEffect[] = {
    "cleanUpMemory",
    "displayGlobalTimers",
    "outputPrecision",
    "pauseAfterEachStep",
    "linearSolverSettings.",
    "parallel.",
    "timeIntegration.reuseConstantMassMatrix",
    "timeIntegration.simulateInRealtime",
    "timeIntegration.realtimeFactor",
    "timeIntegration.realtimeWaitMicroseconds",
    "timeIntegration.verboseModeFile",
    "timeIntegration.stepInformation",
    "timeIntegration.computeLoadsJacobian",
    "timeIntegration.newton.numericalDifferentiation.",
    "timeIntegration.generalizedAlpha.lieGroupAddTangentOperator",
    "timeIntegration.explicitIntegration.",
    "timeIntegration.automaticStepSize",
    "timeIntegration.initialStepSize",
    "timeIntegration.absoluteTolerance",
    "timeIntegration.relativeTolerance",
    "timeIntegration.stepSizeSafety",
    "timeIntegration.stepSizeMaxIncrease",
    "staticSolver.",
    "solutionSettings.coordinatesSolutionFileName",
    "solutionSettings.writeFileHeader",
    "solutionSettings.writeFileFooter",
    "solutionSettings.binarySolutionFile",
    "solutionSettings.appendToFile",
    "solutionSettings.flushFilesImmediately",
    "solutionSettings.flushFilesDOF",
    "solutionSettings.exportODE1Velocities",
    "solutionSettings.sensorsAppendToFile",
    "solutionSettings.sensorsWriteFileHeader",
    "solutionSettings.sensorsWriteFileFooter",
    "solutionSettings.solverInformationFileName",
    "solutionSettings.recordImagesInterval",
    "solutionSettings.writeRestartFile",
    "solutionSettings.restartFileName",
    "solutionSettings.restartWritePeriod"};

bool hasNoEffect(std::string_view path) {
  return std::any_of(std::begin(withoutEffect), std::end(withoutEffect),
                     [&](std::string_view known) {
                       return known.ends_with('.') ? path.starts_with(known) : path == known;
                     });
}

const Field* findSetting(std::string_view path) {
  for (const Field& f : table)
    if (f.name == path) return &f;
  return nullptr;
}

[[noreturn]] void refuseUnknown(std::string_view path) {
  std::vector<std::string_view> known;
  for (const Field& f : table) known.push_back(f.name);
  const std::string near = nearestName(path, known);
  throw ModelError("settings: unknown setting '" + std::string(path) + "'" +
                   (near.empty() ? "; 'catena describe settings' lists them"
                                 : "; did you mean '" + near + "'?"));
}

}  // namespace

std::span<const Field> SimulationSettings::fields() { return table; }

void SimulationSettings::set(std::string_view path, const Value& value) {
  if (path == "timeIntegration.generalizedAlpha.lieGroupSimplifiedKinematicRelations") {
    if (const bool* on = std::get_if<bool>(&value); on && *on)
      throw ModelError("settings: " + std::string(path) +
                       " = true is not available; the increments of rotation vectors "
                       "always compose, set it to false");
    return;
  }
  const Field* f = findSetting(path);
  if (!f && hasNoEffect(path)) return;
  if (!f) refuseUnknown(path);
  f->set(this, checkedValue(*f, value, "settings"));
}

Value SimulationSettings::get(std::string_view path) const {
  const Field* f = findSetting(path);
  if (!f) refuseUnknown(path);
  return f->get(this);
}

}  // namespace catena
