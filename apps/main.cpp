// The command line of catena.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "apps/commands.h"
#include "model/provenance.h"
#include "model/text_file.h"

namespace catena {

void printError(const std::string& message) {
  std::string line = message;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  std::fprintf(stderr, "catena: error: %s\n", line.c_str());
}

namespace {

constexpr const char* footer =
    "Exit codes:\n"
    "  0    done\n"
    "  1    did not converge, deviates from the expected results, or a file could not be written;\n"
    "       results so far are kept\n"
    "  2    wrong input or usage\n"
    "  130  interrupted by Ctrl-C or SIGTERM; results so far are kept";

// The command line as a text that a shell would read in the same way.
std::string commandLineText(int argc, char** argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = i == 0 ? "catena" : argv[i];
    const bool plain = !argument.empty() &&
                       argument.find_first_of(" \t\n'\"\\$`*?[]{}()<>|&;#~!") == std::string::npos;
    if (i) text += ' ';
    if (plain) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

struct CommandLine {
  RunOptions run;
  EigenvalueCommand eigenvalues;
  VerifyOptions verify;
  std::string topic, exampleFolder;
  GenerateCommand generate;
  BenchOptions bench;
  std::vector<std::string> compared;
  Real threshold = 0.05;
  bool quiet = false, verbose = false;
  Verbosity verbosity() const {
    return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
  }
};

void addVerbosity(CLI::App& command, CommandLine& line) {
  auto* quiet = command.add_flag("-q,--quiet", line.quiet, "Print errors only");
  command.add_flag("-v,--verbose", line.verbose, "Print more")->excludes(quiet);
}

void addSettings(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("-s,--set", settings,
                  "Change a simulation setting, e.g. --set timeIntegration.endTime=2; repeatable")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::App* addRun(CLI::App& app, CommandLine& line) {
  CLI::App* run = app.add_subcommand("run", "Solve a model and write its results");
  run->add_option("MODEL", line.run.model, "Model file (JSON)")->required();
  addSettings(*run, line.run.settings);
  run->add_option("-t,--threads", line.run.threads, "Threads; results do not depend on it")
      ->check(CLI::Range(1, 4096));
  run->add_option("-o,--output", line.run.output,
                  "Directory for results, default output/<model name>; none: write nothing")
      ->type_name("DIR");
  addVerbosity(*run, line);
  return run;
}

CLI::App* addEigenvalues(CLI::App& app, CommandLine& line) {
  CLI::App* command = app.add_subcommand(
      "eigenvalues", "Print frequencies, degrees of freedom and redundant constraints of a model");
  EigenvalueCommand& e = line.eigenvalues;
  command->add_option("MODEL", e.model, "Model file (JSON)")->required();
  command
      ->add_option("-n,--modes", e.modes,
                   "Number of modes, the lowest ones; default all, of large models ten")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--damped", e.damped, "Of the damped system: exponents");
  command->add_flag("--equilibrium", e.equilibrium,
                    "At the static equilibrium (settings of staticSolver), not the initial state");
  command->add_flag("--ignore-loads", e.ignoreLoads,
                    "Without the stiffness of loads and of the reactions to them");
  addSettings(*command, e.settings);
  command->add_option("--json", e.json, "Write them and the provenance")->type_name("FILE");
  return command;
}

CLI::App* addVerify(CLI::App& app, CommandLine& line) {
  CLI::App* verify =
      app.add_subcommand("verify", "Run models that carry results and compare with them");
  verify->add_option("CASE", line.verify.cases, "Model files with a results block")->required();
  verify->add_option("-t,--threads", line.verify.threads, "Threads")->check(CLI::Range(1, 4096));
  verify->add_option("--linear-solver", line.verify.linearSolver,
                     "Instead of the one of the model");
  verify->add_flag("--allow-waiting", line.verify.allowWaiting,
                   "Do not fail for models that need items or solvers not available");
  addVerbosity(*verify, line);
  return verify;
}

CLI::App* addDescribe(CLI::App& app, CommandLine& line) {
  CLI::App* describe = app.add_subcommand("describe", "Print documentation as Markdown");
  describe->add_option("TOPIC", line.topic,
                       "An item type, or: items (the whole manual, default), settings, schema "
                       "(JSON Schema of model files)");
  describe
      ->add_option("--examples", line.exampleFolder,
                   "Folder of models with results, shown with the items of the manual")
      ->check(CLI::ExistingDirectory);
  return describe;
}

CLI::App* addGenerate(CLI::App& app, CommandLine& line) {
  CLI::App* generate = app.add_subcommand("generate", "Write a model of any size");
  generate->add_option("KIND", line.generate.kind, "chain, tree, net, four-bars or bed")
      ->required();
  generate->add_option("-n,--bodies", line.generate.bodies, "Number of bodies")->required();
  generate->add_option("--nodes", line.generate.nodes, "RotVecLG (default), EP or Rxyz");
  generate->add_option("-o,--output", line.generate.file, "File, default standard output")
      ->type_name("FILE");
  return generate;
}

CLI::App* addBench(CLI::App& app, CommandLine& line) {
  CLI::App* bench = app.add_subcommand("bench", "Measure how long models take, phase by phase");
  auto* models = bench->add_option("MODEL", line.bench.models,
                                   "Model files, or generated ones as chain:400, net:1000, "
                                   "tree:1000, four-bars:81 (bodies)");
  bench->add_option("-r,--repeat", line.bench.repeat, "Repetitions of every run, default 5")
      ->check(CLI::Range(1, 10000));
  bench->add_option("-t,--threads", line.bench.threads, "Numbers of threads, e.g. 1,2,4")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096));
  bench
      ->add_option("--steps", line.bench.steps,
                   "Steps, of the size that the model has; default as the model says, for "
                   "generated ones fewer with their size")
      ->check(CLI::Range(1LL, 1'000'000'000LL));
  bench->add_option("--json", line.bench.json, "Write all samples, counts and the provenance")
      ->type_name("FILE");
  addSettings(*bench, line.bench.settings);
  bench->add_option("--compare", line.compared, "Instead: compare two of these files")
      ->type_name("OLD NEW")
      ->expected(2)
      ->excludes(models);
  bench
      ->add_option("--threshold", line.threshold,
                   "Of --compare: exit with 1 if a phase became slower by more than this part and "
                   "than both spreads, default 0.05")
      ->check(CLI::NonNegativeNumber);
  return bench;
}

int runCommand(int argc, char** argv) {
  CLI::App app("Catena solves very large multibody mechanisms.", "catena");
  CommandLine line;
  line.run.commandLine = line.eigenvalues.commandLine = line.bench.commandLine =
      commandLineText(argc, argv);
  app.footer(footer);
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText());
  const CLI::App* run = addRun(app, line);
  const CLI::App* eigenvalues = addEigenvalues(app, line);
  const CLI::App* verify = addVerify(app, line);
  const CLI::App* describe = addDescribe(app, line);
  const CLI::App* bench = addBench(app, line);
  addGenerate(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    printError(std::string(error.what()) + "; see catena --help");
    return exitCode::wrongInput;
  }
  line.run.verbosity = line.verify.verbosity = line.verbosity();
  if (*run) return runModel(line.run);
  if (*eigenvalues) return catena::eigenvalues(line.eigenvalues);
  if (*verify) return verifyModels(line.verify);
  if (*describe) return catena::describe(line.topic, line.exampleFolder);
  if (*bench) {
    if (!line.compared.empty())
      return compareBenchmarks(line.compared[0], line.compared[1], line.threshold);
    if (line.bench.models.empty())
      throw ModelError("bench: no model given; e.g. catena bench chain:400 chain:4000");
    return catena::bench(line.bench);
  }
  return generate(line.generate);
}

}  // namespace
}  // namespace catena

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the file size is an error like a full disk
  try {
    return catena::runCommand(argc, argv);
  } catch (const catena::WriteError& error) {
    catena::printError(error.what());
    return catena::exitCode::failed;
  } catch (const std::bad_alloc&) {
    catena::printError("not enough memory");
    return catena::exitCode::failed;
  } catch (const std::exception& error) {
    catena::printError(error.what());
    return catena::exitCode::wrongInput;
  }
}
