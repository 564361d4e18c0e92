// One field that finds everything. What is typed narrows the list, arrows go through it, and Enter does it.
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';

import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {useId} from '../controls/id.js';
import {useStudio} from '../context.js';
import {entriesOf, type Entry} from './entries.js';
import {found} from './fuzzy.js';

const SHOWN_AT_MOST = 60;
const PAGE = 8;

// It begins with what was typed before it was there.
export function Palette({start, onClose}: {start: string; onClose: () => void}) {
  const studio = useStudio();
  const {app} = studio;
  const [query, setQuery] = useState(start);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  // Other worlds may not be known yet.
  useEffect(() => void app.worlds.refresh().catch(() => undefined), [app]);
  const worlds = app.worlds.list.value;
  const all = useMemo(() => entriesOf(studio), [studio, worlds]);
  const matches = useMemo(() => found(query, all, ({name, kind}) => `${name} ${kind}`), [query, all]);
  const shown = matches.slice(0, SHOWN_AT_MOST);
  const chosen = Math.min(at, shown.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({block: 'nearest'});
  }, [chosen, query]);

  // Once the palette is closed and the keyboard is where it was.
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    requestAnimationFrame(() => entry.run(studio));
  };
  const walk = (event: KeyboardEvent) => {
    const by = {ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE}[event.key];
    if (by !== undefined && shown.length > 0) {
      const next = chosen + by;
      const round = Math.abs(by) === 1 ? (next + shown.length) % shown.length : next;
      setAt(Math.max(0, Math.min(shown.length - 1, round)));
    } else if (event.key === 'Enter' && !event.isComposing) {
      go(shown[chosen]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Dialog title="Find" width={560} onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          class="input palette-input"
          data-first=""
          role="combobox"
          aria-label="Find a command, a thing or a field"
          aria-expanded={shown.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={shown[chosen] ? `${id}-${chosen}` : undefined}
          placeholder="A command, a thing or a field"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={walk}
        />
        <ul ref={list} id={id} class="palette-list" role="listbox" aria-label="Found">
          {shown.map((entry, i) => (
            <li
              key={entry.id}
              id={`${id}-${i}`}
              class="menu-item"
              role="option"
              aria-selected={i === chosen}
              onPointerMove={() => setAt(i)}
              onClick={() => go(entry)}
            >
              <Icon name={entry.icon} />
              <span class="grow">{entry.name}</span>
              <span class="faint">{entry.kind}</span>
              {entry.hotkey && <kbd>{entry.hotkey}</kbd>}
            </li>
          ))}
        </ul>
        <p class="menu-foot faint" role="status">
          {shown.length === 0 ? 'Nothing of that name.' : matches.length > shown.length ? `${matches.length - shown.length} more; type to narrow it down.` : ''}
        </p>
      </div>
    </Dialog>
  );
}
