// The view options for physical fields: colours, arrows, streaks, and connections and pushes.
import {FIELD_LOOKS, isColoured, type FieldLook} from '../../model/viewstate.js';
import {useStudio} from '../context.js';
import {ChoiceField, Switch} from '../forms/choice.js';
import {FIELD_NAMES} from './fieldlegend.js';

export function FieldMenu() {
  const {viewState} = useStudio().app;
  const {overlays} = viewState;
  return (
    <>
      <div class="menu-heading">Fields</div>
      <div class="inset">
        <ChoiceField
          label="Colour bodies by"
          doc="Strain, stress, speed, contact, or whether they sleep. A legend tells what the colours stand for."
          values={FIELD_LOOKS}
          names={{...FIELD_NAMES, off: 'Nothing'}}
          value={overlays.field.value}
          onGive={(value) => {
            overlays.field.value = value as FieldLook;
            // Bodies have one colour at a time.
            if (value !== 'off' && isColoured(overlays.constraints.peek())) overlays.constraints.value = 'off';
          }}
        />
      </div>
      <Switch
        label="Forces as arrows"
        doc="Grabs, forces on bodies, what constraints that were added by hand pull with, and what hard pins hold."
        on={overlays.arrows.value}
        onGive={(on) => (overlays.arrows.value = on)}
      />
      <Switch
        label="Air as streaks"
        doc="The wind with its gusts, and winds and fans among the fields of force."
        on={overlays.streaks.value}
        onGive={(on) => (overlays.streaks.value = on)}
      />
      <Switch
        label="Connections"
        doc="Constraints that were added by hand: joins, ropes through rings, rails, joints."
        on={overlays.links.value}
        onGive={(on) => (overlays.links.value = on)}
      />
      <Switch
        label="Fields of force"
        on={overlays.forces.value}
        onGive={(on) => (overlays.forces.value = on)}
      />
    </>
  );
}
