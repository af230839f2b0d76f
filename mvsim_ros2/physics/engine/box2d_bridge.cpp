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
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#define API extern "C" __attribute__((visibility("default")))

// Befriended by the classes of Box2D whose members it changes.
struct b2Access
{
  static bool Awake(const b2Body * body) {return body->m_flags & b2Body::e_awakeFlag;}

  // Let a body count its time at rest anew; unlike `SetAwake` also where it is awake.
  static void Wake(b2Body * body)
  {
    body->m_flags |= b2Body::e_awakeFlag;
    body->m_sleepTime = 0.0f;
  }

  static void Push(b2Body * body, float fx, float fy, float torque)
  {
    body->m_force += b2Vec2(fx, fy);
    body->m_torque += torque;
  }

  static b2Vec2 Force(const b2Body * body) {return body->m_force;}
  static float InverseMass(const b2Body * body) {return body->m_invMass;}

  static void SetVelocity(b2Body * body, float vx, float vy, float yaw_rate)
  {
    body->m_linearVelocity.Set(vx, vy);
    body->m_angularVelocity = yaw_rate;
  }

  // As `SetTransform`, without a look for new contacts: for small moves between steps.
  static void Move(b2Body * body, float x, float y, float angle)
  {
    body->m_xf.Set(b2Vec2(x, y), angle);
    body->m_sweep.c = body->m_sweep.c0 = b2Mul(body->m_xf, body->m_sweep.localCenter);
    body->m_sweep.a = body->m_sweep.a0 = angle;
  }

  static void Save(const b2Body * body, float * to)
  {
    const b2Sweep & sweep = body->m_sweep;
    const float numbers[] = {
      body->m_xf.p.x, body->m_xf.p.y, body->m_xf.q.s, body->m_xf.q.c,
      sweep.localCenter.x, sweep.localCenter.y, sweep.c0.x, sweep.c0.y, sweep.c.x, sweep.c.y,
      sweep.a0, sweep.a, sweep.alpha0,
      body->m_linearVelocity.x, body->m_linearVelocity.y, body->m_angularVelocity,
      body->m_force.x, body->m_force.y, body->m_torque,
      Awake(body) ? 1.0f : 0.0f, body->m_sleepTime};
    std::copy(std::begin(numbers), std::end(numbers), to);
  }

  static void Load(b2Body * body, const float * from)
  {
    b2Sweep & sweep = body->m_sweep;
    body->m_xf.p.Set(from[0], from[1]);
    body->m_xf.q.s = from[2];
    body->m_xf.q.c = from[3];
    sweep.localCenter.Set(from[4], from[5]);
    sweep.c0.Set(from[6], from[7]);
    sweep.c.Set(from[8], from[9]);
    sweep.a0 = from[10];
    sweep.a = from[11];
    sweep.alpha0 = from[12];
    SetVelocity(body, from[13], from[14], from[15]);
    body->m_force.Set(from[16], from[17]);
    body->m_torque = from[18];
    body->m_flags &= ~b2Body::e_awakeFlag;
    if (from[19] != 0.0f) {
      body->m_flags |= b2Body::e_awakeFlag;
    }
    body->m_sleepTime = from[20];
  }

  static void FindContactsInNextStep(b2World * world) {world->m_flags |= b2World::e_newFixture;}

  static void SetLimits(b2FrictionJoint * joint, float force, float torque)
  {
    joint->m_maxForce = force;
    joint->m_maxTorque = torque;
  }

  static void Impulses(const b2FrictionJoint * joint, double * to)
  {
    to[0] = joint->m_linearImpulse.x;
    to[1] = joint->m_linearImpulse.y;
    to[2] = joint->m_angularImpulse;
  }

  static void SetImpulses(b2FrictionJoint * joint, const double * from)
  {
    joint->m_linearImpulse.Set(from[0], from[1]);
    joint->m_angularImpulse = from[2];
  }
};

namespace
{

thread_local std::string last_error;

// Columns of the table of heights, see `collision_heights.py`.
enum {LOW, STEP, HIGH, CARRIES, COLUMNS};
const double SLACK = 1e-3;  // m; what overlaps by less is apart
const uint16 MARK = 0x8000;  // in the category of a fixture that has a row; the rest is its number

int row_of(const b2Fixture * fixture)
{
  return fixture->GetFilterData().categoryBits & (MARK - 1);
}

// A world, and which of its fixtures pass above each other.
struct World : b2ContactListener
{
  World()
  : box2d(b2Vec2(0.0f, 0.0f)) {}

  bool Apart(const b2Contact * contact) const
  {
    if (heights == nullptr) {
      return false;
    }
    const double * one = heights + COLUMNS * row_of(contact->GetFixtureA());
    const double * other = heights + COLUMNS * row_of(contact->GetFixtureB());
    return other[HIGH] <= (other[CARRIES] != 0.0 ? one[STEP] : one[LOW]) + SLACK ||
           one[HIGH] <= (one[CARRIES] != 0.0 ? other[STEP] : other[LOW]) + SLACK;
  }

  void PreSolve(b2Contact * contact, const b2Manifold *) override
  {
    if (Apart(contact)) {
      contact->SetEnabled(false);
    }
  }

  b2World box2d;
  const double * heights = nullptr;
};

// A polygon as another one sees it.
struct Placed
{
  const b2Vec2 * corners;
  int count;
  double x, y, sine, cosine;  // of the frame of the other one in its own
};

Placed seen_from(const b2Transform & base, const b2Transform & other, const b2PolygonShape & shape)
{
  const double sine = base.q.s, cosine = base.q.c;
  const double x = double(other.p.x) - base.p.x, y = double(other.p.y) - base.p.y;
  return {shape.m_vertices, shape.m_count, cosine * x + sine * y, cosine * y - sine * x,
    cosine * other.q.s - sine * other.q.c, cosine * other.q.c + sine * other.q.s};
}

// Return how far `other` lies outside the outermost edge line of a polygon: a lower bound of
// their distance. Stops at an edge line that it lies `enough` outside of.
double separation(const b2PolygonShape & polygon, const Placed & other, double enough)
{
  double outside = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < polygon.m_count; ++i) {
    const b2Vec2 & begin = polygon.m_vertices[i];
    const b2Vec2 & end = polygon.m_vertices[i + 1 < polygon.m_count ? i + 1 : 0];
    const double ex = double(end.x) - begin.x, ey = double(end.y) - begin.y;
    double nearest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < other.count; ++k) {
      const double vx = other.corners[k].x, vy = other.corners[k].y;
      const double dx = other.x + other.cosine * vx - other.sine * vy - begin.x;
      const double dy = other.y + other.sine * vx + other.cosine * vy - begin.y;
      nearest = std::min(nearest, ey * dx - ex * dy);
    }
    outside = std::max(outside, nearest / std::sqrt(ex * ex + ey * ey));
    if (outside >= enough) {
      break;
    }
  }
  return outside;
}

// Return the least squared distance of a corner of `other` and an edge of a polygon.
double least_square(const b2PolygonShape & polygon, const Placed & other)
{
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < polygon.m_count; ++i) {
    const b2Vec2 & begin = polygon.m_vertices[i];
    const b2Vec2 & end = polygon.m_vertices[i + 1 < polygon.m_count ? i + 1 : 0];
    const double ex = double(end.x) - begin.x, ey = double(end.y) - begin.y;
    for (int k = 0; k < other.count; ++k) {
      const double vx = other.corners[k].x, vy = other.corners[k].y;
      double dx = other.x + other.cosine * vx - other.sine * vy - begin.x;
      double dy = other.y + other.sine * vx + other.cosine * vy - begin.y;
      const double share = std::min(1.0, std::max(0.0, (dx * ex + dy * ey) / (ex * ex + ey * ey)));
      dx -= share * ex;
      dy -= share * ey;
      least = std::min(least, dx * dx + dy * dy);
    }
  }
  return least;
}

// Return whether two polygons overlap, or their skins are nearer than a threshold.
bool is_nearer(const b2Contact * contact, double threshold)
{
  const b2Fixture * first = contact->GetFixtureA();
  const b2Fixture * second = contact->GetFixtureB();
  const auto & one = static_cast<const b2PolygonShape &>(*first->GetShape());
  const auto & other = static_cast<const b2PolygonShape &>(*second->GetShape());
  const double limit = threshold + one.m_radius + other.m_radius;
  const b2Transform & at = first->GetBody()->GetTransform();
  const b2Transform & other_at = second->GetBody()->GetTransform();
  const Placed there = seen_from(at, other_at, other), back = seen_from(other_at, at, one);
  const double outside = separation(one, there, limit);
  if (outside >= limit) {
    return false;
  }
  const double other_outside = separation(other, back, limit);
  if (other_outside >= limit) {
    return false;
  }
  return std::max(outside, other_outside) <= 0.0 ||
         std::min(least_square(one, there), least_square(other, back)) < limit * limit;
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
  for (b2Fixture * fixture = body->GetFixtureList(); fixture; fixture = fixture->GetNext()) {
    if (fixture->GetShape()->m_radius == from) {
      fixture->GetShape()->m_radius = to;
    }
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
  const int64_t count = std::max<int64_t>(1, parts);
  for (int64_t part = 1; part <= count; ++part) {
    box2d.SetAutoClearForces(part == count);
    box2d.Step(dt / count, velocity_iterations, position_iterations);
  }
}

// Let fixtures pass whose rows in this table are apart; it is read in each step.
API void world_heights(World * world, const double * table)
{
  world->heights = table;
  world->box2d.SetContactListener(world);
}

// Bodies.

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
  to[0] = body->GetMass();
  to[1] = body->GetInertia();
  to[2] = body->GetLocalCenter().x;
  to[3] = body->GetLocalCenter().y;
  to[4] = body->GetLinearDamping();
  to[5] = body->GetAngularDamping();
}

// Set the mass, the centre of mass and the inertia about the origin; return 0 where impossible.
API int64_t body_set_mass(b2Body * body, double mass, double x, double y, double inertia)
{
  b2MassData data;
  data.mass = mass;
  data.center.Set(x, y);
  data.I = inertia;
  try {
    body->SetMassData(&data);
  } catch (const std::runtime_error & error) {
    last_error = error.what();
    return 0;
  }
  return 1;
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
  b2Access::Push(body, fx, fy, torque);
}

// Return whether a body is awake and nothing touches it.
API int64_t body_is_free(const b2Body * body)
{
  for (const b2ContactEdge * edge = body->GetContactList(); edge; edge = edge->next) {
    if (edge->contact->IsTouching() && edge->contact->IsEnabled()) {
      return 0;
    }
  }
  return body->IsAwake();
}

// Write the points at which others push a body, oldest contact first: into `others` body and
// fixture, into `points` x and y in the world and in the frame of the body. Return how many there
// are; only `room` are written.
API int64_t body_contacts(const b2Body * body, int64_t room, int64_t * others, double * points)
{
  int64_t total = 0, count = 0;
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
    count = contact->GetManifold()->pointCount;
    place -= count;
    for (int64_t i = place; i < std::min(place + count, room); ++i) {
      const b2Vec2 point = manifold.points[i - place], local = body->GetLocalPoint(point);
      others[2 * i] = reinterpret_cast<int64_t>(edge->other);
      others[2 * i + 1] = reinterpret_cast<int64_t>(other);
      const double numbers[] = {point.x, point.y, local.x, local.y};
      std::copy(std::begin(numbers), std::end(numbers), points + 4 * i);
    }
  }
  return total;
}

// Many bodies at once.

// Write x, y, sine, cosine, centre of mass, angle, velocity of that, yaw rate; shape (n, 10).
API void bodies_motion(b2Body * const * bodies, int64_t count, double * to)
{
  for (int64_t i = 0; i < count; ++i, to += 10) {
    const b2Body & body = *bodies[i];
    const b2Transform & at = body.GetTransform();
    to[0] = at.p.x;
    to[1] = at.p.y;
    to[2] = at.q.s;
    to[3] = at.q.c;
    to[4] = body.GetWorldCenter().x;
    to[5] = body.GetWorldCenter().y;
    to[6] = body.GetAngle();
    to[7] = body.GetLinearVelocity().x;
    to[8] = body.GetLinearVelocity().y;
    to[9] = body.GetAngularVelocity();
  }
}

// Write x, y, velocity, yaw rate, force, 1 / mass; shape (n, 8).
API void bodies_dynamics(b2Body * const * bodies, int64_t count, double * to)
{
  for (int64_t i = 0; i < count; ++i, to += 8) {
    const b2Body & body = *bodies[i];
    to[0] = body.GetPosition().x;
    to[1] = body.GetPosition().y;
    to[2] = body.GetLinearVelocity().x;
    to[3] = body.GetLinearVelocity().y;
    to[4] = body.GetAngularVelocity();
    to[5] = b2Access::Force(&body).x;
    to[6] = b2Access::Force(&body).y;
    to[7] = b2Access::InverseMass(&body);
  }
}

// Let bodies that move faster than `rest` count their time at rest anew, as the original does,
// which sets all velocities in each step; those that sleep too where `sleepers` is not 0.
API void bodies_stay_awake(b2Body * const * bodies, int64_t count, double rest, int64_t sleepers)
{
  for (int64_t i = 0; i < count; ++i) {
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
    b2Access::Push(bodies[i], wrench[0], wrench[1], wrench[2]);
  }
}

// Before a continuous step widen the skins of those that are fast; bullets are looked for on
// their way among bodies that forces move, too.
API void bodies_widen(
  b2Body * const * bodies, int64_t count, const bool * fast, const bool * bullets, double skin,
  double wide)
{
  for (int64_t i = 0; i < count; ++i) {
    if (fast[i]) {
      change_skin(bodies[i], skin, wide);
    }
    bodies[i]->SetBullet(bullets[i]);
  }
}

// Undo `bodies_widen` after the step.
API void bodies_narrow(b2Body * const * bodies, int64_t count, double wide, double skin)
{
  for (int64_t i = 0; i < count; ++i) {
    change_skin(bodies[i], wide, skin);
    bodies[i]->SetBullet(false);
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
  for (int64_t i = 0; i < count; ++i) {
    b2Access::Save(bodies[i], to + 21 * i);
  }
}

// Put back what `bodies_save` wrote, to the last bit.
API void bodies_load(b2Body * const * bodies, int64_t count, const float * from)
{
  for (int64_t i = 0; i < count; ++i) {
    b2Access::Load(bodies[i], from + 21 * i);
  }
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

// Fixtures.

// Add a convex polygon, shape (n, 2); return 0 where Box2D cannot hold it.
//
// Box2D finds the centre of a thin one that lies off the origin of its frame metres beside it, by
// differences of large numbers in single precision, and so takes the far side of a wall for the
// near one. Where that is farther than `most` from the true centre, this one counts.
API b2Fixture * polygon_new(
  b2Body * body, int64_t count, const double * corners, double skin, double centre_x,
  double centre_y, double most, double density, double friction, double restitution)
{
  try {
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
  } catch (const std::runtime_error & error) {
    last_error = error.what();
    return nullptr;
  }
}

// Add a rectangle around (x, y) at an angle; its skin is that of Box2D. Return 0 where impossible.
API b2Fixture * box_new(
  b2Body * body, double half_length, double half_width, double x, double y, double angle,
  double density, double friction, double restitution)
{
  try {
    b2PolygonShape shape;
    shape.SetAsBox(half_length, half_width, b2Vec2(x, y), angle);
    return add_fixture(body, shape, density, friction, restitution);
  } catch (const std::runtime_error & error) {
    last_error = error.what();
    return nullptr;
  }
}

// Change a rectangle; the mass of its body stays as it is.
API void box_change(
  b2Fixture * fixture, double half_length, double half_width, double x, double y, double angle)
{
  static_cast<b2PolygonShape *>(fixture->GetShape())->SetAsBox(
    half_length, half_width, b2Vec2(x, y), angle);
}

API void fixture_delete(b2Fixture * fixture) {fixture->GetBody()->DestroyFixture(fixture);}

API void fixture_set_skin(b2Fixture * fixture, double skin)
{
  fixture->GetShape()->m_radius = skin;
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
  b2Access::SetLimits(joint, force, torque);
}

// Write the impulses of the last step along x and y and about z.
API void friction_joint_impulses(const b2FrictionJoint * joint, double * to)
{
  b2Access::Impulses(joint, to);
}

API void friction_joint_set_impulses(b2FrictionJoint * joint, const double * from)
{
  b2Access::SetImpulses(joint, from);
}
