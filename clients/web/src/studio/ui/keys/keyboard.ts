// Keys to verbs, wherever the focus is but in a field.
import {useEffect} from 'preact/hooks';

import type {Studio} from '../context.js';
import {leaveField} from './focus.js';
import {refusePast, VERBS, type Verb} from './verbs.js';

export function useKeyboard(studio: Studio): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      // Wherever the focus is while a dialog is open, Escape leaves it.
      if (event.key === 'Escape' && studio.ui.dialog.peek()) {
        studio.ui.dialog.value = null;
        return;
      }
      if (event.key === 'Escape' && isField(event.target)) {
        leaveField(event.target);
        return;
      }
      // A field takes back what was typed in it, and selects all of it; so does a dialog of its text.
      if (/^[zya]$/i.test(event.key) && (isField(event.target) || studio.ui.dialog.peek())) return;
      const verb = verbFor(event);
      if (verb && !isOffered(verb, studio)) return;
      if (!verb?.run || verb.event || (isTaken(event, studio) && !event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      if (verb.edits && studio.app.document.readOnly.peek() !== '') refusePast(studio.app);
      else verb.run(studio);
    };
    addEventListener('keydown', down);
    return () => removeEventListener('keydown', down);
  }, [studio]);
}

// An embedded page has none of the panels and dialogs that the other keys open or need.
const OF_PANELS: readonly string[] = ['timeline', 'past-back', 'connect', 'hide-thing', 'lock-thing', 'isolate', 'group', 'ungroup'];

export function isOffered({id, group}: Verb, {ui}: Studio): boolean {
  if (ui.embedded === 'no') return true;
  if (group === 'Page' || OF_PANELS.includes(id)) return false;
  return ui.embedded === 'edit' || group === 'Camera' || group === 'Time';
}

function verbFor(event: KeyboardEvent): Verb | undefined {
  if (event.altKey) return undefined;
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  const key = event.key.toLowerCase();
  // A shifted letter is another key; what Shift is needed for on some keyboards ('?', '+') is not.
  const shift = event.shiftKey && /^[a-z]$/.test(key) ? 'shift+' : '';
  return VERBS.find(({keys}) => keys.includes(`${mod}${shift}${key}`));
}

function isField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

// Fields keep all keys; what can be pressed keeps those that press it; a dialog keeps the page's keys away.
const PRESSED = 'button, a, summary, [role="treeitem"], [role="option"]';

function isTaken(event: KeyboardEvent, {ui}: Studio): boolean {
  const target = event.target;
  if (ui.dialog.peek()) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type !== 'range') return true;
  if (
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement ||
    target.isContentEditable
  )
    return true;
  if (target instanceof HTMLInputElement) return /^(Arrow|Home|End|Page)/.test(event.key);
  if (target.closest('.popover, [role="tree"]') && /^(Arrow|Home|End|Delete|Backspace)/.test(event.key))
    return true;
  return (event.key === ' ' || event.key === 'Enter') && target.matches(PRESSED);
}
