// What a twin is asked for, and what it says of itself.
export interface TwinBounds {
  /** Of a whole image. Default 64 MiB. */
  readonly imageBytes?: number;
  /** Of records and marks that are taken and not come to. Default 32 MiB. */
  readonly waitingBytes?: number;
}

/** What frames hold, as of `stream.subscribe`. */
export type TwinField =
  'positions' | 'velocities' | 'normals' | 'skin' | 'measures' | 'grabs' | 'colliders' | 'contact' | 'contacts';

/** loading: the module is compiled. joining: an image is to come. following: it runs. closed: for good. */
export type TwinState = 'loading' | 'joining' | 'following' | 'closed';

export interface TwinStatus {
  readonly state: TwinState;
  /** Where it stands, how far it may go, and the last tick at which its hash was the server's. */
  readonly tick: number;
  readonly toldTick: number;
  readonly sameTick: number;
  /** Hashes compared; of these and of results, those that were not the same. */
  readonly hashes: number;
  readonly differences: number;
  /** Images that it began with, records applied, times that it was lost. */
  readonly images: number;
  readonly records: number;
  readonly losses: number;
  /** By which it follows the server's clock. */
  readonly delayMs: number;
  /** Of this thread, for a tick and what came with it. */
  readonly msPerTick: number;
  /** Ticks that should have been done by now. */
  readonly behind: number;
  /** Ticks that a drag of this client's is shown ahead; 0: what is shown is certain. */
  readonly ahead: number;
  readonly playing: boolean;
  readonly rate: number;
  readonly ticksPerSecond: number;
  /** Received, images too; of the last image; of the module's memory. */
  readonly bytes: number;
  readonly imageBytes: number;
  readonly memory: number;
  /** Why it was lost or closed last. */
  readonly text: string;
}
