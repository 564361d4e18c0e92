// A number: a box that takes text and arrow keys, and a slider where there is a range of use.
import {useId, useRef, useState} from 'preact/hooks';

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
  onGive: (value: number) => void;
  // The box was emptied.
  onEmpty?: () => void;
  onRevert?: () => void;
}

const SCRUB_PX = 4;

export function NumberBox(props: BoxProps) {
  const {value, scale, unit, axis} = props;
  const [text, setText] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const commit = () => {
    if (text === null) return;
    if (text.trim() === '') {
      props.onEmpty?.();
      setText(null);
      setBad(false);
      return;
    }
    const number = parseNumber(text, unit);
    setBad(number === null);
    if (number === null) return;
    setText(null);
    if (number !== value) props.onGive(scale?.integer ? Math.round(number) : number);
  };

  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      commit();
      input.current?.select();
    } else if (event.key === 'Escape') {
      if (text !== null || props.invalid) event.stopPropagation();
      setText(null);
      setBad(false);
      props.onRevert?.();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const from = (text === null ? value : parseNumber(text, unit)) ?? 0;
      setText(null);
      setBad(false);
      props.onGive(
        stepBy(scale, from, event.key === 'ArrowUp' ? 1 : -1, event.shiftKey ? 10 : event.altKey ? 0.1 : 1),
      );
    } else {
      return;
    }
  };

  const scrub = (event: PointerEvent) => {
    if (props.disabled || value === undefined) return;
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    let number = value;
    let from = event.clientX;
    const move = (moved: PointerEvent) => {
      const steps = Math.trunc((moved.clientX - from) / SCRUB_PX);
      if (steps === 0) return;
      from += steps * SCRUB_PX;
      for (let i = 0; i < Math.abs(steps); ++i)
        number = stepBy(scale, number, steps > 0 ? 1 : -1, moved.shiftKey ? 10 : 1);
      props.onGive(number);
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
        ref={input}
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
        title={bad ? 'This is not a number.' : undefined}
        value={text ?? (value === undefined ? '' : formatNumber(value))}
        onInput={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={commit}
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

export function NumberField({name, doc, note, dim, ...box}: NumberFieldProps) {
  const id = useId();
  const {scale, value} = box;
  const at = scale ? toSlider(scale, value ?? 0) : 0;
  return (
    <div class={dim ? 'field dim' : 'field'}>
      <span class="name" id={id} data-tip={doc}>
        {name}
        {box.unit && <span class="unit">{box.unit}</span>}
      </span>
      <NumberBox {...box} labelledBy={id} describedBy={note ? `${id}-note` : undefined} />
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
          onInput={(event) => box.onGive(fromSlider(scale, Number(event.currentTarget.value)))}
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

// The coloured part of the track ends at the middle of the thumb; of a range around zero it would mislead.
function fillOf(scale: Scale, at: number): number {
  return scale.kind === 'linear' && scale.from < 0 ? 0 : (100 * at) / SLIDER_STEPS;
}

export interface VectorFieldProps {
  name: string;
  doc?: string;
  unit?: string;
  value: readonly number[] | undefined;
  scale: Scale | null;
  axes?: readonly string[];
  disabled?: boolean;
  invalid?: boolean;
  note?: preact.ComponentChildren;
  onGive: (value: number[]) => void;
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
  note,
  ...rest
}: VectorFieldProps) {
  const id = useId();
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
            describedBy={note ? `${id}-note` : undefined}
            onRevert={rest.onRevert}
            onGive={(number) => {
              const next = axes.map((_, k) => value?.[k] ?? 0);
              next[i] = number;
              rest.onGive(next);
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
