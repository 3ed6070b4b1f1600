// The manual, the table of settings and the schema of the input format, all derived from the
// registry.
#pragma once

#include <string>
#include <string_view>

namespace catena {

// Markdown page of an item by its type name or an alias; several if categories share the name.
// Throws ModelError for an unknown name, with the nearest known one.
std::string itemPage(std::string_view name);
// Markdown manual of all items; with a folder of models, each with the smallest one of them that
// uses it.
std::string itemManual(const std::string& exampleFolder = {});
// Markdown table of all simulation settings.
std::string settingsManual();
// JSON Schema (draft 2020-12) of model files.
std::string jsonSchema();

}  // namespace catena
