// Bodies: their materials, for one or for all that are selected, and what they consist of.
import {useEffect, useState} from 'preact/hooks';

import type {Point} from '../../../model/commands.js';
import {isObstacle} from '../../../model/obstacle.js';
import {CONSTRAINT_KINDS, type Body, type ConstraintKind} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {bindingOf, inTurn, worldKey, type Binding, type Values} from '../../forms/binding.js';
import {MaterialChoice} from '../../forms/choice.js';
import {Fixable} from '../../forms/fixed.js';
import {MethodForm, PartForm, Section} from '../../forms/form.js';
import {materialOf, nameOfMaterial, type TetMesh} from '../../forms/materials.js';
import {NumberField} from '../../forms/number.js';
import {formatCount} from '../../forms/numbers.js';
import {prettyName} from '../../forms/units.js';
import {bendingFacts, pressureFacts, shapeFacts} from '../convergence.js';
import {Facts, type Fact} from './facts.js';
import {Connect} from './late.js';
import {PlaceForm} from './place.js';
import {parseRanges} from './ranges.js';

// How bodies meet themselves and each other, apart from what they are made of.
const CONTACT = ['self_contact', 'contact_group', 'contact_mask', 'friction', 'friction_kinetic', 'restitution', 'surface'] as const;

export function BodyForm({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const [body] = bodies;
  if (!body) return null;
  const ids = bodies.map(({body: id}) => id);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}bodies ${ids.join()}`,
    () => bodies as unknown as readonly Values[],
    (patches) => inTurn(patches.map((patch, i) => () => app.commands.setBody(ids[i] ?? 0, patch))),
  );
  // A rigid body of one piece can be joined as it is.
  const rigid = bodies.every(({kind, particles}) => kind === 'rigid' && particles === 1);
  const pieces = rigid && app.selection.particleCount.value === 0 ? ids.map((id) => ({body: id, particle: 0})) : null;
  // What they have in common; bending goes by its model, and so do its units.
  const bends = bodies.every(({kind, bend}) => kind === 'cloth' && bend.model === body.bend.model);
  // Nothing of the material of an obstacle counts.
  const still = bodies.every(isObstacle);
  const except = [
    ...(bodies.length > 1 ? ['name'] : []),
    ...(still ? ['stretch', 'bend', 'volume', 'solid', 'tear'] : []),
    ...CONTACT,
    'pressure',
    'wind',
    ...(bends && body.bend.model !== 'none' ? [] : ['bend']),
    ...(bodies.every(({kind, solid}) => kind === 'soft' && !solid) ? [] : ['volume']),
    ...(bodies.every(({solid}) => solid) ? [] : ['solid']),
    ...(bodies.some(({kind, solid, rod}) => kind === 'points' || kind === 'rigid' || solid || rod) ? ['stretch'] : []),
    ...(bodies.every(({tear}) => tear) ? [] : ['tear']),
  ];
  // Where bending goes by another model than the table's, it stays as it is.
  const partsOf = (one: Body, name: string) => {
    const {density: _, bend, ...parts} = materialOf(one.kind, name, tetsOf(one)) ?? {};
    const {model: __, ...bending} = (bend ?? {}) as Values;
    return {...parts, ...(one.bend.model === 'quadratic' && bend ? {bend: bending} : {})};
  };
  const named = bodies.map((one) => {
    const {stretch, bend, volume} = one;
    return nameOfMaterial(one.kind, {stretch, bend, volume} as unknown as Values, tetsOf(one));
  });
  return (
    <>
      {!still && bodies.every(({kind, solid, rod, stretch}) => kind === body.kind && !solid && !rod && !stretch.model) && (
        <Fixable>
          <MaterialChoice
            kind={body.kind}
            woven={false}
            value={named.every((name) => name === named[0]) ? named[0] : undefined}
            onGive={(name) =>
              void said(
                app,
                inTurn(bodies.map((one) => () => app.commands.setBody(one.body, partsOf(one, name)))),
              )
            }
          />
        </Fixable>
      )}
      <MethodForm
        method="body.set"
        binding={binding}
        except={except}
        kindOf={(path) => kindOfMaterial(path, body)}
        fixed={(path) => FIXED.includes(path)}
        hidden={(path) => ELSEWHERE.includes(path) || bodies.some(({stretch}) => !fits(path, stretch.model === 'orthotropic'))}
        names={{
          'stretch.stiffness': 'Stretch: PBD stiffness',
          'bend.stiffness': 'Bend: PBD stiffness',
          'volume.stiffness': 'Volume: PBD stiffness',
        }}
      />
      <Section name="Contact" doc="Whether it collides with itself and other bodies.">
        <MethodForm method="body.set" binding={binding} only={CONTACT} />
      </Section>
      {!still && <Behaviour bodies={bodies} binding={binding} />}
      <PlaceForm bodies={bodies} />
      {pieces && <Joining pieces={pieces} />}
      {bodies.length === 1 && <ParticlePicker body={body} />}
      <Section name="About" open={false}>
        <About bodies={bodies} />
      </Section>
    </>
  );
}

// Shows the sections that only bodies which move have.
function Behaviour({bodies, binding}: {bodies: readonly Body[]; binding: Binding}) {
  return (
    <>
      {bodies.every(({kind}) => kind === 'cloth') && <Inside bodies={bodies} />}
      {bodies.every(({bend}) => bend.model === 'dihedral') && <Folds bodies={bodies} binding={binding} />}
      {bodies.every(({solid}) => solid) && <Dents bodies={bodies} binding={binding} />}
      <Forces bodies={bodies} />
      {bodies.every(({kind}) => kind === 'cloth' || kind === 'soft') && <Air bodies={bodies} />}
      <Shape bodies={bodies} binding={binding} />
    </>
  );
}

// Joints of rigid bodies. Their handles are in the place of those of the bodies, so they come when they are asked for.
function Joining({pieces}: {pieces: readonly Point[]}) {
  const [open, setOpen] = useState(false);
  if (open) return <Connect points={pieces} />;
  return (
    <Fixable>
      <div class="button-row">
        <Button icon="connect" look="outlined" onClick={() => setOpen(true)}>
          Add a joint
        </Button>
      </div>
    </Fixable>
  );
}

// Gas or a kept volume inside a closed surface. Whether a surface is closed the server knows, and says so if it is not.
function Inside({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  const ids = bodies.map(({body}) => body);
  // Another overpressure or ratio comes in that time.
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}pressures ${ids.join()}`,
    () => bodies as unknown as readonly Values[],
    (patches) =>
      inTurn(
        patches.map((patch, i) => () => {
          const pressure = patch['pressure'] as Values;
          const goes = 'overpressure' in pressure || 'ratio' in pressure;
          return app.commands.setBody(ids[i] ?? 0, {pressure: goes && seconds ? {...pressure, seconds} : pressure});
        }),
      ),
  );
  const give = (pressure: Values) =>
    void said(app, inTurn(bodies.map(({body}) => () => app.commands.setBody(body, {pressure}))));
  const some = bodies.some(({pressure}) => pressure);
  const gas = bodies.some(({pressure}) => pressure?.model === 'gas');
  const kept = bodies.some(({pressure}) => pressure?.model === 'volume');
  // The server refuses the fields of the other law, buttons choose the model, and the time is no state.
  const hidden = ['model', 'now', 'seconds', ...(gas ? ['ratio', 'compliance'] : []), ...(kept ? ['overpressure', 'ambient'] : [])];
  return (
    <Section name="Pressure" doc="Gas or a kept volume inside a closed surface." open={some}>
      <Fixable>
        {some && (
          <PartForm
            method="body.set"
            part="pressure"
            binding={binding}
            hidden={(path) => hidden.includes(path.slice('pressure.'.length))}
          />
        )}
        {some && (
          <NumberField
            name="In"
            doc="In what time another overpressure or ratio comes, evenly."
            unit="s"
            value={seconds}
            placeholder="at once"
            scale={{kind: 'linear', from: 0, to: 20, zero: true, integer: false}}
            onGive={setSeconds}
            onEmpty={() => setSeconds(undefined)}
            onRevert={() => setSeconds(undefined)}
          />
        )}
        <div class="button-row">
          {!(some && !kept) && (
            <Button look="outlined" onClick={() => give({model: 'gas', overpressure: 1000})}>
              Fill with gas
            </Button>
          )}
          {!(some && !gas) && (
            <Button look="outlined" onClick={() => give({model: 'volume'})}>
              Keep the volume
            </Button>
          )}
          {some && (
            <Button look="outlined" onClick={() => give({model: 'none'})}>
              Let it out
            </Button>
          )}
        </div>
      </Fixable>
    </Section>
  );
}

// Gravities of single bodies, and a force on each as a whole.
function Forces({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const ids = bodies.map(({body}) => body);
  const key = `${worldKey(app.document.name.value)}forces ${ids.join()}`;
  const now = () => bodies as unknown as readonly Values[];
  const falls = bindingOf(key, now, (patches) =>
    inTurn(patches.map((patch, i) => () => app.commands.setBody(ids[i] ?? 0, patch))),
  );
  const pushes = bindingOf(`${key} pushes`, now, (patches) =>
    inTurn(patches.map((patch, i) => () => app.commands.force(ids[i] ?? 0, patch['force'] as readonly number[]))),
  );
  const own = bodies.some(({gravity}) => gravity);
  return (
    <Section name="Forces" doc="Gravity of its own, and a force on the body." open={own || bodies.some(({force}) => force)}>
      <Fixable>
        <MethodForm method="body.add" binding={falls} only={['gravity']} />
        <MethodForm method="body.force" binding={pushes} only={['force']} />
        {own && (
          <div class="button-row">
            <Button
              look="outlined"
              onClick={() => void said(app, inTurn(ids.map((id) => () => app.commands.setBody(id, {gravity: []}))))}
            >
              Fall as the world says
            </Button>
          </div>
        )}
      </Fixable>
    </Section>
  );
}

// Coefficients in the air. A patch says one of them, and an edit both.
function Air({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const ids = bodies.map(({body}) => body);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}airs ${ids.join()}`,
    () => bodies as unknown as readonly Values[],
    (patches) =>
      inTurn(
        patches.map((patch, i) => () =>
          app.commands.setBody(ids[i] ?? 0, {wind: {...bodies[i]?.wind, ...(patch['wind'] as Values)}}),
        ),
      ),
  );
  const own = bodies.some(({wind}) => wind);
  return (
    <Section name="Air" doc="Coefficients of drag and lift of its own." open={own}>
      <Fixable>
        <PartForm method="body.set" part="wind" binding={binding} />
        {own && (
          <div class="button-row">
            <Button
              look="outlined"
              onClick={() => void said(app, inTurn(ids.map((id) => () => app.commands.setBody(id, {wind: {}}))))}
            >
              Feel it as the world says
            </Button>
          </div>
        )}
      </Fixable>
    </Section>
  );
}

// Shape matching: particles are drawn to the shape at rest. Buttons choose the model, and the present shape.
function Shape({bodies, binding}: {bodies: readonly Body[]; binding: Binding}) {
  const {app} = useStudio();
  const some = bodies.some(({shape}) => shape);
  const each = (patch: Values) => (event: Event) =>
    void said(app, inTurn(bodies.map(({body}) => () => app.commands.setBody(body, patch))), event.currentTarget as Element);
  return (
    <Section name="Shape" doc="Draws particles to the shape at rest, as a whole or by regions." open={some}>
      <Fixable>
        {some && (
          <PartForm
            method="body.set"
            part="shape"
            binding={binding}
            hidden={(path) => ['shape.model', 'shape.positions'].includes(path)}
          />
        )}
        <div class="button-row">
          <Button look="outlined" onClick={each({shape: {model: some ? 'none' : 'rigid'}})}>
            {some ? 'Let it go' : 'Hold the shape'}
          </Button>
          {some && (
            <Button look="outlined" onClick={each({rest_shape: {angles: false}})}>
              Keep this shape
            </Button>
          )}
        </div>
      </Fixable>
    </Section>
  );
}

// Folds that stay: by creases that plastic bending leaves, or those that cloths have at present.
function Folds({bodies, binding}: {bodies: readonly Body[]; binding: Binding}) {
  const {app} = useStudio();
  const some = bodies.some(({bend}) => bend.plastic);
  const each = (patch: Values) => (event: Event) =>
    void said(app, inTurn(bodies.map(({body}) => () => app.commands.setBody(body, patch))), event.currentTarget as Element);
  return (
    <Section name="Folds" doc="Creases that stay after bending." open={some}>
      <Fixable>
        {some && <PartForm method="body.set" part="bend.plastic" binding={binding} />}
        <div class="button-row">
          <Button look="outlined" onClick={each({bend: {plastic: {rate: some ? 0 : PLASTIC_RATE}}})}>
            {some ? 'Make it elastic' : 'Let it crease'}
          </Button>
          <Button look="outlined" onClick={each({rest_shape: {}})}>
            Keep these folds
          </Button>
        </div>
      </Fixable>
    </Section>
  );
}

// Dents that stay: solids that flow where they are strained.
function Dents({bodies, binding}: {bodies: readonly Body[]; binding: Binding}) {
  const {app} = useStudio();
  const some = bodies.some(({solid}) => solid?.plastic);
  const each = (patch: Values) => (event: Event) =>
    void said(app, inTurn(bodies.map(({body}) => () => app.commands.setBody(body, patch))), event.currentTarget as Element);
  return (
    <Section name="Dents" doc="Dents that stay after it was pressed." open={some}>
      <Fixable>
        {some && <PartForm method="body.set" part="solid.plastic" binding={binding} />}
        <div class="button-row">
          <Button look="outlined" onClick={each({solid: {plastic: {rate: some ? 0 : PLASTIC_RATE}}})}>
            {some ? 'Make it elastic' : 'Let it dent'}
          </Button>
        </div>
      </Fixable>
    </Section>
  );
}

// 1/s: a fold or a dent is there at once, as by default.
const PLASTIC_RATE = 1000;

// Creases and dents have sections of their own, there is one model of solids, and room for tears is given once.
const ELSEWHERE = ['bend.plastic', 'solid.plastic', 'solid.model', 'tear.most'];

// Said when a body is added, and kept.
const FIXED = ['bend.model', 'stretch.model', 'stretch.direction', 'stretch.angle'];

// Fields of body.add that no form shows for such a body: those of another model, creases and dents, which bodies get once they are
// there, and times of a pressure.
export function isUnfit(path: string, kind: Body['kind'], stretchModel: unknown): boolean {
  if (path === 'stretch.model') return kind !== 'cloth';
  const later = ['bend.plastic', 'solid.plastic', 'solid.model', 'pressure.seconds', 'pressure.now'];
  return later.includes(path) || !fits(path, stretchModel === 'orthotropic');
}

// Whether a stretch of this model has the field.
function fits(path: string, fabric: boolean): boolean {
  const fabrics = ['model', 'warp', 'weft', 'shear', 'poisson', 'direction', 'angle']
    .map((name) => `stretch.${name}`)
    .concat('bend.warp', 'bend.weft', 'bend.bias');
  return fabric ? path !== 'stretch.compliance' && path !== 'stretch.stiffness' : !fabrics.includes(path);
}

function About({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  useEffect(() => app.convergence.watch(), [app]);
  const ids = bodies.map(({body}) => body);
  return (
    <Facts
      facts={[
        ...factsOf(bodies),
        ...bendingFacts(app.convergence.bodies.value, ids),
        ...pressureFacts(app.convergence.pressures.value, ids),
        ...shapeFacts(app.convergence.shapes.value, ids),
      ]}
    />
  );
}

function tetsOf({topology}: Body): TetMesh | undefined {
  return topology && topology.tets.length > 0 ? {positions: topology.rest, tets: topology.tets} : undefined;
}

export function kindOfMaterial(
  path: string,
  body: {readonly bend?: {readonly model?: string}; readonly stretch?: {readonly model?: string}},
): ConstraintKind | undefined {
  if (path.startsWith('stretch')) return body.stretch?.model === 'orthotropic' ? 'orthotropic' : 'distance';
  if (path.startsWith('volume')) return 'volume';
  if (path.startsWith('solid')) return 'neo_hookean';
  const model = body.bend?.model;
  return model === 'dihedral' || model === 'isometric' ? model : 'quadratic';
}

function factsOf(bodies: readonly Body[]): Fact[] {
  const sum = (of: (body: Body) => number) => bodies.reduce((total, body) => total + of(body), 0);
  const facts: Fact[] = [
    ['Particles', formatCount(sum((body) => body.particles))],
    ['Pinned', formatCount(sum((body) => body.pins.length))],
  ];
  const triangles = sum((body) => (body.topology?.triangles.length ?? 0) / 3);
  const tets = sum((body) => (body.topology?.tets.length ?? 0) / 4);
  if (triangles > 0) facts.push(['Triangles', formatCount(triangles)]);
  if (tets > 0) facts.push(['Tetrahedra', formatCount(tets)]);
  const skins = sum((body) => (body.topology?.skin?.particles.length ?? 0) / 4);
  if (skins > 0) facts.push(['Skin vertices', formatCount(skins)]);
  for (const kind of CONSTRAINT_KINDS) {
    const count = sum((body) => body.constraints[kind].count);
    if (count > 0) facts.push([`${prettyName(kind)} constraints`, formatCount(count)]);
  }
  return facts;
}

// Selects particles by their numbers, for those who work without a pointer or know what they want.
function ParticlePicker({body}: {body: Body}) {
  const {app} = useStudio();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const pick = (particles: ArrayLike<number>) => {
    app.selection.selectParticles(body.body, particles);
    setText('');
  };
  return (
    <form
      class="field vector"
      onSubmit={(event) => {
        event.preventDefault();
        const particles = parseRanges(text, body.particles);
        setWrong(typeof particles === 'string' ? particles : '');
        if (typeof particles !== 'string') pick(particles);
      }}
    >
      <label class="name" for="pick-particles" data-tip="Numbers from 0, and ranges: 0, 5-9; or all.">
        Particles
      </label>
      <span class="with-button">
        <input
          id="pick-particles"
          class="input"
          autoComplete="off"
          placeholder="0, 5-9, all"
          value={text}
          aria-invalid={wrong ? true : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" look="outlined">
          Select
        </Button>
        {body.pins.length > 0 && (
          <Button look="outlined" onClick={() => pick(body.pins)}>
            Pinned
          </Button>
        )}
      </span>
      {wrong && (
        <div class="note">
          <span class="refused" role="alert">
            {wrong}
          </span>
        </div>
      )}
    </form>
  );
}
