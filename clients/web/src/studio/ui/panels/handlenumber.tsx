// The number of a handle, above the bar: it follows the pointer, and can be typed. What is typed counts from the press, in metres,
// degrees, or as a factor.
//
// Digits that are typed while the pointer holds a handle, or after it was pressed without a move, go here by themselves.
import {useEffect, useRef, useState} from 'preact/hooks';

import type {HandleNumber} from '../../model/viewstate.js';
import {IconButton} from '../controls/button.js';
import {useStudio} from '../context.js';
import {formatNumber, parseNumber} from '../forms/numbers.js';
import {captureKeys} from '../keys/capture.js';

const NAMES = {move: 'Move', turn: 'Turn', size: 'Size'} as const;
const UNITS = {move: 'm', turn: '°', size: '×'} as const;
const TIPS = {
  move: 'Distance from where it was: 0.05, 50 mm, 5 cm.',
  turn: 'Angle from how it was, in degrees.',
  size: 'Factor of the size it had.',
} as const;

const nothing = (mode: HandleNumber['mode']) => (mode === 'size' ? 1 : 0);

function shown({mode, value}: HandleNumber): string {
  return formatNumber(Number((mode === 'turn' ? (value * 180) / Math.PI : value).toFixed(6)), 5);
}

function parsed(mode: HandleNumber['mode'], text: string): number | null {
  const value = parseNumber(text, mode === 'move' ? 'm' : mode === 'turn' ? '°' : '');
  if (value === null || (mode === 'size' && value <= 0)) return null;
  return mode === 'turn' ? (value * Math.PI) / 180 : value;
}

export function HandleNumberBox() {
  const {app} = useStudio();
  const box = useRef<HTMLInputElement>(null);
  // The text that is being typed; null if the number of the handle is shown.
  const [text, setText] = useState<string | null>(null);
  const number = app.viewState.handleNumber.value;
  const waits = number !== null && (number.holding || number.value === nothing(number.mode));

  useEffect(() => {
    if (!waits) return undefined;
    return captureKeys((event) => {
      const now = app.viewState.handleNumber.peek();
      if (!now || event.ctrlKey || event.metaKey || event.altKey || document.activeElement instanceof HTMLInputElement) return false;
      if (now.holding && event.key === 'Escape') {
        now.set(nothing(now.mode));
        now.release();
        return true;
      }
      if (!/^[\d.,\-−]$/.test(event.key) || !box.current) return false;
      box.current.focus();
      type(event.key);
      return true;
    });
  }, [waits]);

  if (!number) return null;
  const {mode, axis, caught} = number;
  const value = text === null ? null : parsed(mode, text);
  const type = (typed: string) => {
    setText(typed);
    const exact = parsed(mode, typed);
    const now = app.viewState.handleNumber.peek();
    // In hand it follows what is typed; afterwards only what is given, since each number is an edit.
    if (exact !== null && now?.holding) now.set(exact);
  };
  const give = () => {
    const now = app.viewState.handleNumber.peek();
    if (text === null || value === null || !now) return;
    if (now.value !== value) now.set(value);
    if (now.holding) now.release();
    setText(null);
  };
  const leave = () => {
    setText(null);
    const now = app.viewState.handleNumber.peek();
    if (now?.holding) {
      now.set(nothing(mode));
      now.release();
    }
    document.querySelector<HTMLElement>('.stage canvas')?.focus();
  };
  const name = `${NAMES[mode]}${axis && ` ${axis}`}`;
  return (
    <div class="handle-number panel" role="group" aria-label="Number of the handle">
      <label for="handle-number">{name}</label>
      <input
        id="handle-number"
        ref={box}
        class="input numeric"
        inputMode="decimal"
        autocomplete="off"
        data-tip={TIPS[mode]}
        aria-invalid={text !== null && value === null}
        value={text ?? shown(number)}
        onInput={(event) => type(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={give}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') {
            give();
            document.querySelector<HTMLElement>('.stage canvas')?.focus();
          } else if (event.key === 'Escape') leave();
        }}
      />
      <span class="faint unit">{UNITS[mode]}</span>
      {caught && <span class="faint">{caught}</span>}
      <IconButton icon="close" name="Close the number" size="small" look="muted" onClick={() => number.leave()} />
    </div>
  );
}
