// A scene that comes with the page.
export interface Sample {
  readonly name: string;
  readonly about: string;
  // Addresses of a picture that moves and of one that does not; null if it has none.
  readonly pictures: {readonly moving: string; readonly still: string} | null;
  // The scene, and what it refers to.
  files(): Promise<readonly File[]>;
}
