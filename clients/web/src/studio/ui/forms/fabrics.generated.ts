// Made by protocol/generate.py from protocol/materials.json. Change that, not this.
export const FABRICS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "denim-stretch": {"density": 0.324, "stretch": {"model": "orthotropic", "warp": 205.2, "weft": 1013, "shear": 26.7, "poisson": 0.0101}, "bend": {"warp": 2.42e-05, "weft": 1.6e-05, "bias": 1.83e-05}},
  "trousers": {"density": 0.22, "stretch": {"model": "orthotropic", "warp": 2017, "weft": 2035, "shear": 52.4, "poisson": 0.00451}, "bend": {"warp": 3.14e-05, "weft": 3.14e-05, "bias": 2.7e-05}},
  "tablecloth": {"density": 0.128, "stretch": {"model": "orthotropic", "warp": 2002, "weft": 2027, "shear": 9.59, "poisson": 0.00017}, "bend": {"warp": 7.82e-06, "weft": 1.29e-05, "bias": 1.02e-05}},
  "jacket": {"density": 0.113, "stretch": {"model": "orthotropic", "warp": 25.8, "weft": 102.8, "shear": 7.16, "poisson": 0.317}, "bend": {"warp": 5.09e-06, "weft": 3.57e-06, "bias": 5.49e-06}},
  "blanket": {"density": 0.228, "stretch": {"model": "orthotropic", "warp": 105.6, "weft": 170.6, "shear": 15.1, "poisson": 0.433}, "bend": {"warp": 1.49e-05, "weft": 2.93e-05, "bias": 2.19e-05}},
  "swimsuit": {"density": 0.204, "stretch": {"model": "orthotropic", "warp": 47.5, "weft": 103.6, "shear": 30.4, "poisson": 0.0653}, "bend": {"warp": 1.28e-05, "weft": 1.51e-05, "bias": 1.47e-05}},
};
