// Rows of surfaces: what holds between two of them. Bodies and colliders say the name of theirs.
import {useState} from 'preact/hooks';

import {TYPES} from '../../../../lib/index.js';
import type {SurfacePair} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {TextField} from '../../forms/choice.js';
import {Fixable} from '../../forms/fixed.js';
import {Section} from '../../forms/form.js';
import {NumberField} from '../../forms/number.js';

// As many as the server takes.
const MOST = 64;
const FRICTION = {kind: 'linear', from: 0, to: 2, zero: true, integer: false} as const;
const RESTITUTION = {kind: 'linear', from: 0, to: 1, zero: true, integer: false} as const;

function docOf(name: string): string {
  return TYPES.surface_pair.fields.find((field) => field.name === name)?.doc ?? '';
}

const VALUES = [
  {name: 'friction', label: 'Friction', scale: FRICTION},
  {name: 'friction_kinetic', label: 'Friction kinetic', scale: FRICTION},
  {name: 'restitution', label: 'Restitution', scale: RESTITUTION},
] as const;

// A row as the server takes it: a value that is undefined is left out.
function without(row: SurfacePair, name: (typeof VALUES)[number]['name']): SurfacePair {
  const {[name]: _, ...rest} = row;
  return rest;
}

function saysNothing(row: SurfacePair): boolean {
  return VALUES.every(({name}) => row[name] === undefined);
}

function Row({row, onGive}: {row: SurfacePair; onGive: (row: SurfacePair, by: Element | null) => void}) {
  const give = (next: SurfacePair) => onGive(next, document.activeElement);
  return (
    <>
      <TextField name="Between" doc={docOf('one')} value={row.one} onGive={(one) => give({...row, one: one.trim()})} />
      <TextField name="And" doc={docOf('other')} value={row.other} onGive={(other) => give({...row, other: other.trim()})} />
      {VALUES.map(({name, label, scale}) => (
        <NumberField
          key={name}
          name={label}
          doc={docOf(name)}
          value={row[name]}
          placeholder="their own"
          scale={scale}
          onGive={(value) => give({...row, [name]: value})}
          onEmpty={() => give(without(row, name))}
        />
      ))}
    </>
  );
}

export function SurfacesForm() {
  const {app} = useStudio();
  const rows = app.document.settings.value.surfaces;
  // A row that is not the world's yet, since it has not both of its names.
  const [draft, setDraft] = useState<SurfacePair | null>(null);
  const send = (next: readonly SurfacePair[], by: Element | null) =>
    said(app, app.commands.setWorld({surfaces: next.map((row) => ({...row}))}), by ?? document.body);
  const change = (at: number, row: SurfacePair, by: Element | null) =>
    void send(saysNothing(row) ? rows.filter((_, i) => i !== at) : rows.map((old, i) => (i === at ? row : old)), by);
  const begin = (row: SurfacePair, by: Element | null) => {
    setDraft(row);
    if (row.one === '' || row.other === '' || saysNothing(row)) return;
    void send([...rows, row], by).then((taken) => {
      if (taken) setDraft(null);
    });
  };
  const title = (row: SurfacePair) => `${row.one || '…'} and ${row.other || '…'}`;
  return (
    <Fixable>
      <div class="form" data-part="surfaces">
        {rows.map((row, at) => (
          <Section key={`${row.one}\n${row.other}`} name={title(row)} open={rows.length < 4}>
            <Row row={row} onGive={(next, by) => change(at, next, by)} />
            <div class="button-row">
              <Button
                look="outlined"
                onClick={(event) => void send(rows.filter((_, i) => i !== at), event.currentTarget as Element)}
              >
                Remove this pair
              </Button>
            </div>
          </Section>
        ))}
        {draft && (
          <Section name="New pair">
            <Row row={draft} onGive={begin} />
          </Section>
        )}
        <div class="button-row">
          {draft ? (
            <Button look="outlined" onClick={() => setDraft(null)}>
              Leave the new pair out
            </Button>
          ) : (
            <Button
              look="outlined"
              disabled={rows.length >= MOST}
              onClick={() => setDraft({one: '', other: '', friction: 0.5})}
            >
              Add a pair
            </Button>
          )}
        </div>
      </div>
    </Fixable>
  );
}
