// Text output of which every write is checked.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/types.h"

namespace catena {

// A file could not be written or closed, e.g. because the disk is full. The message names the file.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TextFile {
 public:
  // Creates the file; throws ModelError with the system's reason if that is refused.
  explicit TextFile(const std::string& path);
  // Writes to a stream of somebody else, which stays open; name is for messages.
  TextFile(std::FILE* stream, std::string name);
  ~TextFile();
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;

  // Throw WriteError. Text reaches the file at flush() and close() at the latest.
  void write(std::string_view text);
  void flush();
  void close();

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error);

  std::string path_;
  std::FILE* file_ = nullptr;
  bool owned_ = true;
};

// Appends a number with the fewest digits that give the same number back, or with a given
// precision.
void appendNumber(std::string& text, Real x);
void appendNumber(std::string& text, long long x);
void appendNumber(std::string& text, Real x, int digits);

// Text as a JSON string, with quotes.
std::string jsonString(std::string_view text);

}  // namespace catena
