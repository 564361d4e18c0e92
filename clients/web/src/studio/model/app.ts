// The studio without its picture and its panels: everything that both stand on, made once for a page.
import {connect, type Client, type Codec, type ConnectOptions} from '../../lib/index.js';
import {Access} from './access.js';
import {Bodies, type Matrix} from './bodies.js';
import {Commands} from './commands.js';
import {Convergence} from './convergence.js';
import {WorldDocument} from './document.js';
import {Frames} from './frames.js';
import {Gestures} from './gestures.js';
import type {Anchor} from './measures.js';
import {Notices} from './notices.js';
import {Packing} from './packing.js';
import {Beside} from './past/beside.js';
import {Past} from './past/past.js';
import {Replay} from './past/replay.js';
import {People} from './people.js';
import {Storage} from './storage.js';
import {Removals} from './removals.js';
import {Recorder} from './recorder.js';
import {Scrubber} from './scrubber.js';
import {Selection, type Thing} from './selection.js';
import {Session} from './session.js';
import {Simulated, type TwinHost} from './simulated.js';
import type {CameraPose} from './viewstate.js';
import {Unsaved} from './unsaved.js';
import {ViewState} from './viewstate.js';
import type {Vec3} from './values.js';
import {Worlds} from './worlds.js';

// What the panels may ask of the picture; made by view/. Without WebGL there is none (ViewState.failure says why).
export interface Viewport {
  // Brings into view what is selected, or everything.
  focus(what?: 'selection' | 'all'): void;
  // Flies there; at once if `animate` is false.
  goTo(pose: CameraPose, animate?: boolean): void;
  // Names the present view and keeps it with the browser.
  saveView(name: string): void;
  removeView(name: string): void;
  // A free place in front of the camera, on the ground if it is seen: for what is added.
  dropPoint(): Vec3;
  // The boxes that bodies and solids take up as they are drawn; a ground has no end and does not count.
  taken(): readonly {readonly min: Vec3; readonly max: Vec3}[];
  // The box that one of them takes up as it is drawn; null if it is not drawn, or has no end.
  boxOf(thing: 'body' | 'collider', id: number): {readonly min: Vec3; readonly max: Vec3} | null;
  // The place at which an anchor of a measure is drawn; null if it is gone.
  placeOf(anchor: Anchor): Vec3 | null;
  // Looks along an axis, at what is looked at now: from the front (along −z), the side (−x) or the top (−y).
  lookAlong(side: 'front' | 'side' | 'top'): void;
  // The place on the page of a particle as it is drawn, in CSS pixels; null if it is behind the camera or unknown.
  project(body: number, particle: number): {readonly x: number; readonly y: number} | null;
  // Positions as they are drawn now; null if the body is not drawn.
  drawn(body: number): Float32Array | null;
  // What it is drawn in where it has no colour of its own on this page, as #rrggbb.
  colorOf(thing: 'body' | 'collider', id: number): string;
  // The same of the vertices of its surface, which may be its skin; null for ropes and points.
  surface(body: number): Float32Array | null;
  // The picture, without panels, as PNG.
  capture(): Promise<Blob>;
  // The tick of the newest state that the picture has; null before the first.
  readonly tick: number | null;
  // Draws the newest state once in a size of its own, and hands that over while it stands on the canvas.
  still(asked: Still, take: (canvas: HTMLCanvasElement) => void): Promise<void>;
  // Selects what a point of the page shows, as a click there would.
  pickAt(x: number, y: number, mode?: 'replace' | 'add' | 'toggle'): void;
}

// A picture in pixels. transparent: without the sky and the ground.
export interface Still {
  readonly width: number;
  readonly height: number;
  readonly transparent: boolean;
}

// What a page has besides its connection.
export interface Surroundings {
  // Worlds are of this page, with nobody else in them, and end with it.
  readonly inPage?: boolean;
  // Runs twins; null: it cannot.
  readonly twins?: TwinHost | null;
  // Reads compressed positions; null: none are asked for.
  readonly codec?: Promise<Codec> | null;
}

export class App {
  readonly client: Client;
  readonly document: WorldDocument;
  readonly frames: Frames;
  readonly simulated: Simulated;
  readonly session: Session;
  readonly access: Access;
  readonly worlds: Worlds;
  readonly unsaved: Unsaved;
  readonly selection: Selection;
  readonly people: People;
  readonly commands: Commands;
  readonly bodies: Bodies;
  readonly removals: Removals;
  readonly recorder: Recorder;
  readonly convergence: Convergence;
  readonly scrubber: Scrubber;
  readonly past: Past;
  readonly replay: Replay;
  readonly beside: Beside;
  readonly storage: Storage;
  readonly notices: Notices;
  readonly gestures = new Gestures();
  readonly viewState: ViewState;
  readonly inPage: boolean;
  // Set once by view/, before the panels are mounted.
  view: Viewport | null = null;

  constructor(
    readonly options: ConnectOptions,
    {inPage = false, twins = null, codec = null}: Surroundings = {},
  ) {
    this.inPage = inPage;
    this.client = connect(options);
    this.document = new WorldDocument(this.client);
    const packing = new Packing(this.client, codec);
    this.frames = new Frames(this.client, this.document, packing);
    this.simulated = new Simulated(this.client, this.document, this.frames, twins);
    this.session = new Session(this.client, this.document, this.frames);
    this.access = new Access(this.client, this.document);
    this.worlds = new Worlds(this.client);
    this.unsaved = new Unsaved(this.client, this.document, this.worlds);
    this.selection = new Selection(this.document);
    this.people = new People(this.client, this.document, this.selection);
    this.commands = new Commands(
      this.client,
      this.document,
      (...pull) => this.simulated.hold(...pull),
      this.gestures,
    );
    this.bodies = new Bodies(this.client, this.document, this.commands);
    this.removals = new Removals(this.document, this.commands);
    this.recorder = new Recorder(this.client, this.document, this.frames, this.selection);
    this.convergence = new Convergence(this.client, this.document);
    this.scrubber = new Scrubber(this.client, this.document);
    this.past = new Past(this.client, this.document);
    this.replay = new Replay(this.past, this.document);
    this.beside = new Beside(this.client, this.document, this.past, packing);
    this.storage = new Storage(this.client);
    this.notices = new Notices();
    this.viewState = new ViewState();
  }

  // Bodies of another size, which are new ones: they are selected, and look on this page as the old ones did. What was
  // refused of it, and what it cost, is said. False where something was refused.
  async remake(ids: readonly number[], matrix: Matrix): Promise<boolean> {
    const made: Thing[] = [];
    let lost = 0;
    let ok = true;
    for (const id of ids) {
      const done = await this.bodies.remake(id, matrix);
      if (!done.ok) {
        this.notices.error(done.error);
        ok = false;
        break;
      }
      const {body} = done.result;
      const look = this.viewState.own.peek().get(`body:${id}`);
      if (look) {
        this.viewState.own.value = new Map([...this.viewState.own.peek(), [`body:${body}`, look]]);
      }
      made.push({kind: 'body', body});
      lost += done.result.lost;
    }
    if (made.length > 0) {
      this.selection.select(made);
    }
    if (lost > 0) {
      this.notices.info(
        `${lost === 1 ? 'A constraint that was' : `${lost} constraints that were`} tied to it was removed: resizing makes a new body.`,
      );
    }
    return ok;
  }

  // Goes to a world by its name.
  open(world: string): Promise<void> {
    return this.document.open(world);
  }

  close(): void {
    this.beside.close();
    this.replay.close();
    this.past.close();
    this.storage.close();
    this.scrubber.close();
    this.commands.close();
    this.convergence.close();
    this.recorder.close();
    this.people.close();
    this.selection.close();
    this.unsaved.close();
    this.worlds.close();
    this.access.close();
    this.session.close();
    this.simulated.close();
    this.frames.close();
    this.document.close();
    this.client.close();
  }
}
