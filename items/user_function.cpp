#include "items/user_function.h"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "items/field.h"
#include "kernels/per_thread.h"

namespace catena {
namespace {

void prepare(mu::Parser& parser) {
  parser.DefineConst("pi", 3.14159265358979323846);
  // atan2 is built in; log is the natural logarithm as in C, Python and the modelling language
  parser.DefineFun("log", [](mu::value_type x) -> mu::value_type { return std::log(x); });
}

using Texts = std::vector<std::string>;

// Some expressions ready for evaluation. They read the arguments from here, so that every thread
// needs its own.
struct Program {
  std::vector<Real> arguments;
  std::vector<mu::Parser> parsers;

  // Throws mu::Parser::exception_type; parsers has then one entry for every expression before.
  void compile(const Texts& expressions, const Texts& names) {
    arguments.assign(names.size(), 0);
    parsers.clear();
    parsers.reserve(expressions.size());
    for (const std::string& text : expressions) {
      mu::Parser& parser = parsers.emplace_back();
      try {
        prepare(parser);
        for (std::size_t k = 0; k < names.size(); ++k) parser.DefineVar(names[k], &arguments[k]);
        parser.SetExpr(text);
        parser.Eval();
      } catch (...) {
        parsers.pop_back();
        throw;
      }
    }
  }
};

// What all functions of the same text share.
struct Source {
  Texts expressions, names;
  PerThread<Program> programs;

  Program& program() {
    Program& p = programs.local();
    if (p.parsers.size() != expressions.size()) p.compile(expressions, names);
    return p;
  }
};

// The source of these expressions; there is one as long as a function uses it.
std::shared_ptr<Source> sourceOf(const Texts& expressions, const Texts& names) {
  static std::mutex mutex;
  static std::map<std::pair<Texts, Texts>, std::weak_ptr<Source>> sources;
  static std::size_t swept = 16;  // sources from which those without functions are looked for
  const std::lock_guard lock(mutex);
  std::weak_ptr<Source>& known = sources[{expressions, names}];
  std::shared_ptr<Source> source = known.lock();
  if (!source) {
    if (sources.size() >= swept) {  // not at every new one: their number grows in between
      std::erase_if(sources,
                    [&](const auto& s) { return &s.second != &known && s.second.expired(); });
      swept = 2 * sources.size() + 16;
    }
    source = std::make_shared<Source>();
    source->expressions = expressions;
    source->names = names;
    known = source;
  }
  return source;
}

[[noreturn]] void refuse(Source& source, const mu::Parser::exception_type& error,
                         const std::string& where) {
  const std::string& text = source.expressions[source.programs.local().parsers.size()];
  std::string message = where + ": expression '" + text + "'";
  const int position = static_cast<int>(error.GetPos());
  if (position >= 0 && position <= static_cast<int>(text.size()))
    message += ", position " + std::to_string(position + 1);
  message += ": " + error.GetMsg() + " (known names:";
  for (const auto& name : source.names) message += " " + name;
  throw ModelError(message + ")");
}

}  // namespace

struct CompiledFunction::Implementation {
  std::shared_ptr<Source> source;
  std::shared_ptr<const Callable> callable;
  std::vector<std::string> names;
  std::string where;
};

CompiledFunction::CompiledFunction(const UserFunction& function,
                                   std::vector<std::string> argumentNames, int resultCount,
                                   const std::string& where) {
  if (!function.defined()) return;
  if (!function.callable && static_cast<int>(function.expressions.size()) != resultCount)
    throw ModelError(where + " has " + std::to_string(function.expressions.size()) +
                     " expressions: expected " + std::to_string(resultCount));
  implementation_ = std::make_unique<Implementation>();
  Implementation& f = *implementation_;
  f.where = where;
  f.callable = function.callable;
  if (!f.callable) {
    f.source = sourceOf(function.expressions, argumentNames);
    try {
      f.source->program();
    } catch (const mu::Parser::exception_type& error) {
      refuse(*f.source, error, where);
    }
  }
  f.names = std::move(argumentNames);
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
    Program& p = f.source->program();
    std::copy_n(arguments.begin(), p.arguments.size(), p.arguments.begin());
    for (std::size_t i = 0; i < p.parsers.size(); ++i) results[i] = p.parsers[i].Eval();
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
