// Particles: where they are, how fast and how heavy, pins, and constraints between them.
import {useEffect, useState} from 'preact/hooks';

import {KINDS, METHODS, type Field} from '../../../../lib/index.js';
import type {Point} from '../../../model/commands.js';
import {
  CONSTRAINT_KINDS,
  constraintFields,
  constraintValues,
  rubs,
  slides,
  type ConstraintKind,
  type Vec3,
} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {errorWords, plainWords} from '../../errors.js';
import {Draft} from '../../forms/binding.js';
import {ChoiceField} from '../../forms/choice.js';
import {Fixable} from '../../forms/fixed.js';
import {MethodForm, Section} from '../../forms/form.js';
import {live} from '../../forms/live.js';
import {NumberField, VectorField} from '../../forms/number.js';
import {formatCount} from '../../forms/numbers.js';
import {scaleOf} from '../../forms/scale.js';
import {prettyName, prettyUnit} from '../../forms/units.js';
import {bodyName} from '../../names.js';
import {chained, edgesOf, lengthOf, orderFor, railed, ringed, type Stencil} from './stencil.js';

const READ_MS = 200;

// Where the selected particles are drawn, read a few times a second.
function usePlaces(points: readonly Point[]): (Vec3 | null)[] {
  const {app} = useStudio();
  const [, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setBeat((beat) => beat + 1), READ_MS);
    const release = app.frames.want('exact');
    return () => {
      clearInterval(timer);
      release();
    };
  }, []);
  return points.map(({body, particle}) => {
    const drawn = app.view?.drawn(body);
    return drawn && 3 * particle + 2 < drawn.length
      ? [drawn[3 * particle] ?? 0, drawn[3 * particle + 1] ?? 0, drawn[3 * particle + 2] ?? 0]
      : null;
  });
}

const NAMED = 4;

export function ParticleForm() {
  const {app} = useStudio();
  const {selection, document, commands} = app;
  const selected = selection.selected.value;
  const total = selection.particleCount.value;
  const groups = [...selected.particles];
  const few: Point[] = groups
    .flatMap(([body, particles]) =>
      Array.from(particles.subarray(0, NAMED), (particle) => ({body, particle})),
    )
    .slice(0, NAMED);
  const places = usePlaces(few);
  const [only] = groups;
  const [collider] = selected.colliders;
  return (
    <>
      <ul class="about-list">
        {groups.map(([id, particles]) => {
          const body = document.bodies.value.get(id);
          const pins = new Set(body?.pins);
          const pinned = particles.reduce((sum, particle) => sum + (pins.has(particle) ? 1 : 0), 0);
          const soft = new Set(body?.pins.filter((_, at) => body.softness[at] !== 0));
          const softly = particles.reduce((sum, particle) => sum + (soft.has(particle) ? 1 : 0), 0);
          return (
            <li key={id}>
              <span class="grow">{body ? bodyName(body) : `Body ${id}`}</span>
              <span class="faint numeric">
                {particles.length <= NAMED ? `#${[...particles].join(', #')}` : formatCount(particles.length)}
                {pinned > 0 ? ` · ${pinned} pinned` : ''}
                {softly > 0 ? `, ${softly} softly` : ''}
              </span>
            </li>
          );
        })}
      </ul>
      <Fixable>
        <div class="button-row">
          <Button
            icon="pin"
            look="outlined"
            onClick={(event) => void said(app, commands.pinSelected(selected), event.currentTarget)}
          >
            Pin
          </Button>
          {collider !== undefined && selected.colliders.size === 1 && (
            <Button
              icon="pin"
              look="outlined"
              onClick={(event) => void said(app, commands.pinSelectedTo(selected, collider), event.currentTarget)}
            >
              Pin to the collider
            </Button>
          )}
          <Button
            icon="unpin"
            look="outlined"
            onClick={(event) => void said(app, commands.unpinSelected(selected), event.currentTarget)}
          >
            Unpin
          </Button>
        </div>
        {only && groups.length === 1 && (
          <Values
            key={`${only[0]} ${total} ${few[0]?.particle}`}
            body={only[0]}
            particles={only[1]}
            place={total === 1 ? (places[0] ?? null) : null}
          />
        )}
      </Fixable>
      <SoftPins />
      {total >= 2 && <Connect total={total} />}
    </>
  );
}

function field(name: string, method: 'particle.set' | 'particle.pin' = 'particle.set'): Field {
  const found = METHODS[method].params.find((one) => one.name === name);
  if (!found) throw new Error(`${method} has no ${name}`);
  return found;
}

// particle.pin with a compliance, a distance or both, for all selected particles.
function SoftPins() {
  const {app} = useStudio();
  const [compliance, setCompliance] = useState<number | undefined>(0.01);
  const [distance, setDistance] = useState<number | undefined>(undefined);
  const step = {kind: 'linear', from: 0, to: 1, zero: true, integer: false} as const;
  const spring = scaleOf(field('compliance', 'particle.pin'));
  const softness = {
    ...(compliance === undefined ? {} : {compliance}),
    ...(distance === undefined ? {} : {distance}),
  };
  return (
    <Section name="Pin softly">
      <Fixable>
        <div class="form" data-part="soft-pins">
          <NumberField
            name="Compliance"
            doc={field('compliance', 'particle.pin').doc}
            unit="m/N"
            value={compliance}
            placeholder="no spring"
            scale={spring}
            onGive={(value) => setCompliance(value)}
            onEmpty={() => setCompliance(undefined)}
            onRevert={() => setCompliance(undefined)}
          />
          <NumberField
            name="Distance"
            doc={field('distance', 'particle.pin').doc}
            unit="m"
            value={distance}
            placeholder="no limit"
            scale={step}
            onGive={(value) => setDistance(value)}
            onEmpty={() => setDistance(undefined)}
            onRevert={() => setDistance(undefined)}
          />
          <Button
            icon="pin"
            look="outlined"
            onClick={(event) =>
              void said(
                app,
                app.commands.pinSelectedSoftly(app.selection.selected.peek(), softness),
                event.currentTarget,
              )
            }
          >
            Pin softly
          </Button>
        </div>
      </Fixable>
    </Section>
  );
}

// particle.set: the values of one particle, or one for all of them.
function Values({body, particles, place}: {body: number; particles: Uint32Array; place: Vec3 | null}) {
  const {app} = useStudio();
  const each = (values: readonly number[]) =>
    Float64Array.from({length: values.length * particles.length}, (_, i) => values[i % values.length] ?? 0);
  const [position] = useState(() =>
    live<readonly number[]>(() => (v) => app.commands.setParticles(body, particles, {positions: each(v)})),
  );
  const [velocity] = useState(() =>
    live<readonly number[]>(() => (v) => app.commands.setParticles(body, particles, {velocities: each(v)})),
  );
  const [weight] = useState(() =>
    live<number>(() => (v) => app.commands.setParticles(body, particles, {inverse_masses: v as never})),
  );
  const masses = app.document.bodies.value.get(body)?.topology?.masses;
  const mass = masses?.[particles[0] ?? 0];
  const mixed = particles.some((particle) => masses?.[particle] !== mass);
  const note = (error: {text: string} | null) =>
    error ? (
      <span class="refused" role="alert">
        {plainWords(app, error.text)}
      </span>
    ) : undefined;
  const step = {kind: 'linear', from: -5, to: 5, zero: true, integer: false} as const;
  const inverse = field('inverse_masses');
  return (
    <div class="form">
      {place && (
        <VectorField
          name="Position"
          doc={field('positions').doc}
          unit="m"
          value={position.draft.value ?? place.map((x) => Number(x.toFixed(4)))}
          scale={step}
          invalid={position.error.value !== null}
          note={note(position.error.value)}
          onGive={(value) => position.give(value)}
          onRevert={() => position.forget()}
        />
      )}
      <VectorField
        name="Velocity"
        doc={`${field('velocities').doc} It is set once; the world goes on from there.`}
        unit="m/s"
        value={velocity.draft.value}
        scale={step}
        invalid={velocity.error.value !== null}
        note={note(velocity.error.value)}
        onGive={(value) => velocity.give(value)}
        onRevert={() => velocity.forget()}
      />
      <NumberField
        name="Inverse mass"
        doc={inverse.doc}
        unit={prettyUnit(inverse.unit)}
        value={weight.draft.value ?? (mass === undefined || mixed ? undefined : mass > 0 ? 1 / mass : 0)}
        placeholder={mixed ? 'mixed' : undefined}
        scale={scaleOf(inverse)}
        invalid={weight.error.value !== null}
        note={note(weight.error.value)}
        onGive={(value) => weight.give(value)}
        onRevert={() => weight.forget()}
      />
    </div>
  );
}

// Kinds that connect two particles each time: here a join has a point on each side, and a joint a piece and a particle.
function isPair(kind: ConstraintKind): boolean {
  return KINDS[kind].particles === 2 || KINDS[kind].c === 'gap' || kind === 'joint';
}

// constraint.add between the selected particles.
function Connect({total}: {total: number}) {
  const {app} = useStudio();
  const {selection, document} = app;
  const selected = selection.selected.value;
  // All of them only where they are joined: there may be half a million, and this is drawn again and again.
  const pointsUpTo = (most: number): Point[] =>
    [...selected.particles]
      .flatMap(([body, particles]) =>
        Array.from(particles.subarray(0, most), (particle) => ({body, particle})),
      )
      .slice(0, most);
  const points = pointsUpTo(NAMED);
  const [chosen, setChosen] = useState<ConstraintKind>('distance');
  const [edge, setEdge] = useState('');
  const [ring, setRing] = useState('');
  const [draft] = useState(() => new Draft({}));
  const kinds = CONSTRAINT_KINDS.filter((kind) => isPair(kind) || KINDS[kind].particles === total);
  const kind = kinds.includes(chosen) ? chosen : 'distance';
  const places = usePlaces(isPair(kind) ? points.slice(0, 2) : points);
  const bends = KINDS[kind].part === 'bend';
  const stencils: Stencil[] = bends ? edgesOf(points, places, document.bodies.value) : [];
  const stencil = stencils.find(({key}) => key === edge) ?? stencils[0];
  // A selection is sorted by bodies, so it cannot say which of three particles is the ring.
  const keyOf = ({body, particle}: Point) => `${body}:${particle}`;
  // A ring on a rail is mostly of another body than the rail.
  const alone = (point: Point) => !slides(kind) && points.filter(({body}) => body === point.body).length === 1;
  const through = rubs(kind)
    ? (points.find((point) => keyOf(point) === ring) ?? points.find(alone) ?? points[1])
    : undefined;
  const nameOf = ({body, particle}: Point) => {
    const found = selected.particles.size > 1 ? document.bodies.value.get(body) : undefined;
    return found ? `${bodyName(found)} #${particle}` : `#${particle}`;
  };
  const error = draft.refused.value;

  const ordered = (): readonly Point[] => {
    if (isPair(kind)) return chained(pointsUpTo(total));
    if (bends) return stencil?.points ?? points;
    if (!through) return orderFor(points, places);
    return slides(kind) ? ringed(points, through) : railed(points, through);
  };
  const add = async () => {
    const values = constraintValues(kind, draft.values.peek()) as Record<string, number>;
    const done = await app.commands.addConstraint(kind, ordered(), values);
    draft.refused.value = done.ok ? null : done.error;
    if (done.ok)
      app.notices.info(
        done.result.constraints.length === 1
          ? 'A constraint was added.'
          : `${done.result.constraints.length} constraints were added.`,
      );
  };

  const length = isPair(kind) && total === 2 ? lengthOf(places) : null;
  return (
    <Section name="Add a constraint">
      <Fixable>
        <form
          data-part="connect"
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <ChoiceField
            label="Type"
            doc="Distances and joins connect each particle with the next. A slide needs three: the ring, and the ends of the rope. A slide on a rail needs the ring, and the first and the last particle of the rail, which are of one body. The others need four."
            values={kinds}
            value={kind}
            onGive={(value) => setChosen(value as ConstraintKind)}
          />
          {bends && stencil && (
            <ChoiceField
              label="Edge"
              doc="The two particles that the triangles share; the others are the wings."
              values={stencils.map(({key}) => key)}
              names={Object.fromEntries(stencils.map(({key, words}) => [key, words]))}
              value={stencil.key}
              onGive={setEdge}
            />
          )}
          {through && (
            <ChoiceField
              label="Ring"
              doc="The particle that the rope runs through, or that slides on the rail; the others are its ends."
              values={points.map(keyOf)}
              names={Object.fromEntries(points.map((point) => [keyOf(point), nameOf(point)]))}
              value={keyOf(through)}
              onGive={setRing}
            />
          )}
          <MethodForm
            method="constraint.add"
            binding={draft}
            only={constraintFields(kind)}
            kindOf={() => kind}
            names={{stiffness: 'PBD stiffness'}}
          />
          {length !== null && <p class="faint row-note">Now {length.toPrecision(4)} m apart.</p>}
          {error && draft.error(error.field ?? '') === undefined && (
            <p class="refused row-note" role="alert">
              {errorWords(app, error)}
            </p>
          )}
          <Button type="submit" icon="connect" look="primary" disabled={draft.held.value.size > 0}>
            {isPair(kind) && total > 2
              ? `Add ${formatCount(total - 1)} ${prettyName(kind).toLowerCase()}s`
              : `Add ${prettyName(kind).toLowerCase()}`}
          </Button>
        </form>
      </Fixable>
    </Section>
  );
}
