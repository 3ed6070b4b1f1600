// A quantity computed from other sensors.
#include "items/sensor.h"

namespace catena {
namespace {

struct SensorUserFunction {
  static constexpr std::string_view typeName = "UserFunction";
  static constexpr std::string_view summary = "quantity computed from other sensors by expressions";

  std::vector<SensorIndex> sensorNumbers;
  VectorX factors;
  UserFunction sensorUserFunction;
  SensorOptions options;

  static std::span<const Field> fields() {
    using T = SensorUserFunction;
    static constexpr auto options = sensorOptionFields<T>();
    static constexpr Field table[] = {
        field<&T::sensorNumbers>("sensorNumbers", "", "",
                                 "sensors whose values enter; they must come before this one"),
        field<&T::factors>("factors", "", "", "numbers that enter the expressions"),
        field<&T::sensorUserFunction>(
            "sensorUserFunction", "", "",
            "the measured components; of t, si_j = component j of sensor i of sensorNumbers "
            "(both from 0), factor0, factor1, ..."),
        options[0],
        options[1],
        options[2],
    };
    return table;
  }

  static SensorTarget target(const SensorUserFunction&) {
    return {.category = Category::sensor, .number = 0};
  }
  static std::vector<int> inputs(const SensorUserFunction& s) {
    std::vector<int> list;
    for (const SensorIndex i : s.sensorNumbers) list.push_back(i.value);
    return list;
  }

  class Function final : public SensorFunction {
   public:
    Function(const SensorUserFunction& sensor, const std::vector<int>& sizes,
             const std::string& where)
        : factors_(sensor.factors.data(), sensor.factors.data() + sensor.factors.size()) {
      const UserFunction& f = sensor.sensorUserFunction;
      if (!f.defined())
        throw ModelError(where +
                         ": sensorUserFunction is missing; give an expression per component");
      std::vector<std::string> names{"t"};
      for (std::size_t i = 0; i < sizes.size(); ++i)
        for (int j = 0; j < sizes[i]; ++j)
          names.push_back("s" + std::to_string(i) + "_" + std::to_string(j));
      for (std::size_t i = 0; i < factors_.size(); ++i)
        names.push_back("factor" + std::to_string(i));
      const int components = static_cast<int>(f.expressions.size());
      function_ = CompiledFunction(f, names, components, where + ": sensorUserFunction");
      if (f.isExpression()) components_ = components;
      if (f.callable) resultCount_ = f.resultCount;
    }
    void evaluate(Real time, const std::vector<Real>& inputs, std::vector<Real>& out) override {
      arguments_.assign(1, time);
      arguments_.insert(arguments_.end(), inputs.begin(), inputs.end());
      arguments_.insert(arguments_.end(), factors_.begin(), factors_.end());
      if (components_ < 0) components_ = resultCount_ ? resultCount_(arguments_) : 1;
      out.resize(components_);
      function_.evaluate(arguments_, out);
    }

   private:
    CompiledFunction function_;
    std::function<int(std::span<const Real>)> resultCount_;
    std::vector<Real> factors_, arguments_;
    int components_ = -1;  // not known yet
  };
  static std::unique_ptr<SensorFunction> makeFunction(const SensorUserFunction& sensor,
                                                      const std::vector<int>& sizes,
                                                      const std::string& where) {
    return std::make_unique<Function>(sensor, sizes, where);
  }
};

const RegisterSensor<SensorUserFunction> registered;

}  // namespace
}  // namespace catena
