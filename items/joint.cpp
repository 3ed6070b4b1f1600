#include "items/joint.h"

#include "kernels/rotation.h"

namespace catena {

struct JointBatch::Form {
  Matrix3 R0, R1;
  JointAxes axes;
  bool worldTranslation = true;
  bool orientation = true;
  std::array<RotationRow, 3> rows{};
  int rotationCount = 0;

  explicit Form(const JointDefinition& d)
      : R0(d.rotation0),
        R1(d.rotation1),
        axes(d.axes),
        worldTranslation(d.worldTranslation()),
        orientation(d.need != MarkerNeed::position),
        rotationCount(rotationRows(d.axes, rows)) {}
  bool isOf(const JointDefinition& d) const {
    return R0 == d.rotation0 && R1 == d.rotation1 && axes == d.axes &&
           worldTranslation == d.worldTranslation() &&
           orientation == (d.need != MarkerNeed::position);
  }
  int equations() const { return axes.translations() + rotationCount; }
};

struct JointBatch::Joint {
  struct Offset {  // user functions
    CompiledFunction value, rate;
    Vector6 parameters;
  };
  FramePair pair;
  const Form* form = nullptr;
  std::unique_ptr<Offset> offset;  // mostly none
  int number = 0;                  // of the object
  int multiplier = 0;              // first, in the state
  bool active = true;
};

namespace {

// Offset at time t: translation, the joint frame R0 turned by the offset angles, and their rates.
template <class S>
struct Offset {
  MatrixOf<S, 3> translation, translationRate;
  MatrixOf<S, 3, 3> R0, R0Rate;
};

template <class Joint>
Vector6 offsetValue(Joint& joint, CompiledFunction& function, Real time) {
  std::array<Real, 7> arguments{time};
  for (int k = 0; k < 6; ++k) arguments[1 + k] = joint.offset->parameters[k];
  Vector6 value;
  function.evaluate(arguments, {value.data(), 6});
  return value;
}

template <class Joint>
Offset<Real> offsetAt(Joint& joint, Real time) {
  if (!joint.offset) return {Vector3::Zero(), Vector3::Zero(), joint.form->R0, Matrix3::Zero()};
  const auto valueAt = [&](Real t) { return offsetValue(joint, joint.offset->value, t); };
  const Vector6 value = valueAt(time);
  const Vector6 rate = joint.offset->rate.defined()
                           ? offsetValue(joint, joint.offset->rate, time)
                           : timeDerivative(valueAt, time, repeatedTimeStep);
  const Vector3 angles = value.tail<3>(), angleRates = rate.tail<3>();
  const Matrix3 R0 = joint.form->R0 * rotationFromTaitBryan(angles);
  return {value.head<3>(), rate.head<3>(), R0, R0 * skew(gbarTaitBryan(angles) * angleRates)};
}

template <class S>
Offset<S> lifted(const Offset<Real>& o) {
  return {o.translation.cast<S>(), o.translationRate.cast<S>(), o.R0.cast<S>(), o.R0Rate.cast<S>()};
}
// With derivatives along time.
template <class Joint>
Offset<Dual<1>> movingOffset(Joint& joint, Real time) {
  const Offset<Real> now = offsetAt(joint, time);
  Eigen::Matrix<Real, 3, 4> second = Eigen::Matrix<Real, 3, 4>::Zero();
  if (joint.offset)
    second = timeDerivative(
        [&](Real t) {
          const Offset<Real> o = offsetAt(joint, t);
          Eigen::Matrix<Real, 3, 4> rates;
          rates << o.translationRate, o.R0Rate;
          return rates;
        },
        time, joint.offset->rate.defined() ? 0x1p-13 : repeatedTimeStep);
  const auto along = [](const auto& value, const auto& rate, auto& out) {
    for (int i = 0; i < value.size(); ++i)
      out(i) = Dual<1>(value(i), Dual<1>::Gradient::Constant(rate(i)));
  };
  Offset<Dual<1>> offset;
  along(now.translation, now.translationRate, offset.translation);
  along(now.translationRate, Vector3(second.col(0)), offset.translationRate);
  along(now.R0, now.R0Rate, offset.R0);
  along(now.R0Rate, Matrix3(second.rightCols<3>()), offset.R0Rate);
  return offset;
}

// Rates of the constraint equations for any scalar type; velocity level of index 2 and, with time
// derivatives, the acceleration level.
template <class S, class Joint>
void constraintRates(const Joint& joint, const Offset<S>& offset, const Motion<S>& m0,
                     const Motion<S>& m1, S* rates) {
  using V = MatrixOf<S, 3>;
  const auto& pair = joint.pair;
  const V dv = pointVelocity(m1, pair.point1.local) - pointVelocity(m0, pair.point0.local);
  int row = 0;
  if (joint.form->worldTranslation) {
    for (int k = 0; k < 3; ++k)
      if (joint.form->axes.translation[k]) rates[row++] = dv[k] - offset.translationRate[k];
  } else if (joint.form->axes.translations()) {
    const V dp = relativePosition(m0, pair.point0.local, m1, pair.point1.local, pair.origins);
    const V local = m0.rotation.transpose() * dv - m0.omega.cross(V(m0.rotation.transpose() * dp));
    const V dpLocal = m0.rotation.transpose() * dp;
    for (int k = 0; k < 3; ++k)
      if (joint.form->axes.translation[k])
        rates[row++] = V(offset.R0.col(k)).dot(local) + V(offset.R0Rate.col(k)).dot(dpLocal) -
                       offset.translationRate[k];
  }
  for (int i = 0; i < joint.form->rotationCount; ++i) {
    const V a = offset.R0.col(joint.form->rows[i].a),
            b = lift<S>(Vector3(joint.form->R1.col(joint.form->rows[i].b)));
    const V A0a = m0.rotation * a, A1b = m1.rotation * b;
    const V aRate = offset.R0Rate.col(joint.form->rows[i].a);
    rates[row++] = V(m0.rotation * V(m0.omega.cross(a) + aRate)).dot(A1b) +
                   A0a.dot(V(m1.rotation * m1.omega.cross(b)));
  }
}

}  // namespace

int rotationRows(const JointAxes& axes, std::array<RotationRow, 3>& rows) {
  constexpr int x = 0, y = 1, z = 2;
  switch (axes.rotations()) {
    case 3:
      rows = {RotationRow{z, y, 0}, {z, x, 1}, {x, y, 2}};
      return 3;
    case 2: {  // the free axis of AJ0 stays perpendicular to the other two axes of AJ1
      const int free = !axes.rotation[x] ? x : !axes.rotation[y] ? y : z;
      int count = 0;
      for (int k = 0; k < 3; ++k)
        if (k != free) rows[count++] = {free, k, k};
      return 2;
    }
    case 1: {  // the two free axes, in ascending order
      const int locked = axes.rotation[x] ? x : axes.rotation[y] ? y : z;
      const int f = locked == 0 ? 1 : 0, g = locked == 2 ? 1 : 2;
      rows[0] = {f, g, locked};
      return 1;
    }
    default:
      return 0;
  }
}

JointBatch::JointBatch(const BatchSource& source,
                       const std::function<JointDefinition(int)>& definition)
    : view_(source.view) {
  joints_.resize(source.numbers.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDefinition d = definition(static_cast<int>(i));
    Joint& joint = joints_[i];
    joint.number = source.numbers[i];
    joint.pair = resolveFrames(view_, Category::object, joint.number, d.markers, d.need);
    removeRoundingGap(view_, joint.pair);
    joint.multiplier = std::max(0, view_.multiplier({joint.number}));  // -1: all axes are free
    joint.active = d.active;
    if (forms_.empty() || !forms_.back().isOf(d)) forms_.emplace_back(d);
    joint.form = &forms_.back();
    const auto compiled = [&](const UserFunction* function, const char* name) {
      return function && function->defined()
                 ? CompiledFunction(*function, {"t", "p0", "p1", "p2", "p3", "p4", "p5"}, 6,
                                    view_.where(Category::object, joint.number) + ": " + name)
                 : CompiledFunction();
    };
    CompiledFunction value = compiled(d.offset, "offsetUserFunction"),
                     rate = compiled(d.offsetRate, "offsetUserFunction_t");
    serial_ = serial_ || value.serial() || rate.serial();
    if (value.defined())
      joint.offset = std::make_unique<Joint::Offset>(
          Joint::Offset{std::move(value), std::move(rate), d.offsetParameters});
  }
}

JointBatch::~JointBatch() = default;

int JointBatch::size() const { return static_cast<int>(joints_.size()); }

void JointBatch::describe(int e, ElementPattern& pattern) const {
  const Joint& joint = joints_[e];
  const auto g = describeFramePair(view_, joint.pair, false, pattern);
  const int nt = joint.form->axes.translations(), nr = joint.form->rotationCount;
  int group = view_.multiplierGroup({joint.number});
  const int lt = nt ? pattern.add({group++, 12, nt, 0}) : -1;
  const int lr = nr ? pattern.add({group, 12 + nt, nr, 0}) : -1;
  if (!joint.active) {
    if (lt >= 0) pattern.couple(lt, lt);
    if (lr >= 0) pattern.couple(lr, lr);
    return;
  }
  const auto coupleBoth = [&](int a, int b) {
    if (a < 0 || b < 0) return;
    pattern.couple(a, b);
    if (a != b) pattern.couple(b, a);
  };
  for (const int k : g) coupleBoth(lt, k);
  coupleBoth(lr, g[1]);
  coupleBoth(lr, g[3]);
  // geometric stiffness
  if (nt && !joint.form->worldTranslation) {
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (g[a] >= 0 && g[b] >= 0 && (a % 2 == 1 || b % 2 == 1)) pattern.couple(g[a], g[b]);
  } else {
    if (g[1] >= 0) pattern.couple(g[1], g[1]);
    if (g[3] >= 0) pattern.couple(g[3], g[3]);
    if (nr) {
      if (g[1] >= 0 && g[3] >= 0) {
        pattern.couple(g[1], g[3]);
        pattern.couple(g[3], g[1]);
      }
    }
  }
}

// Residual and tangent of a joint. Local rows: frame 0, frame 1, multipliers.
class JointBatch::Evaluation {
 public:
  static constexpr int size = 18;
  LocalVector<size> r = LocalVector<size>::Zero();
  // Blocks that no joint describes keep what was there.
  LocalMatrix<size> L = LocalMatrix<size>::Zero();

  explicit Evaluation(const EvaluationContext& context)
      : withMatrix_(context.withMatrix),
        stiff_(context.variation.rowScale * context.variation.position),
        byPosition_(context.variation.constraintPosition) {}

  Eigen::Block<LocalMatrix<size>, 3, 3> block(int row, int column) {
    return L.block<3, 3>(row, column);
  }

  void inactive(const Joint& joint, const Real* lambda, Real rowScale) {
    r.head<12>().setZero();
    L.bottomRightCorner<6, 6>().setZero();
    for (int k = 0; k < joint.form->equations(); ++k)
      r[12 + k] = lambda[k], L(12 + k, 12 + k) = 1 / rowScale;
  }

  void position(const Joint& joint, const Matrix3& R0, const Vector3& offset, const Frame& f0,
                const Frame& f1, const Real* lambda) {
    r.head<12>().setZero();
    if (withMatrix_) block(3, 3).setZero(), block(9, 9).setZero();
    int row = 0;
    if (joint.form->worldTranslation)
      row = worldTranslation(joint, offset, f0, f1, lambda);
    else if (joint.form->axes.translations())
      row = localTranslation(joint, R0, offset, f0, f1, lambda);
    if (joint.form->rotationCount) rotation(joint, R0, f0, f1, lambda + row, row);
  }

  // The equations become those of another level.
  void rates(const EvaluationContext& context, Joint& joint, const Frame& f0, const Frame& f1) {
    const int m = joint.form->equations();
    const Real time = context.state.time;
    if (context.level == ConstraintLevel::velocity) {
      const Offset<Real> offset = offsetAt(joint, time);
      constraintRates(joint, offset, motionOf(f0), motionOf(f1), r.data() + 12);
      if (!withMatrix_) return;
      Dual<12> rates[6];
      const Variation& along = context.variation;
      constraintRates(joint, lifted<Dual<12>>(offset),
                      liftMotion<12>(f0, context.variationOf(joint.pair.point0.frame), along, 0),
                      liftMotion<12>(f1, context.variationOf(joint.pair.point1.frame), along, 6),
                      rates);
      for (int k = 0; k < m; ++k)
        L.block<1, 12>(12 + k, 0) = rates[k].gradient.matrix().transpose();
    } else {
      Dual<1> rates[6];
      constraintRates(joint, movingOffset(joint, time), timeMotion(f0), timeMotion(f1), rates);
      for (int k = 0; k < m; ++k) r[12 + k] = rates[k].gradient[0];
    }
  }

 private:
  // Equation row with the parts of its gradient.
  void addEquation(int row, Real value, Real lambda, const Vector3& c0, const Vector3& c1,
                   const Vector3& c2, const Vector3& c3) {
    Eigen::Matrix<Real, 12, 1> c;
    c << c0, c1, c2, c3;
    r[12 + row] = value;
    r.head<12>() += lambda * c;
    if (!withMatrix_) return;
    L.col(12 + row).head<12>() = c;
    L.row(12 + row).head<12>() = byPosition_ * c.transpose();
  }

  int worldTranslation(const Joint& joint, const Vector3& offset, const Frame& f0, const Frame& f1,
                       const Real* lambda) {
    const Vector3 &u0 = joint.pair.point0.local, &u1 = joint.pair.point1.local;
    const Vector3 dp = relativePosition(joint.pair, f0, f1);
    Vector3 force = Vector3::Zero();
    int row = 0;
    for (int k = 0; k < 3; ++k) {
      if (!joint.form->axes.translation[k]) continue;
      force[k] = lambda[row];
      r[12 + row] = dp[k] - offset[k];
      if (withMatrix_) {
        const Vector3 lever0 = f0.rotation.row(k).transpose().cross(u0),
                      lever1 = u1.cross(f1.rotation.row(k).transpose());
        auto column = L.col(12 + row);
        column.head<12>().setZero();
        column[k] = -1;
        column.segment<3>(3) = lever0;
        column[6 + k] = 1;
        column.segment<3>(9) = lever1;
        L.row(12 + row).head<12>() = byPosition_ * column.head<12>().transpose();
      }
      ++row;
    }
    const Vector3 force0 = transposedTimes(f0.rotation, force),
                  force1 = transposedTimes(f1.rotation, force);
    r.segment<3>(0) -= force;
    r.segment<3>(3) -= u0.cross(force0);
    r.segment<3>(6) += force;
    r.segment<3>(9) += u1.cross(force1);
    if (withMatrix_) {
      block(3, 3) = -stiff_ * skewProduct(u0, force0);
      block(9, 9) = stiff_ * skewProduct(u1, force1);
    }
    return row;
  }

  int localTranslation(const Joint& joint, const Matrix3& R0, const Vector3& offset,
                       const Frame& f0, const Frame& f1, const Real* lambda) {
    const Matrix3 &A0 = f0.rotation, &A1 = f1.rotation;
    const Vector3 &u0 = joint.pair.point0.local, &u1 = joint.pair.point1.local;
    const Vector3 d0 = A0.transpose() * relativePosition(joint.pair, f0, f1);
    Vector3 l = Vector3::Zero();  // force on point 1 in frame 0
    int row = 0;
    for (int k = 0; k < 3; ++k) {
      if (!joint.form->axes.translation[k]) continue;
      const Vector3 axis = R0.col(k), world = A0 * axis;
      l += lambda[row] * axis;
      addEquation(row, axis.dot(d0) - offset[k], lambda[row], -world, axis.cross(d0 + u0), world,
                  u1.cross(A1.transpose() * world));
      ++row;
    }
    if (!withMatrix_) return row;
    const Matrix3 lx = skew(l), u1x = skew(u1);
    const Matrix3 lA0t = lx * A0.transpose(), A0l = A0 * lx;
    const Vector3 l1 = A1.transpose() * (A0 * l);
    block(3, 0) = -stiff_ * lA0t;
    block(3, 3) = stiff_ * skewProduct(l, d0 + u0);
    block(3, 6) = stiff_ * lA0t;
    block(3, 9) = -stiff_ * lA0t * A1 * u1x;
    block(0, 3) = stiff_ * A0l;
    block(6, 3) = -stiff_ * A0l;
    block(9, 3) = -stiff_ * u1x * A1.transpose() * A0l;
    block(9, 9) = stiff_ * skewProduct(u1, l1);
    return row;
  }

  void rotation(const Joint& joint, const Matrix3& R0, const Frame& f0, const Frame& f1,
                const Real* lambda, int row) {
    const Matrix3 &A0 = f0.rotation, &A1 = f1.rotation;
    Matrix3 R01;
    for (int k = 0; k < 3; ++k) R01.col(k) = transposedTimes(A0, A1.col(k));
    const bool rotations = f0.norm2 == 1 && f1.norm2 == 1;
    Vector3 torque0 = Vector3::Zero(), torque1 = Vector3::Zero();
    Matrix3 K00 = Matrix3::Zero(), K01 = Matrix3::Zero(), K11 = Matrix3::Zero();
    for (int i = 0; i < joint.form->rotationCount; ++i, ++row) {
      const Vector3 a = R0.col(joint.form->rows[i].a),
                    b = joint.form->R1.col(joint.form->rows[i].b);
      const Vector3 b0 = times(R01, b), a1 = transposedTimes(R01, a);
      Vector3 c0, c1;  // gradient
      if (rotations) {
        c0 = a.cross(b0);
        c1 = b.cross(a1);
      } else {
        const Vector3 torque = times(A0, a).cross(times(A1, b));
        c0 = f0.angularRotation().transpose() * torque;
        c1 = -f1.angularRotation().transpose() * torque;
      }
      r[12 + row] = a.dot(b0);
      torque0 += lambda[i] * c0;
      torque1 += lambda[i] * c1;
      if (!withMatrix_) continue;
      for (int k = 0; k < 3; ++k) {
        L(3 + k, 12 + row) = c0[k];
        L(9 + k, 12 + row) = c1[k];
        L(12 + row, 3 + k) = byPosition_ * c0[k];
        L(12 + row, 9 + k) = byPosition_ * c1[k];
      }
      const Real s = stiff_ * lambda[i];
      K00 += s * skewProduct(a, b0);
      K11 += s * skewProduct(b, a1);
      for (int k = 0; k < 3; ++k) {  // skew(a) R01 skew(b)
        const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        K01.col(k) -= s * a.cross(b[k2] * R01.col(k1) - b[k1] * R01.col(k2));
      }
    }
    r.segment<3>(3) += torque0;
    r.segment<3>(9) += torque1;
    if (!withMatrix_) return;
    block(3, 3) += K00;
    block(9, 9) += K11;
    if (joint.form->axes.translations() > 0 && !joint.form->worldTranslation) {
      block(3, 9) += K01;
      block(9, 3) += K01.transpose();
    } else {
      block(3, 9) = K01;
      block(9, 3) = K01.transpose();
    }
  }

  bool withMatrix_;
  Real stiff_, byPosition_;
};

void JointBatch::evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                          int end) {
  const Variation& along = context.variation;
  Evaluation x(context);
  for (int e = begin; e < end; ++e) {
    Joint& joint = joints_[e];
    const Real* lambda = context.state.multipliers.data() + joint.multiplier;
    if (!sink.dependences.empty()) x.L.setZero();  // all blocks of dependent frames are read
    if (!joint.active) {
      x.inactive(joint, lambda, along.rowScale);
      storeElement(context, sink, e, x.r.data(), context.withMatrix ? x.L.data() : nullptr, x.size);
      continue;
    }
    const Frame& f0 = context.frames[joint.pair.point0.frame];
    const Frame& f1 = context.frames[joint.pair.point1.frame];
    if (joint.offset) {
      const Offset<Real> offset = offsetAt(joint, context.state.time);
      x.position(joint, offset.R0, offset.translation, f0, f1, lambda);
    } else {
      x.position(joint, joint.form->R0, Vector3::Zero(), f0, f1, lambda);
    }
    if (context.level != ConstraintLevel::position) x.rates(context, joint, f0, f1);
    storeElement(context, sink, e, x.r.data(), context.withMatrix ? x.L.data() : nullptr, x.size);
  }
}

bool JointBatch::output(int e, OutputVariable variable, const OutputContext& context,
                        std::vector<Real>& out) const {
  using enum OutputVariable;
  const Joint& joint = joints_[e];
  const Frame& f0 = context.frames[joint.pair.point0.frame];
  const Frame& f1 = context.frames[joint.pair.point1.frame];
  const Matrix3 AJ0 = f0.rotation * joint.form->R0, AJ1 = f1.rotation * joint.form->R1;
  const int nt = joint.form->axes.translations();
  const Real* lambda = context.state.multipliers.data() + joint.multiplier;
  const Vector3 position0 = context.view.referencePosition(joint.pair.point0.frame) +
                            f0.displacement + f0.rotation * joint.pair.point0.local;
  const Vector3 velocity0 = f0.velocity + f0.rotation * f0.omega.cross(joint.pair.point0.local);
  switch (variable) {
    case Position:
      setOutput(out, position0);
      return true;
    case Velocity:
      setOutput(out, velocity0);
      return true;
    case Displacement:
      setOutput(out, relativePosition(joint.pair, f0, f1));
      return true;
    case Force: {
      Vector3 force = Vector3::Zero();
      for (int k = 0, row = 0; k < 3; ++k)
        if (joint.form->axes.translation[k]) force[k] = lambda[row++];
      setOutput(out, joint.form->worldTranslation ? force : Vector3(AJ0 * force));
      return true;
    }
    default:
      break;
  }
  if (!joint.form->orientation) return false;
  switch (variable) {
    case DisplacementLocal:
      setOutput(out, AJ0.transpose() * relativePosition(joint.pair, f0, f1));
      return true;
    case VelocityLocal:
      setOutput(out, AJ0.transpose() * relativeVelocity(joint.pair, f0, f1));
      return true;
    case Rotation:
      setOutput(out, taitBryanFromRotation(AJ0.transpose() * AJ1));
      return true;
    case AngularVelocityLocal:
      setOutput(out, AJ0.transpose() * (f1.rotation * f1.omega - f0.rotation * f0.omega));
      return true;
    case ForceLocal: {
      Vector3 force = Vector3::Zero();
      for (int k = 0, row = 0; k < 3; ++k)
        if (joint.form->axes.translation[k]) force[k] = lambda[row++];
      setOutput(out, joint.form->worldTranslation ? Vector3(AJ0.transpose() * force) : force);
      return true;
    }
    case TorqueLocal: {
      Vector3 torque = Vector3::Zero();
      for (int i = 0; i < joint.form->rotationCount; ++i)
        torque[joint.form->rows[i].axis] = lambda[nt + i];
      setOutput(out, torque);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace catena
