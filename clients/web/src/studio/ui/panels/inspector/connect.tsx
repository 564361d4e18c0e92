// Connects what is selected: constraint.add in every way in which so many particles, or pieces of rigid bodies, can be
// connected (ways.ts). A joint has an anchor and an axis, which handles in the picture place.
import {useEffect, useMemo, useState} from 'preact/hooks';

import {KINDS, METHODS} from '../../../../lib/index.js';
import type {Point} from '../../../model/commands.js';
import {JOINT_TYPES, type JointType} from '../../../model/joints.js';
import {slides, type ConstraintKind, type Fields, type Vec3} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {useStudio} from '../../context.js';
import {errorWords} from '../../errors.js';
import {Draft} from '../../forms/binding.js';
import {ChoiceField, Segments} from '../../forms/choice.js';
import {Fixable} from '../../forms/fixed.js';
import {MethodForm, Section} from '../../forms/form.js';
import {NumberField, VectorField} from '../../forms/number.js';
import {formatCount} from '../../forms/numbers.js';
import {bodyName} from '../../names.js';
import {LimitsField} from './limits.js';
import {placeOf, usePlaces} from './places.js';
import {chained, edgesOf, lengthOf, orderFor, railed, ringed, type Stencil} from './stencil.js';
import {
  isPair,
  isRing,
  jointed,
  keyOf,
  kindOf,
  onSurface,
  pieceOf,
  secondSide,
  sewing,
  sidesOf,
  surfacesFor,
  wayFields,
  wayName,
  wayNoun,
  waysFor,
  weightsOf,
  welded,
  type JointMade,
  type Made,
  type Way,
} from './ways.js';

const NAMED = 6;
const NEAR = {kind: 'linear', from: -5, to: 5, zero: true, integer: false} as const;
const SHARE = {kind: 'linear', from: 0, to: 1, zero: true, integer: false} as const;
// A seam that nobody said more of closes in this time.
const SEAM = {rest_end: 0, seconds: 2};

export function Connect({points}: {points: readonly Point[]}) {
  const {app} = useStudio();
  const {document} = app;
  const bodies = document.bodies.value;
  const few = points.slice(0, NAMED);
  const [chosen, setChosen] = useState<Way>('distance');
  const [edge, setEdge] = useState('');
  const [ring, setRing] = useState('');
  const [surface, setSurface] = useState('');
  const [typed, setTyped] = useState<{readonly key: string; readonly weights: readonly number[]} | null>(null);
  const [draft] = useState(() => new Draft({}));
  const places = usePlaces(few);
  const key = points.map(keyOf).join();
  const ways = useMemo(() => waysFor(points, bodies), [key, bodies]);
  const way = ways.includes(chosen) ? chosen : (ways[0] ?? 'distance');
  const joints = useJoint(points, places, draft, ways.length > 0 && way === 'joint');
  if (ways.length === 0) return null;
  const at = (point: Point) => placeOf(app, point);

  const bends = !(way === 'joint') && KINDS[kindOf(way)].part === 'bend';
  const stencils: Stencil[] = bends ? edgesOf(few, places, bodies) : [];
  const stencil = stencils.find((one) => one.key === edge) ?? stencils[0];
  // A selection is sorted by bodies, so it cannot say which of three particles is the ring.
  // A ring on a rail is mostly of another body than the rail.
  const alone = (point: Point) =>
    !slides(way as ConstraintKind) && few.filter(({body}) => body === point.body).length === 1;
  const through = isRing(way)
    ? (few.find((point) => keyOf(point) === ring) ?? few.find(alone) ?? few[1])
    : undefined;
  const several = new Set(points.map(({body}) => body)).size > 1;
  const nameOf = ({body, particle}: Point) => {
    const found = several ? bodies.get(body) : undefined;
    return found ? `${bodyName(found)} #${particle}` : `#${particle}`;
  };
  const surfaces = way === 'join_surface' || way === 'weld' ? surfacesFor(points, bodies) : [];
  const to = surfaces.find(({body}) => String(body) === surface) ?? surfaces[0];
  const single = way === 'join_point' && !several;
  const sides = way === 'join_point' ? sidesOf(points, ring) : null;
  const order = sides ? [...sides[0], ...sides[1]].map(keyOf).join() : '';
  const weights = sides ? (typed?.key === order ? typed.weights : weightsOf(sides, at)) : [];
  const error = draft.refused.value;

  const make = (): Made | null => {
    const drawn = to && app.view?.drawn(to.body);
    const plain = (list: readonly Point[]): Made => ({type: kindOf(way), points: list, extra: {}});
    if (way === 'joint') return joints.made ? jointed(points, bodies, at, joints.made) : null;
    if (way === 'join_surface') return to && drawn ? onSurface(points, to, drawn, at) : null;
    if (way === 'weld') return to && drawn ? welded(points, to, drawn, at) : null;
    if (way === 'sewing') return sewing(points, bodies, at);
    if (way === 'join_point') {
      if (!sides) return null;
      const extra = {sides: Uint32Array.of(sides[0].length, sides[1].length), weights: Float64Array.from(weights)};
      return {type: 'join', points: [...sides[0], ...sides[1]], extra};
    }
    if (isPair(way)) return plain(chained(points));
    if (bends) return plain(stencil?.points ?? points);
    if (through) return plain(slides(way) ? ringed(few, through) : railed(few, through));
    return plain(orderFor(points, places));
  };
  const add = async () => {
    const made = make();
    if (!made || made.points.length === 0) {
      app.notices.info(way === 'joint' ? NOT_JOINED : 'Nothing there can be connected in this way.');
      return;
    }
    const fields = wayFields(way, joints.type, String(draft.values.peek()['motor'] ?? 'none'));
    const given = Object.entries(draft.values.peek()).filter(([name]) => fields.includes(name));
    const values: Fields = {...(way === 'sewing' ? SEAM : {}), ...Object.fromEntries(given), ...made.extra};
    const done = await app.commands.addConstraint(made.type, made.points, values as Record<string, number>);
    draft.refused.value = done.ok ? null : done.error;
    if (!done.ok) return;
    const {constraints} = done.result;
    app.notices.info(
      constraints.length === 1 ? 'A constraint was added.' : `${constraints.length} constraints were added.`,
    );
    if (made.type === 'joint') {
      app.selection.select(Array.from(constraints, (id) => ({kind: 'constraint', constraint: id, type: 'joint'}) as const));
    }
  };

  const length = isPair(way) && points.length === 2 ? lengthOf(places) : null;
  return (
    <Section name="Add a constraint">
      <Fixable>
        <form
          data-part="connect"
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <ChoiceField
            label="Type"
            doc={TYPE_DOC}
            values={ways}
            names={Object.fromEntries(ways.map((one) => [one, wayName(one)]))}
            value={way}
            onGive={(value) => setChosen(value as Way)}
          />
          {bends && stencil && (
            <ChoiceField
              label="Edge"
              doc="The two particles that the triangles share; the others are the wings."
              values={stencils.map((one) => one.key)}
              names={Object.fromEntries(stencils.map((one) => [one.key, one.words]))}
              value={stencil.key}
              onGive={setEdge}
            />
          )}
          {(through || single) && (
            <ChoiceField
              label={single ? 'Point' : 'Ring'}
              doc={
                single
                  ? 'The particle that is joined; the others are the edge or triangle.'
                  : 'The particle that the rope runs through, or that slides on the rail; the others are its ends.'
              }
              values={few.map(keyOf)}
              names={Object.fromEntries(few.map((point) => [keyOf(point), nameOf(point)]))}
              value={through ? keyOf(through) : keyOf(sides?.[0][0] ?? few[0] ?? {body: 0, particle: 0})}
              onGive={setRing}
            />
          )}
          {to && (
            <ChoiceField
              label="To"
              doc="The body on whose surface each selected particle is held, at the nearest place."
              values={surfaces.map(({body}) => String(body))}
              names={Object.fromEntries(surfaces.map((one) => [String(one.body), bodyName(one)]))}
              value={String(to.body)}
              onGive={setSurface}
            />
          )}
          {sides &&
            [...sides[0], ...sides[1]].map((point, i) => (
              <NumberField
                key={`${order} ${i}`}
                name={`Weight of ${nameOf(point)}`}
                doc="Where on its edge or triangle the point lies. The weights of each side add up to 1."
                value={Number((weights[i] ?? 0).toFixed(4))}
                scale={SHARE}
                onGive={(value) => setTyped({key: order, weights: weights.map((one, k) => (k === i ? value : one))})}
                onRevert={() => setTyped(null)}
              />
            ))}
          {way === 'joint' && <JointFields {...joints} />}
          <MethodForm
            method="constraint.add"
            binding={draft}
            only={wayFields(way, joints.type, String(draft.values.value['motor'] ?? 'none'))}
            kindOf={() => kindOf(way)}
            names={{stiffness: 'PBD stiffness'}}
          />
          {way === 'sewing' && <p class="faint row-note">It closes in 2 s, unless you say otherwise.</p>}
          {length !== null && <p class="faint row-note">Now {length.toPrecision(4)} m apart.</p>}
          {error && draft.error(error.field ?? '') === undefined && (
            <p class="refused row-note" role="alert">
              {errorWords(app, error)}
            </p>
          )}
          <Button type="submit" icon="connect" look="primary" disabled={draft.held.value.size > 0}>
            {isPair(way) && points.length > 2
              ? `Add ${formatCount(points.length - 1)} ${wayNoun(way)}s`
              : `Add ${wayNoun(way)}`}
          </Button>
        </form>
      </Fixable>
    </Section>
  );
}

const NOT_JOINED =
  'A joint needs a piece of a rigid body, and one other particle, piece, triangle or segment of a rod, or the world.';
const TYPE_DOC =
  'Distances and joins connect each particle with the next. A slide needs three: the ring, and the ends of the rope. ' +
  'A slide on a rail needs the ring, and the first and the last particle of the rail, which are of one body. ' +
  'Sewing needs two rims. A joint needs a piece of a rigid body. The others need four.';

interface JointState {
  readonly type: JointType;
  readonly world: boolean;
  // Whether there is something else than the world.
  readonly other: boolean;
  readonly made: JointMade | null;
  readonly setType: (type: JointType) => void;
  readonly setWorld: (world: boolean) => void;
  readonly setAnchor: (anchor: Vec3) => void;
  readonly setAxis: (axis: Vec3) => void;
  readonly setLimits: (limits: readonly [number, number] | null) => void;
}

// The part of a joint's form beside the plain fields of constraint.add. The picture shows it, and its handles change it.
function useJoint(points: readonly Point[], places: readonly (Vec3 | null)[], draft: Draft, on: boolean): JointState {
  const {app} = useStudio();
  const bodies = app.document.bodies.value;
  const key = points.map(keyOf).join();
  const [type, setType] = useState<JointType>('hinge');
  const [world, setWorld] = useState(false);
  const [anchor, setAnchor] = useState<{readonly key: string; readonly at: Vec3} | null>(null);
  const [axis, setAxis] = useState<Vec3>([0, 1, 0]);
  const [limits, setLimits] = useState<readonly [number, number] | null>(null);
  const piece = pieceOf(points, bodies);
  const others = points.filter((point) => point !== piece);
  const other = others.length > 0 && secondSide(others, bodies, type) !== null;
  const alone = world || !other;
  const own = piece && places[points.indexOf(piece)];
  const second = others.length > 0 ? places[points.indexOf(others[0] as Point)] : null;
  const placed = anchor?.key === key ? anchor.at : ((alone ? own : (second ?? own)) ?? null);
  const made = placed ? {type, world: alone, anchor: placed, axis, limits: type === 'fixed' ? null : limits} : null;
  const shown = on && placed !== null;
  const told = JSON.stringify(made);
  useEffect(() => {
    const {draftJoint} = app.viewState;
    draftJoint.value = shown && made
      ? {
          ...made,
          give: (part) => {
            if (part.anchor) setAnchor({key, at: part.anchor});
            if (part.axis) setAxis(part.axis);
          },
        }
      : null;
  }, [app, shown, told, key]);
  useEffect(() => () => void (app.viewState.draftJoint.value = null), [app]);
  return {
    type,
    world: alone,
    other,
    made,
    setType: (next) => {
      setType(next);
      setLimits(null);
      draft.forget('motor');
    },
    setWorld,
    setAnchor: (next) => setAnchor({key, at: next}),
    setAxis,
    setLimits,
  };
}

function docOf(name: string): string {
  return METHODS['constraint.add'].params.find((field) => field.name === name)?.doc ?? '';
}

function JointFields({type, world, other, made, setType, setWorld, setAnchor, setAxis, setLimits}: JointState) {
  const {viewState} = useStudio().app;
  const tidy = (p: Vec3 | undefined) => p?.map((x) => Number(x.toFixed(4)));
  return (
    <>
      <ChoiceField
        label="Joint"
        doc={docOf('joint')}
        values={JOINT_TYPES}
        value={type}
        onGive={(value) => setType(value as JointType)}
      />
      <ChoiceField
        label="Joined to"
        doc="What holds the piece: the world, or what else is selected. Fixed joints, hinges and sliders need the world, another piece, or a segment of a rod: a particle at which it begins or ends, or both of its ends."
        values={other ? ['world', 'other'] : ['world']}
        names={{world: 'The world', other: 'The other selected'}}
        value={world ? 'world' : 'other'}
        onGive={(value) => setWorld(value === 'world')}
      />
      <VectorField
        name="Anchor"
        doc={docOf('anchors')}
        unit="m"
        value={tidy(made?.anchor)}
        scale={NEAR}
        onGive={(value) => setAnchor([value[0] ?? 0, value[1] ?? 0, value[2] ?? 0])}
        onRevert={() => undefined}
      />
      {type !== 'fixed' && type !== 'distance' && (
        <VectorField
          name="Axis"
          doc={docOf('axes')}
          value={tidy(made?.axis)}
          scale={NEAR}
          onGive={(value) => setAxis([value[0] ?? 0, value[1] ?? 0, value[2] ?? 0])}
          onRevert={() => undefined}
        />
      )}
      <Segments
        label="Handle of the anchor"
        values={type === 'fixed' || type === 'distance' ? ['move'] : ['move', 'turn']}
        names={{move: 'Move the anchor', turn: 'Turn the axis'}}
        value={viewState.handle.value === 'turn' ? 'turn' : 'move'}
        onGive={(value) => (viewState.handle.value = value as 'move' | 'turn')}
      />
      <LimitsField type={type} value={made?.limits ?? null} onGive={setLimits} />
    </>
  );
}
