// All coordinates of second order of some nodes as one vector, and how the unknowns move them.
//
// For nodes whose coordinates are unknowns themselves (points, planar and generic nodes) both maps
// are identities; rotation parameters of rigid nodes depend on the body-fixed rotation increments:
//   dq = position P delta,  dv = velocity F delta,  da = acceleration F delta,
// and a generalised force f on the coordinates is F^T f on the unknowns.
#pragma once

#include "items/element.h"

namespace catena {

class CoordinateVector {
 public:
  CoordinateVector() = default;
  CoordinateVector(const AssemblyView& view, const std::vector<NodeIndex>& nodes);

  int coordinates() const { return coordinates_; }
  int unknowns() const { return unknowns_; }
  bool plain() const { return plain_; }  // coordinates are the unknowns

  // Appends the groups at local row offset; returns their positions in the pattern.
  std::vector<int> addGroups(const AssemblyView& view, int offset, ElementPattern& pattern) const;
  // The pattern of an element on these coordinates alone, each coupled with all.
  void describeCoupled(const AssemblyView& view, ElementPattern& pattern) const;

  const VectorX& reference() const { return reference_; }
  // Displacements, rates, second rates.
  void gather(const VectorX& global, Eigen::Ref<VectorX> local) const;

  // P, F (coordinates x unknowns); only needed where the vector is not plain.
  void maps(const AssemblyView& view, const State& state, MatrixX& P, MatrixX& F) const;
  // Adds d (F^T f) / d delta at fixed f to H (unknowns x unknowns).
  void addHessian(const AssemblyView& view, const State& state, const VectorX& f, Real scale,
                  Eigen::Ref<MatrixX> H) const;

 private:
  struct Part {
    NodeIndex node;
    int coordinate, unknown;    // first ones in the vector
    int coordinates, unknowns;  // of the node
    int global;                 // first coordinate in the state
    bool plain;
  };
  std::vector<Part> parts_;
  VectorX reference_;
  int coordinates_ = 0, unknowns_ = 0;
  bool plain_ = true;
};

}  // namespace catena
