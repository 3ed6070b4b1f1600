// Linear (and user-defined nonlinear) equations of second order on the coordinates of some nodes.
#include "items/connector.h"
#include "items/mesh_frame.h"

namespace catena {
namespace {

struct ObjectGenericODE2 {
  static constexpr std::string_view typeName = "GenericODE2";
  static constexpr std::string_view summary =
      "second order equations with given mass, damping and stiffness matrices";
  static constexpr std::string_view theory =
      "M a + D v + K q = f + f_user(t, q, v), with q the displacements (without reference values), "
      "v and a the rates of all "
      "coordinates of the nodes, in their order. massMatrixUserFunction replaces M. The output "
      "Force is D v + K q - f - "
      "f_user. (Craig, Kurdila, Fundamentals of Structural Dynamics, Wiley 2006, chapter 8.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::CoordinatesTotal, OutputVariable::Coordinates, OutputVariable::Coordinates_t,
      OutputVariable::Coordinates_tt, OutputVariable::Force};

  std::vector<NodeIndex> nodeNumbers;
  MatrixX massMatrix;
  MatrixX stiffnessMatrix;
  MatrixX dampingMatrix;
  VectorX forceVector;
  UserFunction forceUserFunction;
  UserFunction massMatrixUserFunction;
  UserFunction jacobianUserFunction;

  static std::span<const Field> fields() {
    using T = ObjectGenericODE2;
    static constexpr Field table[] = {
        field<&T::nodeNumbers>("nodeNumbers", "", "", "the nodes whose coordinates make up q"),
        field<&T::massMatrix>("massMatrix", "M", "", "mass matrix, n x n"),
        field<&T::stiffnessMatrix>("stiffnessMatrix", "K", "",
                                   "stiffness matrix, n x n; empty: zero"),
        field<&T::dampingMatrix>("dampingMatrix", "D", "", "damping matrix, n x n; empty: zero"),
        field<&T::forceVector>("forceVector", "f", "", "constant force, n values; empty: zero"),
        field<&T::forceUserFunction>("forceUserFunction", "f_user", "",
                                     "added to the force, n components; of t, q0.., v0.."),
        field<&T::massMatrixUserFunction>(
            "massMatrixUserFunction", "M", "",
            "replaces M, n^2 components row by row; of t, q0.., v0.."),
        field<&T::jacobianUserFunction>(
            "jacobianUserFunction", "", "",
            "-(fq df_user/dq + fv df_user/dv), n^2 components row by row; of t, q0.., v0.., fq, "
            "fv; without it central differences"),
    };
    return table;
  }

  struct Resolved {
    CoordinateVector q;
    CompiledFunction force, mass, jacobian;
  };

  class Batch final : public ResolvedBatch<ObjectGenericODE2, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        resolved_.push_back(resolve(items_[i], view_.where(Category::object, numbers_[i]), view_));
        const Resolved& r = resolved_.back();
        largest_ = std::max(largest_, r.q.unknowns());
        serial_ = serial_ || r.force.serial() || r.mass.serial() || r.jacobian.serial();
      }
    }
    int localSize() const override { return largest_; }
    bool serial() const override { return serial_; }
    void describe(int e, ElementPattern& pattern) const override {
      resolved_[e].q.describeCoupled(view_, pattern);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      thread_local Scratch s;  // keeps its memory
      for (int e = begin; e < end; ++e) {
        const int n = resolved_[e].q.unknowns();
        if (n == 0) continue;
        s.gather(resolved_[e].q, context.state);
        forces(e, context.state.time, s.q, s.v, s, s.f);
        addMass(e, context.state.time, s);
        if (!resolved_[e].q.plain()) {
          resolved_[e].q.maps(view_, context.state, s.P, s.F);
          s.r.noalias() = s.F.transpose() * s.f;
        } else {
          s.r = s.f;
        }
        if (context.withMatrix) tangent(e, context, s);
        storeElement(context, sink, e, s.r.data(), context.withMatrix ? s.L.data() : nullptr, n);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      Scratch s;
      s.gather(resolved_[e].q, context.state);
      switch (variable) {
        case Coordinates:
          setOutput(out, s.q);
          return true;
        case CoordinatesTotal:
          setOutput(out, VectorX(resolved_[e].q.reference() + s.q));
          return true;
        case Coordinates_t:
          setOutput(out, s.v);
          return true;
        case Coordinates_tt:
          setOutput(out, s.a);
          return true;
        case Force:
          forces(e, context.state.time, s.q, s.v, s, s.f);
          setOutput(out, s.f);
          return true;
        default:
          return false;
      }
    }

   private:
    struct Scratch {
      VectorX q, v, a, f, r, other, column;
      MatrixX P, F, L, K, M;
      std::vector<Real> arguments;

      void gather(const CoordinateVector& c, const State& state) {
        for (VectorX* x : {&q, &v, &a}) x->resize(c.coordinates());
        c.gather(state.q, q);
        c.gather(state.v, v);
        c.gather(state.a, a);
      }
      void setArguments(Real t, const VectorX& position, const VectorX& rate) {
        arguments.assign(1, t);
        arguments.insert(arguments.end(), position.data(), position.data() + position.size());
        arguments.insert(arguments.end(), rate.data(), rate.data() + rate.size());
      }
    };

    // D v + K q - f - f_user
    void forces(int e, Real t, const VectorX& q, const VectorX& v, Scratch& s, VectorX& out) const {
      const ObjectGenericODE2& o = items_[e];
      out.setZero(q.size());
      if (o.stiffnessMatrix.size()) out.noalias() += o.stiffnessMatrix * q;
      if (o.dampingMatrix.size()) out.noalias() += o.dampingMatrix * v;
      if (o.forceVector.size()) out -= o.forceVector;
      subtractUserForce(e, t, q, v, s, out);
    }
    void subtractUserForce(int e, Real t, const VectorX& q, const VectorX& v, Scratch& s,
                           VectorX& out) const {
      CompiledFunction& function = const_cast<Resolved&>(resolved_[e]).force;
      if (!function.defined()) return;
      s.setArguments(t, q, v);
      s.other.resize(q.size());
      function.evaluate(s.arguments, {s.other.data(), static_cast<std::size_t>(s.other.size())});
      out -= s.other;
    }
    // The mass matrix at (q, v) into s.M, if it is given by a function.
    void userMass(int e, Real t, const VectorX& q, const VectorX& v, Scratch& s) const {
      s.setArguments(t, q, v);
      s.M.resize(q.size(), q.size());
      const_cast<Resolved&>(resolved_[e])
          .mass.evaluate(s.arguments, {s.M.data(), static_cast<std::size_t>(s.M.size())});
      s.M.transposeInPlace();  // given row by row
    }
    void addMass(int e, Real t, Scratch& s) const {
      if (!resolved_[e].mass.defined()) {
        s.f.noalias() += items_[e].massMatrix * s.a;
        return;
      }
      userMass(e, t, s.q, s.v, s);
      s.f.noalias() += s.M * s.a;
    }

    void tangent(int e, const EvaluationContext& context, Scratch& s) const {
      const ObjectGenericODE2& o = items_[e];
      const CoordinateVector& c = resolved_[e].q;
      const Variation& along = context.variation;
      const int n = c.coordinates();
      s.K.setZero(n, n);  // multiplies dq
      s.L.setZero(n, n);  // multiplies dv and da
      if (o.stiffnessMatrix.size()) s.K += along.position * o.stiffnessMatrix;
      if (o.dampingMatrix.size()) s.L += along.velocity * o.dampingMatrix;
      s.L += along.acceleration * (resolved_[e].mass.defined() ? s.M : o.massMatrix);
      addUserTangent(e, context, s);
      if (c.plain()) {
        s.L += s.K;
        s.L *= along.rowScale;
        return;
      }
      s.K = (s.K * s.P + s.L * s.F).eval();
      s.L.noalias() = along.rowScale * (s.F.transpose() * s.K);
      c.addHessian(view_, context.state, s.f, along.rowScale * along.position, s.L);
    }
    void addUserTangent(int e, const EvaluationContext& context, Scratch& s) const {
      Resolved& r = const_cast<Resolved&>(resolved_[e]);
      const Variation& along = context.variation;
      const Real t = context.state.time;
      const int n = static_cast<int>(s.q.size());
      if (r.jacobian.defined()) {
        s.setArguments(t, s.q, s.v);
        s.arguments.push_back(along.position);
        s.arguments.push_back(along.velocity);
        MatrixX J(n, n);
        r.jacobian.evaluate(s.arguments, {J.data(), static_cast<std::size_t>(J.size())});
        s.L += J.transpose();
      }
      const bool force = r.force.defined() && !r.jacobian.defined();
      if (!force && !r.mass.defined()) return;
      const auto differentiate = [&](VectorX& x, Real factor, MatrixX& into) {
        if (factor == 0) return;
        for (int j = 0; j < n; ++j) {
          const Real at = x[j];
          const auto f = [&](Real y) {
            x[j] = y;
            s.column.setZero(n);
            if (force) subtractUserForce(e, t, s.q, s.v, s, s.column);
            if (r.mass.defined()) {
              userMass(e, t, s.q, s.v, s);
              s.column.noalias() += s.M * s.a;
            }
            return s.column;
          };
          into.col(j) += factor * centralDifference(f, at);
          x[j] = at;
        }
      };
      differentiate(s.q, along.position, s.K);
      differentiate(s.v, along.velocity, s.L);
    }

    int largest_ = 0;
    bool serial_ = false;
  };

  static Resolved resolve(const ObjectGenericODE2& o, const std::string& where,
                          const AssemblyView& view) {
    for (std::size_t i = 0; i < o.nodeNumbers.size(); ++i) {
      if (!o.nodeNumbers[i].valid())
        throw ModelError(where + ": nodeNumbers contains -1; give the indices of nodes");
      for (std::size_t j = 0; j < i; ++j)
        if (o.nodeNumbers[i] == o.nodeNumbers[j])
          throw ModelError(where + ": nodeNumbers names node " +
                           std::to_string(o.nodeNumbers[i].value) + " twice");
    }
    Resolved r{CoordinateVector(view, o.nodeNumbers), {}, {}, {}};
    const int n = r.q.coordinates();
    if (n == 0)
      throw ModelError(
          where + ": nodeNumbers gives no coordinates; give at least one node with coordinates");
    checkSizes(o, n, where);
    std::vector<std::string> names{"t"};
    for (const char* kind : {"q", "v"})
      for (int i = 0; i < n; ++i) names.push_back(kind + std::to_string(i));
    r.force = CompiledFunction(o.forceUserFunction, names, n, where + ": forceUserFunction");
    r.mass = CompiledFunction(o.massMatrixUserFunction, names, n * n,
                              where + ": massMatrixUserFunction");
    names.insert(names.end(), {"fq", "fv"});
    r.jacobian =
        CompiledFunction(o.jacobianUserFunction, names, n * n, where + ": jacobianUserFunction");
    return r;
  }
  static void checkSizes(const ObjectGenericODE2& o, int n, const std::string& where) {
    const auto square = [&](const MatrixX& m, const char* name, bool needed) {
      if (m.size() == 0 && !needed) return;
      if (m.rows() != n || m.cols() != n)
        throw ModelError(where + ": " + name + " is " + std::to_string(m.rows()) + " x " +
                         std::to_string(m.cols()) + "; the nodes have " + std::to_string(n) +
                         " coordinates, so it must be " + std::to_string(n) + " x " +
                         std::to_string(n));
    };
    square(o.massMatrix, "massMatrix", !o.massMatrixUserFunction.defined());
    square(o.stiffnessMatrix, "stiffnessMatrix", false);
    square(o.dampingMatrix, "dampingMatrix", false);
    if (o.forceVector.size() && o.forceVector.size() != n)
      throw ModelError(where + ": forceVector has " + std::to_string(o.forceVector.size()) +
                       " values; the nodes have " + std::to_string(n) + " coordinates");
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    std::vector<NodeIndex> nodes(const void* object) const override {
      return static_cast<const ObjectGenericODE2*>(object)->nodeNumbers;
    }
    // Of a node of the mesh.
    std::unique_ptr<DependentFrame> pointFrame(const void* object, const std::string& where,
                                               const AssemblyView& view, int part,
                                               Vector3&) const override {
      const auto& nodes = static_cast<const ObjectGenericODE2*>(object)->nodeNumbers;
      if (part < 0) return nullptr;
      if (part >= static_cast<int>(nodes.size()))
        throw ModelError(where + ": meshNodeNumber = " + std::to_string(part) + "; the mesh has " +
                         std::to_string(nodes.size()) + " nodes, numbered from 0");
      return std::make_unique<MeshFrame>(view, std::vector<NodeIndex>{nodes[part]},
                                         VectorX::Ones(1), Vector3::Zero(), where);
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ObjectGenericODE2> registered;

}  // namespace
}  // namespace catena
