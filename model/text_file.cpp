#include "model/text_file.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "items/field.h"

namespace catena {

TextFile::TextFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw ModelError(path + ": cannot be written: " + std::strerror(errno));
}

TextFile::TextFile(std::FILE* stream, std::string name)
    : path_(std::move(name)), file_(stream), owned_(false) {}

TextFile::TextFile(TextFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)),
      owned_(other.owned_) {}

TextFile::~TextFile() {
  if (file_ && owned_) std::fclose(file_);  // reached only after an error: nobody left to tell
}

void TextFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void TextFile::flush() {
  if (std::fflush(file_) != 0) fail(errno);
}

void TextFile::close() {
  if (!file_) return;
  if (!owned_) return flush();
  // Some file systems tell only here that the disk is full.
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
}

void TextFile::fail(int error) {
  throw WriteError(path_ + ": writing failed: " + std::strerror(error));
}

void appendNumber(std::string& text, Real x) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
}

void appendNumber(std::string& text, long long x) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
}

void appendNumber(std::string& text, Real x, int digits) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, digits).ptr;
  text.append(buffer, end);
}

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace catena
