// Numbers, units, scales and bindings of the generated forms.
import {readFileSync} from 'node:fs';

import {describe, expect, it} from 'vitest';

import {METHODS, TYPES, WeftError, type Field, type Method} from '../../src/lib/index.js';
import {anglesOf, quaternionOf} from '../../src/studio/ui/forms/angles.js';
import {
  Draft,
  inTurn,
  LiveBinding,
  patch,
  unsaid,
  withValue,
  wordsAt,
} from '../../src/studio/ui/forms/binding.js';
import {formFields} from '../../src/studio/ui/forms/form.js';
import {fieldDoc} from '../../src/studio/ui/forms/fields.js';
import {materialNames, materialOf, nameOfMaterial, SHEETS, SOLIDS} from '../../src/studio/ui/forms/materials.js';
import {formatBytes, formatNumber, parseNumber} from '../../src/studio/ui/forms/numbers.js';
import {fromSlider, scaleOf, SLIDER_STEPS, stepBy, toSlider} from '../../src/studio/ui/forms/scale.js';
import {prettyName, prettyUnit} from '../../src/studio/ui/forms/units.js';
import {bodyFields} from '../../src/studio/ui/gallery/add.js';
import {jumping} from '../../src/studio/ui/panels/inspector/collider.js';
import {SEAM} from '../../src/studio/ui/panels/inspector/constraint.js';
import {isUnread} from '../../src/studio/ui/panels/inspector/forcewords.js';
import {wayFields, type Way} from '../../src/studio/ui/panels/inspector/ways.js';
import {FIELDS} from '../../src/studio/ui/gallery/fields.js';
import {PIECES} from '../../src/studio/ui/gallery/pieces.js';
import {FORCE_READS} from '../../src/studio/model/forcefields.js';
import {JOINT_TYPES, MOTORS} from '../../src/studio/model/joints.js';
import {railed, ringed} from '../../src/studio/ui/panels/inspector/stencil.js';
import type {Point} from '../../src/studio/model/commands.js';
import type {Outcome} from '../../src/studio/model/outcome.js';
import {CONSTRAINT_KINDS, constraintValues} from '../../src/studio/model/values.js';

const done: Outcome<unknown> = {ok: true, result: null};

function field(method: Method, name: string): Field {
  const found = METHODS[method].params.find((one) => one.name === name);
  if (!found) throw new Error(`${method} has no ${name}`);
  return found;
}

describe('numbers', () => {
  it('reads what people type', () => {
    expect(parseNumber('0.5')).toBe(0.5);
    expect(parseNumber(' 1e-6 ')).toBe(1e-6);
    expect(parseNumber('1,5')).toBe(1.5);
    expect(parseNumber('0,001')).toBe(0.001);
    expect(parseNumber('1,0005')).toBe(1.0005);
    expect(parseNumber('1.000')).toBe(1);
    for (const thousand of ['1,000', '1 000', "1'000", '1,000.', '1.000,0', '1\u202f000', '1,000e0'])
      expect(parseNumber(thousand)).toBe(1000);
    expect(parseNumber('-12,345,678.9 m', 'm')).toBe(-12345678.9);
    expect(parseNumber('−3')).toBe(-3);
    expect(parseNumber('2 mm', 'm')).toBeCloseTo(0.002);
    expect(parseNumber('180°', 'rad')).toBeCloseTo(Math.PI);
    expect(parseNumber('9 N', 'N')).toBe(9);
  });

  it('refuses what is no number', () => {
    for (const text of ['', 'abc', '1.2.3', '2 mm', '1e', '--1', '1e999', '0x10'])
      expect(parseNumber(text)).toBeNull();
  });

  it('shows a float without its noise', () => {
    expect(formatNumber(Math.fround(0.1))).toBe('0.1');
    expect(formatNumber(1e-6)).toBe('1e-6');
    expect(formatNumber(Math.fround(1e-6))).toBe('1e-6');
    expect(formatNumber(-9.81)).toBe('-9.81');
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(12345678)).toBe('1.235e7');
    expect(formatBytes(1_250_000)).toBe('1.25 MB');
  });
});

describe('units', () => {
  it('says what [C] is for each kind', () => {
    expect(prettyUnit('[C]^2/J', 'distance')).toBe('m/N');
    expect(prettyUnit('[C]^2/J', 'volume')).toBe('m⁵/N');
    expect(prettyUnit('J s/[C]^2', 'distance')).toBe('N·s/m');
    expect(prettyUnit('m/s^2')).toBe('m/s²');
    expect(prettyName('half_extents')).toBe('Half extents');
  });
});

describe('scales', () => {
  it('lays compliance out by its logarithm, with 0 at the left end', () => {
    const compliance = METHODS['constraint.add'].params.find((one) => one.name === 'compliance') as Field;
    const scale = scaleOf(compliance, 'distance')!;
    expect(scale.kind).toBe('log');
    expect(fromSlider(scale, 0)).toBe(0);
    expect(toSlider(scale, 0)).toBe(0);
    expect(fromSlider(scale, SLIDER_STEPS)).toBe(scale.to);
    const decade = (value: number) => toSlider(scale, 10 * value) - toSlider(scale, value);
    expect(Math.abs(decade(1e-7) - decade(1e-4))).toBeLessThanOrEqual(1);
  });

  it('comes back to what it showed', () => {
    for (const [method, name] of [
      ['world.set', 'substeps'],
      ['body.set', 'thickness'],
      ['collider.set', 'friction'],
      ['collider.set', 'friction_kinetic'],
      ['collider.set', 'restitution'],
      ['world.set', 'extent'],
    ] as const) {
      const scale = scaleOf(field(method, name))!;
      for (let at = 0; at <= SLIDER_STEPS; at += 50) {
        const value = fromSlider(scale, at);
        expect(Math.abs(toSlider(scale, value) - at)).toBeLessThanOrEqual(SLIDER_STEPS / 40);
      }
    }
  });

  it('never leaves what the server allows', () => {
    for (const method of Object.keys(METHODS) as Method[]) {
      for (const one of METHODS[method].params as readonly Field[]) {
        const scale = one.type === 'float' || one.type === 'u32' ? scaleOf(one) : null;
        for (const at of scale ? [0, 1, SLIDER_STEPS / 2, SLIDER_STEPS] : []) {
          const value = fromSlider(scale!, at);
          if (one.min !== undefined)
            expect(value, `${method} ${one.name}`).toBeGreaterThanOrEqual(
              one.exclusiveMin ? one.min + 1e-12 : one.min,
            );
          if (one.max !== undefined) expect(value, `${method} ${one.name}`).toBeLessThanOrEqual(one.max);
        }
      }
    }
  });

  it('runs over the strain limits that are of use', () => {
    const limit = TYPES.stretch_material.fields.find((one) => one.name === 'limit') as Field;
    const scale = scaleOf(limit, 'distance')!;
    expect([fromSlider(scale, 0), fromSlider(scale, SLIDER_STEPS)]).toEqual([0, 0.5]);
    expect(limit.max).toBe(10);
  });

  it('runs over the rigidities of fabrics and sheets', () => {
    const rigidity = TYPES.bend_material.fields.find((one) => one.name === 'rigidity') as Field;
    const scale = scaleOf(rigidity, 'quadratic')!;
    expect([fromSlider(scale, 0), fromSlider(scale, SLIDER_STEPS)]).toEqual([1e-8, 1]);
  });

  it('steps by a part of the leading digit where orders of magnitude matter', () => {
    const scale = scaleOf(field('constraint.set', 'compliance'), 'distance');
    expect(stepBy(scale, 2e-6, 1, 1)).toBeCloseTo(3e-6, 12);
    expect(stepBy(scale, 1e-6, -1, 1)).toBeCloseTo(9e-7, 12);
    expect(stepBy(scale, 2e-6, 1, 10)).toBeCloseTo(2e-5, 12);
    expect(stepBy(scale, 0, 1, 1)).toBe(1e-9);
    expect(stepBy(scaleOf(field('world.set', 'substeps')), 20, 1, 1)).toBe(21);
  });
});

describe('angles', () => {
  it('give back the rotation that they came from', () => {
    for (const degrees of [
      [0, 0, 0],
      [30, 0, 0],
      [10, 20, 30],
      [-170, 45, 91],
      [0, 90, 0],
      [25, -90, 0],
      [0, 89.9, 12],
    ]) {
      const q = quaternionOf(degrees);
      const again = quaternionOf(anglesOf(q)!);
      const same = Math.abs(q.reduce((sum, x, i) => sum + x * (again[i] ?? 0), 0));
      expect(same).toBeCloseTo(1, 6);
    }
  });
});

describe('forms', () => {
  it('make a soft body a solid if Young’s modulus is given, and else one of edges and volumes', () => {
    const net = {stretch: {compliance: 1e-5}, volume: {compliance: 1e-9}, solid: {poisson: 0.4}, density: 900};
    expect(Object.keys(bodyFields(net))).toEqual(['stretch', 'volume', 'density']);
    expect(bodyFields({...net, solid: {young: 1e5, poisson: 0.4}})).toEqual({
      solid: {young: 1e5, poisson: 0.4},
      density: 900,
    });
    expect(constraintValues('neo_hookean', {compliance: 1e-5, stiffness: 0.5})).toEqual({compliance: 1e-5});
  });

  it('make a fabric without the compliance that was typed before, and nothing else with a warp', () => {
    const typed = {compliance: 1e-5, damping: 2, warp: 3000, weft: 1000, shear: 100};
    expect(bodyFields({stretch: {...typed, model: 'orthotropic'}})).toEqual({
      stretch: {model: 'orthotropic', warp: 3000, weft: 1000, shear: 100, damping: 2},
    });
    expect(bodyFields({stretch: {...typed, model: 'distance'}})).toEqual({stretch: {compliance: 1e-5, damping: 2}});
  });

  it('have a control for every parameter that is not bulk or a name of a thing', () => {
    expect(formFields('world.set').map(({name}) => name)).toEqual([
      'name',
      'gravity',
      'substeps',
      'iterations',
      'damping',
      'wind',
      'extent',
      'contact_quality',
      'untangle',
      'long_edges',
      'bending',
      'loads',
      'sleep',
      'calm',
    ]);
    expect(formFields('body.set').map(({name}) => name)).toEqual([
      'name',
      'stretch',
      'bend',
      'volume',
      'solid',
      'thickness',
      'self_contact',
      'contact_group',
      'contact_mask',
      'friction',
      'friction_kinetic',
      'restitution',
      'surface',
      'sleep',
      'pressure',
      'wind',
      'tear',
    ]);
    expect(formFields('constraint.set').map(({name}) => name)).toEqual([
      'rest',
      'compliance',
      'damping',
      'stiffness',
      'rest_end',
      'seconds',
      'force_limit',
      'mend',
      'ratio',
      'friction',
      'turn_compliance',
      'motor',
      'motor_target',
      'motor_most',
      'motor_compliance',
    ]);
  });

  // Bulk arrays and the names of things are given by what is selected or made.
  const LEFT = ['world', 'body', 'constraints', 'particles', 'if_revision', 'if_epoch', 'if_thing_revision', 'edit_id', 'gesture'];
  const left = (method: Method, formed: Iterable<string>) => {
    const all = new Set([...LEFT, ...formed]);
    return METHODS[method].params.map(({name}) => name).filter((name) => !all.has(name));
  };

  it('have a form for every field of a body, of constraints and of particles', () => {
    // Sections of the inspector beside the generated form: Forces, Shape, Folds.
    expect(left('body.set', [...formFields('body.set').map(({name}) => name), 'gravity', 'shape', 'rest_shape'])).toEqual([]);
    const ways: Way[] = [...CONSTRAINT_KINDS, 'join_point', 'join_surface', 'sewing', 'weld'];
    const typed = ways.flatMap((way) => JOINT_TYPES.flatMap((type) => MOTORS.flatMap((motor) => wayFields(way, type, motor))));
    const shown = (method: Method) => new Set(formFields(method).map(({name}) => name));
    const generated = (method: Method) => typed.filter((name) => shown(method).has(name));
    expect(left('constraint.set', [...generated('constraint.set'), ...SEAM, 'limits', 'mend'])).toEqual([]);
    // The rest of constraint.add is made by the ways to connect.
    const made = ['type', 'bodies', 'sides', 'weights', 'joint', 'anchors', 'axes', 'limits'];
    expect(left('constraint.add', [...generated('constraint.add'), ...made])).toEqual([]);
    // Keyframes of pins and of clamps are for programs.
    const program = ['seconds', 'at_tick', 'rotations'];
    const pins = ['positions', 'collider', 'compliance', 'distance', 'clamp', 'clamp_turns'];
    expect(left('particle.pin', [...pins, ...program])).toEqual([]);
    expect(left('body.force', ['force', 'seconds', 'forces', 'at_tick'])).toEqual([]);
  });

  it('have a control for every field of a field of force that its kind reads', () => {
    const all = (TYPES.force_field.fields as readonly Field[]).map(({name}) => name);
    const read = new Set<string>(Object.values(FORCE_READS).flat());
    expect(all.filter((name) => !read.has(name) && name !== 'force' && name !== 'kind')).toEqual([]);
    const kinds = (TYPES.force_field.fields as readonly Field[]).find(({name}) => name === 'kind')?.values;
    expect(FIELDS.map(({kind}) => kind)).toEqual(kinds);
    for (const {kind, values} of FIELDS) {
      expect(Object.keys(values).filter((name) => isUnread(`field.${name}`, kind)), kind).toEqual([]);
    }
  });

  it('offer every shape of rigid pieces', () => {
    const forms = (TYPES.rigid.fields as readonly Field[]).find(({name}) => name === 'form')?.values ?? [];
    const made = PIECES.filter(({kind}) => kind === 'rigid').map((piece) => piece.make({count: 3}));
    expect(made.map(({rigid}) => rigid?.['form'])).toEqual(forms);
    for (const {mesh, look} of made) {
      expect(mesh.positions.length).toBe(9);
      // Pieces stand apart from each other.
      expect(mesh.positions[4]! - mesh.positions[1]!).toBeGreaterThan(0.1);
      expect(look!.triangles!.length).toBeGreaterThan(11);
    }
  });

  it('build changes by path', () => {
    expect(patch('stretch.compliance', 1)).toEqual({stretch: {compliance: 1}});
    expect(withValue({a: {b: 1, c: 2}}, 'a.b', undefined)).toEqual({a: {c: 2}});
  });

  it('show the words of the server beside the field', () => {
    const error = new WeftError({
      kind: 1,
      code: 'INVALID',
      text: 'stretch.compliance: -1; must be at least 0',
      field: 'stretch.compliance',
    });
    expect(wordsAt(error, 'stretch.compliance')).toBe('-1; must be at least 0');
    const draft = new Draft({stretch: {compliance: -1}});
    draft.refused.value = error;
    expect(draft.error('stretch.compliance')).toBe('-1; must be at least 0');
    draft.give('stretch.compliance', 1);
    expect(draft.error('stretch.compliance')).toBeUndefined();
  });
});

describe('a live binding', () => {
  it('has one call under way and sends the newest of what waits', async () => {
    const sent: unknown[] = [];
    let answer: (() => void) | undefined;
    const binding = new LiveBinding(
      () => [{damping: 0}],
      ([change]) => {
        sent.push(change);
        return new Promise((resolve) => (answer = () => resolve(done)));
      },
    );
    for (const value of [1, 2, 3]) binding.give('damping', value);
    expect(binding.value('damping')).toBe(3);
    expect(sent).toEqual([{damping: 1}]);
    answer?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([{damping: 1}, {damping: 3}]);
  });

  it('keeps what was refused to be seen, with the words for it', async () => {
    const error = new WeftError({kind: 1, code: 'INVALID', text: 'damping: too much', field: 'damping'});
    const binding = new LiveBinding(
      () => [{damping: 0}],
      () => Promise.resolve({ok: false, error}),
    );
    binding.give('damping', 9);
    await new Promise((resolve) => setTimeout(resolve));
    expect(binding.value('damping')).toBe(9);
    expect(binding.error('damping')).toBe('too much');
    binding.forget('damping');
    expect(binding.value('damping')).toBe(0);
    expect(binding.error('damping')).toBeUndefined();
  });

  it('keeps what a lost connection left unsent, and sends it when told', async () => {
    const lost = new WeftError({kind: 0, code: 'LOST', text: 'lost'});
    let there = false;
    const sent: unknown[] = [];
    const binding = new LiveBinding(
      () => [{damping: 0}],
      ([change]) => {
        if (!there) return Promise.resolve({ok: false, error: lost});
        sent.push(change);
        return Promise.resolve(done);
      },
    );
    binding.give('damping', 5);
    await new Promise((resolve) => setTimeout(resolve));
    expect(binding.waits('damping')).toBe(true);
    expect(binding.idle).toBe(false);
    there = true;
    binding.resume();
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([{damping: 5}]);
    expect(binding.waits('damping')).toBe(false);
  });
});

describe('a binding of several things', () => {
  const things = [
    {place: [1, 2, 3], name: 'a'},
    {place: [1, 5, 3], name: 'a'},
  ];

  it('tells what each of them has', () => {
    const binding = new LiveBinding(
      () => things,
      () => new Promise(() => undefined),
    );
    expect(binding.each('place')).toEqual([
      [1, 2, 3],
      [1, 5, 3],
    ]);
    binding.give('name', 'b');
    expect(binding.each('name')).toEqual(['b', 'b']);
  });

  it('changes a part of what each of them has', () => {
    const sent: unknown[] = [];
    const binding = new LiveBinding(
      () => things,
      (patches) => {
        sent.push(...patches);
        return Promise.resolve(done);
      },
    );
    binding.change('place', (own) => (own as number[]).map((x, axis) => (axis === 0 ? 9 : x)));
    expect(sent).toEqual([{place: [9, 2, 3]}, {place: [9, 5, 3]}]);
  });

  it('stops at the first refusal', async () => {
    const error = new WeftError({kind: 1, code: 'INVALID', text: 'no'});
    let calls = 0;
    const last = await inTurn([
      () => Promise.resolve({ok: false as const, error}),
      () => {
        calls += 1;
        return Promise.resolve(done);
      },
    ]);
    expect(last).toEqual({ok: false, error});
    expect(calls).toBe(0);
  });
});

describe('what a form shows', () => {
  const names = (method: Parameters<typeof formFields>[0]) => formFields(method).map(({name}) => name);

  it('leaves out arrays, and what consists of them', () => {
    expect(names('body.add')).not.toContain('skin');
    expect(names('body.add')).toEqual(
      expect.arrayContaining(['name', 'density', 'stretch', 'bend', 'volume']),
    );
  });

  it('says what each field means, without pointing elsewhere', () => {
    for (const method of [
      'world.create',
      'world.set',
      'body.add',
      'body.set',
      'collider.add',
      'collider.set',
    ] as const) {
      for (const field of formFields(method)) {
        const doc = fieldDoc(field, method);
        expect(doc, `${method} ${field.name}`).not.toMatch(/^As in|like the next/);
        expect(doc.length, `${method} ${field.name}`).toBeGreaterThan(3);
      }
    }
  });
});

describe('a collider that teleports', () => {
  it('does so with a pose alone, and only if the switch is on', () => {
    expect(jumping({position: [1, 0, 0]}, true)).toEqual({position: [1, 0, 0], teleport: true});
    expect(jumping({rotation: [0, 0, 0, 1]}, true)).toHaveProperty('teleport', true);
    expect(jumping({normal: [0, 1, 0]}, true)).toHaveProperty('teleport', true);
    expect(jumping({position: [1, 0, 0]}, false)).toEqual({position: [1, 0, 0]});
    expect(jumping({radius: 0.2}, true)).toEqual({radius: 0.2});
  });
});

describe('materials by name', () => {
  const table = readFileSync(new URL('../../../../protocol/scene/material.c', import.meta.url), 'utf8');
  const rows = (name: string) =>
    [
      ...(new RegExp(`scene_${name}\\[\\w+\\] = \\{([^;]*)\\};`).exec(table)?.[1] ?? '').matchAll(
        /\{"(\w+)", ([^}]*)\}/g,
      ),
    ].map(([, of, numbers]) => [of, ...(numbers ?? '').split(',').map(Number)]);

  it('are those of scenes', () => {
    expect(rows('sheets').length).toBe(4);
    expect(
      Object.entries(SHEETS).map(([of, {density, membrane, bending, limit}]) => [
        of,
        density,
        membrane,
        bending,
        limit,
      ]),
    ).toEqual(rows('sheets'));
    expect(rows('solids').length).toBe(2);
    expect(Object.entries(SOLIDS).map(([of, {density, shear}]) => [of, density, shear])).toEqual(
      rows('solids'),
    );
  });

  it('are fabrics with warp and weft where a cloth is made', () => {
    const fabrics = JSON.parse(
      readFileSync(new URL('../../../../protocol/materials.json', import.meta.url), 'utf8'),
    ) as Record<string, Record<string, unknown>>;
    expect(materialNames('cloth').slice(4)).toEqual(Object.keys(fabrics));
    expect(materialNames('cloth', false)).toEqual(Object.keys(SHEETS));
    for (const [name, {source: _, ...fields}] of Object.entries(fabrics)) {
      expect(materialOf('cloth', name)).toEqual(fields);
      expect(nameOfMaterial('cloth', fields)).toBe(name);
      expect(nameOfMaterial('cloth', {...fields, bend: {warp: 1, weft: 1}})).toBe(undefined);
    }
  });

  it('are those of the page', () => {
    const page = readFileSync(new URL('../../../../docs/concepts/materials.md', import.meta.url), 'utf8');
    const told = [
      ...page.matchAll(/^\| (\w+)[^|]* \| ([\d.]+) kN\/m, (\d+) µN m \| ([\d.]+) \| ([\d.]+ %|none) \| /gm),
    ].map(([, of, membrane, bending, density, limit]) => [
      of,
      Number(density),
      1000 * Number(membrane),
      Number(bending),
      parseFloat(limit!) || 0,
    ]);
    expect(told.length).toBe(4);
    expect(told).toEqual(
      Object.entries(SHEETS).map(([of, {density, membrane, bending, limit}]) => [
        of,
        density,
        membrane,
        Number((1e6 * bending).toFixed(6)),
        Number((100 * limit).toFixed(6)),
      ]),
    );
  });

  it('are known again, and no more when a value is another', () => {
    const cotton = materialOf('cloth', 'cotton')!;
    expect(nameOfMaterial('cloth', cotton)).toBe('cotton');
    expect(nameOfMaterial('cloth', {...cotton, density: undefined})).toBe('cotton');
    expect(nameOfMaterial('cloth', {...cotton, stretch: {compliance: 1e-6}})).toBeUndefined();
    expect(nameOfMaterial('cloth', {...cotton, stretch: {compliance: 2.3e-4}})).toBeUndefined();
    const silk = materialOf('cloth', 'silk')!;
    expect(silk.stretch).toHaveProperty('limit', 0);
    const stretch = silk.stretch as {compliance: number};
    expect(nameOfMaterial('cloth', {...silk, stretch: {compliance: stretch.compliance}})).toBe('silk');
    expect(nameOfMaterial('cloth', {...silk, stretch: {...stretch, limit: 0.1}})).toBeUndefined();
    expect(nameOfMaterial('cloth', {...cotton, stretch: {compliance: 2.3e-4, stiffness: 1}})).toBeUndefined();
    expect(materialOf('rope', 'cotton')).toBeNull();
  });

  it('go by the size of a soft body', () => {
    const mesh = {positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3]};
    const jelly = materialOf('soft', 'jelly', mesh) as {
      stretch: {compliance: number};
      volume: {compliance: number};
    };
    // Three edges of length 1, three of length sqrt 2; a volume of 1/6.
    expect(jelly.stretch.compliance).toBeCloseTo(9 / (15 * 2000 * (1 / 6)), 12);
    expect(jelly.volume.compliance).toBeCloseTo(1 / 6 / (50 * 2000), 12);
    expect(materialOf('soft', 'jelly', {positions: mesh.positions, tets: [0, 1, 2, 2]})).toBeNull();
  });
});

describe('the form of constraints', () => {
  const typed = {rest: 1, damping: 2, stiffness: 0.5, rest_end: 3, seconds: 4, force_limit: 5, ratio: 6, friction: 7};

  it('sends only what the kind has', () => {
    expect(constraintValues('distance', typed)).toEqual({rest: 1, damping: 2, stiffness: 0.5});
    expect(constraintValues('quadratic', typed)).toEqual({damping: 2, stiffness: 0.5});
    expect(constraintValues('join', typed)).toEqual({
      ...{rest: 1, damping: 2, stiffness: 0.5},
      ...{rest_end: 3, seconds: 4, force_limit: 5},
    });
    expect(constraintValues('slide', typed)).toEqual({rest: 1, damping: 2, stiffness: 0.5, ratio: 6, friction: 7});
    expect(constraintValues('slide_rail', typed)).toEqual({damping: 2, stiffness: 0.5, friction: 7});
    for (const kind of CONSTRAINT_KINDS) expect(constraintValues(kind, {})).toEqual({});
  });

  it('puts the ring of a slide between the ends', () => {
    const [a, b, c] = [7, 8, 9].map((particle) => ({body: 1, particle})) as [Point, Point, Point];
    expect([a, b, c].map((ring) => ringed([a, b, c], ring))).toEqual([
      [b, a, c],
      [a, b, c],
      [a, c, b],
    ]);
  });

  it('puts the ring of a rail before the ends, and these in order', () => {
    const [a, b, c] = [7, 8, 9].map((particle) => ({body: 1, particle})) as [Point, Point, Point];
    expect(railed([c, b, a], b)).toEqual([b, a, c]);
  });
});

describe('a refusal', () => {
  const refusal = (field: string) =>
    new WeftError({kind: 1, code: 'LIMIT', text: `${field}: too much`, field});

  it('is said by the form where no field of it does', () => {
    expect(unsaid(null, ['name'])).toBe('');
    expect(unsaid(refusal('stretch.compliance'), ['name', 'stretch'])).toBe('');
    expect(unsaid(refusal('positions'), ['name', 'stretch'])).toBe('Positions: too much.');
    expect(unsaid(refusal(''), ['name'])).toBe(': too much.');
  });

  it('is known to the part of a form that its field lies in', () => {
    const draft = new Draft({});
    draft.refused.value = refusal('stretch.compliance');
    expect(draft.refusal('stretch')).toBe(draft.refused.value);
    expect(draft.refusal('stretch.compliance')).toBe(draft.refused.value);
    expect(draft.refusal('stre')).toBeUndefined();
    expect(draft.refusal('bend')).toBeUndefined();
  });
});
