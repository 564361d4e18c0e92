// One of a few, on or off, and a line of text.
import type {ComponentChildren} from 'preact';
import {useRef, useState} from 'preact/hooks';

import {useId} from '../controls/id.js';
import {leaveField} from '../keys/focus.js';
import {beforeClick} from '../keys/press.js';
import {materialNames} from './materials.js';
import {prettyName} from './units.js';

export interface SegmentsProps {
  label: string;
  values: readonly string[];
  value: string | undefined;
  disabled?: boolean;
  names?: Readonly<Record<string, string>>;
  onGive: (value: string) => void;
}

export function Segments({label, values, value, disabled, names, onGive}: SegmentsProps) {
  const walk = (event: KeyboardEvent) => {
    const by =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    // In a toolbar arrows go from one thing to the next, and choose nothing.
    if (by === 0 || (event.currentTarget as Element).parentElement?.closest('[role="toolbar"]')) return;
    event.preventDefault();
    event.stopPropagation();
    const at = Math.max(0, values.indexOf(value ?? ''));
    const next = values[(at + by + values.length) % values.length];
    if (next === undefined) return;
    onGive(next);
    const row = event.currentTarget as HTMLElement;
    row.querySelectorAll('button')[(at + by + values.length) % values.length]?.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={label} onKeyDown={walk}>
      {values.map((one, i) => (
        <button
          key={one}
          type="button"
          role="radio"
          disabled={disabled}
          aria-checked={one === value}
          tabIndex={one === value || (i === 0 && !values.includes(value ?? '')) ? 0 : -1}
          onClick={() => onGive(one)}
        >
          {names?.[one] ?? prettyName(one)}
        </button>
      ))}
    </div>
  );
}

export interface ChoiceFieldProps extends SegmentsProps {
  doc?: string;
  note?: ComponentChildren;
  // What the choice of none is called; undefined: there must be one.
  none?: string;
  onNone?: () => void;
}

export function ChoiceField({
  label,
  doc,
  note,
  values,
  value,
  names,
  none,
  onNone,
  onGive,
  disabled,
}: ChoiceFieldProps) {
  const id = useId();
  return (
    <div class="field wide">
      <span class="name" id={id} data-tip={doc}>
        {label}
      </span>
      <select
        class="input"
        aria-labelledby={id}
        disabled={disabled}
        value={value ?? ''}
        onChange={(event) =>
          event.currentTarget.value === '' ? onNone?.() : onGive(event.currentTarget.value)
        }
      >
        {none !== undefined && <option value="">{none}</option>}
        {values.map((one) => (
          <option key={one} value={one}>
            {names?.[one] ?? prettyName(one)}
          </option>
        ))}
      </select>
      {note && <div class="note">{note}</div>}
    </div>
  );
}

// Materials by name; the values of one can be changed afterwards.
export function MaterialChoice(props: {
  kind: string;
  value: string | undefined;
  // Whether it may become a cloth with warp and weft.
  woven?: boolean;
  onGive: (name: string) => void;
}) {
  const names = materialNames(props.kind, props.woven);
  if (names.length === 0) return null;
  return (
    <ChoiceField
      label="Made of"
      doc="Sets the values of that material; each of them can be changed afterwards."
      values={names}
      value={props.value}
      none="its own values"
      onGive={props.onGive}
    />
  );
}

export interface SwitchProps {
  label: ComponentChildren;
  on: boolean;
  doc?: string;
  hotkey?: string;
  disabled?: boolean;
  onGive: (on: boolean) => void;
}

export function Switch({label, on, doc, hotkey, disabled, onGive}: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      disabled={disabled}
      data-tip={doc}
      data-key={hotkey}
      onClick={() => onGive(!on)}
    >
      <span>{label}</span>
      <span class="track" />
    </button>
  );
}

export interface TextFieldProps {
  name: string;
  doc?: string;
  value: string;
  placeholder?: string;
  invalid?: boolean;
  disabled?: boolean;
  note?: ComponentChildren;
  first?: boolean;
  // At each letter; otherwise when the person is done with it.
  eager?: boolean;
  onGive: (value: string) => void;
  onRevert?: () => void;
}

export function TextField({
  name,
  doc,
  value,
  placeholder,
  invalid,
  disabled,
  note,
  first,
  eager,
  onGive,
  onRevert,
}: TextFieldProps) {
  const id = useId();
  const [text, showText] = useState<string | null>(null);
  const typed = useRef<string | null>(null);
  const setText = (next: string | null) => {
    typed.current = next;
    showText(next);
  };
  const commit = () => {
    const given = typed.current;
    setText(null);
    if (given !== null && given !== value) onGive(given);
  };
  // The field may be drawn again before a click is told.
  const latest = useRef(commit);
  latest.current = commit;
  return (
    <div class="field wide">
      <label class="name" for={id} data-tip={doc}>
        {name}
      </label>
      <input
        id={id}
        class="input"
        type="text"
        autoComplete="off"
        spellcheck={false}
        data-first={first ? '' : undefined}
        disabled={disabled}
        placeholder={placeholder}
        aria-invalid={invalid || undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        value={text ?? value}
        onInput={(event) => (eager ? onGive(event.currentTarget.value) : setText(event.currentTarget.value))}
        onBlur={() => beforeClick(() => latest.current())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            commit();
            leaveField(event.currentTarget);
          }
          if (event.key === 'Escape' && (text !== null || invalid)) {
            event.stopPropagation();
            setText(null);
            onRevert?.();
            leaveField(event.currentTarget);
          }
        }}
      />
      {note && (
        <div class="note" id={`${id}-note`}>
          {note}
        </div>
      )}
    </div>
  );
}
