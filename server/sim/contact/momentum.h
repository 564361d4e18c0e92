// Holding back takes momentum from rows. This gives it back to their island.
#ifndef WEFT_SIM_CONTACT_MOMENTUM_H
#define WEFT_SIM_CONTACT_MOMENTUM_H

#include "sim/contact/truncate.h"
#include "sim/state/state.h"

// Gives the linear and the angular momentum of what rows were held back from to all rows of a free island, as the velocity of a
// rigid motion. No two rows come nearer to each other by it. spans: the island's rows.
void sim_momentum_give_back(struct sim *sim, const struct sim_span *spans, uint32_t span_count,
                            const struct sim_stopped *stopped);

#endif
