// The linear solvers against each other on matrices like those of constrained mechanisms.
#include "kernels/linear_solver.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

constexpr LinearSolverKind kinds[] = {LinearSolverKind::klu, LinearSolverKind::dense,
                                      LinearSolverKind::sparseLU};

CscMatrix compressed(const MatrixX& dense, const MatrixX& pattern) {
  CscMatrix m;
  m.clear();
  for (int j = 0; j < dense.cols(); ++j) {
    std::vector<int> rows;
    for (int i = 0; i < dense.rows(); ++i)
      if (pattern(i, j) != 0) rows.push_back(i), m.values.push_back(dense(i, j));
    m.addColumn(rows);
  }
  return m;
}
CscMatrix compressed(const MatrixX& dense) { return compressed(dense, dense); }

// [M C^T; C 0] of a chain: blocks of three coordinates, each joined to the next by two constraints.
MatrixX saddlePoint(int blocks, Random& random) {
  const int n = 3 * blocks, m = 2 * (blocks - 1);
  MatrixX A = MatrixX::Zero(n + m, n + m);
  for (int b = 0; b < blocks; ++b) {
    const Matrix3 R = Eigen::Map<const Matrix3>(random.vector(9).data());
    A.block<3, 3>(3 * b, 3 * b) = R * R.transpose() + 0.1 * Matrix3::Identity();
  }
  for (int c = 0; c + 1 < blocks; ++c)
    for (int side = 0; side < 2; ++side) {
      const Eigen::Matrix<Real, 2, 3> C =
          Eigen::Map<const Eigen::Matrix<Real, 2, 3>>(random.vector(6).data());
      A.block<2, 3>(n + 2 * c, 3 * (c + side)) = C;
      A.block<3, 2>(3 * (c + side), n + 2 * c) = C.transpose();
    }
  return A;
}

std::unique_ptr<LinearSolver> solverFor(LinearSolverKind kind, const CscMatrix& matrix) {
  return makeLinearSolver(kind, matrix, {});
}

}  // namespace

TEST_CASE("all linear solvers find the solution of random saddle-point systems", "[kernels]") {
  Random random(1);
  for (const int blocks : {1, 2, 7, 40})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const MatrixX A = saddlePoint(blocks, random);
      const CscMatrix m = compressed(A);
      const VectorX x = random.vector(m.size);
      for (const LinearSolverKind kind : kinds) {
        const auto solver = solverFor(kind, m);
        INFO(solver->name() << ", " << m.size << " unknowns");
        REQUIRE(solver->factor(m));
        VectorX y = A * x;
        solver->solve(y);
        CHECK((y - x).norm() < 1e-10 * x.norm());
        CHECK((A * y - A * x).norm() < 1e-13 * A.norm() * x.norm());
      }
    }
}

TEST_CASE("new values on a known pattern are solved as if they were the first", "[kernels]") {
  Random random(2);
  for (const LinearSolverKind kind : kinds) {
    MatrixX A = saddlePoint(20, random);
    CscMatrix m = compressed(A);
    const auto solver = solverFor(kind, m);
    for (int repeat = 0; repeat < 6; ++repeat) {
      REQUIRE(solver->factor(m));
      const VectorX x = random.vector(m.size);
      VectorX y = A * x;
      solver->solve(y);
      INFO(solver->name() << ", factorization " << repeat);
      CHECK((y - x).norm() < 1e-9 * x.norm());
      // values that differ by orders of magnitude: the old order of pivots may be a bad one
      const MatrixX next = saddlePoint(20, random);
      A = next;
      for (int i = 0; i < m.size; ++i)
        if (random.chance(0.3)) A.row(i) *= 1e-4;
      m = compressed(A, next);
    }
    CHECK(solver->counts().solves == 6);
    CHECK(solver->counts().factorizations + solver->counts().refactorizations == 6);
    if (kind == LinearSolverKind::klu) {
      CHECK(solver->counts().repivots + 1 == solver->counts().factorizations);
      solver->requestPivoting();
      const int before = solver->counts().factorizations;
      REQUIRE(solver->factor(m));
      CHECK(solver->counts().factorizations == before + 1);
    }
  }
}

TEST_CASE("a pivot that vanishes between two factorizations costs no accuracy", "[kernels]") {
  // [e 1; 1 1]: with e = 1 the first pivot is good, with e = 1e-18 it destroys everything
  MatrixX A(2, 2), pattern = MatrixX::Ones(2, 2);
  A << 4, 1, 1, 1;
  CscMatrix m = compressed(A, pattern);
  for (const LinearSolverKind kind : kinds) {
    const auto solver = solverFor(kind, m);
    REQUIRE(solver->factor(m));
    MatrixX B = A;
    B(0, 0) = 1e-18;
    const CscMatrix changed = compressed(B, pattern);
    REQUIRE(solver->factor(changed));
    VectorX x(2);
    x << 1, 2;
    VectorX y = B * x;
    solver->solve(y);
    INFO(solver->name());
    CHECK((y - x).norm() < 1e-14);
  }
}

TEST_CASE("singular matrices are refused by every linear solver", "[kernels]") {
  Random random(3);
  const MatrixX regular = saddlePoint(10, random);
  const int n = static_cast<int>(regular.rows());
  MatrixX zeroRow = regular, zeroMatrix = MatrixX::Zero(n, n), twice = regular;
  zeroRow.row(4).setZero();
  zeroRow.col(4).setZero();
  // the last constraint repeated: its row and column are those of another one
  twice.row(n - 1) = twice.row(n - 2);
  twice.col(n - 1) = twice.col(n - 2);
  const struct {
    const MatrixX& values;
    const char* what;
  } cases[] = {{zeroRow, "a coordinate without mass"},
               {zeroMatrix, "zeros"},
               {twice, "a constraint that is there twice"}};
  for (const auto& [values, what] : cases)
    for (const LinearSolverKind kind : kinds) {
      const CscMatrix m = compressed(values, MatrixX::Ones(n, n));
      const auto solver = solverFor(kind, m);
      INFO(solver->name() << ": " << what);
      CHECK_FALSE(solver->factor(m));
    }
}

TEST_CASE("a solver that met a singular matrix solves the next regular one", "[kernels]") {
  Random random(4);
  const MatrixX A = saddlePoint(8, random);
  MatrixX broken = A;
  broken.row(3).setZero();
  broken.col(3).setZero();
  for (const LinearSolverKind kind : kinds) {
    const auto solver = solverFor(kind, compressed(A));
    CHECK_FALSE(solver->factor(compressed(broken, A)));
    REQUIRE(solver->factor(compressed(A)));
    const VectorX x = random.vector(static_cast<int>(A.rows()));
    VectorX y = A * x;
    solver->solve(y);
    INFO(solver->name());
    CHECK((y - x).norm() < 1e-10 * x.norm());
  }
}

TEST_CASE("the null vector points at the unknowns that a singular matrix leaves free",
          "[kernels]") {
  Random random(5);
  const MatrixX regular = saddlePoint(10, random);
  const int n = static_cast<int>(regular.rows()), coordinates = 30;
  VectorX signs = VectorX::Ones(n);
  signs.tail(n - coordinates).setConstant(-1);
  SECTION("a coordinate without mass and constraint") {
    MatrixX A = regular;
    A.row(7).setZero();
    A.col(7).setZero();
    const VectorX x = nullVector(compressed(A, MatrixX::Ones(n, n)), signs);
    int largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    CHECK(largest == 7);
    CHECK(std::abs(x[7]) == Approx(1).epsilon(1e-6));
    CHECK((A * x).norm() < 1e-6);
  }
  SECTION("a constraint repeated") {
    MatrixX A = regular;
    A.row(n - 1) = A.row(n - 2);
    A.col(n - 1) = A.col(n - 2);
    const VectorX x = nullVector(compressed(A, MatrixX::Ones(n, n)), signs);
    CHECK(std::abs(x[n - 1]) == Approx(std::sqrt(0.5)).epsilon(1e-6));
    CHECK(x[n - 2] == Approx(-x[n - 1]).epsilon(1e-6));
    CHECK((A * x).norm() < 1e-6);
  }
}

TEST_CASE("compressed columns multiply as the full matrix does", "[kernels]") {
  Random random(6);
  const MatrixX A = saddlePoint(5, random);
  const CscMatrix m = compressed(A);
  CHECK(m.dense() == A);
  CHECK(m.nonZeros() < A.size() / 2);
  const VectorX x = random.vector(m.size);
  VectorX y;
  m.multiply(x, y);
  CHECK((y - A * x).norm() < 1e-13);
}
