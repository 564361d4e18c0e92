// Who may import whom: lib stands by itself; of the studio, model stands on lib's index alone, and view and ui on
// both, not on one another; local knows bytes, and of lib how a module is run (module.ts); files the same, and how a message
// is decoded (wire.ts); record stands by itself; ui stands on both. main.ts puts them together.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** What a source imports: paths below src, or names of packages. */
function imports(path: string, text = readFileSync(path, 'utf8')): string[] {
  const found = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([@.\w][\w@./-]*)['"]/g)].map((match) => match[1]!);
  return found.map((name) => (name.startsWith('.') ? relative(src, resolve(dirname(path), name)) : name));
}

function strangers(folder: string, allowed: RegExp): string[] {
  const paths = sources(join(src, folder));
  expect(paths.length).toBeGreaterThan(2);
  return paths.flatMap((path) =>
    imports(path)
      .filter((name) => !allowed.test(name))
      .map((name) => `${relative(src, path)} imports ${name}`),
  );
}

describe('floors', () => {
  it('the walker sees every way to import', () => {
    const text = `import a from './a.js'; import {type B} from "../b.js"; import 'c'; export * from '@d/d';
      const e = await import('./e.js'); import type F from './f.css';`;
    expect(imports(join(src, 'x/y.ts'), text)).toEqual(['x/a.js', 'b.js', 'c', '@d/d', 'x/e.js', 'x/f.css']);
  });
  it('lib', () => expect(strangers('lib', /^(lib\/|@msgpack\/msgpack$)/)).toEqual([]));
  it('local', () => expect(strangers('local', /^(local\/|lib\/module\.js$)/)).toEqual([]));
  it('files', () => expect(strangers('files', /^(files\/|lib\/(module|wire)\.js$)/)).toEqual([]));
  it('record', () => expect(strangers('record', /^record\//)).toEqual([]));
  it('model', () => {
    expect(strangers('studio/model', /^(studio\/model\/|lib\/index\.js$|@preact\/signals)/)).toEqual([]);
  });
  it('view', () => {
    expect(strangers('studio/view', /^(studio\/(view|model)\/|lib\/index\.js$|@preact\/signals|three)/)).toEqual([]);
  });
  it('ui', () => {
    const allowed = /^(studio\/(ui|model)\/|(lib|files|record)\/index\.js$|@preact\/signals|preact|three|uplot)/;
    expect(strangers('studio/ui', allowed)).toEqual([]);
  });
});
