// Compliances with which nothing holds together: refused where they are asked for, of what keeps a length. The other kinds of
// constraints may be as soft as anybody likes. A record that is applied again may have any.
#include "document/parts.h"

// m/N: the weight of 1 g then makes an edge 10 m longer, and at 12 m the world fails (sim_stretched_too_far). A world in other
// units of length has the same number, because its unit of force changes as well.
static const double softest = 1000;

static const char *const why = "what is softer holds together under no load";

bool document_stretch_fits(struct document_edit *edit, double compliance)
{
    return !edit->live || compliance <= softest ||
           document_refuse(edit, PROTOCOL_CODE_INVALID, "stretch.compliance",
                           "stretch.compliance: %g m/N; must be in [0, %g]; %s", compliance, softest, why);
}

bool document_lengths_fit(const struct document *document, struct document_edit *edit, enum sim_kind kind,
                          const uint32_t *constraints, const double *compliances, uint32_t count)
{
    for (uint32_t i = 0; edit->live && compliances && i < count; i++) {
        struct sim_constraint constraint = {.kind = kind};
        if (!(compliances[i] > softest) ||
            (constraints && !sim_constraint_get(document->sim, constraints[i], &constraint))) {
            continue; // the sim refuses what does not exist
        }
        if (sim_part_of(constraint.kind) == SIM_PART_STRETCH) {
            return document_refuse(edit, PROTOCOL_CODE_INVALID, "compliance",
                                   "compliance: element %u is %g m/N; must be in [0, %g]; %s", i,
                                   compliances[i], softest, why);
        }
    }
    return true;
}
