// Shared parts of two-marker connectors.
//
// Local unknowns of a connector between frames: rows 0..5 the tangent of frame 0 (world
// translation, body-fixed rotation), rows 6..11 that of frame 1, rows 12.. its multipliers.
#pragma once

#include "items/behaviour.h"

namespace catena {

using MarkerPair = std::array<MarkerIndex, 2>;

struct FramePair {
  FramePoint point0, point1;
  Vector3 origins = Vector3::Zero();  // reference position of origin 1 minus that of origin 0
};

enum class MarkerNeed { position, orientation, positionAndOrientation, coordinate };

// The frames of a connector's markers. Throws ModelError naming the connector if a marker is
// missing or of the wrong kind.
FramePair resolveFrames(const AssemblyView& view, Category category, int number,
                        const MarkerPair& markers, MarkerNeed need);
const MarkerBinding& resolveMarker(const AssemblyView& view, Category category, int number,
                                   MarkerIndex marker, MarkerNeed need);
// For joints: a reference gap below the rounding of the reference coordinates is taken as zero, so
// that joints far from the origin do not start with a kick.
void removeRoundingGap(const AssemblyView& view, FramePair& pair);

// Adds the groups of both frames and couples all of them with each other.
std::array<int, 4> describeFramePair(const AssemblyView& view, const FramePair& pair,
                                     bool coupleAll, ElementPattern& pattern);

template <int N>
using LocalMatrix = Eigen::Matrix<Real, N, N>;
template <int N>
using LocalVector = Eigen::Matrix<Real, N, 1>;

// A force F (world, tension positive along its own direction) from point 0 to point 1 of a
// connector: residual -J0^T F on frame 0 and +J1^T F on frame 1. Kp, Kv: derivatives of F by the
// relative position and velocity.
void addPointForce(const EvaluationContext& context, const FramePair& pair, const Vector3& F,
                   const Matrix3& Kp, const Matrix3& Kv, LocalVector<12>& r, LocalMatrix<12>& L);

// Relative velocity of point 1 to point 0, world.
inline Vector3 relativeVelocity(const FramePair& pair, const Frame& f0, const Frame& f1) {
  return f1.velocity + f1.rotation * f1.omega.cross(pair.point1.local) - f0.velocity -
         f0.rotation * f0.omega.cross(pair.point0.local);
}
inline Vector3 relativePosition(const FramePair& pair, const Frame& f0, const Frame& f1) {
  return (f1.displacement - f0.displacement) +
         ((times(f1.rotation, pair.point1.local) - times(f0.rotation, pair.point0.local)) +
          pair.origins);
}

// Throws ModelError unless the parameter is a rotation matrix.
inline void checkRotation(const Matrix3& R, std::string_view parameter, const std::string& where) {
  if ((R.transpose() * R - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-6)
    throw ModelError(where + ": " + std::string(parameter) + " = " + valueText(MatrixX(R)) +
                     " is not a rotation matrix (R^T R != I)");
}

// First data variable of an item's GenericData node, which must have at least count values; -1 if
// no node is given and none is required.
int dataOf(const AssemblyView& view, NodeIndex node, int count, const std::string& where,
           bool required = false);

// The place of a body's node, which must have exactly one coordinate of second order.
NodePlace nodeOfOneCoordinate(const AssemblyView& view, NodeIndex node, int object);
// Its reference value.
Real referenceCoordinate(const AssemblyView& view, NodeIndex node);

template <class T>
struct RegisterObject {
  RegisterObject() {
    static const typename T::Behaviour behaviour;
    ItemType type = describeItem<T>(Category::object);
    type.object = &behaviour;
    Registry::instance().add(std::move(type));
  }
};

// A batch over the items of a pool with one resolved record each.
template <class T, class Resolved>
class ResolvedBatch : public ElementBatch {
 public:
  explicit ResolvedBatch(const BatchSource& source)
      : items_(static_cast<const PoolOf<T>&>(source.pool).items),
        numbers_(source.numbers.begin(), source.numbers.end()),
        view_(source.view) {}
  int size() const override { return static_cast<int>(items_.size()); }

 protected:
  const std::vector<T>& items_;
  std::vector<int> numbers_;
  const AssemblyView& view_;
  std::vector<Resolved> resolved_;
};

}  // namespace catena
