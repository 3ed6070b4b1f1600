// Sparse direct linear solvers behind four verbs: analyze the pattern once, factor, refactor, solve.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/types.h"

namespace catena {

// Compressed sparse column matrix, square; row indices of a column ascend.
struct CscMatrix {
  int size = 0;
  std::vector<int> columnStart;  // size + 1
  std::vector<int> rowIndex;
  std::vector<Real> values;

  int nonZeros() const { return static_cast<int>(rowIndex.size()); }
  void multiply(const VectorX& x, VectorX& y) const;  // y = A x
  MatrixX dense() const;
};

enum class LinearSolverKind { automatic, klu, dense, sparseLU };

struct FactorizationCounts {
  int factorizations = 0;    // with a new pivot order
  int refactorizations = 0;  // with the pivot order of an earlier one
  int repivots = 0;          // refactorizations found poor and replaced by a factorization
  int solves = 0;
  long long factorNonZeros = 0;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  virtual std::string_view name() const = 0;
  // Symbolic analysis; keeps no reference to the matrix.
  virtual void analyze(const CscMatrix& matrix) = 0;
  // Numeric factorization of a matrix with the analysed pattern; reuses the pivot order while it is good.
  // Returns false when the matrix is singular to working precision.
  [[nodiscard]] virtual bool factor(const CscMatrix& matrix) = 0;
  // Overwrites the right-hand side with the solution.
  virtual void solve(VectorX& rhs) = 0;
  // The next factor() chooses its pivots afresh.
  virtual void requestPivoting() {}

  const FactorizationCounts& counts() const { return counts_; }

 protected:
  FactorizationCounts counts_;
};

// automatic: dense below denseLimit unknowns, else KLU.
inline constexpr int denseLimit = 60;
std::unique_ptr<LinearSolver> makeLinearSolver(LinearSolverKind kind, int size);

// Unit vector x with A x close to zero, for a singular matrix: inverse iteration on A + 1e-8 |A| D, D the diagonal
// matrix of shiftSigns. Used to name the unknowns that a singular matrix leaves undetermined.
VectorX nullVector(const CscMatrix& matrix, const VectorX& shiftSigns);

}  // namespace catena
