// Forms of what cannot be changed now: the past, a world that takes no edits. They show what they have, and fold.
import {createContext, type ComponentChildren} from 'preact';
import {useContext} from 'preact/hooks';

export const FixedForms = createContext(false);

// Around what is not made from the table of api.json.
export function Fixable({children}: {children: ComponentChildren}) {
  return (
    <fieldset class="plain" disabled={useContext(FixedForms)}>
      {children}
    </fieldset>
  );
}
