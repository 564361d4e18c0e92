// The world's settings, and its wind.
import {useStudio} from '../../context.js';
import {bindingOf, worldKey, type Values} from '../../forms/binding.js';
import {MethodForm, Section} from '../../forms/form.js';
import {formatCount, formatNumber} from '../../forms/numbers.js';
import {Facts} from './facts.js';
import {SurfacesForm} from './late.js';

export function useWorldBinding() {
  const {app} = useStudio();
  const {document, commands} = app;
  return bindingOf(
    worldKey(document.name.value),
    () => [document.settings.value as unknown as Values],
    ([patch]) => commands.setWorld(patch ?? {}),
  );
}

export function WorldForm() {
  const {app} = useStudio();
  const {document} = app;
  const settings = document.settings.value;
  const particles = [...document.bodies.value.values()].reduce((sum, body) => sum + body.particles, 0);
  return (
    <>
      <MethodForm method="world.set" binding={useWorldBinding()} />
      <Section
        name="Surfaces"
        doc="Friction and bounce where two surfaces meet, in place of what both things have."
        open={settings.surfaces.length > 0}
      >
        <SurfacesForm />
      </Section>
      <Section name="About" open={false}>
        <Facts
          facts={[
            ['Ticks per second', String(settings.tick_rate), 'Fixed for the life of a world.'],
            [
              'Substep',
              `${formatNumber(1000 / (settings.tick_rate * settings.substeps), 3)} ms`,
              'h = 1/(tick rate × substeps)',
            ],
            [
              'Resolution',
              `${formatNumber(settings.resolution, 3)} m`,
              'Smallest step of a position; fixed for the life of a world.',
            ],
            ['Particles', formatCount(particles)],
            ['Revision', formatCount(document.revision.value), 'Number of edits so far.'],
          ]}
        />
      </Section>
    </>
  );
}

export function WindForm() {
  return (
    <div class="one-section">
      <MethodForm method="world.set" only={['wind']} binding={useWorldBinding()} />
    </div>
  );
}
