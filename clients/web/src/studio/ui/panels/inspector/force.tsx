// Fields of force: place, shape and strength of one or of several, and the bodies that one acts on.
import type {ForceField} from '../../../model/forcefields.js';
import {useStudio} from '../../context.js';
import {bindingOf, inTurn, worldKey, type Values} from '../../forms/binding.js';
import {Switch} from '../../forms/choice.js';
import {PartForm, Section} from '../../forms/form.js';
import {bodyName, FORCES} from '../../names.js';
import {Facts} from './facts.js';
import {FORCE_NAMES, isUnread, STRENGTH_UNITS} from './forcewords.js';

// As many bodies as a field can name.
const BODIES_MOST = 16;

export function ForceForm({forces}: {forces: readonly ForceField[]}) {
  const {app} = useStudio();
  const [first] = forces;
  if (!first) return null;
  const ids = forces.map(({force}) => force);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}forces ${ids.join()}`,
    () => forces.map((field) => ({field})) as unknown as readonly Values[],
    (patches) =>
      inTurn(patches.map((patch, i) => () => app.commands.setForce(ids[i] ?? 0, patch['field'] as Values as never))),
  );
  const several = forces.length > 1;
  return (
    <>
      <Facts facts={several ? [] : [['Kind', FORCES[first.kind]]]} />
      <PartForm
        method="force.set"
        part="field"
        binding={binding}
        hidden={(path) =>
          forces.some(({kind}) => isUnread(path, kind)) || (several && path === 'field.position')
        }
        names={FORCE_NAMES}
        units={{'field.strength': STRENGTH_UNITS[first.kind]}}
      />
      {!several && <ActsOn field={first} />}
    </>
  );
}

function ActsOn({field}: {field: ForceField}) {
  const {app} = useStudio();
  const bodies = [...app.document.bodies.value.values()].slice(0, 4 * BODIES_MOST);
  const chosen = new Set(field.bodies);
  const give = (ids: readonly number[]) =>
    void app.commands
      .setForce(field.force, {bodies: Uint32Array.from(ids)})
      .then((done) => done.ok || app.notices.error(done.error));
  return (
    <Section name="Acts on" open={chosen.size > 0}>
      <div class="form">
        <Switch label="All bodies" on={chosen.size === 0} onGive={() => give([])} />
        {bodies.map((body) => (
          <Switch
            key={body.body}
            label={bodyName(body)}
            on={chosen.has(body.body)}
            disabled={!chosen.has(body.body) && chosen.size >= BODIES_MOST}
            onGive={(on) =>
              give(on ? [...chosen, body.body] : [...chosen].filter((id) => id !== body.body))
            }
          />
        ))}
      </div>
    </Section>
  );
}
