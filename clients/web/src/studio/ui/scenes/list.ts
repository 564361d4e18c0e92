// The scenes that come with the page, in the folder scenes/ beside it: index.json lists them (scenes.ts of the build writes it). A
// page asks for the list when somebody wants to see it, and for a scene when somebody chooses that one.
import {said, type Studio} from '../context.js';
import type {UiState} from '../state.js';
import type {Sample} from './sample.js';
import {openScene} from './scenes.js';

interface Listed {
  readonly name: string;
  readonly about: string;
  // The scene first, then what it refers to.
  readonly files: readonly string[];
  // Whether there are NAME.avif and NAME.still.avif.
  readonly pictures: boolean;
}

const addressOf = (name: string) => new URL(`scenes/${name}`, document.baseURI).href;

// Everything that is fetched lies beside the page.
export async function fetched(name: string): Promise<ArrayBuffer> {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) {
    throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  }
  return answer.arrayBuffer();
}

function sampleOf({name, about, files, pictures}: Listed): Sample {
  return {
    name,
    about,
    pictures: pictures ? {moving: addressOf(`${name}.avif`), still: addressOf(`${name}.still.avif`)} : null,
    files: () => Promise.all(files.map(async (file) => new File([await fetched(`scenes/${file}`)], file))),
  };
}

// Throws if the list is not there.
export async function readSamples(ui: UiState): Promise<readonly Sample[]> {
  if (ui.samples.peek().length === 0) {
    const text = new TextDecoder().decode(await fetched('scenes/index.json'));
    ui.samples.value = (JSON.parse(text) as readonly Listed[]).map(sampleOf);
  }
  return ui.samples.peek();
}

// Whether there is a world of it now.
export async function openSample(studio: Studio, sample: Sample): Promise<boolean> {
  const {app} = studio;
  try {
    return (await openScene(studio, await sample.files())) && (await said(app, app.commands.play(1)));
  } catch (error) {
    app.notices.info(`${sample.name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
