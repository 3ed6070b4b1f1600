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

}  // namespace catena
