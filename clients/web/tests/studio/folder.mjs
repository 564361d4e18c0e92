// A server of files and nothing else, for pages that need no more. The folder lies below a path.
import {spawn} from 'node:child_process';
import {basename, dirname} from 'node:path';

export async function serveFolder(folder) {
  const child = spawn('python3', ['-u', '-m', 'http.server', '--bind', '127.0.0.1', '--directory', dirname(folder), '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill());
  const port = await new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`python3 -m http.server ended with ${code}`)));
    child.stdout.on('data', (bytes) => {
      text += bytes;
      const found = /port (\d+)/.exec(text);
      if (found) resolve(found[1]);
    });
  });
  return `http://127.0.0.1:${port}/${basename(folder)}/`;
}
