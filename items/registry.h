// The registry of item types: the one place from which every front end learns what exists.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "items/field.h"

namespace catena {

// All items of one type in a model, contiguous.
class ItemPool {
 public:
  virtual ~ItemPool() = default;
  virtual int size() const = 0;
  virtual int append() = 0;  // a default item; returns its position
  virtual void removeLast() = 0;
  virtual void reserve(int count) = 0;
  virtual void* at(int position) = 0;
  virtual const void* at(int position) const = 0;
};

template <class T>
class PoolOf final : public ItemPool {
 public:
  int size() const override { return static_cast<int>(items.size()); }
  int append() override { return items.emplace_back(), size() - 1; }
  void removeLast() override { items.pop_back(); }
  void reserve(int count) override { items.reserve(count); }
  void* at(int position) override { return &items[position]; }
  const void* at(int position) const override { return &items[position]; }

  std::vector<T> items;
};

class NodeBehaviour;
class ObjectBehaviour;
class MarkerBehaviour;
class LoadBehaviour;
class SensorBehaviour;

struct ItemType {
  Category category{};
  std::string_view name;                  // value of "type" in the dictionary
  std::string_view summary;               // one line
  std::string_view theory;                // equations, signs, sources for the manual
  std::vector<std::string_view> aliases;  // short names besides the category-prefixed one
  std::span<const Field> fields;
  std::span<const OutputVariable> outputs;  // of nodes, objects (at their own point)
  std::unique_ptr<ItemPool> (*makePool)() = nullptr;

  // What the item does; the pointer of its own category is set.
  const NodeBehaviour* node = nullptr;
  const ObjectBehaviour* object = nullptr;
  const MarkerBehaviour* marker = nullptr;
  const LoadBehaviour* load = nullptr;
  const SensorBehaviour* sensor = nullptr;

  int id = -1;  // position in the registry
  const Field* findField(std::string_view nameOrAlias) const;
};

class Registry {
 public:
  static Registry& instance();

  void add(ItemType type);
  // Sorted by category and name, the same in every program.
  std::span<const ItemType* const> types() const;
  // By type name, alias, or name with category prefix ("ObjectRigidBody"); nullptr if unknown.
  const ItemType* find(Category category, std::string_view name) const;
  std::string nearest(Category category, std::string_view name) const;

 private:
  std::vector<std::unique_ptr<ItemType>> owned_;
  mutable std::vector<const ItemType*> sorted_;
};

template <class T>
ItemType describeItem(Category category) {
  ItemType type;
  type.category = category;
  type.name = T::typeName;
  type.summary = T::summary;
  if constexpr (requires { T::theory; }) type.theory = T::theory;
  if constexpr (requires { T::aliases; })
    type.aliases.assign(std::begin(T::aliases), std::end(T::aliases));
  type.fields = T::fields();
  if constexpr (requires { T::outputs; }) type.outputs = T::outputs;
  type.makePool = [] { return std::unique_ptr<ItemPool>(std::make_unique<PoolOf<T>>()); };
  return type;
}

}  // namespace catena
