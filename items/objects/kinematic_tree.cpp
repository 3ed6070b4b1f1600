// Rigid links in a tree of one-axis joints, on minimal coordinates.
#include "items/connector.h"
#include "items/dependent_frame.h"
#include "items/user_function.h"

namespace catena {
namespace {

constexpr std::string_view jointTypeNames[] = {"RevoluteX",  "RevoluteY",  "RevoluteZ",
                                               "PrismaticX", "PrismaticY", "PrismaticZ"};

struct ObjectKinematicTree {
  static constexpr std::string_view typeName = "KinematicTree";
  static constexpr std::string_view summary =
      "rigid links in a tree of revolute and prismatic joints, on minimal coordinates";
  static constexpr std::string_view theory =
      "One coordinate per link. From the frame (A_p, p_p) of its parent, at the base (I, "
      "baseOffset): p = p_p + A_p jointOffset, A = A_p jointTransformation; then a revolute joint "
      "turns A by the coordinate about its axis, a prismatic one moves p along it. Recursive "
      "Newton-Euler equations: M(q) a + bias(q, v) = jointForceVector + P (u_o - q) + D (v_o - v) "
      "+ "
      "f_user, q with reference values; gravity is a base acceleration -g. linkForces and "
      "linkTorques act at the origin of the link, in world axes. The output Force is bias minus "
      "the right-hand side. (Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, chapter "
      "5.)";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Coordinates, OutputVariable::Coordinates_t, OutputVariable::Coordinates_tt,
      OutputVariable::Force};

  NodeIndex nodeNumber;
  Vector3 gravity = Vector3::Zero();
  Vector3 baseOffset = Vector3::Zero();
  std::vector<std::string> jointTypes;
  std::vector<int> linkParents;
  std::vector<Matrix3> jointTransformations;
  std::vector<Vector3> jointOffsets;
  std::vector<Matrix3> linkInertiasCOM;
  std::vector<Vector3> linkCOMs;
  VectorX linkMasses;
  std::vector<Vector3> linkForces;
  std::vector<Vector3> linkTorques;
  VectorX jointForceVector;
  VectorX jointPositionOffsetVector;
  VectorX jointVelocityOffsetVector;
  VectorX jointPControlVector;
  VectorX jointDControlVector;
  UserFunction forceUserFunction;

  static std::span<const Field> fields() {
    using T = ObjectKinematicTree;
    static constexpr Field table[] = {
        field<&T::nodeNumber>("nodeNumber", "", "",
                              "a GenericODE2 node with one coordinate per link"),
        field<&T::gravity>("gravity", "g", "m/s^2", "gravity, world axes"),
        field<&T::baseOffset>("baseOffset", "p_b", "m", "position of the base"),
        field<&T::jointTypes>("jointTypes", "", "", "joint of every link")
            .withChoices(jointTypeNames),
        field<&T::linkParents>("linkParents", "", "",
                               "parent of every link: a smaller number, -1 for the base",
                               Bounds{-1}),
        field<&T::jointTransformations>(
            "jointTransformations", "", "",
            "orientation of every joint in the frame of the parent at zero"),
        field<&T::jointOffsets>("jointOffsets", "", "m",
                                "position of every joint in the frame of the parent"),
        field<&T::linkInertiasCOM>("linkInertiasCOM", "J_i", "kg m^2",
                                   "inertia of every link about its centre of mass, link axes"),
        field<&T::linkCOMs>("linkCOMs", "c_i", "m", "centre of mass of every link, link axes"),
        field<&T::linkMasses>("linkMasses", "m_i", "kg", "mass of every link", nonNegative),
        field<&T::linkForces>("linkForces", "F_i", "N",
                              "force at the origin of every link, world axes; empty: zero"),
        field<&T::linkTorques>("linkTorques", "T_i", "N m",
                               "torque on every link, world axes; empty: zero"),
        field<&T::jointForceVector>("jointForceVector", "f", "N, N m",
                                    "force or torque of every joint; empty: zero"),
        field<&T::jointPositionOffsetVector>("jointPositionOffsetVector", "u_o", "m, rad",
                                             "positions to control to; empty: zero"),
        field<&T::jointVelocityOffsetVector>("jointVelocityOffsetVector", "v_o", "m/s, rad/s",
                                             "velocities to control to; empty: zero"),
        field<&T::jointPControlVector>("jointPControlVector", "P", "N/m, N m/rad",
                                       "stiffness of the control; empty: zero"),
        field<&T::jointDControlVector>("jointDControlVector", "D", "N s/m, N m s/rad",
                                       "damping of joint and control; empty: zero"),
        field<&T::forceUserFunction>("forceUserFunction", "f_user", "",
                                     "added force, one component per link; of t, q0.., v0.. with "
                                     "q without reference values"),
    };
    return table;
  }

  int links() const { return static_cast<int>(jointTypes.size()); }
  bool revolute(int i) const { return jointTypes[i][0] == 'R'; }
  int axis(int i) const { return jointTypes[i].back() - 'X'; }

  // --- dynamics ---

  template <class S>
  struct Link {
    MatrixOf<S, 3, 3> R;                        // link axes to parent axes
    MatrixOf<S, 3, 3> A;                        // link axes to world axes
    MatrixOf<S, 3> lever;                       // origin in the frame of the parent
    MatrixOf<S, 3> omega, alpha, acceleration;  // link axes; of the origin, less gravity
    MatrixOf<S, 3> force, torque;               // of the joint, about the origin, link axes
  };

  template <class S>
  MatrixOf<S, 3, 3> turn(int i, const S& angle) const {
    using std::cos;
    using std::sin;
    const S c = cos(angle), s = sin(angle);
    const int x = axis(i), y = (x + 1) % 3, z = (x + 2) % 3;
    MatrixOf<S, 3, 3> R = MatrixOf<S, 3, 3>::Constant(S(0));
    R(x, x) = S(1);
    R(y, y) = c, R(y, z) = -s;
    R(z, y) = s, R(z, z) = c;
    return R;
  }

  // tau = M a + bias less the forces on links; q with reference values.
  template <class S>
  void inverseDynamics(const S* q, const S* v, const S* a, S* tau) const {
    using V = MatrixOf<S, 3>;
    thread_local std::vector<Link<S>> all;
    all.resize(std::max<std::size_t>(all.size(), links()));
    for (int i = 0; i < links(); ++i) {
      Link<S>& l = all[i];
      const int p = linkParents[i];
      const V e = lift<S>(Vector3(Vector3::Unit(axis(i))));
      l.R = lift<S>(jointTransformations[i]);
      l.lever = lift<S>(jointOffsets[i]);
      if (revolute(i))
        l.R = (l.R * turn<S>(i, q[i])).eval();
      else
        l.lever += l.R * e * q[i];
      const V zero = V::Constant(S(0));
      const V omega0 = p < 0 ? zero : all[p].omega, alpha0 = p < 0 ? zero : all[p].alpha;
      const V base = lift<S>(Vector3(-gravity));
      const V acceleration0 = p < 0 ? base : all[p].acceleration;
      l.A = p < 0 ? l.R : MatrixOf<S, 3, 3>(all[p].A * l.R);
      l.omega = l.R.transpose() * omega0;
      l.alpha = l.R.transpose() * alpha0;
      const V carried =
          acceleration0 + alpha0.cross(l.lever) + omega0.cross(V(omega0.cross(l.lever)));
      l.acceleration = l.R.transpose() * carried;
      if (revolute(i)) {
        l.alpha += e * a[i] + V(l.omega.cross(e)) * v[i];
        l.omega += e * v[i];
      } else {
        l.acceleration += V(l.omega.cross(e)) * (S(2) * v[i]) + e * a[i];
      }
      const V c = lift<S>(linkCOMs[i]);
      const V Jw = lift<S>(linkInertiasCOM[i]) * l.omega;
      const V centre = l.acceleration + l.alpha.cross(c) + l.omega.cross(V(l.omega.cross(c)));
      l.force = S(linkMasses[i]) * centre;
      l.torque = lift<S>(linkInertiasCOM[i]) * l.alpha + l.omega.cross(Jw) + c.cross(l.force);
      if (!linkForces.empty()) l.force -= l.A.transpose() * lift<S>(linkForces[i]);
      if (!linkTorques.empty()) l.torque -= l.A.transpose() * lift<S>(linkTorques[i]);
    }
    for (int i = links() - 1; i >= 0; --i) {
      const Link<S>& l = all[i];
      tau[i] = revolute(i) ? l.torque[axis(i)] : l.force[axis(i)];
      if (linkParents[i] < 0) continue;
      Link<S>& parent = all[linkParents[i]];
      const V force = l.R * l.force;
      parent.force += force;
      parent.torque += l.R * l.torque + l.lever.cross(force);
    }
  }

  // --- kinematics ---

  // The frame of a link, at its joint.
  class LinkFrame final : public DependentFrame {
   public:
    LinkFrame(const AssemblyView& view, const ObjectKinematicTree& tree, int link,
              const std::string& where)
        : DependentFrame(view, {tree.nodeNumber}, where), tree_(tree) {
      for (int i = link; i >= 0; i = tree.linkParents[i]) path_.insert(path_.begin(), i);
      Chain chain;
      follow(VectorX::Zero(tree.links()), chain);
      origin_ = chain.position;
    }
    Vector3 referencePosition() const override { return origin_; }
    void pose(const VectorX& q, Vector3& displacement, Matrix3& rotation) const override {
      thread_local Chain chain;
      follow(q, chain);
      displacement = chain.position - origin_;
      rotation = chain.rotation;
    }
    void jacobian(const VectorX& q, Matrix6X& J) const override {
      thread_local Chain chain;
      follow(q, chain);
      J.setZero(6, q.size());
      for (std::size_t k = 0; k < path_.size(); ++k) {
        J.col(path_[k]).head<3>() = chain.direction[k];
        if (tree_.revolute(path_[k]))
          J.col(path_[k]).tail<3>() = chain.rotation.transpose() * chain.axis[k];
      }
    }
    // What lies nearer to the base turns the directions of what lies further; directions in link
    // axes turn with what lies further.
    void rateGradient(const VectorX& q, const VectorX& v, Matrix6X& H) const override {
      thread_local Chain chain;
      follow(q, chain);
      H.setZero(6, q.size());
      for (std::size_t near = 0; near < path_.size(); ++near) {
        const int i = path_[near];
        if (!tree_.revolute(i)) continue;
        for (std::size_t far = near; far < path_.size(); ++far) {
          const int k = path_[far];
          const Vector3 turned = chain.axis[near].cross(chain.direction[far]);
          H.col(k).head<3>() += turned * v[i];
          if (far == near) continue;
          H.col(i).head<3>() += turned * v[k];
          if (tree_.revolute(k))
            H.col(k).tail<3>() +=
                chain.rotation.transpose() * chain.axis[near].cross(chain.axis[far]) * v[i];
        }
      }
    }

   private:
    // The joints from the base to the link, world axes.
    struct Chain {
      Vector3 position;
      Matrix3 rotation;
      std::vector<Vector3> axis, origin, direction;  // of motion of the link's origin
    };
    void follow(const VectorX& q, Chain& c) const {
      c.position = tree_.baseOffset;
      c.rotation.setIdentity();
      c.axis.clear(), c.origin.clear(), c.direction.clear();
      for (const int i : path_) {
        const Real total = coordinates().reference()[i] + q[i];
        c.position += c.rotation * tree_.jointOffsets[i];
        c.rotation = (c.rotation * tree_.jointTransformations[i]).eval();
        c.axis.push_back(c.rotation.col(tree_.axis(i)));
        c.origin.push_back(c.position);
        if (tree_.revolute(i))
          c.rotation = (c.rotation * tree_.turn<Real>(i, total)).eval();
        else
          c.position += c.axis.back() * total;
      }
      for (std::size_t k = 0; k < path_.size(); ++k)
        c.direction.push_back(tree_.revolute(path_[k])
                                  ? Vector3(c.axis[k].cross(c.position - c.origin[k]))
                                  : c.axis[k]);
    }

    const ObjectKinematicTree& tree_;
    std::vector<int> path_;
    Vector3 origin_;
  };

  // --- element ---

  struct Resolved {
    CoordinateVector q;
    CompiledFunction force;
  };

  class Batch final : public ResolvedBatch<ObjectKinematicTree, Resolved> {
   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        resolved_.push_back(resolve(items_[i], view_.where(Category::object, numbers_[i]), view_));
        largest_ = std::max(largest_, items_[i].links());
        serial_ = serial_ || resolved_.back().force.serial();
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
        s.gather(resolved_[e].q, context.state);
        equations(e, context.state.time, s);
        if (context.withMatrix) tangent(e, context, s);
        storeElement(context, sink, e, s.r.data(), context.withMatrix ? s.L.data() : nullptr,
                     items_[e].links());
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      Scratch s;
      s.gather(resolved_[e].q, context.state);
      switch (variable) {
        case Coordinates:
          setOutput(out, VectorX(s.q + resolved_[e].q.reference()));
          return true;
        case Coordinates_t:
          setOutput(out, s.v);
          return true;
        case Coordinates_tt:
          setOutput(out, s.a);
          return true;
        case Force:
          s.a.setZero();
          equations(e, context.state.time, s);
          setOutput(out, s.r);
          return true;
        default:
          return false;
      }
    }

   private:
    struct Scratch {
      VectorX q, v, a, total, r, user;
      MatrixX L;
      std::vector<Real> arguments;

      void gather(const CoordinateVector& c, const State& state) {
        for (VectorX* x : {&q, &v, &a}) x->resize(c.coordinates());
        c.gather(state.q, q);
        c.gather(state.v, v);
        c.gather(state.a, a);
      }
    };

    void equations(int e, Real t, Scratch& s) const {
      const ObjectKinematicTree& o = items_[e];
      s.total = s.q + resolved_[e].q.reference();
      s.r.resize(o.links());
      o.inverseDynamics<Real>(s.total.data(), s.v.data(), s.a.data(), s.r.data());
      const auto control = [&](const VectorX& gain, const VectorX& goal, const VectorX& is) {
        for (int i = 0; i < gain.size(); ++i)
          s.r[i] -= gain[i] * ((goal.size() ? goal[i] : 0) - is[i]);
      };
      if (o.jointForceVector.size()) s.r -= o.jointForceVector;
      control(o.jointPControlVector, o.jointPositionOffsetVector, s.total);
      control(o.jointDControlVector, o.jointVelocityOffsetVector, s.v);
      if (!resolved_[e].force.defined()) return;
      userForce(e, t, s);
      s.r -= s.user;
    }
    void userForce(int e, Real t, Scratch& s) const {
      s.arguments.assign(1, t);
      s.arguments.insert(s.arguments.end(), s.q.data(), s.q.data() + s.q.size());
      s.arguments.insert(s.arguments.end(), s.v.data(), s.v.data() + s.v.size());
      s.user.resize(s.q.size());
      const_cast<Resolved&>(resolved_[e])
          .force.evaluate(s.arguments, {s.user.data(), static_cast<std::size_t>(s.user.size())});
    }

    void tangent(int e, const EvaluationContext& context, Scratch& s) const {
      constexpr int width = 6;  // columns at a time
      using S = Dual<width>;
      thread_local std::vector<S> q, v, a, tau;
      const ObjectKinematicTree& o = items_[e];
      const Variation& along = context.variation;
      const int n = o.links();
      for (std::vector<S>* x : {&q, &v, &a, &tau}) x->resize(n);
      s.L.resize(n, n);
      for (int first = 0; first < n; first += width) {
        for (int i = 0; i < n; ++i) q[i] = S(s.total[i]), v[i] = S(s.v[i]), a[i] = S(s.a[i]);
        const int columns = std::min(width, n - first);
        for (int j = 0; j < columns; ++j) {
          q[first + j].gradient[j] = along.position;
          v[first + j].gradient[j] = along.velocity;
          a[first + j].gradient[j] = along.acceleration;
        }
        o.inverseDynamics<S>(q.data(), v.data(), a.data(), tau.data());
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < columns; ++j) s.L(i, first + j) = tau[i].gradient[j];
      }
      for (int i = 0; i < o.jointPControlVector.size(); ++i)
        s.L(i, i) += along.position * o.jointPControlVector[i];
      for (int i = 0; i < o.jointDControlVector.size(); ++i)
        s.L(i, i) += along.velocity * o.jointDControlVector[i];
      if (resolved_[e].force.defined()) {
        subtractUserTangent(e, context, s.q, along.position, s);
        subtractUserTangent(e, context, s.v, along.velocity, s);
      }
      s.L *= along.rowScale;
    }
    // x: s.q or s.v
    void subtractUserTangent(int e, const EvaluationContext& context, VectorX& x, Real factor,
                             Scratch& s) const {
      if (factor == 0) return;
      for (int j = 0; j < x.size(); ++j) {
        const Real at = x[j];
        const auto f = [&](Real y) {
          x[j] = y;
          userForce(e, context.state.time, s);
          return s.user;
        };
        s.L.col(j) -= factor * centralDifference(f, at);
        x[j] = at;
      }
    }

    int largest_ = 0;
    bool serial_ = false;
  };

  static Resolved resolve(const ObjectKinematicTree& o, const std::string& where,
                          const AssemblyView& view) {
    checkNode(o, where, view);
    Resolved r{CoordinateVector(view, {o.nodeNumber}), {}};
    std::vector<std::string> names{"t"};
    for (const char* kind : {"q", "v"})
      for (int i = 0; i < o.links(); ++i) names.push_back(kind + std::to_string(i));
    r.force =
        CompiledFunction(o.forceUserFunction, names, o.links(), where + ": forceUserFunction");
    return r;
  }
  static void checkNode(const ObjectKinematicTree& o, const std::string& where,
                        const AssemblyView& view) {
    if (!o.nodeNumber.valid())
      throw ModelError(where + ": nodeNumber is missing; give a GenericODE2 node with " +
                       std::to_string(o.links()) + " coordinates, one per link");
    const NodeLayout& layout = view.layout(o.nodeNumber);
    if (layout.coordinates != o.links() || layout.hasFrame)
      throw ModelError(where + ": nodeNumber = " + std::to_string(o.nodeNumber.value) +
                       " refers to " + view.where(Category::node, o.nodeNumber.value) + " with " +
                       std::to_string(layout.coordinates) +
                       " coordinates; give a GenericODE2 node with " + std::to_string(o.links()) +
                       ", one per link");
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& o = *static_cast<const ObjectKinematicTree*>(object);
      const int n = o.links();
      const auto length = [&](const char* name, std::size_t size, bool needed) {
        if (static_cast<int>(size) == n || (size == 0 && !needed)) return;
        throw ModelError(where + ": " + name + " has " + std::to_string(size) +
                         " entries; jointTypes names " + std::to_string(n) +
                         " links, so give that many" + (needed ? "" : " or none"));
      };
      length("linkParents", o.linkParents.size(), true);
      length("jointTransformations", o.jointTransformations.size(), true);
      length("jointOffsets", o.jointOffsets.size(), true);
      length("linkInertiasCOM", o.linkInertiasCOM.size(), true);
      length("linkCOMs", o.linkCOMs.size(), true);
      length("linkMasses", o.linkMasses.size(), true);
      length("linkForces", o.linkForces.size(), false);
      length("linkTorques", o.linkTorques.size(), false);
      length("jointForceVector", o.jointForceVector.size(), false);
      length("jointPositionOffsetVector", o.jointPositionOffsetVector.size(), false);
      length("jointVelocityOffsetVector", o.jointVelocityOffsetVector.size(), false);
      length("jointPControlVector", o.jointPControlVector.size(), false);
      length("jointDControlVector", o.jointDControlVector.size(), false);
      for (int i = 0; i < n; ++i) {
        if (o.linkParents[i] >= i)
          throw ModelError(where + ": linkParents[" + std::to_string(i) +
                           "] = " + std::to_string(o.linkParents[i]) +
                           "; a parent must have a smaller number than its link, the base is -1");
        checkRotation(o.jointTransformations[i], "jointTransformations[" + std::to_string(i) + "]",
                      where);
      }
    }
    bool isBody() const override { return true; }
    bool hasOrientation(const void*) const override { return true; }
    std::vector<NodeIndex> nodes(const void* object) const override {
      return {static_cast<const ObjectKinematicTree*>(object)->nodeNumber};
    }
    std::unique_ptr<DependentFrame> pointFrame(const void* object, const std::string& where,
                                               const AssemblyView& view, int part,
                                               Vector3&) const override {
      const auto& o = *static_cast<const ObjectKinematicTree*>(object);
      if (part < 0)
        throw ModelError(where +
                         ": a point of a kinematic tree belongs to one of its links; use a "
                         "KinematicTreeRigid marker or a KinematicTree sensor");
      if (part >= o.links())
        throw ModelError(where + ": linkNumber = " + std::to_string(part) + "; the tree has " +
                         std::to_string(o.links()) + " links, numbered from 0");
      checkNode(o, where, view);
      return std::make_unique<LinkFrame>(view, o, part, where);
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ObjectKinematicTree> registered;

}  // namespace
}  // namespace catena
