// Jolt as its documentation says to use it: a physics system with one soft body in it, stepped by PhysicsSystem::Update
// on this thread. CreateConstraints makes the long range attachments, each to the nearest held vertex, and the bend
// constraints. It would also give both diagonals to each square of triangles; the edges are those of the mesh instead,
// so that all solvers have the same ones.
//
// Jolt solves constraints in the order of their vertices. Along the rows of a grid such a sweep gains energy if much
// is left to correct, and fine meshes explode. So vertices get numbers in a mixed order, which is the same each time.

#include <Jolt/Jolt.h>

#include "jolt_cloth.h"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyInterface.h>
#include <Jolt/Physics/Body/BodyLock.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/Physics/SoftBody/SoftBodyCreationSettings.h>
#include <Jolt/Physics/SoftBody/SoftBodyMotionProperties.h>
#include <Jolt/Physics/SoftBody/SoftBodySharedSettings.h>
#include <Jolt/RegisterTypes.h>

#include <cfloat>
#include <numeric>
#include <utility>
#include <vector>

namespace {

// All bodies are in one layer, and there is only one of them.
class Layers final : public JPH::BroadPhaseLayerInterface {
  public:
    JPH::uint GetNumBroadPhaseLayers() const override
    {
        return 1;
    }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override
    {
        return JPH::BroadPhaseLayer(0);
    }
};

// Jolt keeps its allocator and its types in globals.
void begin()
{
    static bool begun = false;
    if (begun)
        return;
    begun = true;
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
}

struct World {
    Layers layers;
    JPH::ObjectVsBroadPhaseLayerFilter against_layers;
    JPH::ObjectLayerPairFilter against_objects;
    JPH::TempAllocatorMalloc memory;
    JPH::JobSystemSingleThreaded jobs{JPH::cMaxPhysicsJobs};
    JPH::PhysicsSystem system;
    JPH::BodyID body;
};

// Fisher's and Yates's shuffle: the vertex that each particle becomes.
std::vector<uint32_t> mixed(uint32_t count)
{
    std::vector<uint32_t> vertices(count);
    std::iota(vertices.begin(), vertices.end(), 0);
    uint32_t seed = 1;
    for (uint32_t i = count - 1; i > 0; i--) {
        seed = seed * 1664525u + 1013904223u;
        std::swap(vertices[i], vertices[(seed >> 8) % (i + 1)]);
    }
    return vertices;
}

JPH::Ref<JPH::SoftBodySharedSettings> shared_of(const bench_jolt_desc &desc,
                                                const std::vector<uint32_t> &vertices)
{
    JPH::Ref<JPH::SoftBodySharedSettings> shared = new JPH::SoftBodySharedSettings;
    JPH::uint32 held = 0;
    shared->mVertices.resize(desc.particle_count);
    for (uint32_t i = 0; i < desc.particle_count; i++) {
        const double *at = desc.positions + 3 * size_t(i);
        shared->mVertices[vertices[i]] =
            JPH::SoftBodySharedSettings::Vertex(JPH::Float3(float(at[0]), float(at[1]), float(at[2])),
                                                JPH::Float3(0, 0, 0), desc.inverse_masses[i]);
        held = desc.inverse_masses[i] == 0 ? vertices[i] : held;
    }
    for (uint32_t t = 0; t < desc.triangle_count; t++) {
        const uint32_t *corner = desc.triangles + 3 * size_t(t);
        shared->AddFace({vertices[corner[0]], vertices[corner[1]], vertices[corner[2]]});
    }
    const bool bends = desc.bend_compliance >= 0;
    const JPH::SoftBodySharedSettings::VertexAttributes attributes(
        0, 0, bends ? float(desc.bend_compliance) : FLT_MAX,
        // The rest shapes are flat, so the straight way is the shortest one over the surface. Geodesics of Jolt follow
        // edges and are longer.
        JPH::SoftBodySharedSettings::ELRAType::EuclideanDistance);
    if (desc.triangle_count > 0) {
        shared->CreateConstraints(&attributes, 1,
                                  bends ? JPH::SoftBodySharedSettings::EBendType::Dihedral
                                        : JPH::SoftBodySharedSettings::EBendType::None);
    } else {
        // CreateConstraints knows only faces. A rope has one particle that is held.
        for (uint32_t i = 0; i < desc.particle_count; i++) {
            if (i != held)
                shared->mLRAConstraints.emplace_back(held, i, 0.0f);
        }
        shared->CalculateLRALengths();
    }
    shared->mEdgeConstraints.clear();
    for (uint32_t e = 0; e < desc.edge_count; e++) {
        const uint32_t *end = desc.edges[e];
        if (desc.inverse_masses[end[0]] > 0 || desc.inverse_masses[end[1]] > 0)
            shared->mEdgeConstraints.emplace_back(vertices[end[0]], vertices[end[1]], 0.0f);
    }
    shared->CalculateEdgeLengths();
    shared->Optimize();
    return shared;
}

} // namespace

struct bench_jolt {
    World world;
    std::vector<uint32_t> vertices; // of the particles
};

static const JPH::SoftBodyMotionProperties *motion_of(const bench_jolt &jolt)
{
    JPH::BodyLockRead lock(jolt.world.system.GetBodyLockInterfaceNoLock(), jolt.world.body);
    return static_cast<const JPH::SoftBodyMotionProperties *>(lock.GetBody().GetMotionProperties());
}

bench_jolt *bench_jolt_create(const bench_jolt_desc *desc)
{
    begin();
    bench_jolt *jolt = new bench_jolt;
    World &world = jolt->world;
    jolt->vertices = mixed(desc->particle_count);
    world.system.Init(1, 0, 1, 1, world.layers, world.against_layers, world.against_objects);
    world.system.SetGravity(JPH::Vec3(0, -9.81f, 0));
    JPH::Ref<JPH::SoftBodySharedSettings> shared = shared_of(*desc, jolt->vertices);
    JPH::SoftBodyCreationSettings settings(shared, JPH::RVec3::sZero(), JPH::Quat::sIdentity(), 0);
    settings.mNumIterations = desc->substeps;
    settings.mLinearDamping = float(desc->damping);
    settings.mUpdatePosition = false;
    settings.mAllowSleeping = false;
    world.body =
        world.system.GetBodyInterfaceNoLock().CreateAndAddSoftBody(settings, JPH::EActivation::Activate);
    if (world.body.IsInvalid()) {
        delete jolt;
        return nullptr;
    }
    return jolt;
}

void bench_jolt_destroy(bench_jolt *jolt)
{
    if (!jolt)
        return;
    JPH::BodyInterface &bodies = jolt->world.system.GetBodyInterfaceNoLock();
    bodies.RemoveBody(jolt->world.body);
    bodies.DestroyBody(jolt->world.body);
    delete jolt;
}

bool bench_jolt_step(bench_jolt *jolt, double h)
{
    World &world = jolt->world;
    return world.system.Update(float(h), 1, &world.memory, &world.jobs) == JPH::EPhysicsUpdateError::None;
}

void bench_jolt_positions(const bench_jolt *jolt, double *out)
{
    const JPH::SoftBodyMotionProperties *motion = motion_of(*jolt);
    for (uint32_t vertex : jolt->vertices) {
        for (JPH::uint axis = 0; axis < 3; axis++)
            *out++ = double(motion->GetVertex(vertex).mPosition[axis]);
    }
}

void bench_jolt_velocities(const bench_jolt *jolt, float *out)
{
    const JPH::SoftBodyMotionProperties *motion = motion_of(*jolt);
    for (uint32_t vertex : jolt->vertices) {
        for (JPH::uint axis = 0; axis < 3; axis++)
            *out++ = motion->GetVertex(vertex).mVelocity[axis];
    }
}

const char *bench_jolt_version(void)
{
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
    return TEXT(JPH_VERSION_MAJOR) "." TEXT(JPH_VERSION_MINOR) "." TEXT(JPH_VERSION_PATCH);
#undef TEXT
#undef TEXT_OF
}
