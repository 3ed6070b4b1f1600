// The items of a model: typed pools, numbering, names, and checked parameters.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "items/registry.h"

namespace catena {

// Parameters by name, in any order. An index parameter may also be given as the text of an item's
// name.
using Dictionary = std::vector<std::pair<std::string, Value>>;

class ItemStore {
 public:
  // Adds an item; returns its index within its category. Throws ModelError for an unknown type or
  // parameter (with the nearest known name), a value of wrong type, size or range, or a name that
  // is taken. On an error nothing is added.
  int add(Category category, std::string_view type, const Dictionary& parameters,
          std::string_view name = {});
  void reserve(Category category, int count) { references_[index(category)].reserve(count); }

  int count(Category category) const {
    return static_cast<int>(references_[index(category)].size());
  }
  const ItemType& type(Category category, int number) const;
  const void* item(Category category, int number) const;
  std::string_view name(Category category, int number) const;  // empty if it has none
  std::string where(Category category, int number) const;    // "object 3 'joint' (JointRevoluteZ)"
  int find(Category category, std::string_view name) const;  // -1 if there is none

  Value parameter(Category category, int number, std::string_view name) const;
  void setParameter(Category category, int number, std::string_view name, const Value& value);

  // Replaces item names in index parameters by indices and checks that every index refers to an
  // item.
  void resolveReferences();

  // The pool of a registered type (nullptr: no such item) and the numbers of its items.
  const ItemPool* pool(const ItemType& type) const;
  std::span<const int> numbers(const ItemType& type) const;

 private:
  struct Reference {
    int type;      // id of the type
    int position;  // in its pool
  };
  struct PendingName {
    Category category;
    int number;
    const Field* field;
    std::vector<std::string> names;  // one per entry of the parameter; "" keeps the index given
    std::vector<int> indices;
  };
  struct TypePool {
    std::unique_ptr<ItemPool> items;
    std::vector<int> numbers;
  };

  static int index(Category category) { return static_cast<int>(category); }
  const Reference& reference(Category category, int number) const;
  const Field& findField(const ItemType& type, std::string_view name,
                         const std::string& where) const;
  void assign(const ItemType& type, void* item, const Dictionary& parameters,
              const std::string& where, std::vector<PendingName>& pending, Category category,
              int number);

  std::vector<Reference> references_[categoryCount];
  std::vector<TypePool> pools_;  // by type id
  std::unordered_map<int, std::string> names_[categoryCount];
  std::unordered_map<std::string, int> byName_[categoryCount];
  std::vector<PendingName> pending_;
};

}  // namespace catena
