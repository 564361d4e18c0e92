// The panels of physical fields, which few pages show.
import {later} from '../controls/later.js';

export const FieldMenu = later(() => import('./fieldmenu.js').then((module) => module.FieldMenu));
export const FieldLegend = later(() => import('./fieldlegend.js').then((module) => module.FieldLegend));
