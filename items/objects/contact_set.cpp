// Contact of many spheres with each other and with planes or discs.
#include <algorithm>

#include "items/contact_output.h"
#include "kernels/sphere_search.h"

namespace catena {
namespace {

struct ContactSet {
  static constexpr std::string_view typeName = "ContactSet";
  static constexpr std::string_view summary =
      "contact of many spheres with each other and with planes or discs; only pairs that are close "
      "take part";
  static constexpr std::string_view theory =
      "Every pair of spheres on different bodies, and every sphere with every plane or disc, has "
      "the forces of docs/contact.md: spheres as in ContactSphereSphere, planes and discs as body "
      "0 in ContactSphereDisc, both with the one law of the set. Pairs nearer than searchDistance "
      "get a place in the matrix; when a pair without one touches within a step, the step is "
      "repeated with it. Gap is the smallest gap and PenetrationDepth the largest depth, "
      "NormalForce the largest normal force, Force the resultant on the planes and discs, world "
      "components, PotentialEnergy and DissipatedPower are sums.";
  static constexpr OutputVariable outputs[] = {
      OutputVariable::Gap,   OutputVariable::PenetrationDepth, OutputVariable::NormalForce,
      OutputVariable::Force, OutputVariable::PotentialEnergy,  OutputVariable::DissipatedPower};

  std::vector<MarkerIndex> sphereMarkers;
  VectorX sphereRadii;
  std::vector<MarkerIndex> planeMarkers;
  std::vector<Vector3> planeNormals;
  VectorX discRadii;
  Real contactPointRatio = 0.5;
  ContactParameters law;
  Real searchDistance = 0;
  bool activeConnector = true;

  static std::span<const Field> fields() {
    using T = ContactSet;
    static constexpr auto table = joined(
        joined(
            std::array{
                field<&T::sphereMarkers>("sphereMarkers", "", "",
                                         "markers at the centres of the spheres; rigid ones if "
                                         "there is friction"),
                field<&T::sphereRadii>("sphereRadii", "", "m",
                                       "radii of the spheres, or one for all", positive),
                field<&T::planeMarkers>("planeMarkers", "", "",
                                        "rigid markers on the planes and discs"),
                field<&T::planeNormals>("planeNormals", "", "",
                                        "normals in the axes of the planes' bodies, towards the "
                                        "spheres; one for all; empty: [0, 0, 1]"),
                field<&T::discRadii>("discRadii", "", "m",
                                     "radii of the discs, or one for all; 0 or empty: planes",
                                     nonNegative),
                field<&T::contactPointRatio>("contactPointRatio", "lambda", "",
                                             "contact point: 0 on the undeformed sphere 1, 1 on "
                                             "body 0, 0.5 in the middle",
                                             Bounds{0, 1}),
            },
            contactFields<&T::law>()),
        std::array{
            field<&T::searchDistance>("searchDistance", "", "m",
                                      "pairs nearer than this get a place in the matrix; 0: a "
                                      "fifth of the smallest radius",
                                      nonNegative),
            field<&T::activeConnector>("activeConnector", "", "", "false: no force"),
        });
    return table;
  }

  class Batch;
  class Behaviour final : public ObjectBehaviour {
   public:
    void check(const void* object, const std::string& where) const override;
    std::unique_ptr<ElementBatch> makeBatch(const BatchSource& source) const override;
  };
};

// The entry of a list that may have one for all, or none for the default.
template <class List, class Value>
Value entry(const List& list, std::size_t i, const Value& standard) {
  const std::size_t n = list.size();
  return n == 0 ? standard : Value(list[n == 1 ? 0 : i]);
}

// A pair of spheres, or of a plane (numbered after the spheres) and a sphere.
struct Bodies {
  int first = -1, second = -1;
  friend auto operator<=>(const Bodies&, const Bodies&) = default;
};

// One set: its bodies and the pairs that are elements.
class PairSearch {
 public:
  using Renewal = ElementBatch::Renewal;

  struct Pair {
    Bodies bodies;
    FramePair frames;
    ContactRecord record;
    DiscShape disc;  // of the plane
    Real r0 = 0, r1 = 0;
  };

  PairSearch(const ContactSet& set, int number, const AssemblyView& view)
      : set_(set), number_(number), view_(view), where_(view.where(Category::object, number)) {
    const bool turning = set.law.dynamicFriction != 0 || set.law.rollingResistance != 0;
    need_ = turning ? MarkerNeed::positionAndOrientation : MarkerNeed::position;
    for (std::size_t i = 0; i < set.sphereMarkers.size(); ++i) {
      spheres_.push_back(
          resolveMarker(view, Category::object, number, set.sphereMarkers[i], need_).point);
      radii_.push_back(entry(set.sphereRadii, i, Real(0)));
    }
    for (std::size_t i = 0; i < set.planeMarkers.size(); ++i) {
      planes_.push_back(resolveMarker(view, Category::object, number, set.planeMarkers[i],
                                      MarkerNeed::positionAndOrientation)
                            .point);
      discs_.push_back({entry(set.planeNormals, i, Vector3(0, 0, 1)).normalized(),
                        entry(set.discRadii, i, Real(0))});
    }
    smallestRadius_ = radii_.empty() ? 0 : *std::min_element(radii_.begin(), radii_.end());
    distance_ = set.searchDistance > 0 ? set.searchDistance : 0.2 * smallestRadius_;
    law_ = ContactLaw(set.law, smallestRadius_, where_);
    if (law_.needsImpactSpeed())
      throw ModelError(where_ +
                       ": dampingModel 'restitution' needs impactVelocity > 0 here, for pairs that "
                       "come and go do not remember their speed at touch-down");
    centres_.resize(spheres_.size());
    searched_.resize(spheres_.size());
  }

  const std::vector<Pair>& pairs() const { return pairs_; }

  // See ElementBatch::renewElements; h: the size of the last step.
  bool renew(const Frame* frames, Renewal when, Real h) {
    locate(frames);
    if (when == Renewal::atStart) {
      collect(frames);
      return takeOver(true);
    }
    if (farFromSearch()) search();
    // Within a step every pair that touches; after it those that would by the end of the next two.
    const Real ahead = when == Renewal::afterStep ? 2 * h : 0;
    const auto touches = [&](const Bodies& b) { return gapAhead(b, frames, ahead) < 0; };
    bool missing = std::any_of(waiting_.begin(), waiting_.end(), touches);
    const int spheres = static_cast<int>(spheres_.size());
    for (int p = 0; p < static_cast<int>(planes_.size()) && !missing; ++p)
      for (int s = 0; s < spheres && !missing; ++s)
        missing = touches({spheres + p, s}) && !isElement({spheres + p, s});
    if (!missing) return false;
    collect(frames);
    return takeOver(when == Renewal::afterStep);
  }

  void stepAccepted(const OutputContext& context, Real h) {
    if (h == 0) briefest_ = {};
    for (Pair& p : pairs_) {
      const ContactMotion<Real> m =
          motionOf<Real>(p, pairMotion(p.frames, view_, context.state, context.frames));
      p.record.stepAccepted(m, h);
    }
  }
  void warnings(std::vector<std::string>& out) const {
    ContactRecord briefest = briefest_;
    std::string deep;
    int others = -1;
    for (const Pair& p : pairs_) {
      keepBriefer(p.record, briefest);
      if (p.record.deepStart.empty()) continue;
      if (deep.empty()) deep = p.record.deepStart;
      ++others;
    }
    if (others > 0) deep += ", and " + std::to_string(others) + " more pairs like it";
    if (!deep.empty()) out.push_back(deep);
    briefest.deepStart.clear();
    briefest.warnings(out);
  }

  template <class S>
  ContactMotion<S> motionOf(const Pair& p, const PairMotion<S>& motion) const {
    return isPlane(p.bodies.first)
               ? sphereOnDisc<S>(motion, p.disc, p.r1, set_.contactPointRatio)
               : sphereOnSphere<S>(motion, p.r0, p.r1, 1, set_.contactPointRatio, where_);
  }
  template <class S>
  static ContactForces<S> forces(const Pair& p, const ContactMotion<S>& m) {
    ContactForces<S> f;
    if (!m.possible || !(valueOf(m.gap) < 0)) return f;
    f.normal = p.record.law.normalForce<S>(m.gap, m.gapRate, 0);
    if (valueOf(f.normal) > 0)
      p.record.law.addFriction<S>(m.n, m.gap, m.velocity, m.angularVelocity, Sliding::free, f);
    return f;
  }
  bool isPlane(int body) const { return body >= static_cast<int>(spheres_.size()); }

 private:
  MarkerIndex markerOf(int body) const {
    return isPlane(body) ? set_.planeMarkers[body - spheres_.size()] : set_.sphereMarkers[body];
  }
  std::string nameOf(const Bodies& b) const {
    return where_ + " between " + view_.where(Category::marker, markerOf(b.first).value) + " and " +
           view_.where(Category::marker, markerOf(b.second).value);
  }

  Vector3 position(const FramePoint& p, const Frame* frames) const {
    const Frame& f = frames[p.frame];
    return view_.referencePosition(p.frame) + f.displacement + times(f.rotation, p.local);
  }
  Vector3 velocity(const FramePoint& p, const Frame* frames) const {
    const Frame& f = frames[p.frame];
    return f.velocity + f.rotation * f.omega.cross(p.local);
  }
  void locate(const Frame* frames) {
    for (std::size_t i = 0; i < spheres_.size(); ++i) centres_[i] = position(spheres_[i], frames);
  }

  // Whether a pair beyond the distance at the last search may touch by now.
  bool farFromSearch() const {
    Real moved2 = 0;
    for (std::size_t i = 0; i < centres_.size(); ++i)
      moved2 = std::max(moved2, (centres_[i] - searched_[i]).squaredNorm());
    return 2 * std::sqrt(moved2) > 0.9 * distance_;
  }
  void search() {
    searcher_.findPairs(centres_, radii_, distance_, found_);
    searched_ = centres_;
    near_.clear();
    for (const auto& [i, j] : found_)
      if (mayTouch(spheres_[i], spheres_[j])) near_.push_back({i, j});
    waiting_.clear();
    for (const Bodies& b : near_)
      if (!isElement(b)) waiting_.push_back(b);
  }
  bool mayTouch(const FramePoint& a, const FramePoint& b) const {
    return a.frame != b.frame &&
           (view_.groupOfFrame(a.frame) >= 0 || view_.groupOfFrame(b.frame) >= 0 ||
            view_.dependentOfFrame(a.frame) >= 0 || view_.dependentOfFrame(b.frame) >= 0);
  }
  // All pairs nearer than the distance.
  void collect(const Frame* frames) {
    search();
    const int spheres = static_cast<int>(spheres_.size());
    for (int p = 0; p < static_cast<int>(planes_.size()); ++p)
      for (int s = 0; s < spheres; ++s)
        if (gapAhead({spheres + p, s}, frames, 0) < distance_) near_.push_back({spheres + p, s});
  }

  // The gap after a time at constant rate; beside a disc none.
  Real gapAhead(const Bodies& b, const Frame* frames, Real time) const {
    const Vector3 relative = velocityOf(b.second, frames) - velocityOf(b.first, frames);
    if (!isPlane(b.first)) {
      const Vector3 d = centres_[b.second] - centres_[b.first];
      const Real distance = d.norm();
      return distance - radii_[b.first] - radii_[b.second] +
             (distance > 0 ? time * std::min<Real>(0, relative.dot(d) / distance) : 0);
    }
    const std::size_t p = b.first - spheres_.size();
    constexpr Real never = std::numeric_limits<Real>::infinity();
    if (!mayTouch(planes_[p], spheres_[b.second])) return never;
    const Frame& f = frames[planes_[p].frame];
    const Vector3 n = f.rotation * discs_[p].normal;
    const Vector3 d = centres_[b.second] - position(planes_[p], frames);
    if (discs_[p].radius > 0 && (d - n * n.dot(d)).norm() > discs_[p].radius + distance_)
      return never;
    const Real rate = n.dot(relative) + (f.rotation * f.omega).cross(n).dot(d);
    return n.dot(d) - radii_[b.second] + time * std::min<Real>(0, rate);
  }
  Vector3 velocityOf(int body, const Frame* frames) const {
    return velocity(isPlane(body) ? planes_[body - spheres_.size()] : spheres_[body], frames);
  }

  bool isElement(const Bodies& b) const {
    const auto p = std::lower_bound(pairs_.begin(), pairs_.end(), b,
                                    [](const Pair& p, const Bodies& x) { return p.bodies < x; });
    return p != pairs_.end() && p->bodies == b;
  }
  // The near pairs become the elements; others stay or go. False: they were it already.
  bool takeOver(bool dropOthers) {
    waiting_.clear();
    bool changed = false;
    std::vector<Pair> next;
    next.reserve(near_.size());
    auto old = pairs_.begin();
    const auto passOld = [&] {
      if (dropOthers) {
        keepBriefer(old->record, briefest_);
        changed = true;
      } else {
        next.push_back(std::move(*old));
      }
      ++old;
    };
    for (const Bodies& b : near_) {
      while (old != pairs_.end() && old->bodies < b) passOld();
      if (old != pairs_.end() && old->bodies == b)
        next.push_back(std::move(*old++));
      else
        next.push_back(makePair(b)), changed = true;
    }
    while (old != pairs_.end()) passOld();
    pairs_ = std::move(next);
    return changed;
  }
  Pair makePair(const Bodies& b) const {
    Pair p;
    p.bodies = b;
    p.frames = resolveFrames(view_, Category::object, number_,
                             {markerOf(b.first), markerOf(b.second)}, need_);
    p.r1 = radii_[b.second];
    p.record.where = nameOf(b);
    p.record.law = law_;
    p.record.smallestRadius = p.r1;
    if (isPlane(b.first)) {
      p.disc = discs_[b.first - spheres_.size()];
      p.record.law.setRadius(p.r1);
    } else {
      p.r0 = radii_[b.first];
      p.record.smallestRadius = std::min(p.r0, p.r1);
      p.record.law.setRadius(p.r0 * p.r1 / (p.r0 + p.r1));
    }
    return p;
  }
  static void keepBriefer(const ContactRecord& record, ContactRecord& briefest) {
    const TouchDown& t = record.touchDown;
    if (t.shortestContact() == 0 || (briefest.touchDown.shortestContact() > 0 &&
                                     briefest.touchDown.adequateStep() <= t.adequateStep()))
      return;
    briefest.touchDown = t;
    briefest.where = record.where;
  }

  const ContactSet& set_;
  int number_;
  const AssemblyView& view_;
  std::string where_;
  MarkerNeed need_{};
  std::vector<FramePoint> spheres_, planes_;
  std::vector<Real> radii_;
  std::vector<DiscShape> discs_;
  Real smallestRadius_ = 0, distance_ = 0;
  ContactLaw law_;

  std::vector<Pair> pairs_;             // the elements, ascending
  std::vector<Bodies> near_, waiting_;  // nearer than the distance at the search; no elements yet
  std::vector<Vector3> centres_, searched_;  // now, at the last search
  std::vector<std::array<int, 2>> found_;
  SphereSearch searcher_;
  ContactRecord briefest_;  // of the pairs that are no elements any more
};

class ContactSet::Batch final : public ElementBatch {
 public:
  explicit Batch(const BatchSource& source)
      : items_(static_cast<const PoolOf<ContactSet>&>(source.pool).items), view_(source.view) {
    for (std::size_t i = 0; i < items_.size(); ++i)
      sets_.emplace_back(items_[i], source.numbers[i], view_);
    number();
  }

  int size() const override { return static_cast<int>(elements_.size()); }
  int localSize() const override { return 12; }
  void describe(int e, ElementPattern& pattern) const override {
    describeFramePair(view_, pairOf(e).frames, true, pattern);
  }
  void evaluate(const EvaluationContext& context, const ElementSink& sink, int begin,
                int end) override {
    LocalVector<12> r;
    LocalMatrix<12> L;
    for (int e = begin; e < end; ++e) {
      r.setZero();
      L.setZero();
      const PairSearch& set = sets_[elements_[e].set];
      const PairSearch::Pair& pair = pairOf(e);
      if (items_[elements_[e].set].activeConnector && isClosed(set, pair, context))
        evaluateWrench(
            context, view_, pair.frames,
            [&]<class S>(const PairMotion<S>& motion) {
              const ContactMotion<S> m = set.motionOf<S>(pair, motion);
              return contactWrench(m, PairSearch::forces<S>(pair, m));
            },
            r, L);
      storeElement(context, sink, e, r.data(), context.withMatrix ? L.data() : nullptr, 12);
    }
  }

  bool hasChangingElements() const override { return true; }
  bool renewElements(const OutputContext& context, Renewal when) override {
    bool changed = false;
    for (std::size_t i = 0; i < sets_.size(); ++i)
      if (items_[i].activeConnector)
        changed = sets_[i].renew(context.frames, when, lastStep_) || changed;
    if (changed) number();
    return changed;
  }
  void stepAccepted(const OutputContext& context, Real h) override {
    lastStep_ = h;
    for (std::size_t i = 0; i < sets_.size(); ++i)
      if (items_[i].activeConnector) sets_[i].stepAccepted(context, h);
  }
  void warnings(std::vector<std::string>& out) const override {
    for (const PairSearch& s : sets_) s.warnings(out);
  }

  bool output(int item, OutputVariable variable, const OutputContext& context,
              std::vector<Real>& out) const override {
    using enum OutputVariable;
    const PairSearch& set = sets_[item];
    Real gap = std::numeric_limits<Real>::infinity(), normal = 0, stored = 0, dissipated = 0;
    Vector3 onPlanes = Vector3::Zero();
    for (const PairSearch::Pair& p : set.pairs()) {
      const auto m =
          set.motionOf<Real>(p, pairMotion(p.frames, view_, context.state, context.frames));
      if (!m.possible) continue;
      gap = std::min(gap, m.gap);
      if (!(m.gap < 0) || !items_[item].activeConnector) continue;
      const ContactForces<Real> f = PairSearch::forces<Real>(p, m);
      const ContactEnergy energy =
          p.record.law.energy(m.n, m.gap, m.velocity, m.angularVelocity, f);
      normal = std::max(normal, f.normal);
      stored += energy.stored;
      dissipated += energy.dissipatedPower;
      if (set.isPlane(p.bodies.first)) onPlanes -= f.force(m.n);
    }
    switch (variable) {
      case Gap:
        setOutput(out, gap);
        return true;
      case PenetrationDepth:
        setOutput(out, std::max<Real>(0, -gap));
        return true;
      case NormalForce:
        setOutput(out, normal);
        return true;
      case Force:
        setOutput(out, onPlanes);
        return true;
      case PotentialEnergy:
        setOutput(out, stored);
        return true;
      case DissipatedPower:
        setOutput(out, dissipated);
        return true;
      default:
        return false;
    }
  }

 private:
  struct Element {
    int set, pair;
  };
  const PairSearch::Pair& pairOf(int e) const {
    return sets_[elements_[e].set].pairs()[elements_[e].pair];
  }
  void number() {
    elements_.clear();
    for (int s = 0; s < static_cast<int>(sets_.size()); ++s)
      for (int p = 0; p < static_cast<int>(sets_[s].pairs().size()); ++p)
        elements_.push_back({s, p});
  }
  // Most pairs only wait: their gap is known before anything else.
  bool isClosed(const PairSearch& set, const PairSearch::Pair& pair,
                const EvaluationContext& context) const {
    if (set.isPlane(pair.bodies.first)) return true;
    const Real reach = pair.r0 + pair.r1;
    return relativePosition(pair.frames, context.frames[pair.frames.point0.frame],
                            context.frames[pair.frames.point1.frame])
               .squaredNorm() < reach * reach;
  }

  const std::vector<ContactSet>& items_;
  const AssemblyView& view_;
  std::vector<PairSearch> sets_;
  std::vector<Element> elements_;
  Real lastStep_ = 0;
};

void ContactSet::Behaviour::check(const void* object, const std::string& where) const {
  const auto& c = *static_cast<const ContactSet*>(object);
  const auto fits = [&](std::size_t size, std::size_t count, bool mayBeEmpty, const char* parameter,
                        const char* ofWhat) {
    if (size == 1 || size == count || (size == 0 && mayBeEmpty)) return;
    throw ModelError(where + ": " + parameter + " has " + std::to_string(size) +
                     " entries; give one for all or one for each of the " + std::to_string(count) +
                     " " + ofWhat);
  };
  fits(c.sphereRadii.size(), c.sphereMarkers.size(), c.sphereMarkers.empty(), "sphereRadii",
       "sphereMarkers");
  fits(c.planeNormals.size(), c.planeMarkers.size(), true, "planeNormals", "planeMarkers");
  fits(c.discRadii.size(), c.planeMarkers.size(), true, "discRadii", "planeMarkers");
  for (std::size_t i = 0; i < c.planeNormals.size(); ++i)
    if (!(c.planeNormals[i].norm() > 0))
      throw ModelError(where + ": planeNormals[" + std::to_string(i) +
                       "] = [0, 0, 0] has no direction; give the normal of the plane, e.g. [0, 0, "
                       "1]");
}

std::unique_ptr<ElementBatch> ContactSet::Behaviour::makeBatch(const BatchSource& source) const {
  return std::make_unique<Batch>(source);
}

const RegisterObject<ContactSet> registered;

}  // namespace
}  // namespace catena
