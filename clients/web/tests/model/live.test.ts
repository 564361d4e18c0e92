// The model against a real weftd (WEFTD names the program): two people in one world, each with a mirror of its own.
import {effect} from '@preact/signals';
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {App, CONSTRAINT_KINDS, type Edit, type Outcome} from '../../src/studio/model/index.js';
import {cloth, until, Weftd, WEFTD} from '../lib/weftd.js';

let server: Weftd;
const apps: App[] = [];
let worlds = 0;

function person(user: string, url = server.url): App {
  const app = new App({url, client: 'test', user, WebSocket, reconnect: {firstDelayMs: 20, maxDelayMs: 200}});
  apps.push(app);
  return app;
}

function good<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) {
    throw outcome.error;
  }
  return outcome.result;
}

// Two people in a new world.
async function pair(settings: object = {gravity: [0, 0, 0]}): Promise<{ann: App; bob: App; name: string}> {
  const name = `shared ${++worlds}`;
  const ann = person('ann');
  good(await ann.worlds.create({name, ...settings}));
  await ann.open(name);
  const bob = person('bob');
  await bob.open(name);
  return {ann, bob, name};
}

// Until both mirrors have come to what the server has.
async function equal(ann: App, bob: App): Promise<void> {
  const {revision} = await ann.client.call('world.get', {world: ann.document.world.value});
  await until(
    () => [ann, bob].every((app) => app.document.revision.value === revision),
    `revision ${revision}`,
  );
}

const suite = WEFTD === '' ? describe.skip : describe;

suite('a mirror of a world', () => {
  beforeAll(async () => {
    server = await Weftd.start();
  });
  afterEach(() => {
    apps.splice(0).forEach((app) => app.close());
  });
  afterAll(() => server.stop());

  it('has the document as it is when it comes', async () => {
    const {ann} = await pair();
    const mesh = cloth(6);
    const {body} = good(
      await ann.commands.addBody({
        ...mesh,
        name: 'sheet',
        stretch: {compliance: 0.25},
        bend: {compliance: 2},
      }),
    );
    const {collider} = good(
      await ann.commands.addCollider({kind: 'sphere', position: [1, 2, 3], radius: 0.5, name: 'ball'}),
    );
    const late = person('late');
    await late.open(ann.document.name.value);
    expect(late.document.phase.value).toBe('joined');
    await until(() => late.document.bodies.value.get(body)?.topology != null, 'the topology');
    const sheet = late.document.bodies.value.get(body)!;
    expect(sheet).toMatchObject({name: 'sheet', kind: 'cloth', particles: 36, stretch: {compliance: 0.25}});
    expect(sheet.bend).toMatchObject({model: 'quadratic', compliance: 2});
    expect(Array.from(sheet.pins)).toEqual([0, 5]);
    expect(Array.from(sheet.topology!.triangles)).toEqual(Array.from(mesh.triangles));
    expect(sheet.topology!.rest[3]).toBeCloseTo(0.2, 6);
    expect(late.document.colliders.value.get(collider)).toMatchObject({
      kind: 'sphere',
      radius: 0.5,
      position: [1, 2, 3],
    });
    expect(late.document.people.value.map((one) => one.user).sort()).toEqual(['ann', 'bob', 'late']);
  });

  it('follows every verb of another, and says who made it', async () => {
    const {ann, bob} = await pair();
    const edits: Edit[] = [];
    bob.document.onEdit((edit) => edits.push(edit));
    const {body} = good(await ann.commands.addBody({...cloth(5), name: 'sheet'}));
    await until(() => bob.document.bodies.value.get(body)?.topology != null, 'the topology');
    good(await ann.commands.setMaterial(body, 'stretch', {compliance: 0.5, damping: 2}));
    good(await ann.commands.setBody(body, {name: 'cloth', thickness: 0.01}));
    good(await ann.commands.pin(body, [7, 9]));
    good(await ann.commands.unpin(body, [0]));
    good(await ann.commands.setWorld({gravity: [0, 0, 1], damping: 0.5}));
    good(await ann.commands.setWind({velocity: [3, 0, 0]}));
    good(await ann.commands.setParticles(body, [12], {inverse_masses: 0}));
    await equal(ann, bob);
    const seen = () => bob.document.bodies.value.get(body)!;
    expect(seen()).toMatchObject({name: 'cloth', thickness: 0.01, stretch: {compliance: 0.5, damping: 2}});
    expect(Array.from(seen().pins)).toEqual([4, 7, 9]);
    expect(bob.document.settings.value).toMatchObject({gravity: [0, 0, 1], damping: 0.5});
    expect(bob.document.settings.value.wind).toMatchObject({velocity: [3, 0, 0], density: 1.2});
    await until(() => seen().topology!.masses[12] === 0, 'the mass');
    expect(edits.every((edit) => edit.user === 'ann' && !edit.mine)).toBe(true);
    expect(edits.map((edit) => edit.revision)).toEqual(edits.map((_, i) => i + 1));
    expect(bob.document.lastEdits.value.get(`body:${body}`)).toMatchObject({
      user: 'ann',
      mine: false,
      method: 'particle.set',
    });
    expect(ann.document.lastEdits.value.get('world')).toMatchObject({mine: true, method: 'world.set'});

    // What the mirror came to by following is what somebody who comes now is told.
    const late = person('late');
    await late.open(ann.document.name.value);
    await until(() => late.document.bodies.value.get(body)?.topology != null, 'the topology');
    const {revision: _, ...told} = late.document.bodies.value.get(body)!;
    const {revision: __, ...followed} = seen();
    expect(followed).toEqual(told);
    expect(bob.document.settings.value).toEqual(late.document.settings.value);

    good(await ann.commands.removeBody(body));
    await equal(ann, bob);
    expect(bob.document.bodies.value.size).toBe(0);
  });

  it('reads what an edit leaves out', async () => {
    const {ann, bob} = await pair();
    const {body} = good(await ann.commands.addBody(cloth(40)));
    // More than 4 KiB of indices are not told.
    const many = Uint32Array.from({length: 1400}, (_, i) => i + 1);
    good(await ann.commands.pin(body, many));
    await equal(ann, bob);
    await until(() => bob.document.bodies.value.get(body)!.pins.length === 1401, 'the pins');
  });

  it('follows colliders as the server turns them', async () => {
    const {ann, bob} = await pair();
    const plane = good(await ann.commands.addCollider({kind: 'plane', normal: [1, 1, 0]})).collider;
    const box = good(
      await ann.commands.addCollider({kind: 'box', half_extents: [1, 2, 3], rotation: [0, 0, 2, 2]}),
    ).collider;
    good(await ann.commands.setCollider(plane, {normal: [0, 1, 1], position: [0, -1, 0]}));
    good(await ann.commands.setCollider(box, {friction: 0.125, half_extents: [1, 1, 1]}));
    good(await ann.commands.setCollider(box, {rotation: [0.1, 0.2, 0.3, 0.9]}));
    await equal(ann, bob);
    const late = person('late');
    await late.open(ann.document.name.value);
    for (const id of [plane, box]) {
      const told = late.document.colliders.value.get(id)!;
      const followed = bob.document.colliders.value.get(id)!;
      const {position: p, normal: n, rotation: q, ...rest} = told;
      expect(followed).toMatchObject(rest);
      [...followed.position, ...followed.normal, ...followed.rotation].forEach((x, i) =>
        expect(x).toBeCloseTo([...p, ...n, ...q][i], 6),
      );
    }
    good(await ann.commands.removeCollider(box));
    await equal(ann, bob);
    expect([...bob.document.colliders.value.keys()]).toEqual([plane]);
  });

  it('follows constraints, loose ones and those of bodies', async () => {
    const {ann, bob} = await pair();
    const {body} = good(await ann.commands.addBody({...cloth(4), bend: {}}));
    const release = bob.document.constraints.want('distance');
    await equal(ann, bob);
    await until(() => bob.document.constraints.table('distance').value?.ids.length === 33, 'the edges');
    const added = good(
      await ann.commands.addConstraint(
        'distance',
        [
          {body, particle: 0},
          {body, particle: 15},
        ],
        {compliance: 0.25},
      ),
    ).constraints as ArrayLike<number>;
    await until(() => bob.document.constraints.loose('distance').value?.ids.length === 1, 'the loose one');
    expect(bob.document.constraints.find(added[0])).toMatchObject({
      type: 'distance',
      particles: [0, 15],
      compliance: 0.25,
    });
    expect(bob.document.constraints.find(added[0])!.rest).toBeCloseTo(Math.SQRT2, 5);
    good(await ann.commands.setConstraints([added[0], 3], {rest: [0.5, 0.25], stiffness: 0.5}));
    good(await ann.commands.setMaterial(body, 'stretch', {compliance: 0.125}));
    await equal(ann, bob);

    const fresh = person('fresh');
    await fresh.open(ann.document.name.value);
    fresh.document.constraints.want('distance');
    await until(() => fresh.document.constraints.table('distance').value?.ids.length === 34, 'all of them');
    const told = fresh.document.constraints.table('distance').value!;
    const followed = bob.document.constraints.table('distance').value!;
    expect(Array.from(followed.ids)).toEqual(Array.from(told.ids));
    expect(Array.from(followed.particles)).toEqual(Array.from(told.particles));
    for (const column of ['rest', 'compliance', 'damping', 'stiffness'] as const) {
      told[column].forEach((x, i) => expect(followed[column][i]).toBeCloseTo(x, 6));
    }
    bob.selection.select([{kind: 'constraint', constraint: added[0], type: 'distance'}]);
    const read = await bob.document.constraints.read('distance', added[0]);
    expect(read).toMatchObject({constraint: added[0], rest: 0.5});
    expect(CONSTRAINT_KINDS.filter((kind) => ann.document.constraints.loose(kind).value !== null)).toEqual(
      CONSTRAINT_KINDS,
    );

    good(await ann.commands.removeConstraints([added[0]]));
    await equal(ann, bob);
    await until(() => bob.document.constraints.loose('distance').value?.ids.length === 0, 'none loose');
    expect(bob.selection.empty.value).toBe(true);
    release();
    expect(bob.document.constraints.table('distance').value).toBe(null);
  });

  it('tells who plays and pauses, and counts ticks by frames', async () => {
    const {ann, bob} = await pair();
    good(await ann.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
    good(await ann.commands.play(2));
    await until(() => bob.document.playing.value && bob.document.tick.value > 5, 'ticks');
    expect(bob.document.run.value).toMatchObject({state: 'playing', rate: 2, user: 'ann'});
    good(await ann.commands.pause());
    await until(() => !bob.document.playing.value, 'the pause');
    const {tick} = good(await ann.commands.step(3));
    await until(() => bob.document.tick.value === tick, 'the step');
  });

  it('lets one pull and the other see it move and who holds it', async () => {
    const {ann, bob} = await pair();
    const {body} = good(await ann.commands.addBody(cloth(8)));
    await equal(ann, bob);
    let height = 0;
    bob.frames.onFrame((frame) => {
      height = frame.bodies.find((chunk) => chunk.body === body)?.positions?.[3 * 60 + 1] ?? height;
    });
    good(await ann.commands.play());
    const hold = ann.commands.grab({body, particle: 60}, [0, 1, 1], 1e-4);
    hold.move([0.5, 2, 1]);
    good(await hold.begun);
    await until(() => height > 1.3, 'the pull');
    // It goes there from where the particle was.
    const held = () => [...bob.document.grabs.value.values()][0];
    await until(() => held().target[1] === 2, 'the target');
    const grab = held();
    expect(grab).toMatchObject({user: 'ann', particle: 60, target: [0.5, 2, 1]});
    expect(Math.hypot(...grab.force)).toBeGreaterThan(0);
    // Another cannot take it, and is told why.
    const refusal = await bob.commands.grab({body, particle: 60}, [0, 0, 0]).begun;
    expect(refusal.ok ? '' : refusal.error.code).toBe('CONFLICT');
    await hold.end();
    await until(() => bob.document.grabs.value.size === 0, 'letting go');
  });

  it('lets go of what was let go before it was held', async () => {
    const {ann} = await pair();
    const {body} = good(await ann.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
    const hold = ann.commands.grab({body, particle: 0}, [0, 0, 0]);
    await hold.end();
    await hold.begun;
    expect((await ann.client.call('world.get', {world: ann.document.world.value})).grabs).toBe(0);
  });

  it('looks into a tick', async () => {
    const {ann} = await pair({gravity: [0, -10, 0], substeps: 8});
    good(await ann.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
    good(await ann.scrubber.capture());
    expect(ann.scrubber.count.value).toBe(9);
    const heights: number[] = [];
    for (let i = 0; i < 9; i++) {
      ann.scrubber.show(i);
      heights.push(ann.scrubber.shown.value!.bodies[0].positions![1]);
    }
    expect(heights[0]).toBe(0);
    heights.slice(1).forEach((height, i) => expect(height).toBeLessThan(heights[i]));
    good(await ann.commands.play());
    await until(() => ann.scrubber.shown.value === null, 'the live picture');
  });

  it('records measures and what is selected', async () => {
    const {ann} = await pair({gravity: [0, -10, 0]});
    const {body} = good(await ann.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
    await until(() => ann.document.bodies.value.has(body), 'the body');
    ann.selection.selectParticles(body, [0]);
    const stop = ann.recorder.watch();
    good(await ann.commands.play());
    await until(() => ann.recorder.measures.length > 10 && ann.recorder.selected.value.length > 10, 'rows');
    const {time, columns} = ann.recorder.measures.rows();
    expect(time.length).toBe(columns[0].length);
    const kinetic = columns[ann.recorder.measures.names.indexOf('kinetic')];
    expect(kinetic[kinetic.length - 1]).toBeGreaterThan(kinetic[0]);
    const y = ann.recorder.selected.value.names.findIndex((name) => name.endsWith(':y'));
    const path = ann.recorder.selected.value.rows();
    expect(path.columns[y][path.time.length - 1]).toBeLessThan(0);
    stop();
    expect(ann.recorder.channels.value).toEqual([]);
  });

  it('says in the server’s words what is refused', async () => {
    const {ann} = await pair();
    const refusal = await ann.commands.setWorld({substeps: 100000});
    expect(refusal.ok).toBe(false);
    expect(refusal.ok ? null : refusal.error).toMatchObject({code: 'INVALID', field: 'substeps'});
  });

  it('lists, renames and deletes worlds', async () => {
    const {ann, bob, name} = await pair();
    const stop = bob.worlds.watch();
    await until(() => bob.worlds.list.value.some((world) => world.name === name), 'the list');
    good(await ann.worlds.rename(ann.document.world.value, `${name} again`));
    await until(() => bob.document.name.value === `${name} again`, 'the new name');
    good(await ann.worlds.remove(ann.document.world.value));
    await until(() => bob.document.phase.value === 'deleted', 'the end');
    const late = await bob.commands.play();
    expect(late.ok).toBe(false);
    stop();
  });

  it('waits for a world that is not there yet', async () => {
    const ann = person('ann');
    await ann.open('not yet');
    expect(ann.document.phase.value).toBe('missing');
    good(await ann.worlds.create({name: 'not yet'}));
    await until(() => ann.document.phase.value === 'joined', 'the world');
  });

  it('goes on with the world of that name after the server was started again', async () => {
    const other = await Weftd.start();
    const ann = person('ann', other.url);
    good(await ann.worlds.create({name: 'decoy'}));
    good(await ann.worlds.create({name: 'again'}));
    await ann.open('again');
    good(await ann.commands.addCollider({kind: 'plane'}));
    const phases: string[] = [];
    const stop = effect(() => {
      phases.push(`${ann.session.state.value} ${ann.document.phase.value}`);
    });
    await other.stop('SIGKILL');
    await until(() => ann.session.state.value === 'lost', 'the loss');
    expect((await ann.commands.play()).ok).toBe(false);
    const next = await Weftd.start(other.http);
    await until(() => ann.document.phase.value === 'missing', 'the missing world');
    const maker = person('maker', next.url);
    const {world} = good(await maker.worlds.create({name: 'again'}));
    await until(() => ann.document.phase.value === 'joined', 'the world');
    expect(ann.document.world.value).toBe(world);
    expect(ann.document.colliders.value.size).toBe(0);
    const {body} = good(await ann.commands.addBody({kind: 'points', positions: [0, 0, 0]}));
    let frames = 0;
    ann.frames.onFrame((frame) => (frames += frame.bodies.some((chunk) => chunk.body === body) ? 1 : 0));
    good(await ann.commands.step());
    await until(() => frames > 0, 'frames');
    stop();
    expect(phases).toContain('lost joined');
    ann.close();
    maker.close();
    await next.stop();
  });
});
