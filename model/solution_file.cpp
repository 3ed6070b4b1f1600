#include "model/solution_file.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/text_file.h"

namespace catena {
namespace {

// Names of more coordinates than this are given by a rule.
constexpr int mostNames = 20000;

// An identifier of the HDF5 library; negative: the call that made it failed.
template <herr_t (*closeFunction)(hid_t)>
class Handle {
 public:
  Handle(hid_t id = H5I_INVALID_HID) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) closeFunction(id_);
  }
  operator hid_t() const { return id_; }
  bool close() { return id_ < 0 || closeFunction(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_;
};
using File = Handle<H5Fclose>;
using DataSet = Handle<H5Dclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Attribute = Handle<H5Aclose>;
using PropertyList = Handle<H5Pclose>;

// The library tells the reason of the system inside a longer text of its innermost error.
std::string reasonOfLastError() {
  std::string reason = "unknown reason";
  const auto first = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    *static_cast<std::string*>(out) = error->desc ? error->desc : "";
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first, &reason);
  constexpr std::string_view before = "error message = '";
  if (const auto begin = reason.find(before); begin != std::string::npos) {
    const auto from = begin + before.size();
    reason = reason.substr(from, reason.find('\'', from) - from);
  }
  return reason;
}

struct RowSet {
  DataSet set;
  hsize_t columns = 0;
  hsize_t chunkRows = 1, chunkColumns = 1;
  const VectorX State::*member = nullptr;  // nullptr: the time
};

// Takes room on the disk before the library needs it: a write that failed in its middle would leave
// a file that cannot be read, with all rows before. Not every file system can do this.
class Reservation {
 public:
  explicit Reservation(int file = -1) : file_(file) {}
  Reservation(Reservation&& other) noexcept { *this = std::move(other); }
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Reservation() {
    if (file_ >= 0) ::close(file_);
  }

  // Returns 0 or the error of the system.
  int grow(off_t needed) {
    if (file_ < 0 || needed <= size_) return 0;
    const off_t generous = needed + (1 << 20);
    if (fallocate(file_, 0, 0, generous) == 0) {
      size_ = generous;
      return 0;
    }
    if (fallocate(file_, 0, 0, needed) == 0) {
      size_ = needed;
      return 0;
    }
    return errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : 0;
  }
  // Gives back what was not needed.
  bool finish(off_t used) {
    if (file_ < 0 || size_ == 0) return true;
    struct stat status {};
    return fstat(file_, &status) == 0 && (status.st_size <= used || ftruncate(file_, used) == 0);
  }

 private:
  int file_ = -1;
  off_t size_ = 0;
};

// Unit of a node's coordinate: the parameter gives "m, rad" for translations and what follows them.
std::string unitOfCoordinate(const Field* parameter, bool rotation) {
  if (!parameter) return {};
  const std::string unit(parameter->unit);
  const auto comma = unit.find(", ");
  if (comma == std::string::npos) return unit;
  return rotation ? unit.substr(comma + 2) : unit.substr(0, comma);
}

struct StateUnits {
  std::vector<std::string> q, v, a;
};

StateUnits unitsOfCoordinates(const System& system) {
  StateUnits units;
  for (int node = 0; node < system.count(Category::node); ++node) {
    const NodeLayout& layout = system.layout({node});
    const ItemType& type = system.typeOf(Category::node, node);
    for (int i = 0; i < layout.coordinates; ++i) {
      const bool rotation = layout.hasFrame && i >= layout.shape.translations;
      std::string q = unitOfCoordinate(type.findField("referenceCoordinates"), rotation);
      std::string v = unitOfCoordinate(type.findField("initialVelocities"), rotation);
      std::string a = v.ends_with("/s") ? v + "^2" : v;
      units.q.push_back(std::move(q));
      units.v.push_back(std::move(v));
      units.a.push_back(std::move(a));
    }
  }
  return units;
}

}  // namespace

struct SolutionFile::Implementation {
  std::string path;
  Reservation reservation;
  File file;
  std::vector<RowSet> sets;
  hsize_t rows = 0;
  hsize_t startSize = 0;  // of the file without rows

  [[noreturn]] void fail() { throw WriteError(path + ": writing failed: " + reasonOfLastError()); }
  hid_t need(hid_t id) { return id >= 0 ? id : (fail(), id); }
  void must(herr_t status) {
    if (status < 0) fail();
  }

  void create(const std::string& name) {
    // The library would hide why the system refuses.
    const int probe = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (probe < 0) throw ModelError(name + ": cannot be written: " + std::strerror(errno));
    reservation = Reservation(probe);
    path = name;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // messages are ours
    const PropertyList access(H5Pcreate(H5P_FILE_ACCESS));
    // Attributes above 64 kB, for names, exist since this version of the format.
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    file = File(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    if (file < 0) throw ModelError(name + ": cannot be written: " + reasonOfLastError());
  }

  void addAttribute(hid_t owner, const char* name, const std::string& text) {
    addAttribute(owner, name, std::vector<std::string>{text}, true);
  }
  void addAttribute(hid_t owner, const char* name, const std::vector<std::string>& texts,
                    bool scalar = false) {
    std::size_t width = 1;
    for (const auto& t : texts) width = std::max(width, t.size());
    std::string packed;
    for (const auto& t : texts) packed += t + std::string(width - t.size(), '\0');
    const Type type(need(H5Tcopy(H5T_C_S1)));
    must(H5Tset_size(type, width));
    must(H5Tset_strpad(type, H5T_STR_NULLPAD));
    must(H5Tset_cset(type, H5T_CSET_UTF8));
    const hsize_t count = texts.size();
    const Space space(need(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr)));
    const Attribute attribute(need(H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT)));
    must(H5Awrite(attribute, type, packed.data()));
  }

  // Returns the new set, or an invalid handle for no columns.
  hid_t addSet(const char* name, hsize_t columns, const VectorX State::*member) {
    if (columns == 0) return H5I_INVALID_HID;
    const int rank = member ? 2 : 1;
    const hsize_t size[] = {0, columns}, most[] = {H5S_UNLIMITED, columns};
    // A chunk of at most half a megabyte: a partly filled one stays in the cache of the library.
    const hsize_t chunkColumns = std::min<hsize_t>(columns, 65536);
    const hsize_t chunk[] = {std::clamp<hsize_t>(65536 / chunkColumns, 1, 256), chunkColumns};
    const PropertyList creation(need(H5Pcreate(H5P_DATASET_CREATE)));
    must(H5Pset_chunk(creation, rank, chunk));
    const Space space(need(H5Screate_simple(rank, size, most)));
    DataSet set(
        need(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT)));
    sets.push_back({std::move(set), columns, chunk[0], chunkColumns, member});
    return sets.back().set;
  }

  template <class Name>
  void addNames(hid_t set, int count, const Name& name, const std::string& rule) {
    if (set < 0) return;
    if (count > mostNames) return addAttribute(set, "names", rule);
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(name(i));
    addAttribute(set, "names", names);
  }

  void addCoordinates(const System& system, const SolutionSettings& solution) {
    const int n = system.coordinates();
    const StateUnits units = n > mostNames ? StateUnits{} : unitsOfCoordinates(system);
    const auto add = [&](const char* name, const VectorX State::*member,
                         const std::vector<std::string>& unit, const char* unitRule) {
      const hid_t set = addSet(name, n, member);
      addNames(
          set, n, [&](int i) { return system.coordinateName(i); },
          "coordinates node by node, in the order of the nodes of the model");
      if (set < 0) return;
      if (n > mostNames)
        addAttribute(set, "units", unitRule);
      else
        addAttribute(set, "units", unit);
    };
    add("q", &State::q, units.q, "m for translations; rad, or 1 for Euler parameters");
    if (solution.exportVelocities)
      add("v", &State::v, units.v, "m/s for translations; rad/s, or 1/s for Euler parameters");
    if (solution.exportAccelerations)
      add("a", &State::a, units.a,
          "m/s^2 for translations; rad/s^2, or 1/s^2 for Euler parameters");
  }

  void addOthers(const System& system, const SolutionSettings& solution) {
    const State& s = system.state();
    addSet("y", s.y.size(), &State::y);
    if (solution.exportAlgebraicCoordinates) {
      const hid_t set = addSet("multipliers", s.multipliers.size(), &State::multipliers);
      addNames(
          set, static_cast<int>(s.multipliers.size()),
          [&](int i) { return system.multiplierName(i); },
          "multipliers object by object, in the order of the objects of the model");
      if (set >= 0) addAttribute(set, "units", "N for translations, N m for rotations");
    }
    if (solution.exportDataCoordinates) {
      const hid_t set = addSet("data", s.data.size(), &State::data);
      addNames(
          set, static_cast<int>(s.data.size()), [&](int i) { return system.dataName(i); },
          "data variables node by node, in the order of the nodes of the model");
    }
  }

  // Room for one more row: whole chunks, their entries in the index, and something for the rest.
  void reserveRow() {
    hsize_t needed = startSize + 65536;
    for (const RowSet& set : sets) {
      const auto chunks = (rows / set.chunkRows + 1) * ((set.columns - 1) / set.chunkColumns + 1);
      needed += chunks * (set.chunkRows * set.chunkColumns * sizeof(Real) + 256);
    }
    if (const int error = reservation.grow(static_cast<off_t>(needed)))
      throw WriteError(path + ": writing failed: " + std::strerror(error));
  }

  void appendRow(RowSet& set, const Real* values) {
    const int rank = set.member ? 2 : 1;
    const hsize_t size[] = {rows + 1, set.columns}, start[] = {rows, 0}, count[] = {1, set.columns};
    must(H5Dset_extent(set.set, size));
    const Space target(need(H5Dget_space(set.set)));
    must(H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, count, nullptr));
    const Space source(need(H5Screate_simple(rank, count, nullptr)));
    must(H5Dwrite(set.set, H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT, values));
  }
};

SolutionFile::SolutionFile(const std::string& path, const System& system,
                           const SimulationSettings& settings, const Provenance& provenance)
    : implementation_(std::make_unique<Implementation>()) {
  // At the end of the program the library would try again to write what a full disk refused.
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
  Implementation& f = *implementation_;
  f.create(path);
  for (const auto& [name, text] : provenanceEntries(provenance))
    f.addAttribute(f.file, name.c_str(), text);
  f.addAttribute(f.file, "settings", settingsText(settings));
  f.addAttribute(f.addSet("time", 1, nullptr), "units", "s");
  f.addCoordinates(system, settings.solutionSettings);
  f.addOthers(system, settings.solutionSettings);
  f.must(H5Fflush(f.file, H5F_SCOPE_LOCAL));  // readable from now on, whatever happens
  f.must(H5Fget_filesize(f.file, &f.startSize));
}

SolutionFile::~SolutionFile() = default;
SolutionFile::SolutionFile(SolutionFile&&) noexcept = default;

void SolutionFile::append(const State& state) {
  Implementation& f = *implementation_;
  f.reserveRow();
  for (RowSet& set : f.sets)
    f.appendRow(set, set.member ? (state.*set.member).data() : &state.time);
  ++f.rows;
}

void SolutionFile::flush() {
  implementation_->must(H5Fflush(implementation_->file, H5F_SCOPE_LOCAL));
}

void SolutionFile::close() {
  Implementation& f = *implementation_;
  if (f.file < 0) return;
  const bool flushed = H5Fflush(f.file, H5F_SCOPE_LOCAL) >= 0;
  const std::string reason = flushed ? std::string() : reasonOfLastError();
  hsize_t size = 0;
  bool closed = H5Fget_filesize(f.file, &size) >= 0;
  for (RowSet& set : f.sets) closed = set.set.close() && closed;
  closed = f.file.close() && closed;
  if (flushed && closed && !f.reservation.finish(static_cast<off_t>(size)))
    throw WriteError(f.path + ": closing failed: " + std::strerror(errno));
  if (!flushed) throw WriteError(f.path + ": writing failed: " + reason);
  if (!closed) f.fail();
}

}  // namespace catena
