#include "items/item_store.h"

#include "items/behaviour.h"
#include "items/strictness.h"

namespace catena {

int ItemStore::add(Category category, std::string_view typeName, const Dictionary& parameters,
                   std::string_view name) {
  Registry& registry = Registry::instance();
  const int number = count(category);
  const ItemType* type = registry.find(category, typeName);
  if (!type) {
    const std::string near = registry.nearest(category, typeName);
    throw ModelError(std::string(categoryName(category)) + " " + std::to_string(number) +
                     ": unknown type '" + std::string(typeName) + "'" +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if (pools_.size() != registry.types().size()) pools_.resize(registry.types().size());
  TypePool& pool = pools_[type->id];
  if (!pool.items) pool.items = type->makePool();

  std::string where = std::string(categoryName(category)) + " " + std::to_string(number);
  if (!name.empty()) where += " '" + std::string(name) + "'";
  where += " (" + std::string(type->name) + ")";
  if (strictness.uniqueNames && !name.empty() &&
      byName_[index(category)].contains(std::string(name)))
    throw ModelError(where + ": the name '" + std::string(name) + "' is already taken by " +
                     this->where(category, byName_[index(category)].at(std::string(name))) +
                     "; names must differ");

  const int position = pool.items->append();
  std::vector<PendingName> pending;
  try {
    assign(*type, pool.items->at(position), parameters, where, pending, category, number);
  } catch (...) {
    pool.items->removeLast();
    throw;
  }
  for (auto& p : pending) pending_.push_back(std::move(p));
  pool.numbers.push_back(number);
  references_[index(category)].push_back({type->id, position});
  if (!name.empty()) {
    names_[index(category)].emplace(number, name);
    byName_[index(category)].emplace(name, number);
  }
  return number;
}

void ItemStore::assign(const ItemType& type, void* item, const Dictionary& parameters,
                       const std::string& where, std::vector<PendingName>& pending,
                       Category category, int number) {
  for (const auto& [key, value] : parameters) {
    const Field& f = findField(type, key, where);
    if (f.kind == FieldKind::index && std::holds_alternative<std::string>(value)) {
      pending.push_back({category, number, &f, {std::get<std::string>(value)}, {}});
      continue;
    }
    if (const auto* texts = std::get_if<UserFunction>(&value);
        texts && f.kind == FieldKind::indexList && texts->isExpression()) {
      if (f.rows && static_cast<int>(texts->expressions.size()) != f.rows)
        throw ModelError(where + ": " + std::string(f.name) + " = " + valueText(value) + " has " +
                         std::to_string(texts->expressions.size()) + " entries: expected " +
                         fieldTypeText(f));
      pending.push_back({category, number, &f, texts->expressions, {}});
      continue;
    }
    f.set(item, checkedValue(f, value, where));
  }
  if (type.node) type.node->check(item, where);
  if (type.object) type.object->check(item, where);
}

const Field& ItemStore::findField(const ItemType& type, std::string_view name,
                                  const std::string& where) const {
  if (const Field* f = type.findField(name)) return *f;
  std::vector<std::string_view> known;
  for (const Field& f : type.fields) known.push_back(f.name);
  const std::string near = nearestName(name, known);
  std::string message = where + ": unknown parameter '" + std::string(name) + "'";
  if (!near.empty()) {
    message += "; did you mean '" + near + "'?";
  } else {
    message += "; known are";
    for (const auto k : known) message += " " + std::string(k);
  }
  throw ModelError(message);
}

const ItemStore::Reference& ItemStore::reference(Category category, int number) const {
  const auto& list = references_[index(category)];
  if (number < 0 || number >= static_cast<int>(list.size()))
    throw ModelError("there is no " + std::string(categoryName(category)) + " " +
                     std::to_string(number) + "; the model has " + std::to_string(list.size()));
  return list[number];
}

const ItemType& ItemStore::type(Category category, int number) const {
  return *Registry::instance().types()[reference(category, number).type];
}

const void* ItemStore::item(Category category, int number) const {
  const Reference& r = reference(category, number);
  return std::as_const(*pools_[r.type].items).at(r.position);
}

std::string_view ItemStore::name(Category category, int number) const {
  const auto found = names_[index(category)].find(number);
  return found == names_[index(category)].end() ? std::string_view()
                                                : std::string_view(found->second);
}

std::string ItemStore::where(Category category, int number) const {
  std::string text = std::string(categoryName(category)) + " " + std::to_string(number);
  if (const auto n = name(category, number); !n.empty()) text += " '" + std::string(n) + "'";
  return text + " (" + std::string(type(category, number).name) + ")";
}

int ItemStore::find(Category category, std::string_view name) const {
  const auto found = byName_[index(category)].find(std::string(name));
  return found == byName_[index(category)].end() ? -1 : found->second;
}

Value ItemStore::parameter(Category category, int number, std::string_view name) const {
  return findField(type(category, number), name, where(category, number))
      .get(item(category, number));
}

void ItemStore::setParameter(Category category, int number, std::string_view name,
                             const Value& value) {
  const Reference& r = reference(category, number);
  const ItemType& t = type(category, number);
  const std::string place = where(category, number);
  const Field& f = findField(t, name, place);
  void* target = pools_[r.type].items->at(r.position);
  const Value before = f.get(target);
  f.set(target, checkedValue(f, value, place));
  try {
    if (t.node) t.node->check(target, place);
    if (t.object) t.object->check(target, place);
  } catch (...) {
    f.set(target, before);
    throw;
  }
}

void ItemStore::resolveReferences() {
  for (PendingName& p : pending_) {
    const Category target = p.field->category;
    const std::string place = where(p.category, p.number);
    std::vector<int> indices = p.indices;
    indices.resize(p.names.size(), -1);
    for (std::size_t i = 0; i < p.names.size(); ++i) {
      if (p.names[i].empty()) continue;
      indices[i] = find(target, p.names[i]);
      if (indices[i] < 0) {
        std::vector<std::string_view> known;
        for (const auto& [name, number] : byName_[index(target)]) known.push_back(name);
        const std::string near = nearestName(p.names[i], known);
        throw ModelError(place + ": " + std::string(p.field->name) + " = '" + p.names[i] +
                         "': there is no " + std::string(categoryName(target)) + " of that name" +
                         (near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
    }
    const Reference& r = reference(p.category, p.number);
    void* item = pools_[r.type].items->at(r.position);
    if (p.field->kind == FieldKind::index)
      p.field->set(item, indices[0]);
    else
      p.field->set(item, indices);
  }
  pending_.clear();

  for (const ItemType* t : Registry::instance().types()) {
    const ItemPool* items = pool(*t);
    if (!items) continue;
    for (const Field& f : t->fields) {
      if (f.kind != FieldKind::index && f.kind != FieldKind::indexList) continue;
      const int available = count(f.category);
      const auto checkIndex = [&](int position, int i) {
        if (i >= -1 && i < available) return;
        throw ModelError(where(t->category, numbers(*t)[position]) + ": " + std::string(f.name) +
                         " = " + std::to_string(i) + " refers to no " +
                         std::string(categoryName(f.category)) + "; the model has " +
                         std::to_string(available) + ", numbered from 0");
      };
      for (int k = 0; k < items->size(); ++k) {
        const Value v = f.get(items->at(k));
        if (f.kind == FieldKind::index)
          checkIndex(k, std::get<int>(v));
        else
          for (const int i : std::get<std::vector<int>>(v)) checkIndex(k, i);
      }
    }
  }
}

const ItemPool* ItemStore::pool(const ItemType& type) const {
  return type.id < static_cast<int>(pools_.size()) ? pools_[type.id].items.get() : nullptr;
}

std::span<const int> ItemStore::numbers(const ItemType& type) const {
  if (type.id >= static_cast<int>(pools_.size())) return {};
  return pools_[type.id].numbers;
}

}  // namespace catena
