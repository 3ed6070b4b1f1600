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
