// A scene (docs/reference/scene.md) to the document that world.open takes. What people write in words (grids, materials,
// pins by name) is worked out here, as protocol/scene does it for `weft open`; all else goes on as it is, and the server
// says what is wrong with it.
import {TYPES, type Field} from '../../../lib/index.js';
import {readObj} from '../files/obj.js';
import {materialNames, materialOf} from '../forms/materials.js';
import {contactOf, resolutionOf} from './contact.js';
import {GENERATORS, type SceneMesh} from './generate.js';
import {readNpy} from './npy.js';
import {placeBody, PLACEMENTS, rotationOf} from './place.js';
import {selectInOrder, selectParticles} from './select.js';
import {isObject, refuse, SceneError, Spec, type Json} from './spec.js';

export type Document = Readonly<Record<string, unknown>>;

export interface Scene {
  readonly name: string;
  readonly document: Document;
}

// Files that lie beside the scene, by the last part of their names.
export type Beside = ReadonlyMap<string, ArrayBuffer>;

type Kind = 'cloth' | 'rope' | 'points' | 'soft';

const CORNERS: Readonly<Record<Kind, number>> = {cloth: 3, rope: 2, points: 0, soft: 4};
const ELEMENTS: Readonly<Partial<Record<Kind, string>>> = {cloth: 'triangles', rope: 'edges', soft: 'tets'};
const KINDS = Object.keys(CORNERS) as Kind[];

interface SceneBody {
  readonly id: number;
  readonly name: string;
  readonly kind: Kind;
  readonly mesh: SceneMesh;
  readonly welded: boolean;
}

type TypeName = keyof typeof TYPES;

function fieldsOf(type: TypeName): readonly Field[] {
  return TYPES[type].fields as readonly Field[];
}

export function readScene(text: string, fileName: string, beside: Beside): Scene {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    throw new SceneError(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return new Reader(beside).scene(new Spec(json, ''), fileName);
}

class Reader {
  private readonly bodies: SceneBody[] = [];
  private resolution = 0;

  constructor(private readonly beside: Beside) {}

  scene(root: Spec, fileName: string): Scene {
    const fields = fieldsOf('document').map(({name}) => name);
    root.check(['$schema', 'weft', 'name', 'about', ...fields]);
    if (root.has('weft') && root.get('weft') !== 1)
      refuse('weft', 'must be 1, the version of scenes that this page reads');
    this.resolution = resolutionOf(root.get('settings'));
    const each = (name: string, read: (spec: Spec) => Document) =>
      root.has(name) ? {[name]: root.list(name).map((one, i) => read(new Spec(one, `${name}[${i}]`)))} : {};
    const skipped = ['$schema', 'weft', 'name', 'about', 'bodies', 'colliders', 'constraints', 'motions'];
    const document = {
      ...each('bodies', (spec) => this.body(spec)),
      ...each('colliders', (spec) => this.collider(spec)),
      ...each('constraints', (spec) => this.constraints(spec)),
      ...each('motions', (spec) => this.motion(spec)),
      ...this.members('document', root, skipped),
    };
    return {name: root.text('name') || fileName.replace(/\.json$/i, ''), document};
  }

  // -- as it is

  // Members of an object that the document has by the same name, as the wire wants them.
  private members(type: TypeName, spec: Spec, but: readonly string[]): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const field of fieldsOf(type)) {
      if (but.includes(field.name) || !spec.has(field.name)) continue;
      out[field.name] = this.value(field, spec.get(field.name), spec.at(field.name));
    }
    return out;
  }

  private value(field: Field, value: Json | undefined, place: string): unknown {
    if (field.type === 'map' && isObject(value)) {
      const type = field.of as TypeName;
      const spec = new Spec(
        value,
        place,
        fieldsOf(type).map(({name}) => name),
      );
      return this.members(type, spec, []);
    }
    if (field.type === 'vec3' || field.type === 'vec4')
      return Array.isArray(value) ? Float64Array.from(value as number[]) : value;
    if (!field.type.endsWith('[]') || (field.scalar && typeof value === 'number')) return value;
    const numbers = this.numbers(value, place);
    if (field.type === 'u32[]') return wholes(numbers, place);
    return field.type === 'f32[]' ? Float32Array.from(numbers) : numbers;
  }

  // A list of numbers, of rows of numbers, or the name of a .npy file.
  private numbers(value: Json | undefined, place: string): Float64Array {
    if (typeof value === 'string') {
      try {
        return readNpy(this.file(value, place));
      } catch (error) {
        if (error instanceof SceneError) throw error;
        refuse(place, `"${value}" ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (!Array.isArray(value)) refuse(place, 'must be a list of numbers, or the name of a .npy file');
    const flat = (value as readonly unknown[]).flat();
    const wrong = flat.findIndex((one) => typeof one !== 'number');
    if (wrong >= 0) refuse(place, `element ${wrong} is no number`);
    return Float64Array.from(flat as number[]);
  }

  private file(name: string, place: string): ArrayBuffer {
    const bytes = this.beside.get(name.slice(name.lastIndexOf('/') + 1));
    return bytes ?? refuse(place, `"${name}" was not given: choose or drop it together with the scene`);
  }

  // -- bodies

  private body(spec: Spec): Document {
    const own = fieldsOf('document_body').map(({name}) => name);
    spec.check([...own, ...Object.keys(GENERATORS), 'mesh', 'material', ...PLACEMENTS]);
    const source = this.source(spec);
    const kind = this.kind(spec, source.mesh, source.made);
    const {mesh} = source;
    if (PLACEMENTS.some((name) => spec.has(name))) {
      if (spec.has('state'))
        refuse(
          spec.place,
          'has a state, which says where it is: position, rotation, turn and scale must be absent',
        );
      placeBody(spec, mesh.positions);
    }
    const last = this.bodies[this.bodies.length - 1]?.id ?? 0;
    const id = spec.whole('body', 1, 0xfffffffe, last + 1);
    this.bodies.push({id, kind, mesh, name: spec.text('name'), welded: spec.has('weld')});
    const elements = ELEMENTS[kind];
    return {
      body: id,
      kind,
      positions: mesh.positions,
      ...(elements && mesh.corners === CORNERS[kind] ? {[elements]: mesh.elements} : {}),
      ...(spec.has('pins') ? {pins: this.selected(mesh, spec, 'pins')} : {}),
      ...this.material(spec, kind, mesh),
      ...contactOf(spec, mesh, kind === 'rope', this.resolution),
      ...this.members('document_body', spec, [
        'body',
        'kind',
        'positions',
        'triangles',
        'edges',
        'tets',
        'pins',
      ]),
    };
  }

  private source(spec: Spec): {readonly mesh: SceneMesh; readonly made: boolean} {
    const found = [...Object.keys(GENERATORS), 'mesh', 'positions'].filter((name) => spec.has(name));
    const [name] = found;
    if (name === undefined)
      refuse(spec.place, 'has no mesh: give grid, disc, rope, box, sphere, mesh or positions');
    const given = Object.values(ELEMENTS).filter((elements) => spec.has(elements));
    const second = found[1] ?? (name === 'positions' ? given[1] : given[0]);
    if (second !== undefined)
      refuse(
        spec.place,
        `has both ${name === 'positions' ? given[0] : name} and ${second}; one of them is enough`,
      );
    const generator = GENERATORS[name];
    if (generator) return {mesh: generator(spec.inner(name)), made: true};
    if (name === 'mesh') {
      const file = spec.text('mesh');
      if (!file.endsWith('.obj'))
        refuse(spec.at('mesh'), "must be the name of an .obj file in the scene's folder");
      const {positions, triangles} = readObj(new TextDecoder().decode(this.file(file, spec.at('mesh'))), {
        refuse: (line, words) => refuse(`${file}, line ${line}`, words),
      });
      return {mesh: {positions, elements: triangles, corners: 3, columns: 0}, made: true};
    }
    const positions = this.numbers(spec.get('positions'), spec.at('positions'));
    if (positions.length % 3 !== 0)
      refuse(spec.at('positions'), `${positions.length} numbers; must be three a particle`);
    const [elements] = given;
    const numbers =
      elements === undefined
        ? new Uint32Array()
        : wholes(this.numbers(spec.get(elements), spec.at(elements)), spec.at(elements));
    const corners = elements === undefined ? 0 : CORNERS[KINDS.find((kind) => ELEMENTS[kind] === elements)!];
    if (corners > 0 && numbers.length % corners !== 0)
      refuse(spec.at(elements!), `${numbers.length} numbers; must be ${corners} an element`);
    return {mesh: {positions, elements: numbers, corners, columns: 0}, made: false};
  }

  private kind(spec: Spec, mesh: SceneMesh, made: boolean): Kind {
    const said = spec.get('kind');
    const kind = KINDS.find((one) =>
      said === undefined ? mesh.corners > 0 && CORNERS[one] === mesh.corners : one === said,
    );
    if (kind === undefined)
      refuse(
        spec.at('kind'),
        said === undefined
          ? 'is missing; must be cloth, rope, points or soft'
          : 'must be cloth, rope, points or soft',
      );
    if (made && kind !== 'points' && CORNERS[kind] !== mesh.corners)
      refuse(spec.place, `its mesh does not make a ${kind}`);
    return kind;
  }

  // A .npy file, or words and numbers.
  private selected(mesh: SceneMesh, spec: Spec, name: string): Uint32Array {
    const value = spec.get(name);
    if (typeof value !== 'string' || !value.endsWith('.npy'))
      return selectParticles(mesh, value, spec.at(name));
    const numbers = Array.from(wholes(this.numbers(value, spec.at(name)), spec.at(name)));
    return selectParticles(mesh, numbers, spec.at(name));
  }

  // What the body says itself stays.
  private material(spec: Spec, kind: Kind, mesh: SceneMesh): Document {
    if (!spec.has('material')) return {};
    const name = spec.text('material');
    if (!materialNames(kind).includes(name))
      refuse(
        spec.at('material'),
        `"${name.slice(0, 60)}" is wrong: cloths may be of cotton, silk, denim or rubber, soft bodies of jelly or rubber`,
      );
    if (kind === 'soft' && mesh.elements.some((i) => 3 * i >= mesh.positions.length)) return {}; // the server says so
    const material = materialOf(kind, name, {positions: mesh.positions, tets: mesh.elements});
    if (!material) refuse(spec.at('material'), 'the body has no volume that a material could fill');
    return Object.fromEntries(
      Object.entries(material).filter(
        ([part]) => !spec.has(part) && !(part === 'density' && spec.has('masses')),
      ),
    );
  }

  // -- what stands between bodies, or moves things

  private find(spec: Spec): SceneBody {
    return this.bodyOf(spec.get('body'), spec.at('body'));
  }

  private bodyOf(ref: Json | undefined, place: string): SceneBody {
    if (typeof ref !== 'string' && typeof ref !== 'number')
      refuse(place, 'must be the name of a body, or its number');
    const body = this.bodies.find(({id, name}) =>
      typeof ref === 'number' ? id === ref : name !== '' && name === ref,
    );
    return body ?? refuse(place, `there is no body ${typeof ref === 'string' ? `"${ref}"` : ref}`);
  }

  private collider(spec: Spec): Document {
    spec.check([...fieldsOf('document_collider').map(({name}) => name), 'turn']);
    const turned = rotationOf(spec);
    // As it stands: what was saved keeps its last bit.
    const rotation = turned && !spec.has('rotation') ? {rotation: Float64Array.from(turned)} : {};
    return {...this.members('document_collider', spec, []), ...rotation};
  }

  private constraints(spec: Spec): Document {
    spec.check([...fieldsOf('document_constraints').map(({name}) => name), 'join']);
    if (spec.has('join') && ['body', 'bodies', 'particles'].some((name) => spec.has(name)))
      refuse(spec.place, 'has a join: body, bodies and particles must be absent');
    if (!spec.has('join') && !spec.has('particles'))
      refuse(spec.place, 'has no particles: give particles, or a join');
    if (spec.has('body')) this.find(spec);
    const bodies = spec.has('bodies')
      ? {
          bodies:
            Array.isArray(spec.get('bodies')) && spec.list('bodies').some((one) => typeof one === 'string')
              ? Uint32Array.from(spec.list('bodies').map((ref) => this.bodyOf(ref, spec.at('bodies')).id))
              : wholes(this.numbers(spec.get('bodies'), spec.at('bodies')), spec.at('bodies')),
        }
      : {};
    const join = spec.has('join') ? this.join(spec.inner('join', ['from', 'to'])) : {};
    return {...this.members('document_constraints', spec, ['bodies']), ...bodies, ...join};
  }

  // Pairs of particles: one after another, or each with the nearest of the other body.
  private join(spec: Spec): Document {
    const side = (name: string) => {
      const one = spec.inner(name, ['body', 'particles']);
      const body = this.find(one);
      this.unwelded(body, one.place);
      const particles = one.has('particles')
        ? selectInOrder(
            body.mesh,
            this.indices(one.get('particles'), one.at('particles')),
            one.at('particles'),
          )
        : null;
      return {body, particles};
    };
    const [from, to] = [side('from'), side('to')];
    if (!from.particles || (to.particles && to.particles.length !== from.particles.length))
      refuse(
        spec.place,
        `from must name particles, and to as many (${from.particles?.length ?? 0} and ${to.particles?.length ?? 0}), or none: then each is joined with the nearest of that body`,
      );
    const pairs = Array.from(from.particles, (particle, i) => [
      particle,
      to.particles
        ? to.particles[i]!
        : nearest(to.body.mesh, from.body.mesh.positions.subarray(3 * particle)),
    ]);
    return {
      bodies: Uint32Array.from(pairs.flatMap(() => [from.body.id, to.body.id])),
      particles: Uint32Array.from(pairs.flat()),
    };
  }

  private indices(value: Json | undefined, place: string): Json | undefined {
    return typeof value === 'string' && value.endsWith('.npy')
      ? Array.from(this.numbers(value, place))
      : value;
  }

  private unwelded(body: SceneBody, place: string): void {
    if (body.welded)
      refuse(place, "welding gives this body's particles other numbers: weld its mesh beforehand");
  }

  private motion(spec: Spec): Document {
    spec.check(fieldsOf('document_motion').map(({name}) => name));
    if (!spec.has('particles')) return this.members('document_motion', spec, []);
    if (!spec.has('body')) refuse(spec.at('body'), 'is missing: particles belong to a body');
    const body = this.find(spec);
    this.unwelded(body, spec.at('particles'));
    return {
      ...this.members('document_motion', spec, ['particles']),
      particles: this.selected(body.mesh, spec, 'particles'),
    };
  }
}

function wholes(numbers: Float64Array, place: string): Uint32Array {
  const wrong = numbers.findIndex((one) => !Number.isInteger(one) || one < 0 || one > 0xffffffff);
  if (wrong >= 0) refuse(place, `element ${wrong} is ${numbers[wrong]}; must be a whole number from 0`);
  return Uint32Array.from(numbers);
}

function nearest({positions}: SceneMesh, x: ArrayLike<number>): number {
  let [found, least] = [0, Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    let far = 0;
    for (let axis = 0; axis < 3; axis++) {
      const d = positions[i + axis]! - x[axis]!;
      far += d * d;
    }
    if (far < least) [found, least] = [i / 3, far];
  }
  return found;
}
