// The studio without its picture and its panels: everything that both stand on, made once for a page.
import {connect, type Client, type ConnectOptions} from '../../lib/index.js';
import {Commands} from './commands.js';
import {WorldDocument} from './document.js';
import {Frames} from './frames.js';
import {Notices} from './notices.js';
import {Recorder} from './recorder.js';
import {Scrubber} from './scrubber.js';
import {Selection} from './selection.js';
import {Session} from './session.js';
import type {CameraPose} from './viewstate.js';
import {ViewState} from './viewstate.js';
import type {Vec3} from './values.js';
import {Worlds} from './worlds.js';

// What the panels may ask of the picture; made by view/. Without WebGL there is none (ViewState.failure says why).
export interface ViewFace {
  // Brings into view what is selected, or everything.
  focus(what?: 'selection' | 'all'): void;
  // Flies there; at once if `animate` is false.
  goTo(pose: CameraPose, animate?: boolean): void;
  // Names the present view and keeps it with the browser.
  saveView(name: string): void;
  removeView(name: string): void;
  // A free place in front of the camera, on the ground if it is seen: for what is added.
  dropPoint(): Vec3;
  // The place on the page of a particle as it is drawn, in CSS pixels; null if it is behind the camera or unknown.
  project(body: number, particle: number): {readonly x: number; readonly y: number} | null;
  // Positions as they are drawn now; null if the body is not drawn.
  drawn(body: number): Float32Array | null;
  // The same of the vertices of its surface, which may be its skin; null for ropes and points.
  surface(body: number): Float32Array | null;
  // The picture, without panels, as PNG.
  capture(): Promise<Blob>;
  // Selects what a point of the page shows, as a click there would.
  pickAt(x: number, y: number, mode?: 'replace' | 'add' | 'toggle'): void;
}

export class App {
  readonly client: Client;
  readonly document: WorldDocument;
  readonly frames: Frames;
  readonly session: Session;
  readonly worlds: Worlds;
  readonly selection: Selection;
  readonly commands: Commands;
  readonly recorder: Recorder;
  readonly scrubber: Scrubber;
  readonly notices: Notices;
  readonly viewState: ViewState;
  // Set once by view/, before the panels are mounted.
  view: ViewFace | null = null;

  constructor(options: ConnectOptions) {
    this.client = connect(options);
    this.document = new WorldDocument(this.client);
    this.frames = new Frames(this.client, this.document);
    this.session = new Session(this.client, this.document, this.frames);
    this.worlds = new Worlds(this.client);
    this.selection = new Selection(this.document);
    this.commands = new Commands(this.client, this.document);
    this.recorder = new Recorder(this.client, this.document, this.frames, this.selection);
    this.scrubber = new Scrubber(this.client, this.document);
    this.notices = new Notices();
    this.viewState = new ViewState();
  }

  // Goes to a world by its name.
  open(world: string): Promise<void> {
    return this.document.open(world);
  }

  close(): void {
    this.scrubber.close();
    this.recorder.close();
    this.selection.close();
    this.worlds.close();
    this.session.close();
    this.frames.close();
    this.document.close();
    this.client.close();
  }
}
