// Copyright 2026 The mvsim_ros2 authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Box2D behind a plain C interface: what `bridge.py` calls from Python and kernels call by name.
//
// Worlds, bodies, fixtures and joints are pointers, which callers keep as integers and hand back.
// Units are m, kg, s, N and rad. Nothing here throws: where Box2D refuses a shape or a mass, the
// function returns 0 and `box2d_error` says why.

#include <Box2D/Box2D.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#define API extern "C" __attribute__((visibility("default")))

// Befriended by the classes of Box2D whose members it changes.
struct b2Access
{
  // Let a body count its time at rest anew; unlike `SetAwake` also where it is awake.
  static void Wake(b2Body * body)
  {
    body->m_flags |= b2Body::e_awakeFlag;
    body->m_sleepTime = 0.0f;
  }

  static b2Vec2 & Force(b2Body & body) {return body.m_force;}
  static float & Torque(b2Body & body) {return body.m_torque;}
  static float InverseMass(const b2Body & body) {return body.m_invMass;}
  // As `SetTransform`, without a look for new contacts: for small moves between steps.
  static void Move(b2Body * body, float x, float y, float angle)
  {
    body->m_xf.Set(b2Vec2(x, y), angle);
    body->m_sweep.c = body->m_sweep.c0 = b2Mul(body->m_xf, body->m_sweep.localCenter);
    body->m_sweep.a = body->m_sweep.a0 = angle;
  }

  // Return all numbers that change in a body but `awake` and the time at rest.
  static std::array<float *, 19> Numbers(b2Body * body)
  {
    b2Transform & at = body->m_xf;
    b2Sweep & sweep = body->m_sweep;
    b2Vec2 & v = body->m_linearVelocity, & force = body->m_force;
    return {
      &at.p.x, &at.p.y, &at.q.s, &at.q.c, &sweep.localCenter.x, &sweep.localCenter.y, &sweep.c0.x,
      &sweep.c0.y, &sweep.c.x, &sweep.c.y, &sweep.a0, &sweep.a, &sweep.alpha0, &v.x, &v.y,
      &body->m_angularVelocity, &force.x, &force.y, &body->m_torque};
  }

  static void Save(b2Body * body, float * to)
  {
    for (const float * number : Numbers(body)) {*to++ = *number;}
    to[0] = body->IsAwake();
    to[1] = body->m_sleepTime;
  }

  static void Load(b2Body * body, const float * from)
  {
    for (float * number : Numbers(body)) {*number = *from++;}
    body->m_flags &= ~b2Body::e_awakeFlag;
    body->m_flags |= from[0] != 0.0f ? b2Body::e_awakeFlag : 0;
    body->m_sleepTime = from[1];
  }

  // Let the next step look where a body is whose shapes have changed.
  static void ForgetProxies(b2Body * body) {body->ForgetProxies();}

  static void FindContactsInNextStep(b2World * world) {world->m_flags |= b2World::e_newFixture;}

  static std::array<float *, 3> Impulses(b2FrictionJoint * joint)
  {
    b2Vec2 & linear = joint->m_linearImpulse;
    return {&linear.x, &linear.y, &joint->m_angularImpulse};
  }
};

namespace
{

thread_local std::string last_error;
// Columns of the table of heights, see `collision_heights.py`.
enum {LOW, STEP, HIGH, CARRIES, COLUMNS};
const double SLACK = 1e-3;  // m; what overlaps by less is apart
const double AHEAD = 0.01;  // m; the same of what collides later in the step
const uint16 MARK = 0x8000;  // in the category of a fixture that has a row; the rest is its number

// A world, and which of its fixtures pass above each other.
struct World : b2ContactListener
{
  const double * Row(const b2Fixture * fixture) const
  {
    return heights + COLUMNS * (fixture->GetFilterData().categoryBits & (MARK - 1));
  }

  // Return whether one passes above the other; what is ahead may yet climb a slice of a ramp.
  bool Apart(const b2Contact * contact) const
  {
    if (heights == nullptr) {return false;}
    const double * one = Row(contact->GetFixtureA()), * other = Row(contact->GetFixtureB());
    const bool ahead = contact->IsAhead();
    const double slack = ahead ? AHEAD : SLACK;
    return (ahead && std::fmax(one[CARRIES], other[CARRIES]) > 1.0) ||
           other[HIGH] <= (other[CARRIES] != 0.0 ? one[STEP] : one[LOW]) + slack ||
           one[HIGH] <= (one[CARRIES] != 0.0 ? other[STEP] : other[LOW]) + slack;
  }

  void PreSolve(b2Contact * contact, const b2Manifold *) override
  {
    if (Apart(contact)) {contact->SetEnabled(false);}
  }

  b2World box2d{b2Vec2(0.0f, 0.0f)};
  const double * heights = nullptr;
  bool looks_ahead = false;
};

// Return whether the skins of two polygons are nearer than a threshold.
bool is_nearer(b2Contact * contact, double threshold)
{
  const b2Fixture * first = contact->GetFixtureA(), * second = contact->GetFixtureB();
  b2DistanceInput input;
  b2DistanceOutput output;
  b2SimplexCache cache;
  cache.count = 0;
  input.proxyA.Set(first->GetShape(), contact->GetChildIndexA());
  input.proxyB.Set(second->GetShape(), contact->GetChildIndexB());
  input.transformA = first->GetBody()->GetTransform();
  input.transformB = second->GetBody()->GetTransform();
  input.useRadii = false;  // else it is 0 where only the skins overlap
  b2Distance(&output, &cache, &input);
  return output.distance < threshold + input.proxyA.m_radius + input.proxyB.m_radius;
}

bool is_near_another(const World * world, const b2Body * body, double threshold)
{
  for (const b2ContactEdge * edge = body->GetContactList(); edge; edge = edge->next) {
    if (!world->Apart(edge->contact) &&
      (edge->contact->IsTouching() || (threshold > 0.0 && is_nearer(edge->contact, threshold))))
    {
      return true;
    }
  }
  return false;
}

b2Fixture * add_fixture(
  b2Body * body, const b2PolygonShape & shape, double density, double friction, double restitution)
{
  b2FixtureDef definition;
  definition.shape = &shape;
  definition.density = density;
  definition.friction = friction;
  definition.restitution = restitution;
  return body->CreateFixture(&definition);
}

// Return what a function does, or false where Box2D refuses that.
template<typename Function>
auto attempt(Function function) -> decltype(function())
{
  try {
    return function();
  } catch (const std::runtime_error & error) {
    last_error = error.what();
    return {};
  }
}

template<typename Definition>
b2Joint * add_joint(
  World * world, Definition & definition, b2Body * a, b2Body * b, double ax, double ay, double bx,
  double by)
{
  definition.bodyA = a;
  definition.bodyB = b;
  definition.localAnchorA.Set(ax, ay);
  definition.localAnchorB.Set(bx, by);
  return world->box2d.CreateJoint(&definition);
}

void change_skin(b2Body * body, float from, float to)
{
  b2Access::ForgetProxies(body);
  for (b2Fixture * fixture = body->GetFixtureList(); fixture; fixture = fixture->GetNext()) {
    if (fixture->GetShape()->m_radius == from) {fixture->GetShape()->m_radius = to;}
  }
}

}  // namespace

API const char * box2d_error() {return last_error.c_str();}

// Worlds.
API World * world_new() {return new World;}
API void world_delete(World * world) {delete world;}

// Make a step; a continuous one in so many equal parts, or with 0 one that is not continuous.
API void world_step(
  World * world, double dt, int64_t velocity_iterations, int64_t position_iterations,
  int64_t parts)
{
  b2World & box2d = world->box2d;
  box2d.SetContinuousPhysics(parts > 0);
  box2d.SetLookAhead(world->looks_ahead && parts == 0);
  const int64_t count = std::max<int64_t>(1, parts);
  for (int64_t part = 1; part <= count; ++part) {
    box2d.SetAutoClearForces(part == count);
    box2d.Step(dt / count, velocity_iterations, position_iterations);
  }
}

// Let bodies that would overlap at the end of a step collide in it, where it is not continuous.
API void world_look_ahead(World * world) {world->looks_ahead = true;}

// Let fixtures pass whose rows in this table are apart; it is read in each step.
API void world_heights(World * world, const double * table)
{
  world->heights = table;
  world->box2d.SetContactListener(world);
}

API b2Body * body_new(
  World * world, int64_t type, double x, double y, double angle, double linear_damping,
  double angular_damping)
{
  b2BodyDef definition;
  definition.type = static_cast<b2BodyType>(type);
  definition.position.Set(x, y);
  definition.angle = angle;
  definition.linearDamping = linear_damping;
  definition.angularDamping = angular_damping;
  return world->box2d.CreateBody(&definition);
}

API void body_delete(World * world, b2Body * body) {world->box2d.DestroyBody(body);}

// Write mass, inertia about the origin, centre of mass, linear and angular damping.
API void body_constants(const b2Body * body, double * to)
{
  const b2Vec2 & centre = body->GetLocalCenter();
  const double numbers[] = {
    body->GetMass(), body->GetInertia(), centre.x, centre.y, body->GetLinearDamping(),
    body->GetAngularDamping()};
  std::copy(std::begin(numbers), std::end(numbers), to);
}

// Set the mass, the centre of mass and the inertia about the origin; return 0 where impossible.
API int64_t body_set_mass(b2Body * body, double mass, double x, double y, double inertia)
{
  b2MassData data;
  data.mass = mass;
  data.center.Set(x, y);
  data.I = inertia;
  return attempt([&] {body->SetMassData(&data); return true;});
}

API int64_t body_is_awake(const b2Body * body) {return body->IsAwake();}
API void body_wake(b2Body * body) {body->SetAwake(true);}

// Put a body somewhere and look for new contacts there.
API void body_place(b2Body * body, double x, double y, double angle)
{
  body->SetTransform(b2Vec2(x, y), angle);
}

// Put a body somewhere near, between two steps.
API void body_move(b2Body * body, double x, double y, double angle)
{
  b2Access::Move(body, x, y, angle);
}

// Set the velocity of the centre of mass and the yaw rate; this wakes a body.
API void body_set_velocity(b2Body * body, double vx, double vy, double yaw_rate)
{
  body->SetLinearVelocity(b2Vec2(vx, vy));
  body->SetAngularVelocity(yaw_rate);
}

API void body_push(b2Body * body, double fx, double fy, double torque)
{
  b2Access::Force(*body) += b2Vec2(fx, fy);
  b2Access::Torque(*body) += float(torque);
}

// Return whether a body is awake and nothing touches it.
API int64_t body_is_free(const b2Body * body) {return body->IsAwake() && !body->IsTouched();}

// Write the points at which others push a body, oldest contact first: into `others` body and
// fixture, into `points` x and y in the world and in the frame of the body, and along its axes the
// impulse that it got there in the last step. Return how many there are; only `room` are written.
API int64_t body_contacts(const b2Body * body, int64_t room, int64_t * others, double * points)
{
  int64_t total = 0;
  for (const b2ContactEdge * edge = body->GetContactList(); edge; edge = edge->next) {
    if (edge->contact->IsTouching() && edge->contact->IsEnabled()) {
      total += edge->contact->GetManifold()->pointCount;
    }
  }
  int64_t place = total;
  for (const b2ContactEdge * edge = body->GetContactList(); edge; edge = edge->next) {
    b2Contact * contact = edge->contact;
    if (!contact->IsTouching() || !contact->IsEnabled()) {
      continue;
    }
    b2WorldManifold manifold;
    contact->GetWorldManifold(&manifold);
    const b2Fixture * other = contact->GetFixtureA()->GetBody() == edge->other ?
      contact->GetFixtureA() : contact->GetFixtureB();
    const b2Manifold & solved = *contact->GetManifold();
    const int64_t count = solved.pointCount;
    const float sign = contact->GetFixtureB()->GetBody() == body ? 1.0f : -1.0f;
    const b2Vec2 normal = body->GetLocalVector(sign * manifold.normal);
    place -= count;
    for (int64_t i = place; i < std::min(place + count, room); ++i) {
      const b2Vec2 point = manifold.points[i - place], local = body->GetLocalPoint(point);
      others[2 * i] = reinterpret_cast<int64_t>(edge->other);
      others[2 * i + 1] = reinterpret_cast<int64_t>(other);
      const b2ManifoldPoint & force = solved.points[i - place];
      const b2Vec2 impulse =
        force.normalImpulse * normal + force.tangentImpulse * b2Cross(normal, 1.0f);
      const double numbers[] = {point.x, point.y, local.x, local.y, impulse.x, impulse.y};
      std::copy(std::begin(numbers), std::end(numbers), points + 6 * i);
    }
  }
  return total;
}

// Write x, y, sine, cosine, centre of mass, angle, velocity of that, yaw rate; shape (n, 10).
API void bodies_motion(b2Body * const * bodies, int64_t count, double * to)
{
  for (int64_t i = 0; i < count; ++i) {
    const b2Body & body = *bodies[i];
    const b2Transform & at = body.GetTransform();
    const b2Vec2 & centre = body.GetWorldCenter(), & velocity = body.GetLinearVelocity();
    const double numbers[] = {
      at.p.x, at.p.y, at.q.s, at.q.c, centre.x, centre.y, body.GetAngle(), velocity.x, velocity.y,
      body.GetAngularVelocity()};
    to = std::copy(std::begin(numbers), std::end(numbers), to);
  }
}

// Set `awake` of those that a step moves, and leave it set of others where `add` is not 0.
API void bodies_awake(b2Body * const * bodies, int64_t count, bool * awake, int64_t add)
{
  for (int64_t i = 0; i < count; ++i) {
    awake[i] = bodies[i]->IsAwake() || (add && awake[i]);
  }
}

// Return a bound of how far a point of one of some bodies moves in a step, contacts left out.
//
// No point is farther from the centre of mass than twice its `reach` from the origin.
API double bodies_farthest(
  b2Body * const * bodies, int64_t count, const double * reach, double dt)
{
  double farthest = 0.0;
  for (int64_t i = 0; i < count; ++i) {
    if (!bodies[i]->IsAwake()) {continue;}
    const b2Vec2 velocity = bodies[i]->GetLinearVelocity() +
      float(dt) * b2Access::InverseMass(*bodies[i]) * b2Access::Force(*bodies[i]);
    farthest = std::fmax(farthest, std::fabs(velocity.x) + std::fabs(velocity.y) +
      2.0 * reach[i] * std::fabs(bodies[i]->GetAngularVelocity()));
  }
  return dt * farthest;
}

// Write x, y, velocity, yaw rate, force, 1 / mass; shape (n, 8).
API void bodies_dynamics(b2Body * const * bodies, int64_t count, double * to)
{
  for (int64_t i = 0; i < count; ++i) {
    b2Body & body = *bodies[i];
    const b2Vec2 & at = body.GetPosition(), & velocity = body.GetLinearVelocity();
    const b2Vec2 & force = b2Access::Force(body);
    const double numbers[] = {
      at.x, at.y, velocity.x, velocity.y, body.GetAngularVelocity(), force.x, force.y,
      b2Access::InverseMass(body)};
    to = std::copy(std::begin(numbers), std::end(numbers), to);
  }
}

// Let bodies that move faster than `rest` count their time at rest anew, as the original does,
// which sets all velocities in each step; those that sleep too where `sleepers` is not 0.
API void bodies_stay_awake(b2Body * const * bodies, int64_t count, double rest, int64_t sleepers)
{
  for (int64_t i = 0; i < count; ++i) {
    if (!bodies[i]->IsAwake() && !sleepers) {continue;}
    const b2Vec2 & velocity = bodies[i]->GetLinearVelocity();
    if (std::fabs(velocity.x) > rest || std::fabs(velocity.y) > rest ||
      std::fabs(bodies[i]->GetAngularVelocity()) > rest || (sleepers && !bodies[i]->IsAwake()))
    {
      b2Access::Wake(bodies[i]);
    }
  }
}

// Add forces and torques about the centres of mass, shape (n, 3).
API void bodies_push(b2Body * const * bodies, int64_t count, const double * wrench)
{
  for (int64_t i = 0; i < count; ++i, wrench += 3) {
    body_push(bodies[i], wrench[0], wrench[1], wrench[2]);
  }
}

// Widen the skins of those that are fast before a continuous step, or undo that after it; bullets
// are looked for on their way among bodies that forces move, too.
API void bodies_widen(
  b2Body * const * bodies, int64_t count, const bool * fast, const bool * bullets, double skin,
  double wide, int64_t undo)
{
  for (int64_t i = 0; i < count; ++i) {
    if (fast[i]) {change_skin(bodies[i], undo ? wide : skin, undo ? skin : wide);}
    bodies[i]->SetBullet(bullets[i] && !undo);
  }
}

// Set `collided` of those that touch another body, or whose skins are nearer than a threshold.
API void bodies_collided(
  const World * world, b2Body * const * bodies, int64_t count, double threshold, bool * collided)
{
  for (int64_t i = 0; i < count; ++i) {
    collided[i] = collided[i] || is_near_another(world, bodies[i], threshold);
  }
}

// Write all that changes in bodies, float32, shape (n, 21).
API void bodies_save(b2Body * const * bodies, int64_t count, float * to)
{
  std::for_each(bodies, bodies + count, [&](b2Body * body) {b2Access::Save(body, to); to += 21;});
}

// Put back what `bodies_save` wrote, to the last bit.
API void bodies_load(b2Body * const * bodies, int64_t count, const float * from)
{
  std::for_each(
    bodies, bodies + count, [&](b2Body * body) {b2Access::Load(body, from); from += 21;});
}

// Forget the contacts of bodies, which enter them anew in the next step.
//
// Box2D hands out the nodes of its tree of boxes last in, first out, and looks at pairs in the
// order of their nodes. To leave and come back reverses the order of the boxes of a body; to do
// so twice brings back the first one, so that what follows depends on nothing before.
API void bodies_refresh(World * world, b2Body * const * bodies, int64_t count)
{
  for (int64_t i = 0; i < count; ++i) {
    for (int k = 0; k < 2; ++k) {
      bodies[i]->SetActive(false);
      bodies[i]->SetActive(true);
    }
  }
  b2Access::FindContactsInNextStep(&world->box2d);
}

// Add a convex polygon, shape (n, 2); return 0 where Box2D cannot hold it.
//
// Box2D finds the centre of a thin one that lies off the origin of its frame metres beside it, by
// differences of large numbers in single precision, and so takes the far side of a wall for the
// near one. Where that is farther than `most` from the true centre, this one counts.
API b2Fixture * polygon_new(
  b2Body * body, int64_t count, const double * corners, double skin, double centre_x,
  double centre_y, double most, double density, double friction, double restitution)
{
  return attempt([&] {
    if (count > b2_maxPolygonVertices) {
      throw std::runtime_error(
        "it has more than " + std::to_string(b2_maxPolygonVertices) + " corners");
    }
    b2Vec2 vertices[b2_maxPolygonVertices];
    for (int64_t i = 0; i < count; ++i) {
      vertices[i].Set(corners[2 * i], corners[2 * i + 1]);
    }
    b2PolygonShape shape;
    shape.Set(vertices, count);
    shape.m_radius = skin;
    if (std::hypot(centre_x - shape.m_centroid.x, centre_y - shape.m_centroid.y) > most) {
      shape.m_centroid.Set(centre_x, centre_y);
    }
    return add_fixture(body, shape, density, friction, restitution);
  });
}

// Add a rectangle around (x, y) at an angle; its skin is that of Box2D. Return 0 where impossible.
API b2Fixture * box_new(
  b2Body * body, double half_length, double half_width, double x, double y, double angle,
  double density, double friction, double restitution)
{
  return attempt([&] {
    b2PolygonShape shape;
    shape.SetAsBox(half_length, half_width, b2Vec2(x, y), angle);
    return add_fixture(body, shape, density, friction, restitution);
  });
}

// Change a rectangle; the mass of its body stays as it is.
API void box_change(
  b2Fixture * fixture, double half_length, double half_width, double x, double y, double angle)
{
  static_cast<b2PolygonShape *>(fixture->GetShape())->SetAsBox(
    half_length, half_width, b2Vec2(x, y), angle);
  b2Access::ForgetProxies(fixture->GetBody());
}

API void fixture_delete(b2Fixture * fixture) {fixture->GetBody()->DestroyFixture(fixture);}

API void fixture_set_skin(b2Fixture * fixture, double skin)
{
  fixture->GetShape()->m_radius = skin;
  b2Access::ForgetProxies(fixture->GetBody());
}

// Give a fixture its row in the table of heights.
API void fixture_set_row(b2Fixture * fixture, int64_t row)
{
  b2Filter filter = fixture->GetFilterData();
  if (filter.categoryBits != (MARK | row)) {
    filter.categoryBits = MARK | row;
    filter.maskBits = MARK;
    fixture->SetFilterData(filter);
  }
}

// Write the corners, shape (n, 2); return how many there are.
API int64_t fixture_corners(const b2Fixture * fixture, double * to)
{
  const auto & shape = static_cast<const b2PolygonShape &>(*fixture->GetShape());
  for (int i = 0; i < shape.m_count; ++i) {
    to[2 * i] = shape.m_vertices[i].x;
    to[2 * i + 1] = shape.m_vertices[i].y;
  }
  return shape.m_count;
}

// Joints; those of a body go with it. Anchors are in the frames of the bodies.

API b2Joint * revolute_joint_new(
  World * world, b2Body * a, b2Body * b, double ax, double ay, double bx, double by,
  double reference, int64_t limited, double lower, double upper)
{
  b2RevoluteJointDef definition;
  definition.referenceAngle = reference;
  definition.enableLimit = limited;
  definition.lowerAngle = lower;
  definition.upperAngle = upper;
  return add_joint(world, definition, a, b, ax, ay, bx, by);
}

API b2Joint * distance_joint_new(
  World * world, b2Body * a, b2Body * b, double ax, double ay, double bx, double by,
  double length, double frequency, double damping_ratio)
{
  b2DistanceJointDef definition;
  definition.length = length;
  definition.frequencyHz = frequency;
  definition.dampingRatio = damping_ratio;
  return add_joint(world, definition, a, b, ax, ay, bx, by);
}

API b2Joint * rope_joint_new(
  World * world, b2Body * a, b2Body * b, double ax, double ay, double bx, double by,
  double length)
{
  b2RopeJointDef definition;
  definition.maxLength = length;
  return add_joint(world, definition, a, b, ax, ay, bx, by);
}

API b2Joint * friction_joint_new(
  World * world, b2Body * a, b2Body * b, double bx, double by, double force, double torque)
{
  b2FrictionJointDef definition;
  definition.maxForce = force;
  definition.maxTorque = torque;
  return add_joint(world, definition, a, b, 0.0, 0.0, bx, by);
}

API void friction_joint_limit(b2FrictionJoint * joint, double force, double torque)
{
  joint->SetMaxForce(force);
  joint->SetMaxTorque(torque);
}

// Write the impulses of the last step along x and y and about z, shape (n, 3).
API void friction_joints_impulses(b2FrictionJoint * const * joints, int64_t count, double * to)
{
  for (int64_t i = 0; i < count; ++i) {
    for (const float * number : b2Access::Impulses(joints[i])) {*to++ = *number;}
  }
}

API void friction_joints_set_impulses(
  b2FrictionJoint * const * joints, int64_t count, const double * from)
{
  for (int64_t i = 0; i < count; ++i) {
    for (float * number : b2Access::Impulses(joints[i])) {*number = *from++;}
  }
}
