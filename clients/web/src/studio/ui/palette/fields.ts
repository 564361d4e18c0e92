// The fields of what is selected, and the way to them in the inspector.
import type {Field, Method} from '../../../lib/index.js';
import {TYPES} from '../../../lib/index.js';
import type {Studio} from '../context.js';
import {isAdvanced} from '../forms/fields.js';
import {formFields} from '../forms/form.js';
import {prettyName} from '../forms/units.js';

export interface NamedField {
  // As the inspector has it: of a part, 'Stretch' and 'Compliance'.
  readonly part: string;
  readonly name: string;
  readonly doc: string;
}

// So many frames are waited for the field: the inspector is fetched when it is first shown.
const FRAMES = 120;

// Those that the first of the selected things has.
export function fieldsOf({app}: Studio): NamedField[] {
  const {bodies, colliders, wind} = app.selection.selected.peek();
  const {document} = app;
  const body = document.bodies.peek().get([...bodies][0] ?? 0);
  const collider = document.colliders.peek().get([...colliders][0] ?? 0);
  if (body) return namedFields('body.set', body);
  if (collider) return namedFields('collider.set', collider);
  return namedFields('world.set', document.settings.peek()).filter(({part}) => !wind || part === 'Wind');
}

function namedFields(method: Method, thing: object): NamedField[] {
  const values = thing as Readonly<Record<string, unknown>>;
  const has = ({name, optional, partial}: Field, of: Readonly<Record<string, unknown>>) =>
    (optional !== true && partial !== true) || (of[name] !== undefined && of[name] !== null);
  return formFields(method).flatMap((field) => {
    if (!has(field, values) || !(field.name in values)) return [];
    if (field.type !== 'map') return [{part: '', name: prettyName(field.name), doc: field.doc}];
    const inner = TYPES[field.of as keyof typeof TYPES].fields as readonly Field[];
    const own = (values[field.name] ?? {}) as Readonly<Record<string, unknown>>;
    const part = prettyName(field.name);
    return inner
      .filter((one) => one.type !== 'map' && (has(one, own) || isAdvanced(one.name)))
      .map((one) => ({part, name: prettyName(one.name), doc: one.doc}));
  });
}

// Opens the inspector, unfolds what hides the field, and gives it the keyboard. Says if the inspector has no such field.
export function goToField({app, ui}: Studio, field: NamedField): void {
  if (ui.narrow.peek()) ui.sheet.value = 'inspector';
  else if (app.selection.empty.peek()) ui.settings.value = true;
  let left = FRAMES;
  const look = () => {
    const panel = document.querySelector('.inspector');
    const input = panel && find(panel, field);
    if (input) {
      input.scrollIntoView({block: 'nearest'});
      input.focus({preventScroll: true});
    } else if (left-- > 0) {
      if (panel && left < FRAMES - 1) unfold(panel, field);
      requestAnimationFrame(look);
    } else {
      app.notices.info(`${field.name} cannot be set here.`);
    }
  };
  requestAnimationFrame(look);
}

const INPUT = 'input:not([type="range"]), select, button, input';

function find(panel: Element, {part, name}: NamedField): HTMLElement | null {
  for (const box of panel.querySelectorAll('.field, .switch')) {
    const words = (box.querySelector('.name') ?? box).textContent?.trim().toLowerCase() ?? '';
    const section = box.closest('.section')?.querySelector('.section-toggle')?.textContent?.trim() ?? '';
    const here = words === name.toLowerCase() && (part === '' || section === part);
    const folded = part !== '' && words.startsWith(`${part}: `.toLowerCase()) && words.endsWith(name.toLowerCase());
    if (!here && !folded) continue;
    const input = box.matches(INPUT) ? box : box.querySelector(INPUT);
    if (input instanceof HTMLElement) return input;
  }
  return null;
}

// The sections of that name, then those that may hold anything.
function unfold(panel: Element, {part}: NamedField): void {
  const folded = [...panel.querySelectorAll<HTMLElement>('.section-toggle[aria-expanded="false"]')];
  const wanted = folded.find((one) => one.textContent?.trim() === part) ?? folded[0];
  wanted?.click();
}
