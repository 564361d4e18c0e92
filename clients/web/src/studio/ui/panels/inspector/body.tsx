// Bodies: their materials, for one or for all that are selected, and what they consist of.
import {useState} from 'preact/hooks';

import type {Outcome} from '../../../model/outcome.js';
import {CONSTRAINT_KINDS, type Body} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {useStudio} from '../../context.js';
import {bindingOf, worldKey, type Values} from '../../forms/binding.js';
import {MethodForm, Section} from '../../forms/form.js';
import {formatCount} from '../../forms/numbers.js';
import {prettyName, type Kind} from '../../forms/units.js';
import {Facts, type Fact} from './facts.js';
import {parseRanges} from './ranges.js';

export function BodyForm({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const [body] = bodies;
  if (!body) return null;
  const ids = bodies.map(({body: id}) => id);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}bodies ${ids.join()}`,
    () => app.document.bodies.value.get(body.body) as unknown as Values,
    async (patch) => {
      let last: Outcome<unknown> = {ok: true, result: null};
      for (const id of ids) {
        last = await app.commands.setBody(id, patch);
        if (!last.ok) break;
      }
      return last;
    },
  );
  const except = [
    ...(bodies.length > 1 ? ['name'] : []),
    ...(body.bend.model === 'none' || body.kind !== 'cloth' ? ['bend'] : []),
    ...(body.kind === 'soft' ? [] : ['volume']),
    ...(body.kind === 'points' ? ['stretch'] : []),
  ];
  return (
    <>
      <MethodForm
        method="body.set"
        binding={binding}
        except={except}
        kindOf={(path) => kindOfMaterial(path, body)}
        fixed={(path) => path === 'bend.model'}
        names={{
          'stretch.stiffness': 'PBD stiffness',
          'bend.stiffness': 'PBD stiffness',
          'volume.stiffness': 'PBD stiffness',
        }}
      />
      {bodies.length === 1 && <ParticlePicker body={body} />}
      <Section name="About" open={false}>
        <Facts facts={factsOf(bodies)} />
      </Section>
    </>
  );
}

export function kindOfMaterial(
  path: string,
  body: {readonly bend?: {readonly model?: string}},
): Kind | undefined {
  if (path.startsWith('stretch')) return 'distance';
  if (path.startsWith('volume')) return 'volume';
  const model = body.bend?.model;
  return model === 'dihedral' || model === 'isometric' ? model : 'quadratic';
}

function factsOf(bodies: readonly Body[]): Fact[] {
  const sum = (of: (body: Body) => number) => bodies.reduce((total, body) => total + of(body), 0);
  const facts: Fact[] = [
    ['Particles', formatCount(sum((body) => body.particles))],
    ['Pinned', formatCount(sum((body) => body.pins.length))],
  ];
  const triangles = sum((body) => (body.topology?.triangles.length ?? 0) / 3);
  const tets = sum((body) => (body.topology?.tets.length ?? 0) / 4);
  if (triangles > 0) facts.push(['Triangles', formatCount(triangles)]);
  if (tets > 0) facts.push(['Tetrahedra', formatCount(tets)]);
  const skins = sum((body) => (body.topology?.skin?.particles.length ?? 0) / 4);
  if (skins > 0) facts.push(['Vertices of the skin', formatCount(skins)]);
  for (const kind of CONSTRAINT_KINDS) {
    const count = sum((body) => body.constraints[kind].count);
    if (count > 0) facts.push([`${prettyName(kind)} constraints`, formatCount(count)]);
  }
  return facts;
}

// Selects particles by their numbers, for those who work without a pointer or know what they want.
function ParticlePicker({body}: {body: Body}) {
  const {app} = useStudio();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const pick = (particles: ArrayLike<number>) => {
    app.selection.selectParticles(body.body, particles);
    setText('');
  };
  return (
    <form
      class="field vector"
      onSubmit={(event) => {
        event.preventDefault();
        const particles = parseRanges(text, body.particles);
        setWrong(typeof particles === 'string' ? particles : '');
        if (typeof particles !== 'string') pick(particles);
      }}
    >
      <label class="name" for="pick-particles" data-tip="Numbers from 0, and ranges: 0, 5-9; or all.">
        Particles
      </label>
      <span class="with-button">
        <input
          id="pick-particles"
          class="input"
          autoComplete="off"
          placeholder="0, 5-9, all"
          value={text}
          aria-invalid={wrong ? true : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" look="outlined">
          Select
        </Button>
        {body.pins.length > 0 && (
          <Button look="outlined" onClick={() => pick(body.pins)}>
            Pinned
          </Button>
        )}
      </span>
      {wrong && (
        <div class="note">
          <span class="refused" role="alert">
            {wrong}
          </span>
        </div>
      )}
    </form>
  );
}
