// Emits the gallery of a page, in its folder scenes/: the scenes, what they refer to, their pictures (gallery/), and index.json, a
// list of them.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import type {Plugin} from 'vite';

const here = (path: string) => new URL(path, import.meta.url);

export function scenes(): Plugin {
  return {
    name: 'weft-scenes',
    generateBundle() {
      const folder = here('../scenes/');
      const emit = (name: string, source: string | Uint8Array) =>
        this.emitFile({type: 'asset', fileName: `scenes/${name}`, source});
      const files = readdirSync(folder).sort();
      const beside = files.filter((name) => /\.(obj|npy)$/.test(name));
      const listed = files
        .filter((name) => name.endsWith('.json'))
        .map((file) => {
          const text = readFileSync(new URL(file, folder), 'utf8');
          const name = file.replace(/\.json$/, '');
          const pictures = [`${name}.avif`, `${name}.still.avif`].map((one) => [one, here(`gallery/${one}`)] as const);
          const pictured = pictures.every(([, path]) => existsSync(path));
          emit(file, text);
          if (pictured) pictures.forEach(([one, path]) => emit(one, readFileSync(path)));
          return {
            name,
            about: String((JSON.parse(text) as {about?: string}).about ?? ''),
            files: [file, ...beside.filter((other) => text.includes(`"${other}"`))],
            pictures: pictured,
          };
        });
      beside.forEach((name) => emit(name, readFileSync(new URL(name, folder))));
      emit('index.json', JSON.stringify(listed));
    },
  };
}
