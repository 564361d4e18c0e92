// Particles: where they are, how fast and how heavy, pins, and constraints between them.
import {useState} from 'preact/hooks';

import {METHODS, type Field} from '../../../../lib/index.js';
import type {Point} from '../../../model/commands.js';
import type {Vec3} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {plainWords} from '../../errors.js';
import {Fixable} from '../../forms/fixed.js';
import {Section} from '../../forms/form.js';
import {live} from '../../forms/live.js';
import {NumberField, VectorField} from '../../forms/number.js';
import {formatCount} from '../../forms/numbers.js';
import {scaleOf} from '../../forms/scale.js';
import {prettyUnit} from '../../forms/units.js';
import {bodyName} from '../../names.js';
import {Clamps, Connect, Pushes} from './late.js';
import {pointsOf, usePlaces} from './places.js';

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
  const rods = groups.some(([body]) => document.bodies.value.get(body)?.rod);
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
      <Pushes />
      {rods && <Clamps selected={selected} />}
      <Connect points={pointsOf(selected)} />
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
