// How the picture is drawn, as far as a person may choose: its light, what is behind it, and the turntable.
import {BACKGROUNDS, LIGHTS, type Background, type Light} from '../../model/viewstate.js';
import {useStudio} from '../context.js';
import {ChoiceField, Segments, Switch} from '../forms/choice.js';

const LIGHT_NAMES: Readonly<Record<Light, string>> = {auto: 'Automatic', best: 'Best', plain: 'Simple'};
const BACKGROUND_NAMES: Readonly<Record<Background, string>> = {
  theme: 'Studio',
  white: 'White',
  black: 'Black',
  sky: 'Sky',
  none: 'Transparent when saved',
};

export function PictureChoices() {
  const {app} = useStudio();
  const {light, background, turntable} = app.viewState;
  return (
    <>
      <div class="menu-heading">Picture</div>
      <div class="inset">
        <Segments
          label="Light and materials"
          values={LIGHTS}
          names={LIGHT_NAMES}
          value={light.value}
          onGive={(value) => (light.value = value as Light)}
        />
        <ChoiceField
          label="Background"
          doc="What is behind the world. If it is transparent, pictures that you save have nothing there."
          values={BACKGROUNDS}
          names={BACKGROUND_NAMES}
          value={background.value}
          onGive={(value) => (background.value = value as Background)}
        />
      </div>
      <Switch
        label="Turntable"
        doc="The camera goes round slowly. It stops when you touch the picture."
        on={turntable.value}
        onGive={(on) => (turntable.value = on)}
      />
    </>
  );
}
