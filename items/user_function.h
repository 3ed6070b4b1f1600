// User functions: expressions in text or callables of an embedding language.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/types.h"

namespace catena {

// Evaluates results = f(arguments) for an embedding language. Arguments and results are in the
// order that the parameter's documentation gives; called by one thread at a time, in fixed order.
using Callable = std::function<void(std::span<const Real> arguments, std::span<Real> results)>;

// The user function of an item: one expression per result component, or a callable, or nothing.
struct UserFunction {
  std::vector<std::string> expressions;
  std::shared_ptr<const Callable> callable;
  // Where the item leaves the number of results to a callable: how many it gives.
  std::function<int(std::span<const Real> arguments)> resultCount{};
  bool defined() const { return callable || !expressions.empty(); }
  bool isExpression() const { return !callable && !expressions.empty(); }
};

// A user function made ready for evaluation. Expressions may be evaluated by several threads at
// once; functions with the same text share what was made of it.
class CompiledFunction {
 public:
  CompiledFunction();
  // where: text for messages, e.g. "load 'push': loadVectorUserFunction". Throws ModelError on a
  // syntax error (with the position in the expression), an unknown name, or the wrong number of
  // components.
  CompiledFunction(const UserFunction& function, std::vector<std::string> argumentNames,
                   int resultCount, const std::string& where);
  ~CompiledFunction();
  CompiledFunction(CompiledFunction&&) noexcept;
  CompiledFunction& operator=(CompiledFunction&&) noexcept;

  bool defined() const { return implementation_ != nullptr; }
  bool serial() const;  // a callable: must not be evaluated in parallel
  // Throws ModelError when a result is not finite. arguments: as many as names.
  void evaluate(std::span<const Real> arguments, std::span<Real> results);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Derivative of f at x by central differences, for user functions, whose derivatives are not known.
// The error of about 1e-10 relative only enters the tangent, never the residual.
template <class F>
auto centralDifference(const F& f, Real x) {
  const Real step = 6e-6 * std::max(1e-2, std::abs(x));
  const auto above = f(x + step);
  const auto below = f(x - step);
  return decltype(f(x))((above - below) / (2 * step));
}

// Time derivative at t of a function that an author gives, to fourth order from values at t and
// later, for motions often begin at a start before which they are not defined. The step is a power
// of two, so that sums with it are exact: with the default one about 1e-11 of the function is
// rounding, and 1e-12 of an oscillation of 1 Hz is the order of the difference.
template <class F>
auto timeDerivative(const F& f, Real t, Real step = 0x1p-13) {
  using Value = decltype(f(t));
  const Value now = f(t), f1 = f(t + step), f2 = f(t + 2 * step), f3 = f(t + 3 * step),
              f4 = f(t + 4 * step);
  return Value((48 * (f1 - now) - 36 * (f2 - now) + 16 * (f3 - now) - 3 * (f4 - now)) /
               (12 * step));
}
// For the derivative of a function that is itself a timeDerivative(); 1e-7 of it is rounding.
inline constexpr Real repeatedTimeStep = 0x1p-10;

}  // namespace catena
