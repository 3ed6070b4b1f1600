#include "items/scalar_coordinate.h"

#include <numbers>

#include "kernels/rotation.h"

namespace catena {
namespace {

using Kind = ScalarCoordinate::Kind;
constexpr Real twoPi = 2 * std::numbers::pi;

// Whether the coordinate of a node is itself an unknown.
bool isPlain(const AssemblyView& view, const ScalarCoordinate& c) {
  const NodeLayout& layout = view.layout(c.node);
  return layout.shape.rotations != 3 || c.component < 3;
}

void evaluateNode(const AssemblyView& view, const ScalarCoordinate& c, const State& state,
                  const EvaluationContext* context, ScalarMotion& out) {
  const NodePlace& place = view.place(c.node);
  const int at = place.coordinate + c.component;
  out.value = state.q[at];
  out.rate = state.v[at];
  if (isPlain(view, c)) {
    out.size = 1;
    out.forceRow[0] = 1;
    if (!context) return;
    out.dValue[0] = context->variation.position;
    out.dRate[0] = context->variation.velocity;
    out.dForceRow(0, 0) = 0;
    return;
  }
  out.size = 3;
  Vector6 positionRow, forceRow;
  Matrix6 hessian;
  view.behaviour(c.node).coordinateRows(view.item(Category::node, c.node.value),
                                        viewOf(state, place), c.component, positionRow.data(),
                                        forceRow.data(), hessian.data());
  out.forceRow.head<3>() = forceRow.tail<3>();
  if (!context) return;
  const Variation& along = context->variation;
  out.dValue.head<3>() = along.position * positionRow.tail<3>();
  out.dRate.head<3>() = along.velocity * forceRow.tail<3>();
  out.dForceRow.topLeftCorner<3, 3>() = along.position * hessian.bottomRightCorner<3, 3>();
}

// Angle i of the node and the world angular velocity component i.
template <class S>
void rotationCoordinate(const Motion<S>& m, int component, S& value, S& rate, MatrixOf<S, 3>& row) {
  value = taitBryanAngles<S>(m.rotation)[component];
  row = m.rotation.row(component).transpose();
  rate = row.dot(m.omega);
}

template <class S>
void relativeRotation(const ScalarCoordinate& c, const Motion<S>& m0, const Motion<S>& m1, S& value,
                      S& rate, MatrixOf<S, 6>& row) {
  using std::atan2;
  using V = MatrixOf<S, 3>;
  const MatrixOf<S, 3, 3> R = m0.rotation.transpose() * m1.rotation;
  const V x = lift<S>(Vector3(c.basis.col(0))), y = lift<S>(Vector3(c.basis.col(1)));
  const V Rx = R * x;
  value = atan2(y.dot(Rx), x.dot(Rx));
  const V axis0 = lift<S>(c.axis);
  const V axis1 = R.transpose() * axis0;  // the axis in frame 1
  rate = axis1.dot(m1.omega) - axis0.dot(m0.omega);
  row.template head<3>() = -axis0;
  row.template tail<3>() = axis1;
}

// t = a.(p1 - p0), a fixed in frame 0; the force row is the exact gradient, so that power and
// momenta are kept.
template <class S>
void relativeTranslation(const ScalarCoordinate& c, const Motion<S>& m0, const Motion<S>& m1,
                         S& value, S& rate, MatrixOf<S, 12>& row) {
  using V = MatrixOf<S, 3>;
  const V axis = lift<S>(c.axis);
  const V world = m0.rotation * axis;
  const V dp = relativePosition(m0, c.point0.local, m1, c.point1.local, c.referenceOffset);
  const V local = m0.rotation.transpose() * dp;
  const V dv = pointVelocity(m1, c.point1.local) - pointVelocity(m0, c.point0.local);
  value = axis.dot(local);
  rate = world.dot(dv) + V(m0.omega.cross(axis)).dot(local);
  row.template segment<3>(0) = -world;
  row.template segment<3>(3) = axis.cross(V(local + lift<S>(c.point0.local)));
  row.template segment<3>(6) = world;
  row.template segment<3>(9) = lift<S>(c.point1.local).cross(V(m1.rotation.transpose() * world));
}

// Copies the derivatives of duals; row holds rows first..first+size of the local unknowns.
template <int N, class Row>
void store(const Dual<N>& value, const Dual<N>& rate, const Row& row, int first, int size,
           ScalarMotion& out) {
  out.dValue.template head<N>() = value.gradient.matrix();
  out.dRate.template head<N>() = rate.gradient.matrix();
  for (int i = 0; i < size; ++i) {
    out.dForceRow.template block<1, N>(first + i, 0) = row[i].gradient.matrix().transpose();
  }
}

}  // namespace

Real continuedAngle(Real angle, Real last) {
  return angle + twoPi * std::round((last - angle) / twoPi);
}

int scalarSize(const AssemblyView& view, const ScalarCoordinate& c) {
  switch (c.kind) {
    case Kind::ground:
      return 0;
    case Kind::node:
      return isPlain(view, c) ? 1 : 3;
    case Kind::firstOrder:
      return 1;
    case Kind::rotation:
      return 3;
    default:
      return 12;
  }
}

std::array<int, 4> addScalarGroups(const AssemblyView& view, const ScalarCoordinate& c, int offset,
                                   ElementPattern& pattern) {
  std::array<int, 4> g{-1, -1, -1, -1};
  switch (c.kind) {
    case Kind::ground:
      break;
    case Kind::firstOrder:
      g[0] = pattern.add({view.place(c.node).group, offset, 1, c.component});
      break;
    case Kind::node:
    case Kind::rotation: {
      const NodePlace& place = view.place(c.node);
      if (c.kind == Kind::rotation || !isPlain(view, c)) {
        const FrameShape shape = view.layout(c.node).shape;  // planar: only the rotation about z
        g[0] = pattern.add({place.group + (shape.translations > 0), offset + 3 - shape.rotations,
                            shape.rotations, 0});
        break;
      }
      const GroupSizes groups = view.layout(c.node).groups;
      int group = place.group, component = c.component;
      if (component >= groups.sizes[0]) component -= groups.sizes[0], ++group;
      g[0] = pattern.add({group, offset, 1, component});
      break;
    }
    default: {
      const auto g0 = addFrameGroups(view, c.point0.frame, offset, pattern);
      const auto g1 = addFrameGroups(view, c.point1.frame, offset + 6, pattern);
      g = {g0[0], g0[1], g1[0], g1[1]};
    }
  }
  return g;
}

Real relativeAngle(const ScalarCoordinate& c, const Frame* frames) {
  Real value, rate;
  Vector6 row;
  relativeRotation(c, motionOf(frames[c.point0.frame]), motionOf(frames[c.point1.frame]), value,
                   rate, row);
  return value;
}

void evaluateScalar(const AssemblyView& view, const ScalarCoordinate& c, const State& state,
                    const Frame* frames, const EvaluationContext* context, ScalarMotion& out) {
  out.size = 0;
  out.value = out.rate = 0;
  const auto lifted12 = [&](int frame, int first) {
    return liftMotion<12>(frames[frame], context->variationOf(frame), context->variation, first);
  };
  switch (c.kind) {
    case Kind::ground:
      return;
    case Kind::node:
      evaluateNode(view, c, state, context, out);
      return;
    case Kind::firstOrder: {
      const int at = view.place(c.node).firstOrder + c.component;
      out.size = 1;
      out.value = state.y[at];
      out.rate = state.ydot[at];
      out.forceRow[0] = 1;
      if (context)
        out.dValue[0] = context->variation.position,
        out.dRate[0] = context->variation.firstOrderRate, out.dForceRow(0, 0) = 0;
      return;
    }
    case Kind::rotation: {
      const int frame = view.place(c.node).frame;
      out.size = 3;
      if (context) {  // only the rotational directions 3..5 are unknowns of this coordinate
        Dual<6> value, rate;
        MatrixOf<Dual<6>, 3> row;
        rotationCoordinate(
            liftMotion<6>(frames[frame], context->variationOf(frame), context->variation, 0),
            c.component, value, rate, row);
        out.dValue.head<3>() = value.gradient.tail<3>().matrix();
        out.dRate.head<3>() = rate.gradient.tail<3>().matrix();
        for (int i = 0; i < 3; ++i)
          out.dForceRow.block<1, 3>(i, 0) = row[i].gradient.tail<3>().matrix().transpose();
      }
      Vector3 force;
      rotationCoordinate(motionOf(frames[frame]), c.component, out.value, out.rate, force);
      out.forceRow.head<3>() = force;
      return;
    }
    case Kind::relativeRotation: {
      out.size = 12;
      out.forceRow.setZero();
      if (context) {
        Dual<12> value, rate;
        MatrixOf<Dual<12>, 6> row;
        relativeRotation(c, lifted12(c.point0.frame, 0), lifted12(c.point1.frame, 6), value, rate,
                         row);
        out.dForceRow.setZero();
        store(value, rate, row.head<3>(), 3, 3, out);
        store(value, rate, row.tail<3>(), 9, 3, out);
      }
      Vector6 force;
      relativeRotation(c, motionOf(frames[c.point0.frame]), motionOf(frames[c.point1.frame]),
                       out.value, out.rate, force);
      out.forceRow.segment<3>(3) = force.head<3>();
      out.forceRow.segment<3>(9) = force.tail<3>();
      if (c.data >= 0) out.value = continuedAngle(out.value, state.data[c.data]);
      out.value -= c.offset;
      return;
    }
    case Kind::relativeTranslation: {
      out.size = 12;
      if (context) {
        Dual<12> value, rate;
        MatrixOf<Dual<12>, 12> row;
        relativeTranslation(c, lifted12(c.point0.frame, 0), lifted12(c.point1.frame, 6), value,
                            rate, row);
        store(value, rate, row, 0, 12, out);
      }
      MatrixOf<Real, 12> force;
      relativeTranslation(c, motionOf(frames[c.point0.frame]), motionOf(frames[c.point1.frame]),
                          out.value, out.rate, force);
      out.forceRow = force;
      out.value -= c.offset;
      return;
    }
  }
}

Real scalarSecondRate(const AssemblyView& view, const ScalarCoordinate& c, const State& state,
                      const Frame* frames) {
  Dual<1> value, rate;
  switch (c.kind) {
    case Kind::ground:
    case Kind::firstOrder:
      return 0;
    case Kind::node:
      return state.a[view.place(c.node).coordinate + c.component];
    case Kind::rotation: {
      MatrixOf<Dual<1>, 3> row;
      rotationCoordinate(timeMotion(frames[view.place(c.node).frame]), c.component, value, rate,
                         row);
      break;
    }
    case Kind::relativeRotation: {
      MatrixOf<Dual<1>, 6> row;
      relativeRotation(c, timeMotion(frames[c.point0.frame]), timeMotion(frames[c.point1.frame]),
                       value, rate, row);
      break;
    }
    case Kind::relativeTranslation: {
      MatrixOf<Dual<1>, 12> row;
      relativeTranslation(c, timeMotion(frames[c.point0.frame]), timeMotion(frames[c.point1.frame]),
                          value, rate, row);
      break;
    }
  }
  return rate.gradient[0];
}

ScalarPair resolveScalars(const AssemblyView& view, int number, const MarkerPair& markers) {
  const auto resolve = [&](MarkerIndex marker) {
    const ScalarCoordinate& c =
        *resolveMarker(view, Category::object, number, marker, MarkerNeed::coordinate).scalar;
    if (c.kind == Kind::firstOrder)
      throw ModelError(view.where(Category::object, number) + ": " +
                       view.where(Category::marker, marker.value) +
                       " is a first order coordinate, which takes no forces; use it with a "
                       "Coordinate load");
    return c;
  };
  return {resolve(markers[0]), resolve(markers[1])};
}

int scalarWidth(const AssemblyView& view, const std::vector<ScalarPair>& pairs) {
  int width = 1;
  for (const ScalarPair& p : pairs)
    width = std::max({width, scalarSize(view, p.c0), scalarSize(view, p.c1)});
  return width;
}

}  // namespace catena
