// The anchors of a joint by numbers, in the world as it is now.
import {useEffect, useMemo, useState} from 'preact/hooks';

import type {Field} from '../../../../lib/index.js';
import {moveAnchors, readAnchors, type Anchors} from '../../../model/jointmove.js';
import type {JointType} from '../../../model/joints.js';
import type {Vec3} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {Draft} from '../../forms/binding.js';
import {Fixable} from '../../forms/fixed.js';
import {FieldsForm, Section} from '../../forms/form.js';

const HELD: Field = {name: 'anchor', type: 'vec3', unit: 'm', doc: 'Where the joint holds both sides.'};
const APART: readonly Field[] = [
  {name: 'first', type: 'vec3', unit: 'm', doc: 'Where the joint holds the piece.'},
  {name: 'second', type: 'vec3', unit: 'm', doc: 'Where it holds the other side. A particle is its own anchor.'},
];

export function AnchorForm({id, type}: {id: number; type: JointType}) {
  const {app} = useStudio();
  const draft = useMemo(() => new Draft({}), [id]);
  const [known, setKnown] = useState<Anchors | null>(null);
  const [busy, setBusy] = useState(false);
  const revision = app.document.revision.value;
  const apart = type === 'distance';
  const look = async () => {
    const read = await readAnchors(app, id);
    if (read.ok) setKnown(read.result);
    return read.ok ? read.result : null;
  };
  useEffect(() => {
    let over = false;
    readAnchors(app, id)
      .then((read) => {
        if (over || !read.ok || !read.result) return;
        const {first, second} = read.result;
        setKnown(read.result);
        draft.values.value = apart ? {first, second} : {anchor: first};
      })
      .catch(() => undefined); // shown elsewhere: the connection, or the world is gone
    return () => (over = true);
  }, [app, id, revision]);
  if (app.document.looking.value || !known) return null;
  const apply = async (near: Element) => {
    const values = draft.values.peek() as unknown as Partial<Record<'anchor' | 'first' | 'second', Vec3>>;
    setBusy(true);
    // It may have moved since it was shown: what is between the anchors stays.
    const now = (await look()) ?? known;
    const first = (apart ? values.first : values.anchor) ?? now.first;
    const second = apart
      ? (values.second ?? now.second)
      : (now.second.map((x, axis) => x + first[axis]! - now.first[axis]!) as unknown as Vec3);
    const asked = moveAnchors(app, id, {first, second});
    if (await said(app, asked, near)) {
      const moved = await asked;
      if (moved.ok && moved.result) app.selection.select([{kind: 'constraint', constraint: moved.result, type: 'joint'}]);
    }
    setBusy(false);
  };
  return (
    <Section name="Anchor" open={false} doc="Where the joint holds, in the world as it is now. Its angle or place is 0 there.">
      <FieldsForm fields={apart ? APART : [HELD]} binding={draft} />
      <Fixable>
        <Button
          look="outlined"
          disabled={busy || draft.held.value.size > 0}
          onClick={(event) => void apply(event.currentTarget as Element)}
        >
          Move the anchor
        </Button>
      </Fixable>
    </Section>
  );
}
