// Constraints: rest, compliance, damping, and the force that a single one exerts now.
import {useEffect, useState} from 'preact/hooks';

import {KINDS} from '../../../../lib/index.js';
import type {ConstraintFields, ConstraintRead, Told} from '../../../model/constraints.js';
import {constraintFields, rubs, slides, type Constraint, type ConstraintKind} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {bindingOf, worldKey, type Values} from '../../forms/binding.js';
import {Fixable} from '../../forms/fixed.js';
import {MethodForm, Section} from '../../forms/form.js';
import {NumberField} from '../../forms/number.js';
import {formatCount, formatMeasure} from '../../forms/numbers.js';
import {prettyName, prettyUnit} from '../../forms/units.js';
import {AnchorForm} from './anchor.js';
import {Facts, type Fact} from './facts.js';
import {LimitsField} from './limits.js';
import {wayFields} from './ways.js';

const READ_MS = 500;

export function ConstraintForm({ids, type}: {ids: readonly number[]; type: ConstraintKind}) {
  const {app} = useStudio();
  const [first = 0] = ids;
  const read = useConstraint(type, first);
  const others = useConstraints(type, ids);
  const all = ids.length > 1 ? others : read ? [read] : [];
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}constraints ${ids.join()}`,
    () => {
      const {constraints} = app.document;
      // The rest length of a seam changes by itself, so its table is old.
      return all.map((one) => ({
        ...valuesOf(one.more['rest_end'] === undefined ? (constraints.find(one.constraint) ?? one) : one),
        ...one.more,
      }));
    },
    ([patch]) => app.commands.setConstraints(ids, patch ?? {}),
  );
  const body = app.document.constraints.ownerOf(first)?.body;
  const facts: Fact[] = [['Type', prettyName(type)]];
  if (ids.length > 1) facts.push(['Selected', formatCount(ids.length)]);
  if (read && ids.length === 1) {
    facts.push(['Particles', namesOf(read)]);
    facts.push(['Belongs to', body ? body.name || `${body.kind} ${body.body}` : 'nothing else']);
    facts.push([
      'Force',
      `${formatMeasure(read.force)} ${prettyUnit(KINDS[type].force)}`,
      'λ/h² of the last substep; negative for a stretched distance.',
    ]);
    if (read.joint) {
      const unit = read.joint.what === 'hinge' ? 'rad' : 'm';
      facts.push(['Joint', read.joint.what]);
      facts.push([unit === 'rad' ? 'Angle' : 'Place', `${formatMeasure(read.joint.place)} ${unit}`]);
    }
    const left = Number(read.more['seconds'] ?? 0);
    if (left > 0) facts.push(['Rest comes to', `${formatMeasure(Number(read.more['rest_end']))} m in ${formatMeasure(left)} s`]);
    read.told.forEach(({name, values}) => facts.push(factOf(name, values)));
    if (KINDS[type].c === 'gap' || read.joint) {
      facts.push(['Holds', read.parted ? 'no, it has parted' : 'yes']);
    }
    if (read.longForce !== undefined) {
      facts.push([
        'With long edges',
        `${formatMeasure(read.force + read.longForce)} ${prettyUnit(KINDS[type].force)}`,
        'All that passes here: its force, and what long edges and tethers carry past it. Exact on ropes.',
      ]);
    }
  }
  const kinds = new Set(all.map(({joint}) => joint?.what));
  const joint = all[0]?.joint;
  const alike = joint && kinds.size === 1 ? joint.what : undefined;
  const motors = new Set(all.map(({more}) => String(more['motor'] ?? 'none')));
  const fields =
    type === 'joint'
      ? wayFields('joint', alike, motors.size === 1 ? [...motors][0] : 'target')
      : constraintFields(type).filter((name) => !SEAM.includes(name));
  const limit = (limits: readonly [number, number] | null) => {
    const pair = limits ?? [1, -1];
    const each = Float64Array.from({length: 2 * ids.length}, (_, i) => pair[i % 2] ?? 0);
    void said(app, app.commands.setConstraints(ids, {limits: each}));
  };
  return (
    <>
      <Facts facts={facts} />
      {alike && (
        <Fixable>
          <div class="form">
            <LimitsField type={alike} value={joint?.limits ?? null} onGive={limit} />
          </div>
        </Fixable>
      )}
      <MethodForm
        method="constraint.set"
        binding={binding}
        only={[...fields, ...(read?.parted ? ['mend'] : [])]}
        kindOf={() => type}
        names={{stiffness: 'PBD stiffness'}}
      />
      {read?.joint && ids.length === 1 && !read.parted && <AnchorForm id={first} type={read.joint.what} />}
      {type === 'join' && <Seam ids={ids} />}
    </>
  );
}

// Places of a join or joint that are not used repeat another particle.
function namesOf({bodies, particles}: ConstraintRead): string {
  const names = particles.map((particle, i) => [`${bodies[i] ?? 0}:${particle}`, `#${particle}`] as const);
  return [...new Map(names).values()].join(' ');
}

// Fields that constraint.set takes together alone: Seam has them.
export const SEAM: readonly string[] = ['rest_end', 'seconds'];

// A new rest length of joins that comes in a time: constraint.set takes both at once.
function Seam({ids}: {ids: readonly number[]}) {
  const {app} = useStudio();
  const [end, setEnd] = useState(0);
  const [seconds, setSeconds] = useState(2);
  const scale = (to: number) => ({kind: 'linear', from: 0, to, zero: true, integer: false}) as const;
  return (
    <Section name="Draw together" doc="The rest length goes evenly to another one." open={false}>
      <Fixable>
        <div class="form" data-part="seam">
          <NumberField name="To" unit="m" value={end} scale={scale(1)} onGive={setEnd} />
          <NumberField name="In" unit="s" value={seconds} scale={scale(20)} onGive={setSeconds} />
          <div class="button-row">
            <Button
              look="outlined"
              onClick={(event) =>
                void said(
                  app,
                  app.commands.setConstraints(ids, {rest_end: end, seconds} as unknown as Parameters<
                    typeof app.commands.setConstraints
                  >[1]),
                  event.currentTarget,
                )
              }
            >
              Draw together
            </Button>
          </div>
        </div>
      </Fixable>
    </Section>
  );
}

const TOLD_WORDS: Readonly<Record<Told['name'], readonly [string, string, string]>> = {
  side: ['First part of the rope', 'm', 'The part of the rest length between the first particle and the ring.'],
  along: ['Along the rail', 'segments', 'How far the ring is along its rail, from the first particle.'],
  end_forces: ['Pull behind the ring', 'N', 'The pull of the rope between the ring and the third particle.'],
  strains: ['Strains', '', 'Along the warp, along the weft, and the sine of the shear.'],
  tensions: ['Tensions', 'N/m', 'Along the warp, along the weft, and of the shear.'],
};

function factOf(name: Told['name'], values: readonly number[]): Fact {
  const [words, unit, doc] = TOLD_WORDS[name];
  return [words, `${values.map(formatMeasure).join(', ')} ${unit}`.trim(), doc];
}

// Of several, so many are compared.
const COMPARED = 256;

// Asked for when the selection changes, and after each edit.
function useConstraints(type: ConstraintKind, ids: readonly number[]): readonly ConstraintFields[] {
  const {app} = useStudio();
  const [read, setRead] = useState<readonly ConstraintFields[]>([]);
  const revision = app.document.revision.value;
  const several = ids.length > 1 ? ids.slice(0, COMPARED).join() : '';
  useEffect(() => {
    let over = false;
    if (several === '') return undefined;
    app.document.constraints
      .readAll(type, several.split(',').map(Number))
      .then((found) => {
        if (!over) setRead(found);
      })
      .catch(() => undefined); // shown elsewhere: the connection, or the world is gone
    return () => (over = true);
  }, [app, type, several, revision]);
  return read;
}

function valuesOf({type, rest, compliance, damping, stiffness, ratio, friction}: Constraint): Values {
  const given = {rest, compliance, damping, ...(stiffness >= 0 ? {stiffness} : {})};
  return {...given, ...(slides(type) ? {ratio} : {}), ...(rubs(type) ? {friction} : {})};
}

// Asked of the server twice a second, since a body's own constraints are not kept here and forces change all the time.
function useConstraint(type: ConstraintKind, id: number): ConstraintRead | null {
  const {app} = useStudio();
  const [read, setRead] = useState<ConstraintRead | null>(null);
  useEffect(() => {
    let over = false;
    const ask = () => {
      if (app.session.state.peek() !== 'open') return;
      app.document.constraints
        .read(type, id)
        .then((found) => {
          if (!over) setRead(found);
        })
        .catch(() => undefined); // shown elsewhere: the connection, or the world is gone
    };
    ask();
    const timer = setInterval(ask, READ_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [app, type, id]);
  return read?.constraint === id ? read : null;
}
