// The studio's icons: strokes of 1.5 on a field of 16, in the colour of the text around them.
import type {ComponentChildren} from 'preact';

const shapes = {
  drag: (
    <path d="M8 8.2V3.4a1.1 1.1 0 0 1 2.2 0v4m0-2.6a1.1 1.1 0 0 1 2.2 0v3.1m0-1.5a1 1 0 0 1 2 0v3.3c0 2.6-1.7 4.5-4.3 4.5-2 0-3-.8-3.9-2.3L3.9 9.6a1.1 1.1 0 0 1 1.8-1.2l1 1.3V4.6A1.1 1.1 0 0 1 8 3.9" />
  ),
  select: <path d="M3.5 2.8l9.4 4.6-4.1 1.3-1.6 4.1z" />,
  box: (
    <path d="M2.5 5V3.5a1 1 0 0 1 1-1H5m6 0h1.5a1 1 0 0 1 1 1V5m0 6v1.5a1 1 0 0 1-1 1H11m-6 0H3.5a1 1 0 0 1-1-1V11M7.2 2.5h1.6M7.2 13.5h1.6M2.5 7.2v1.6M13.5 7.2v1.6" />
  ),
  lasso: (
    <path
      d="M8 2.6c3.3 0 5.7 1.7 5.7 4s-2.4 4-5.7 4-5.7-1.7-5.7-4 2.4-4 5.7-4zM5 10.1c-.9.4-1.4 1.2-1 2 .4.9 1.8.9 2.3.1.4-.7 0-1.5-.7-1.8M5.3 12.8c.2.7.1 1.3-.5 1.7"
      stroke-dasharray="2.2 1.9"
    />
  ),
  play: (
    <path class="solid" d="M4.5 3.1v9.8a.6.6 0 0 0 .9.5l7.9-4.9a.6.6 0 0 0 0-1L5.4 2.6a.6.6 0 0 0-.9.5z" />
  ),
  pause: (
    <path
      class="solid"
      d="M4.2 2.8h2.3c.3 0 .5.2.5.5v9.4c0 .3-.2.5-.5.5H4.2a.5.5 0 0 1-.5-.5V3.3c0-.3.2-.5.5-.5zm5.3 0h2.3c.3 0 .5.2.5.5v9.4c0 .3-.2.5-.5.5H9.5a.5.5 0 0 1-.5-.5V3.3c0-.3.2-.5.5-.5z"
    />
  ),
  step: (
    <>
      <path class="solid" d="M3.5 3.4v9.2c0 .5.5.7.9.5l6.6-4.6c.3-.3.3-.7 0-1L4.4 2.9c-.4-.2-.9 0-.9.5z" />
      <path d="M12.5 3v10" />
    </>
  ),
  reset: <path d="M2.7 8a5.3 5.3 0 1 0 1.7-3.9L2.5 5.9m0-3.2v3.2h3.2" />,
  substeps: <path d="M2 12.5h12M2.5 12.5v-8M13.5 12.5v-8M6.200 12.5V9M9.800 12.5V9" />,
  plus: <path d="M8 3v10M3 8h10" />,
  close: <path d="M4 4l8 8m0-8l-8 8" />,
  check: <path d="M3 8.5l3.2 3.2L13 4.8" />,
  down: <path d="M4.5 6.5L8 10l3.5-3.5" />,
  left: <path d="M9.5 4.5L6 8l3.5 3.5" />,
  right: <path d="M6.5 4.5L10 8l-3.5 3.5" />,
  more: (
    <g class="solid">
      <circle class="solid" cx="3.5" cy="8" r="1.2" />
      <circle class="solid" cx="8" cy="8" r="1.2" />
      <circle class="solid" cx="12.5" cy="8" r="1.2" />
    </g>
  ),
  eye: (
    <>
      <path d="M1.8 8S4 3.7 8 3.7 14.2 8 14.2 8 12 12.3 8 12.3 1.8 8 1.8 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  chart: <path d="M2.5 2.5v10a1 1 0 0 0 1 1h10M5.2 10.3l2.5-3.2 2.2 1.8 3.3-4.3" />,
  link: (
    <path d="M6.7 9.3a2.7 2.7 0 0 0 3.9 0l2.1-2.1a2.7 2.7 0 0 0-3.9-3.9l-.9.9M9.3 6.7a2.7 2.7 0 0 0-3.9 0L3.3 8.8a2.7 2.7 0 0 0 3.9 3.9l.9-.9" />
  ),
  outline: <path d="M2.5 4h7M5 8h8.5M5 12h6M2.5 7v5" />,
  sliders: <path d="M2.5 4.7h5.3m3.4 0h2.3M2.5 11.3h2.3m3.4 0h5.3M9.5 3v3.4M6.5 9.6V13" />,
  help: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M6.3 6.4a1.7 1.7 0 1 1 2.6 1.5c-.6.4-.9.7-.9 1.4M8 11.3v.05" />
    </>
  ),
  keyboard: (
    <path d="M2.5 4h11a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM4.3 6.7h.05M6.8 6.7h.05M9.2 6.7h.05M11.7 6.7h.05M5.5 9.5h5" />
  ),
  sun: (
    <path d="M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />
  ),
  moon: <path d="M13.2 9.4A5.5 5.5 0 1 1 6.6 2.8a4.4 4.4 0 0 0 6.6 6.6z" />,
  system: (
    <path d="M3 3h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM6 13.5h4M8 11v2.5" />
  ),
  pin: <path d="M8 10v4M5.2 2.5h5.6M6 2.5v3.7L4 8.5V10h8V8.5l-2-2.3V2.5" />,
  unpin: <path d="M8 10v4M5.2 2.5h5.6M6 2.7v3.5L4 8.5V10h5.8M10 2.5v3.7l1.6 1.9M2.5 2.5l11 11" />,
  connect: (
    <>
      <circle cx="3.8" cy="12.2" r="1.6" />
      <circle cx="12.2" cy="3.8" r="1.6" />
      <path d="M5 11l1.2-1.2M7.4 8.6l1.2-1.2M9.8 6.2L11 5" />
    </>
  ),
  remove: (
    <path d="M2.8 4.5h10.4M6.2 4.5V3.2c0-.4.3-.7.7-.7h2.2c.4 0 .7.3.7.7v1.3M4.2 4.5l.6 8c0 .6.4 1 1 1h4.4c.6 0 1-.4 1-1l.6-8M6.8 7.2v3.6M9.2 7.2v3.6" />
  ),
  focus: (
    <path d="M2.5 5.5v-2a1 1 0 0 1 1-1h2m5 0h2a1 1 0 0 1 1 1v2m0 5v2a1 1 0 0 1-1 1h-2m-5 0h-2a1 1 0 0 1-1-1v-2M8 6.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z" />
  ),
  camera: <path d="M8 2.2l5 2.9v5.8l-5 2.9-5-2.9V5.1zM3 5.1L8 8m0 0l5-2.9M8 8v5.8" />,
  wind: (
    <path d="M2 6h7.3a1.9 1.9 0 1 0-1.7-2.7M2 8.5h10.2a1.7 1.7 0 1 1-1.5 2.5M2 11h5.3a1.5 1.5 0 1 1-1.3 2.2" />
  ),
  person: (
    <>
      <circle cx="8" cy="5.6" r="2.4" />
      <path d="M3.4 13.2c.3-2.6 2.2-3.9 4.6-3.9s4.3 1.3 4.6 3.9" />
    </>
  ),
  people: (
    <>
      <circle cx="6" cy="5.5" r="2.3" />
      <path d="M1.8 13c.3-2.5 2-3.8 4.2-3.8s3.9 1.3 4.2 3.8M10.5 3.4a2.3 2.3 0 0 1 0 4.2M12 9.7c1.3.5 2.1 1.6 2.3 3.3" />
    </>
  ),
  world: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M2.2 8h11.6M8 2.2c1.7 1.6 2.5 3.6 2.5 5.8S9.7 12.2 8 13.8C6.3 12.2 5.5 10.2 5.5 8S6.3 3.8 8 2.2z" />
    </>
  ),
  cloth: (
    <path d="M2.5 3.5c1.8-.9 3.7-.9 5.5 0s3.7.9 5.5 0v9c-1.8.9-3.7.9-5.5 0s-3.7-.9-5.5 0zM2.5 8c1.8-.9 3.7-.9 5.5 0s3.7.9 5.5 0M8 3.5v9" />
  ),
  rope: <path d="M4 2.5c0 3 8 2.5 8 5.5s-8 2.5-8 5.5" />,
  soft: <path d="M8 2.3l5.2 9.5H2.8zM8 2.3v6.2m5.2 3.3L8 8.5l-5.2 3.3" />,
  points: (
    <g>
      <circle class="solid" cx="4" cy="5" r="1.3" />
      <circle class="solid" cx="10.5" cy="3.7" r="1.3" />
      <circle class="solid" cx="7.8" cy="8.8" r="1.3" />
      <circle class="solid" cx="12.3" cy="11" r="1.3" />
      <circle class="solid" cx="4" cy="12" r="1.3" />
    </g>
  ),
  plane: <path d="M1.8 10.5L6 5.5h8.2l-4.2 5zM8 3v2.5" />,
  sphere: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M2.5 8c0 1.3 2.5 2.3 5.5 2.3s5.5-1 5.5-2.3" />
    </>
  ),
  capsule: (
    <path d="M8 1.8a3.2 3.2 0 0 1 3.2 3.2v6a3.2 3.2 0 0 1-6.4 0V5A3.2 3.2 0 0 1 8 1.8zM4.8 5.5c0 .8 1.4 1.5 3.2 1.5s3.2-.7 3.2-1.5" />
  ),
  cylinder: (
    <>
      <ellipse cx="8" cy="4" rx="4.5" ry="1.9" />
      <path d="M3.5 4v8c0 1 2 1.9 4.5 1.9s4.5-.9 4.5-1.9V4" />
    </>
  ),
  hills: <path d="M1.5 12.5h13M1.5 12.5c2-6 4-6.5 5.5-3 1-2 2-3 3.2-1.6 1.4 1.6 2.6 3 4.3 4.6" />,
  cube: <path d="M8 2.2l5 2.9v5.8l-5 2.9-5-2.9V5.1zM3 5.1L8 8m0 0l5-2.9M8 8v5.8" />,
  constraint: (
    <>
      <circle cx="3.5" cy="8" r="1.7" />
      <circle cx="12.5" cy="8" r="1.7" />
      <path d="M5.2 8h5.6" />
    </>
  ),
  gauge: <path d="M3.3 12.3a5.8 5.8 0 1 1 9.4 0M8 9l2.6-3.2" />,
  expand: <path d="M9.5 3h3.5v3.5M6.5 13H3V9.5M13 3L9 7M3 13l4-4" />,
  download: <path d="M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M2.7 13.3h10.6" />,
  upload: <path d="M8 10.7v-8M4.8 5.8L8 2.6l3.2 3.2M2.7 13.3h10.6" />,
  edit: <path d="M3 13l.6-2.7 7.3-7.3a1 1 0 0 1 1.4 0l.7.7a1 1 0 0 1 0 1.4L5.7 12.4z" />,
  copy: (
    <path d="M6 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1zM11 5.5V3a1 1 0 0 0-1-1H3.5a1 1 0 0 0-1 1v6.5a1 1 0 0 0 1 1H5" />
  ),
  warning: (
    <path d="M7.1 3L1.9 12a1 1 0 0 0 .9 1.5h10.4a1 1 0 0 0 .9-1.5L8.9 3a1 1 0 0 0-1.8 0zM8 6.5v3M8 11.4v.05" />
  ),
  information: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 7.5v3.3M8 5.2v.05" />
    </>
  ),
  unplugged: (
    <path d="M2 2l12 12M4.4 8.6a5.2 5.2 0 0 1 2.3-1.4M2.3 6.2a8.3 8.3 0 0 1 2.3-1.6M7.3 4a8.2 8.2 0 0 1 6.4 2.2M10.3 7.7c.5.2.9.5 1.3.9M6.5 10.7a2.2 2.2 0 0 1 3 0M8 12.9v.05" />
  ),
} satisfies Record<string, ComponentChildren>;

export type IconName = keyof typeof shapes;

export function Icon({name}: {name: IconName}) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  );
}
