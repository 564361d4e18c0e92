// The scenes beside the page: scenes/index.json lists them (vite.site.config.ts writes it).
import type {Sample} from '../studio/ui/scenes/sample.js';

export interface Listed {
  readonly name: string;
  readonly about: string;
  // The scene first, then what it refers to.
  readonly files: readonly string[];
}

export async function readSamples(fetched: (name: string) => Promise<ArrayBuffer>): Promise<readonly Sample[]> {
  const listed = JSON.parse(new TextDecoder().decode(await fetched('scenes/index.json'))) as readonly Listed[];
  return listed.map(({name, about, files}) => ({
    name,
    about,
    files: () => Promise.all(files.map(async (file) => new File([await fetched(`scenes/${file}`)], file))),
  }));
}
