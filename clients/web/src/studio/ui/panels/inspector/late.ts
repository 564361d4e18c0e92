// Parts of the inspector that few pages show.
import {later} from '../../controls/later.js';

export const Connect = later(() => import('./connect.js').then((module) => module.Connect));
export const ForceForm = later(() => import('./force.js').then((module) => module.ForceForm));
export const Pushes = later(() => import('./pushes.js').then((module) => module.Pushes));
export const Clamps = later(() => import('./pushes.js').then((module) => module.Clamps));
export const ConstraintForm = later(() => import('./constraint.js').then((module) => module.ConstraintForm));
export const SurfacesForm = later(() => import('./surfaces.js').then((module) => module.SurfacesForm));
