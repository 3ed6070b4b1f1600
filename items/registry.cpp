#include "items/registry.h"

#include <algorithm>

namespace catena {

std::string_view categoryName(Category category) {
  static constexpr std::string_view names[] = {"node", "object", "marker", "load", "sensor"};
  return names[static_cast<int>(category)];
}

const Field* ItemType::findField(std::string_view key) const {
  for (const Field& f : fields)
    if (f.name == key || (!f.alias.empty() && f.alias == key)) return &f;
  return nullptr;
}

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(ItemType type) {
  owned_.push_back(std::make_unique<ItemType>(std::move(type)));
  sorted_.clear();
}

std::span<const ItemType* const> Registry::types() const {
  if (sorted_.size() != owned_.size()) {
    sorted_.clear();
    for (const auto& t : owned_) sorted_.push_back(t.get());
    std::sort(sorted_.begin(), sorted_.end(), [](const ItemType* a, const ItemType* b) {
      return a->category != b->category ? a->category < b->category : a->name < b->name;
    });
    for (std::size_t i = 0; i < sorted_.size(); ++i)
      const_cast<ItemType*>(sorted_[i])->id = static_cast<int>(i);
  }
  return sorted_;
}

const ItemType* Registry::find(Category category, std::string_view name) const {
  static constexpr std::string_view prefixes[] = {"Node", "Object", "Marker", "Load", "Sensor"};
  const std::string_view prefix = prefixes[static_cast<int>(category)];
  const std::string_view bare =
      name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view();
  for (const ItemType* t : types()) {
    if (t->category != category) continue;
    if (t->name == name || (!bare.empty() && t->name == bare)) return t;
    if (std::find(t->aliases.begin(), t->aliases.end(), name) != t->aliases.end()) return t;
  }
  return nullptr;
}

std::string Registry::nearest(Category category, std::string_view name) const {
  std::vector<std::string_view> known;
  for (const ItemType* t : types())
    if (t->category == category) known.push_back(t->name);
  return nearestName(name, known);
}

}  // namespace catena
