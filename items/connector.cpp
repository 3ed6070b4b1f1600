#include "items/connector.h"

#include <limits>

#include "items/dependent_frame.h"

namespace catena {

const MarkerBinding& resolveMarker(const AssemblyView& view, Category category, int number,
                                   MarkerIndex marker, MarkerNeed need) {
  if (!marker.valid())
    throw ModelError(view.where(category, number) +
                     ": a marker is missing (index -1); give the indices of its markers");
  const MarkerBinding& m = view.marker(marker);
  const bool position = need == MarkerNeed::position || need == MarkerNeed::positionAndOrientation;
  const bool orientation =
      need == MarkerNeed::orientation || need == MarkerNeed::positionAndOrientation;
  const auto refuse = [&](const char* what, const char* remedy) {
    throw ModelError(view.where(category, number) + ": " +
                     view.where(Category::marker, marker.value) + " provides no " + what +
                     "; use a " + remedy + " marker");
  };
  if (position && !m.position)
    refuse("position", "position or rigid (BodyPosition, BodyRigid, NodePosition, NodeRigid)");
  if (orientation && !m.orientation) refuse("orientation", "rigid (BodyRigid or NodeRigid)");
  if (need == MarkerNeed::coordinate && !m.coordinate)
    refuse("coordinate", "coordinate (NodeCoordinate, BodiesRelative...)");
  return m;
}

FramePair resolveFrames(const AssemblyView& view, Category category, int number,
                        const MarkerPair& markers, MarkerNeed need) {
  if (markers[0] == markers[1] && markers[0].valid())
    throw ModelError(view.where(category, number) + ": markerNumbers = [" +
                     std::to_string(markers[0].value) + ", " + std::to_string(markers[1].value) +
                     "] names one marker twice; a connector needs two");
  FramePair pair;
  pair.point0 = resolveMarker(view, category, number, markers[0], need).point;
  pair.point1 = resolveMarker(view, category, number, markers[1], need).point;
  pair.origins =
      view.referencePosition(pair.point1.frame) - view.referencePosition(pair.point0.frame);
  return pair;
}

int dataOf(const AssemblyView& view, NodeIndex node, int count, const std::string& where,
           bool required) {
  const std::string remedy = "; give the index of a GenericData node with " +
                             std::to_string(count) + (count == 1 ? " value" : " values");
  if (!node.valid()) {
    if (required) throw ModelError(where + ": nodeNumber is missing" + remedy);
    return -1;
  }
  if (view.layout(node).data < std::max(count, 1))
    throw ModelError(where + ": nodeNumber = " + std::to_string(node.value) + " refers to " +
                     view.where(Category::node, node.value) + ", which has " +
                     std::to_string(view.layout(node).data) + " data values" + remedy);
  return view.place(node).data;
}

NodePlace nodeOfOneCoordinate(const AssemblyView& view, NodeIndex node, int object) {
  if (!node.valid())
    throw ModelError(view.where(Category::object, object) +
                     ": nodeNumber is missing; give the index of a 1D node");
  if (view.layout(node).coordinates != 1)
    throw ModelError(view.where(Category::object, object) + ": " +
                     view.where(Category::node, node.value) + " has " +
                     std::to_string(view.layout(node).coordinates) +
                     " coordinates; the body needs a 1D node");
  return view.place(node);
}

Real referenceCoordinate(const AssemblyView& view, NodeIndex node) {
  Real value = 0;
  view.behaviour(node).referenceCoordinates(view.item(Category::node, node.value), &value);
  return value;
}

void removeRoundingGap(const AssemblyView& view, FramePair& pair) {
  const Vector3 lever0 = view.referenceRotation(pair.point0.frame) * pair.point0.local;
  const Vector3 lever1 = view.referenceRotation(pair.point1.frame) * pair.point1.local;
  const Vector3 position0 = view.referencePosition(pair.point0.frame),
                position1 = view.referencePosition(pair.point1.frame);
  for (int i = 0; i < 3; ++i) {
    const Real gap = pair.origins[i] + (lever1[i] - lever0[i]);
    const Real rounding = 16 * std::numeric_limits<Real>::epsilon() *
                          (std::abs(position0[i]) + std::abs(position1[i]) + std::abs(lever0[i]) +
                           std::abs(lever1[i]));
    if (std::abs(gap) <= rounding) pair.origins[i] = lever0[i] - lever1[i];
  }
}

std::array<int, 2> addFrameGroups(const AssemblyView& view, int frame, int offset,
                                  ElementPattern& pattern) {
  if (const int dependent = view.dependentOfFrame(frame); dependent >= 0) {
    const CoordinateVector& coordinates = view.dependent(dependent).coordinates();
    pattern.dependences.push_back({offset, dependent, pattern.localSize});
    const int all = pattern.addBundle(coordinates.addGroups(view, pattern.localSize, pattern));
    pattern.localSize += coordinates.unknowns();
    pattern.couple(all, all);
    return {all, all};
  }
  const FrameShape shape = view.shapeOfFrame(frame);
  int group = view.groupOfFrame(frame);
  std::array<int, 2> positions{-1, -1};
  if (group < 0) return positions;
  if (shape.translations) positions[0] = pattern.add({group++, offset, shape.translations, 0});
  if (shape.translations == 1) pattern.projections.push_back({offset, view.axisOfFrame(frame)});
  if (shape.rotations)
    positions[1] = pattern.add({group, offset + shape.rotationStart(), shape.rotations, 0});
  return positions;
}

std::array<int, 4> describeFramePair(const AssemblyView& view, const FramePair& pair,
                                     bool coupleAll, ElementPattern& pattern) {
  const auto g0 = addFrameGroups(view, pair.point0.frame, 0, pattern);
  const auto g1 = addFrameGroups(view, pair.point1.frame, 6, pattern);
  const std::array<int, 4> all{g0[0], g0[1], g1[0], g1[1]};
  if (coupleAll)
    for (const int row : all)
      for (const int column : all)
        if (row >= 0 && column >= 0) pattern.couple(row, column);
  return all;
}

void addPointForce(const EvaluationContext& context, const FramePair& pair, const Vector3& F,
                   const Matrix3& Kp, const Matrix3& Kv, LocalVector<12>& r, LocalMatrix<12>& L) {
  const Variation& along = context.variation;
  const FramePoint* points[2] = {&pair.point0, &pair.point1};
  Matrix3 lever[2], rate[2];  // d point = dr + lever dtheta; d velocity = gamma' (dr + lever
                              // dtheta) + position rate dtheta
  for (int i = 0; i < 2; ++i) {
    const Frame& f = context.frames[points[i]->frame];
    const Vector3& u = points[i]->local;
    const Real sign = i == 0 ? -1 : 1;
    r.segment<3>(6 * i) = sign * F;
    r.segment<3>(6 * i + 3) = sign * u.cross(f.rotation.transpose() * F);
    if (!context.withMatrix) continue;
    lever[i] = -f.rotation * skew(u);
    rate[i] = -f.rotation * skew(f.omega.cross(u));
    if (const FrameVariation* w = context.variationOf(points[i]->frame))
      rate[i] += lever[i] * w->omega;
  }
  if (!context.withMatrix) return;
  const Matrix3 K = along.rowScale * (along.position * Kp + along.velocity * Kv);
  const Matrix3 D = along.rowScale * along.position * Kv;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const Real sign = i == j ? 1 : -1;
      const Matrix3 byTheta = K * lever[j] + D * rate[j];
      L.block<3, 3>(6 * i, 6 * j) = sign * K;
      L.block<3, 3>(6 * i, 6 * j + 3) = sign * byTheta;
      L.block<3, 3>(6 * i + 3, 6 * j) = sign * lever[i].transpose() * K;
      L.block<3, 3>(6 * i + 3, 6 * j + 3) = sign * lever[i].transpose() * byTheta;
      if (i == j) {  // the lever turns: d (u x A^T F) = u x (A^T F x dtheta)
        const Real s = (i == 0 ? -1 : 1) * along.rowScale * along.position;
        const Frame& f = context.frames[points[i]->frame];
        L.block<3, 3>(6 * i + 3, 6 * i + 3) +=
            s * skew(points[i]->local) * skew(f.rotation.transpose() * F);
      }
    }
}

}  // namespace catena
