// A server that asks for a token: which is it, or by which name is one invited.
import {useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {plainWords} from '../errors.js';
import {ownName} from './name.js';
import {again, keepInvite, keepToken, ownToken} from './token.js';

export function TokenDialog() {
  const {session} = useStudio().app;
  const [text, setText] = useState('');
  const error = session.error.value;
  const named = error?.code === 'CONFLICT';
  if (session.state.value !== 'closed' || !error || !(named || error.code === 'DENIED')) return null;
  const go = () => {
    const value = text.trim();
    if (value === '') return;
    if (named) {
      ownName.value = value;
    } else {
      keepInvite(value.startsWith('weftinvite_') ? value : null);
      if (!value.startsWith('weftinvite_')) keepToken(value);
    }
    again();
  };
  return (
    <Dialog
      title={named ? 'Choose another name' : 'Who are you?'}
      width={440}
      onClose={() => undefined}
      footer={
        <Button look="primary" disabled={text.trim() === ''} onClick={go}>
          Continue
        </Button>
      }
    >
      <p>
        {named
          ? 'Someone else here already has your name.'
          : 'This server asks for a token. Its operator can give you one, or someone can send you an invitation.'}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <input
          class="input"
          data-first=""
          type={named ? 'text' : 'password'}
          autocomplete="off"
          aria-label={named ? 'Your name' : 'Token or invitation'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
      {!named && ownToken() !== null && (
        <p class="faint row-note" role="alert">
          {plainWords(null, error.text)}
        </p>
      )}
    </Dialog>
  );
}
