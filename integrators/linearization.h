// Linearised equations of motion, eigenvalues and degrees of freedom.
//
// At the current state, taken as an equilibrium: accelerations zero, multipliers those that hold it
// there. Increments are those of the linear system (six per rigid node: translation in world axes,
// rotation in body axes); first order coordinates keep their values. Tangents are complete, with
// the geometric stiffness of joints and loads. Sparse problems: shift-invert Lanczos on the pencil
// [K C^T; C 0] x = omega^2 [M 0; 0 0] x, R. Grimes, J. Lewis, H. Simon, SIAM J. Matrix Anal. Appl.
// 15 (1994).
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "assembly/system.h"

namespace catena {

struct LinearizedSystem {
  MatrixX M, K, D;  // M ddq + D dq' + K dq + C^T dlambda = 0
  MatrixX C;        // constraints, one row each
  MatrixX N;        // columns span the null space of C
};
constexpr Real rankTolerance = 1e-10;  // of constraints, relative to the largest pivot
// Dense. ignoreLoads: of the system without loads and the reactions to them; those of user
// functions act all the same. Throws ModelError if no multipliers can be found for the state.
LinearizedSystem linearize(System& system, Real tolerance = rankTolerance,
                           bool ignoreLoads = false);

struct EigenvalueOptions {
  static std::span<const Field> fields();   // names, checks and descriptions
  int numberOfEigenvalues = 0;              // the smallest ones; 0: all, of sparse problems 10
  bool computeComplexEigenvalues = false;   // of the damped system, in first order form
  bool useAbsoluteValues = true;            // sort by, and return, magnitudes
  bool useSparseSolver = false;             // large systems take it anyway
  std::vector<int> constrainedCoordinates;  // held at their values, besides the constraints
  bool ignoreAlgebraicEquations = false;    // leaves the constraints of the model out
  bool ignoreLoads = false;                 // and the reactions to them
};

struct Eigenvalues {
  Eigen::VectorXcd values;   // squared angular frequencies [rad^2/s^2], damped: exponents [rad/s]
  Eigen::MatrixXcd vectors;  // columns: increments of the unknowns of second order
};
Eigenvalues computeEigenvalues(System& system, const EigenvalueOptions& options);

// The increments of the coordinates q that belong to increments of the unknowns, column by column.
Eigen::MatrixXcd coordinateIncrements(const System& system, const Eigen::MatrixXcd& unknowns);

struct DegreesOfFreedom {
  int degreeOfFreedom = 0, redundantConstraints = 0;
  int unknowns = 0, constraints = 0;  // of second order; those that act
};
DegreesOfFreedom computeDegreesOfFreedom(System& system);

}  // namespace catena
