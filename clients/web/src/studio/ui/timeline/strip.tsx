// The past as a strip: a slider over all of it, and above it the edits as marks that can be pressed.
//
//     ●   ▲▲ ◆        ●        marks: a shape and a colour for each person
//     ▒▒▒▒▬▬▬▬‖▬▬▬▬▬▬▬▬▬       hatched: image by image only; ‖: time stood still
//
// Shapes as well as colours tell people apart; hatching as well as its tone tells what is not exact.
import {useLayoutEffect, useRef, useState} from 'preact/hooks';

import {
  marksOf,
  nextEditTick,
  shareOf,
  stopsOf,
  stretchesOf,
  tickAt,
  type Mark,
  type Range,
} from '../../model/past/strip.js';
import {useStudio} from '../context.js';
import {step, useRoving} from '../controls/roving.js';
import {personColor} from '../names.js';
import {useCalm} from './calm.js';
import {markText, nameIn, stopText, tickText} from './words.js';

const RANGE_MS = 200;
// Between the middles of two marks.
const MARK_PX = 13;
const MARK_TOUCH_PX = 26;

export interface StripProps {
  // The mark that is pointed at or has the keyboard; null when there is none any more.
  readonly onPoint: (mark: Mark | null) => void;
  readonly onChoose: (mark: Mark) => void;
  readonly chosen: number | null;
}

export function Strip({onPoint, onChoose, chosen}: StripProps) {
  const {app} = useStudio();
  const range = useCalm(app.past.range, RANGE_MS);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  return (
    <div ref={box} class="line-strip">
      <Marks range={range} width={width} onPoint={onPoint} onChoose={onChoose} chosen={chosen} />
      <Track range={range} />
    </div>
  );
}

function useWidth(box: {readonly current: HTMLElement | null}): number {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const tell = () => setWidth(Math.max(1, element.clientWidth));
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

const percent = (share: number) => `${(100 * share).toFixed(3)}%`;

// -- edits

const STOPS = '.line-mark';

function Marks({range, width, onPoint, onChoose, chosen}: StripProps & {range: Range; width: number}) {
  const {app} = useStudio();
  const box = useRef<HTMLDivElement>(null);
  useRoving(box, STOPS);
  const log = app.past.log.value;
  const rate = app.document.settings.value.tick_rate;
  const touch = matchMedia('(pointer: coarse)').matches;
  const marks = marksOf(log.acts.value, range, (touch ? MARK_TOUCH_PX : MARK_PX) / width);
  const nameOf = nameIn(app);
  const walk = (event: KeyboardEvent) => {
    const by = {ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity}[event.key];
    if (by === undefined || !box.current) return;
    event.preventDefault();
    event.stopPropagation();
    step(box.current, STOPS, by, false);
  };
  return (
    <div ref={box} class="line-marks" role="group" aria-label="Edits" onKeyDown={walk}>
      {marks.map((mark) => {
        const {first} = mark.acts[0]!;
        const color = personColor(first.session) + 1;
        const several = mark.acts.some((act) => act.first.session !== first.session);
        return (
          <button
            key={first.sequence}
            type="button"
            class={`line-mark curve-${color} shape-${color}${several ? ' several' : ''}${
              mark.acts.length > 1 ? ' many' : ''
            }`}
            style={{left: percent(mark.share)}}
            aria-label={markText(mark, nameOf, rate)}
            data-tip={markText(mark, nameOf, rate)}
            aria-pressed={chosen !== null && mark.acts.some((act) => act.first.sequence === chosen)}
            onPointerEnter={() => onPoint(mark)}
            onPointerLeave={() => onPoint(null)}
            onFocus={() => onPoint(mark)}
            onBlur={() => onPoint(null)}
            onClick={() => onChoose(mark)}
          />
        );
      })}
    </div>
  );
}

// -- the slider

// Beyond the end by so many pixels one is back at now.
const NOW_PX = 6;

function Track({range}: {range: Range}) {
  const {app} = useStudio();
  const {past, document} = app;
  const slider = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);
  const rate = document.settings.value.tick_rate;
  const at = past.at.value;
  const spans = past.history.value?.spans ?? [];
  const shown = at ?? range.last;
  const place = (event: PointerEvent) => {
    const rect = slider.current!.getBoundingClientRect();
    if (event.clientX > rect.right + NOW_PX) void past.back();
    else past.seek(tickAt((event.clientX - rect.left) / rect.width, past.range.peek()));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    dragging.current = true;
    slider.current!.setPointerCapture(event.pointerId);
    place(event);
  };
  const up = () => {
    if (!dragging.current) return;
    dragging.current = false;
    // The end of the strip is now.
    if (past.at.peek() === past.range.peek().last) void past.back();
  };
  return (
    <div
      ref={slider}
      class={at === null ? 'line-track' : 'line-track past'}
      role="slider"
      tabIndex={0}
      aria-label="Time of the world"
      aria-valuemin={range.first}
      aria-valuemax={range.last}
      aria-valuenow={shown}
      aria-valuetext={at === null ? `Now, ${tickText(shown, rate)}` : tickText(shown, rate)}
      aria-keyshortcuts="ArrowLeft ArrowRight PageUp PageDown Home End"
      onPointerDown={down}
      onPointerMove={(event) => dragging.current && place(event)}
      onPointerUp={up}
      onLostPointerCapture={up}
      onKeyDown={(event) => stepBy(app, event)}
    >
      <div class="line-rail">
        {stretchesOf(spans, range).map(({from, to, exact}) => (
          <span
            key={from}
            class={exact ? 'line-stretch' : 'line-stretch inexact'}
            style={{left: percent(from), width: percent(to - from)}}
          />
        ))}
        {app.replay.loop.value && <Loop range={range} loop={app.replay.loop.value} />}
        <span class="line-gone" style={{width: percent(shareOf(shown, range))}} />
        <Stops range={range} />
      </div>
      <span class="line-thumb" style={{left: percent(shareOf(shown, range))}} />
    </div>
  );
}

function Loop({range, loop}: {range: Range; loop: Range}) {
  const from = shareOf(loop.first, range);
  return <span class="line-loop" style={{left: percent(from), width: percent(shareOf(loop.last, range) - from)}} />;
}

function Stops({range}: {range: Range}) {
  const {app} = useStudio();
  const rate = app.document.settings.value.tick_rate;
  return (
    <>
      {stopsOf(app.past.log.value.edits.value, app.past.stops.value)
        .filter(({tick}) => tick >= range.first && tick <= range.last)
        .map((stop) => (
          <span
            key={stop.tick}
            class="line-stop"
            style={{left: percent(shareOf(stop.tick, range))}}
            data-tip={stopText(stop, rate)}
          />
        ))}
    </>
  );
}

// Arrows go by ticks, with Shift by seconds; Page keys, and arrows with Ctrl, by edits.
export function stepBy(app: ReturnType<typeof useStudio>['app'], event: KeyboardEvent): void {
  const {past, document} = app;
  const {first, last} = past.range.peek();
  const from = past.at.peek() ?? last;
  const way = {ArrowRight: 1, ArrowUp: 1, PageUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: -1}[event.key] ?? 0;
  const byEdit = event.key.startsWith('Page') || event.ctrlKey || event.metaKey;
  if (event.altKey || (way === 0 && event.key !== 'Home' && event.key !== 'End')) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'End') return void past.back();
  if (event.key === 'Home') return past.seek(first);
  if (byEdit) return goByEdit(app, way > 0);
  const ticks = event.shiftKey ? Math.max(1, Math.round(document.settings.peek().tick_rate)) : 1;
  goTo(app, from + way * ticks);
}

// Past the end is now.
export function goTo({past}: ReturnType<typeof useStudio>['app'], tick: number): void {
  if (tick > past.range.peek().last) {
    void past.back();
  } else if (past.at.peek() !== null || tick < past.range.peek().last) {
    past.seek(tick);
  }
}

export function goByEdit(app: ReturnType<typeof useStudio>['app'], forward: boolean): void {
  const {past} = app;
  const {first, last} = past.range.peek();
  const next = nextEditTick(past.log.peek().acts.peek(), past.at.peek() ?? last + 1, forward);
  if (next !== null && next >= first) past.seek(next);
  else if (forward) void past.back();
}
