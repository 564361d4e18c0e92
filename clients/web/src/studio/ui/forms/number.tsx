// A number: a box that takes text and arrow keys, and a slider where there is a range of use.
import {useEffect, useRef, useState, type MutableRef} from 'preact/hooks';

import {useId} from '../controls/id.js';
import {leaveField} from '../keys/focus.js';
import {beforeClick} from '../keys/press.js';
import {formatNumber, parseNumber} from './numbers.js';
import {fromSlider, SLIDER_STEPS, stepBy, toSlider, type Scale} from './scale.js';

export interface BoxProps {
  value: number | undefined;
  scale: Scale | null;
  unit?: string;
  disabled?: boolean;
  placeholder?: string;
  invalid?: boolean;
  describedBy?: string;
  labelledBy?: string;
  label?: string;
  // Shown at the left inside the box; dragging it changes the number.
  axis?: string;
  // What nobody else checks is refused while it is typed, with the words that this gives.
  refuse?: (value: number) => string | undefined;
  onRefused?: (words: string | undefined) => void;
  onGive: (value: number) => void;
  // The box was emptied.
  onEmpty?: () => void;
  onRevert?: () => void;
  // Filled by the box: forgets what is typed, since the number is given elsewhere.
  forget?: MutableRef<() => void>;
}

const SCRUB_PX = 4;
// Said when the field is left: what is being typed may yet become one.
const NO_NUMBER = 'Not a number, such as 0.5, 1e-6 or 1,000.';

export function NumberBox(props: BoxProps) {
  const {value, scale, unit, axis} = props;
  const [text, showText] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  // As it is within one event: leaving the field says what is typed, unless it was just taken back.
  const typed = useRef<string | null>(null);
  const setText = (next: string | null) => {
    typed.current = next;
    showText(next);
  };

  if (props.forget)
    props.forget.current = () => {
      setText(null);
      setBad(false);
      props.onRefused?.(undefined);
    };

  const refused = (number: number | null): boolean => {
    const words = number === null ? undefined : props.refuse?.(number);
    props.onRefused?.(words);
    return words !== undefined;
  };

  // Whether what is typed could be taken.
  const commit = (): boolean => {
    const given = typed.current;
    if (given === null) return true;
    const empty = given.trim() === '';
    const number = empty ? null : parseNumber(given, unit);
    setBad(number === null && !empty);
    if (number === null && !empty) {
      props.onRefused?.(NO_NUMBER);
      return false;
    }
    if (refused(number)) return false;
    setText(null);
    if (number === null) props.onEmpty?.();
    else if (number !== value) props.onGive(scale?.integer ? Math.round(number) : number);
    return true;
  };
  // The box may be drawn again before a click is told.
  const latest = useRef(commit);
  latest.current = commit;

  const keys = (event: KeyboardEvent) => {
    const field = event.currentTarget as HTMLInputElement;
    if (event.key === 'Enter') {
      if (commit()) leaveField(field);
      else event.preventDefault(); // what cannot be taken does not send its form
    } else if (event.key === 'Escape') {
      const changed = text !== null || props.invalid;
      setText(null);
      setBad(false);
      props.onRefused?.(undefined);
      props.onRevert?.();
      if (!changed) return;
      event.stopPropagation();
      leaveField(field);
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const from = (text === null ? value : parseNumber(text, unit)) ?? 0;
      const next = stepBy(
        scale,
        from,
        event.key === 'ArrowUp' ? 1 : -1,
        event.shiftKey ? 10 : event.altKey ? 0.1 : 1,
      );
      if (refused(next)) return;
      setText(null);
      setBad(false);
      props.onGive(next);
    } else {
      return;
    }
  };

  const scrub = (event: PointerEvent) => {
    const given = typed.current === null ? value : (parseNumber(typed.current, unit) ?? value);
    if (props.disabled || given === undefined || !commit()) return;
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    let number = given;
    let from = event.clientX;
    const move = (moved: PointerEvent) => {
      const steps = Math.trunc((moved.clientX - from) / SCRUB_PX);
      if (steps === 0) return;
      from += steps * SCRUB_PX;
      for (let i = 0; i < Math.abs(steps); ++i)
        number = stepBy(scale, number, steps > 0 ? 1 : -1, moved.shiftKey ? 10 : 1);
      if (!refused(number)) props.onGive(number);
    };
    const end = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('lostpointercapture', end);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', end);
  };

  return (
    <span class="number">
      {axis && (
        <span class="axis" aria-hidden="true" onPointerDown={scrub}>
          {axis}
        </span>
      )}
      <input
        class="input"
        type="text"
        inputMode={scale?.integer ? 'numeric' : 'text'}
        autoComplete="off"
        spellcheck={false}
        disabled={props.disabled}
        placeholder={props.placeholder}
        aria-label={props.label}
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy}
        aria-invalid={bad || props.invalid || undefined}
        value={text ?? (value === undefined ? '' : formatNumber(value))}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setBad(false);
          refused(parseNumber(event.currentTarget.value, unit));
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => beforeClick(() => void latest.current())}
        onKeyDown={keys}
      />
    </span>
  );
}

export interface NumberFieldProps extends Omit<BoxProps, 'label' | 'labelledBy' | 'axis' | 'describedBy'> {
  name: string;
  doc?: string;
  note?: preact.ComponentChildren;
  dim?: boolean;
}

export function NumberField({name, doc, note: given, dim, ...box}: NumberFieldProps) {
  const id = useId();
  const [refused, setRefused] = useRefused(box.onRefused);
  const note = refused === undefined ? given : <Refused words={refused} />;
  const {scale, value} = box;
  const forget = useRef(() => {});
  const at = scale ? toSlider(scale, value ?? 0) : 0;
  return (
    <div class={dim ? 'field dim' : 'field'}>
      <span class="name" id={id} data-tip={doc}>
        {name}
        {box.unit && <span class="unit">{box.unit}</span>}
      </span>
      <NumberBox
        {...box}
        labelledBy={id}
        describedBy={note ? `${id}-note` : undefined}
        invalid={box.invalid || refused !== undefined}
        onRefused={setRefused}
        forget={forget}
      />
      {scale && (value !== undefined || !box.onEmpty) && (
        <input
          class="slider"
          type="range"
          min={0}
          max={SLIDER_STEPS}
          step={1}
          value={at}
          tabIndex={-1}
          disabled={box.disabled}
          aria-labelledby={id}
          aria-valuetext={value === undefined ? 'not set' : `${formatNumber(value)} ${box.unit ?? ''}`}
          ref={(slider) => {
            slider?.style.setProperty('--filled', `${value === undefined ? 0 : fillOf(scale, at)}%`);
          }}
          onInput={(event) => {
            // Browsers tell of a press on the slider before the box is left.
            forget.current();
            box.onGive(fromSlider(scale, Number(event.currentTarget.value)));
          }}
        />
      )}
      {note && (
        <div class="note" id={`${id}-note`}>
          {note}
        </div>
      )}
    </div>
  );
}

function useRefused(tell: ((words: string | undefined) => void) | undefined) {
  const [refused, setRefused] = useState<string | undefined>();
  const give = (words: string | undefined) => {
    setRefused(words);
    tell?.(words);
  };
  // A field that goes, as with another kind of constraint, holds its form back no more.
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => () => latest.current?.(undefined), []);
  return [refused, give] as const;
}

function Refused({words}: {words: string}) {
  return (
    <span class="refused" role="alert">
      {words}
    </span>
  );
}

// The coloured part of the track ends at the middle of the thumb; of a range around zero it would mislead.
function fillOf(scale: Scale, at: number): number {
  return scale.kind === 'linear' && scale.from < 0 ? 0 : (100 * at) / SLIDER_STEPS;
}

export interface VectorFieldProps {
  name: string;
  doc?: string;
  unit?: string;
  value: readonly (number | undefined)[] | undefined;
  // Of components that several things do not share.
  placeholder?: string;
  scale: Scale | null;
  axes?: readonly string[];
  disabled?: boolean;
  invalid?: boolean;
  note?: preact.ComponentChildren;
  refuse?: (value: number) => string | undefined;
  onRefused?: (words: string | undefined) => void;
  // All components, of which the one at `axis` is new.
  onGive: (value: number[], axis: number) => void;
  onRevert?: () => void;
}

const AXES = ['x', 'y', 'z', 'w'];

export function VectorField({
  name,
  doc,
  unit,
  value,
  scale,
  axes = AXES.slice(0, 3),
  note: given,
  ...rest
}: VectorFieldProps) {
  const id = useId();
  const [refused, setRefused] = useRefused(rest.onRefused);
  const note = refused === undefined ? given : <Refused words={refused} />;
  return (
    <div class="field vector" role="group" aria-labelledby={id}>
      <span class="name" id={id} data-tip={doc}>
        {name}
        {unit && <span class="unit">{unit}</span>}
      </span>
      <div class="boxes">
        {axes.map((axis, i) => (
          <NumberBox
            key={axis}
            axis={axis}
            label={`${name} ${axis}`}
            unit={unit}
            value={value?.[i]}
            scale={scale}
            disabled={rest.disabled}
            invalid={rest.invalid}
            placeholder={rest.placeholder}
            refuse={rest.refuse}
            onRefused={setRefused}
            describedBy={note ? `${id}-note` : undefined}
            onRevert={rest.onRevert}
            onGive={(number) => {
              const next = axes.map((_, k) => value?.[k] ?? 0);
              next[i] = number;
              rest.onGive(next, i);
            }}
          />
        ))}
      </div>
      {note && (
        <div class="note" id={`${id}-note`}>
          {note}
        </div>
      )}
    </div>
  );
}
