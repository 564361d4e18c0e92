// A scene that comes with the page.
export interface Sample {
  readonly name: string;
  readonly about: string;
  // The scene, and what it refers to.
  files(): Promise<readonly File[]>;
}
