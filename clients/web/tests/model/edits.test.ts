// What edits make of the document, without a server.
import {describe, expect, it} from 'vitest';
import {applyEdit, applyParts, mergeBend, partsOf, type Contents, type RawEdit} from '../../src/studio/model/edits.js';
import {forcesOf} from '../../src/studio/model/forcefields.js';
import {product, rotated, turnedTo} from '../../src/studio/model/rotation.js';
import {bodyOf, colliderOf, settingsOf, solidOf} from '../../src/studio/model/values.js';

const contents: Contents = {
  settings: settingsOf({
    world: 4,
    name: 'flag',
    gravity: [0, -9.81, 0],
    tick_rate: 60,
    substeps: 20,
    wind: {velocity: [0, 0, 0], density: 0},
  }),
  bodies: new Map([
    [
      1,
      bodyOf(
        {
          body: 1,
          kind: 'cloth',
          particles: 9,
          stretch: {compliance: 0.5, damping: 2},
          bend: {model: 'quadratic', compliance: 1},
          pins: [4, 2],
        },
        5,
        null,
      ),
    ],
    [2, bodyOf({body: 2, kind: 'rope', particles: 3}, 5, null)],
  ]),
  colliders: new Map([[1, colliderOf({collider: 1, kind: 'plane'})]]),
  forces: new Map(),
};

let revision = 5;
function edit(method: string, params: object, result: object = {}): RawEdit {
  return {revision: ++revision, method, params: {...params}, result: {...result}};
}

describe('an edit', () => {
  it('leaves the objects of what it did not change', () => {
    const {contents: after} = applyEdit(contents, edit('body.set', {body: 1, thickness: 0.1}));
    expect(after.bodies.get(2)).toBe(contents.bodies.get(2));
    expect(after.colliders).toBe(contents.colliders);
    expect(after.settings).toBe(contents.settings);
    expect(contents.bodies.get(1)!.thickness).toBe(0);
  });

  it('of a collider whose heights are too many to tell has the world read again', () => {
    const given = {kind: 'height_field', columns: 2, spacing: 0.5};
    const small = applyEdit(contents, edit('collider.add', {...given, heights: [0, 1, 2, 3]}, {collider: 9}));
    expect(small.unknown).toBe(false);
    expect(small.contents.colliders.get(9)).toMatchObject({columns: 2, spacing: 0.5});
    expect([...small.contents.colliders.get(9)!.heights]).toEqual([0, 1, 2, 3]);
    const wider = applyEdit(small.contents, edit('collider.set', {collider: 9, spacing: 1}));
    expect(wider.contents.colliders.get(9)!.heights).toBe(small.contents.colliders.get(9)!.heights);
    for (const method of ['collider.add', 'collider.set']) {
      const large = {...edit(method, {...given, collider: 9}, {collider: 9}), omitted: ['params.heights']};
      expect(applyEdit(small.contents, large).unknown).toBe(true);
    }
  });

  it('of contact keeps what is absent', () => {
    const {contents: after} = applyEdit(contents, edit('body.set', {body: 1, self_contact: true, friction: 0.5}));
    expect(after.bodies.get(1)).toMatchObject({self_contact: true, contact_group: 0, friction: 0.5});
    const {contents: later} = applyEdit(after, edit('body.set', {body: 1, contact_mask: 6}));
    expect(later.bodies.get(1)).toMatchObject({self_contact: true, contact_mask: 6, friction: 0.5});
  });

  it('of a material keeps what is absent, and compliance and stiffness exclude each other', () => {
    const stretch = (given: object) =>
      applyEdit(contents, edit('body.set', {body: 1, stretch: given})).contents.bodies.get(1)!.stretch;
    expect(stretch({damping: 7})).toEqual({compliance: 0.5, damping: 7});
    expect(stretch({stiffness: 0.25})).toEqual({compliance: 0, damping: 2, stiffness: 0.25});
    expect(stretch({compliance: 3})).toEqual({compliance: 3, damping: 2});
    const bend = applyEdit(contents, edit('body.set', {body: 1, bend: {compliance: 9}})).contents.bodies.get(
      1,
    )!.bend;
    expect(bend).toEqual({model: 'quadratic', compliance: 9, damping: 0});
  });

  it('of stretch keeps a limit until it says another one, and 0 is none', () => {
    const given = [{limit: 0.05}, {compliance: 3}, {stiffness: 0.5}, {damping: 1}, {limit: 0.2}, {limit: 0}];
    const limits: unknown[] = [];
    let now = contents;
    for (const stretch of given) {
      now = applyEdit(now, edit('body.set', {body: 1, stretch})).contents;
      limits.push(now.bodies.get(1)!.stretch.limit);
    }
    expect(limits).toEqual([0.05, 0.05, 0.05, 0.05, 0.2, undefined]);
    expect(now.bodies.get(1)!.stretch).toEqual({compliance: 0, damping: 1, stiffness: 0.5});
    const params = {kind: 'rope', stretch: {compliance: 1, limit: 0.1}};
    const added = applyEdit(contents, edit('body.add', params, {body: 3, particles: 3}));
    expect(added.contents.bodies.get(3)!.stretch).toEqual({compliance: 1, damping: 0, limit: 0.1});
  });

  it('of plastic bending keeps what is not said, and a rate of 0 ends it', () => {
    const bend = {model: 'dihedral', compliance: 1, damping: 0} as const;
    const creased = mergeBend(bend, {plastic: {yield_angle: 0.2}});
    expect(creased.plastic).toEqual({yield_angle: 0.2, rate: 1000, greatest: 2.967});
    expect(mergeBend(creased, {plastic: {greatest: 1}}).plastic).toEqual({yield_angle: 0.2, rate: 1000, greatest: 1});
    expect(mergeBend(creased, {compliance: 2})).toEqual({...creased, compliance: 2});
    expect(mergeBend(creased, {plastic: {rate: 0}})).toEqual(bend);
  });

  it('of plastic solids keeps what is not said, and a rate of 0 ends it', () => {
    const solid = solidOf({young: 1e5});
    const clay = solidOf({plastic: {yield_strain: 0.2}}, solid);
    expect(clay).toEqual({...solid, plastic: {yield_strain: 0.2, rate: 1000, greatest: 1}});
    expect(solidOf({plastic: {greatest: 0.5}}, clay).plastic).toEqual({yield_strain: 0.2, rate: 1000, greatest: 0.5});
    expect(solidOf({damping: 2}, clay)).toEqual({...clay, damping: 2});
    expect(solidOf({plastic: {rate: 0}}, clay)).toEqual(solid);
  });

  it('of the wind of a body says both coefficients, and an empty map ends them', () => {
    let now = contents;
    const winds = [{drag: 2}, {lift: 0.5}, {}].map((wind) => {
      now = applyEdit(now, edit('body.set', {body: 1, wind})).contents;
      now = applyEdit(now, edit('body.set', {body: 1, thickness: 0.01})).contents;
      return now.bodies.get(1)!.wind;
    });
    expect(winds).toEqual([{drag: 2}, {lift: 0.5}, undefined]);
  });

  it('of bending gives one of compliance, stiffness and rigidity, which ends the others', () => {
    const given = [{rigidity: 2}, {damping: 1}, {stiffness: 0.5}, {rigidity: 3}, {compliance: 9}];
    const seen: unknown[] = [];
    let now = contents;
    for (const bend of given) {
      now = applyEdit(now, edit('body.set', {body: 1, bend})).contents;
      seen.push(now.bodies.get(1)!.bend);
    }
    const {model} = contents.bodies.get(1)!.bend;
    expect(seen.slice(1)).toEqual([
      {model, compliance: 0, damping: 1, rigidity: 2},
      {model, compliance: 0, damping: 1, stiffness: 0.5},
      {model, compliance: 0, damping: 1, rigidity: 3},
      {model, compliance: 9, damping: 1},
    ]);
    const yarns = [{warp: 2, weft: 1}, {bias: 3}, {damping: 4}, {rigidity: 5}, {weft: 6, warp: 7}, {compliance: 8}];
    let bend = now.bodies.get(1)!.bend;
    const after = yarns.map((one) => (bend = mergeBend(bend, one)));
    expect(after).toEqual([
      {model, compliance: 0, damping: 1, warp: 2, weft: 1},
      {model, compliance: 0, damping: 1, warp: 2, weft: 1, bias: 3},
      {model, compliance: 0, damping: 4, warp: 2, weft: 1, bias: 3},
      {model, compliance: 0, damping: 4, rigidity: 5},
      {model, compliance: 0, damping: 4, warp: 7, weft: 6},
      {model, compliance: 8, damping: 4},
    ]);
    const added = applyEdit(
      contents,
      edit('body.add', {kind: 'cloth', bend: {model: 'quadratic', rigidity: 1}}, {body: 3, particles: 3}),
    );
    expect(added.contents.bodies.get(3)!.bend).toEqual({
      model: 'quadratic',
      compliance: 0,
      damping: 0,
      rigidity: 1,
    });
  });

  it('of the settings keeps long edges until it says otherwise', () => {
    const on = applyEdit(contents, edit('world.set', {long_edges: true})).contents;
    expect([contents.settings.long_edges, on.settings.long_edges]).toEqual([false, true]);
    expect(applyEdit(on, edit('world.set', {damping: 1})).contents.settings.long_edges).toBe(true);
    expect(applyEdit(on, edit('world.set', {long_edges: false})).contents.settings.long_edges).toBe(false);
  });

  it('of the settings keeps pairs of surfaces until others are given', () => {
    const row = {one: 'ice', other: 'rubber', friction: 0.5};
    const slippery = applyEdit(contents, edit('world.set', {surfaces: [{...row, restitution: null}]})).contents;
    expect([contents.settings.surfaces, slippery.settings.surfaces]).toEqual([[], [row]]);
    expect(applyEdit(slippery, edit('world.set', {damping: 1})).contents.settings.surfaces).toEqual([row]);
    expect(applyEdit(slippery, edit('world.set', {surfaces: []})).contents.settings.surfaces).toEqual([]);
  });

  it('of the settings keeps how bending is solved until it says otherwise', () => {
    const solved = applyEdit(contents, edit('world.set', {bending: 'solved'})).contents;
    expect([contents.settings.bending, solved.settings.bending]).toEqual(['swept', 'solved']);
    expect(applyEdit(solved, edit('world.set', {damping: 1})).contents.settings.bending).toBe('solved');
    expect(applyEdit(solved, edit('world.set', {bending: 'swept'})).contents.settings.bending).toBe('swept');
  });

  it('that speaks of the wind makes some, unless it says none', () => {
    const wind = (given: object) =>
      applyEdit(contents, edit('world.set', {wind: given})).contents.settings.wind;
    expect(wind({velocity: [1, 2, 3]})).toMatchObject({velocity: [1, 2, 3], density: 1.2});
    expect(wind({density: 0, lift: 0.5})).toMatchObject({density: 0, lift: 0.5});
  });

  it('of pins keeps them ascending, and is a motion when it leads pins along', () => {
    const more = applyEdit(contents, edit('particle.pin', {body: 1, particles: Uint32Array.of(7, 2, 0)}));
    expect(Array.from(more.contents.bodies.get(1)!.pins)).toEqual([0, 2, 4, 7]);
    expect(more.motion).toBe(false);
    const led = applyEdit(contents, edit('particle.pin', {body: 1, particles: [2], positions: [0, 1, 0]}));
    expect(led.motion).toBe(true);
    expect(led.contents).toBe(contents);
    const fewer = applyEdit(contents, edit('particle.unpin', {body: 1, particles: [4, 8]}));
    expect(Array.from(fewer.contents.bodies.get(1)!.pins)).toEqual([2]);
  });

  it('of pins knows which of them follow a collider, until the pin, or the collider, is another', () => {
    const pinned = applyEdit(contents, edit('particle.pin', {body: 1, particles: [3, 2], collider: 1}));
    expect(Array.from(pinned.contents.bodies.get(1)!.pins)).toEqual([2, 3, 4]);
    expect(Array.from(pinned.contents.bodies.get(1)!.followed)).toEqual([1, 1, 0]);
    expect(pinned.motion).toBe(false);
    const plain = applyEdit(pinned.contents, edit('particle.pin', {body: 1, particles: [2]}));
    expect(Array.from(plain.contents.bodies.get(1)!.followed)).toEqual([0, 1, 0]);
    const fewer = applyEdit(pinned.contents, edit('particle.unpin', {body: 1, particles: [2]}));
    expect(Array.from(fewer.contents.bodies.get(1)!.followed)).toEqual([1, 0]);
    const gone = applyEdit(pinned.contents, edit('collider.remove', {collider: 1}));
    expect(Array.from(gone.contents.bodies.get(1)!.followed)).toEqual([0, 0, 0]);
    expect(gone.contents.bodies.get(2)).toBe(contents.bodies.get(2));
  });

  it('of pins knows how soft they are, and leaves them so when it moves them', () => {
    const soft = applyEdit(contents, edit('particle.pin', {body: 1, particles: [3, 2], compliance: [0.5, 0], distance: 0.25}));
    expect(Array.from(soft.contents.bodies.get(1)!.softness)).toEqual([0, 0.5, 0]);
    expect(soft.motion).toBe(false);
    const moved = applyEdit(soft.contents, edit('particle.pin', {body: 1, particles: [3], positions: [0, 1, 0], seconds: 1}));
    expect(moved.motion).toBe(true);
    const free = applyEdit(soft.contents, edit('particle.pin', {body: 1, particles: [4], distance: 0.25}));
    expect(Array.from(free.contents.bodies.get(1)!.softness)).toEqual([0, 0.5, -1]);
    const hard = applyEdit(soft.contents, edit('particle.pin', {body: 1, particles: [3], distance: 0}));
    expect(Array.from(hard.contents.bodies.get(1)!.softness)).toEqual([0, 0, 0]);
    const fewer = applyEdit(soft.contents, edit('particle.unpin', {body: 1, particles: [2]}));
    expect(Array.from(fewer.contents.bodies.get(1)!.softness)).toEqual([0.5, 0]);
  });

  it('of pins with lists that are left out for their length asks how soft they are', () => {
    const long = {...edit('particle.pin', {body: 1, particles: [3]}), omitted: ['params.compliance']};
    expect(applyEdit(contents, long).stale).toEqual([1]);
    const led = {...edit('particle.pin', {body: 1, particles: [3]}), omitted: ['params.positions']};
    expect(applyEdit(contents, led).stale).toEqual([]);
  });

  it('that leaves out what it changed makes the body stale', () => {
    expect(applyEdit(contents, edit('particle.pin', {body: 1})).stale).toEqual([1]);
    expect(
      applyEdit(contents, edit('particle.set', {body: 2, particles: [0], inverse_masses: 0})).stale,
    ).toEqual([2]);
    expect(
      applyEdit(contents, edit('body.add', {kind: 'soft', name: 'jelly'}, {body: 3, particles: 8})).stale,
    ).toEqual([3]);
  });

  it('older than what was read of its body is ignored', () => {
    const old: RawEdit = {revision: 4, method: 'body.set', params: {body: 1, name: 'old'}, result: {}};
    expect(applyEdit(contents, old).contents).toBe(contents);
  });

  it('of an unknown method says so', () => {
    expect(applyEdit(contents, edit('edit.undo', {})).unknown).toBe(true);
    expect(applyEdit(contents, edit('world.reset', {}))).toMatchObject({
      cut: true,
      grabsEnded: true,
      unknown: false,
    });
  });

  it('names what it touched', () => {
    expect(applyEdit(contents, edit('constraint.set', {constraints: [3, 4], rest: 1})).things).toEqual([
      'constraint:3',
      'constraint:4',
    ]);
    expect(applyEdit(contents, edit('collider.remove', {collider: 1})).things).toEqual(['collider:1']);
    expect(applyEdit(contents, edit('world.set', {damping: 1})).things).toEqual(['world']);
  });

  it('of a collider’s pose alone is a motion', () => {
    const pose = applyEdit(contents, edit('collider.set', {world: 4, collider: 1, position: [0, 1, 0]}));
    expect(pose.motion).toBe(true);
    expect(pose.contents.colliders.get(1)!.position).toEqual([0, 1, 0]);
    expect(applyEdit(contents, edit('collider.set', {collider: 1, position: [0, 1, 0], teleport: true})).motion).toBe(true);
    expect(applyEdit(contents, edit('collider.set', {collider: 1, friction: 1})).motion).toBe(false);
  });

  it('with values of the wrong kind does not break the document', () => {
    const odd = applyEdit(contents, edit('body.set', {body: 1, name: 7, stretch: 'soft', thickness: null}));
    expect(odd.contents.bodies.get(1)).toMatchObject({name: '', thickness: 0, stretch: {compliance: 0.5}});
    expect(applyEdit(contents, edit('body.set', {body: 'sheet'})).contents).toBe(contents);
    expect(applyEdit(contents, edit('collider.set', {collider: 99})).contents).toBe(contents);
  });
});

describe('rotations', () => {
  it('turn +y into the normal the shortest way', () => {
    for (const normal of [
      [0, 1, 0],
      [1, 0, 0],
      [0, -1, 0],
      [1, 2, -3],
    ] as const) {
      const length = Math.hypot(...normal);
      const up = rotated(turnedTo([0, 0, 0, 1], normal), [0, 1, 0]);
      up.forEach((x, i) => expect(x).toBeCloseTo(normal[i] / length, 9));
    }
    // From a rotation about y nothing but what is needed changes.
    const spun = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;
    turnedTo(spun, [0, 5, 0]).forEach((x, i) => expect(x).toBeCloseTo(spun[i], 12));
    expect(product([0, 0, 0, 1], spun)).toEqual(spun);
  });
});

describe('a batch', () => {
  const batch = edit(
    'edit.batch',
    {
      edits: [
        ['collider.add', {name: 'ball', kind: 'sphere', radius: 0.3}],
        ['collider.set', {collider: 9, friction: 0.9}],
        ['body.set', {body: 1, thickness: 0.1}],
        ['particle.pin', {body: 1}],
        ['body.set', {body: 1, friction: 0.7}],
        ['body.remove', {body: 2}],
        ['particle.set', {body: 2, inverse_masses: [1]}],
        ['world.set', {damping: 0.5}],
      ],
    },
    {results: [{collider: 9}, {}, {}, {}, {}, {constraints: new Uint32Array([3])}, {}, {}]},
  );
  const told: RawEdit = {...batch, omitted: ['edits.3.particles', 'results.5.constraints', 'edits.30.rest']};

  it('is its edits, one after another', () => {
    const seen: [string, number][] = [];
    const after = applyParts(contents, partsOf(told), (part, left) => seen.push([part.method, left.bodies.size]));
    expect(seen.map(([, bodies]) => bodies)).toEqual([2, 2, 2, 2, 2, 1, 1, 1]);
    expect(seen[3][0]).toBe('particle.pin');
    expect(after.contents.colliders.get(9)).toMatchObject({name: 'ball', friction: 0.9});
    // Two of the same body: the second is not taken for older than the first.
    expect(after.contents.bodies.get(1)).toMatchObject({thickness: 0.1, friction: 0.7});
    expect(after.contents.settings.damping).toBe(0.5);
    expect(after.things).toEqual(['collider:9', 'body:1', 'body:2', 'world']);
    // The pins were too many to tell; what is gone need not be asked for.
    expect(after.stale).toEqual([1]);
    expect(after.unknown).toBe(false);
    expect(after.motion).toBe(false);
  });

  it('tells each of its edits what was left out of it', () => {
    const parts = partsOf(told);
    expect(parts.map(({omitted}) => omitted)).toEqual([[], [], [], ['particles'], [], ['constraints'], [], []]);
    expect(parts.at(-1)!.revision).toBe(told.revision);
    expect(parts.every(({revision: one}, i) => one > told.revision - 1 && (i === 0 || one > parts[i - 1].revision))).toBe(true);
  });

  it('is read again where one of its edits is not known', () => {
    const strange = edit('edit.batch', {edits: [['body.paint', {body: 1}]]}, {results: [{}]});
    expect(applyParts(contents, partsOf(strange), () => undefined).unknown).toBe(true);
    const alone = edit('body.set', {body: 1, thickness: 0.1});
    expect(partsOf(alone)).toEqual([alone]);
  });
});

describe('fields of force', () => {
  const edit = (revision: number, method: string, params: object, result: object = {}): RawEdit => ({
    revision,
    method,
    params: params as RawEdit['params'],
    result: result as RawEdit['result'],
  });

  it('come with the values that the server takes, change and go', () => {
    const added = applyEdit(contents, edit(9, 'force.add', {field: {kind: 'fan', strength: 8}}, {force: 3}));
    expect(added.things).toEqual(['force:3']);
    expect(added.contents.forces.get(3)).toMatchObject({force: 3, kind: 'fan', axis: [0, 1, 0], strength: 8, width: 1});
    const set = applyEdit(added.contents, edit(10, 'force.set', {force: 3, field: {axis: [1, 0, 0], bodies: [2]}}));
    expect(set.contents.forces.get(3)).toMatchObject({kind: 'fan', axis: [1, 0, 0], strength: 8, bodies: [2]});
    expect(set.contents.bodies).toBe(contents.bodies);
    const gone = applyEdit(set.contents, edit(11, 'force.remove', {force: 3}));
    expect(gone.contents.forces.size).toBe(0);
    expect(forcesOf([{force: 1, kind: 'drag'}]).get(1)?.core).toBe(0.01);
  });

  it('the way in which loads are borne is the world\'s as well', () => {
    const set = applyEdit(contents, edit(9, 'world.set', {loads: 'solved'}));
    expect([contents.settings.loads, set.contents.settings.loads]).toEqual(['swept', 'solved']);
  });
});
