// Emits licenses.txt: the licences of the packages whose code is in the bundle, as most of them ask.
import {readdirSync, readFileSync} from 'node:fs';
import type {Plugin} from 'vite';

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

function licenseOf(folder: string): string {
  const {name, version, license} = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) {
    throw new Error(`${name} ${version} (${license}) has no file that holds its licence`);
  }
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
}

export function licenses(): Plugin {
  return {
    name: 'weft-licenses',
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') {
          continue;
        }
        for (const [id, {renderedLength}] of Object.entries(file.modules)) {
          const found = PACKAGE.exec(id);
          if (found !== null && renderedLength > 0) {
            folders.add(found[1]!);
          }
        }
      }
      const source = [...folders].sort().map(licenseOf).join('\n----\n\n');
      this.emitFile({type: 'asset', fileName: 'licenses.txt', source});
    },
  };
}
