// A part of a world is copied into another one, against a real weftd (WEFTD names the program).
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {App, type Outcome} from '../../src/studio/model/index.js';
import {addFragment, fragmentOf, readFragment, type Fragment} from '../../src/studio/model/fragment.js';
import {moveAnchors, readAnchors, type Anchors} from '../../src/studio/model/jointmove.js';
import {NOTHING_SELECTED} from '../../src/studio/model/selection.js';
import {takeBack} from '../../src/studio/ui/undo.js';
import {cloth, until, Weftd, WEFTD} from '../lib/weftd.js';

let server: Weftd;
const apps: App[] = [];
let worlds = 0;

function good<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw outcome.error;
  return outcome.result;
}

async function inWorld(): Promise<App> {
  const name = `part ${++worlds}`;
  const app = new App({url: server.url, client: 'test', user: 'Ann', WebSocket});
  apps.push(app);
  good(await app.worlds.create({name}));
  await app.open(name);
  return app;
}

const same = {body: (name: string) => name, collider: (name: string) => name};
const all = ({document}: App) => ({
  ...NOTHING_SELECTED,
  bodies: new Set(document.bodies.value.keys()),
  colliders: new Set(document.colliders.value.keys()),
});
const loose = ({document}: App, kind: 'distance' | 'join' | 'slide') => document.constraints.loose(kind).value?.ids.length ?? 0;

// Two sheets that constraints of three kinds hold together, on a ball that a pin follows.
async function made(app: App): Promise<void> {
  const {commands} = app;
  const {collider} = good(await commands.addCollider({kind: 'sphere', name: 'ball', position: [0, 0.5, 0], radius: 0.25}));
  const look = {materials: [{color: [1, 0.5, 0.25, 1]}]};
  const {body: sail} = good(await commands.addBody({...cloth(4), name: 'sail', friction: 0.75, stretch: {compliance: 1e-5}, look}));
  const moved = cloth(4);
  const {body: patch} = good(
    await commands.addBody({...moved, pins: [], positions: moved.positions.map((x, i) => (i % 3 === 1 ? x + 0.5 : x)), name: 'patch'}),
  );
  const pair = {bodies: Uint32Array.from([sail, patch]), particles: Uint32Array.from([5, 6])};
  good(await commands.call('constraint.add', {...pair, type: 'distance', rest: [0.375], compliance: [2 ** -13]}));
  good(
    await commands.call('constraint.add', {
      type: 'join',
      bodies: Uint32Array.from([sail, patch, patch]),
      particles: Uint32Array.from([9, 9, 10]),
      sides: Uint32Array.from([1, 2]),
      weights: [1, 0.25, 0.75],
      force_limit: [500],
    }),
  );
  good(await commands.call('constraint.add', {type: 'slide', bodies: Uint32Array.from([sail, patch, sail]), particles: Uint32Array.from([1, 1, 2]), ratio: [2]}));
  good(await commands.pinTo(sail, [15], collider));
  good(await commands.pinSoftly(patch, [3], {compliance: 0.5, distance: 0.25}));
  good(await commands.setParticles(sail, [10], {positions: [0.5, 1.25, 0.5]}));
  await until(() => loose(app, 'distance') + loose(app, 'join') + loose(app, 'slide') === 3, 'all constraints are known');
}

const suite = WEFTD === '' ? describe.skip : describe;

suite('a part of a world', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterEach(() => {
    apps.splice(0).forEach((app) => app.close());
  });
  afterAll(() => server.stop());

  it('stands in another world with all that belongs to it, and one undo takes it away', async () => {
    const from = await inWorld();
    await made(from);
    const fragment = good(await readFragment(from, all(from)));
    expect([fragment.bodies.length, fragment.colliders.length, fragment.constraints.length]).toEqual([2, 1, 3]);

    const to = await inWorld();
    // Other ids than in the world that it comes from.
    good(await to.commands.addBody({...cloth(3), name: 'there before'}));
    const things = good(await addFragment(to, fragment, [2, 0, 0], same));
    expect(things.map(({kind}) => kind)).toEqual(['collider', 'body', 'body']);
    const world = to.document.world.value;
    const get = (body: string) => to.client.call('body.get', {world, body});
    const [sail, patch] = [await get('sail'), await get('patch')];
    expect([sail.body, sail.friction, sail.stretch.compliance]).toEqual([2, 0.75, 1e-5]);
    expect(sail.look?.materials?.length).toBe(1);
    expect([sail.pins.at(-1), sail.pin_colliders?.at(-1)]).toEqual([15, 1]);
    expect(Array.from(patch.pins)).toEqual([3]);
    expect([patch.pin_compliances?.[0], patch.pin_distances?.[0]]).toEqual([0.5, 0.25]);
    const {positions64} = await to.client.call('body.state', {world, body: 'sail', fields: ['positions64']});
    expect(Array.from(positions64!.slice(30, 33))).toEqual([2.5, 1.25, 0.5]);
    // The place at which it begins is the one of its rest shape.
    expect(sail.positions[30]).toBeCloseTo(2 + cloth(4).positions[30]!, 5);

    await until(() => loose(to, 'distance') + loose(to, 'join') + loose(to, 'slide') === 3, 'the constraints are there');
    const list = async (type: 'distance' | 'join' | 'slide') => to.client.call('constraint.list', {world, type, after: type === 'distance' ? sail.constraints.distance!.first + 200 : 0});
    const joins = await list('join');
    expect(Array.from(joins.bodies)).toEqual([2, 2, 2, 3, 3, 3]);
    expect(Array.from(joins.weights!)).toEqual([1, 0, 0, 0.25, 0.75, 0]);
    expect(joins.force_limit![0]).toBe(500);
    expect((await list('slide')).ratio![0]).toBe(2);
    const table = to.document.constraints.loose('distance').value!;
    expect([Array.from(table.bodies), Array.from(table.particles), table.rest[0], table.compliance[0]]).toEqual([
      [2, 3],
      [5, 6],
      0.375,
      2 ** -13,
    ]);

    await until(() => to.document.bodies.value.size === 3, 'it is seen');
    expect(await takeBack(to)).toBe(true);
    await until(() => to.document.bodies.value.size === 1 && to.document.colliders.value.size === 0, 'all of it is gone');
  });

  it('that is refused leaves nothing behind', async () => {
    const from = await inWorld();
    await made(from);
    const fragment = good(await readFragment(from, all(from)));
    const to = await inWorld();
    const bad: Fragment = {...fragment, constraints: [{...fragment.constraints[0], rest: [-1]}]};
    const done = await addFragment(to, bad, [0, 0, 0], same);
    expect(done.ok ? '' : done.error.field).toContain('rest');
    const {bodies, colliders} = await to.client.call('world.join', {world: to.document.world.value});
    expect([bodies.length, colliders.length]).toEqual([0, 0]);
  });

  it('takes joints along as they are turned now, with their limits and motors', async () => {
    const from = await inWorld();
    const {commands} = from;
    const box = (name: string, x: number) =>
      commands.addBody({
        kind: 'rigid',
        name,
        rigid: {form: 'box', half_extents: [0.25, 0.125, 0.125]},
        positions: [x, 1, 0],
        masses: [1],
        angular_velocities: [0, 0, x * 2],
      });
    const [post, door] = [good(await box('post', 0)).body, good(await box('door', 0.5)).body];
    const joint = {type: 'joint' as const, axes: [0, 0, 1], damping: [0.25]};
    good(
      await commands.call('constraint.add', {
        ...joint,
        joint: 'hinge',
        bodies: Uint32Array.from([post, door]),
        particles: Uint32Array.from([0, 0]),
        sides: Uint32Array.from([1, 1]),
        anchors: [0.25, 1, 0],
        limits: [-1, 1.5],
        motor: 'target',
        motor_target: [0.5],
        motor_most: [8],
        force_limit: [4000],
      }),
    );
    good(
      await commands.call('constraint.add', {
        ...joint,
        joint: 'ball',
        bodies: Uint32Array.from([post]),
        particles: Uint32Array.from([0]),
        sides: Uint32Array.from([1, 0]),
        anchors: [-0.25, 1, 0],
      }),
    );
    await from.client.call('world.step', {world: from.document.world.value, ticks: 20});
    const jointsIn = (app: App) => app.document.constraints.loose('joint').value?.ids.length ?? 0;
    await until(() => jointsIn(from) === 2, 'the joints are known');
    const fragment = good(await readFragment(from, all(from)));
    const to = await inWorld();
    good(await to.commands.addBody({...cloth(3), name: 'there before'}));
    // By way of text, as the clipboard has it.
    const pasted = fragmentOf(fragment as unknown as Parameters<typeof fragmentOf>[0]);
    good(await addFragment(to, pasted, [2, 0, 0], same));
    const list = (app: App) => app.client.call('constraint.list', {world: app.document.world.value, type: 'joint'});
    const [before, after] = [await list(from), await list(to)];
    expect(Array.from(after.joints!)).toEqual([2, 0]);
    expect(Array.from(after.bodies)).toEqual(Array.from(before.bodies, (body) => body + 1));
    const turned = before.places![0]!;
    expect(Math.abs(turned)).toBeGreaterThan(0.05);
    expect(after.limits![0]).toBeCloseTo(-1 - turned, 6);
    expect(after.limits![1]).toBeCloseTo(1.5 - turned, 6);
    expect(after.motor_target![0]).toBeCloseTo(0.5 - turned, 6);
    expect([after.motors![0], after.motor_most![0], after.force_limit![0], after.damping[0]]).toEqual([2, 8, 4000, 0.25]);
    expect(after.places![0]).toBeCloseTo(0, 5);
    // In the frames of the pieces the anchors are the same; the world's is moved.
    const offset = (i: number) => (i === 9 ? 2 : 0);
    after.joint_anchors!.forEach((x, i) => expect(x).toBeCloseTo(before.joint_anchors![i]! + offset(i), 3));
  });

  it('moves the anchor of a joint, and one undo moves it back', async () => {
    const app = await inWorld();
    const piece = {kind: 'rigid' as const, rigid: {form: 'sphere' as const, radius: 0.25}, positions: [0, 1, 0], masses: [1]};
    const {body} = good(await app.commands.addBody({...piece, rotations: [0, 0, Math.SQRT1_2, Math.SQRT1_2]}));
    const {constraints} = good(
      await app.commands.call('constraint.add', {
        type: 'joint',
        joint: 'hinge',
        bodies: Uint32Array.from([body]),
        particles: Uint32Array.from([0]),
        sides: Uint32Array.from([1, 0]),
        anchors: [0, 1.25, 0],
        axes: [1, 0, 0],
        limits: [-0.5, 0.5],
      }),
    );
    await until(() => app.document.constraints.loose('joint').value?.ids.length === 1, 'the joint is known');
    await until(() => app.document.bodies.value.size === 1, 'its body is known');
    const [id] = constraints;
    const near = (anchors: Anchors | null, place: readonly number[]) =>
      [anchors!.first, anchors!.second].forEach((anchor) => place.forEach((x, axis) => expect(anchor[axis]).toBeCloseTo(x, 6)));
    near(good(await readAnchors(app, id!)), [0, 1.25, 0]);
    const moved = good(await moveAnchors(app, id!, {first: [0.5, 1, 0], second: [0.5, 1, 0]}));
    near(good(await readAnchors(app, moved!)), [0.5, 1, 0]);
    const list = await app.client.call('constraint.list', {world: app.document.world.value, type: 'joint'});
    expect([Array.from(list.constraints), Array.from(list.joints!)]).toEqual([[moved], [2]]);
    list.limits!.forEach((limit, i) => expect(limit).toBeCloseTo(i === 0 ? -0.5 : 0.5, 6));
    await until(() => app.document.constraints.loose('joint').value?.ids[0] === moved, 'the new joint is known');
    expect(await takeBack(app)).toBe(true);
    near(good(await readAnchors(app, id!)), [0, 1.25, 0]);
  });

  it('takes constraints to others and pins on what stays behind no more than it must', async () => {
    const app = await inWorld();
    await made(app);
    const [sail] = app.document.bodies.value.keys();
    const fragment = good(await readFragment(app, {...NOTHING_SELECTED, bodies: new Set([sail!])}));
    expect([fragment.bodies.length, fragment.constraints.length]).toEqual([1, 0]);
    expect(fragment.bodies[0]!.state).not.toHaveProperty('pin_colliders');
  });
});
