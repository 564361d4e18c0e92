// A weftd of one's own, on free ports; and the same again on the same port.
import {spawn} from 'node:child_process';

// Ends what hangs.
const START_MS = 60_000;

export async function startServer({weftd, studio, http = '127.0.0.1:0', data = null, more = []}) {
  const child = spawn(
    weftd,
    ['--listen', '127.0.0.1:0', '--http', http, '--studio', studio, '--threads', '1', ...(data ? ['--data', data] : []), ...more],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  const address = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`weftd did not start:\n${text}`)), START_MS);
    child.stderr.on('data', (bytes) => {
      text += bytes;
      const found = /listening http (\S+)/.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`weftd ended with ${code}:\n${text}`)));
  });
  return {
    address,
    tcp: /listening rpc (\S+)/.exec(text)?.[1], // for programs
    url: `http://${address}`,
    // SIGKILL is what a crash looks like from outside.
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await gone;
    },
  };
}
