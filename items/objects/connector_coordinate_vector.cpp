// Linear or quadratic constraints between two vectors of coordinates.
#include "items/connector.h"
#include "items/coordinate_vector.h"

namespace catena {
namespace {

struct ConnectorCoordinateVector {
  static constexpr std::string_view typeName = "ConnectorCoordinateVector";
  static constexpr std::string_view aliases[] = {"CoordinateVectorConstraint"};
  static constexpr std::string_view summary =
      "constraints between all coordinates of two nodes or objects";
  static constexpr std::string_view theory =
      "g = X_1 q_1 + Y_1 (q_1 o q_1) - X_0 q_0 - Y_0 (q_0 o q_0) - l_off = 0 with coordinates q "
      "including reference values and o "
      "the product of components; velocity level dg/dt, or with velocityLevel X_1 v_1 + 2 Y_1 (q_1 "
      "o v_1) - ... - l_off = 0. As "
      "many equations as X and Y have rows. constraintUserFunction replaces g, "
      "jacobianUserFunction its derivative C by (q_0, q_1), "
      "or by (v_0, v_1) if velocityLevel. Force = lambda; C^T lambda acts on the coordinates.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Displacement, OutputVariable::Velocity, OutputVariable::ConstraintEquation,
      OutputVariable::Force};

  MarkerPair markerNumbers;
  MatrixX scalingMarker0, scalingMarker1;
  MatrixX quadraticTermMarker0, quadraticTermMarker1;
  VectorX offset;
  bool velocityLevel = false;
  UserFunction constraintUserFunction;
  UserFunction jacobianUserFunction;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorCoordinateVector;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "",
                                 "two NodeCoordinates or ObjectODE2Coordinates markers"),
        field<&T::scalingMarker0>("scalingMarker0", "X_0", "",
                                  "matrix for the coordinates of marker 0"),
        field<&T::scalingMarker1>("scalingMarker1", "X_1", "",
                                  "matrix for the coordinates of marker 1"),
        field<&T::quadraticTermMarker0>("quadraticTermMarker0", "Y_0", "",
                                        "matrix for their squares, marker 0"),
        field<&T::quadraticTermMarker1>("quadraticTermMarker1", "Y_1", "",
                                        "matrix for their squares, marker 1"),
        field<&T::offset>("offset", "l_off", "", "offset, one value per equation; empty: zeros"),
        field<&T::velocityLevel>("velocityLevel", "", "", "constrain rates instead of coordinates"),
        field<&T::constraintUserFunction>(
            "constraintUserFunction", "g", "",
            "replaces g; of t, q0.., v0.. (marker 0, then marker 1), velocityLevel (1: dg/dt "
            "is asked for)"),
        field<&T::jacobianUserFunction>(
            "jacobianUserFunction", "C", "",
            "derivative of g, row by row; arguments of constraintUserFunction"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false switches the constraint off (lambda = 0)"),
    };
    return table;
  }

  int equations() const {
    return static_cast<int>(std::max({scalingMarker0.rows(), scalingMarker1.rows(),
                                      quadraticTermMarker0.rows(), quadraticTermMarker1.rows()}));
  }

  struct Resolved {
    CoordinateVector q[2];
    int multiplier = -1, equations = 0;
    CompiledFunction constraint, jacobian;

    int coordinates() const { return q[0].coordinates() + q[1].coordinates(); }
    int unknowns() const { return q[0].unknowns() + q[1].unknowns(); }
  };

  class Batch final : public ResolvedBatch<ConnectorCoordinateVector, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        resolved_.push_back(resolve(items_[i], numbers_[i], view_));
        const Resolved& r = resolved_.back();
        largest_ = std::max(largest_, r.unknowns() + r.equations);
        serial_ = serial_ || r.constraint.serial() || r.jacobian.serial();
      }
    }
    int localSize() const override { return largest_; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      const Resolved& r = resolved_[e];
      std::vector<int> groups = r.q[0].addGroups(view_, 0, pattern);
      const std::vector<int> others = r.q[1].addGroups(view_, r.q[0].unknowns(), pattern);
      groups.insert(groups.end(), others.begin(), others.end());
      if (r.equations == 0) return;
      const int l =
          pattern.add({view_.multiplierGroup({numbers_[e]}), r.unknowns(), r.equations, 0});
      if (!items_[e].activeConnector) return pattern.couple(l, l);
      for (const int k : groups) pattern.couple(k, l), pattern.couple(l, k);
      if (isLinear(e)) return;
      for (const int i : groups)
        for (const int j : groups) pattern.couple(i, j);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      thread_local Scratch s;  // keeps its memory
      for (int e = begin; e < end; ++e) {
        const Resolved& c = resolved_[e];
        const int u = c.unknowns(), m = c.equations, n = u + m;
        if (m == 0) continue;
        s.lambda = context.state.multipliers.segment(c.multiplier, m);
        s.r.setZero(n);
        if (context.withMatrix) s.L.setZero(n, n);
        if (items_[e].activeConnector) {
          evaluateConstraint(e, context, s);
        } else {
          s.r.tail(m) = s.lambda;
          if (context.withMatrix)
            s.L.diagonal().tail(m).setConstant(1 / context.variation.rowScale);
        }
        storeElement(context, sink, e, s.r.data(), context.withMatrix ? s.L.data() : nullptr, n);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      const Resolved& c = resolved_[e];
      Scratch s;
      gather(e, context.state, s);
      const int n0 = c.q[0].coordinates(), n1 = c.q[1].coordinates();
      switch (variable) {
        case Displacement:
        case Velocity: {  // marker 1 minus marker 0 where both have as many coordinates
          if (n0 != n1 && n0 && n1) return false;
          const VectorX& x = variable == Displacement ? s.q : s.v;
          VectorX difference = VectorX::Zero(std::max(n0, n1));
          if (n1) difference += x.tail(n1);
          if (n0) difference -= x.head(n0);
          setOutput(out, difference);
          return true;
        }
        case ConstraintEquation:
          constraint(e, context.state.time, s, items_[e].velocityLevel, s.g);
          setOutput(out, s.g);
          return true;
        case Force:
          setOutput(out, VectorX(context.state.multipliers.segment(c.multiplier, c.equations)));
          return true;
        default:
          return false;
      }
    }

   private:
    struct Scratch {
      VectorX q, v, a;  // of both markers; q with reference values
      VectorX lambda, r, f, g, other, column;
      MatrixX C, P, F, L, K, partP, partF;
      std::vector<Real> arguments;
    };

    void gather(int e, const State& state, Scratch& s) const {
      const Resolved& c = resolved_[e];
      const int n0 = c.q[0].coordinates(), n1 = c.q[1].coordinates();
      for (VectorX* x : {&s.q, &s.v, &s.a}) x->resize(n0 + n1);
      for (int i = 0; i < 2; ++i) {
        const int at = i ? n0 : 0, n = i ? n1 : n0;
        c.q[i].gather(state.q, s.q.segment(at, n));
        s.q.segment(at, n) += c.q[i].reference();
        c.q[i].gather(state.v, s.v.segment(at, n));
        c.q[i].gather(state.a, s.a.segment(at, n));
      }
    }
    void maps(int e, const State& state, Scratch& s) const {
      const Resolved& c = resolved_[e];
      s.P.setZero(c.coordinates(), c.unknowns());
      s.F.setZero(c.coordinates(), c.unknowns());
      for (int i = 0; i < 2; ++i) {
        const int n = c.q[i].coordinates(), u = c.q[i].unknowns();
        const int row = i ? c.q[0].coordinates() : 0, column = i ? c.q[0].unknowns() : 0;
        c.q[i].maps(view_, state, s.partP, s.partF);
        s.P.block(row, column, n, u) = s.partP;
        s.F.block(row, column, n, u) = s.partF;
      }
    }

    bool isLinear(int e) const {
      const ConnectorCoordinateVector& c = items_[e];
      return resolved_[e].q[0].plain() && resolved_[e].q[1].plain() &&
             !resolved_[e].constraint.defined() && c.quadraticTermMarker0.size() == 0 &&
             c.quadraticTermMarker1.size() == 0;
    }

    // f(sign, X, Y, first coordinate, number of coordinates) for both markers
    template <class Function>
    void forMarkers(int e, const Function& f) const {
      const ConnectorCoordinateVector& c = items_[e];
      const int n0 = resolved_[e].q[0].coordinates(), n1 = resolved_[e].q[1].coordinates();
      if (n0) f(-1.0, c.scalingMarker0, c.quadraticTermMarker0, 0, n0);
      if (n1) f(1.0, c.scalingMarker1, c.quadraticTermMarker1, n0, n1);
    }

    // g, or dg/dt with rates.
    void constraint(int e, Real t, Scratch& s, bool rates, VectorX& g) const {
      const ConnectorCoordinateVector& c = items_[e];
      g.setZero(resolved_[e].equations);
      if (resolved_[e].constraint.defined()) return userConstraint(e, t, s, rates, g);
      forMarkers(e, [&](Real sign, const MatrixX& X, const MatrixX& Y, int at, int n) {
        const auto q = s.q.segment(at, n), v = s.v.segment(at, n);
        if (X.size()) g.noalias() += sign * (X * (rates ? v : q));
        if (Y.size())
          g += sign * (Y * (rates ? VectorX(2 * q.cwiseProduct(v)) : VectorX(q.cwiseProduct(q))));
      });
      if (c.offset.size() && rates == c.velocityLevel) g -= c.offset;
    }
    void userConstraint(int e, Real t, Scratch& s, bool rates, VectorX& g) const {
      setArguments(t, s, rates);
      const_cast<Resolved&>(resolved_[e])
          .constraint.evaluate(s.arguments, {g.data(), static_cast<std::size_t>(g.size())});
    }
    static void setArguments(Real t, Scratch& s, bool rates) {
      s.arguments.assign(1, t);
      s.arguments.insert(s.arguments.end(), s.q.data(), s.q.data() + s.q.size());
      s.arguments.insert(s.arguments.end(), s.v.data(), s.v.data() + s.v.size());
      s.arguments.push_back(rates);
    }
    // C, the derivative of the constraint by coordinates (by rates on velocity level).
    void jacobian(int e, Real t, Scratch& s, MatrixX& C) const {
      const Resolved& c = resolved_[e];
      C.setZero(c.equations, c.coordinates());
      if (c.jacobian.defined()) {
        setArguments(t, s, items_[e].velocityLevel);
        MatrixX byRow(c.coordinates(), c.equations);
        const_cast<Resolved&>(c).jacobian.evaluate(
            s.arguments, {byRow.data(), static_cast<std::size_t>(byRow.size())});
        C = byRow.transpose();
        return;
      }
      forMarkers(e, [&](Real sign, const MatrixX& X, const MatrixX& Y, int at, int n) {
        if (X.size()) C.middleCols(at, n) += sign * X;
        if (Y.size()) C.middleCols(at, n) += (2 * sign) * Y * s.q.segment(at, n).asDiagonal();
      });
    }

    void evaluateConstraint(int e, const EvaluationContext& context, Scratch& s) const {
      const Resolved& c = resolved_[e];
      const int u = c.unknowns(), m = c.equations;
      gather(e, context.state, s);
      maps(e, context.state, s);
      jacobian(e, context.state.time, s, s.C);
      s.f.noalias() = s.C.transpose() * s.lambda;
      s.r.head(u).noalias() = s.F.transpose() * s.f;
      const bool rates = items_[e].velocityLevel || context.level != ConstraintLevel::position;
      if (context.level == ConstraintLevel::acceleration)
        secondRate(e, context.state.time, s);
      else
        constraint(e, context.state.time, s, rates, s.g);
      s.r.tail(m) = s.g;
      if (!context.withMatrix) return;
      const Variation& along = context.variation;
      multiply(s.C, s.F, s.L.bottomLeftCorner(m, u));
      s.L.topRightCorner(u, m) = s.L.bottomLeftCorner(m, u).transpose();
      forceTangent(e, context, s);
      if (context.level == ConstraintLevel::acceleration)
        s.L.bottomLeftCorner(m, u) *= along.acceleration;
      else
        constraintTangent(e, context, rates, s);
    }
    // R = A B, zero where the terms of a sum cancel down to rounding: such a constraint follows
    // from the parametrisation of a node (the norm of Euler parameters), and the solver shall see
    // that.
    static void multiply(const MatrixX& A, const MatrixX& B, Eigen::Ref<MatrixX> R) {
      constexpr Real rounding = 1e-15;
      for (int j = 0; j < B.cols(); ++j)
        for (int i = 0; i < A.rows(); ++i) {
          Real sum = 0, size = 0;
          for (int k = 0; k < A.cols(); ++k) {
            const Real term = A(i, k) * B(k, j);
            sum += term;
            size += std::abs(term);
          }
          R(i, j) = std::abs(sum) > rounding * size ? sum : 0;
        }
    }
    // d^2 g/dt^2: along the motion of q and v.
    void secondRate(int e, Real t, Scratch& s) const {
      if (!resolved_[e].constraint.defined()) {
        s.g.noalias() = s.C * s.a;
        forMarkers(e, [&](Real sign, const MatrixX&, const MatrixX& Y, int at, int n) {
          if (Y.size()) s.g += (2 * sign) * (Y * s.v.segment(at, n).cwiseAbs2());
        });
        return;
      }
      const VectorX q = s.q, v = s.v;
      const auto rateAt = [&](Real x) {
        s.q = q + x * v;
        s.v = v + x * s.a;
        VectorX g(resolved_[e].equations);
        userConstraint(e, t + x, s, true, g);
        return g;
      };
      s.g = centralDifference(rateAt, 0.0);
      s.q = q;
      s.v = v;
    }
    // d (F^T C^T lambda) / d delta at fixed lambda.
    void forceTangent(int e, const EvaluationContext& context, Scratch& s) const {
      if (isLinear(e)) return;
      const Resolved& c = resolved_[e];
      const Variation& along = context.variation;
      const int u = c.unknowns(), n = c.coordinates(), u0 = c.q[0].unknowns(),
                n0 = c.q[0].coordinates();
      s.K.setZero(n, u);
      if (c.jacobian.defined()) {
        const auto force = [&] {
          jacobian(e, context.state.time, s, s.partP);
          return VectorX(s.partP.transpose() * s.lambda);
        };
        differentiate(force, s.q, along.position, s.P, s.K);
        differentiate(force, s.v, along.velocity, s.F, s.K);
      } else {
        forMarkers(e, [&](Real sign, const MatrixX&, const MatrixX& Y, int at, int size) {
          if (Y.size())
            s.K.middleRows(at, size) += (2 * sign * along.position) *
                                        (Y.transpose() * s.lambda).asDiagonal() *
                                        s.P.middleRows(at, size);
        });
      }
      s.L.topLeftCorner(u, u).noalias() = along.rowScale * (s.F.transpose() * s.K);
      const Real scale = along.rowScale * along.position;
      c.q[0].addHessian(view_, context.state, s.f.head(n0), scale, s.L.topLeftCorner(u0, u0));
      c.q[1].addHessian(view_, context.state, s.f.tail(n - n0), scale,
                        s.L.block(u0, u0, u - u0, u - u0));
    }
    // K += factor (df/dx) map, by central differences of f.
    template <class Function>
    static void differentiate(const Function& f, VectorX& x, Real factor, const MatrixX& map,
                              MatrixX& K) {
      if (factor == 0) return;
      for (int j = 0; j < x.size(); ++j) {
        const Real at = x[j];
        const VectorX slope = centralDifference([&](Real y) { return x[j] = y, f(); }, at);
        x[j] = at;
        K += (factor * slope) * map.row(j);
      }
    }
    void constraintTangent(int e, const EvaluationContext& context, bool rates, Scratch& s) const {
      const Resolved& c = resolved_[e];
      const Variation& along = context.variation;
      const Real position = rates ? along.position : along.constraintPosition;
      const int u = c.unknowns(), m = c.equations;
      s.K.setZero(m, u);
      if (c.constraint.defined()) {
        const auto g = [&] {
          VectorX values(m);
          userConstraint(e, context.state.time, s, rates, values);
          return values;
        };
        differentiate(g, s.q, position, s.P, s.K);
        differentiate(g, s.v, along.velocity, s.F, s.K);
      } else if (rates) {
        s.K.noalias() += along.velocity * (s.C * s.F);
        forMarkers(e, [&](Real sign, const MatrixX&, const MatrixX& Y, int at, int n) {
          if (Y.size())
            s.K += (2 * sign * position) *
                   (Y * s.v.segment(at, n).asDiagonal() * s.P.middleRows(at, n));
        });
      } else {
        multiply(s.C, s.P, s.K);
        s.K *= position;
      }
      s.L.bottomLeftCorner(m, u) = s.K;
    }

    int largest_ = 0;
    bool serial_ = false;
  };

  static Resolved resolve(const ConnectorCoordinateVector& c, int number,
                          const AssemblyView& view) {
    const std::string where = view.where(Category::object, number);
    Resolved r;
    for (int i = 0; i < 2; ++i) {
      if (!c.markerNumbers[i].valid())
        throw ModelError(where +
                         ": a marker is missing (index -1); give the indices of its markers");
      const MarkerBinding& m = view.marker(c.markerNumbers[i]);
      if (!m.vector)
        throw ModelError(
            where + ": " + view.where(Category::marker, c.markerNumbers[i].value) +
            " is no vector of coordinates; use a NodeCoordinates or ObjectODE2Coordinates marker");
      r.q[i] = *m.vector;
    }
    r.equations = c.equations();
    r.multiplier = view.multiplier({number});
    if (c.constraintUserFunction.defined() != c.jacobianUserFunction.defined())
      throw ModelError(where +
                       ": give both constraintUserFunction and jacobianUserFunction, or none");
    checkSizes(c, r, where);
    if (!c.constraintUserFunction.defined()) return r;
    std::vector<std::string> names{"t"};
    for (const char* kind : {"q", "v"})
      for (int i = 0; i < r.coordinates(); ++i) names.push_back(kind + std::to_string(i));
    names.push_back("velocityLevel");
    r.constraint = CompiledFunction(c.constraintUserFunction, names, r.equations,
                                    where + ": constraintUserFunction");
    r.jacobian = CompiledFunction(c.jacobianUserFunction, names, r.equations * r.coordinates(),
                                  where + ": jacobianUserFunction");
    return r;
  }
  static void checkSizes(const ConnectorCoordinateVector& c, const Resolved& r,
                         const std::string& where) {
    if (r.equations == 0)
      throw ModelError(
          where +
          ": no equations; give scalingMarker0 or scalingMarker1 with a row for each of them");
    const auto size = [&](const MatrixX& m, int columns, const char* name) {
      if (m.size() == 0 && m.rows() == 0) return;
      const bool free =
          c.constraintUserFunction.defined() || columns == 0;  // then only the rows count
      if (m.rows() != r.equations || (!free && m.cols() != columns))
        throw ModelError(where + ": " + name + " is " + std::to_string(m.rows()) + " x " +
                         std::to_string(m.cols()) + "; it must have " +
                         std::to_string(r.equations) + " rows like the others and " +
                         std::to_string(columns) +
                         " columns, one for each coordinate of its marker");
    };
    size(c.scalingMarker0, r.q[0].coordinates(), "scalingMarker0");
    size(c.quadraticTermMarker0, r.q[0].coordinates(), "quadraticTermMarker0");
    size(c.scalingMarker1, r.q[1].coordinates(), "scalingMarker1");
    size(c.quadraticTermMarker1, r.q[1].coordinates(), "quadraticTermMarker1");
    if (c.offset.size() && c.offset.size() != r.equations)
      throw ModelError(where + ": offset has " + std::to_string(c.offset.size()) +
                       " values; there are " + std::to_string(r.equations) + " equations");
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    std::vector<int> multiplierGroups(const void* object) const override {
      const int n = static_cast<const ConnectorCoordinateVector*>(object)->equations();
      return n ? std::vector<int>{n} : std::vector<int>{};
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorCoordinateVector> registered;

}  // namespace
}  // namespace catena
