// Registration of sensor types.
#pragma once

#include "items/behaviour.h"

namespace catena {

template <class T>
class SensorBehaviourOf final : public SensorBehaviour {
 public:
  SensorTarget target(const void* sensor) const override {
    return T::target(*static_cast<const T*>(sensor));
  }
  bool isFunction() const override { return computes; }
  std::vector<int> inputs(const void* sensor) const override {
    if constexpr (computes) return T::inputs(*static_cast<const T*>(sensor));
    return {};
  }
  std::unique_ptr<SensorFunction> makeFunction(const void* sensor, const std::vector<int>& sizes,
                                               const std::string& where) const override {
    if constexpr (computes) return T::makeFunction(*static_cast<const T*>(sensor), sizes, where);
    return nullptr;
  }

 private:
  static constexpr bool computes = requires(const T& t) { T::inputs(t); };
};

template <class T>
struct RegisterSensor {
  RegisterSensor() {
    static const SensorBehaviourOf<T> behaviour;
    ItemType type = describeItem<T>(Category::sensor);
    type.sensor = &behaviour;
    Registry::instance().add(std::move(type));
  }
};

// Parameters that every sensor has.
struct SensorOptions {
  std::string fileName;
  bool writeToFile = true;
  bool storeInternal = false;
};

template <class T>
constexpr std::array<Field, 3> sensorOptionFields() {
  return {field<&T::options, &SensorOptions::fileName>(
              "fileName", "", "", "name of the CSV file; empty: from the name"),
          field<&T::options, &SensorOptions::writeToFile>("writeToFile", "", "",
                                                          "write the values to a file"),
          field<&T::options, &SensorOptions::storeInternal>("storeInternal", "", "",
                                                            "keep the values in memory")};
}

}  // namespace catena
