// Bullet as its manual says to use it: a soft body world, one soft body of nodes and links (stiffness 1, no bending
// links, no clusters, no collision of the cloth with itself), stepped by stepSimulation without substeps of its own.
// Nothing else is in the world.

#include "bullet_cloth.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <new>
#include <vector>

struct bench_bullet {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world;
    std::unique_ptr<btSoftBody> cloth;
    btScalar start_least;

    bench_bullet()
        : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration), start_least(0)
    {
    }
    ~bench_bullet()
    {
        if (cloth)
            world.removeSoftBody(cloth.get());
    }
};

static btScalar least_height(const btSoftBody &cloth)
{
    btScalar least = cloth.m_nodes[0].m_x.y();
    for (int i = 1; i < cloth.m_nodes.size(); i++)
        least = btMin(least, cloth.m_nodes[i].m_x.y());
    return least;
}

static void fill(bench_bullet &bullet, const bench_bullet_desc &desc)
{
    const btVector3 gravity(0, btScalar(-9.81), 0);
    bullet.world.setGravity(gravity);
    bullet.world.getWorldInfo().m_gravity = gravity;
    bullet.world.getWorldInfo().m_sparsesdf.Initialize();
    std::vector<btVector3> x(desc.particle_count);
    std::vector<btScalar> m(desc.particle_count);
    for (uint32_t i = 0; i < desc.particle_count; i++) {
        const double *at = desc.positions + 3 * size_t(i);
        x[i] = btVector3(btScalar(at[0]), btScalar(at[1]), btScalar(at[2]));
        m[i] = desc.inverse_masses[i] > 0 ? 1 / btScalar(desc.inverse_masses[i]) : 0;
    }
    bullet.cloth = std::make_unique<btSoftBody>(&bullet.world.getWorldInfo(), int(desc.particle_count),
                                                x.data(), m.data());
    btSoftBody &cloth = *bullet.cloth;
    cloth.m_materials[0]->m_kLST = 1;
    for (uint32_t i = 0; i < desc.link_count; i++)
        cloth.appendLink(int(desc.links[i][0]), int(desc.links[i][1]), cloth.m_materials[0]);
    cloth.m_cfg.piterations = int(desc.iterations);
    cloth.m_cfg.kDP = 0;
    cloth.setActivationState(DISABLE_DEACTIVATION);
    bullet.world.addSoftBody(&cloth);
    bullet.start_least = least_height(cloth);
}

bench_bullet *bench_bullet_create(const bench_bullet_desc *desc)
{
    try {
        auto bullet = std::make_unique<bench_bullet>();
        fill(*bullet, *desc);
        return bullet.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void bench_bullet_destroy(bench_bullet *bullet)
{
    delete bullet;
}

void bench_bullet_step(bench_bullet *bullet, double h)
{
    bullet->world.stepSimulation(btScalar(h), 0);
}

void bench_bullet_links(bench_bullet *bullet)
{
    btSoftBody::PSolve_Links(bullet->cloth.get(), 1, 0);
}

bool bench_bullet_sound(const bench_bullet *bullet)
{
    const btSoftBody &cloth = *bullet->cloth;
    for (int i = 0; i < cloth.m_nodes.size(); i++) {
        const btVector3 &x = cloth.m_nodes[i].m_x;
        if (!std::isfinite(x.x()) || !std::isfinite(x.y()) || !std::isfinite(x.z()))
            return false;
    }
    return least_height(cloth) < bullet->start_least;
}
