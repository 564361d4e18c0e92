// Connecting from a program: where to, with which token, and some lines to begin with.
import {useState} from 'preact/hooks';

import {connect, type AccessAcceptResult} from '../../../lib/index.js';
import {outcome} from '../../model/outcome.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio, type Studio} from '../context.js';
import {Segments, TextField} from '../forms/choice.js';
import {remembered} from '../memory.js';
import {ownToken} from '../session/token.js';
import {LANGUAGES, NEEDS, snippet, type Language} from './snippets.js';

const PORT = 9338;
const port = remembered('programs-port', PORT);

function addressOf(): string {
  return `${location.protocol === 'https:' ? 'tls://' : ''}${location.hostname}:${port.value}`;
}

// A token of a new person, with no more rights than a role in this world.
async function madeToken({app}: Studio, role: 'viewer' | 'editor'): Promise<string> {
  const world = app.document.home.peek();
  const {invite} = await app.client.call('access.invite', {world, role, uses: 1, seconds: 600});
  const {token: _, invite: __, accepted: ___, ...options} = app.options;
  const result = await new Promise<AccessAcceptResult>((accepted, failed) => {
    const client = connect({
      ...options,
      client: 'studio',
      user: `program ${Math.random().toString(36).slice(2, 8)}`,
      invite,
      reconnect: false,
      accepted: (told) => {
        accepted(told);
        client.close();
      },
    });
    client.opened().catch(failed);
  });
  return result.token;
}

async function copy(app: Studio['app'], text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.notices.info(`${what} is copied.`);
  } catch {
    app.notices.info('This browser does not let the page copy: select the text and copy it by hand.');
  }
}

export default function ConnectDialog({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const [language, setLanguage] = useState<Language>('Python');
  const needsToken = app.access.tokens.value;
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
  const place = {world: app.document.name.value, address: addressOf(), url, needsToken};
  const lines = snippet(language, place);
  const setPort = (value: string) => {
    const wanted = Number(value);
    if (Number.isInteger(wanted) && wanted > 0 && wanted < 65_536) port.value = wanted;
    else app.notices.info(`${value} is no port: a whole number from 1 to 65,535.`);
  };
  return (
    <Dialog title={`Connect to ${place.world}`} width={640} onClose={onClose}>
      <div class="form connect-form">
        <div class="connect-row">
          <code class="grow">{place.address}</code>
          <Button size="small" icon="copy" onClick={() => void copy(app, place.address, 'The address')}>
            Copy the address
          </Button>
        </div>
        <TextField
          name="Port for programs"
          doc="weftd listens for programs at 9338, unless it was started with --listen."
          value={String(port.value)}
          onGive={setPort}
        />
        {needsToken && <Token />}
        <Segments
          label="Language"
          values={LANGUAGES}
          names={Object.fromEntries(LANGUAGES.map((one) => [one, one]))}
          value={language}
          onGive={(value) => setLanguage(value as Language)}
        />
        <pre class="connect-lines" tabIndex={0} aria-label={`${language} for this world`}>
          {lines}
        </pre>
        <div class="connect-row">
          <span class="grow faint">{NEEDS[language]}</span>
          <Button look="primary" size="small" icon="copy" onClick={() => void copy(app, lines, `The ${language}`)}>
            Copy these lines
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

// The token is shown only when somebody asks for that.
function Token() {
  const studio = useStudio();
  const {app} = studio;
  const owner = app.access.role.value === 'owner';
  const [role, setRole] = useState<'viewer' | 'editor'>('viewer');
  const [token, setToken] = useState<string | null>(owner ? null : ownToken());
  const [shown, setShown] = useState(false);
  const [refusal, setRefusal] = useState('');
  const make = async () => {
    const made = await outcome(madeToken(studio, role));
    setRefusal(made.ok ? '' : made.error.text);
    if (made.ok) setToken(made.result);
  };
  return (
    <div class="connect-token">
      <p class="row-note">
        This server asks for a token. Programs read it from the environment variable <code>WEFT_TOKEN</code>.{' '}
        {owner
          ? 'Make one that is good for this world alone; its person is then in the list of people, and you can revoke its role.'
          : 'Yours has your rights: keep it to yourself.'}
      </p>
      {owner && (
        <div class="connect-row">
          <Segments
            label="The program may"
            values={['viewer', 'editor']}
            names={{viewer: 'Look', editor: 'Edit'}}
            value={role}
            onGive={(value) => {
              setRole(value as typeof role);
              setToken(null);
              setShown(false);
            }}
          />
          <Button size="small" onClick={() => void make()}>
            Create a token
          </Button>
        </div>
      )}
      {token && (
        <div class="connect-row">
          <code class="grow">{shown ? token : '••••••••••••'}</code>
          <Button size="small" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide it' : 'Show it'}
          </Button>
          <Button size="small" icon="copy" onClick={() => void copy(app, token, 'The token')}>
            Copy the token
          </Button>
        </div>
      )}
      {refusal !== '' && <p role="alert">{refusal}</p>}
    </div>
  );
}
