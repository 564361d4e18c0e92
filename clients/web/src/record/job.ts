// Shared by all writers: the objects of a take, its frames with progress, and the names of files.
import {objectsOf, isSurface, normalsOf, pointsOf, type TakenObject} from './objects.js';
import type {Take} from './take.js';

/** The share of the work that is done, from 0 to 1. */
export type Tell = (share: number) => void;

export interface Pace {
  /** Frames a second with which the file plays; in the world there are tickRate / every. */
  readonly frameRate: number;
  readonly every: number;
}

export class Job {
  /** Room for the points and normals of one object. */
  readonly points: Float32Array;
  readonly normals: Float32Array;
  private done = 0;

  private constructor(
    readonly take: Take,
    readonly objects: readonly TakenObject[],
    /** Name of the file without its end. */
    readonly stem: string,
    readonly pace: Pace,
    private readonly tell: Tell,
    /** Frames that will be read. */
    private readonly reads: number,
  ) {
    this.points = new Float32Array(3 * Math.max(0, ...objects.map(({pointCount}) => pointCount)));
    this.normals = new Float32Array(3 * Math.max(0, ...objects.map(({normalCount}) => normalCount)));
  }

  /** `passes`: how often each frame is read, by the number of objects. */
  static async begin(
    take: Take,
    stem: string,
    pace: Pace,
    tell: Tell,
    passes: (objects: readonly TakenObject[]) => number,
  ): Promise<Job> {
    if (take.count === 0) {
      throw new Error('Nothing was recorded: there is no frame to write.');
    }
    const objects = await objectsOf(take);
    return new Job(take, objects, stem, pace, tell, Math.max(1, passes(objects) * take.count));
  }

  read(index: number): Promise<Float32Array> {
    this.tell(Math.min(1, ++this.done / this.reads));
    return this.take.read(index);
  }

  /** Seconds after the first frame, at which the file shows this one. */
  time(index: number): number {
    const slower = this.take.scene.tickRate / (this.pace.every * this.pace.frameRate);
    return Math.fround((this.take.time(index) - this.take.time(0)) * slower);
  }

  /** The object in a frame: its points, and its normals if it is a surface. */
  place(object: TakenObject, frame: Float32Array): void {
    pointsOf(object, frame, this.points);
    if (isSurface(object)) {
      normalsOf(object, frame, this.points, this.normals);
    }
  }

  /** '' for the only object, otherwise '-NAME' without characters that file names do not bear, and unique. */
  suffix(o: number): string {
    if (this.objects.length === 1) {
      return '';
    }
    const {name} = this.objects[o];
    const plain = name.slice(0, 63).replace(/[^A-Za-z0-9_.]/g, '_');
    const alike = this.objects.some((other, i) => i !== o && other.name.toLowerCase() === plain.toLowerCase());
    return plain !== name || alike ? `-${plain}-${o + 1}` : `-${plain}`;
  }

  get hasMaterials(): boolean {
    return this.objects.some(({looks}) => looks);
  }
}
