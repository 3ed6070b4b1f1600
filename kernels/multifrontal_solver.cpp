#include "kernels/multifrontal_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <stdexcept>

#include "kernels/elimination_order.h"

namespace catena {
namespace {

// Blocks above this size must be dense inside, else KLU orders them better.
constexpr int largestSparseBlock = 64;
// A pivot counts as zero below this part of the terms that it is the sum of. For multipliers it is
// the square of a singular value of the constraint Jacobian.
constexpr Real vanishingPivot = 1e-11;
// Rows that were found redundant stay so until their pivots grow above this part.
constexpr Real reviving = 1e-6;
// Diagonal pivots are kept while they are not smaller than this part of the largest candidate: with
// positive definite masses they are good ones however small.
constexpr Real diagonalPreference = 1e-6;
// Fronts are merged into their parents if that stores few zeros.
constexpr int mergeFrom = 24, mergedPivots = 96;
constexpr Real mergedZeros = 0.15;

// Another order is tried where elimination takes more operations than this.
constexpr Real worthDissection = 2e7;

// Subtrees become tasks if they are at least this part of the work, and this many operations.
constexpr int largestTaskCount = 64;
constexpr Real smallestTask = 2e5;

// Large fronts are eliminated in panels of columns; the other columns follow in tiles, which
// threads share.
constexpr int panelColumns = 64, tileColumns = 64;

constexpr std::size_t rememberedFronts = 16;  // that others may look like

int padded(int n) { return (n + 3) & ~3; }

// Entries that lie side by side in the matrix and in a column of a front.
struct Run {
  int from;  // place in the column of the matrix
  int to;    // position in the front
  std::uint16_t column, count;
  bool operator==(const Run&) const = default;
};

// Fronts that one thread works on, with its own memory.
struct Task {
  std::vector<int> fronts;  // ascending
  std::vector<Real> work;   // a column of a front
  int failed = -1;          // front whose pivots vanished
};

// One dense front: pivot rows, then rows that belong to its ancestors.
struct Front {
  int pivots = 0, size = 0;
  int redundant = 0;  // of the pivots, the last ones
  int parent = -1;
  int firstRow = 0;              // in rows_
  int firstPivot = 0;            // in pivotRow_
  int firstChild = 0;            // in children_
  int firstRun = 0, endRun = 0;  // in runs_
  int firstUpdate = 0;           // in updateRow_: positions of the update rows in the parent
  bool contiguous = false;       // are these
  long long entries = 0;         // in entries_: its pivot columns, then its pivot rows
  long long update = -1;         // in updates_: what it leaves to its parent, column by column
  int updates() const { return size - pivots; }
  int leading() const { return padded(size); }
  int leadingRows() const { return padded(pivots); }  // of the part with the pivot rows
  long long columnEntries() const { return static_cast<long long>(leading()) * pivots; }
  long long storedEntries() const {
    return columnEntries() + static_cast<long long>(leadingRows()) * updates();
  }
  long long updateEntries() const { return static_cast<long long>(updates()) * updates(); }
};

// Four numbers that are added and multiplied at once, at any address.
typedef Real Pack __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long Lanes __attribute__((vector_size(32)));
constexpr int packSize = 4;

inline Pack load(const Real* from) { return *reinterpret_cast<const Pack*>(from); }
inline void store(Real* to, const Pack& p) { *reinterpret_cast<Pack*>(to) = p; }

// Loops over registers stay in registers only if all of them is inlined.
#define CATENA_INLINE __attribute__((always_inline))

// One lane of a pack in all lanes.
template <int lane>
Pack spread(const Pack& p) {
  return __builtin_shuffle(p, Lanes{lane, lane, lane, lane});
}
// Zero up to and with that lane.
template <int lane>
Pack after(const Pack& p) {
  constexpr Lanes mask = {lane < 0 ? -1 : 0, lane < 1 ? -1 : 0, lane < 2 ? -1 : 0,
                          lane < 3 ? -1 : 0};
  return reinterpret_cast<Pack>(reinterpret_cast<Lanes>(p) & mask);
}

// f(std::integral_constant<int, k>) for k = 0 ... count - 1; stops where f gives false.
template <int count, class F>
CATENA_INLINE inline void forConstants(const F& f) {
  [&]<int... k>(std::integer_sequence<int, k...>) CATENA_INLINE {
    (f(std::integral_constant<int, k>{}) && ...);
  }
  (std::make_integer_sequence<int, count>{});
}
template <int count, class F>
CATENA_INLINE inline void forConstantsDown(const F& f) {
  forConstants<count>(
      [&](auto k) CATENA_INLINE { return f(std::integral_constant<int, count - 1 - k>{}), true; });
}

// Columns of a front, or of right-hand sides, with rows rows in registers.
template <int rows, int columns>
struct Columns {
  static constexpr int packs = rows / packSize;
  Pack x[columns * packs];

  template <int column>
  void read(const Real* from) {
    for (int p = 0; p < packs; ++p) x[column * packs + p] = load(from + p * packSize);
  }
  template <int column>
  void write(Real* to) const {
    for (int p = 0; p < packs; ++p) store(to + p * packSize, x[column * packs + p]);
  }

  // L^-1 x, with the first pivots columns of L in F.
  CATENA_INLINE void eliminate(const Real* F, int pivots) {
    forConstants<rows>([&](auto constant) CATENA_INLINE {
      constexpr int k = constant, own = k / packSize, lane = k % packSize;
      if (k >= pivots) return false;
      const Real* l = F + k * rows;
      Pack factor[columns];
      for (int c = 0; c < columns; ++c) factor[c] = spread<lane>(x[c * packs + own]);
      if constexpr (lane + 1 < packSize) {
        const Pack below = after<lane>(load(l + own * packSize));
        for (int c = 0; c < columns; ++c) x[c * packs + own] -= factor[c] * below;
      }
      for (int p = own + 1; p < packs; ++p) {
        const Pack below = load(l + p * packSize);
        for (int c = 0; c < columns; ++c) x[c * packs + p] -= factor[c] * below;
      }
      return true;
    });
  }
};

// Brings the pivot of column k to its row.
void takePivot(Real* F, int ld, int size, int k, int pivots, int* pivotRow) {
  const Real* column = F + k * ld;
  int pivot = k;
  Real largest = 0;
  for (int i = k + 1; i < pivots; ++i)
    if (std::abs(column[i]) > largest) largest = std::abs(column[i]), pivot = i;
  if (std::abs(column[k]) >= diagonalPreference * largest) pivot = k;
  pivotRow[k] = pivot;
  if (pivot != k)
    for (int j = 0; j < size; ++j) std::swap(F[j * ld + k], F[j * ld + pivot]);
}

bool isRegular(Real pivot, Real terms) {
  return std::abs(pivot) > vanishingPivot * terms && std::isfinite(pivot);
}

// Elimination in place of the first pivots columns of a front F with leading dimension ld: [L \ U |
// U12; L21 | A22 - L21 U12], unit lower triangular L, and the reciprocals of the pivots on the
// diagonal. Pivots are sought among the first pivots rows. terms: for each of the first own
// columns, the sum of the magnitudes of the terms of its diagonal entry. Returns the column whose
// pivot vanished, or pivots. Column by column: each one is updated by all columns before it.
template <int ld>
int eliminateSmall(Real* F, int size, int own, int pivots, int* pivotRow, Real* terms) {
  const auto sumTerms = [&](int j) {
    const Real* column = F + j * ld;
    const Real* row = F + j;
    const int count = std::min(j, pivots);
    Real even = 0, odd = 0;
    int k = 0;
    for (; k + 1 < count; k += 2) {
      even += std::abs(column[k] * row[k * ld]);
      odd += std::abs(column[k + 1] * row[(k + 1) * ld]);
    }
    if (k < count) even += std::abs(column[k] * row[k * ld]);
    terms[j] += even + odd;
  };
  for (int j = 0; j < own; ++j) terms[j] = std::abs(F[j * ld + j]);
  for (int j = 0; j < pivots; ++j) {
    Real* column = F + j * ld;
    Columns<ld, 1> a;
    a.template read<0>(column);
    a.eliminate(F, j);
    a.template write<0>(column);
    sumTerms(j);
    const int packed = padded(j + 1);  // first row below that begins a pack
    Pack squares = {};
    for (int i = packed; i < ld; i += packSize) squares += load(column + i) * load(column + i);
    Real below = squares[0] + squares[1] + squares[2] + squares[3];
    for (int i = j + 1; i < packed; ++i) below += column[i] * column[i];
    pivotRow[j] = j;
    if (!(below * diagonalPreference * diagonalPreference < column[j] * column[j]))
      takePivot(F, ld, size, j, pivots, pivotRow);
    if (!isRegular(column[j], terms[j])) return j;
    const Real reciprocal = 1 / column[j];
    for (int i = packed; i < ld; i += packSize) store(column + i, reciprocal * load(column + i));
    for (int i = j + 1; i < packed; ++i) column[i] *= reciprocal;
    column[j] = reciprocal;
  }
  int j = pivots;
  for (; j + 1 < size; j += 2) {
    Columns<ld, 2> a;
    a.template read<0>(F + j * ld);
    a.template read<1>(F + (j + 1) * ld);
    a.eliminate(F, pivots);
    a.template write<0>(F + j * ld);
    a.template write<1>(F + (j + 1) * ld);
  }
  if (j < size) {
    Columns<ld, 1> a;
    a.template read<0>(F + j * ld);
    a.eliminate(F, pivots);
    a.template write<0>(F + j * ld);
  }
  for (int k = pivots; k < own; ++k) sumTerms(k);
  return pivots;
}

// y <- L^-1 y
template <int ld>
void forwardSmall(const Real* F, int pivots, Real* y) {
  Columns<ld, 1> a;
  a.template read<0>(y);
  a.eliminate(F, pivots);
  a.template write<0>(y);
}

// The parts of an eliminated front that solutions need: all rows of its own columns, the rows of
// its own pivots of the others.
struct Factors {
  const Real* own;
  int ld, ownColumns;
  const Real* others;
  int ldOthers;
  const Real* column(int j) const {
    return j < ownColumns ? own + j * ld : others + (j - ownColumns) * ldOthers;
  }
};

// y <- U^-1 (y - sum of the columns from pivots on times theirs), padded(pivots) = rows. update(j):
// the unknown of column j.
template <int rows, class Update>
void backwardSmall(const Factors& F, int size, int pivots, Real* y, const Update& update) {
  constexpr int packs = rows / packSize;
  Pack x[packs];
  for (int p = 0; p < packs; ++p) x[p] = load(y + p * packSize);
  for (int j = pivots; j < size; ++j) {
    const Real factor = update(j);
    const Real* column = F.column(j);
    for (int p = 0; p < packs; ++p) x[p] -= factor * load(column + p * packSize);
  }
  // lanes at and below the diagonal are of no use and not used
  forConstantsDown<rows>([&](auto constant) CATENA_INLINE {
    constexpr int k = constant, own = k / packSize, lane = k % packSize;
    if (k >= pivots) return;
    const Real* column = F.own + k * F.ld;
    const Real value = x[own][lane] * column[k];
    y[k] = value;
    for (int p = 0; p <= own; ++p) x[p] -= value * load(column + p * packSize);
  });
}

void forwardLarge(const Real* F, int ld, int size, int pivots, Real* y) {
  for (int k = 0; k < pivots; ++k) {
    const Real* column = F + k * ld;
    const Real factor = y[k];
    for (int i = k + 1; i < size; ++i) y[i] -= factor * column[i];
  }
}

// As backwardSmall() for any size.
template <class Update>
void backwardLarge(const Factors& F, int size, int pivots, Real* y, const Update& update) {
  const auto subtract = [&](const Real* column, Real factor, int rows) {
    for (int i = 0; i < rows; ++i) y[i] -= factor * column[i];
  };
  for (int j = pivots; j < size; ++j) subtract(F.column(j), update(j), pivots);
  for (int k = pivots - 1; k >= 0; --k) {
    const Real* column = F.own + k * F.ld;
    y[k] *= column[k];
    subtract(column, y[k], k);
  }
}

// to[i] = from[i] or to[i] += from[i] for short rows.
inline void copyShort(Real* to, const Real* from, int count) {
  if (count >= packSize) {
    for (int i = 0; i + packSize < count; i += packSize) store(to + i, load(from + i));
    store(to + count - packSize, load(from + count - packSize));  // may overlap the one before
  } else {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }
}
inline void addShort(Real* to, const Real* from, int count) {
  int i = 0;
  for (; i + packSize <= count; i += packSize) store(to + i, load(to + i) + load(from + i));
  for (; i < count; ++i) to[i] += from[i];
}

// C -= L U for rows of L that are packed into the columns of panel, and the columns of U.
template <int packs, int columns>
CATENA_INLINE inline void subtractPanel(Real* C, int ld, const Real* panel, const Real* U,
                                        int depth) {
  Pack sum[packs * columns];
  for (int c = 0; c < columns; ++c)
    for (int p = 0; p < packs; ++p) sum[c * packs + p] = load(C + c * ld + p * packSize);
  for (int k = 0; k < depth; ++k) {
    Pack l[packs];
    for (int p = 0; p < packs; ++p) l[p] = load(panel + (k * packs + p) * packSize);
    for (int c = 0; c < columns; ++c) {
      const Real u = U[c * ld + k];
      for (int p = 0; p < packs; ++p) sum[c * packs + p] -= u * l[p];
    }
  }
  for (int c = 0; c < columns; ++c)
    for (int p = 0; p < packs; ++p) store(C + c * ld + p * packSize, sum[c * packs + p]);
}

template <int packs>
void subtractRows(Real* C, const Real* L, const Real* U, int ld, int depth, int columns) {
  alignas(32) Real panel[packs * packSize * panelColumns];
  for (int k = 0; k < depth; ++k)
    for (int p = 0; p < packs; ++p)
      store(panel + (k * packs + p) * packSize, load(L + k * ld + p * packSize));
  int c = 0;
  for (; c + 4 <= columns; c += 4)
    subtractPanel<packs, 4>(C + c * ld, ld, panel, U + c * ld, depth);
  for (; c < columns; ++c) subtractPanel<packs, 1>(C + c * ld, ld, panel, U + c * ld, depth);
}

// C -= L U: blocks of one front with leading dimension ld, rows x depth times depth x columns.
void subtractProduct(Real* C, const Real* L, const Real* U, int ld, int rows, int depth,
                     int columns) {
  int row = 0;
  for (; row % packSize != rows % packSize; ++row)
    for (int c = 0; c < columns; ++c)
      for (int k = 0; k < depth; ++k) C[row + c * ld] -= L[row + k * ld] * U[k + c * ld];
  for (; row + 3 * packSize <= rows; row += 3 * packSize)
    subtractRows<3>(C + row, L + row, U, ld, depth, columns);
  if (row + 2 * packSize <= rows)
    subtractRows<2>(C + row, L + row, U, ld, depth, columns);
  else if (row < rows)
    subtractRows<1>(C + row, L + row, U, ld, depth, columns);
}

// f(first, last) over columns begin ... end - 1: with a pool, which large fronts have, in tiles
// that do not depend on its number of threads.
template <class F>
CATENA_INLINE inline void forTiles(ThreadPool* pool, int begin, int end, const F& f) {
  if (!pool) {
    f(begin, end);
    return;
  }
  pool->forEach((end - begin + tileColumns - 1) / tileColumns, [&](int t) {
    const int first = begin + t * tileColumns;
    f(first, std::min(first + tileColumns, end));
  });
}

// A front too large for registers.
struct LargeFront {
  Real* F;
  int ld, size, own, pivots;  // ld = padded(size), rows from size on are zero
  int* pivotRow;
  Real* terms;

  Real& at(int i, int j) const { return F[static_cast<std::ptrdiff_t>(j) * ld + i]; }

  // Columns first ... last - 1 after the elimination of columns begin ... end - 1.
  void update(int begin, int end, int first, int last) const {
    solve(begin, end, first, last);
    for (int j = first; j < std::min(last, own); ++j)
      for (int k = begin; k < end; ++k) terms[j] += std::abs(at(k, j) * at(j, k));
    subtractProduct(&at(end, first), &at(end, begin), &at(begin, first), ld, ld - end, end - begin,
                    last - first);
  }

  // Their rows begin ... end - 1.
  void solve(int begin, int end, int first, int last) const {
    if (end - begin <= packSize) {
      for (int j = first; j < last; ++j)
        for (int k = begin; k < end; ++k)
          for (int i = k + 1; i < end; ++i) at(i, j) -= at(k, j) * at(i, k);
      return;
    }
    const int middle = begin + padded((end - begin) / 2);
    solve(begin, middle, first, last);
    subtractProduct(&at(middle, first), &at(middle, begin), &at(begin, first), ld, end - middle,
                    middle - begin, last - first);
    solve(middle, end, first, last);
  }

  // Eliminates columns begin ... end - 1 within them; begin is a multiple of packSize. Returns the
  // column whose pivot vanished, or end.
  int eliminate(int begin, int end) const {
    if (end - begin > packSize) {
      const int middle = begin + padded((end - begin) / 2);
      if (const int k = eliminate(begin, middle); k < middle) return k;
      update(begin, middle, middle, end);
      return eliminate(middle, end);
    }
    const int packed = begin + packSize;
    for (int k = begin; k < end; ++k) {
      takePivot(F, ld, size, k, pivots, pivotRow);
      Real* column = &at(0, k);
      if (!isRegular(column[k], terms[k])) return k;
      const Real reciprocal = column[k] = 1 / column[k];
      for (int i = k + 1; i < packed; ++i) column[i] *= reciprocal;
      for (int i = packed; i < ld; i += packSize) store(column + i, reciprocal * load(column + i));
      for (int j = k + 1; j < end; ++j) {
        Real* other = &at(0, j);
        const Real factor = other[k];
        terms[j] += std::abs(factor * column[j]);
        for (int i = k + 1; i < packed; ++i) other[i] -= factor * column[i];
        for (int i = packed; i < ld; i += packSize)
          store(other + i, load(other + i) - factor * load(column + i));
      }
    }
    return end;
  }
};

// Plain stores, about as fast as memset for the many small fronts: which instructions that takes
// depends on the processor, and would spoil the counts of `./dev bench instructions`.
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void clear(Real* from, Real* to) {
  for (; from != to; from += packSize) store(from, Pack{});
}

// As eliminateSmall() for any size, by products of matrices.
int eliminateLarge(const LargeFront& front, ThreadPool* pool) {
  for (int j = 0; j < front.own; ++j) front.terms[j] = std::abs(front.at(j, j));
  for (int begin = 0; begin < front.pivots; begin += panelColumns) {
    const int end = std::min(begin + panelColumns, front.pivots);
    if (const int k = front.eliminate(begin, end); k < end) return k;
    forTiles(pool, end, front.size,
             [&](int first, int last) { front.update(begin, end, first, last); });
  }
  return front.pivots;
}

// f with the leading dimension as a constant, or false if it is a large one.
template <class F>
bool withSmall(int ld, const F& f) {
  switch (ld) {
    case 4:
      return f(std::integral_constant<int, 4>{}), true;
    case 8:
      return f(std::integral_constant<int, 8>{}), true;
    case 12:
      return f(std::integral_constant<int, 12>{}), true;
    case 16:
      return f(std::integral_constant<int, 16>{}), true;
    case 20:
      return f(std::integral_constant<int, 20>{}), true;
    case 24:
      return f(std::integral_constant<int, 24>{}), true;
    case 28:
      return f(std::integral_constant<int, 28>{}), true;
    case 32:
      return f(std::integral_constant<int, 32>{}), true;
    default:
      return false;
  }
}

int eliminate(Real* F, int size, int own, int pivots, int* pivotRow, Real* terms,
              ThreadPool* pool) {
  int done = 0;
  if (withSmall(padded(size),
                [&](auto ld) { done = eliminateSmall<ld>(F, size, own, pivots, pivotRow, terms); }))
    return done;
  return eliminateLarge({F, padded(size), size, own, pivots, pivotRow, terms}, pool);
}

class MultifrontalSolver final : public LinearSolver {
 public:
  explicit MultifrontalSolver(std::shared_ptr<ThreadPool> pool) : pool_(std::move(pool)) {}

  // False if the blocks do not allow it.
  bool prepare(const CscMatrix& a, const BlockStructure& blocks) {
    blocks_ = blocks;
    isMultiplier_.clear();
    for (int b = 0; b < blocks.count(); ++b)
      isMultiplier_.resize(blocks.start[b + 1], blocks.isMultiplier[b]);
    const BlockGraph graph = makeBlockGraph(a, blocks);
    if (!canTake(a, blocks, graph)) return false;
    makeStructure(a, graph);
    return true;
  }

  std::string_view name() const override { return "multifrontal"; }
  void analyze(const CscMatrix&) override {}

  bool factor(const CscMatrix& a) override { return factor(a, nullptr, nullptr); }

  void solve(VectorX& rhs) override {
    ++counts_.solves;
    Real* x = rhs.data();
    pool_->forEach(static_cast<int>(tasks_.size()), [&](int t) { forward(tasks_[t], x); });
    forward(top_, x);
    backward(x);
  }

  // Every front takes the right-hand side along while it is in the cache.
  bool factorAndSolve(const CscMatrix& a, const VectorX& rhs, VectorX& x) override {
    x.resize(rhs.size());
    if (!factor(a, rhs.data(), x.data())) return false;
    ++counts_.solves;
    backward(x.data());
    return true;
  }

  void requestPivoting() override {
    for (Front& f : fronts_) f.redundant = 0;
    redundant_ = 0;
  }

  std::vector<int> redundantRows() const override {
    std::vector<int> rows;
    for (const Front& f : fronts_)
      for (int i = f.pivots - f.redundant; i < f.pivots; ++i) rows.push_back(rows_[f.firstRow + i]);
    return rows;
  }

  int redundantCount() const override { return redundant_; }

  // Operations of products of matrices are about eight times as fast as those of a solution, which
  // wait for the memory.
  Real factorCost() const override {
    Real factor = 0, solve = 0;
    for (const Front& f : fronts_) {
      factor += static_cast<Real>(f.pivots) * f.size * f.size;
      solve += 2.0 * f.pivots * f.size;
    }
    return factor / (8 * solve);
  }

  VectorX nullCombination(const VectorX& weights) override {
    VectorX x = VectorX::Zero(weights.size());
    backward(top_, x.data(), weights.data());
    for (Task& task : tasks_) backward(task, x.data(), weights.data());
    return x;
  }

  // Conjugate gradients on N^T N c = N^T x, x <- x - N c, with the null vectors as columns of N.
  void shorten(VectorX& x) override {
    if (redundant_ == 0) return;
    constexpr Real tolerance = 1e-10;
    VectorX gradient = applyTransposedNull(x), direction = gradient;
    Real squared = gradient.squaredNorm();
    const Real accepted = tolerance * tolerance * squared;
    for (int it = 0; it < redundant_ + 20 && squared > accepted; ++it) {
      const VectorX change = nullCombination(direction);
      const Real step = squared / change.squaredNorm();
      x -= step * change;
      gradient = applyTransposedNull(x);
      const Real next = gradient.squaredNorm();
      direction = gradient + (next / squared) * direction;
      squared = next;
    }
  }

 private:
  // N^T x, at the places of the redundant rows: nullCombination() backwards.
  VectorX applyTransposedNull(VectorX x) {
    for (Task& task : tasks_) transposedBackward(task, x.data());
    transposedBackward(top_, x.data());
    return x;
  }

  void transposedBackward(Task& task, Real* x) {
    Real* y = task.work.data();
    for (const int p : task.fronts) {
      const Front& f = fronts_[p];
      const int pivots = f.pivots - f.redundant;
      const Factors F = factorsOf(f);
      const int* rows = rows_.data() + f.firstRow;
      const auto above = [&](int j) {
        const Real* column = F.column(j);
        Real sum = 0;
        for (int i = 0; i < std::min(j, pivots); ++i) sum += column[i] * y[i];
        return sum;
      };
      for (int j = 0; j < pivots; ++j) y[j] = (x[rows[j]] - above(j)) * F.column(j)[j];
      for (int j = 0; j < pivots; ++j) x[rows[j]] = 0;
      for (int j = pivots; j < f.size; ++j) x[rows[j]] -= above(j);
    }
  }

  // With rhs: x becomes what forward() makes of it.
  bool factor(const CscMatrix& a, const Real* rhs, Real* x) {
    ++counts_.factorizations;
    if (factorFronts(a, rhs, x)) return true;
    if (!early_) return false;
    // a joint may not determine the node that it was eliminated with
    early_ = false;
    makeStructure(a, makeBlockGraph(a, blocks_));
    return factorFronts(a, rhs, x);
  }

  bool factorFronts(const CscMatrix& a, const Real* rhs, Real* x) {
    pool_->forEach(static_cast<int>(tasks_.size()),
                   [&](int t) { factorTask(tasks_[t], a, rhs, x); });
    for (Task& task : tasks_)
      while (task.failed >= 0) {  // seldom, and one after the other, for it changes the structure
        if (!dropRedundantRows(task.failed, a)) return false;
        factorTask(task, a, rhs, x);
      }
    for (;;) {
      factorTask(top_, a, rhs, x);
      if (top_.failed < 0) return true;
      if (!dropRedundantRows(top_.failed, a)) return false;
    }
  }

  void makeStructure(const CscMatrix& a, const BlockGraph& graph) {
    for (auto* list : {&children_, &rows_, &updateRow_, &pivotRow_}) list->clear();
    fronts_.clear(), runs_.clear(), top_ = {};
    redundant_ = 0;
    counts_.factorNonZeros = 0;
    std::vector<Part> best;
    for (const auto ordering : {GraphOrdering::minimumDegree, GraphOrdering::nestedDissection}) {
      const NodeOrder order = orderNodes(graph, blocks_, ordering, blocks_.parts);
      std::vector<Part> parts = makeParts(a, blocks_, graph, order, early_);
      if (best.empty() || operations(parts) < operations(best)) best = std::move(parts);
      if (!order.hasLoops || operations(best) < worthDissection) break;
    }
    counts_.factorOperations = operations(best);
    storeFronts(postordered(std::move(best)));
    makeTasks();
    collectRuns(a);
    allocate();
  }

  static bool canTake(const CscMatrix& a, const BlockStructure& blocks, const BlockGraph& g) {
    for (int b = 0; b < blocks.count(); ++b) {
      if (blocks.isMultiplier[b])
        for (int k = g.start[b]; k < g.start[b + 1]; ++k)
          if (blocks.isMultiplier[g.neighbour[k]]) return false;
      const int size = blocks.start[b + 1] - blocks.start[b];
      if (size <= largestSparseBlock) continue;
      long long inside = 0;
      for (int j = blocks.start[b]; j < blocks.start[b + 1]; ++j)
        for (const int row : a.rows(j))
          inside += row >= blocks.start[b] && row < blocks.start[b + 1];
      if (inside < static_cast<long long>(size) * size / 4) return false;
    }
    return true;
  }

  // A front while the structure is found.
  struct Part {
    std::vector<int> pivots, updates;  // unknowns
    int parent = -1;
  };

  // Operations of their elimination.
  static Real operations(const std::vector<Part>& parts) {
    Real sum = 0;
    for (const Part& part : parts)
      for (std::size_t k = 0; k < part.pivots.size(); ++k) {
        const auto below = static_cast<Real>(part.pivots.size() + part.updates.size() - k - 1);
        sum += below * (1 + 2 * below);
      }
    return sum;
  }

  // early: joints may be eliminated before their last node.
  static std::vector<Part> makeParts(const CscMatrix& a, const BlockStructure& blocks,
                                     const BlockGraph& g, const NodeOrder& order, bool early) {
    const std::vector<int>& nodes = order.nodes;
    const std::vector<int> frontOfBlock = eliminationStages(g, blocks, order, early);
    std::vector<int> frontOf(a.size);
    std::vector<Part> parts(nodes.size());
    const auto append = [&](int b) {
      for (int i = blocks.start[b]; i < blocks.start[b + 1]; ++i) {
        frontOf[i] = frontOfBlock[b];
        parts[frontOf[i]].pivots.push_back(i);
      }
    };
    for (const int b : nodes) append(b);
    for (int b = 0; b < blocks.count(); ++b)
      if (blocks.isMultiplier[b] && nodes[frontOfBlock[b]] != b) append(b);
    // what rows and columns of later unknowns couple to in the matrix
    a.forEntries([&](int i, int j, int) {
      if (frontOf[i] > frontOf[j])
        parts[frontOf[j]].updates.push_back(i);
      else if (frontOf[j] > frontOf[i])
        parts[frontOf[i]].updates.push_back(j);
    });
    for (int p = 0; p < static_cast<int>(parts.size()); ++p) {
      std::vector<int>& later = parts[p].updates;  // with what the children have passed on
      std::sort(later.begin(), later.end(), [&](int x, int y) {
        return frontOf[x] != frontOf[y] ? frontOf[x] < frontOf[y] : x < y;
      });
      later.erase(std::unique(later.begin(), later.end()), later.end());
      if (later.empty()) continue;
      parts[p].parent = frontOf[later[0]];
      auto& passedOn = parts[parts[p].parent].updates;
      for (const int i : later)
        if (frontOf[i] > parts[p].parent) passedOn.push_back(i);
    }
    return merged(std::move(parts));
  }

  // Joins a front with its parent where the two have nearly the same rows.
  static std::vector<Part> merged(std::vector<Part> parts) {
    const int count = static_cast<int>(parts.size());
    std::vector<int> into(count);
    std::iota(into.begin(), into.end(), 0);
    std::vector<char> gone(count, 0), taken(count, 0);
    for (int p = 0; p < count; ++p) {
      Part& child = parts[p];
      const int q = child.parent;
      if (q < 0 || taken[q]) continue;
      Part& parent = parts[q];
      const auto own = static_cast<Real>(child.pivots.size()),
                 updates = static_cast<Real>(child.updates.size()),
                 pivots = static_cast<Real>(parent.pivots.size()),
                 rest = static_cast<Real>(parent.updates.size());
      if (own + pivots > mergedPivots || own + pivots + rest < mergeFrom) continue;
      const Real zeros = 2 * own * (pivots + rest - updates);
      if (zeros > mergedZeros * (own + pivots) * (own + pivots + 2 * rest)) continue;
      // the child's pivots come first; the other children of the parent are its children as well
      parent.pivots.insert(parent.pivots.begin(), child.pivots.begin(), child.pivots.end());
      gone[p] = taken[q] = 1;
      into[p] = q;
    }
    for (Part& part : parts)
      if (part.parent >= 0)
        while (gone[part.parent]) part.parent = into[part.parent];
    std::vector<int> number(count, -1);
    std::vector<Part> kept;
    for (int p = 0; p < count; ++p)
      if (!gone[p]) number[p] = static_cast<int>(kept.size()), kept.push_back(std::move(parts[p]));
    for (Part& part : kept)
      if (part.parent >= 0) part.parent = number[part.parent];
    return kept;
  }

  // Fronts in an order in which every subtree is a range.
  static std::vector<Part> postordered(std::vector<Part> parts) {
    const int count = static_cast<int>(parts.size());
    std::vector<std::vector<int>> children(count + 1);
    for (int p = 0; p < count; ++p)
      children[parts[p].parent < 0 ? count : parts[p].parent].push_back(p);
    std::vector<int> number(count), stack{count}, reversed;
    while (!stack.empty()) {
      const int p = stack.back();
      stack.pop_back();
      if (p < count) reversed.push_back(p);
      stack.insert(stack.end(), children[p].begin(), children[p].end());
    }
    std::vector<Part> ordered(count);
    for (int k = 0; k < count; ++k) number[reversed[k]] = count - 1 - k;
    for (int p = 0; p < count; ++p) {
      if (parts[p].parent >= 0) parts[p].parent = number[parts[p].parent];
      ordered[number[p]] = std::move(parts[p]);
    }
    return ordered;
  }

  void storeFronts(const std::vector<Part>& parts) {
    const int count = static_cast<int>(parts.size());
    fronts_.resize(count);
    std::vector<int> childCount(count + 1, 0);
    for (int p = 0; p < count; ++p) {
      Front& f = fronts_[p];
      f.parent = parts[p].parent;
      f.firstRow = static_cast<int>(rows_.size());
      rows_.insert(rows_.end(), parts[p].pivots.begin(), parts[p].pivots.end());
      rows_.insert(rows_.end(), parts[p].updates.begin(), parts[p].updates.end());
      f.pivots = static_cast<int>(parts[p].pivots.size());
      f.size = static_cast<int>(rows_.size()) - f.firstRow;
      f.firstPivot = p == 0 ? 0 : fronts_[p - 1].firstPivot + fronts_[p - 1].pivots;
      if (f.parent >= 0) ++childCount[f.parent + 1];
      counts_.factorNonZeros += static_cast<long long>(f.pivots) * (f.size + f.updates());
    }
    for (int p = 0; p < count; ++p) childCount[p + 1] += childCount[p];
    children_.resize(childCount[count]);
    for (int p = 0; p < count; ++p) fronts_[p].firstChild = childCount[p];
    for (int p = 0; p < count; ++p)
      if (fronts_[p].parent >= 0) children_[childCount[fronts_[p].parent]++] = p;
    // positions of update rows in the parent
    position_.assign(isMultiplier_.size(), -1);
    int updateRows = 0;
    for (Front& f : fronts_) f.firstUpdate = updateRows, updateRows += f.updates();
    updateRow_.resize(updateRows);
    updateRhs_.resize(updateRows);
    for (int p = 0; p < count; ++p) placeChildren(p);
    pivotRow_.resize(isMultiplier_.size());
  }

  // Cuts the tree into subtrees that are worth a task, whatever the number of threads, and a top
  // that needs them all.
  void makeTasks() {
    const int count = static_cast<int>(fronts_.size());
    std::vector<Real> cost(count);  // of the subtree
    std::vector<int> first(count);  // of the subtree
    Real total = 0;
    for (int p = 0; p < count; ++p) {
      const Front& f = fronts_[p];
      const Real own = static_cast<Real>(f.pivots) * f.size * f.size;
      total += own;
      cost[p] = own;
      first[p] = p;
      for (const int c : childrenOf(p)) cost[p] += cost[c], first[p] = std::min(first[p], first[c]);
    }
    const Real worth =
        std::max(total / std::max(largestTaskCount, 4 * blocks_.parts), smallestTask);
    // A subtree is cut further where it branches into several that are worth it.
    std::vector<int> candidates;
    for (int p = 0; p < count; ++p)
      if (fronts_[p].parent < 0 && cost[p] >= worth) candidates.push_back(p);
    std::vector<int> roots;
    while (!candidates.empty()) {
      const int root = candidates.back();
      candidates.pop_back();
      int branch = root;
      std::vector<int> worthy;
      for (;;) {
        worthy.clear();
        for (const int c : childrenOf(branch))
          if (cost[c] >= worth) worthy.push_back(c);
        if (worthy.size() != 1) break;
        branch = worthy[0];
      }
      if (worthy.empty())
        roots.push_back(root);
      else
        candidates.insert(candidates.end(), worthy.begin(), worthy.end());
    }
    std::sort(roots.begin(), roots.end());
    tasks_ = std::vector<Task>(roots.size());
    int next = 0;
    for (std::size_t t = 0; t < roots.size(); ++t) {
      for (; next < first[roots[t]]; ++next) top_.fronts.push_back(next);
      for (; next <= roots[t]; ++next) tasks_[t].fronts.push_back(next);
    }
    for (; next < count; ++next) top_.fronts.push_back(next);
    Real longest = 0, top = 0;  // one task, and what follows them
    for (const int root : roots) longest = std::max(longest, cost[root]);
    for (const int p : top_.fronts) {
      const Front& f = fronts_[p];
      // of a shared front the panels and one tile
      const Real columns = isShared(f, top_) ? panelColumns + tileColumns : f.size;
      top += static_cast<Real>(f.pivots) * f.size * columns;
    }
    counts_.factorSpan = counts_.factorOperations * (longest + top) / std::max(total, 1.0);
  }

  void allocate() {
    long long entries = 0, updates = 0;
    for (Task& task : tasks_) reserve(task, entries, updates);
    reserve(top_, entries, updates);
    entries_.resize(entries);
    updates_.resize(updates);
  }

  // Memory of a task; its places in entries_ and updates_ begin at these ends, which it moves.
  // A front is eliminated where its factors stay, and for that time reaches over the places of the
  // next ones. What fronts leave to their parents lies on a stack, where a front takes the place of
  // its children.
  void reserve(Task& task, long long& entriesEnd, long long& updatesEnd) {
    int work = 0;
    long long entries = entriesEnd;
    const long long first = updatesEnd;
    long long top = first;
    for (const int p : task.fronts) {
      Front& f = fronts_[p];
      work = std::max(work, f.leading());
      f.entries = entries;
      entriesEnd = std::max(entriesEnd, entries + static_cast<long long>(f.leading()) * f.size);
      entries += f.storedEntries();
      for (const int c : childrenOf(p))
        if (fronts_[c].update >= first) top -= fronts_[c].updateEntries();
      f.update = top;
      top += f.updateEntries();
      updatesEnd = std::max(updatesEnd, top);
    }
    task.work.resize(work);
  }

  // Positions of the children's update rows in front p.
  void placeChildren(int p) {
    const Front& f = fronts_[p];
    for (int i = 0; i < f.size; ++i) position_[rows_[f.firstRow + i]] = i;
    for (const int c : childrenOf(p)) {
      Front& child = fronts_[c];
      child.contiguous = true;
      for (int i = 0; i < child.updates(); ++i) {
        updateRow_[child.firstUpdate + i] = position_[rows_[child.firstRow + child.pivots + i]];
        if (updateRow_[child.firstUpdate + i] != updateRow_[child.firstUpdate] + i)
          child.contiguous = false;
      }
    }
  }

  std::span<const int> childrenOf(int p) const {
    const int first = fronts_[p].firstChild;
    const int end = p + 1 < static_cast<int>(fronts_.size()) ? fronts_[p + 1].firstChild
                                                             : static_cast<int>(children_.size());
    return {children_.data() + first, static_cast<std::size_t>(end - first)};
  }

  // Where the entries of the matrix go: runs of entries that lie side by side in both. Fronts that
  // look alike share theirs.
  void collectRuns(const CscMatrix& a) {
    frontOfRow_.resize(a.size);
    for (int p = 0; p < static_cast<int>(fronts_.size()); ++p)
      for (int i = 0; i < fronts_[p].pivots; ++i) frontOfRow_[rows_[fronts_[p].firstRow + i]] = p;
    std::deque<const Front*> different;  // the last fronts with runs of their own
    for (Front& f : fronts_) {
      appendRuns(static_cast<int>(&f - fronts_.data()), a);
      const auto same = std::find_if(different.begin(), different.end(), [&](const Front* other) {
        return std::ranges::equal(runsOf(f), runsOf(*other));
      });
      if (same != different.end()) {
        runs_.resize(f.firstRun);
        f.firstRun = (*same)->firstRun;
        f.endRun = (*same)->endRun;
      } else {
        different.push_front(&f);
        if (different.size() > rememberedFronts) different.pop_back();
      }
    }
    runs_.shrink_to_fit();
  }

  std::span<const Run> runsOf(const Front& f) const {
    return {runs_.data() + f.firstRun, runs_.data() + f.endRun};
  }

  // Entries (row, column) with a row or column among the pivots of front p and none that was
  // eliminated before.
  void appendRuns(int p, const CscMatrix& a) {
    Front& f = fronts_[p];
    const int ld = f.leading();
    f.firstRun = static_cast<int>(runs_.size());
    for (int i = 0; i < f.size; ++i) position_[rows_[f.firstRow + i]] = i;
    for (int j = 0; j < f.size; ++j) {
      const int column = rows_[f.firstRow + j];
      int last = -2;  // position of the entry before, if it is part of the run
      const std::span<const int> rows = a.rows(column);
      for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
        const int front = frontOfRow_[rows[k]];
        if (front < p || (j >= f.pivots && front != p)) {
          last = -2;
          continue;
        }
        const int at = position_[rows[k]];
        if (at == last + 1)
          ++runs_.back().count;
        else
          runs_.push_back({k, j * ld + at, static_cast<std::uint16_t>(j), 1});
        last = at;
      }
    }
    f.endRun = static_cast<int>(runs_.size());
  }

  // The front before its elimination: entries of the matrix and what the children leave. pool: the
  // threads that share this front, if it is a large one.
  void assemble(int p, const CscMatrix& a, Real* F, ThreadPool* pool = nullptr) const {
    const Front& f = fronts_[p];
    const int ld = f.leading();
    forTiles(pool, 0, f.size,
             [&](int begin, int end) CATENA_INLINE { clear(F + begin * ld, F + end * ld); });
    const int* columns = rows_.data() + f.firstRow;
    for (const Run& run : runsOf(f))
      copyShort(F + run.to, a.values.data() + a.columnStart[columns[run.column]] + run.from,
                run.count);
    for (const int c : childrenOf(p)) {
      const Front& child = fronts_[c];
      const int m = child.updates();
      const int* row = updateRow_.data() + child.firstUpdate;
      forTiles(pool, 0, m, [&](int begin, int end) CATENA_INLINE {
        for (int j = begin; j < end; ++j) {
          const Real* from = updates_.data() + child.update + static_cast<long long>(j) * m;
          Real* column = F + row[j] * ld;
          if (child.contiguous)
            addShort(column + row[0], from, m);
          else
            for (int i = 0; i < m; ++i) column[row[i]] += from[i];
        }
      });
    }
  }

  // Goes on with the front that failed, if one did.
  void factorTask(Task& task, const CscMatrix& a, const Real* rhs, Real* x) {
    auto p = task.fronts.begin();
    if (task.failed >= 0) p = std::lower_bound(p, task.fronts.end(), task.failed);
    task.failed = -1;
    for (; p != task.fronts.end(); ++p) {
      if (!factorFront(*p, a, task)) {
        task.failed = *p;
        return;
      }
      if (rhs) forward(*p, task, rhs, x);
    }
  }

  // False if a pivot vanishes that did not, or the other way round.
  bool factorFront(int p, const CscMatrix& a, Task& task) {
    const Front& f = fronts_[p];
    const int ld = f.leading(), pivots = f.pivots - f.redundant;
    Real* F = entries_.data() + f.entries;
    Real* terms = task.work.data();
    ThreadPool* pool = isShared(f, task) ? pool_.get() : nullptr;
    assemble(p, a, F, pool);
    if (eliminate(F, f.size, f.pivots, pivots, pivotRow_.data() + f.firstPivot, terms, pool) <
        pivots)
      return false;
    for (int j = pivots; j < f.pivots; ++j)
      for (int i = pivots; i < f.pivots; ++i)
        if (!(std::abs(F[j * ld + i]) <= reviving * std::sqrt(terms[i] * terms[j]))) return false;
    keep(f, F, pool);
    return true;
  }

  // Threads share the large fronts that remain when all tasks are done.
  bool isShared(const Front& f, const Task& task) const {
    return &task == &top_ && f.size >= 4 * tileColumns;
  }

  // Moves apart what the parent needs of an eliminated front, and together what solutions need.
  void keep(const Front& f, Real* F, ThreadPool* pool) {
    const int ld = f.leading(), rows = f.leadingRows(), updates = f.updates();
    Real* rest = F + f.columnEntries();
    Real* update = updates_.data() + f.update;
    forTiles(pool, 0, updates, [&](int begin, int end) CATENA_INLINE {
      for (int j = begin; j < end; ++j)
        copyShort(update + j * updates, rest + j * ld + f.pivots, updates);
    });
    for (int j = 1; j < updates; ++j)  // the first one is in its place
      for (int i = 0; i < rows; i += packSize) store(rest + j * rows + i, load(rest + j * ld + i));
  }

  Factors factorsOf(const Front& f) const {
    const Real* own = entries_.data() + f.entries;
    return {own, f.leading(), f.pivots, own + f.columnEntries(), f.leadingRows()};
  }

  // Finds the rows of front p that depend on others and puts them last: after the coordinates,
  // multipliers are eliminated by falling pivots until those vanish. False if none is redundant, or
  // a coordinate has a vanishing pivot.
  bool dropRedundantRows(int p, const CscMatrix& a) {
    if (early_) return false;
    Front& f = fronts_[p];
    // A pivot at the limit may vanish in one order of elimination and not in the other: then the
    // limit is raised.
    const bool again = lastReordered_ == std::pair(counts_.factorizations, p);
    lastReordered_ = {counts_.factorizations, p};
    limit_ = again ? 100 * limit_ : vanishingPivot;
    if (limit_ > reviving) return false;

    MatrixX F(f.leading(), f.size);
    assemble(p, a, F.data());
    if (!F.allFinite()) return false;
    std::vector<int> order(f.pivots), row(f.pivots);
    std::iota(order.begin(), order.end(), 0);
    const auto isMultiplier = [&](int i) { return isMultiplier_[rows_[f.firstRow + i]] != 0; };
    const int coordinates = static_cast<int>(
        std::stable_partition(order.begin(), order.end(), [&](int i) { return !isMultiplier(i); }) -
        order.begin());
    MatrixX A(f.pivots, f.pivots);
    for (int j = 0; j < f.pivots; ++j)
      for (int i = 0; i < f.pivots; ++i) A(i, j) = F(order[i], order[j]);
    VectorX terms = A.diagonal().cwiseAbs();
    int rank = 0;
    for (; rank < f.pivots; ++rank) {
      const int k = rank;
      int pivot = k;
      if (k < coordinates) {
        A.col(k).segment(k, coordinates - k).cwiseAbs().maxCoeff(&pivot);
        pivot += k;
        A.row(k).swap(A.row(pivot));
        if (!isRegular(A(k, k), terms[k])) return false;
      } else {
        const auto relative = [&](int i) {
          return terms[i] > 0 ? std::abs(A(i, i)) / terms[i] : 0.0;
        };
        for (int i = k + 1; i < f.pivots; ++i)
          if (relative(i) > relative(pivot)) pivot = i;
        if (!(relative(pivot) > limit_)) break;
        A.row(k).swap(A.row(pivot));
        A.col(k).swap(A.col(pivot));
        std::swap(order[k], order[pivot]);
        std::swap(terms[k], terms[pivot]);
      }
      const int rest = f.pivots - k - 1;
      A.col(k).tail(rest) /= A(k, k);
      for (int j = k + 1; j < f.pivots; ++j) {
        terms[j] += std::abs(A(k, j) * A(j, k));
        A.col(j).tail(rest) -= A(k, j) * A.col(k).tail(rest);
      }
    }
    const int redundant = f.pivots - rank;
    redundant_ += redundant - f.redundant;
    f.redundant = redundant;
    for (int i = 0; i < f.pivots; ++i) row[i] = rows_[f.firstRow + order[i]];
    std::copy(row.begin(), row.end(), rows_.begin() + f.firstRow);
    placeChildren(p);
    appendRuns(p, a);
    return true;
  }

  void forward(Task& task, Real* x) {
    for (const int p : task.fronts) forward(p, task, x, x);
  }

  // Rows of front p of L x = rhs; both may be the same.
  void forward(int p, Task& task, const Real* rhs, Real* x) {
    Real* y = task.work.data();
    const Front& f = fronts_[p];
    const int ld = f.leading(), pivots = f.pivots - f.redundant;
    const Real* F = entries_.data() + f.entries;
    const int* rows = rows_.data() + f.firstRow;
    for (int i = 0; i < f.pivots; ++i) y[i] = rhs[rows[i]];
    for (int i = f.pivots; i < ld; ++i) y[i] = 0;
    for (const int c : childrenOf(p)) {
      const Front& child = fronts_[c];
      const int* row = updateRow_.data() + child.firstUpdate;
      const Real* from = updateRhs_.data() + child.firstUpdate;
      for (int i = 0; i < child.updates(); ++i) y[row[i]] += from[i];
    }
    const int* pivotRow = pivotRow_.data() + f.firstPivot;
    for (int k = 0; k < pivots; ++k)
      if (pivotRow[k] != k) std::swap(y[k], y[pivotRow[k]]);
    if (!withSmall(ld, [&](auto small) { forwardSmall<small>(F, pivots, y); }))
      forwardLarge(F, ld, f.size, pivots, y);
    for (int i = 0; i < f.pivots; ++i) x[rows[i]] = y[i];
    std::copy_n(y + f.pivots, f.updates(), updateRhs_.data() + f.firstUpdate);
  }

  void backward(Real* x) {
    backward(top_, x, nullptr);
    pool_->forEach(static_cast<int>(tasks_.size()),
                   [&](int t) { backward(tasks_[t], x, nullptr); });
  }

  // Redundant unknowns get the values of weights, or zero.
  void backward(Task& task, Real* x, const Real* weights) {
    Real* y = task.work.data();
    for (auto it = task.fronts.rbegin(); it != task.fronts.rend(); ++it) {
      const Front& f = fronts_[*it];
      const int pivots = f.pivots - f.redundant;
      const Factors F = factorsOf(f);
      const int* rows = rows_.data() + f.firstRow;
      for (int i = 0; i < pivots; ++i) y[i] = x[rows[i]];
      for (int i = pivots; i < f.pivots; ++i) x[rows[i]] = weights ? weights[rows[i]] : 0.0;
      const auto update = [&](int j) { return x[rows[j]]; };
      if (!withSmall(padded(pivots),
                     [&](auto rowCount) { backwardSmall<rowCount>(F, f.size, pivots, y, update); }))
        backwardLarge(F, f.size, pivots, y, update);
      for (int i = 0; i < pivots; ++i) x[rows[i]] = y[i];
    }
  }

  BlockStructure blocks_;
  int redundant_ = 0;          // rows of all fronts
  bool early_ = true;          // joints may be eliminated before their last node
  std::vector<Front> fronts_;  // children before their parents, subtrees as ranges
  std::vector<Task> tasks_;    // independent of each other
  Task top_;                   // the fronts that remain, after all tasks
  std::vector<int> children_;
  std::vector<int> rows_;       // unknowns of every front
  std::vector<int> updateRow_;  // position of every update row in the parent
  std::vector<Run> runs_;
  std::vector<int> pivotRow_;  // per pivot: the row of the front that was swapped in
  std::vector<int> frontOfRow_;
  std::vector<char> isMultiplier_;
  std::vector<int> position_;    // of an unknown in the front that is being prepared
  std::vector<Real> entries_;    // of all fronts
  std::vector<Real> updates_;    // what fronts leave to their parents
  std::vector<Real> updateRhs_;  // what fronts leave of a right-hand side to their parents
  std::pair<int, int> lastReordered_{-1, -1};  // factorization and front
  Real limit_ = vanishingPivot;                // of relative pivots, in that front
  std::shared_ptr<ThreadPool> pool_;
};

}  // namespace

std::unique_ptr<LinearSolver> makeMultifrontalSolver(const CscMatrix& matrix,
                                                     const BlockStructure& blocks,
                                                     std::shared_ptr<ThreadPool> pool) {
  auto solver = std::make_unique<MultifrontalSolver>(std::move(pool));
  if (!solver->prepare(matrix, blocks)) return nullptr;
  return solver;
}

}  // namespace catena
