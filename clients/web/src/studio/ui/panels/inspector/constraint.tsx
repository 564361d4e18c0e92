// Constraints: rest, compliance, damping, and the force that a single one exerts now.
import {useEffect, useState} from 'preact/hooks';

import {KINDS} from '../../../../lib/index.js';
import type {ConstraintRead} from '../../../model/constraints.js';
import {constraintFields, rubs, slides, type Constraint, type ConstraintKind} from '../../../model/values.js';
import {useStudio} from '../../context.js';
import {bindingOf, worldKey, type Values} from '../../forms/binding.js';
import {MethodForm} from '../../forms/form.js';
import {formatCount, formatMeasure} from '../../forms/numbers.js';
import {prettyName, prettyUnit} from '../../forms/units.js';
import {Facts, type Fact} from './facts.js';

const READ_MS = 500;

export function ConstraintForm({ids, type}: {ids: readonly number[]; type: ConstraintKind}) {
  const {app} = useStudio();
  const [first = 0] = ids;
  const read = useConstraint(type, first);
  const others = useConstraints(type, ids);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}constraints ${ids.join()}`,
    () => {
      const {constraints} = app.document;
      if (ids.length > 1) return others.map((one) => valuesOf(constraints.find(one.constraint) ?? one));
      return read ? [{...valuesOf(constraints.find(first) ?? read), ...read.joint?.values}] : [];
    },
    ([patch]) => app.commands.setConstraints(ids, patch ?? {}),
  );
  const body = app.document.constraints.ownerOf(first)?.body;
  const facts: Fact[] = [['Type', prettyName(type)]];
  if (ids.length > 1) facts.push(['Selected', formatCount(ids.length)]);
  if (read && ids.length === 1) {
    facts.push(['Particles', read.particles.map((particle) => `#${particle}`).join(' ')]);
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
  return (
    <>
      <Facts facts={facts} />
      <MethodForm
        method="constraint.set"
        binding={binding}
        only={[...constraintFields(type), ...(read?.parted ? ['mend'] : [])]}
        kindOf={() => type}
        names={{stiffness: 'PBD stiffness'}}
      />
    </>
  );
}

// Of several, so many are compared.
const COMPARED = 256;

// Asked for when the selection changes, and after each edit.
function useConstraints(type: ConstraintKind, ids: readonly number[]): readonly Constraint[] {
  const {app} = useStudio();
  const [read, setRead] = useState<readonly Constraint[]>([]);
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
