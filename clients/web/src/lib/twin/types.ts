// The options and the status of a twin.
export interface TwinBounds {
  /** Bound of an image. Default 64 MiB. */
  readonly imageBytes?: number;
  /** Bound of records and marks that wait to be applied. Default 32 MiB. */
  readonly waitingBytes?: number;
}

/** Fields of frames, as in `stream.subscribe`. */
export type TwinField =
  | 'positions'
  | 'velocities'
  | 'normals'
  | 'rotations'
  | 'skin'
  | 'measures'
  | 'grabs'
  | 'colliders'
  | 'contact'
  | 'contacts'
  | 'asleep';

/** loading: the module is being compiled. joining: an image is arriving. following: it runs. closed: for good. */
export type TwinState = 'loading' | 'joining' | 'following' | 'closed';

export interface TwinStatus {
  readonly state: TwinState;
  /** The present tick, the last tick it may run to, and the last tick with the server's hash. */
  readonly tick: number;
  readonly toldTick: number;
  readonly sameTick: number;
  /** Number of hashes compared, and of hashes and results that were not equal. */
  readonly hashes: number;
  readonly differences: number;
  /** Images that it began with, records applied, and times that it was lost. */
  readonly images: number;
  readonly records: number;
  readonly losses: number;
  /** Delay behind the server's clock. */
  readonly delayMs: number;
  /** Time of this thread for a tick and its inputs. */
  readonly msPerTick: number;
  /** Ticks that are overdue. */
  readonly behind: number;
  /** Ticks by which a drag of this client is predicted; 0: there is no prediction. */
  readonly ahead: number;
  readonly playing: boolean;
  readonly rate: number;
  readonly ticksPerSecond: number;
  /** Bytes received, including images; bytes of the last image; size of the module's memory. */
  readonly bytes: number;
  readonly imageBytes: number;
  readonly memory: number;
  /** The reason of the last loss or of the close. */
  readonly text: string;
}
