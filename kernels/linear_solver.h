// Sparse direct linear solvers behind four verbs: analyze the pattern once, factor, refactor,
// solve.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/parallel.h"
#include "kernels/types.h"

namespace catena {

// Compressed sparse column matrix, square; row indices of a column ascend. Columns that follow each
// other and have entries in the same rows share the indices of these.
struct CscMatrix {
  int size = 0;                  // columns
  std::vector<int> columnStart;  // in values, size + 1
  std::vector<int> firstRow;     // of every column, in rowIndex
  std::vector<int> rowIndex;
  std::vector<Real> values;

  int nonZeros() const { return columnStart.empty() ? 0 : columnStart.back(); }
  std::span<const int> rows(int column) const {
    return {rowIndex.data() + firstRow[column],
            static_cast<std::size_t>(columnStart[column + 1] - columnStart[column])};
  }
  // Calls f(row, k) for the entries values[k] of a column, f(row, column, k) for all entries.
  template <class F>
  void forColumn(int column, const F& f) const {
    int k = columnStart[column];
    for (const int row : rows(column)) f(row, k++);
  }
  template <class F>
  void forEntries(const F& f) const {
    for (int j = 0; j < size; ++j) forColumn(j, [&](int row, int k) { f(row, j, k); });
  }

  void clear();
  // Appends a column with entries in these rows; the values are the caller's.
  void addColumn(std::span<const int> rows);
  void multiply(const VectorX& x, VectorX& y) const;  // y = A x
  MatrixX dense() const;
};

// Blocks of unknowns that belong together: unknowns start[i] .. start[i+1] - 1 of a node or of a
// joint's multipliers.
struct BlockStructure {
  std::vector<int> start;
  std::vector<char> isMultiplier;  // per block
  int parts = 1;  // that trees of nodes are cut into, so that more threads can eliminate them
  int count() const { return static_cast<int>(isMultiplier.size()); }
};

enum class LinearSolverKind { automatic, klu, dense, sparseLU, multifrontal, cholmod };

struct FactorizationCounts {
  int factorizations = 0;    // with a new pivot order
  int refactorizations = 0;  // with the pivot order of an earlier one
  int repivots = 0;          // refactorizations found poor and replaced by a factorization
  int solves = 0;
  long long factorNonZeros = 0;
  Real factorOperations = 0;  // additions and multiplications of one factorization; 0: unknown
  // Of the longest chain of them that have to follow each other, whatever the number of threads.
  Real factorSpan = 0;

  // Adds the counts of a later solver, whose factors are the present ones.
  void add(const FactorizationCounts& later) {
    factorizations += later.factorizations;
    refactorizations += later.refactorizations;
    repivots += later.repivots;
    solves += later.solves;
    factorNonZeros = later.factorNonZeros;
    factorOperations = later.factorOperations;
    factorSpan = later.factorSpan;
  }
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  virtual std::string_view name() const = 0;
  // Symbolic analysis; keeps no reference to the matrix.
  virtual void analyze(const CscMatrix& matrix) = 0;
  // Numeric factorization of a matrix with the analysed pattern; reuses the pivot order while it is
  // good. Returns false when the matrix is singular to working precision. The matrix must live and
  // keep its values until the last solve() with these factors.
  [[nodiscard]] virtual bool factor(const CscMatrix& matrix) = 0;
  // Overwrites the right-hand side with the solution.
  virtual void solve(VectorX& rhs) = 0;
  // factor(), then the solution x for rhs, with fewer passes over the factors.
  [[nodiscard]] virtual bool factorAndSolve(const CscMatrix& matrix, const VectorX& rhs,
                                            VectorX& x) {
    if (!factor(matrix)) return false;
    x = rhs;
    solve(x);
    return true;
  }
  // Why the last factors were poor.
  virtual std::string_view weakness() const { return "a pivot vanished"; }
  // The next factor() chooses its pivots afresh.
  virtual void requestPivoting() {}

  // Rows that the last factor() left out because they depend on others: their unknowns, multipliers
  // of redundant constraints, are solved as zero.
  virtual std::vector<int> redundantRows() const { return {}; }
  virtual int redundantCount() const { return 0; }
  // The solution x of A x = 0 in which the redundant unknowns have the given values (of all
  // unknowns).
  virtual VectorX nullCombination(const VectorX& values) { return VectorX::Zero(values.size()); }
  // Makes x the shortest vector with the same A x.
  virtual void shorten(VectorX& /*x*/) {}

  // Cost of factor() over that of solve(), roughly, from counts of operations.
  virtual Real factorCost() const { return 4; }
  // What the user should know about the choices made, e.g. that a fast path was left; empty:
  // nothing.
  virtual std::string note() const { return {}; }

  virtual const FactorizationCounts& counts() const { return counts_; }

 protected:
  FactorizationCounts counts_;
};

// A solver for matrices of this pattern, analysed. automatic: multifrontal where the blocks allow
// it, else dense below denseLimit unknowns, else KLU; when it or CHOLMOD meets a matrix that it
// cannot factorize it hands over to KLU. Throws std::invalid_argument if multifrontal is asked for
// and the blocks do not allow it, or CHOLMOD and the program was built without it. pool: the
// threads to use; nullptr: the calling one.
inline constexpr int denseLimit = 60;
std::unique_ptr<LinearSolver> makeLinearSolver(LinearSolverKind kind, const CscMatrix& matrix,
                                               const BlockStructure& blocks,
                                               std::shared_ptr<ThreadPool> pool = nullptr);

// Unit vector x with A x close to zero, for a singular matrix: inverse iteration on A + 1e-8 |A| D,
// D the diagonal matrix of shiftSigns. Used to name the unknowns that a singular matrix leaves
// undetermined.
VectorX nullVector(const CscMatrix& matrix, const VectorX& shiftSigns);

}  // namespace catena
