// What is told of work on a file while it goes on.

export interface Progress {
  readonly doing: string;
  // 0 to 1; null where it is not known.
  readonly share: number | null;
}

// A file that is being read or written, and a way to call that off.
export interface Reading extends Progress {
  readonly name: string;
  // Absent where it is too late for that.
  readonly cancel?: () => void;
}
