// The command line of catena.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "apps/commands.h"
#include "model/generate.h"
#include "model/provenance.h"

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
  VerifyOptions verify;
  std::string topic, exampleFolder;
  GenerateCommand generate;
  bool quiet = false, verbose = false;
  Verbosity verbosity() const {
    return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
  }
};

void addVerbosity(CLI::App& command, CommandLine& line) {
  auto* quiet = command.add_flag("-q,--quiet", line.quiet, "Print errors only");
  command.add_flag("-v,--verbose", line.verbose, "Print more")->excludes(quiet);
}

CLI::App* addRun(CLI::App& app, CommandLine& line) {
  CLI::App* run = app.add_subcommand("run", "Solve a model and write its results");
  run->add_option("MODEL", line.run.model, "Model file (JSON)")->required();
  run->add_option("-s,--set", line.run.settings,
                  "Change a simulation setting, e.g. --set timeIntegration.endTime=2; repeatable")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  run->add_option("-t,--threads", line.run.threads, "Threads; results do not depend on it")
      ->check(CLI::Range(1, 4096));
  run->add_option("-o,--output", line.run.output,
                  "Directory for results, default output/<model name>; none: write nothing")
      ->type_name("DIR");
  addVerbosity(*run, line);
  return run;
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
  generate->add_option("KIND", line.generate.kind, "chain, tree, net or four-bars")->required();
  generate->add_option("-n,--bodies", line.generate.bodies, "Number of bodies")->required();
  generate->add_option("--nodes", line.generate.nodes, "RotVecLG (default), EP or Rxyz");
  generate->add_option("-o,--output", line.generate.file, "File, default standard output")
      ->type_name("FILE");
  return generate;
}

int runCommand(int argc, char** argv) {
  CLI::App app("Catena solves very large multibody mechanisms.", "catena");
  CommandLine line;
  line.run.commandLine = commandLineText(argc, argv);
  app.footer(footer);
  app.require_subcommand(1);
  app.set_version_flag("--version", versionText());
  const CLI::App* run = addRun(app, line);
  const CLI::App* verify = addVerify(app, line);
  const CLI::App* describe = addDescribe(app, line);
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
  if (*verify) return verifyModels(line.verify);
  if (*describe) return catena::describe(line.topic, line.exampleFolder);
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
