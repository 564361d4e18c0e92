// Everything that can be said of what is selected, and changed: a form for each kind of thing, live.
import {useRef} from 'preact/hooks';

import type {ThingKey} from '../../../model/edits.js';
import {CONSTRAINT_KINDS} from '../../../model/values.js';
import {IconButton} from '../../controls/button.js';
import {Icon, type IconName} from '../../controls/icons.js';
import {later} from '../../controls/later.js';
import {useStudio, whyFixed} from '../../context.js';
import {FixedForms} from '../../forms/fixed.js';
import {useKeptFocus} from '../../keys/focus.js';
import {bodyName, COLLIDER_ICONS, colliderName, FORCE_ICONS, forceName, personName, wordsFor} from '../../names.js';
import {isLocked, LookForm} from '../look.js';
import {BodyForm} from './body.js';
import {ColliderForm} from './collider.js';
import {ConstraintForm, ForceForm} from './late.js';
import {ParticleForm} from './particles.js';
import {WindForm, WorldForm} from './world.js';

// Fetched when something is selected.
const AlignForm = later(async () => (await import('./align.js')).AlignForm);

export function Inspector({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const {document, selection} = app;
  const selected = selection.selected.value;
  const nothing = selection.empty.value;
  const locked = document.readOnly.value === '' && isLocked(app, selected);
  const panel = useRef<HTMLElement>(null);
  useKeptFocus(panel, '.panel-body :is(button, input, select):not(:disabled, [tabindex="-1"])');
  const bodies = [...selected.bodies].flatMap((id) => document.bodies.value.get(id) ?? []);
  const colliders = [...selected.colliders].flatMap((id) => document.colliders.value.get(id) ?? []);
  const particles = selection.particleCount.value;
  const constraints = [...selected.constraints];
  const forces = [...selected.forces].flatMap((id) => document.forces.value.get(id) ?? []);
  const [body] = bodies;
  const [collider] = colliders;
  const [force] = forces;
  const single = bodies.length + colliders.length + forces.length === 1 && particles + constraints.length === 0;

  let title: string;
  let icon: IconName = 'points';
  if (nothing) [title, icon] = ['World', 'world'];
  else if (single && body) [title, icon] = [bodyName(body), body.kind];
  else if (single && collider) [title, icon] = [colliderName(collider), COLLIDER_ICONS[collider.kind]];
  else if (single && force) [title, icon] = [forceName(force), FORCE_ICONS[force.kind]];
  else {
    title = wordsFor({
      particles,
      constraints: constraints.length,
      bodies: bodies.length,
      colliders: colliders.length,
      forces: forces.length,
      wind: selected.wind,
    });
    icon =
      selected.wind && particles + constraints.length + bodies.length + colliders.length + forces.length === 0
        ? 'wind'
        : 'points';
  }
  const thing: ThingKey | undefined = nothing
    ? 'world'
    : single && body
      ? `body:${body.body}`
      : single && collider
        ? `collider:${collider.collider}`
        : single && force
          ? `force:${force.force}`
        : constraints.length === 1
          ? `constraint:${constraints[0]?.[0] ?? 0}`
          : undefined;

  return (
    <aside ref={panel} class="panel side inspector" aria-label="Inspector" tabIndex={-1}>
      <header class="panel-head">
        <span class="panel-icon">
          <Icon name={icon} />
        </span>
        <h2>{title}</h2>
        <IconButton icon="close" name="Close" hotkey="Esc" size="small" look="muted" onClick={onClose} />
      </header>
      <div class="panel-body scrolls">
        {document.readOnly.value !== '' && (
          <p class="edited-by" role="status">
            {whyFixed(app)}
          </p>
        )}
        {locked && (
          <p class="edited-by" role="status">
            Locked on this page. Unlock it below to change it.
          </p>
        )}
        {thing && <LastEdit thing={thing} />}
        <FixedForms.Provider value={document.readOnly.value !== '' || locked}>
          {nothing && <WorldForm />}
          {selected.wind && <WindForm />}
          {bodies.length > 0 && <BodyForm bodies={bodies} />}
          {particles > 0 && <ParticleForm />}
          {CONSTRAINT_KINDS.map((type) => {
            const ids = constraints.filter(([, kind]) => kind === type).map(([id]) => id);
            return ids.length > 0 && <ConstraintForm key={type} ids={ids} type={type} />;
          })}
          {colliders.length > 0 && <ColliderForm colliders={colliders} />}
          {bodies.length + colliders.length > 0 && particles === 0 && !document.looking.value && <AlignForm bodies={bodies} colliders={colliders} />}
          {forces.length > 0 && <ForceForm forces={forces} />}
        </FixedForms.Provider>
        {bodies.length + colliders.length > 0 && <LookForm selected={selected} />}
      </div>
    </aside>
  );
}

// Who changed this last, if it was somebody else.
function LastEdit({thing}: {thing: ThingKey}) {
  const {app} = useStudio();
  const edit = app.document.lastEdits.value.get(thing);
  // Of what is shown now; in the past the timeline says who did what.
  if (!edit || edit.mine || app.document.viewOf.value !== 0) return null;
  return (
    <p class="edited-by" role="status">
      Edited by <b>{personName(edit)}</b>
    </p>
  );
}
