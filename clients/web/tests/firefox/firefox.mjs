// A Firefox of one's own, on a screen of its own, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi): JSON over a WebSocket.
//
// It is given a screen (Xvfb), for without one it has no WebGL. Both end with the process that started them, and so does the
// folder that the browser keeps its things in.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {WebSocket} from 'ws';

export const WAIT_MS = Number(process.env.WEFT_WAIT_MS ?? 90_000);
const PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  // Nothing that is not looked at.
  'browser.startup.page': 0,
  'browser.newtabpage.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'media.rdd-process.enabled': false,
};

// Rejects with `what` and what was said where that takes longer than anything does.
async function inTime(what, promise, said = () => '') {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${WAIT_MS / 1000} s\n${said()}`)), WAIT_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// What a program says that `pattern` finds: its first group. Rejects if it ends before.
function said(child, stream, pattern, name) {
  let text = '';
  const found = new Promise((resolve, reject) => {
    stream.on('data', (bytes) => {
      text += bytes;
      const match = pattern.exec(text);
      if (match) resolve(match[1]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}\n${text}`)));
  });
  return inTime(`${name} starts`, found, () => text);
}

// A group of processes of its own: the browser has many, of which the first may have been replaced.
function start(program, words, options) {
  return spawn(program, words, {...options, detached: true});
}

function kill({pid}) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // all have ended
  }
}

export class Firefox {
  // Everything that pages complained about.
  complaints = [];
  #calls = new Map();
  #last = 0;

  static async start({firefox, xvfb, width = 640, height = 440}) {
    const one = new Firefox();
    one.home = mkdtempSync(join(tmpdir(), 'weft-firefox-'));
    process.once('exit', () => one.#end());
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});`);
    writeFileSync(join(one.home, 'user.js'), lines.join('\n'));
    one.screen = start(xvfb, ['-displayfd', '3', '-screen', '0', `${width + 100}x${height + 200}x24`, '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const number = await said(one.screen, one.screen.stdio[3], /(\d+)\n/, 'Xvfb');
    one.browser = start(firefox, ['--no-remote', '--profile', one.home, '--remote-debugging-port', '0'], {
      env: {...process.env, DISPLAY: `:${number}`, HOME: one.home, NO_AT_BRIDGE: '1'},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await said(one.browser, one.browser.stderr, /listening on (ws:\S+)/, 'Firefox');
    await one.#connect(`${address}/session`, {width, height});
    return one;
  }

  async #connect(address, viewport) {
    this.socket = new WebSocket(address, {maxPayload: 1 << 28});
    await inTime('a connection to Firefox', new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject)));
    this.socket.on('message', (text) => this.#hear(JSON.parse(text)));
    this.socket.on('close', () => this.#calls.forEach(({reject, method}) => reject(new Error(`${method}: Firefox has gone`))));
    const {capabilities} = await this.call('session.new', {capabilities: {}});
    this.version = capabilities.browserVersion;
    // A tab of our own: into the first the browser may yet load what it begins with.
    this.context = (await this.call('browsingContext.create', {type: 'tab'})).context;
    await this.call('session.subscribe', {events: ['log.entryAdded']});
    await this.call('browsingContext.setViewport', {context: this.context, viewport});
    await this.beforeEach(() => {
      document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) => {
        console.error(`policy: ${violatedDirective} ${blockedURI}`);
      });
    });
  }

  #hear({type, id, method, params, result, error, message}) {
    if (type === 'event') {
      if (method === 'log.entryAdded' && params.level === 'error') this.complaints.push(`${params.type}: ${params.text}`);
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (type === 'success') call?.resolve(result);
    else call?.reject(new Error(`${call.method}: ${error}: ${message}`));
  }

  call(method, params) {
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => this.#calls.set(id, {resolve, reject, method}));
    this.socket.send(JSON.stringify({id, method, params}));
    return inTime(method, answer);
  }

  // `work` runs in every page before anything of its own does.
  beforeEach(work) {
    return this.call('script.addPreloadScript', {functionDeclaration: String(work)});
  }

  open(url) {
    return this.call('browsingContext.navigate', {context: this.context, url, wait: 'complete'});
  }

  // What `work` comes to in the page; what goes there and back is JSON.
  async evaluate(work, ...words) {
    const {type, result, exceptionDetails} = await this.call('script.callFunction', {
      functionDeclaration: `async (words) => JSON.stringify(await (${work})(...JSON.parse(words)))`,
      arguments: [{type: 'string', value: JSON.stringify(words)}],
      target: {context: this.context},
      awaitPromise: true,
    });
    if (type === 'exception') throw new Error(`in the page: ${exceptionDetails.text}`);
    return result.type === 'string' ? JSON.parse(result.value) : undefined;
  }

  // Asks until it is so, and returns what it was then.
  async until(what, work, ...words) {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const answer = await this.evaluate(work, ...words);
      if (answer) return answer;
      if (Date.now() > end) assert.fail(`${what}; the page says: ${await this.evaluate(() => `${location} ${document.body.innerText}`)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // The mouse: {type: 'pointerMove', x, y}, {type: 'pointerDown' or 'pointerUp', button: 0}, one after another.
  mouse(...actions) {
    const whole = actions.map((action) => (action.x === undefined ? action : {...action, x: Math.round(action.x), y: Math.round(action.y)}));
    const source = {type: 'pointer', id: 'mouse', parameters: {pointerType: 'mouse'}, actions: whole};
    return this.call('input.performActions', {context: this.context, actions: [source]});
  }

  async picture() {
    const {data} = await this.call('browsingContext.captureScreenshot', {context: this.context});
    return Buffer.from(data, 'base64');
  }

  async close() {
    const ended = new Promise((resolve) => this.browser.once('exit', resolve));
    await this.call('browser.close', {}).catch(() => undefined); // it may be gone before it answers
    await inTime('Firefox ends', ended);
  }

  #end() {
    for (const child of [this.browser, this.screen]) if (child) kill(child);
    rmSync(this.home, {recursive: true, force: true, maxRetries: 10});
  }
}
