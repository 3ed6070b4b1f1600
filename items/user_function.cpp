#include "items/user_function.h"

#include <muParser.h>

#include <cmath>

#include "items/field.h"

namespace catena {
namespace {

void prepare(mu::Parser& parser) {
  parser.DefineConst("pi", 3.14159265358979323846);
  // atan2 is built in; log is the natural logarithm as in C, Python and the modelling language
  parser.DefineFun("log", [](mu::value_type x) -> mu::value_type { return std::log(x); });
}

}  // namespace

struct CompiledFunction::Implementation {
  std::vector<mu::Parser> parsers;
  std::vector<Real> arguments;
  std::vector<std::string> names;
  std::shared_ptr<const Callable> callable;
  std::vector<std::string> expressions;
  std::string where;
};

CompiledFunction::CompiledFunction(const UserFunction& function,
                                   std::vector<std::string> argumentNames, int resultCount,
                                   const std::string& where) {
  if (!function.defined()) return;
  implementation_ = std::make_unique<Implementation>();
  Implementation& f = *implementation_;
  f.where = where;
  f.arguments.resize(argumentNames.size());
  f.names = std::move(argumentNames);
  f.callable = function.callable;
  if (f.callable) return;
  f.expressions = function.expressions;
  if (static_cast<int>(f.expressions.size()) != resultCount)
    throw ModelError(where + " has " + std::to_string(f.expressions.size()) +
                     " expressions: expected " + std::to_string(resultCount));
  f.parsers.resize(f.expressions.size());
  for (std::size_t i = 0; i < f.expressions.size(); ++i) {
    mu::Parser& parser = f.parsers[i];
    try {
      prepare(parser);
      for (std::size_t k = 0; k < f.names.size(); ++k)
        parser.DefineVar(f.names[k], &f.arguments[k]);
      parser.SetExpr(f.expressions[i]);
      parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
      std::string message = where + ": expression '" + f.expressions[i] + "'";
      const int position = static_cast<int>(error.GetPos());
      if (position >= 0 && position <= static_cast<int>(f.expressions[i].size()))
        message += ", position " + std::to_string(position + 1);
      message += ": " + error.GetMsg() + " (known names:";
      for (const auto& name : f.names) message += " " + name;
      throw ModelError(message + ")");
    }
  }
}

CompiledFunction::CompiledFunction() = default;
CompiledFunction::~CompiledFunction() = default;
CompiledFunction::CompiledFunction(CompiledFunction&&) noexcept = default;
CompiledFunction& CompiledFunction::operator=(CompiledFunction&&) noexcept = default;

bool CompiledFunction::serial() const { return implementation_ && implementation_->callable; }

void CompiledFunction::evaluate(std::span<const Real> arguments, std::span<Real> results) {
  Implementation& f = *implementation_;
  if (f.callable) {
    (*f.callable)(arguments, results);
  } else {
    for (std::size_t k = 0; k < f.arguments.size(); ++k) f.arguments[k] = arguments[k];
    for (std::size_t i = 0; i < f.parsers.size(); ++i) results[i] = f.parsers[i].Eval();
  }
  for (const Real r : results)
    if (!std::isfinite(r)) {
      std::string message = f.where + " gives " + valueText(r) + " for";
      for (std::size_t k = 0; k < f.names.size() && k < 8; ++k)
        message += " " + f.names[k] + " = " + valueText(arguments[k]);
      throw ModelError(message);
    }
}

}  // namespace catena
