// The first tour: five things that a new person does first.

export interface Step {
  readonly title: string;
  readonly words: string;
  // The part of the page that the step is about; if it is not there, the card stands above the tools.
  readonly at: string | null;
}

export const STEPS: readonly Step[] = [
  {
    title: 'Pull at things',
    words: 'Press on a cloth and pull. Drag beside it to turn the view, and use the wheel or two fingers to come nearer.',
    at: null,
  },
  {
    title: 'Let time run',
    words: 'Play, pause, or go tick by tick. Space plays and pauses. Everybody who is here sees the same.',
    at: '[aria-label="World time"]',
  },
  {
    title: 'Add things',
    words: 'New has cloths, ropes, soft bodies and colliders. You can also drop a mesh or a scene on the page.',
    at: '.button.new',
  },
  {
    title: 'Change them',
    words: 'Choose a thing with the selecting tools or in the outline. The inspector then has its numbers. Ctrl+Z takes back what you did.',
    at: '[role="radiogroup"][aria-label="Tool"]',
  },
  {
    title: 'Go back, and take it along',
    words: 'The timeline (J) shows and plays the past. The menu exports it as a file or a video, and has help.',
    at: '[aria-label="More"]',
  },
];
