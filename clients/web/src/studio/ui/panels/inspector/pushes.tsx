// Forces on selected particles, and clamps of rods.
import {useState} from 'preact/hooks';

import {METHODS} from '../../../../lib/index.js';
import type {Selected} from '../../../model/selection.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {inTurn} from '../../forms/binding.js';
import {Fixable} from '../../forms/fixed.js';
import {Section} from '../../forms/form.js';
import {NumberField, VectorField} from '../../forms/number.js';

const NEWTONS = {kind: 'linear', from: -10, to: 10, zero: true, integer: false} as const;
const SECONDS = {kind: 'linear', from: 0, to: 20, zero: true, integer: false} as const;

function docOf(method: 'body.force' | 'particle.pin', name: string): string {
  return METHODS[method].params.find((field) => field.name === name)?.doc ?? '';
}

// body.force on each selected particle, of all bodies that have any.
export function Pushes() {
  const {app} = useStudio();
  const [force, setForce] = useState<readonly number[]>([0, 1, 0]);
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  const push = (vector: readonly number[], event: Event) => {
    const groups = [...app.selection.selected.peek().particles];
    const calls = groups.map(
      ([body, particles]) =>
        () =>
          app.commands.call('body.force', {
            body,
            particles,
            force: [vector[0] ?? 0, vector[1] ?? 0, vector[2] ?? 0],
            ...(seconds ? {seconds} : {}),
          }),
    );
    void said(app, inTurn(calls), event.currentTarget as Element);
  };
  return (
    <Section name="Push" doc="A force on each selected particle." open={false}>
      <Fixable>
        <div class="form" data-part="push">
          <VectorField
            name="Force on each"
            doc={docOf('body.force', 'force')}
            unit="N"
            value={force}
            scale={NEWTONS}
            onGive={setForce}
            onRevert={() => undefined}
          />
          <NumberField
            name="For"
            doc={docOf('body.force', 'seconds')}
            unit="s"
            value={seconds}
            placeholder="until changed"
            scale={SECONDS}
            onGive={setSeconds}
            onEmpty={() => setSeconds(undefined)}
            onRevert={() => setSeconds(undefined)}
          />
          <div class="button-row">
            <Button look="outlined" onClick={(event) => push(force, event)}>
              Push
            </Button>
            <Button look="outlined" onClick={(event) => push([0, 0, 0], event)}>
              End the force
            </Button>
          </div>
        </div>
      </Fixable>
    </Section>
  );
}

// particle.pin with clamp: pins that hold the direction of a rod, and turn with a collider that they follow.
export function Clamps({selected}: {selected: Selected}) {
  const {app} = useStudio();
  const [collider] = selected.colliders.size === 1 ? selected.colliders : [];
  const rods = [...selected.particles].filter(([body]) => app.document.bodies.value.get(body)?.rod);
  const pin = (more: {clamp: boolean; clamp_turns?: boolean; collider?: number}) => (event: Event) =>
    void said(
      app,
      inTurn(rods.map(([body, particles]) => () => app.commands.call('particle.pin', {body, particles, ...more}))),
      event.currentTarget as Element,
    );
  return (
    <Section name="Clamp" doc={docOf('particle.pin', 'clamp')}>
      <Fixable>
        <div class="button-row" data-part="clamp">
          <Button look="outlined" onClick={pin({clamp: true})}>
            Clamp
          </Button>
          <Button look="outlined" onClick={pin({clamp: false})}>
            Let it turn
          </Button>
          {collider !== undefined && (
            <Button look="outlined" onClick={pin({clamp: true, clamp_turns: true, collider})}>
              Clamp to the collider
            </Button>
          )}
        </div>
      </Fixable>
    </Section>
  );
}
