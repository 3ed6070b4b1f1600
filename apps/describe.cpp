// catena describe and catena generate: text to standard output or a file.
#include <cstdio>

#include "apps/commands.h"
#include "model/generate.h"
#include "model/json_writer.h"
#include "model/manual.h"

namespace catena {

int describe(const std::string& topic, const std::string& exampleFolder) {
  std::string text;
  if (topic.empty() || topic == "items")
    text = itemManual(exampleFolder);
  else if (topic == "settings")
    text = settingsManual();
  else if (topic == "schema")
    text = jsonSchema();
  else
    text = itemPage(topic);
  TextFile out(stdout, "standard output");
  out.write(text);
  out.flush();
  return exitCode::done;
}

int generate(const GenerateCommand& command) {
  TextFile out = command.file.empty() || command.file == "-" ? TextFile(stdout, "standard output")
                                                             : TextFile(command.file);
  const SimulationJob job = generateModel({command.kind, command.bodies, command.nodes});
  writeJson(out, job.system->items(), job.settings, {job.name, job.description});
  out.close();
  return exitCode::done;
}

}  // namespace catena
