// Thin cables with bending stiffness by the absolute nodal coordinate formulation, in the plane
// (D = 2) and in space (D = 3).
//
// r(x) = S1 r_0 + S2 r_0' + S3 r_1 + S4 r_1' with cubic Hermite polynomials on 0 <= x <= L; axial
// strain |r'| - 1, curvature (r' x r'') / |r'|^2 (in space its length). J. Gerstmayr, A. Shabana,
// "Analysis of thin beams and cables using the absolute nodal co-ordinate formulation", Nonlinear
// Dynamics 45 (2006), https://doi.org/10.1007/s11071-006-1856-1.
#pragma once

#include "items/connector.h"
#include "items/rigid_connector.h"
#include "items/slope_frame.h"
#include "items/user_function.h"

namespace catena {

using Shape = Vector4;
Shape cableShape(Real x, Real length);            // S
Shape cableShapeDerivative(Real x, Real length);  // S'
Shape cableShapeCurvature(Real x, Real length);   // S''

// Points in 0 .. 1 and weights, for the axial and for the bending strains.
struct CablePoint {
  Real at, weight;
};
std::span<const CablePoint> axialPoints(int reducedOrder);
std::span<const CablePoint> bendingPoints(int reducedOrder);

// Strains at a point: a = r', b = r'' and their rates.
template <class S, int D>
struct CableStrain {
  using V = MatrixOf<S, D>;
  V a, b, aRate, bRate;

  S length() const {
    using std::sqrt;
    return sqrt(S(a.dot(a)));
  }
  S axial() const { return length() - S(1); }
  S axialRate() const { return S(a.dot(aRate)) / length(); }

  // r' x r'': a number in the plane, a vector in space.
  static auto cross(const V& x, const V& y) {
    if constexpr (D == 2)
      return MatrixOf<S, 1>(MatrixOf<S, 1>::Constant(x[0] * y[1] - x[1] * y[0]));
    else
      return V(x.cross(y));
  }
  S crossLength() const {
    using std::sqrt;
    const auto c = cross(a, b);
    if constexpr (D == 2)
      return c[0];
    else
      return c.dot(c) > S(0) ? sqrt(S(c.dot(c))) : S(0);
  }
  S curvature() const { return crossLength() / S(a.dot(a)); }
  S curvatureRate() const {
    const auto c = cross(a, b), cRate = decltype(c)(cross(aRate, b) + cross(a, bRate));
    const S l = crossLength(), a2 = a.dot(a);
    if (l == S(0) && D == 3) return S(0);
    const S lRate = D == 2 ? cRate[0] : S(c.dot(cRate)) / l;
    return lRate / a2 - S(2) * l * S(a.dot(aRate)) / (a2 * a2);
  }
};

// Functions of the author for the axial force and the bending moment; the planar cable has them.
struct CableLaw {
  CompiledFunction axial, bending;
  bool serial() const { return axial.serial() || bending.serial(); }
};
struct CablePlace {
  Real time, at;  // at: 0 .. 1
};

// The parameters that both cables share.
struct CableParameters {
  Real physicsLength = 0;
  Real physicsMassPerLength = 0;
  Real physicsBendingStiffness = 0;
  Real physicsAxialStiffness = 0;
  Real physicsBendingDamping = 0;
  Real physicsAxialDamping = 0;
  Real physicsReferenceAxialStrain = 0;
  Real strainIsRelativeToReference = 0;
  std::array<NodeIndex, 2> nodeNumbers;
  int useReducedOrderIntegration = 0;
};

template <class T>
constexpr std::array<Field, 10> cableFields() {
  return {
      field<&T::physicsLength>("physicsLength", "L", "m", "length between the nodes", nonNegative),
      field<&T::physicsMassPerLength>("physicsMassPerLength", "rhoA", "kg/m", "mass per length",
                                      nonNegative),
      field<&T::physicsBendingStiffness>("physicsBendingStiffness", "EI", "N m^2",
                                         "bending stiffness", nonNegative),
      field<&T::physicsAxialStiffness>("physicsAxialStiffness", "EA", "N", "axial stiffness",
                                       nonNegative),
      field<&T::physicsBendingDamping>("physicsBendingDamping", "d_K", "N m^2 s", "bending damping",
                                       nonNegative),
      field<&T::physicsAxialDamping>("physicsAxialDamping", "d_eps", "N s", "axial damping",
                                     nonNegative),
      field<&T::physicsReferenceAxialStrain>("physicsReferenceAxialStrain", "eps_0", "",
                                             "axial strain without force"),
      field<&T::strainIsRelativeToReference>(
          "strainIsRelativeToReference", "f_ref", "",
          "1: the reference configuration is free of stress; 0: the straight unstrained cable is"),
      field<&T::nodeNumbers>("nodeNumbers", "", "", "two slope nodes"),
      field<&T::useReducedOrderIntegration>(
          "useReducedOrderIntegration", "", "",
          "0: 5 axial, 3 bending Gauss points; 1: 4 and 2; 2: 3 Lobatto and 2 Gauss points",
          Bounds{0, 2}),
  };
}

// A cable struct T derives from CableParameters and provides
//   static constexpr int dimension;  static constexpr std::string_view nodeType;
//   Real referenceCurvature() const;
//   CableLaw law(const std::string& where) const;
struct ResolvedCable {
  CoordinateVector coordinates;
  CableLaw law;
};
template <class T>
class CableBatch final : public ResolvedBatch<T, ResolvedCable> {
  static constexpr int D = T::dimension;
  static constexpr int n = 4 * D;
  using Base = ResolvedBatch<T, ResolvedCable>;
  using V = MatrixOf<Real, D>;

 public:
  explicit CableBatch(const BatchSource& source) : Base(source) {
    for (int i = 0; i < this->size(); ++i) {
      const std::string where = this->view_.where(Category::object, this->numbers_[i]);
      T::checkNodes(this->items_[i], where, this->view_);
      const auto& nodes = this->items_[i].nodeNumbers;
      this->resolved_.push_back(
          {CoordinateVector(this->view_, std::vector<NodeIndex>(nodes.begin(), nodes.end())),
           this->items_[i].law(where)});
      serial_ = serial_ || this->resolved_.back().law.serial();
    }
  }
  int localSize() const override { return n; }
  bool serial() const override { return serial_; }
  void describe(int e, ElementPattern& pattern) const override {
    this->resolved_[e].coordinates.describeCoupled(this->view_, pattern);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    LocalVector<n> r;
    LocalMatrix<n> L;
    for (int e = begin; e < end; ++e) {
      const Motion motion = gather(e, context.state);
      r.setZero();
      L.setZero();
      stresses<Real>(e, motion, context, r, nullptr);
      if (context.withMatrix) {
        LocalVector<n> same = LocalVector<n>::Zero();  // up to rounding
        stresses<Dual<2 * D>>(e, motion, context, same, &L);
        L *= context.variation.rowScale;
      }
      addMass(e, motion, context, r, L);
      storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, n);
    }
  }

 private:
  struct Motion {
    LocalVector<n> reference, q, v, a;  // q: total
  };
  Motion gather(int e, const State& state) const {
    Motion m;
    const CoordinateVector& c = this->resolved_[e].coordinates;
    VectorView q(m.q.data(), n), v(m.v.data(), n), a(m.a.data(), n);
    c.gather(state.q, q);
    c.gather(state.v, v);
    c.gather(state.a, a);
    m.reference = c.reference();
    m.q += m.reference;
    return m;
  }

  // Adds the virtual work of strains to r and its derivative to L.
  template <class S>
  void stresses(int e, const Motion& m, const EvaluationContext& context, LocalVector<n>& r,
                LocalMatrix<n>* L) {
    const T& o = this->items_[e];
    CableLaw& law = this->resolved_[e].law;
    const Variation& along = context.variation;
    const Real length = o.physicsLength;
    for (const bool bending : {false, true})
      for (const auto& [at, weight] : bending ? bendingPoints(o.useReducedOrderIntegration)
                                              : axialPoints(o.useReducedOrderIntegration)) {
        const Shape d1 = cableShapeDerivative(at * length, length);
        const Shape d2 = cableShapeCurvature(at * length, length);
        const CableStrain<S, D> strain = T::template strainAt<S>(d1, d2, m.q, m.v, along);
        const CableStrain<Real, D> reference =
            T::template strainAt<Real>(d1, d2, m.reference, LocalVector<n>::Zero().eval(), along);
        MatrixOf<S, 2 * D> p = MatrixOf<S, 2 * D>::Constant(S(0));  // dual to (r', r'')
        const CablePlace place{context.state.time, at};
        if (bending)
          T::addBending(o, law, place, strain, reference, p);
        else
          T::addAxial(o, law, place, strain, reference, p);
        for (int i = 0; i < 4; ++i)
          for (int k = 0; k < D; ++k) {
            const S f = (weight * length) * (S(d1[i]) * p[k] + S(d2[i]) * p[D + k]);
            r[D * i + k] += valueOf(f);
            if constexpr (!std::is_same_v<S, Real>)
              for (int j = 0; j < 4; ++j)
                for (int l = 0; l < D; ++l)
                  (*L)(D * i + k, D * j + l) += f.gradient[l] * d1[j] + f.gradient[D + l] * d2[j];
          }
      }
  }

  void addMass(int e, const Motion& m, const EvaluationContext& context, LocalVector<n>& r,
               LocalMatrix<n>& L) const {
    const Real l = this->items_[e].physicsLength;
    Eigen::Matrix4d M;
    M << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l,
        -13 * l, -3 * l * l, -22 * l, 4 * l * l;
    M *= this->items_[e].physicsMassPerLength * l / 420;
    const Real scale = context.variation.rowScale * context.variation.acceleration;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < D; ++k) {
          r[D * i + k] += M(i, j) * m.a[D * j + k];
          if (context.withMatrix) L(D * i + k, D * j + k) += scale * M(i, j);
        }
  }

  bool serial_ = false;
};

// What both cables do.
template <class T, int D>
struct Cable : CableParameters {
  static constexpr int dimension = D;
  static constexpr int n = 4 * D;

  static void checkNodes(const T& o, const std::string& where, const AssemblyView& view) {
    if (!(o.physicsLength > 0))
      throw ModelError(where + ": physicsLength = " + valueText(o.physicsLength) +
                       " m must be > 0; give the length between its nodes");
    for (const NodeIndex node : o.nodeNumbers)
      if (!node.valid() || o.nodeNumbers[0] == o.nodeNumbers[1] ||
          view.typeOf(Category::node, node.value).name != T::nodeType)
        throw ModelError(where + ": nodeNumbers = [" + std::to_string(o.nodeNumbers[0].value) +
                         ", " + std::to_string(o.nodeNumbers[1].value) +
                         "] must be two different " + std::string(T::nodeType) + " nodes");
  }

  template <class S>
  static CableStrain<S, D> strainAt(const Shape& d1, const Shape& d2, const LocalVector<n>& q,
                                    const LocalVector<n>& v, const Variation& along) {
    CableStrain<S, D> s;
    for (int k = 0; k < D; ++k) {
      Real a = 0, b = 0, aRate = 0, bRate = 0;
      for (int i = 0; i < 4; ++i) {
        a += d1[i] * q[D * i + k], aRate += d1[i] * v[D * i + k];
        b += d2[i] * q[D * i + k], bRate += d2[i] * v[D * i + k];
      }
      s.a[k] = S(a), s.b[k] = S(b), s.aRate[k] = S(aRate), s.bRate[k] = S(bRate);
      if constexpr (!std::is_same_v<S, Real>) {
        s.a[k].gradient[k] = along.position, s.aRate[k].gradient[k] = along.velocity;
        s.b[k].gradient[D + k] = along.position, s.bRate[k].gradient[D + k] = along.velocity;
      }
    }
    return s;
  }

  Real restStrain(const CableStrain<Real, D>& reference) const {
    return physicsReferenceAxialStrain + strainIsRelativeToReference * reference.axial();
  }
  Real restCurvature(const CableStrain<Real, D>& reference) const {
    return static_cast<const T*>(this)->referenceCurvature() +
           strainIsRelativeToReference * reference.curvature();
  }
  CableLaw law(const std::string&) const { return {}; }

  template <class S>
  S axialForce(CableLaw& law, const CablePlace& place, const CableStrain<S, D>& s,
               const CableStrain<Real, D>& reference) const {
    if (law.axial.defined())
      return fromFunction<S>(
          law.axial, place,
          {s.axial(), s.axialRate(), S(restStrain(reference)), S(physicsAxialStiffness),
           S(physicsAxialDamping), s.curvature(), s.curvatureRate(), S(restCurvature(reference))});
    return physicsAxialStiffness * (s.axial() - S(restStrain(reference))) +
           physicsAxialDamping * s.axialRate();
  }
  template <class S>
  S bendingMoment(CableLaw& law, const CablePlace& place, const CableStrain<S, D>& s,
                  const CableStrain<Real, D>& reference) const {
    if (law.bending.defined())
      return fromFunction<S>(law.bending, place,
                             {s.curvature(), s.curvatureRate(), S(restCurvature(reference)),
                              S(physicsBendingStiffness), S(physicsBendingDamping), s.axial(),
                              s.axialRate(), S(restStrain(reference))});
    return physicsBendingStiffness * (s.curvature() - S(restCurvature(reference))) +
           physicsBendingDamping * s.curvatureRate();
  }

  template <class S>
  static S fromFunction(CompiledFunction& function, const CablePlace& place,
                        const std::array<S, 8>& x) {
    Real arguments[10] = {place.time, place.at};
    S result;
    evaluateLifted<S>(function, arguments, 2, x, {&result, 1});
    return result;
  }

  template <class S>
  static void addAxial(const T& o, CableLaw& law, const CablePlace& place,
                       const CableStrain<S, D>& s, const CableStrain<Real, D>& reference,
                       MatrixOf<S, 2 * D>& p) {
    const S factor = o.axialForce(law, place, s, reference) / s.length();
    for (int k = 0; k < D; ++k) p[k] += factor * s.a[k];
  }
  // M times the gradient of the curvature by (r', r''). In space the gradient has no limit at a
  // straight cable, but curvature times gradient has: the elastic part is written with it.
  template <class S>
  static void addBending(const T& o, CableLaw& law, const CablePlace& place,
                         const CableStrain<S, D>& s, const CableStrain<Real, D>& reference,
                         MatrixOf<S, 2 * D>& p) {
    const S a2 = s.a.dot(s.a), curvature = s.curvature();
    const auto add = [&](const S& m, const MatrixOf<S, D>& byA, const MatrixOf<S, D>& byB) {
      for (int k = 0; k < D; ++k) p[k] += m * byA[k], p[D + k] += m * byB[k];
    };
    if constexpr (D == 2) {
      const MatrixOf<S, 2> byB(-s.a[1] / a2, s.a[0] / a2);
      const MatrixOf<S, 2> byA(s.b[1] / a2 - S(2) * curvature * s.a[0] / a2,
                               -s.b[0] / a2 - S(2) * curvature * s.a[1] / a2);
      add(o.bendingMoment(law, place, s, reference), byA, byB);
    } else {
      const MatrixOf<S, 3> c = s.a.cross(s.b);
      const S c2 = c.dot(c), a4 = a2 * a2;
      const MatrixOf<S, 3> bc = s.b.cross(c), ca = c.cross(s.a);
      const MatrixOf<S, 3> byA = bc / a4 - s.a * (S(2) * c2 / (a4 * a2)), byB = ca / a4;
      add(S(o.physicsBendingStiffness), byA, byB);  // curvature times its gradient
      if (c2 == S(0)) return;
      const S rest = o.physicsBendingDamping * s.curvatureRate() -
                     S(o.physicsBendingStiffness * o.restCurvature(reference));
      add(rest / curvature, byA, byB);
    }
  }

  class Behaviour final : public ObjectBehaviour {
   public:
    bool isBody() const override { return true; }
    bool hasOrientation(const void*) const override { return D == 2; }
    std::vector<NodeIndex> nodes(const void* object) const override {
      const auto& list = static_cast<const T*>(object)->nodeNumbers;
      return {list.begin(), list.end()};
    }
    std::pair<Real, Vector3> massAndCentre(const void* object) const override {
      const T& o = *static_cast<const T*>(object);
      return {o.physicsMassPerLength * o.physicsLength, Vector3::Zero()};
    }
    std::unique_ptr<DependentFrame> massFrame(const void* object, const std::string& where,
                                              const AssemblyView& view) const override {
      const T& o = *static_cast<const T*>(object);
      checkNodes(o, where, view);
      const Shape mean(0.5, o.physicsLength / 12, 0.5, -o.physicsLength / 12);
      return std::make_unique<SlopeFrame<D>>(
          view, nodes(object), where, mean,
          cableShapeDerivative(o.physicsLength / 2, o.physicsLength));
    }
    std::unique_ptr<DependentFrame> pointFrame(const void* object, const std::string& where,
                                               const AssemblyView& view, int,
                                               Vector3& local) const override {
      const T& o = *static_cast<const T*>(object);
      checkNodes(o, where, view);
      const Real x = local[0];
      if (x < 0 || x > o.physicsLength)
        throw ModelError(where + ": localPosition[0] = " + valueText(x) +
                         " m is not on the cable; it goes from 0 to physicsLength = " +
                         valueText(o.physicsLength) + " m");
      if (D == 3 && local.tail<2>().squaredNorm() > 0)
        throw ModelError(where + ": localPosition = " + valueText(VectorX(local)) +
                         " lies beside the axis; this cable has no cross section, so y and z must "
                         "be 0");
      local[0] = 0;
      return std::make_unique<SlopeFrame<D>>(view, nodes(object), where,
                                             cableShape(x, o.physicsLength),
                                             cableShapeDerivative(x, o.physicsLength));
    }
    bool bodyOutput(const void* object, int, const Vector3& local, OutputVariable variable,
                    const OutputContext& context, std::vector<Real>& out) const override {
      using enum OutputVariable;
      const T& o = *static_cast<const T*>(object);
      const Real length = o.physicsLength;
      const Shape d1 = cableShapeDerivative(local[0], length);
      const Shape d2 = cableShapeCurvature(local[0], length);
      const CoordinateVector c(context.view, nodes(object));
      VectorX q(n), v(n);
      c.gather(context.state.q, q);
      c.gather(context.state.v, v);
      const LocalVector<n> reference = c.reference();
      const auto strain = strainAt<Real>(d1, d2, reference + q, v, Variation{});
      const auto rest =
          strainAt<Real>(d1, d2, reference, LocalVector<n>::Zero().eval(), Variation{});
      const CablePlace place{context.state.time, local[0] / length};
      switch (variable) {
        case Director1: {
          Vector3 t = Vector3::Zero();
          t.head<D>() = strain.a;
          setOutput(out, t);
          return true;
        }
        case StrainLocal:
          setOutput(out, strain.axial());
          return true;
        case CurvatureLocal:
          setOutput(out, strain.curvature());
          return true;
        case ForceLocal:
        case TorqueLocal: {
          CableLaw law = o.law("cable");
          setOutput(out, variable == ForceLocal ? o.axialForce(law, place, strain, rest)
                                                : o.bendingMoment(law, place, strain, rest));
          return true;
        }
        case Rotation:
          if (D == 3) return false;
          setOutput(out, std::atan2(strain.a[1], strain.a[0]));
          return true;
        default:
          return false;
      }
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<CableBatch<T>>(source);
    }
  };
};

}  // namespace catena
