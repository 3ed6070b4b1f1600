// Hydraulic cylinder with two chambers between two points.
#include "items/rigid_connector.h"

namespace catena {
namespace {

struct ConnectorHydraulicActuatorSimple {
  static constexpr std::string_view typeName = "ConnectorHydraulicActuatorSimple";
  static constexpr std::string_view aliases[] = {"HydraulicActuatorSimple"};
  static constexpr std::string_view summary =
      "hydraulic cylinder between two markers, with the pressures of its chambers as first order "
      "coordinates";
  static constexpr std::string_view theory =
      "L = |p1 - p0|, s = L - offsetLength. Force f = -p0 A0 + p1 A1 + d s', tension positive, "
      "along the line from marker 0 to marker 1. Pressures: p0' = K0 / V0 (-A0 s' + a0 Qn "
      "sq(dp0)), "
      "p1' = K1 / V1 (A1 s' + a1 Qn sq(dp1)) with sq(x) = sign(x) sqrt|x|; dp = p_system - p where "
      "the valve opening a is >= 0, else p - p_tank. V = hose volume and K = oil modulus, or with "
      "useChamberVolumeChange V0 = Vh0 + A0 s, V1 = Vh1 + A1 (strokeLength - s), 1/K = 1/K_oil + "
      "(V - Vh) / (V K_cylinder) + Vh / (V K_hose), without the terms whose modulus is 0. An "
      "inactive actuator has no force and constant pressures. (Jelali, Kroll, Hydraulic "
      "Servo-systems, Springer 2003, chapter 4.) Displacement = p1 - p0, Velocity its rate, Force "
      "= f n (world); Distance = L, VelocityLocal = s'.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Distance, OutputVariable::Displacement, OutputVariable::Velocity,
      OutputVariable::VelocityLocal, OutputVariable::Force};

  MarkerPair markerNumbers;
  std::vector<NodeIndex> nodeNumbers;
  Real offsetLength = 0, strokeLength = 0;
  Real chamberCrossSection0 = 0, chamberCrossSection1 = 0;
  Real hoseVolume0 = 0, hoseVolume1 = 0;
  Real valveOpening0 = 0, valveOpening1 = 0;
  Real actuatorDamping = 0;
  Real oilBulkModulus = 0, cylinderBulkModulus = 0, hoseBulkModulus = 0;
  Real nominalFlow = 0;
  Real systemPressure = 0, tankPressure = 0;
  bool useChamberVolumeChange = false;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ConnectorHydraulicActuatorSimple;
    static constexpr Field table[] = {
        field<&T::markerNumbers>("markerNumbers", "", "", "two position markers"),
        field<&T::nodeNumbers>("nodeNumbers", "", "",
                               "one GenericODE1 node with the two pressures"),
        field<&T::offsetLength>("offsetLength", "", "m", "length where the stroke is zero",
                                nonNegative),
        field<&T::strokeLength>("strokeLength", "", "m",
                                "largest stroke; for the volume of chamber 1", nonNegative),
        field<&T::chamberCrossSection0>("chamberCrossSection0", "A0", "m^2",
                                        "piston area of chamber 0", nonNegative),
        field<&T::chamberCrossSection1>("chamberCrossSection1", "A1", "m^2",
                                        "piston area of chamber 1", nonNegative),
        field<&T::hoseVolume0>("hoseVolume0", "Vh0", "m^3", "volume of the hose of chamber 0",
                               nonNegative),
        field<&T::hoseVolume1>("hoseVolume1", "Vh1", "m^3", "volume of the hose of chamber 1",
                               nonNegative),
        field<&T::valveOpening0>("valveOpening0", "a0", "",
                                 "opening of valve 0: > 0 to the system, < 0 to the tank"),
        field<&T::valveOpening1>("valveOpening1", "a1", "",
                                 "opening of valve 1: > 0 to the system, < 0 to the tank"),
        field<&T::actuatorDamping>("actuatorDamping", "d", "N s/m", "damping", nonNegative),
        field<&T::oilBulkModulus>("oilBulkModulus", "K_oil", "N/m^2", "bulk modulus of the oil",
                                  nonNegative),
        field<&T::cylinderBulkModulus>("cylinderBulkModulus", "K_cylinder", "N/m^2",
                                       "stiffness of the cylinder; 0: rigid", nonNegative),
        field<&T::hoseBulkModulus>("hoseBulkModulus", "K_hose", "N/m^2",
                                   "stiffness of the hoses; 0: rigid", nonNegative),
        field<&T::nominalFlow>("nominalFlow", "Qn", "m^3/(s Pa^0.5)",
                               "flow through the open valve per root of pressure", nonNegative),
        field<&T::systemPressure>("systemPressure", "p_system", "N/m^2", "pressure of the supply"),
        field<&T::tankPressure>("tankPressure", "p_tank", "N/m^2", "pressure of the tank"),
        field<&T::useChamberVolumeChange>("useChamberVolumeChange", "", "",
                                          "volumes and moduli that change with the stroke"),
        field<&T::activeConnector>("activeConnector", "", "",
                                   "false: no force, constant pressures"),
    };
    return table;
  }

  struct Resolved {
    FramePair pair;
    NodePlace pressures;
  };

  // Its mechanics at one state, in scalar type S.
  template <class S>
  struct Actuator {
    S length, rate, force;
    MatrixOf<S, 3> direction;
    S pressureRate[2];

    Actuator(const ConnectorHydraulicActuatorSimple& c, const PairMotion<S>& motion, const S* p) {
      using std::sqrt;
      const MatrixOf<S, 3> d = motion.displacement();
      length = sqrt(d.dot(d));
      direction = d / length;
      rate = direction.dot(motion.velocity());
      force = p[1] * S(c.chamberCrossSection1) - p[0] * S(c.chamberCrossSection0) +
              S(c.actuatorDamping) * rate;
      const S stroke = length - S(c.offsetLength);
      pressureRate[0] =
          c.rateOf<S>(c.chamberCrossSection0, c.hoseVolume0, c.valveOpening0, stroke, -rate, p[0]);
      pressureRate[1] = c.rateOf<S>(c.chamberCrossSection1, c.hoseVolume1, c.valveOpening1,
                                    S(c.strokeLength) - stroke, rate, p[1]);
    }
  };
  // Pressure rate of a chamber that is fill long; inflow is the rate of its shortening.
  template <class S>
  S rateOf(Real area, Real hose, Real valve, const S& fill, const S& inflow, const S& p) const {
    const S flow =
        S(area) * inflow + S(valve * nominalFlow) *
                               signedRoot(valve >= 0 ? S(systemPressure) - p : p - S(tankPressure));
    if (!useChamberVolumeChange) return S(oilBulkModulus / hose) * flow;
    const S volume = S(hose) + S(area) * fill;
    S compliance = volume / S(oilBulkModulus);  // V / K
    if (cylinderBulkModulus != 0) compliance += (volume - S(hose)) / S(cylinderBulkModulus);
    if (hoseBulkModulus != 0) compliance += S(hose / hoseBulkModulus);
    return flow / compliance;
  }
  static Real signedRoot(Real x) { return std::copysign(std::sqrt(std::abs(x)), x); }
  template <int N>
  static Dual<N> signedRoot(const Dual<N>& x) {  // with a finite slope where the flow turns
    const Real root = signedRoot(x.value);
    return {root, x.gradient / (2 * std::max(std::abs(root), 1e-6))};
  }

  class Batch final : public ResolvedBatch<ConnectorHydraulicActuatorSimple, Resolved> {
    static constexpr int n = 14;

   public:
    explicit Batch(const BatchSource& source) : ResolvedBatch(source) {
      for (int i = 0; i < size(); ++i) {
        const std::string where = view_.where(Category::object, numbers_[i]);
        const auto& nodes = items_[i].nodeNumbers;
        if (nodes.size() != 1 || !nodes[0].valid() || view_.layout(nodes[0]).firstOrder != 2)
          throw ModelError(where +
                           ": nodeNumbers must name one GenericODE1 node with two coordinates, the "
                           "pressures");
        Real reference[2] = {0, 0};
        view_.behaviour(nodes[0]).referenceCoordinates(view_.item(Category::node, nodes[0].value),
                                                       reference);
        if (reference[0] != 0 || reference[1] != 0)
          throw ModelError(where + ": " + view_.where(Category::node, nodes[0].value) +
                           " has referenceCoordinates other than 0; give the pressures as "
                           "initialCoordinates");
        resolved_.push_back({resolveFrames(view_, Category::object, numbers_[i],
                                           items_[i].markerNumbers, MarkerNeed::position),
                             view_.place(nodes[0])});
      }
    }
    int localSize() const override { return n; }
    void describe(int e, ElementPattern& pattern) const override {
      describeFramePair(view_, resolved_[e].pair, false, pattern);
      pattern.add({resolved_[e].pressures.group, 12, 2, 0});
      for (int i = 0; i < static_cast<int>(pattern.groups.size()); ++i)
        for (int j = 0; j < static_cast<int>(pattern.groups.size()); ++j) pattern.couple(i, j);
    }
    void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                  int end) override {
      for (int e = begin; e < end; ++e) {
        const FramePair& pair = resolved_[e].pair;
        LocalVector<n> r =
            rows<Real>(context, e, pairMotion(pair, view_, context.state, context.frames));
        if (!context.withMatrix) {
          storeElement(context, sink, e, r.data(), nullptr, n);
          continue;
        }
        const MatrixOf<Dual<n>, n> lifted =
            rows<Dual<n>>(context, e, liftedPairMotion<n>(pair, view_, context, context.variation));
        LocalMatrix<n> L;
        for (int i = 0; i < n; ++i)
          L.row(i) =
              (i < 12 ? context.variation.rowScale : 1) * lifted[i].gradient.matrix().transpose();
        storeElement(context, sink, e, r.data(), L.data(), n);
      }
    }
    bool output(int e, OutputVariable variable, const OutputContext& context,
                std::vector<Real>& out) const override {
      using enum OutputVariable;
      const auto motion = pairMotion(resolved_[e].pair, view_, context.state, context.frames);
      const Actuator<Real> a(items_[e], motion,
                             context.state.y.data() + resolved_[e].pressures.firstOrder);
      switch (variable) {
        case Distance:
          setOutput(out, a.length);
          return true;
        case Displacement:
          setOutput(out, motion.displacement());
          return true;
        case Velocity:
          setOutput(out, motion.velocity());
          return true;
        case VelocityLocal:
          setOutput(out, a.rate);
          return true;
        case Force:
          setOutput(out, Vector3((items_[e].activeConnector ? a.force : 0.0) * a.direction));
          return true;
        default:
          return false;
      }
    }

   private:
    template <class S>
    MatrixOf<S, n> rows(const EvaluationContext& context, int e,
                        const PairMotion<S>& motion) const {
      const int at = resolved_[e].pressures.firstOrder;
      S p[2], rate[2];
      for (int k = 0; k < 2; ++k) {
        p[k] = S(context.state.y[at + k]);
        rate[k] = S(context.state.ydot[at + k]);
        if constexpr (!std::is_same_v<S, Real>) {
          p[k].gradient[12 + k] = context.variation.position;
          rate[k].gradient[12 + k] = context.variation.firstOrderRate;
        }
      }
      MatrixOf<S, n> r = MatrixOf<S, n>::Constant(S(0));
      r[12] = rate[0], r[13] = rate[1];
      if (!items_[e].activeConnector) return r;
      if (!(motion.displacement().dot(motion.displacement()) > S(0)))
        throw ModelError(view_.where(Category::object, numbers_[e]) +
                         ": the distance of its markers is 0, so the actuator has no direction; "
                         "keep the points apart");
      const Actuator<S> a(items_[e], motion, p);
      MatrixOf<S, 12> forces;
      PairWrench<S> w;
      w.force = a.force * a.direction;
      const Frame& f0 = context.frames[motion.pair.point0.frame];
      const Frame& f1 = context.frames[motion.pair.point1.frame];
      wrenchRows<S>(motion, f0.norm2, f1.norm2, w, forces);
      r.template head<12>() = forces;
      for (int k = 0; k < 2; ++k) r[12 + k] -= a.pressureRate[k];
      return r;
    }
  };

  class Behaviour final : public ObjectBehaviour {
   public:
    void check(const void* object, const std::string& where) const override {
      const auto& c = *static_cast<const ConnectorHydraulicActuatorSimple*>(object);
      const auto need = [&](Real value, const char* name) {
        if (!(value > 0))
          throw ModelError(where + ": " + name + " = " + valueText(value) + " must be > 0");
      };
      need(c.chamberCrossSection0, "chamberCrossSection0");
      need(c.chamberCrossSection1, "chamberCrossSection1");
      need(c.hoseVolume0, "hoseVolume0");
      need(c.hoseVolume1, "hoseVolume1");
      need(c.oilBulkModulus, "oilBulkModulus");
      need(c.nominalFlow, "nominalFlow");
      need(c.strokeLength, "strokeLength");
    }
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override {
      return std::make_unique<Batch>(source);
    }
  };
};

const RegisterObject<ConnectorHydraulicActuatorSimple> registered;

}  // namespace
}  // namespace catena
