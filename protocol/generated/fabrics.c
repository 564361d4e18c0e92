// Made by protocol/generate.py from protocol/materials.json. Change that, not this.
#include "protocol/fabrics.h"

const struct protocol_fabric protocol_fabrics[PROTOCOL_FABRICS] = {
    {"denim-stretch", 0.324, 205.2, 1013.0, 26.7, 0.0101, 2.42e-05, 1.6e-05, 1.83e-05},
    {"trousers", 0.22, 2017.0, 2035.0, 52.4, 0.00451, 3.14e-05, 3.14e-05, 2.7e-05},
    {"tablecloth", 0.128, 2002.0, 2027.0, 9.59, 0.00017, 7.82e-06, 1.29e-05, 1.02e-05},
    {"jacket", 0.113, 25.8, 102.8, 7.16, 0.317, 5.09e-06, 3.57e-06, 5.49e-06},
    {"blanket", 0.228, 105.6, 170.6, 15.1, 0.433, 1.49e-05, 2.93e-05, 2.19e-05},
    {"swimsuit", 0.204, 47.5, 103.6, 30.4, 0.0653, 1.28e-05, 1.51e-05, 1.47e-05},
};
