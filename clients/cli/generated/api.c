// What api.json says, for `weft help` and for completion: see api.h.
//
// Made by protocol/generate.py from protocol/api.json. Change that, not this.
#include "clients/cli/api.h"

static const struct cli_api_field server_info_result[] = {
    {"name", "string", "", "", "", "", "", "weft", false},
    {"version", "string", "", "", "", "", "", "Version of the program.", false},
    {"api_level", "u32", "", "", "", "", "", "Grows with every addition.", false},
    {"api_compatible", "u32", "", "", "", "", "", "Oldest level that clients may assume.", false},
    {"methods", "any", "", "", "", "", "", "List of {name, since, class, role, doc, params, result}.", false},
    {"notifications", "any", "", "", "", "", "", "List of {name, since, doc, params}.", false},
    {"errors", "any", "", "", "", "", "", "List of {code, kind, doc}.", false},
    {"types", "any", "", "", "", "", "", "List of {name, doc, fields}: the maps that fields of type map or list hold.", false},
    {"limits", "any", "", "", "", "", "", "Map of limit names to numbers.", false},
    {"storage", "storage", "", "", "", "", "storage", "How it keeps its worlds.", false},
};
static const struct cli_api_field server_ping_result[] = {
    {"time_us", "u64", "us", "", "", "", "", "Monotonic time of the server.", false},
};
static const struct cli_api_field server_stats_result[] = {
    {"uptime", "float", "s", "", "", "", "", "Since start.", false},
    {"threads", "u32", "", "", "", "", "", "Simulation threads.", false},
    {"sessions", "u32", "", "", "", "", "", "Open connections.", false},
    {"sessions_total", "u64", "", "", "", "", "", "Connections accepted.", false},
    {"sessions_cut", "u64", "", "", "", "", "", "Connections cut for what they sent or did not read.", false},
    {"worlds", "u32", "", "", "", "", "", "Worlds.", false},
    {"streams", "u32", "", "", "", "", "", "Open streams.", false},
    {"requests", "u64", "", "", "", "", "", "Requests received.", false},
    {"notifications_ignored", "u64", "", "", "", "", "", "Notifications of unknown methods, and responses nobody awaited.", false},
    {"bytes_in", "u64", "B", "", "", "", "", "Received.", false},
    {"bytes_out", "u64", "B", "", "", "", "", "Sent.", false},
    {"frames_sent", "u64", "", "", "", "", "", "Frames handed to the kernel, one for each stream.", false},
    {"frames_dropped", "u64", "", "", "", "", "", "Frames left out because a client was slow or the frame budget was used up.", false},
    {"ticks", "u64", "", "", "", "", "", "Ticks of all worlds.", false},
    {"ticks_late", "u64", "", "", "", "", "", "Ticks that began more than one tick after their time.", false},
    {"lateness_max_us", "u64", "us", "", "", "", "", "Greatest lateness of a tick.", false},
};
static const struct cli_api_field server_list_result[] = {
    {"servers", "list of server_summary", "", "", "", "", "server_summary", "By name.", false},
};
static const struct cli_api_field session_hello_params[] = {
    {"client", "string", "", "", "\"\"", "", "", "Name of the program.", false},
    {"user", "string", "", "", "\"\"", "", "", "Name of the person, shown to others. If the server asks for tokens, the token's name is shown.", false},
    {"token", "string", "", "", "\"\"", "", "", "Who one is, to a server that asks for it (weftd --tokens); others do not look at it. A wrong one is answered after a while, and the connection ends.", false},
    {"arrays", "enum", "", "", "\"ext\"", "ext bin plain", "", "How bulk arrays are sent: typed ext, little-endian bin, or plain arrays of numbers.", false},
    {"errors", "enum", "", "", "\"array\"", "array map", "", "array: [kind, \"CODE: text\"]; map: {kind, code, text, field, value, revision, user, limit}, and of MOVED {server, address, web} besides.", false},
    {"follow", "bool", "", "", "false", "", "", "Whether this client goes to the server of a world: requests about a world that another server of the deployment runs are answered with MOVED.", false},
    {"resume", "string", "", "", "\"\"", "", "", "Key of a session whose connection was lost, from the answer to its session.hello: this connection goes on with it. It must be the first request. The session stays as it was introduced; the other fields hold if it is not kept any more.", false},
    {"unanswered", "u32[]", "", "", "", "", "", "With resume: ids of the requests that were sent and not answered, in the order in which they were sent, at most limit kept_answers. Ids of a session ascend.", false},
    {"revisions", "any", "", "", "", "", "", "With resume: map of the ids of worlds that were joined to the revision of the last world.edited, or of world.join, that came of each.", false},
    {"hops", "u32", "", "at most 255", "0", "", "", "From a server that passes on a session's requests about a world that runs here: the number of servers on the way. Such a session is not kept when its connection is lost.", false},
    {"away", "bool", "", "", "false", "", "", "With hops: the connection of that session is lost, so others see it as away, until this is said again.", false},
};
static const struct cli_api_field session_hello_result[] = {
    {"session", "u32", "", "", "", "", "", "Id of this session.", false},
    {"name", "string", "", "", "", "", "", "weft", false},
    {"version", "string", "", "", "", "", "", "Version of the program.", false},
    {"api_level", "u32", "", "", "", "", "", "As in server.info.", false},
    {"api_compatible", "u32", "", "", "", "", "", "As in server.info.", false},
    {"user", "string", "", "", "", "", "", "The name that others see.", false},
    {"role", "enum", "", "", "", "viewer editor admin", "", "Role in this server: viewer: be in the worlds in which one has a role; editor: make worlds too; admin: everything. Admin if the server asks for no tokens.", false},
    {"tokens", "bool", "", "", "", "", "", "Whether this server asks for tokens.", false},
    {"arrays", "enum", "", "", "", "ext bin plain", "", "As chosen.", false},
    {"errors", "enum", "", "", "", "array map", "", "As chosen.", false},
    {"resume", "string", "", "", "", "", "", "Key with which another connection can go on with this session; a secret. Empty: sessions are not kept.", false},
    {"grace", "u32", "s", "", "", "", "", "How long this session is kept without a connection.", false},
    {"resumed", "bool", "", "", "", "", "", "Whether this is the session that was asked for. After this answer come the answers that were missed, and what worlds told meanwhile.", false},
    {"lost", "u32[]", "", "", "", "", "", "Ids from unanswered whose request did not arrive, or whose answer to a query is not kept: send them again, in this order. All others are answered, once.", false},
    {"rejoin", "u32[]", "", "", "", "", "", "Worlds of which more was missed than is kept, or that are gone: join them again.", false},
    {"servers", "list of server_summary", "", "", "", "", "server_summary", "With follow, in a deployment: its servers, as server.list tells them. If this one ends, another goes on with its worlds.", false},
};
static const struct cli_api_field presence_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name; joined by this session.", true},
    {"name", "string", "", "", "", "", "", "Name to show; empty: the user's. If the server asks for tokens, it may not look like somebody else's name.", false},
    {"color", "string", "", "", "", "", "", "#rrggbb.", false},
    {"camera", "presence_camera", "", "", "", "", "presence_camera", "The caller's camera; {}: hidden.", false},
    {"cursor", "presence_cursor", "", "", "", "", "presence_cursor", "What the caller points at; {}: nothing.", false},
    {"selection", "list of presence_thing", "", "", "", "", "presence_thing", "What the caller has selected; empty: nothing.", false},
};
static const struct cli_api_field presence_say_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name; joined by this session.", true},
    {"text", "string", "", "", "", "", "", "1 to 2000 bytes (limit said_bytes), without control characters.", true},
};
static const struct cli_api_field presence_say_result[] = {
    {"line", "u64", "", "", "", "", "", "As in world.said.", false},
};
static const struct cli_api_field world_create_params[] = {
    {"name", "string", "", "", "", "", "", "Unique; default world-ID.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "[0, -9.81, 0]", "", "", "Acceleration of every moving particle.", false},
    {"tick_rate", "u32", "1/s", "1 to 1000", "60", "", "", "Ticks in a second of the world; fixed for its life.", false},
    {"substeps", "u32", "", "1 to 1000", "20", "", "", "Substeps a tick; h = 1/(tick_rate substeps). (Small Steps, Macklin et al. 2019.)", false},
    {"iterations", "u32", "", "1 to 1000", "1", "", "", "Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not.", false},
    {"damping", "float", "1/s", "0 to 1000000", "0", "", "", "Global damping c: v is multiplied by 1/(1 + c h) each substep.", false},
    {"wind", "wind", "", "", "", "", "wind", "Wind on all triangles; absent: none. Fields absent from it take their defaults.", false},
    {"resolution", "float", "m", "9.313225746154785e-10 to 0.000244140625", "7.450580596923828e-09", "", "", "Quantum of position, a power of two; fixed for the world's life. Differences are exact to 2^31 quanta (16 m at the default). Ranges in metres that are times the scale grow in proportion with a coarser one than the default.", false},
    {"extent", "float", "m", "1 to 1000000000", "1000000", "", "", "A world in which a particle passes this coordinate pauses itself as failed.", false},
    {"contact_quality", "enum", "", "", "\"guaranteed\"", "guaranteed fast", "", "guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells.", false},
    {"untangle", "bool", "", "", "false", "", "", "Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart.", false},
    {"long_edges", "bool", "", "", "true", "", "", "Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long.", false},
    {"bending", "enum", "", "", "\"solved\"", "swept solved", "", "How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it.", false},
    {"sleep", "bool", "", "", "true", "", "", "Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then.", false},
    {"forces", "force_fields", "", "", "", "", "force_fields", "Fields of force that it begins with; absent: none.", false},
};
static const struct cli_api_field world_create_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"revision", "u64", "", "", "", "", "", "0", false},
    {"tick", "u64", "", "", "", "", "", "0", false},
};
static const struct cli_api_field world_list_result[] = {
    {"worlds", "list of world_summary", "", "", "", "", "world_summary", "All of them.", false},
};
static const struct cli_api_field world_get_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_get_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"state", "enum", "", "", "", "paused playing failed", "", "Its present state.", false},
    {"reason", "string", "", "", "", "", "", "Why it failed; empty otherwise.", false},
    {"rate", "float", "", "", "", "", "", "Multiple of real time.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"time", "float", "s", "", "", "", "", "tick / tick_rate.", false},
    {"revision", "u64", "", "", "", "", "", "Edits so far.", false},
    {"gravity", "vec3", "m/s^2", "", "", "", "", "As in world.create, like the next eight.", false},
    {"tick_rate", "u32", "1/s", "", "", "", "", "Ticks a second.", false},
    {"substeps", "u32", "", "", "", "", "", "Substeps a tick.", false},
    {"iterations", "u32", "", "", "", "", "", "Sweeps a substep.", false},
    {"damping", "float", "1/s", "", "", "", "", "Global damping.", false},
    {"wind", "wind", "", "", "", "", "wind", "Wind; density 0 if there is none.", false},
    {"resolution", "float", "m", "", "", "", "", "Quantum of position.", false},
    {"extent", "float", "m", "", "", "", "", "Greatest coordinate.", false},
    {"contact_quality", "enum", "", "", "", "guaranteed fast", "", "What contact promises.", false},
    {"untangle", "bool", "", "", "", "", "", "Whether what crosses is pushed apart.", false},
    {"long_edges", "bool", "", "", "", "", "", "Whether cloths and ropes are held to their length across many edges at once.", false},
    {"bending", "enum", "", "", "", "swept solved", "", "How the bending of cloths is solved.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether bodies that rest are left as they are.", false},
    {"bodies", "u32", "", "", "", "", "", "Bodies.", false},
    {"particles", "u32", "", "", "", "", "", "Particles.", false},
    {"constraints", "u32", "", "", "", "", "", "Constraints of all kinds.", false},
    {"colliders", "u32", "", "", "", "", "", "Colliders.", false},
    {"grabs", "u32", "", "", "", "", "", "Grabs.", false},
    {"people", "u32", "", "", "", "", "", "Sessions that joined.", false},
    {"streams", "u32", "", "", "", "", "", "Open streams.", false},
    {"ticks_late", "u64", "", "", "", "", "", "Ticks that began more than one tick after their time.", false},
    {"lateness_us", "u64", "us", "", "", "", "", "Lateness of the last tick.", false},
    {"lateness_max_us", "u64", "us", "", "", "", "", "Greatest lateness of a tick.", false},
    {"time_lost_us", "u64", "us", "", "", "", "", "Real time given up when the world could not keep pace.", false},
    {"tick_us", "float", "us", "", "", "", "", "Wall time of the last tick.", false},
    {"frames_dropped", "u64", "", "", "", "", "", "Frames left out because the frame budget was used up.", false},
    {"read_only", "string", "", "", "", "", "", "Why it takes no edits now; empty: it does.", false},
    {"view_of", "u32", "", "", "", "", "", "World whose past it shows; 0: it is no view.", false},
    {"slowed", "bool", "", "", "", "", "", "Its ticks take longer than they may (limit tick_ms): it has half a thread at most.", false},
    {"hold", "bool", "", "", "", "", "", "Lossless streams may hold it (world.hold).", false},
    {"held_by", "u32", "", "", "", "", "", "Session whose lossless stream has held it for a second or longer; 0: none.", false},
    {"epoch", "u64", "", "", "", "", "", "Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it.", false},
    {"exact", "bool", "", "", "", "", "", "All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again.", false},
    {"exact_tick", "u64", "", "", "", "", "", "With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told.", false},
    {"exact_solver", "u32", "", "", "", "", "", "With exact false: version of the other solver.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"name", "string", "", "", "", "", "", "New unique name.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "As in world.create.", false},
    {"substeps", "u32", "", "1 to 1000", "", "", "", "As in world.create.", false},
    {"iterations", "u32", "", "1 to 1000", "", "", "", "As in world.create.", false},
    {"damping", "float", "1/s", "0 to 1000000", "", "", "", "As in world.create.", false},
    {"wind", "wind", "", "", "", "", "wind", "Wind on all triangles.", false},
    {"extent", "float", "m", "1 to 1000000000", "", "", "", "As in world.create.", false},
    {"contact_quality", "enum", "", "", "", "guaranteed fast", "", "As in world.create.", false},
    {"untangle", "bool", "", "", "", "", "", "As in world.create.", false},
    {"long_edges", "bool", "", "", "", "", "", "As in world.create.", false},
    {"bending", "enum", "", "", "", "swept solved", "", "As in world.create.", false},
    {"sleep", "bool", "", "", "", "", "", "As in world.create.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field world_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field world_delete_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_delete_result[] = {
    {"tick", "u64", "", "", "", "", "", "The last one.", false},
};
static const struct cli_api_field world_move_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"server", "string", "", "", "", "", "", "Name of the other server (server.list).", true},
};
static const struct cli_api_field world_move_result[] = {
    {"server", "string", "", "", "", "", "", "Name of the server that has it now.", false},
    {"address", "string", "", "", "", "", "", "Where that takes connections: HOST:PORT, or tls://HOST:PORT.", false},
    {"web", "string", "", "", "", "", "", "Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.", false},
};
static const struct cli_api_field world_join_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_join_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"state", "enum", "", "", "", "paused playing failed", "", "Its present state.", false},
    {"rate", "float", "", "", "", "", "", "Multiple of real time.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"revision", "u64", "", "", "", "", "", "world.edited continues from here.", false},
    {"gravity", "vec3", "m/s^2", "", "", "", "", "As in world.create, like the next eight.", false},
    {"tick_rate", "u32", "1/s", "", "", "", "", "Ticks a second.", false},
    {"substeps", "u32", "", "", "", "", "", "Substeps a tick.", false},
    {"iterations", "u32", "", "", "", "", "", "Sweeps a substep.", false},
    {"damping", "float", "1/s", "", "", "", "", "Global damping.", false},
    {"wind", "wind", "", "", "", "", "wind", "Wind; density 0 if there is none.", false},
    {"resolution", "float", "m", "", "", "", "", "Quantum of position.", false},
    {"extent", "float", "m", "", "", "", "", "Greatest coordinate.", false},
    {"contact_quality", "enum", "", "", "", "guaranteed fast", "", "What contact promises.", false},
    {"untangle", "bool", "", "", "", "", "", "Whether what crosses is pushed apart.", false},
    {"long_edges", "bool", "", "", "", "", "", "Whether cloths and ropes are held to their length across many edges at once.", false},
    {"bending", "enum", "", "", "", "swept solved", "", "How the bending of cloths is solved.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether bodies that rest are left as they are.", false},
    {"people", "list of person", "", "", "", "", "person", "Sessions that joined, this one included.", false},
    {"bodies", "list of body_summary", "", "", "", "", "body_summary", "By id.", false},
    {"colliders", "list of collider_summary", "", "", "", "", "collider_summary", "By id.", false},
    {"grabs", "list of grab_summary", "", "", "", "", "grab_summary", "By id.", false},
    {"read_only", "string", "", "", "", "", "", "Why it takes no edits now; empty: it does.", false},
    {"view_of", "u32", "", "", "", "", "", "World whose past it shows; 0: it is no view.", false},
    {"slowed", "bool", "", "", "", "", "", "Its ticks take longer than they may (limit tick_ms): it has half a thread at most.", false},
    {"hold", "bool", "", "", "", "", "", "Lossless streams may hold it (world.hold).", false},
    {"held_by", "u32", "", "", "", "", "", "Session whose lossless stream has held it for a second or longer; 0: none.", false},
    {"epoch", "u64", "", "", "", "", "", "Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it.", false},
    {"exact", "bool", "", "", "", "", "", "All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again.", false},
    {"exact_tick", "u64", "", "", "", "", "", "With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told.", false},
    {"exact_solver", "u32", "", "", "", "", "", "With exact false: version of the other solver.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_leave_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_leave_result[] = {
    {"revision", "u64", "", "", "", "", "", "The last that was sent.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_play_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"rate", "float", "", "0 to 1000", "1", "", "", "Multiple of real time, at least 1e-6; 0 is as fast as possible.", false},
};
static const struct cli_api_field world_play_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
};
static const struct cli_api_field world_pause_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_pause_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
};
static const struct cli_api_field world_hold_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"allow", "bool", "", "", "true", "", "", "Whether they may.", false},
};
static const struct cli_api_field world_hold_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
};
static const struct cli_api_field world_step_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"ticks", "u32", "", "1 to 1000000000", "1", "", "", "How many.", false},
};
static const struct cli_api_field world_step_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
};
static const struct cli_api_field world_reset_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field world_reset_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field world_hash_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_hash_result[] = {
    {"tick", "u64", "", "", "", "", "", "Boundary.", false},
    {"revision", "u64", "", "", "", "", "", "Revision.", false},
    {"hash", "string", "", "", "", "", "", "16 hexadecimal digits.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_measure_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"crossings", "bool", "", "", "false", "", "", "Count what has crossed, and what colliders have pierced, exactly. The world stands still meanwhile, some microseconds for each triangle; refused above limit crossing_triangles, and bounded by limit query_work_person while the world runs.", false},
};
static const struct cli_api_field world_measure_result[] = {
    {"tick", "u64", "", "", "", "", "", "Boundary.", false},
    {"revision", "u64", "", "", "", "", "", "Revision.", false},
    {"measures", "measures", "", "", "", "", "measures", "The figures.", false},
    {"contact", "contact", "", "", "", "", "contact", "Contact between bodies.", false},
    {"crossings", "u64", "", "", "", "", "", "If asked for: edges that pass or touch a triangle of a body that theirs meets, or of their own body if that meets itself.", false},
    {"pierced", "u64", "", "", "", "", "", "If crossings are asked for: what reaches into the core of a collider now, as contact.pierced counts it.", false},
    {"wait_ms", "float", "ms", "", "", "", "", "As in constraint.list, if crossings were asked for.", false},
    {"convergence", "list of convergence", "", "", "", "", "convergence", "How well the solver converged, by body.", false},
    {"pressures", "list of pressure_measure", "", "", "", "", "pressure_measure", "Volume and pressure inside each body with pressure, by body.", false},
    {"shapes", "list of shape_measure", "", "", "", "", "shape_measure", "How each body with shape matching lies, by body.", false},
    {"warnings", "list of warning", "", "", "", "", "warning", "STRETCHED and STIFF, as of the last look (world.warned).", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_save_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field world_save_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name, which is no part of the document.", false},
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"hash", "string", "", "", "", "", "", "Its world.hash if nobody holds a particle, and that of a world that is opened from the document.", false},
    {"sequence", "u64", "", "", "", "", "", "Sequence of the last record before it (world.records).", false},
    {"document", "document", "", "", "", "", "document", "The world.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_records_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"after", "u64", "", "", "", "", "", "Those with a greater sequence; 0: from the first.", true},
    {"limit", "u32", "", "1 to 4096", "1024", "", "", "So many at most.", false},
};
static const struct cli_api_field world_records_result[] = {
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"sequence", "u64", "", "", "", "", "", "Sequence of the last record; 0: none was made.", false},
    {"records", "any", "", "", "", "", "", "A list of bins, each the canonical bytes of a record, whole however large it is.", false},
    {"first", "u64", "", "", "", "", "", "Sequence of the oldest record that is kept. Given with records that were read from what is kept; world.history always tells it.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field world_history_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name. For a view: the world whose past it shows.", true},
};
static const struct cli_api_field world_history_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"first_tick", "u64", "", "", "", "", "", "Earliest that can be shown.", false},
    {"tick", "u64", "", "", "", "", "", "Latest.", false},
    {"revision", "u64", "", "", "", "", "", "At the latest.", false},
    {"records", "u64", "", "", "", "", "", "Edits and inputs that there were, those that are not kept any more included.", false},
    {"images", "u64", "", "", "", "", "", "Whole states that are kept; whatever lies between is found by running on from one.", false},
    {"bytes", "u64", "B", "", "", "", "", "That it takes, about.", false},
    {"spans", "list of history_span", "", "", "", "", "history_span", "By solver, in order, without gaps.", false},
    {"image_ticks", "f64[]", "", "", "", "", "", "Ticks of the images, ascending; at most image_ticks.", false},
    {"began_at", "float", "s", "", "", "", "", "When the world was made, by the server's clock, since 1970.", false},
    {"first_sequence", "u64", "", "", "", "", "", "Sequence of the oldest record that world.records can tell; 0: none.", false},
};
static const struct cli_api_field world_seek_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name; for a view the world whose past it shows.", true},
    {"tick", "u64", "", "", "", "", "", "Completed ticks, first_tick to tick of world.history. What applied at that boundary is seen.", true},
};
static const struct cli_api_field world_seek_result[] = {
    {"view", "u32", "", "", "", "", "", "Id of the world that shows it.", false},
    {"tick", "u64", "", "", "", "", "", "That is shown.", false},
    {"revision", "u64", "", "", "", "", "", "Revision of the world then.", false},
    {"exact", "bool", "", "", "", "", "", "false: the tick lies where another solver ran, and the nearest image before it is shown.", false},
    {"hash", "string", "", "", "", "", "", "As of world.hash.", false},
};
static const struct cli_api_field world_branch_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name; for a view the world whose past it shows.", true},
    {"tick", "u64", "", "", "", "", "", "Completed ticks; default the world's next boundary, or with changes the latest that is kept.", false},
    {"name", "string", "", "", "", "", "", "Unique; default world-ID.", false},
    {"without", "u32[]", "", "", "", "", "", "Revisions of edits that are not to have been; all lie in the past that is kept.", false},
    {"instead", "list of branch_change", "", "", "", "", "branch_change", "Edits that are to have been others. No revision stands twice here or in without.", false},
};
static const struct cli_api_field world_branch_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"revision", "u64", "", "", "", "", "", "Its own: edits count on from here.", false},
    {"refused", "list of branch_refusal", "", "", "", "", "branch_refusal", "Edits that do not apply any more, in order; 1,024 at most.", false},
};
static const struct cli_api_field world_bin_result[] = {
    {"worlds", "list of bin_world", "", "", "", "", "bin_world", "By id.", false},
};
static const struct cli_api_field world_restore_params[] = {
    {"world", "u32", "", "at least 1", "", "", "", "Id that it had: world.bin tells it.", true},
    {"name", "string", "", "", "", "", "", "Unique; default the one it had, or world-ID if that is taken.", false},
};
static const struct cli_api_field world_restore_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
};
static const struct cli_api_field edit_batch_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"edits", "calls", "", "", "", "", "", "One after another: any methods of class edit except this one, edit.undo and edit.redo, without world. None renames the world. Each may have an if_thing_revision, which speaks of the time before the batch; if_revision, if_epoch and edit_id are the batch's own.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field edit_batch_result[] = {
    {"revision", "u64", "", "", "", "", "", "After all of them; the same in each result.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which they applied.", false},
    {"results", "answers", "", "", "", "", "", "The answer of each, in order.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field edit_log_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name; for a view the world whose past it shows.", true},
    {"since", "u64", "", "", "0", "", "", "Those with a greater sequence; 0: from the first that is kept.", false},
    {"limit", "u32", "", "1 to 4096", "1024", "", "", "So many at most; fewer if they are large.", false},
    {"inputs", "bool", "", "", "false", "", "", "Grabs too.", false},
};
static const struct cli_api_field edit_log_result[] = {
    {"edits", "list of log_entry", "", "", "", "", "log_entry", "By sequence.", false},
    {"sequence", "u64", "", "", "", "", "", "Sequence of the last record; 0: none was made.", false},
    {"next", "u64", "", "", "", "", "", "since of the next page; 0: there is no more.", false},
};
static const struct cli_api_field world_open_params[] = {
    {"name", "string", "", "", "", "", "", "Unique; default world-ID.", false},
    {"document", "document", "", "", "", "", "document", "The world; required without upload.", false},
    {"upload", "bool", "", "", "false", "", "", "Open what this session has uploaded (world.upload), instead of a document. The upload is gone afterwards, even if it is refused.", false},
};
static const struct cli_api_field world_open_result[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"revision", "u64", "", "", "", "", "", "0", false},
    {"tick", "u64", "", "", "", "", "", "The document's.", false},
    {"warnings", "list of warning", "", "", "", "", "warning", "Warnings about its colliders and bodies: COARSE, as in collider.add.", false},
};
static const struct cli_api_field world_upload_params[] = {
    {"offset", "u64", "B", "", "0", "", "", "Offset of the piece; 0 begins from the start. Pieces follow each other without gaps.", false},
    {"data", "any", "", "", "", "", "", "The bytes of the piece: bin, or a typed array of u8.", true},
};
static const struct cli_api_field world_upload_result[] = {
    {"bytes", "u64", "B", "", "", "", "", "That have come so far.", false},
};
static const struct cli_api_field body_add_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"name", "string", "", "", "\"\"", "", "", "Unique in the world if given.", false},
    {"kind", "enum", "", "", "", "cloth rope points soft rigid", "", "Its kind.", true},
    {"positions", "number[]", "m", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle, f32 or f64: the rest shape and the start.", true},
    {"velocities", "number[]", "m/s", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle; default at rest. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it.", false},
    {"triangles", "u32[]", "", "a multiple of 3 numbers", "", "", "", "Three particle indices each (cloth).", false},
    {"edges", "u32[]", "", "a multiple of 2 numbers", "", "", "", "Two particle indices each (rope).", false},
    {"tets", "u32[]", "", "a multiple of 4 numbers", "", "", "", "Four particle indices each (soft); positive if (p1-p0)x(p2-p0).(p3-p0) > 0.", false},
    {"density", "float", "", "above 0", "", "", "", "Cloth: kg/m^2, a third of each triangle's mass to its corners, default 0.2. Rope: kg/m, half of each edge's mass to its ends, default 0.1. Points: kg each, default 0.01. Soft: kg/m^3, a quarter of each tetrahedron's mass to its corners, default 1000.", false},
    {"masses", "number[]", "kg", "at least 0, or one for all", "", "", "", "Mass of each particle, or one for all, instead of density; 0 makes it static.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "Resistance to bending (cloth); absent: none.", false},
    {"volume", "material", "", "", "", "", "material", "Material of the tetrahedra (soft).", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "Makes a soft body a solid of this material. It has no edges and volumes as constraints, so stretch and volume must be absent. Absent: edges and volumes.", false},
    {"rod", "rod", "", "", "", "", "rod", "Makes a rope a rod, which bends and twists. A rod is one or several chains or rings, whose edges run on from each other. It has no edges as constraints, so stretch must be absent. Absent: edges alone.", false},
    {"weld", "float", "m", "0 to 1", "", "", "", "Vertices no farther apart than this become one particle; absent: none do. particles and welded in the result tell what became of them.", false},
    {"thickness", "float", "m", "0 to 1", "", "", "", "Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge; absent: 0, or if it meets itself or others what its mesh allows: 0.15 of its mean edge, and no more than 0.35 of the length that 5 % of its edges are shorter than.", false},
    {"self_contact", "bool", "", "", "", "", "", "Its own triangles and edges meet each other; absent: they do not.", false},
    {"contact_group", "u32", "", "", "", "", "", "Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets nobody.", false},
    {"contact_mask", "u32", "", "", "", "", "", "Bits: what it meets; absent: 0, nothing.", false},
    {"friction", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "Part of its speed across the surface with which a particle leaves a collider that it hits; of the body's and the collider's the greater one. Absent: 0.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether it may sleep, in worlds with sleep; absent: it may.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "Pressure inside (cloth with a closed surface); absent: none.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "Gravity of the body in place of the world's; absent: the world's.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "Force on the body as a whole, until body.force changes it; on each particle the part that its mass is of that of the body. Absent: none.", false},
    {"shape", "shape", "", "", "", "", "shape", "Shape matching; absent: none.", false},
    {"tear", "tear", "", "", "", "", "tear", "Thresholds at which a cloth tears, and room for it; absent: it does not. Its particles are those of the mesh and tear.most spares.", false},
    {"pins", "u32[]", "", "", "", "", "", "Particles held where they are.", false},
    {"clamps", "u32[]", "", "", "", "", "", "Pinned particles of a rod that also hold the orientation of the segment that begins there, or else ends there.", false},
    {"skin", "skin", "", "", "", "", "skin", "A surface that goes along with the body, finer than what is solved; absent: none. Streams carry it as the field skin.", false},
    {"look", "look", "", "", "", "", "look", "Uvs, edges and materials of its surface, for recordings; absent: none.", false},
    {"yarn_uvs", "f32[]", "", "a multiple of 6 numbers", "", "", "", "u, v of the three corners of each triangle (cloth with stretch.model orthotropic): the warp runs in the rest shape the way in which u grows, turned by stretch.angle, and stretch.direction must be absent. Their scale does not matter. Each triangle's must span an area; at most 1000000 either way. They are told in documents, and cannot change.", false},
    {"rigid", "rigid", "", "", "", "", "rigid", "The shape of each piece (rigid). Needed there, and absent of other kinds. A density, 1000 kg/m^3 if neither it nor masses are given, makes all pieces weigh the same. Inertia follows from mass and shape.", false},
    {"rotations", "number[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "Orientation of each piece at the start (rigid): quaternions x, y, z, w of any length above 0. Absent: they stand as the world does.", false},
    {"angular_velocities", "number[]", "rad/s", "-1000000 to 1000000, a multiple of 3 numbers", "", "", "", "How each piece turns at the start (rigid), about its centre of mass, in the world; absent: it does not.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field body_add_result[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"particles", "u32", "", "", "", "", "", "Particle count.", false},
    {"constraints", "constraint_ranges", "", "", "", "", "constraint_ranges", "Ids by kind.", false},
    {"warnings", "list of warning", "", "", "", "", "warning", "Warnings about the mesh.", false},
    {"welded", "u32[]", "", "", "", "", "", "With weld: the particle that each vertex given became. Indices of the body are these from then on.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field body_get_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field body_get_result[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name; empty if it has none.", false},
    {"kind", "enum", "", "", "", "cloth rope points soft rigid", "", "Its kind.", false},
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"particles", "u32", "", "", "", "", "", "Particle count.", false},
    {"positions", "f64[]", "m", "", "", "", "", "Rest shape: x, y, z of each particle, rounded to the world's resolution.", false},
    {"triangles", "u32[]", "", "", "", "", "", "As given.", false},
    {"edges", "u32[]", "", "", "", "", "", "As given.", false},
    {"tets", "u32[]", "", "", "", "", "", "As given.", false},
    {"masses", "f64[]", "kg", "", "", "", "", "Mass of each particle; 0 for static ones. Pinned ones keep theirs.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "Resistance to bending.", false},
    {"volume", "material", "", "", "", "", "material", "Material of the tetrahedra.", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "What it is made of; absent: edges and volumes.", false},
    {"rod", "rod", "", "", "", "", "rod", "The section and material of the rope; absent: it has edges alone.", false},
    {"thickness", "float", "m", "", "", "", "", "Radius that it has for contacts.", false},
    {"self_contact", "bool", "", "", "", "", "", "Whether its own triangles and edges meet each other.", false},
    {"contact_group", "u32", "", "", "", "", "", "Bits: what it is.", false},
    {"contact_mask", "u32", "", "", "", "", "", "Bits: what it meets.", false},
    {"friction", "float", "", "", "", "", "", "Coulomb coefficient mu between bodies.", false},
    {"friction_kinetic", "float", "", "", "", "", "", "As in body.add; absent: that of friction.", false},
    {"restitution", "float", "", "", "", "", "", "As in body.add; absent: 0.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether it may sleep, in worlds with sleep.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "Pressure inside, with what is left of its time; absent: none.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "Gravity of its own; absent: that of the world.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "Force on it as a whole; absent: none.", false},
    {"force_ticks", "u32", "", "at most 3600000", "", "", "", "Ticks in which that force still acts; absent: until it is changed.", false},
    {"forced", "u32[]", "", "", "", "", "", "Particles that a force of their own acts on, ascending; absent: none.", false},
    {"forces", "f64[]", "N", "a multiple of 3 numbers", "", "", "", "x, y, z of the force on each of these.", false},
    {"forces_ticks", "u32[]", "", "", "", "", "", "Ticks in which each of these forces still acts; 0: until it is changed.", false},
    {"shape", "shape", "", "", "", "", "shape", "Shape matching; absent: none.", false},
    {"tear", "tear", "", "", "", "", "tear", "Thresholds and spares; absent: it does not tear.", false},
    {"torn", "torn_edges", "", "", "", "", "torn_edges", "The tears; only with tear. triangles have the corners of now, and particles count the spares.", false},
    {"pins", "u32[]", "", "", "", "", "", "Pinned particles.", false},
    {"pin_colliders", "u32[]", "", "", "", "", "", "Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.", false},
    {"pin_compliances", "f64[]", "m/N", "", "", "", "", "Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard.", false},
    {"pin_distances", "f64[]", "m", "", "", "", "", "Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard.", false},
    {"pin_targets", "f64[]", "m", "a multiple of 3 numbers", "", "", "", "x, y, z of the present target of each pin. Absent: all are hard, and their particles are at their targets.", false},
    {"pin_forces", "f64[]", "N", "a multiple of 3 numbers", "", "", "", "x, y, z of the force of each soft pin on its particle in the last substep, of spring and limit together; 0 of hard ones. Absent: all are hard.", false},
    {"asleep", "bool", "", "", "", "", "", "Whether it sleeps: ticks leave it as it is until something wakes it.", false},
    {"constraints", "constraint_ranges", "", "", "", "", "constraint_ranges", "Ids by kind, as body.add gave them.", false},
    {"skin", "skin", "", "", "", "", "skin", "The surface it carries, with particles as they are after welding; absent: none.", false},
    {"look", "look", "", "", "", "", "look", "Its look; absent: none.", false},
    {"touched", "touch", "", "", "", "", "touch", "By which edit last.", false},
    {"plastic_strain_max", "float", "", "", "", "", "", "Only of a solid: how far the tetrahedron that has flowed most has flowed, as the equivalent strain from the shape at which it was made.", false},
    {"plastic_strain_mean", "float", "", "", "", "", "", "The mean of these strains by volume.", false},
    {"elements_hash", "u32", "", "", "", "", "", "Differs if vertices or elements differ, of the body or of its skin: frames of delta tell it, since a body that comes back by undo may have others under its id.", false},
    {"yarn_uvs", "f32[]", "", "a multiple of 6 numbers", "", "", "", "As given; absent: stretch.direction says where the warp runs.", false},
    {"rigid", "rigid", "", "", "", "", "rigid", "The shape of the pieces of a rigid body; absent of others.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field body_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"name", "string", "", "", "", "", "", "Unique in the world.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges. Giving compliance ends a stiffness set before, and the other way round. A limit of 0 ends one set before.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "Resistance to bending; the model cannot change. A given compliance, stiffness, rigidity, or warp with weft ends the others.", false},
    {"volume", "material", "", "", "", "", "material", "Material of the tetrahedra.", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "Material of a solid; the model cannot change, and a body added without one cannot become one.", false},
    {"thickness", "float", "m", "0 to 1", "", "", "", "As in body.add.", false},
    {"self_contact", "bool", "", "", "", "", "", "As in body.add.", false},
    {"contact_group", "u32", "", "", "", "", "", "As in body.add.", false},
    {"contact_mask", "u32", "", "", "", "", "", "As in body.add.", false},
    {"friction", "float", "", "0 to 1000", "", "", "", "As in body.add.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "As in body.add.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "As in body.add.", false},
    {"sleep", "bool", "", "", "", "", "", "As in body.add.", false},
    {"rest_shape", "rest_shape", "", "", "", "", "rest_shape", "The body's own constraints rest at the shape that it has now, or at another one. Constraints that constraint.add made keep their rest values.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "Pressure inside; fields absent from it stay as the body has them. A new overpressure or ratio without seconds holds at once.", false},
    {"gravity", "number[]", "m/s^2", "-1000 to 1000", "", "", "", "Gravity of the body in place of the world's: x, y, z; an empty array: the world's again.", false},
    {"shape", "shape", "", "", "", "", "shape", "Shape matching; fields absent from it stay as the body has them.", false},
    {"tear", "tear", "", "", "", "", "tear", "Thresholds of a body that was made with tear.most, which must be absent here. Fields absent from it stay as the body has them, and 0 ends a threshold.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field body_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field body_force_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body, each once: the force acts on each of them. Absent: on the body as a whole, on each particle the part that its mass is of that of the body, so that it goes as force over mass says.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "x, y, z. Either this or forces.", false},
    {"forces", "number[]", "N", "-1e+38 to 1e+38", "", "", "", "x, y, z for each particle, instead of force.", false},
    {"seconds", "float", "s", "above 0, at most 3600", "", "", "", "Time in which it acts, to the nearest tick and at least one; absent: until it is changed.", false},
    {"at_tick", "u64", "", "", "", "", "", "Tick at which it ends, instead of seconds: the last tick in which it acts leads there. One that has passed counts as the next.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field body_force_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field body_remove_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field body_remove_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"constraints", "u32[]", "", "", "", "", "", "Loose constraints that went with it.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field body_state_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"fields", "flags", "", "", "[\"positions\", \"velocities\"]", "positions positions64 velocities normals inverse_masses skin rotations rotations64 angular_velocities", "", "Which of them.", false},
};
static const struct cli_api_field body_state_result[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"positions", "f32[]", "m", "", "", "", "", "x, y, z of each particle.", false},
    {"positions64", "f64[]", "m", "", "", "", "", "The same, exact.", false},
    {"velocities", "f32[]", "m/s", "", "", "", "", "x, y, z of each particle.", false},
    {"normals", "f32[]", "", "", "", "", "", "Unit normals of the particles, zero if there are no triangles.", false},
    {"inverse_masses", "f32[]", "1/kg", "", "", "", "", "0 for static and pinned ones.", false},
    {"skin", "f32[]", "m", "", "", "", "", "x, y, z of each vertex of the skin; empty where there is none.", false},
    {"rotations", "f32[]", "", "a multiple of 4 numbers", "", "", "", "Orientation of each particle, a unit quaternion x, y, z, w of which the first of w, x, y, z that is not 0 is positive; four zeros for a particle that has none. Empty if the body has none.", false},
    {"rotations64", "f64[]", "", "a multiple of 4 numbers", "", "", "", "The same, exact: whole multiples of 2^-30.", false},
    {"angular_velocities", "f32[]", "rad/s", "a multiple of 3 numbers", "", "", "", "How each orientation turns, in the world; zeros for a particle that has none. Empty if the body has none.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field constraint_add_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"type", "enum", "", "", "\"distance\"", "distance dihedral isometric quadratic volume join slide slide_rail neo_hookean orthotropic rod_stretch rod_bend", "", "Kind of all of them.", false},
    {"body", "ref", "", "", "", "", "", "Body of all particles.", false},
    {"bodies", "u32[]", "", "", "", "", "", "Body id of each particle, instead of body.", false},
    {"particles", "u32[]", "", "", "", "", "", "Flat: two indices for each distance, rod_stretch and rod_bend, for each join those of its first side and then of its second (sides), three for each slide, slide_rail and orthotropic, four for each other; slide: an end of the rope, the ring, the other end; slide_rail: the ring, and the first and the last particle of the rail, which runs over the particles of one body between them in the order of their indices; bending: the shared edge, then the two wings.", true},
    {"sides", "u32[]", "", "", "", "", "", "Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1.", false},
    {"weights", "number[]", "", "0 to 1", "", "", "", "Only for joins: barycentric weight of each particle; the sum of each side is 1. Default: equal ones.", false},
    {"rest", "number[]", "m, rad, m^3", "or one for all", "", "", "", "Rest length (of a slide: of the whole rope), angle (signed, 0 flat) or volume (signed) of each, or one for all; default the present one. isometric, quadratic, slide_rail, orthotropic, rod_stretch and rod_bend take none.", false},
    {"compliance", "number[]", "[C]^2/J", "at least 0, or one for all", "", "", "", "Of each, or one for all; default 0; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic and rod_stretch is refused.", false},
    {"damping", "number[]", "J s/[C]^2", "at least 0, or one for all", "", "", "", "Of each, or one for all; default 0.", false},
    {"stiffness", "number[]", "", "0 to 1, or one for all", "", "", "", "Plain PBD stiffness k of each, or one for all, instead of compliance and damping.", false},
    {"rest_end", "number[]", "m", "at least 0, or one for all", "", "", "", "Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.", false},
    {"seconds", "number[]", "s", "0 to 3600, or one for all", "", "", "", "Only for joins, with rest_end: how long that takes, above 0, of each or one for all.", false},
    {"force_limit", "number[]", "N", "0 to 1000000000000, or one for all", "", "", "", "Only for joins: a join parts at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never parts. Default 0.", false},
    {"ratio", "number[]", "", "1 to 16, or one for all", "", "", "", "Only for slide: parts of rope between the ring and the third particle, of each, or one for all; default 1. A rest length counts them all.", false},
    {"friction", "number[]", "", "0 to 100, or one for all", "", "", "", "Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all; default 0. Above 0 a slide needs a ratio of 1.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field constraint_add_result[] = {
    {"constraints", "u32[]", "", "", "", "", "", "Ids, in the order given.", false},
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field constraint_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"constraints", "u32[]", "", "", "", "", "", "Ids.", true},
    {"rest", "number[]", "m, rad, m^3", "or one for all", "", "", "", "Of each, or one for all.", false},
    {"compliance", "number[]", "[C]^2/J", "at least 0, or one for all", "", "", "", "Of each, or one for all; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic and rod_stretch is refused.", false},
    {"damping", "number[]", "J s/[C]^2", "at least 0, or one for all", "", "", "", "Of each, or one for all.", false},
    {"stiffness", "number[]", "", "0 to 1, or one for all", "", "", "", "Plain PBD stiffness k of each, or one for all, instead of compliance and damping.", false},
    {"rest_end", "number[]", "m", "at least 0, or one for all", "", "", "", "Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.", false},
    {"seconds", "number[]", "s", "0 to 3600, or one for all", "", "", "", "Only for joins, with rest_end: how long that takes, above 0, of each or one for all.", false},
    {"force_limit", "number[]", "N", "0 to 1000000000000, or one for all", "", "", "", "Only for joins: a join parts at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never parts.", false},
    {"mend", "bool", "", "", "false", "", "", "Only for joins: those that have parted hold again.", false},
    {"ratio", "number[]", "", "1 to 16, or one for all", "", "", "", "Only for slide: parts of rope between the ring and the third particle, of each, or one for all. A rest length counts them all.", false},
    {"friction", "number[]", "", "0 to 100, or one for all", "", "", "", "Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all. Above 0 a slide needs a ratio of 1.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field constraint_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field constraint_remove_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"constraints", "u32[]", "", "", "", "", "", "Ids.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field constraint_remove_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field constraint_list_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"type", "enum", "", "", "\"distance\"", "distance dihedral isometric quadratic volume join slide slide_rail neo_hookean orthotropic rod_stretch rod_bend", "", "Kind.", false},
    {"body", "ref", "", "", "", "", "", "Only those of which a particle belongs to this body.", false},
    {"after", "u32", "", "", "0", "", "", "Only ids greater than this.", false},
    {"limit", "u32", "", "1 to 100000", "10000", "", "", "Page size.", false},
    {"forces", "bool", "", "", "false", "", "", "Also give the forces of the last tick's last substep, and long_forces. Asking changes nothing. It takes up to the time of a substep, and long_forces up to that of one to three ticks more; only bodies of which the page lists constraints count, so name one with body if its forces are enough. While the world runs, this is bounded by limit query_work_person.", false},
};
static const struct cli_api_field constraint_list_result[] = {
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"constraints", "u32[]", "", "", "", "", "", "Ids, ascending.", false},
    {"bodies", "u32[]", "", "", "", "", "", "Body id of each particle, flat.", false},
    {"particles", "u32[]", "", "", "", "", "", "Indices, flat.", false},
    {"rest", "f64[]", "m, rad, m^3", "", "", "", "", "Rest lengths, angles or volumes; 0 for isometric, quadratic, slide_rail, orthotropic, rod_stretch and rod_bend.", false},
    {"compliance", "f64[]", "[C]^2/J", "", "", "", "", "Compliances.", false},
    {"damping", "f64[]", "J s/[C]^2", "", "", "", "", "Damping stiffnesses.", false},
    {"stiffness", "f64[]", "", "", "", "", "", "Plain PBD stiffness; -1 if compliance holds.", false},
    {"weights", "f64[]", "", "", "", "", "", "Only of joins: weight of each particle. Joins have six here, three of each side; one that is not used repeats the first particle of its side and weighs 0.", false},
    {"rest_end", "f64[]", "m", "", "", "", "", "Only of joins: the rest lengths that they come to.", false},
    {"seconds", "f64[]", "s", "", "", "", "", "Only of joins: how long that still takes; 0: the rest length does not change.", false},
    {"force_limit", "f64[]", "N", "", "", "", "", "Only of joins: the greatest mean force of a tick at which each holds; 0: it never parts.", false},
    {"parted", "u32[]", "", "", "", "", "", "Only of joins: ids of those on this page that have parted. They stay in the list and hold nothing, until constraint.set mends or constraint.remove removes them.", false},
    {"forces", "f64[]", "", "", "", "", "", "lambda / h^2 of the last substep: N for distance (negative pulls together), join (the length of the vector), slide (negative pulls, and never above 0), slide_rail (the length of the vector) and rod_stretch (along the segment, negative where it pulls), N m for dihedral and rod_bend (the length of the moment), J for isometric and quadratic (of the vector form the length), Pa for volume and neo_hookean (the pressure, positive where it is squeezed), N/m for orthotropic (the greatest tension in any direction; above 0 where it pulls). They leave out the forces of long edges and tethers (long_edges of world.create), which long_forces has.", false},
    {"long_forces", "f64[]", "N", "", "", "", "", "Only with type distance in worlds with long_edges: what long edges, tethers and the sweeps for limits took past each edge in the last substep; below 0, as a pull is. forces and long_forces together are what passes there. A long edge or tether counts in full at each edge of the shortest way along edges between its ends: on a rope that is exact, on a cloth an estimate. With several iterations, contact and grabs between them are left out. Finding it for all bodies takes as long as one to three ticks.", false},
    {"forces_from", "u64", "", "", "", "", "", "First tick boundary at which forces are known; before it they are 0. It is the next one if there was no tick since constraints, materials, iterations or substeps were changed.", false},
    {"wait_ms", "float", "ms", "", "", "", "", "Only if finding forces took more work than the caller had left (limit query_work_person): how long their next costly query in this world waits while it runs. Naming a body, or asking less often, avoids that.", false},
    {"next", "u32", "", "", "", "", "", "Give it as after for the next page; 0 at the end.", false},
    {"ratio", "f64[]", "", "", "", "", "", "Only with type slide: parts of rope between the ring and the third particle.", false},
    {"friction", "f64[]", "", "", "", "", "", "Only with type slide or slide_rail: friction coefficients.", false},
    {"side", "f64[]", "m", "", "", "", "", "Only with type slide: what of the rest length is between the first particle and the ring. Without friction rope runs freely, and it is 0.", false},
    {"along", "f64[]", "", "", "", "", "", "Only with type slide_rail: how far the ring is along its rail, in segments from the first particle. 2.25 is a quarter of the third segment.", false},
    {"end_forces", "f64[]", "N", "", "", "", "", "Only with type slide and with forces: the pull of one part of rope between the ring and the third particle; forces has that at the first one. Without friction they are equal.", false},
    {"strains", "f64[]", "", "", "", "", "", "Only with type orthotropic, three each: strain along the warp and along the weft, and the sine of the shear, where the particles are.", false},
    {"tensions", "f64[]", "N/m", "", "", "", "", "Only with type orthotropic and with forces, three each: tension along the warp and along the weft, and of the shear, in the last substep. forces has the greatest tension in any direction.", false},
    {"gradients", "f64[]", "1/m", "", "", "", "", "Only with type orthotropic, four each: how u, the place along the warp, changes with the second and with the third particle, and v along the weft. One metre of warp goes to a1 (x1 - x0) + a2 (x2 - x0).", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field particle_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body, each once.", true},
    {"positions", "number[]", "m", "a multiple of 3 numbers", "", "", "", "x, y, z of each. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it.", false},
    {"velocities", "number[]", "m/s", "a multiple of 3 numbers", "", "", "", "x, y, z of each.", false},
    {"inverse_masses", "number[]", "1/kg", "0 to 1000000000, or one for all", "", "", "", "Of each, or one for all; 0 makes it static. A piece of a rigid body keeps its angular momentum.", false},
    {"rotations", "number[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "Only of pieces of a rigid body: orientations, quaternions x, y, z, w of any length above 0. A piece that is turned keeps its angular velocity.", false},
    {"angular_velocities", "number[]", "rad/s", "-1000000 to 1000000, a multiple of 3 numbers", "", "", "", "Only of pieces of a rigid body: how each turns about its centre of mass, in the world.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field particle_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field particle_pin_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body, each once.", true},
    {"positions", "number[]", "m", "a multiple of 3 numbers", "", "", "", "New places of the targets, x, y, z of each; default: where particles are, except that pins that stay soft keep their targets. At most 2^29 quanta (4 m) away by axis for each tick that they may take.", false},
    {"seconds", "float", "s", "0 to 3600", "", "", "", "Time in which targets go to positions, evenly, to the nearest tick; absent: during the next tick. Each request sets out from where targets are then, so keyframes may come in one after the other.", false},
    {"at_tick", "u64", "", "", "", "", "", "Tick at which targets are at positions, instead of seconds; one that has passed counts as the next.", false},
    {"collider", "ref", "", "", "", "", "", "Collider that they follow, id or name: each keeps its present place in the collider's frame, and goes and turns with it, however that moves. Not with positions. If the collider is removed, the pins hold where they are then; world.reset takes their places again, where the body begins. Motions leave them alone.", false},
    {"compliance", "number[]", "m/N", "0 to 10000000000, or one for all", "", "", "", "Inverse stiffness of the spring from the target to each particle, or one for all; 0 makes hard pins. Absent, with distance: no spring, so particles are free within the distance. Absent, without it: pins stay as soft as they are, and others become hard.", false},
    {"distance", "number[]", "m", "at least 0, or one for all", "", "", "", "Greatest distance of each particle from its target, or one for all, at most 2^30 quanta (8 m); 0 makes hard pins. Only contact takes a particle farther. Absent, with compliance: no limit.", false},
    {"clamp", "bool", "", "", "", "", "", "Only for particles of a rod. true: the pins also hold the orientation of the segment that begins there, or else ends there; false: they let it turn. Absent: as it is.", false},
    {"rotations", "number[]", "", "a multiple of 4 numbers", "", "", "", "With clamp true: quaternions x, y, z, w of any length above 0, one a particle, to which the clamps turn over the next tick by the shortest way. Absent: they hold the orientation that there is.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field particle_pin_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field particle_unpin_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body; those not pinned are left alone.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field particle_unpin_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field grab_begin_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"body", "ref", "", "", "", "", "", "Id or name.", true},
    {"particle", "u32", "", "", "", "", "", "Index in the body.", true},
    {"target", "vec3", "m", "", "", "", "", "Target; default: its present position.", false},
    {"compliance", "float", "m/N", "at least 0", "0.001", "", "", "Inverse stiffness of the pull.", false},
};
static const struct cli_api_field grab_begin_result[] = {
    {"grab", "u32", "", "", "", "", "", "Id.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
};
static const struct cli_api_field grab_move_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"grab", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"target", "vec3", "m", "", "", "", "", "Target.", true},
};
static const struct cli_api_field grab_move_result[] = {
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
};
static const struct cli_api_field grab_end_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"grab", "u32", "", "at least 1", "", "", "", "Id.", true},
};
static const struct cli_api_field grab_end_result[] = {
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
};
static const struct cli_api_field collider_add_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"name", "string", "", "", "\"\"", "", "", "Unique among the world's colliders if given.", false},
    {"kind", "enum", "", "", "", "plane sphere capsule box cylinder convex height_field", "", "Shape.", true},
    {"position", "vec3", "m", "", "[0, 0, 0]", "", "", "A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others.", false},
    {"normal", "vec3", "", "", "[0, 1, 0]", "", "", "Normal of the plane; made a unit vector.", false},
    {"rotation", "vec4", "", "", "", "", "", "Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion; absent: none.", false},
    {"radius", "float", "m", "above 0", "1", "", "", "Radius of the sphere, capsule or cylinder.", false},
    {"length", "float", "m", "at least 0", "1", "", "", "Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0.", false},
    {"half_extents", "vec3", "m", "above 0", "[0.5, 0.5, 0.5]", "", "", "Half the edges of the box.", false},
    {"friction", "float", "", "0 to 1000", "0.5", "", "", "Coulomb coefficient mu.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "Part of its speed across the surface with which a particle leaves a collider that it hits; of the body's and the collider's the greater one. Absent: 0.", false},
    {"points", "f64[]", "m", "-1000000000 to 1000000000, a multiple of 3 numbers", "", "", "", "For a convex collider, which is the hull of these: x, y, z of 4 to 512 points in its own frame, not all in a plane, the farthest coordinate 1e-6 m or more. They are rounded to a part in 2^24 of the power of two above that, and the hull has 128 vertices at most.", false},
    {"heights", "f64[]", "m", "-1000000000 to 1000000000", "", "", "", "For a height field: heights along its y, over a grid about its position in its own x and z; 2 to 256 rows along z, in each 2 to 256 columns along x. Everything below is solid, without end; beside the grid there is nothing. Rounded to a part in 2^24 of the power of two at or above the greatest. The two triangles of a cell meet at the diagonal from its least x and z to its greatest.", false},
    {"columns", "u32", "", "2 to 256", "", "", "", "Heights in a row (height_field, required there).", false},
    {"spacing", "float", "m", "1e-06 to 1000000000", "", "", "", "From one height to the next along x and z (height_field); absent: 1.", false},
    {"surface_velocity", "vec3", "m/s", "-50 to 50", "", "", "", "Velocity at which the surface runs on in the collider's own frame while the collider stands, as a conveyor does; 50 m/s at most. Friction works against it, and only what of it is along the surface counts. Absent: none.", false},
    {"surface_spin", "vec3", "rad/s", "-1000 to 1000", "", "", "", "The same of a turn about the collider's position, in its own frame: [0, w, 0] makes a roller of a cylinder. Its length is 1000 rad/s at most, and the surface goes at 50 m/s at most. Absent: none.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field collider_add_result[] = {
    {"collider", "u32", "", "", "", "", "", "Id.", false},
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"warnings", "list of warning", "", "", "", "", "warning", "Warnings about it and the present bodies.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field collider_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"collider", "ref", "", "", "", "", "", "Id or name.", true},
    {"name", "string", "", "", "", "", "", "Unique among the world's colliders.", false},
    {"position", "vec3", "m", "", "", "", "", "As in collider.add.", false},
    {"normal", "vec3", "", "", "", "", "", "As in collider.add (plane).", false},
    {"rotation", "vec4", "", "", "", "", "", "Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion.", false},
    {"radius", "float", "m", "above 0", "", "", "", "As in collider.add (sphere).", false},
    {"length", "float", "m", "at least 0", "", "", "", "Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0.", false},
    {"half_extents", "vec3", "m", "above 0", "", "", "", "Half the edges of the box.", false},
    {"friction", "float", "", "0 to 1000", "", "", "", "As in collider.add.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "As in collider.add.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "As in collider.add.", false},
    {"points", "f64[]", "m", "-1000000000 to 1000000000, a multiple of 3 numbers", "", "", "", "As in collider.add (convex): another hull, at once.", false},
    {"heights", "f64[]", "m", "-1000000000 to 1000000000", "", "", "", "As in collider.add (height_field): other ground, at once. What was given before of columns and spacing stays.", false},
    {"columns", "u32", "", "2 to 256", "", "", "", "As in collider.add (height_field).", false},
    {"spacing", "float", "m", "1e-06 to 1000000000", "", "", "", "As in collider.add (height_field).", false},
    {"surface_velocity", "vec3", "m/s", "-50 to 50", "", "", "", "As in collider.add, at once; zeros: none.", false},
    {"surface_spin", "vec3", "rad/s", "-1000 to 1000", "", "", "", "As in collider.add, at once; zeros: none.", false},
    {"teleport", "bool", "", "", "false", "", "", "True: it is in its new position and rotation at once, without a velocity, and carries nothing along. Only with position, normal or rotation. False: it moves there during the next tick.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field collider_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"warnings", "list of warning", "", "", "", "", "warning", "The same, if radius, half_extents or points were given.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field collider_remove_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"collider", "ref", "", "", "", "", "", "Id or name.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field collider_remove_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field motion_add_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"collider", "ref", "", "", "", "", "", "Collider to move, by id or name.", false},
    {"body", "ref", "", "", "", "", "", "Body whose particles move, instead of collider.", false},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body, each once.", false},
    {"times", "f64[]", "s", "0 to 1000000", "", "", "", "Times of the keyframes since the motion was added, ascending.", true},
    {"offsets", "f64[]", "m", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "x, y, z at each time; constant before the first and after the last. Pins go at most 4 m in a tick along an axis at the default resolution, in proportion to it.", true},
    {"loop", "bool", "", "", "false", "", "", "After the last time begin again at time 0.", false},
    {"rotations", "f64[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "Quaternion x, y, z, w at each time, of any length but zero: turns a collider about its position, and particles about the pivot, by as much as it differs from the first one. From one to the next the shorter way. Absent: no turning.", false},
    {"pivot", "vec3", "m", "", "", "", "", "Point that particles turn about as they stand now; it goes along with the offsets. Absent: the middle of the particles.", false},
    {"interpolation", "enum", "", "", "\"linear\"", "linear cubic", "", "Between keyframes: with linear the velocity jumps at each; cubic is smooth, at rest at its ends (except a loop from time 0 on, which goes round) and at each turning point, and never passes beyond its keyframes.", false},
    {"poses", "f32[]", "m", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "For a body whose shape changes: x, y, z of each of particles at each time, one keyframe after the other, on top of offsets and rotations. Only differences between times count. Absent: all particles move alike.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field motion_add_result[] = {
    {"motion", "u32", "", "", "", "", "", "Id.", false},
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field motion_remove_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"motion", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field motion_remove_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field motion_list_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"poses", "bool", "", "", "false", "", "", "Give poses, too: they may be megabytes.", false},
};
static const struct cli_api_field motion_list_result[] = {
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"motions", "list of motion_summary", "", "", "", "", "motion_summary", "By id.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field force_add_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"field", "force_field", "", "", "", "", "force_field", "The field; kind must be given.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field force_add_result[] = {
    {"force", "u32", "", "", "", "", "", "Id of the field.", false},
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field force_set_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"force", "u32", "", "at least 1", "", "", "", "Id of the field.", true},
    {"field", "force_field", "", "", "", "", "force_field", "The fields of it that change; absent ones stay.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field force_set_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field force_remove_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"force", "u32", "", "at least 1", "", "", "", "Id of the field.", true},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field force_remove_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field force_list_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
};
static const struct cli_api_field force_list_result[] = {
    {"fields", "list of force_field", "", "", "", "", "force_field", "By id.", false},
    {"revision", "u64", "", "", "", "", "", "Revision shown.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary shown.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field edit_restore_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"removed", "restore_removed", "", "", "", "", "restore_removed", "Things to remove.", false},
    {"name", "string", "", "", "", "", "", "Name of the world.", false},
    {"settings", "restore_settings", "", "", "", "", "restore_settings", "Settings of the world.", false},
    {"bodies", "list of document_body", "", "", "", "", "document_body", "Bodies that come back, with their ids, by id.", false},
    {"parts", "list of restore_body", "", "", "", "", "restore_body", "Values of bodies that stay.", false},
    {"particles", "list of restore_particles", "", "", "", "", "restore_particles", "Particles, one entry after the other.", false},
    {"own", "list of restore_own", "", "", "", "", "restore_own", "Constraints that bodies came with; those that are gone come back.", false},
    {"constraints", "list of document_constraints", "", "", "", "", "document_constraints", "Loose constraints, with their ids; those that are gone come back.", false},
    {"colliders", "list of restore_collider", "", "", "", "", "restore_collider", "Colliders, by id.", false},
    {"motions", "list of document_motion", "", "", "", "", "document_motion", "Motions, with their ids; those that are gone come back.", false},
    {"next", "restore_next", "", "", "", "", "restore_next", "Next ids. One that is lower than what is next now does not count: no id is given twice.", false},
    {"expected_next", "restore_next", "", "", "", "", "restore_next", "Next ids if there was no edit in between; if one differs, ids were given since, and it stays.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field edit_restore_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field edit_undo_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"force", "bool", "", "", "false", "", "", "Take it back even if somebody has changed the same since, or if it was another person's edit.", false},
    {"revision", "u64", "", "at least 1", "", "", "", "The edit to take back; default the last of one's own that stands.", false},
    {"back", "undo_back", "", "", "", "", "undo_back", "The steps. The server gives them, in records and to others; a request leaves them out.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field edit_undo_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"undone", "undo_edit", "", "", "", "", "undo_edit", "The edit that was taken back.", false},
    {"left_out", "list of undo_left_out", "", "", "", "", "undo_left_out", "Parts that could not be restored, with force.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field edit_redo_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"force", "bool", "", "", "false", "", "", "Take it back even if somebody has changed the same since, or if it was another person's edit.", false},
    {"revision", "u64", "", "at least 1", "", "", "", "The edit to do again; default: the last that the caller took back.", false},
    {"back", "undo_back", "", "", "", "", "undo_back", "The steps. The server gives them, in records and to others; a request leaves them out.", false},
    {"if_revision", "u64", "", "", "", "", "", "Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.", false},
    {"if_epoch", "u64", "", "", "", "", "", "Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.", false},
    {"if_thing_revision", "u64", "", "", "", "", "", "Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.", false},
    {"edit_id", "string", "", "", "", "", "", "The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.", false},
};
static const struct cli_api_field edit_redo_result[] = {
    {"revision", "u64", "", "", "", "", "", "After this edit.", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"redone", "undo_edit", "", "", "", "", "undo_edit", "The edit that was done again.", false},
    {"left_out", "list of undo_left_out", "", "", "", "", "undo_left_out", "Parts that could not be restored, with force.", false},
    {"repeated", "bool", "", "", "", "", "", "True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.", false},
};
static const struct cli_api_field stream_subscribe_params[] = {
    {"world", "ref", "", "", "", "", "", "Id or name.", true},
    {"bodies", "u32[]", "", "", "", "", "", "Body ids; absent: all, later ones too.", false},
    {"fields", "flags", "", "", "[\"positions\"]", "positions positions64 velocities normals measures grabs colliders skin contact contacts asleep rotations rotations64", "", "What each frame holds: arrays for each body; measures, grabs, the colliders that motions move, contact and contacts (its places), and the bodies that sleep (asleep) once a frame; skin: the vertices of the skins; rotations and rotations64: a quaternion x, y, z, w for each particle, of bodies with orientations alone, rounded or exact, and four zeros for a particle that has none.", false},
    {"every", "u32", "", "1 to 1000000", "1", "", "", "Each so many units, counted from the world's start.", false},
    {"unit", "enum", "", "", "\"tick\"", "tick substep", "", "What is counted.", false},
    {"encoding", "enum", "", "", "\"f32\"", "f32 records q16 delta", "", "How positions and skin are encoded. q16, delta: small (docs/reference/compressed.md); positions64, velocities, normals and rotations are refused there. records: they are not, what decides them is sent (docs/concepts/twins.md); bodies, fields, every, unit, nth and box are refused there, and so is a world that failed or that shows the past.", false},
    {"tolerance", "float", "m", "1e-12 to 1000000", "0.0001", "", "", "By how much a coordinate may be off at most; of delta alone. Rounded down to 1, 1.4, 2, 2.8, 4, 5 or 7 times a power of ten.", false},
    {"nth", "u32", "", "1 to 1000000", "1", "", "", "Every n-th vertex of each body (and skin): 0, n, 2n, \342\200\246", false},
    {"box", "number[]", "m", "a multiple of 3 numbers", "", "", "", "Six numbers, the lowest x, y, z and the highest: bodies without a particle in it are left out, and of q16 and delta tiles of large ones. Absent or empty: all space.", false},
    {"mode", "enum", "", "", "\"live\"", "live lossless", "", "live: a slow client gets fewer frames, the newest. lossless: it gets all that the stream wants, or the stream ends and says why; with every encoding but records, which loses nothing anyway and refuses it. What was taken has to be acknowledged (stream.ack).", false},
    {"credit", "u32", "B", "1 to 67108864", "1048576", "", "", "For lossless alone: bytes of frames that are sent and not acknowledged, from which on no frame begins.", false},
    {"backlog", "u32", "B", "65536 to 67108864", "4194304", "", "", "For lossless alone: bytes of frames that the server keeps for it and has not sent. If one more tick does not fit, the world waits, if it may be held (world.hold); otherwise the stream ends. A tick whose frames are larger ends it as well.", false},
    {"sparse", "bool", "", "", "false", "", "", "Without a box alone: chunks in which no number has changed are left out of frames, which then build on the one before; left_out tells how many. So what rests costs no bytes.", false},
    {"adapt", "bool", "", "", "false", "", "", "For live alone, but not for records: if this client is too slow, `every` doubles, up to 64 times what was asked for, and halves again while it keeps up; stream.rate tells. Moments still count from the world's start.", false},
};
static const struct cli_api_field stream_subscribe_result[] = {
    {"stream", "u32", "", "", "", "", "", "Id.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"revision", "u64", "", "", "", "", "", "Revision.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field stream_set_params[] = {
    {"stream", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"bodies", "u32[]", "", "", "", "", "", "Body ids; an empty list means all, later ones too.", false},
    {"fields", "flags", "", "", "", "positions positions64 velocities normals measures grabs colliders skin contact contacts asleep rotations rotations64", "", "As in stream.subscribe.", false},
    {"every", "u32", "", "1 to 1000000", "", "", "", "As in stream.subscribe.", false},
    {"unit", "enum", "", "", "", "tick substep", "", "As in stream.subscribe.", false},
    {"encoding", "enum", "", "", "", "f32 q16 delta", "", "As in stream.subscribe.", false},
    {"tolerance", "float", "m", "1e-12 to 1000000", "", "", "", "As in stream.subscribe. One of which the encoding becomes delta, and no tolerance is given, has 1e-4.", false},
    {"nth", "u32", "", "1 to 1000000", "", "", "", "As in stream.subscribe.", false},
    {"box", "number[]", "m", "a multiple of 3 numbers", "", "", "", "As in stream.subscribe; an empty list means all space.", false},
    {"sparse", "bool", "", "", "", "", "", "As in stream.subscribe. It ends with a box.", false},
    {"adapt", "bool", "", "", "", "", "", "As in stream.subscribe. If every or unit is given, or adapt changes, `every` is again what was asked for.", false},
};
static const struct cli_api_field stream_set_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"revision", "u64", "", "", "", "", "", "Revision.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field stream_unsubscribe_params[] = {
    {"stream", "u32", "", "at least 1", "", "", "", "Id.", true},
};
static const struct cli_api_field stream_unsubscribe_result[] = {
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"durable_revision", "u64", "", "", "", "", "", "Beside durable: the last revision that is certain to be kept.", false},
    {"durable", "bool", "", "", "", "", "", "False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.", false},
};
static const struct cli_api_field stream_ack_params[] = {
    {"stream", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"seq", "u32", "", "", "", "", "", "As in stream.frame.", true},
};
static const struct cli_api_field stream_differs_params[] = {
    {"stream", "u32", "", "at least 1", "", "", "", "Id; its encoding is records.", true},
    {"tick", "u64", "", "", "", "", "", "Tick at which it was seen.", true},
};
static const struct cli_api_field world_control_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
    {"action", "enum", "", "", "\"look\"", "look take release ask give", "", "take: hold it, if nobody does; an owner takes it from whoever does. ask: those who joined are told that one would like it. give: hand it to another session that joined.", false},
    {"to", "u32", "", "at least 1", "", "", "", "For give: their session.", false},
};
static const struct cli_api_field world_control_result[] = {
    {"session", "u32", "", "", "", "", "", "Session that holds control; 0: none, and the role alone decides.", false},
    {"user", "string", "", "", "", "", "", "Their name.", false},
};
static const struct cli_api_field access_list_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
};
static const struct cli_api_field access_list_result[] = {
    {"people", "list of access_person", "", "", "", "", "access_person", "All who have a role in it, except admins.", false},
    {"invites", "list of access_invite", "", "", "", "", "access_invite", "Invitations, for owners; others see none.", false},
    {"role", "enum", "", "", "", "viewer editor owner", "", "One's own; an admin is an owner.", false},
    {"control", "enum", "", "", "", "editor owner", "", "Who may play, pause, step and reset it.", false},
};
static const struct cli_api_field access_grant_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
    {"user", "string", "", "", "", "", "", "Name of the person; * is everybody who has a token.", true},
    {"role", "enum", "", "", "\"viewer\"", "viewer editor owner", "", "viewer, editor or owner.", false},
    {"keep_invites", "bool", "", "", "false", "", "", "Leaves invitations that this person made as they are.", false},
};
static const struct cli_api_field access_grant_result[] = {
    {"invites", "list of access_invite", "", "", "", "", "access_invite", "Invitations that ended.", false},
};
static const struct cli_api_field access_revoke_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
    {"user", "string", "", "", "", "", "", "Name of the person; this or invite.", false},
    {"invite", "u32", "", "at least 1", "", "", "", "Id of an invitation.", false},
    {"keep_invites", "bool", "", "", "false", "", "", "Leaves invitations that this person made as they are.", false},
};
static const struct cli_api_field access_revoke_result[] = {
    {"invites", "list of access_invite", "", "", "", "", "access_invite", "Invitations that ended.", false},
    {"given", "list of access_given", "", "", "", "", "access_given", "Roles in this world that people have because this person gave them, by hand or by an invitation. They keep them.", false},
};
static const struct cli_api_field access_invite_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
    {"role", "enum", "", "", "\"viewer\"", "viewer editor owner", "", "That it gives.", false},
    {"uses", "u32", "", "1 to 1000", "1", "", "", "How often it can be accepted.", false},
    {"seconds", "u64", "s", "1 to 31536000", "604800", "", "", "How long it is good; no longer than the token of whoever makes it.", false},
};
static const struct cli_api_field access_invite_result[] = {
    {"invite", "string", "", "", "", "", "", "The invitation, told this once; of the studio's address it is the part behind #invite=, which browsers send to nobody.", false},
    {"id", "u32", "", "", "", "", "", "For access.revoke.", false},
    {"expires_at", "float", "s", "", "", "", "", "Since 1970.", false},
};
static const struct cli_api_field access_accept_params[] = {
    {"invite", "string", "", "", "", "", "", "As access.invite gave it.", true},
    {"user", "string", "", "", "\"\"", "", "", "Name of a new person; it may not be somebody's already. Default guest-ID.", false},
};
static const struct cli_api_field access_accept_result[] = {
    {"world", "u32", "", "", "", "", "", "World.", false},
    {"name", "string", "", "", "", "", "", "Its name.", false},
    {"role", "enum", "", "", "", "viewer editor owner", "", "One's role in it now.", false},
    {"user", "string", "", "", "", "", "", "One's name.", false},
    {"token", "string", "", "", "", "", "", "Token of a new person, told this once; empty if the caller had shown a token.", false},
};
static const struct cli_api_field access_set_params[] = {
    {"world", "ref", "", "", "", "", "", "World.", true},
    {"control", "enum", "", "", "", "editor owner", "", "Needs that role, or a higher one.", true},
};
static const struct cli_api_field token_create_params[] = {
    {"user", "string", "", "", "", "", "", "Name of the person, which others see.", true},
    {"role", "enum", "", "", "\"editor\"", "viewer editor admin", "", "viewer: is in worlds that they have a role in; editor: makes worlds too; admin: everything, in all worlds.", false},
    {"seconds", "u64", "s", "at most 315360000", "7776000", "", "", "How long it is good; 0: until it is revoked.", false},
};
static const struct cli_api_field token_create_result[] = {
    {"token", "string", "", "", "", "", "", "The token, told this once.", false},
    {"id", "u32", "", "", "", "", "", "For token.revoke.", false},
    {"expires_at", "float", "s", "", "", "", "", "Since 1970; 0: never.", false},
};
static const struct cli_api_field token_list_result[] = {
    {"tokens", "list of access_token", "", "", "", "", "access_token", "By id.", false},
};
static const struct cli_api_field token_revoke_params[] = {
    {"id", "u32", "", "at least 1", "", "", "", "Id of the token; this or user.", false},
    {"user", "string", "", "", "", "", "", "All of theirs.", false},
    {"keep_invites", "bool", "", "", "false", "", "", "Leaves invitations that this person made as they are.", false},
};
static const struct cli_api_field token_revoke_result[] = {
    {"revoked", "u32", "", "", "", "", "", "Tokens.", false},
    {"invites", "list of access_invite", "", "", "", "", "access_invite", "Invitations that ended.", false},
    {"given", "list of access_given", "", "", "", "", "access_given", "Roles that people have because this person gave them, by hand or by an invitation. They keep them.", false},
};
static const struct cli_api_field type_storage[] = {
    {"kind", "enum", "", "", "", "memory sqlite nats", "", "memory: the server's own. nats: streams of brokers, with a folder beside them.", false},
    {"lasts", "bool", "", "", "", "", "", "Whether worlds are there again after the server has ended, however it did. If so, an edit is answered once it is on the disk.", false},
    {"bytes", "u64", "B", "", "", "", "", "That all worlds and their past take, about.", false},
};
static const struct cli_api_field type_history_span[] = {
    {"first_tick", "u64", "", "", "", "", "", "Its first tick.", false},
    {"last_tick", "u64", "", "", "", "", "", "Its last tick; the next span begins there.", false},
    {"solver", "u32", "", "", "", "", "", "Version of the solver.", false},
    {"exact", "bool", "", "", "", "", "", "Whether this server's solver made it, so that any tick of it can be shown; else image_ticks only.", false},
};
static const struct cli_api_field type_log_entry[] = {
    {"sequence", "u64", "", "", "", "", "", "Sequence of its record: 1, 2, \342\200\246", false},
    {"tick", "u64", "", "", "", "", "", "Boundary at which it applied.", false},
    {"revision", "u64", "", "", "", "", "", "Revision of the world after it.", false},
    {"at", "float", "s", "", "", "", "", "When, by the server's clock, since 1970.", false},
    {"user", "string", "", "", "", "", "", "Name of the person who made it.", false},
    {"session", "u32", "", "", "", "", "", "Their session; of an earlier run of the server it may be somebody else's by now.", false},
    {"method", "string", "", "", "", "", "", "Method.", false},
    {"params", "any", "", "", "", "", "", "Parameters with defaults filled in and names as ids.", false},
    {"result", "any", "", "", "", "", "", "The answer that the editor got.", false},
    {"omitted", "any", "", "", "", "", "", "Names of arrays left out of params and result for their size.", false},
    {"undoes", "u64", "", "", "", "", "", "Revision of the edit that it took back; 0: none.", false},
    {"redoes", "u64", "", "", "", "", "", "Revision of the edit that it did again; 0: none.", false},
};
static const struct cli_api_field type_branch_change[] = {
    {"revision", "u64", "", "at least 1", "", "", "", "Revision of the world after the edit, as edit.log and world.edited tell it.", true},
    {"params", "any", "", "", "", "", "", "A map: parameters of the same method without world, as if they had been given then.", true},
};
static const struct cli_api_field type_branch_refusal[] = {
    {"revision", "u64", "", "", "", "", "", "In the world branched from. Of a grab, that of the world at that time.", false},
    {"method", "string", "", "", "", "", "", "Method.", false},
    {"code", "string", "", "", "", "", "", "As of an error.", false},
    {"text", "string", "", "", "", "", "", "Why.", false},
};
static const struct cli_api_field type_bin_world[] = {
    {"world", "u32", "", "", "", "", "", "Id that it had.", false},
    {"name", "string", "", "", "", "", "", "Name that it had.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"deleted_at", "float", "s", "", "", "", "", "When it was deleted, by the server's clock, since 1970.", false},
    {"gone_at", "float", "s", "", "", "", "", "When it is gone for good.", false},
};
static const struct cli_api_field type_material[] = {
    {"compliance", "float", "[C]^2/J", "at least 0", "0", "", "", "Inverse stiffness alpha: m/N for distance, join, slide, slide_rail and orthotropic, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic and rod_stretch is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)", false},
    {"damping", "float", "J s/[C]^2", "at least 0", "0", "", "", "Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests.", false},
    {"stiffness", "float", "", "0 to 1", "", "", "", "Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)", false},
};
static const struct cli_api_field type_stretch_material[] = {
    {"compliance", "float", "[C]^2/J", "at least 0", "0", "", "", "Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)", false},
    {"damping", "float", "J s/[C]^2", "at least 0", "0", "", "", "Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move what rests.", false},
    {"stiffness", "float", "", "0 to 1", "", "", "", "Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)", false},
    {"limit", "float", "", "0 to 10", "", "", "", "Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model orthotropic it holds along warp and weft, not in shear, and in all worlds.", false},
    {"model", "enum", "", "", "", "distance orthotropic", "", "distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once the body is added. Absent: distance.", false},
    {"warp", "float", "N/m", "0.001 to 1000000000", "", "", "", "Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as 0.", false},
    {"weft", "float", "N/m", "0.001 to 1000000000", "", "", "", "The same of a strip along the weft; needed with warp.", false},
    {"shear", "float", "N/m", "0 to 1000000000", "", "", "", "Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle; needed with warp.", false},
    {"poisson", "float", "", "at least 0", "", "", "", "How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp. Absent: 0.", false},
    {"direction", "vec3", "", "", "", "", "", "Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its plane. It cannot change once the body is added. Absent: (1, 0, 0).", false},
    {"angle", "float", "rad", "-100 to 100", "", "", "", "Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its corners run counterclockwise). It cannot change once the body is added. Absent: 0.", false},
};
static const struct cli_api_field type_bend_plastic[] = {
    {"yield_angle", "float", "rad", "0 to 3.14159", "0.1", "", "", "How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|, with the hinge's triangles and edge. 0: it creeps under every load.", false},
    {"rate", "float", "1/s", "0 to 1000000", "1000", "", "", "How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic.", false},
    {"greatest", "float", "rad", "0 to 2.967", "2.967", "", "", "No rest angle goes farther from flat than this; 170 degrees at most.", false},
};
static const struct cli_api_field type_rest_shape[] = {
    {"positions", "number[]", "m", "", "", "", "", "Of all particles, flat; absent: the present ones.", false},
    {"angles", "bool", "", "", "true", "", "", "Hinges of dihedral bending rest at the angles of the shape.", false},
    {"lengths", "bool", "", "", "false", "", "", "Edges rest at their lengths in the shape, and tetrahedra at their volumes.", false},
    {"places", "bool", "", "", "true", "", "", "Shape matching draws particles to the shape; without it this does nothing.", false},
};
static const struct cli_api_field type_bend_material[] = {
    {"model", "enum", "", "", "", "none dihedral isometric quadratic", "", "dihedral: the signed angle, with the rest shape's angles. isometric: the bending energy as the constraint (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none. Absent: quadratic if the rest shape is flat, otherwise dihedral.", false},
    {"compliance", "float", "[C]^2/J", "at least 0", "0", "", "", "Inverse stiffness alpha: m/N for distance, join, slide, slide_rail and orthotropic, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic and rod_stretch is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)", false},
    {"damping", "float", "J s/[C]^2", "at least 0", "0", "", "", "Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests.", false},
    {"stiffness", "float", "", "0 to 1", "", "", "", "Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)", false},
    {"rigidity", "float", "N m", "above 0", "", "", "", "Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity; isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told as 0.", false},
    {"plastic", "bend_plastic", "", "", "", "", "bend_plastic", "Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic.", false},
    {"warp", "float", "N m", "above 0", "", "", "", "Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0 (docs/concepts/bending.md).", false},
    {"weft", "float", "N m", "above 0", "", "", "", "The same of a strip cut along the weft; needed with warp.", false},
    {"bias", "float", "N m", "above 0", "", "", "", "The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) + sqrt(weft))/2)^2.", false},
};
static const struct cli_api_field type_solid_plastic[] = {
    {"yield_strain", "float", "", "0 to 1", "0.05", "", "", "Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0: it creeps under every load.", false},
    {"rate", "float", "1/s", "0 to 1000000", "1000", "", "", "How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic.", false},
    {"greatest", "float", "", "0 to 1", "1", "", "", "No tetrahedron flows farther than this strain from the shape at which it was made.", false},
};
static const struct cli_api_field type_solid_material[] = {
    {"model", "enum", "", "", "", "neo_hookean", "", "neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that.", false},
    {"young", "float", "Pa", "0.001 to 1000000000000000.0", "", "", "", "Young's modulus E at rest. body.add needs it.", false},
    {"poisson", "float", "", "0 to 0.495", "0.3", "", "", "Poisson's ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns.", false},
    {"damping", "float", "Pa s", "at least 0", "0", "", "", "Viscosity. It acts on velocities, and does not move what rests.", false},
    {"plastic", "solid_plastic", "", "", "", "", "solid_plastic", "Dents stay. Absent: the solid is elastic.", false},
};
static const struct cli_api_field type_rod_plastic[] = {
    {"yield_angle", "float", "rad", "0 to 3.14159", "0.1", "", "", "How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a segment.", false},
    {"rate", "float", "1/s", "0 to 1000000", "1000", "", "", "How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic.", false},
    {"greatest", "float", "rad", "0 to 2.967", "2.967", "", "", "No rest goes farther from that of the start than this; 170 degrees at most.", false},
};
static const struct cli_api_field type_rod[] = {
    {"radius", "float", "m", "1e-07 to 1", "", "", "", "Radius of the section.", true},
    {"young", "float", "Pa", "0.001 to 1000000000000000.0", "", "", "", "Young's modulus E. It resists stretch by E A, and shear and bending follow.", true},
    {"poisson", "float", "", "0 to 0.5", "0.3", "", "", "Poisson's ratio nu: the shear modulus is E / (2 (1 + nu)).", false},
    {"bend_stiffness", "float", "N m^2", "1e-10 to 1000000000000000.0", "", "", "", "EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4.", false},
    {"twist_stiffness", "float", "N m^2", "1e-10 to 1000000000000000.0", "", "", "", "GJ, the moment over the twist. Absent: EI / (1 + nu).", false},
    {"damping", "float", "s", "0 to 1000", "0", "", "", "Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on velocities, and does not move what rests.", false},
    {"rest", "vec3", "1/m", "-1000000 to 1000000", "", "", "", "Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same; 0 0 0 is straight. Absent: it rests as its shape is.", false},
    {"twist", "float", "rad/m", "-1000000 to 1000000", "", "", "", "Twist that it has at the start. Absent: that at rest.", false},
    {"plastic", "rod_plastic", "", "", "", "", "rod_plastic", "Bends and twists stay. Absent: the rod is elastic.", false},
};
static const struct cli_api_field type_rigid[] = {
    {"form", "enum", "", "", "", "sphere capsule box", "", "Which shape.", true},
    {"radius", "float", "m", "at least 0", "", "", "", "Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all lengths of a piece. Needed there, and absent of a box.", false},
    {"half_height", "float", "m", "at least 0", "", "", "", "Half the distance between the centres of the ends, along the piece's y (capsule); 0 makes it a sphere. Needed there, and absent of others.", false},
    {"half_extents", "vec3", "m", "at least 0", "", "", "", "Half the edges (box). Needed there, and absent of others.", false},
};
static const struct cli_api_field type_pressure[] = {
    {"model", "enum", "", "", "", "none gas volume", "", "Which law holds; none ends it. Absent: the present one, or gas.", false},
    {"overpressure", "float", "Pa", "-10000000 to 10000000", "", "", "", "Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at least -ambient. Absent: 0.", false},
    {"ambient", "float", "Pa", "0 to 10000000", "", "", "", "Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air.", false},
    {"ratio", "float", "", "0 to 1000", "", "", "", "Only of volume: share of the reference volume that is kept. Absent: 1.", false},
    {"compliance", "float", "m^5/N", "0 to 10000000000", "", "", "", "Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which is rigid.", false},
    {"volume", "float", "m^3", "at least 0", "", "", "", "The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs one.", false},
    {"seconds", "float", "s", "0 to 3600", "", "", "", "Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent: at once. Told: the time that is left.", false},
    {"now", "float", "", "-10000000 to 10000000", "", "", "", "Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure that begins 0 Pa, or 1.", false},
};
static const struct cli_api_field type_shape[] = {
    {"model", "enum", "", "", "", "none rigid", "", "How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid.", false},
    {"compliance", "float", "m/N", "0 to 10000000000", "", "", "", "Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0, which puts them there. It depends neither on the mesh nor on substeps.", false},
    {"radius", "float", "m", "at least 0", "", "", "", "A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole body is one region, which may be 8 m wide from its first particle on (at the default resolution).", false},
    {"spacing", "float", "m", "at least 0", "", "", "", "Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it makes more regions, which overlap more.", false},
    {"positions", "number[]", "m", "", "", "", "", "The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps the present one, and its rest_shape gives another. body.list and body.get leave it out.", false},
};
static const struct cli_api_field type_shape_measure[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"regions", "u32", "", "", "", "", "", "How many regions there are.", false},
    {"position", "vec3", "m", "", "", "", "", "Centre of mass. Particles that cannot move count as a thousand times as heavy as all others.", false},
    {"rotation", "vec4", "", "", "", "", "", "Unit quaternion x, y, z, w: how the body as a whole is turned from its shape at rest.", false},
    {"distance", "float", "m", "", "", "", "", "How far particles are from their goals: the root of the mean square, by mass.", false},
    {"energy", "float", "J", "", "", "", "", "Energy that this stores; 0 if the compliance is 0.", false},
    {"force", "float", "N", "", "", "", "", "Sizes of the forces on all particles in the last substep, added up; 0 before there was one.", false},
};
static const struct cli_api_field type_tear[] = {
    {"force", "float", "N/m", "0 to 1000000000000", "", "", "", "Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp and weft. Absent or 0: no such threshold.", false},
    {"strain", "float", "", "0 to 1000", "", "", "", "Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold.", false},
    {"most", "u32", "", "", "", "", "", "Greatest number of particles that may split off. The body has so many spare particles behind its own, and no more can ever split. body.add needs it; it cannot change.", false},
};
static const struct cli_api_field type_torn[] = {
    {"own", "u32", "", "", "", "", "", "Particles of the mesh as it was made; the spares follow them.", false},
    {"origins", "u32[]", "", "", "", "", "", "The particle that each used spare split from, in the order of the spares.", false},
    {"since", "f64[]", "", "at least 0", "", "", "", "Revision of the world when each of them split.", false},
    {"triangles", "u32[]", "", "a multiple of 3 numbers", "", "", "", "Corners of all triangles now.", false},
    {"cuts", "u32[]", "", "", "", "", "", "Edges that are cut, in the order in which they were.", false},
};
static const struct cli_api_field type_torn_edges[] = {
    {"own", "u32", "", "", "", "", "", "Particles of the mesh as it was made; the spares follow them.", false},
    {"origins", "u32[]", "", "", "", "", "", "The particle that each used spare split from, in the order of the spares.", false},
    {"edges", "u32[]", "", "", "", "", "", "The two ends of each edge that is cut, as particles of the mesh as it was made, in the order in which they were cut.", false},
};
static const struct cli_api_field type_pressure_measure[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"volume", "float", "m^3", "", "", "", "", "Volume that its surface encloses; below 0 if it is turned inside out.", false},
    {"reference", "float", "m^3", "", "", "", "", "The reference volume.", false},
    {"pressure", "float", "Pa", "", "", "", "", "Pressure inside above that outside. Of a gas it follows from the volume; of a kept volume it is what the last substep needed, and 0 before there was one.", false},
};
static const struct cli_api_field type_force_field[] = {
    {"force", "u32", "", "at least 1", "", "", "", "Id. force.add and force.set give it apart from the field.", false},
    {"kind", "enum", "", "", "", "point vortex drag", "", "Kind; fixed once added.", false},
    {"position", "vec3", "m", "-1000000000 to 1000000000", "", "", "", "Its middle, and that of its region; 0 if it was never given.", false},
    {"axis", "vec3", "", "-1000000000 to 1000000000", "", "", "", "Only read of a vortex: its axis, of any length above 0; +y if it was never given.", false},
    {"strength", "float", "", "-1000000 to 1000000", "", "", "", "m/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity. 1 if it was never given.", false},
    {"distance", "float", "m", "1e-06 to 1000000", "", "", "", "Distance from the position or the axis at which it has its strength; 1 if it was never given.", false},
    {"falloff", "enum", "", "", "", "none inverse inverse_square", "", "How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was never given.", false},
    {"core", "float", "m", "1e-06 to 1000000", "", "", "", "Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given.", false},
    {"velocity", "vec3", "m/s", "-10000 to 10000", "", "", "", "Only read of drag: that of the medium; 0 if it was never given.", false},
    {"radius", "float", "m", "0 to 1000000000", "", "", "", "Beyond it there is no force; 0, or never given: it has no such end.", false},
    {"half_extents", "vec3", "m", "0 to 1000000000", "", "", "", "Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given: there is no box.", false},
    {"margin", "float", "m", "0 to 1000000000", "", "", "", "Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once.", false},
    {"bodies", "u32[]", "", "at least 1", "", "", "", "Ids of the bodies that it acts on, at most 16; none, or never given: all of them.", false},
};
static const struct cli_api_field type_force_fields[] = {
    {"next", "u32", "", "at least 1", "", "", "", "Next id.", true},
    {"fields", "list of force_field", "", "", "", "", "force_field", "By id, each with its id and kind.", false},
};
static const struct cli_api_field type_wind[] = {
    {"velocity", "vec3", "m/s", "-300 to 300", "[0, 0, 0]", "", "", "Velocity of the air.", false},
    {"drag", "float", "", "0 to 100", "1", "", "", "Coefficient Cd.", false},
    {"lift", "float", "", "0 to 100", "0", "", "", "Coefficient Cl.", false},
    {"density", "float", "kg/m^3", "0 to 10000", "1.2", "", "", "Density of the air; 0 turns the wind off.", false},
    {"gusts", "float", "m/s", "0 to 60", "", "", "", "Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then the other fields of gusts are forgotten.", false},
    {"gust_length", "float", "m", "above 0, at most 10000", "", "", "", "Length of the gusts; 10 if it was never given.", false},
    {"gust_seed", "u32", "", "", "", "", "", "Which gusts: each number gives others. 0 if it was never given.", false},
    {"gust_way", "vec4", "m", "", "", "", "", "State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time. Ticks add to it; absent: it goes on, from 0 where there were no gusts.", false},
};
static const struct cli_api_field type_skin[] = {
    {"particles", "u32[]", "", "a multiple of 4 numbers", "", "", "", "Four particle indices for each vertex, such as the corners of the tetrahedron around it.", true},
    {"weights", "number[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of each four is what the others leave of 1.", true},
    {"triangles", "u32[]", "", "a multiple of 3 numbers", "", "", "", "Three vertex indices each.", true},
};
static const struct cli_api_field type_look_material[] = {
    {"name", "string", "", "", "\"\"", "", "", "Its name in the mesh.", false},
    {"color", "vec4", "", "0 to 1", "[1, 1, 1, 1]", "", "", "Linear red, green, blue and opacity.", false},
    {"metallic", "float", "", "0 to 1", "0", "", "", "0 for what is no metal.", false},
    {"roughness", "float", "", "0 to 1", "1", "", "", "0 for a mirror.", false},
};
static const struct cli_api_field type_look[] = {
    {"uvs", "number[]", "", "-1000000 to 1000000, a multiple of 6 numbers", "", "", "", "u, v of each corner, v upwards; absent: none. Kept as f32.", false},
    {"normals", "number[]", "", "-1000000 to 1000000, a multiple of 9 numbers", "", "", "", "x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is visible there. Kept as f32.", false},
    {"materials", "list of look_material", "", "", "", "", "look_material", "At most 4096, and no more than there are triangles; absent: none.", false},
    {"triangle_materials", "u32[]", "", "", "", "", "", "Which of the materials each triangle has; absent: the first.", false},
};
static const struct cli_api_field type_phase_times[] = {
    {"wind", "float", "us", "", "", "", "", "Wind.", false},
    {"predict", "float", "us", "", "", "", "", "Prediction, if it is a pass of its own; pins and colliders.", false},
    {"solve", "float", "us", "", "", "", "", "Constraints and grabs.", false},
    {"contacts", "float", "us", "", "", "", "", "Contacts.", false},
    {"finish", "float", "us", "", "", "", "", "Velocities, and in the same pass the next substep's prediction, if there is no wind and nobody reads in between.", false},
};
static const struct cli_api_field type_id_range[] = {
    {"first", "u32", "", "", "", "", "", "First id; 0 if count is 0.", false},
    {"count", "u32", "", "", "", "", "", "How many.", false},
};
static const struct cli_api_field type_constraint_ranges[] = {
    {"distance", "id_range", "", "", "", "", "id_range", "One for each unique edge, in the order in which the edges first appear in the elements.", false},
    {"dihedral", "id_range", "", "", "", "", "id_range", "One for each edge that two triangles share.", false},
    {"isometric", "id_range", "", "", "", "", "id_range", "The same, if that is the bend model.", false},
    {"quadratic", "id_range", "", "", "", "", "id_range", "The same, if that is the bend model.", false},
    {"volume", "id_range", "", "", "", "", "id_range", "One for each tetrahedron, in the order given.", false},
    {"join", "id_range", "", "", "", "", "id_range", "None: only constraint.add makes joins.", false},
    {"slide", "id_range", "", "", "", "", "id_range", "None: only constraint.add makes them.", false},
    {"slide_rail", "id_range", "", "", "", "", "id_range", "None: only constraint.add makes them.", false},
    {"neo_hookean", "id_range", "", "", "", "", "id_range", "One for each tetrahedron, in the order given, of a body with a solid; it has no others.", false},
    {"orthotropic", "id_range", "", "", "", "", "id_range", "One for each triangle with an area, in the order given, if stretch.model is orthotropic; then there are no distances.", false},
    {"rod_stretch", "id_range", "", "", "", "", "id_range", "One for each segment, in the order given, of a rope with a rod; then there are no distances.", false},
    {"rod_bend", "id_range", "", "", "", "", "id_range", "One for each two segments that follow each other, in the order of the first, of a rope with a rod. Its particles are those at which both begin.", false},
};
static const struct cli_api_field type_warning[] = {
    {"code", "string", "", "", "", "", "", "One upper-case word: COINCIDENT, ISOLATED, LIGHT (particles), COPY (particles that are exactly where those of another body are that it meets), ZERO_LENGTH (edges), ZERO_AREA (triangles), ZERO_VOLUME, INVERTED (tetrahedra), DUPLICATE, COLLAPSED (elements), NONMANIFOLD (edges; named by a triangle at each), COARSE (colliders that may pass between the particles of the body, which meets nobody; in an answer about a collider: such bodies whose particles it may pass between), THICK (the body as a whole: thicker than is good for contact), LOCKING (the body as a whole: a solid that bends too little, since its Poisson's ratio is near a half), STRETCHED (a body: an edge is more than 5 % longer than its limit), STIFF (a body: more than 5 % of the forces of its material are not resolved).", false},
    {"text", "string", "", "", "", "", "", "For people.", false},
    {"count", "u32", "", "", "", "", "", "How many elements it concerns.", false},
    {"elements", "u32[]", "", "", "", "", "", "The first of them (at most 16): particle, edge, triangle or tetrahedron indices or ids as the code says; edges in the order in which they first appear.", false},
};
static const struct cli_api_field type_person[] = {
    {"session", "u32", "", "", "", "", "", "Session id.", false},
    {"user", "string", "", "", "", "", "", "As in session.hello.", false},
    {"client", "string", "", "", "", "", "", "As in session.hello.", false},
};
static const struct cli_api_field type_access_person[] = {
    {"user", "string", "", "", "", "", "", "Their name; * is everybody who has a token.", false},
    {"role", "enum", "", "", "", "viewer editor owner", "", "viewer: looks; editor: changes it too; owner: says who may, and may delete it.", false},
};
static const struct cli_api_field type_access_given[] = {
    {"world", "u32", "", "", "", "", "", "World.", false},
    {"user", "string", "", "", "", "", "", "Name of the person who has the role; * is everybody who has a token.", false},
    {"role", "enum", "", "", "", "viewer editor owner", "", "The role.", false},
};
static const struct cli_api_field type_access_invite[] = {
    {"id", "u32", "", "", "", "", "", "For access.revoke.", false},
    {"role", "enum", "", "", "", "viewer editor owner", "", "That it gives.", false},
    {"uses", "u32", "", "", "", "", "", "How often it can still be accepted.", false},
    {"user", "string", "", "", "", "", "", "Who made it.", false},
    {"expires_at", "float", "s", "", "", "", "", "Since 1970.", false},
    {"world", "u32", "", "", "", "", "", "World that it leads into.", false},
};
static const struct cli_api_field type_access_token[] = {
    {"id", "u32", "", "", "", "", "", "For token.revoke; the number in it.", false},
    {"user", "string", "", "", "", "", "", "Name of the person.", false},
    {"role", "enum", "", "", "", "viewer editor admin", "", "As in token.create.", false},
    {"created_at", "float", "s", "", "", "", "", "Since 1970.", false},
    {"expires_at", "float", "s", "", "", "", "", "Since 1970; 0: never.", false},
    {"sessions", "u32", "", "", "", "", "", "That are open with it.", false},
};
static const struct cli_api_field type_presence_camera[] = {
    {"position", "vec3", "m", "", "", "", "", "Position of the eye.", false},
    {"target", "vec3", "m", "", "", "", "", "Point at which it looks.", false},
    {"up", "vec3", "", "", "", "", "", "Direction that is up in the picture.", false},
    {"fov", "float", "rad", "0 to 3.2", "", "", "", "Angle of the picture's height.", false},
};
static const struct cli_api_field type_presence_cursor[] = {
    {"point", "vec3", "m", "", "", "", "", "Point in the world.", false},
    {"origin", "vec3", "m", "", "", "", "", "Origin of the ray.", false},
    {"direction", "vec3", "", "", "", "", "", "Direction of the ray.", false},
};
static const struct cli_api_field type_presence_thing[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Id of a body.", false},
    {"collider", "u32", "", "at least 1", "", "", "", "Id of a collider.", false},
    {"constraint", "u32", "", "at least 1", "", "", "", "Id of a constraint.", false},
};
static const struct cli_api_field type_world_summary[] = {
    {"world", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name.", false},
    {"state", "enum", "", "", "", "paused playing failed", "", "Its present state. A failed world needs edit.undo or world.reset.", false},
    {"rate", "float", "", "", "", "", "", "Multiple of real time; 0 is as fast as possible.", false},
    {"tick", "u64", "", "", "", "", "", "Completed ticks.", false},
    {"revision", "u64", "", "", "", "", "", "Edits so far, of those that are durable.", false},
    {"bodies", "u32", "", "", "", "", "", "Bodies.", false},
    {"particles", "u32", "", "", "", "", "", "Particles.", false},
    {"people", "u32", "", "", "", "", "", "Sessions that joined.", false},
    {"server", "string", "", "", "", "", "", "Name of the server of the deployment that runs it. Absent, like the next two: this one does.", false},
    {"address", "string", "", "", "", "", "", "Where that server takes connections: HOST:PORT, or tls://HOST:PORT.", false},
    {"web", "string", "", "", "", "", "", "Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.", false},
    {"trouble", "string", "", "", "", "", "", "What went wrong when a server last tried to run it; server, address and web are empty, because no server runs it. world.move makes a server try again. Absent: it runs.", false},
    {"exact", "bool", "", "", "", "", "", "As of world.get, like the next two. Absent: another server runs it.", false},
    {"exact_tick", "u64", "", "", "", "", "", "With exact false.", false},
    {"exact_solver", "u32", "", "", "", "", "", "With exact false.", false},
};
static const struct cli_api_field type_server_summary[] = {
    {"server", "string", "", "", "", "", "", "Name.", false},
    {"address", "string", "", "", "", "", "", "Where it takes connections: HOST:PORT, or tls://HOST:PORT.", false},
    {"web", "string", "", "", "", "", "", "Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.", false},
    {"here", "bool", "", "", "", "", "", "It is the one that answers.", false},
    {"draining", "bool", "", "", "", "", "", "It gives its worlds away, and takes none.", false},
    {"load", "float", "ms/s", "", "", "", "", "Processor time that its worlds took, of each second.", false},
    {"worlds", "u32", "", "", "", "", "", "Worlds that it runs.", false},
    {"sessions", "u32", "", "", "", "", "", "Sessions that it has.", false},
    {"beat_age_ms", "u64", "ms", "", "", "", "", "Time since its last heartbeat came, by the clock of the answering server.", false},
    {"solver", "u32", "", "", "", "", "", "Version of its solver. While servers of several versions run, a world stays with those of the version that ran it last.", false},
    {"api_level", "u32", "", "", "", "", "", "Level of its API; 0: it does not say.", false},
};
static const struct cli_api_field type_touch[] = {
    {"revision", "u64", "", "", "", "", "", "Revision of the world after it; 0: none since the world was made or opened.", false},
    {"session", "u32", "", "", "", "", "", "Session that made it; 0: none.", false},
    {"user", "string", "", "", "", "", "", "Their name.", false},
    {"method", "string", "", "", "", "", "", "Its method; empty if that is not known.", false},
};
static const struct cli_api_field type_body_summary[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name; empty if it has none.", false},
    {"kind", "enum", "", "", "", "cloth rope points soft rigid", "", "Kind of mesh that it was made from.", false},
    {"particles", "u32", "", "", "", "", "", "Particle count.", false},
    {"triangles", "u32", "", "", "", "", "", "Triangle count.", false},
    {"edges", "u32", "", "", "", "", "", "Count of the edges that were given (rope).", false},
    {"tets", "u32", "", "", "", "", "", "Tetrahedron count.", false},
    {"skin", "u32", "", "", "", "", "", "Vertices of the skin; 0 if there is none.", false},
    {"constraints", "constraint_ranges", "", "", "", "", "constraint_ranges", "Ids by kind, as body.add gave them.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "Resistance to bending (cloth).", false},
    {"volume", "material", "", "", "", "", "material", "Material of the tetrahedra (soft).", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "What it is made of, as given to body.add; absent: edges and volumes.", false},
    {"rod", "rod", "", "", "", "", "rod", "The section and material of the rope, as given to body.add; absent: edges alone.", false},
    {"rigid", "rigid", "", "", "", "", "rigid", "The shape of the pieces of a rigid body; absent of others.", false},
    {"thickness", "float", "m", "", "", "", "", "Radius that it has for contacts.", false},
    {"self_contact", "bool", "", "", "", "", "", "Whether its own triangles and edges meet each other.", false},
    {"contact_group", "u32", "", "", "", "", "", "Bits: what it is.", false},
    {"contact_mask", "u32", "", "", "", "", "", "Bits: what it meets.", false},
    {"friction", "float", "", "", "", "", "", "Coulomb coefficient mu between bodies.", false},
    {"friction_kinetic", "float", "", "", "", "", "", "As in body.add; absent: that of friction.", false},
    {"restitution", "float", "", "", "", "", "", "As in body.add; absent: 0.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "Pressure inside, with what is left of its time; absent: none.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "Gravity of its own; absent: that of the world.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "Force on it as a whole; absent: none.", false},
    {"force_ticks", "u32", "", "at most 3600000", "", "", "", "Ticks in which that force still acts; absent: until it is changed.", false},
    {"shape", "shape", "", "", "", "", "shape", "Shape matching; absent: none.", false},
    {"pins", "u32[]", "", "", "", "", "", "Pinned particles.", false},
    {"pin_colliders", "u32[]", "", "", "", "", "", "Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.", false},
    {"pin_compliances", "f64[]", "m/N", "", "", "", "", "Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard.", false},
    {"pin_distances", "f64[]", "m", "", "", "", "", "Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard.", false},
    {"touched", "touch", "", "", "", "", "touch", "By which edit last: of the body, its particles, constraints that hold them, motions that lead them.", false},
};
static const struct cli_api_field type_collider_summary[] = {
    {"collider", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name; empty if it has none.", false},
    {"kind", "enum", "", "", "", "plane sphere capsule box cylinder convex height_field", "", "Shape.", false},
    {"position", "vec3", "m", "", "", "", "", "A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others.", false},
    {"normal", "vec3", "", "", "", "", "", "Unit normal (plane), its rotated +y; bodies stay on the side it points to.", false},
    {"rotation", "vec4", "", "", "", "", "", "Unit quaternion x, y, z, w.", false},
    {"radius", "float", "m", "", "", "", "", "Radius (sphere, capsule, cylinder).", false},
    {"length", "float", "m", "", "", "", "", "Along the rotated y: between the centres of the ends (capsule), between the flat ends (cylinder).", false},
    {"half_extents", "vec3", "m", "", "", "", "", "Half the edges (box).", false},
    {"friction", "float", "", "", "", "", "", "Coulomb coefficient mu.", false},
    {"friction_kinetic", "float", "", "", "", "", "", "As in collider.add; absent: that of friction.", false},
    {"restitution", "float", "", "", "", "", "", "As in collider.add; absent: 0.", false},
    {"touched", "touch", "", "", "", "", "touch", "By which edit last: of the collider, or a motion that leads it.", false},
    {"points", "f64[]", "m", "", "", "", "", "x, y, z of each vertex of the hull (convex), in the collider's own frame.", false},
    {"triangles", "u32[]", "", "", "", "", "", "Three vertices for each triangle of the hull (convex), counterclockwise from outside.", false},
    {"heights", "f64[]", "m", "", "", "", "", "Heights of a height field, row after row along z, in each row the columns along x; the two triangles of a cell meet at the diagonal from its least x and z to its greatest.", false},
    {"columns", "u32", "", "", "", "", "", "Heights in a row (height_field).", false},
    {"spacing", "float", "m", "", "", "", "", "From one height to the next along x and z (height_field).", false},
    {"surface_velocity", "vec3", "m/s", "", "", "", "", "As in collider.add; absent, with surface_spin, if the surface does not run.", false},
    {"surface_spin", "vec3", "rad/s", "", "", "", "", "As in collider.add.", false},
};
static const struct cli_api_field type_collider_pose[] = {
    {"collider", "u32", "", "", "", "", "", "Id.", false},
    {"position", "vec3", "m", "", "", "", "", "A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others.", false},
    {"rotation", "vec4", "", "", "", "", "", "Unit quaternion x, y, z, w.", false},
};
static const struct cli_api_field type_grab_summary[] = {
    {"grab", "u32", "", "", "", "", "", "Id.", false},
    {"body", "u32", "", "", "", "", "", "Body id.", false},
    {"particle", "u32", "", "", "", "", "", "Index in the body.", false},
    {"target", "vec3", "m", "", "", "", "", "Point to which it is pulled.", false},
    {"compliance", "float", "m/N", "", "", "", "", "Inverse stiffness of the pull.", false},
    {"force", "vec3", "N", "", "", "", "", "Force on the particle in the last substep: lambda / h^2.", false},
    {"session", "u32", "", "", "", "", "", "Who holds it.", false},
    {"user", "string", "", "", "", "", "", "Their name.", false},
};
static const struct cli_api_field type_measures[] = {
    {"kinetic", "float", "J", "", "", "", "", "1/2 sum m |v|^2 of the moving particles, and 1/2 angular velocity times angular momentum of the pieces of rigid bodies.", false},
    {"potential", "float", "J", "", "", "", "", "-sum m g.x of the moving particles.", false},
    {"elastic_distance", "float", "J", "", "", "", "", "sum C^2 / (2 (alpha + h^2 W)) of the distance constraints with alpha > 0; W = sum w |grad C|^2, h: the substep.", false},
    {"elastic_dihedral", "float", "J", "", "", "", "", "The same of the dihedral constraints.", false},
    {"elastic_isometric", "float", "J", "", "", "", "", "The same of the isometric constraints.", false},
    {"elastic_quadratic", "float", "J", "", "", "", "", "The same of the quadratic constraints, with |c|^2.", false},
    {"elastic_volume", "float", "J", "", "", "", "", "The same of the volume constraints.", false},
    {"elastic_join", "float", "J", "", "", "", "", "The same of the joins, of those that hold.", false},
    {"elastic_slide", "float", "J", "", "", "", "", "The same of the slide constraints that are taut; with friction of both sides.", false},
    {"elastic_slide_rail", "float", "J", "", "", "", "", "The same of the slide_rail constraints.", false},
    {"elastic_neo_hookean", "float", "J", "", "", "", "", "The same of the tetrahedra of solids: C^2 = 2 alpha U / V, 0 at rest.", false},
    {"elastic_orthotropic", "float", "J", "", "", "", "", "The same of the orthotropic constraints: of the three strains of each.", false},
    {"elastic_rod_stretch", "float", "J", "", "", "", "", "The same of the segments of rods: of stretch and shear.", false},
    {"elastic_rod_bend", "float", "J", "", "", "", "", "The same of the joints of rods: of bend and twist.", false},
    {"strain_max", "float", "", "", "", "", "", "Greatest |l - L| / L of the distance constraints with L > 0.", false},
    {"strain_rms", "float", "", "", "", "", "", "Root mean square of (l - L) / L.", false},
    {"volume_error", "float", "", "", "", "", "", "Greatest |V - V0| / |V0| of the volume constraints; 0 if there are none.", false},
    {"volume_error_rms", "float", "", "", "", "", "", "Root mean square of (V - V0) / V0.", false},
    {"solid_volume_error", "float", "", "", "", "", "", "Greatest |V - V0| / |V0| of the tetrahedra of solids; 0 if there are none.", false},
    {"solid_volume_error_rms", "float", "", "", "", "", "", "Root mean square of (V - V0) / V0.", false},
    {"yarn_strain_max", "float", "strain", "", "", "", "", "Greatest strain along warp or weft of the orthotropic constraints; 0 if there are none.", false},
    {"yarn_strain_rms", "float", "strain", "", "", "", "", "Root mean square of the greater one of both.", false},
    {"contacts", "u32", "", "", "", "", "", "Particle-collider contacts that pushed in the last substep.", false},
    {"tick_us", "float", "us", "", "", "", "", "Wall time of the last tick's solve. Not part of the state.", false},
    {"phases", "phase_times", "", "", "", "", "phase_times", "Time by phase.", false},
};
static const struct cli_api_field type_convergence[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"name", "string", "", "", "", "", "", "Name, or empty.", false},
    {"strain_max", "float", "", "", "", "", "", "Greatest l/L - 1 - limit of the edges that have a limit: those of compliance 0, and all edges if there is a stretch.limit. 0 if none is too long.", false},
    {"strain_rms", "float", "", "", "", "", "", "The same as root of the mean square over these edges.", false},
    {"unresolved_stretch", "float", "", "", "", "", "", "Share of the forces that the compliances of its edges ask for, and that the last substep did not give: 0 to 1. 0 if no edge has a compliance, or if no tick has run since the last edit of constraints.", false},
    {"unresolved_bend", "float", "", "", "", "", "", "The same of bending. A body at rest acts as if its rigidity were 1 - share of that of its material. Above about 0.3, bending that is swept with one iteration may gain energy and never rest.", false},
    {"unresolved_volume", "float", "", "", "", "", "", "The same of volumes.", false},
    {"unresolved_solid", "float", "", "", "", "", "", "The same of the tetrahedra of a solid.", false},
    {"bending", "enum", "", "", "", "none solved swept", "", "How its bending is solved (bending of world.create). none: it has no constraints of bending.", false},
    {"swept_because", "enum", "", "", "", "nothing world model rigid stiffness stiff large waits", "", "The reason why its bending is swept. nothing: it is not swept. world: all bending of the world is. model: only quadratic bending can be solved. rigid: one of its bending constraints has compliance 0. stiffness: one has a plain stiffness. stiff: numbers cannot tell it from rigid. large: there are too many particles. waits: an edit has changed it, and its new factor is made over some ticks. stiff and large are known once a tick has run since the last edit.", false},
};
static const struct cli_api_field type_contact[] = {
    {"pairs", "u32", "", "", "", "", "", "Pairs of features (vertex and triangle, edge and edge) that might have met.", false},
    {"pushing", "u32", "", "", "", "", "", "Pairs of these that touched in the last substep.", false},
    {"crossed", "u32", "", "", "", "", "", "Edges that went through triangles when the tick began, of bodies that meet. They are left alone, unless the world untangles.", false},
    {"held", "u32", "", "", "", "", "", "Particles that were held back, so that nothing crosses.", false},
    {"shrunk", "u32", "", "", "", "", "", "Times that the pairs did not fit and how far they are looked for was halved: slow motion, nothing worse.", false},
    {"dropped", "u32", "", "", "", "", "", "Pairs that still did not fit: these may cross.", false},
    {"penetration", "float", "", "", "", "", "", "Greatest 1 - d / R at the end of the tick, 0 to 1; d: the distance of a pair, R: the distance that it should keep.", false},
    {"pierced", "u32", "", "", "", "", "", "Triangles, loose edges and loose particles that reached into the core of a collider, each once for each collider. The core is what is deeper inside than half of the collider's inner radius, or farther below a plane or a height field than the body's thickness.", false},
};
static const struct cli_api_field type_contact_places[] = {
    {"body", "u32", "", "", "", "", "", "Id.", false},
    {"touching", "u32[]", "", "", "", "", "", "Particles of the pairs that touched in the last substep (pushing), ascending.", false},
    {"held", "u32[]", "", "", "", "", "", "Particles that were held back in some substep of the tick, ascending.", false},
    {"crossed", "u32[]", "", "", "", "", "", "Its edges that went through triangles when the tick began, two particles each, ascending, each edge once.", false},
};
static const struct cli_api_field type_contacts[] = {
    {"known", "bool", "", "", "", "", "", "Whether that tick was recorded. False until the world has gone on for a tick since a stream asked for contacts, in frames of substeps within a tick, and if no body meets any.", false},
    {"bodies", "list of contact_places", "", "", "", "", "contact_places", "By id, those of which there is something to say.", false},
    {"more", "u32", "", "", "", "", "", "How many found no room, of all three kinds: an edge counts for each triangle that it passes.", false},
};
static const struct cli_api_field type_world_settings[] = {
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "[0, -9.81, 0]", "", "", "Acceleration of every moving particle.", false},
    {"tick_rate", "u32", "1/s", "1 to 1000", "60", "", "", "Ticks in a second of the world.", false},
    {"substeps", "u32", "", "1 to 1000", "20", "", "", "Substeps a tick.", false},
    {"iterations", "u32", "", "1 to 1000", "1", "", "", "Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not.", false},
    {"damping", "float", "1/s", "0 to 1000000", "0", "", "", "Global damping c.", false},
    {"wind", "wind", "", "", "", "", "wind", "Wind on all triangles; absent: none. Fields absent from it take their defaults.", false},
    {"resolution", "float", "m", "9.313225746154785e-10 to 0.000244140625", "7.450580596923828e-09", "", "", "Quantum of position, a power of two.", false},
    {"extent", "float", "m", "1 to 1000000000", "1000000", "", "", "A world in which a particle passes this coordinate pauses itself as failed.", false},
    {"contact_quality", "enum", "", "", "\"guaranteed\"", "guaranteed fast", "", "guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells.", false},
    {"untangle", "bool", "", "", "false", "", "", "Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart.", false},
    {"long_edges", "bool", "", "", "", "", "", "Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long. Absent: false.", false},
    {"bending", "enum", "", "", "", "swept solved", "", "How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it. Absent: swept.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then. Absent: false.", false},
    {"forces", "force_fields", "", "", "", "", "force_fields", "Fields of force; absent: there never were any.", false},
};
static const struct cli_api_field type_constraint_history[] = {
    {"built", "u32", "", "", "", "", "", "Constraints when they were last coloured; absent: all that the body was made with.", false},
    {"removed", "u32[]", "", "", "", "", "", "Ids of those that are gone, ascending.", false},
    {"changed", "u32[]", "", "", "", "", "", "Ids of those with values of their own, ascending; the next four have one number for each.", false},
    {"rest", "f64[]", "m, rad, m^3", "", "", "", "", "Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch and rod_bend.", false},
    {"compliance", "f64[]", "[C]^2/J", "at least 0", "", "", "", "Compliances.", false},
    {"damping", "f64[]", "J s/[C]^2", "at least 0", "", "", "", "Damping stiffnesses.", false},
    {"stiffness", "f64[]", "", "-1 to 1", "", "", "", "Plain PBD stiffness; -1 if compliance holds.", false},
    {"shapes", "f32[]", "", "", "", "", "", "Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made.", false},
    {"tile_colors", "u32[]", "", "", "", "", "", "Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as in a new body.", false},
    {"colors", "u32[]", "", "at most 64", "", "", "", "Colour within its tile of each living constraint, by id; 64 is the serial one.", false},
};
static const struct cli_api_field type_body_history[] = {
    {"distance", "constraint_history", "", "", "", "", "constraint_history", "Distances.", false},
    {"dihedral", "constraint_history", "", "", "", "", "constraint_history", "Dihedral angles.", false},
    {"isometric", "constraint_history", "", "", "", "", "constraint_history", "Isometric bending.", false},
    {"quadratic", "constraint_history", "", "", "", "", "constraint_history", "Quadratic bending.", false},
    {"volume", "constraint_history", "", "", "", "", "constraint_history", "Volumes.", false},
    {"join", "constraint_history", "", "", "", "", "constraint_history", "Joins; no body has any of its own.", false},
    {"slide", "constraint_history", "", "", "", "", "constraint_history", "Slides.", false},
    {"slide_rail", "constraint_history", "", "", "", "", "constraint_history", "Rings on rails; no body has any of its own.", false},
    {"neo_hookean", "constraint_history", "", "", "", "", "constraint_history", "Tetrahedra of a solid.", false},
    {"orthotropic", "constraint_history", "", "", "", "", "constraint_history", "Orthotropic stretch.", false},
    {"rod_stretch", "constraint_history", "", "", "", "", "constraint_history", "Segments of a rod.", false},
    {"rod_bend", "constraint_history", "", "", "", "", "constraint_history", "Joints of a rod.", false},
};
static const struct cli_api_field type_document_state[] = {
    {"positions", "f64[]", "m", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle, a whole number of quanta.", false},
    {"remainders", "number[]", "quanta", "a multiple of 3 numbers", "", "", "", "Quanta that the doubles of positions cannot hold beyond 2^53; absent: none.", false},
    {"velocities", "f32[]", "m/s", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle.", false},
    {"inverse_masses", "f32[]", "1/kg", "0 to 1000000000", "", "", "", "Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go.", false},
    {"targets", "f64[]", "m", "a multiple of 3 numbers", "", "", "", "Places to which the pinned particles move during the next tick, in the order of pins; absent: none.", false},
    {"target_remainders", "number[]", "quanta", "a multiple of 3 numbers", "", "", "", "As remainders, of targets.", false},
    {"pin_colliders", "u32[]", "", "", "", "", "", "Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.", false},
    {"pin_places", "f64[]", "m", "-4000000000 to 4000000000, a multiple of 3 numbers", "", "", "", "x, y, z of each of these pins in the frame of its collider; absent: where it is.", false},
    {"pin_compliances", "f64[]", "m/N", "-1 to 10000000000", "", "", "", "Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent: all are hard.", false},
    {"pin_distances", "f64[]", "m", "at least -1", "", "", "", "Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard.", false},
    {"pin_starts", "f64[]", "quanta", "-536870912 to 536870912, a multiple of 3 numbers", "", "", "", "Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft pins stand at their targets. Hard ones set out from their particles.", false},
    {"pin_ends", "f64[]", "quanta", "-1932735283200000 to 1932735283200000, a multiple of 3 numbers", "", "", "", "Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins stay where their targets are.", false},
    {"pin_ticks", "u32[]", "", "at most 3599999", "", "", "", "How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target.", false},
    {"forced", "u32[]", "", "", "", "", "", "Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the entry have forces, and this is absent.", false},
    {"forces", "f64[]", "N", "-1e+38 to 1e+38, a multiple of 3 numbers", "", "", "", "x, y, z of the force on each of these; in edit.restore 0 is none.", false},
    {"forces_ticks", "u32[]", "", "at most 3600000", "", "", "", "Ticks in which each force still acts; 0 or absent: until it is changed.", false},
    {"asleep", "bool", "", "", "", "", "", "Whether the body sleeps; absent: false. This and the next five are of worlds with sleep.", false},
    {"still", "u32", "", "at most 1001", "", "", "", "Ticks in a row in which no particle left its anchor; absent: 0.", false},
    {"mark", "u64", "", "", "", "", "", "Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too.", false},
    {"island", "u32", "", "", "", "", "", "If it sleeps: the least id of the bodies that fell asleep with it, itself included.", false},
    {"companions", "u32", "", "", "", "", "", "If it sleeps: how many bodies fell asleep with it, itself included.", false},
    {"anchors", "f64[]", "quanta", "-2147483648 to 2147483647, a multiple of 3 numbers", "", "", "", "Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are.", false},
    {"turned", "f64[]", "", "a multiple of 12 numbers", "", "", "", "Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body starts, if it has any.", false},
    {"pin_clamps", "f64[]", "", "-1073741824 to 1073741824, a multiple of 8 numbers", "", "", "", "Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends; zeros: it has no clamp. Absent: none has one.", false},
    {"bend_due", "u32", "", "at most 1000", "", "", "", "Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is attached after bend_due - 65 ticks. Absent: the factor is attached.", false},
};
static const struct cli_api_field type_document_body[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Id, greater than that of the body before it; absent: the next one.", false},
    {"name", "string", "", "", "\"\"", "", "", "Unique in the world if given.", false},
    {"kind", "enum", "", "", "", "cloth rope points soft rigid", "", "Its kind.", true},
    {"positions", "f64[]", "m", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle: the rest shape and the start.", true},
    {"velocities", "f32[]", "m/s", "a multiple of 3 numbers", "", "", "", "x, y, z of each particle at the start; absent: at rest.", false},
    {"triangles", "u32[]", "", "a multiple of 3 numbers", "", "", "", "Three particle indices each (cloth).", false},
    {"edges", "u32[]", "", "a multiple of 2 numbers", "", "", "", "Two particle indices each (rope).", false},
    {"tets", "u32[]", "", "a multiple of 4 numbers", "", "", "", "Four particle indices each (soft).", false},
    {"density", "float", "", "above 0", "", "", "", "As in body.add.", false},
    {"masses", "f64[]", "kg", "at least 0, or one for all", "", "", "", "Mass of each particle, or one for all, instead of density; 0 makes it static.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "Resistance to bending (cloth); absent: none.", false},
    {"volume", "material", "", "", "", "", "material", "Material of the tetrahedra (soft).", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "As in body.add; stretch and volume are absent then.", false},
    {"rod", "rod", "", "", "", "", "rod", "As in body.add; stretch is absent then.", false},
    {"weld", "float", "m", "0 to 1", "", "", "", "As in body.add.", false},
    {"thickness", "float", "m", "0 to 1", "0", "", "", "Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge.", false},
    {"self_contact", "bool", "", "", "", "", "", "Its own triangles and edges meet each other; absent: they do not.", false},
    {"contact_group", "u32", "", "", "", "", "", "Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets nobody.", false},
    {"contact_mask", "u32", "", "", "", "", "", "Bits: what it meets; absent: 0, nothing.", false},
    {"friction", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "Part of its speed across the surface with which a particle leaves a collider that it hits; of the body's and the collider's the greater one. Absent: 0.", false},
    {"sleep", "bool", "", "", "", "", "", "Whether it may sleep, in worlds with sleep; absent: it may.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "As in body.add, with what is left of its time.", false},
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "As in body.add; absent: that of the world.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "As in body.add; absent: none.", false},
    {"force_ticks", "u32", "", "at most 3600000", "", "", "", "Ticks in which that force still acts; absent: until it is changed.", false},
    {"shape", "shape", "", "", "", "", "shape", "As in body.add.", false},
    {"tear", "tear", "", "", "", "", "tear", "As in body.add. With torn, the spares are among the particles of positions and state.", false},
    {"torn", "torn", "", "", "", "", "torn", "The tears; only with tear. Absent: the body is made with spares, and nothing has torn.", false},
    {"pins", "u32[]", "", "", "", "", "", "Pinned particles.", false},
    {"clamps", "u32[]", "", "", "", "", "", "Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state.", false},
    {"skin", "skin", "", "", "", "", "skin", "The surface it carries, with particles by the indices of positions; absent: none.", false},
    {"look", "look", "", "", "", "", "look", "Its look; absent: none.", false},
    {"first_constraint", "u32", "", "at least 1", "", "", "", "First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one.", false},
    {"state", "document_state", "", "", "", "", "document_state", "Its present state; absent: as it was made.", false},
    {"history", "body_history", "", "", "", "", "body_history", "Edits of its constraints; absent: none.", false},
    {"yarn_uvs", "f32[]", "", "a multiple of 6 numbers", "", "", "", "As in body.add; with them stretch.direction is absent.", false},
    {"rigid", "rigid", "", "", "", "", "rigid", "As in body.add.", false},
    {"rotations", "f64[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are.", false},
    {"angular_velocities", "f32[]", "rad/s", "-1000000 to 1000000, a multiple of 3 numbers", "", "", "", "As in body.add.", false},
};
static const struct cli_api_field type_document_collider[] = {
    {"collider", "u32", "", "at least 1", "", "", "", "Id, greater than that of the collider before it; absent: the next one.", false},
    {"name", "string", "", "", "\"\"", "", "", "Unique among the world's colliders if given.", false},
    {"kind", "enum", "", "", "", "plane sphere capsule box cylinder convex height_field", "", "Shape.", true},
    {"position", "vec3", "m", "", "[0, 0, 0]", "", "", "A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others.", false},
    {"normal", "vec3", "", "", "", "", "", "Normal of the plane, instead of rotation; absent: +y.", false},
    {"rotation", "vec4", "", "", "", "", "", "Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent: none.", false},
    {"radius", "float", "m", "", "1", "", "", "Radius (sphere, capsule, cylinder).", false},
    {"length", "float", "m", "", "1", "", "", "Between the centres of the ends (capsule), between the flat ends (cylinder).", false},
    {"half_extents", "vec3", "m", "", "[0.5, 0.5, 0.5]", "", "", "Half the edges (box).", false},
    {"friction", "float", "", "0 to 1000", "0.5", "", "", "Coulomb coefficient mu.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "Part of its speed across the surface with which a particle leaves a collider that it hits; of the body's and the collider's the greater one. Absent: 0.", false},
    {"remainder", "vec3", "quanta", "", "", "", "", "Quanta that the doubles of position cannot hold beyond 2^53; absent: none.", false},
    {"from_position", "vec3", "m", "", "", "", "", "Position from which the next tick moves it; absent: position.", false},
    {"from_remainder", "vec3", "quanta", "", "", "", "", "As remainder, of from_position.", false},
    {"from_rotation", "vec4", "", "", "", "", "", "The same for the rotation.", false},
    {"unturned", "vec4", "", "", "", "", "", "Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well; absent: what rotation comes to without them.", false},
    {"points", "f64[]", "m", "-1000000000 to 1000000000, a multiple of 3 numbers", "", "", "", "As in collider.add (convex).", false},
    {"heights", "f64[]", "m", "-1000000000 to 1000000000", "", "", "", "As in collider.add (height_field).", false},
    {"columns", "u32", "", "2 to 256", "", "", "", "As in collider.add (height_field).", false},
    {"spacing", "float", "m", "1e-06 to 1000000000", "", "", "", "As in collider.add (height_field); absent: 1.", false},
    {"surface_velocity", "vec3", "m/s", "-50 to 50", "", "", "", "As in collider.add; absent: none.", false},
    {"surface_spin", "vec3", "rad/s", "-1000 to 1000", "", "", "", "As in collider.add; absent: none.", false},
};
static const struct cli_api_field type_document_constraints[] = {
    {"type", "enum", "", "", "\"distance\"", "distance dihedral isometric quadratic volume join slide slide_rail neo_hookean orthotropic rod_stretch rod_bend", "", "Kind of all of them.", false},
    {"body", "ref", "", "", "", "", "", "Body of all particles, by id or name.", false},
    {"bodies", "u32[]", "", "", "", "", "", "Body id of each particle, instead of body.", false},
    {"particles", "u32[]", "", "", "", "", "", "Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and orthotropic, six for each join that has an id and shapes (else those of its sides), four for each other.", true},
    {"sides", "u32[]", "", "", "", "", "", "Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1.", false},
    {"weights", "f64[]", "", "0 to 1", "", "", "", "Only for joins: barycentric weight of each particle; the sum of each side is 1. Default: equal ones.", false},
    {"rest", "f64[]", "m, rad, m^3", "or one for all", "", "", "", "Rest values, or one for all; absent: the present ones.", false},
    {"compliance", "f64[]", "[C]^2/J", "at least 0, or one for all", "", "", "", "Of each, or one for all; absent: 0.", false},
    {"damping", "f64[]", "J s/[C]^2", "at least 0, or one for all", "", "", "", "Of each, or one for all; absent: 0.", false},
    {"stiffness", "f64[]", "", "-1 to 1, or one for all", "", "", "", "Plain PBD stiffness of each, or one for all; -1 if compliance holds.", false},
    {"constraints", "u32[]", "", "", "", "", "", "Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and colors as well, and slides ratio, friction and side.", false},
    {"colors", "u32[]", "", "at most 64", "", "", "", "Colour of each, its place in the order of solving, which history gave.", false},
    {"shapes", "f32[]", "", "", "", "", "", "Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0), four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest force, and 1 if it has parted. A corner of a join that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from rest, six entries of the inverse of the matrix of the edges' products for a volume of 1/6 (00, 11, 22, 01, 02, 12), and Poisson's ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md.", false},
    {"rest_end", "f64[]", "m", "at least 0, or one for all", "", "", "", "Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.", false},
    {"seconds", "f64[]", "s", "0 to 3600, or one for all", "", "", "", "Only for joins, with rest_end: how long that takes, above 0, of each or one for all.", false},
    {"force_limit", "f64[]", "N", "0 to 1000000000000, or one for all", "", "", "", "Only for joins: a join parts at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never parts. Default 0.", false},
    {"ratio", "f64[]", "", "1 to 16, or one for all", "", "", "", "Of slides: as in constraint.add; absent: 1.", false},
    {"friction", "f64[]", "", "0 to 100, or one for all", "", "", "", "Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0.", false},
    {"side", "f64[]", "m", "at least 0, or one for all", "", "", "", "Of slides with friction: what of the rest length is between the first particle and the ring, which ticks change; at most rest, and 0 without friction. Absent: in proportion to the present lengths.", false},
};
static const struct cli_api_field type_motion_summary[] = {
    {"motion", "u32", "", "", "", "", "", "Id.", false},
    {"collider", "u32", "", "", "", "", "", "Collider that it moves.", false},
    {"body", "u32", "", "", "", "", "", "Body whose particles it moves, if it is no collider.", false},
    {"particles", "u32[]", "", "", "", "", "", "Those of them that are pinned.", false},
    {"times", "f64[]", "s", "", "", "", "", "As in motion.add.", false},
    {"offsets", "f64[]", "m", "", "", "", "", "As in motion.add.", false},
    {"loop", "bool", "", "", "", "", "", "As in motion.add.", false},
    {"age", "u64", "", "", "", "", "", "Ticks since it was added, or since world.reset.", false},
    {"rotations", "f64[]", "", "", "", "", "", "If it turns what it moves: as in motion.add, each of length 1 and with the sign that makes it next to the one before.", false},
    {"interpolation", "enum", "", "", "", "linear cubic", "", "As in motion.add.", false},
    {"posed", "bool", "", "", "", "", "", "Whether it has poses.", false},
    {"poses", "f32[]", "m", "", "", "", "", "If it has them and they were asked for: as in motion.add.", false},
};
static const struct cli_api_field type_document_motion[] = {
    {"motion", "u32", "", "at least 1", "", "", "", "Id, greater than that of the motion before it; absent: the next one.", false},
    {"collider", "ref", "", "", "", "", "", "Collider, by id or name.", false},
    {"body", "ref", "", "", "", "", "", "Body, by id or name, instead of collider.", false},
    {"particles", "u32[]", "", "", "", "", "", "Particles of the body.", false},
    {"times", "f64[]", "s", "0 to 1000000", "", "", "", "As in motion.add.", true},
    {"offsets", "f64[]", "m", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "As in motion.add.", true},
    {"loop", "bool", "", "", "false", "", "", "As in motion.add.", false},
    {"age", "u64", "", "", "0", "", "", "Ticks since it began.", false},
    {"rotations", "f64[]", "", "-1000000 to 1000000, a multiple of 4 numbers", "", "", "", "As in motion.add.", false},
    {"pivot", "vec3", "m", "", "", "", "", "As in motion.add.", false},
    {"interpolation", "enum", "", "", "\"linear\"", "linear cubic", "", "As in motion.add.", false},
    {"arms", "f64[]", "m", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as they are.", false},
    {"poses", "f32[]", "m", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "As in motion.add.", false},
};
static const struct cli_api_field type_document_grab[] = {
    {"grab", "u32", "", "at least 1", "", "", "", "Id, greater than that of the grab before it; absent: the next one.", false},
    {"body", "ref", "", "", "", "", "", "Body, by id or name.", true},
    {"particle", "u32", "", "", "", "", "", "Index in the body.", true},
    {"target", "vec3", "m", "", "", "", "", "Point to which it is pulled.", true},
    {"remainder", "vec3", "quanta", "", "", "", "", "Quanta that the doubles of target cannot hold beyond 2^53; absent: none.", false},
    {"compliance", "float", "m/N", "at least 0", "0.001", "", "", "As in grab.begin.", false},
};
static const struct cli_api_field type_document[] = {
    {"format", "u32", "", "1 to 1", "1", "", "", "Of this map.", false},
    {"settings", "world_settings", "", "", "", "", "world_settings", "Settings.", false},
    {"tick", "u64", "", "at most 4503599627370496", "0", "", "", "Completed ticks.", false},
    {"bodies", "list of document_body", "", "", "", "", "document_body", "By id.", false},
    {"colliders", "list of document_collider", "", "", "", "", "document_collider", "By id.", false},
    {"constraints", "list of document_constraints", "", "", "", "", "document_constraints", "Loose constraints, at most 4096 entries.", false},
    {"motions", "list of document_motion", "", "", "", "", "document_motion", "By id.", false},
    {"next_body", "u32", "", "at least 1", "", "", "", "Next id; absent: the least that is free.", false},
    {"next_constraint", "u32", "", "at least 1", "", "", "", "The same for constraints.", false},
    {"next_grab", "u32", "", "at least 1", "", "", "", "The same for grabs.", false},
    {"next_collider", "u32", "", "at least 1", "", "", "", "The same for colliders.", false},
    {"next_motion", "u32", "", "at least 1", "", "", "", "The same for motions.", false},
    {"grabs", "list of document_grab", "", "", "", "", "document_grab", "By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it says is held.", false},
};
static const struct cli_api_field type_restore_removed[] = {
    {"bodies", "u32[]", "", "", "", "", "", "Bodies, with the loose constraints and the motions that hold them.", false},
    {"constraints", "u32[]", "", "", "", "", "", "Loose constraints.", false},
    {"colliders", "u32[]", "", "", "", "", "", "Colliders, with the motions that move them.", false},
    {"motions", "u32[]", "", "", "", "", "", "Motions.", false},
};
static const struct cli_api_field type_restore_settings[] = {
    {"gravity", "vec3", "m/s^2", "-1000 to 1000", "", "", "", "As in world.create.", false},
    {"substeps", "u32", "", "1 to 1000", "", "", "", "As in world.create.", false},
    {"iterations", "u32", "", "1 to 1000", "", "", "", "As in world.create.", false},
    {"damping", "float", "1/s", "0 to 1000000", "", "", "", "As in world.create.", false},
    {"wind", "wind", "", "", "", "", "wind", "As in world.create.", false},
    {"extent", "float", "m", "1 to 1000000000", "", "", "", "As in world.create.", false},
    {"contact_quality", "enum", "", "", "", "guaranteed fast", "", "As in world.create.", false},
    {"untangle", "bool", "", "", "", "", "", "As in world.create.", false},
    {"long_edges", "bool", "", "", "", "", "", "As in world.create.", false},
    {"bending", "enum", "", "", "", "swept solved", "", "As in world.create.", false},
    {"sleep", "bool", "", "", "", "", "", "As in world.create.", false},
    {"forces", "force_fields", "", "", "", "", "force_fields", "All fields of force, and the id of the next one.", false},
};
static const struct cli_api_field type_restore_body[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"name", "string", "", "", "", "", "", "Empty: it has none.", false},
    {"stretch", "stretch_material", "", "", "", "", "stretch_material", "Material of the edges, and of all their constraints.", false},
    {"bend", "bend_material", "", "", "", "", "bend_material", "The same of bending.", false},
    {"volume", "material", "", "", "", "", "material", "The same of the tetrahedra.", false},
    {"solid", "solid_material", "", "", "", "", "solid_material", "The same of a solid.", false},
    {"thickness", "float", "m", "0 to 1", "", "", "", "As in body.add.", false},
    {"self_contact", "bool", "", "", "", "", "", "As in body.add.", false},
    {"contact_group", "u32", "", "", "", "", "", "As in body.add.", false},
    {"contact_mask", "u32", "", "", "", "", "", "As in body.add.", false},
    {"friction", "float", "", "0 to 1000", "", "", "", "As in body.add.", false},
    {"friction_kinetic", "float", "", "0 to 1000", "", "", "", "As in body.add.", false},
    {"restitution", "float", "", "0 to 1", "", "", "", "As in body.add.", false},
    {"sleep", "bool", "", "", "", "", "", "As in body.add.", false},
    {"pressure", "pressure", "", "", "", "", "pressure", "As in body.add; model none: it has none.", false},
    {"gravity", "f64[]", "m/s^2", "-1000 to 1000, a multiple of 3 numbers", "", "", "", "Gravity of its own, three numbers; none: that of the world.", false},
    {"force", "vec3", "N", "-1e+38 to 1e+38", "", "", "", "Force on it as a whole; 0: none.", false},
    {"force_ticks", "u32", "", "at most 3600000", "", "", "", "Ticks in which that force still acts; absent: until it is changed.", false},
    {"shape", "shape", "", "", "", "", "shape", "As in body.add; model none: it has none.", false},
    {"tear", "tear", "", "", "", "", "tear", "Thresholds; most is not read.", false},
};
static const struct cli_api_field type_restore_particles[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Id.", true},
    {"particles", "u32[]", "", "", "", "", "", "Indices in the body, each once; absent: all.", false},
    {"pinned", "bool", "", "", "", "", "", "Whether they are pinned; absent: as they are.", false},
    {"state", "document_state", "", "", "", "", "document_state", "State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are. With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with the anchors of these particles; without it, sleep is as it is.", false},
};
static const struct cli_api_field type_restore_own[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Id of the body.", true},
    {"type", "enum", "", "", "\"distance\"", "distance dihedral isometric quadratic volume join slide slide_rail neo_hookean orthotropic rod_stretch rod_bend", "", "Kind of all of them.", false},
    {"constraints", "u32[]", "", "", "", "", "", "Ids, ascending.", true},
    {"rest", "f64[]", "m, rad, m^3", "", "", "", "", "Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch and rod_bend.", false},
    {"compliance", "f64[]", "[C]^2/J", "at least 0", "", "", "", "Compliances.", true},
    {"damping", "f64[]", "J s/[C]^2", "at least 0", "", "", "", "Damping stiffnesses.", true},
    {"stiffness", "f64[]", "", "-1 to 1", "", "", "", "Plain PBD stiffness; -1 if compliance holds.", true},
    {"colors", "u32[]", "", "at most 64", "", "", "", "Colour of each within its tile.", true},
    {"built", "u32", "", "", "", "", "", "Constraints of this kind when they were last coloured before; with places.", false},
    {"places", "u32[]", "", "", "", "", "", "Ids of all that had places then, ascending; absent: the body was not coloured again.", false},
    {"place_colors", "u32[]", "", "at most 64", "", "", "", "Colour of each of those.", false},
    {"tile_colors", "u32[]", "", "", "", "", "", "Colour of each tile then.", false},
    {"shapes", "f32[]", "", "", "", "", "", "For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made.", false},
    {"rests_stay", "bool", "", "", "", "", "", "If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or dent back that came after the edit.", false},
};
static const struct cli_api_field type_restore_collider[] = {
    {"parts", "flags", "", "", "", "name pose size friction surface friction_kinetic restitution", "", "Parts of it to restore; absent: the collider itself comes back.", false},
    {"collider", "document_collider", "", "", "", "", "document_collider", "As in a document, with its id.", false},
};
static const struct cli_api_field type_restore_next[] = {
    {"body", "u32", "", "at least 1", "", "", "", "Next id of bodies.", false},
    {"constraint", "u32", "", "at least 1", "", "", "", "Next ids of constraints.", false},
    {"collider", "u32", "", "at least 1", "", "", "", "Next id of colliders.", false},
    {"motion", "u32", "", "at least 1", "", "", "", "Next id of motions.", false},
};
static const struct cli_api_field type_restore_step[] = {
    {"removed", "restore_removed", "", "", "", "", "restore_removed", "Things to remove.", false},
    {"name", "string", "", "", "", "", "", "Name of the world.", false},
    {"settings", "restore_settings", "", "", "", "", "restore_settings", "Settings of the world.", false},
    {"bodies", "list of document_body", "", "", "", "", "document_body", "Bodies that come back, with their ids, by id.", false},
    {"parts", "list of restore_body", "", "", "", "", "restore_body", "Values of bodies that stay.", false},
    {"particles", "list of restore_particles", "", "", "", "", "restore_particles", "Particles, one entry after the other.", false},
    {"own", "list of restore_own", "", "", "", "", "restore_own", "Constraints that bodies came with; those that are gone come back.", false},
    {"constraints", "list of document_constraints", "", "", "", "", "document_constraints", "Loose constraints, with their ids; those that are gone come back.", false},
    {"colliders", "list of restore_collider", "", "", "", "", "restore_collider", "Colliders, by id.", false},
    {"motions", "list of document_motion", "", "", "", "", "document_motion", "Motions, with their ids; those that are gone come back.", false},
    {"next", "restore_next", "", "", "", "", "restore_next", "Next ids. One that is lower than what is next now does not count: no id is given twice.", false},
    {"expected_next", "restore_next", "", "", "", "", "restore_next", "Next ids if there was no edit in between; if one differs, ids were given since, and it stays.", false},
};
static const struct cli_api_field type_undo_left_out[] = {
    {"thing", "string", "", "", "", "", "", "Its kind: body, constraint, collider or motion.", false},
    {"id", "u32", "", "", "", "", "", "Its id.", false},
    {"why", "string", "", "", "", "", "", "The thing that it needs.", false},
};
static const struct cli_api_field type_undo_edit[] = {
    {"revision", "u64", "", "", "", "", "", "Revision of the world after it.", false},
    {"method", "string", "", "", "", "", "", "Method.", false},
    {"user", "string", "", "", "", "", "", "Name of the person who made it.", false},
};
static const struct cli_api_field type_undo_back[] = {
    {"edit", "undo_edit", "", "", "", "", "undo_edit", "Which edit.", false},
    {"steps", "list of restore_step", "", "", "", "", "restore_step", "Parts to restore, one after another.", false},
    {"left_out", "list of undo_left_out", "", "", "", "", "undo_left_out", "Parts that could not be restored, with force.", false},
};

const struct cli_api_method cli_api_methods[] = {
    {"server.info", "server", "viewer", "Describes the server and everything that it offers: this list.", "{}",
     NULL, 0, server_info_result, 10},
    {"server.ping", "server", "viewer", "Answers at once.", "{}",
     NULL, 0, server_ping_result, 1},
    {"server.stats", "server", "viewer", "Counts of the server since it started.", "{}",
     NULL, 0, server_stats_result, 16},
    {"server.list", "server", "viewer", "Lists the servers of this deployment. Empty if a server keeps its worlds alone.", "{}",
     NULL, 0, server_list_result, 1},
    {"session.hello", "server", "anyone", "Introduces the caller and chooses encodings. Optional; may be repeated. The choices hold for the requests that follow.", "{\"client\": \"demo\", \"user\": \"Ada\", \"arrays\": \"ext\"}",
     session_hello_params, 11, session_hello_result, 16},
    {"session.leave", "server", "viewer", "Ends this session at once, with its grabs, streams and requests, and then its connection. A session whose connection is only lost is kept for a while.", "{}",
     NULL, 0, NULL, 0},
    {"presence.set", "server", "viewer", "Sets what others who joined this world see of the caller (world.presence). Absent fields stay as they are. It is never kept, and is no part of the world.", "{\"world\": \"flag\", \"color\": \"#e8590c\", \"cursor\": {\"point\": [0.2, 0.8, 0.1]}, \"selection\": [{\"body\": 1}]}",
     presence_set_params, 6, NULL, 0},
    {"presence.say", "server", "viewer", "Sends a line to all who joined this world, the caller included (world.said). It is never kept, and is no part of the world.", "{\"world\": \"flag\", \"text\": \"Hold this corner, please.\"}",
     presence_say_params, 2, presence_say_result, 1},
    {"world.create", "server", "editor", "Makes a world, paused.", "{\"name\": \"flag\", \"gravity\": [0, -9.81, 0], \"substeps\": 20}",
     world_create_params, 15, world_create_result, 4},
    {"world.list", "server", "viewer", "Lists all worlds that the caller may see, by id.", "{}",
     NULL, 0, world_list_result, 1},
    {"world.get", "query", "viewer", "Tells settings and counts of a world.", "{\"world\": \"flag\"}",
     world_get_params, 1, world_get_result, 45},
    {"world.set", "edit", "editor", "Changes settings; absent fields stay as they are.", "{\"world\": \"flag\", \"gravity\": [0, -1.62, 0]}",
     world_set_params, 17, world_set_result, 3},
    {"world.delete", "control", "owner", "Deletes a world: streams close, later requests answer NOT_FOUND.", "{\"world\": \"flag\"}",
     world_delete_params, 1, world_delete_result, 1},
    {"world.move", "server", "owner", "Makes another server of the deployment run the world from here on. The world plays on while that server fetches it, and stands still for a moment during the change. world.changed tells those who joined. A world that no server could run (trouble in world.list) is tried again by that server. While servers of several versions run, a world goes only to those of its own version, unless there are none or this one is about to end. CONFLICT: the world stays here, or still cannot be run, and the text says why.", "{\"world\": \"flag\", \"server\": \"text\"}",
     world_move_params, 2, world_move_result, 3},
    {"world.join", "query", "viewer", "Gives the present document, and from then on world.edited and world.changed without a gap.", "{\"world\": \"flag\"}",
     world_join_params, 1, world_join_result, 34},
    {"world.leave", "query", "viewer", "Ends what world.join began. Streams and grabs stay; a view (world.seek) ends.", "{\"world\": \"flag\"}",
     world_leave_params, 1, world_leave_result, 3},
    {"world.play", "control", "editor", "Lets the world run, or changes its rate. A failed world answers CONFLICT until edit.undo or world.reset mends it.", "{\"world\": \"flag\", \"rate\": 1}",
     world_play_params, 2, world_play_result, 1},
    {"world.pause", "control", "editor", "Stops the world at the next tick boundary, and cuts a world.step short.", "{\"world\": \"flag\"}",
     world_pause_params, 1, world_pause_result, 1},
    {"world.hold", "control", "editor", "Sets whether lossless streams may hold the world: if their backlog is full, its next tick waits for them, playing or stepping, while edits, queries and world.pause go on. Off in every new world, and after the server starts again. When it is turned off, a stream whose backlog is full ends.", "{\"world\": \"flag\"}",
     world_hold_params, 2, world_hold_result, 1},
    {"world.step", "control", "editor", "Runs a paused world for so many ticks and answers after the last. Later requests of the same session wait for it, except world.pause; edits of others apply at tick boundaries.", "{\"world\": \"flag\", \"ticks\": 60}",
     world_step_params, 2, world_step_result, 1},
    {"world.reset", "edit", "editor", "Sets positions and velocities as in body.add; grabs end, everything else stays, tick and time go on. It pauses a failed world.", "{\"world\": \"flag\"}",
     world_reset_params, 5, world_reset_result, 3},
    {"world.hash", "query", "viewer", "Tells the hash of the state at a tick boundary, for comparing runs.", "{\"world\": \"flag\"}",
     world_hash_params, 1, world_hash_result, 5},
    {"world.measure", "query", "viewer", "Tells energies, strain, contacts and tick time.", "{\"world\": \"flag\"}",
     world_measure_params, 2, world_measure_result, 13},
    {"world.save", "query", "viewer", "Gives the whole world as a document, from which world.open makes it again, to the bit. Grabs belong to people and are left out; a failed world answers CONFLICT. A large world goes on while its document is made: the document is of the boundary that the answer names, and edits and another world.save wait until it is made.", "{\"world\": \"flag\"}",
     world_save_params, 1, world_save_result, 9},
    {"world.records", "query", "viewer", "Gives the records of the world, one after another: the inputs that changed its future (docs/reference/records.md). With the document of world.save they give the world at any tick after it. Their sequences have no gaps, so the next page begins after the last of this one, until that is sequence. The last ones, record_bytes of them, come from memory; older ones, and those from before the server started, come from the world's past, as of a moment ago and fewer at a time if they are large. If the records are kept no more, it answers NOT_FOUND.", "{\"world\": \"flag\", \"after\": 1}",
     world_records_params, 3, world_records_result, 7},
    {"world.history", "server", "viewer", "Tells what is kept of a world's past, as of a moment ago.", "{\"world\": \"flag\"}",
     world_history_params, 1, world_history_result, 11},
    {"world.seek", "server", "viewer", "Shows a tick of the past to the calling session, in a world of its own, the view: queries and streams take its id as `world`, and edits are refused with READ_ONLY. A session has one view of a world. Another call moves the view: its streams go on and get a frame, and world.changed tells those who joined it. If another call comes before the answer, the older one is answered with CONFLICT, unless it was about to end. A view ends with its session, its world, world.leave or world.delete. Views are not in world.list and have no name of their own.", "{\"world\": \"flag\", \"tick\": 1200}",
     world_seek_params, 2, world_seek_result, 5},
    {"world.branch", "server", "editor", "Makes a paused world from a tick of another's past: as it was, or as it would have been without some edits or with others. Everything in between is done again at its tick; edits that do not apply any more are left out and listed. Nobody holds anything in it. The original world does not notice.", "{\"world\": \"flag\", \"tick\": 1200, \"name\": \"flag-without\", \"without\": [7]}",
     world_branch_params, 5, world_branch_result, 5},
    {"world.bin", "server", "viewer", "Lists deleted worlds that world.restore can bring back, as of a moment ago.", "{}",
     NULL, 0, world_bin_result, 1},
    {"world.restore", "server", "owner", "Brings back a deleted world, paused, at the tick at which it was deleted, with its id and its past. A new name is an edit, as of world.set.", "{\"world\": 3, \"name\": \"flag\"}",
     world_restore_params, 2, world_restore_result, 3},
    {"edit.batch", "edit", "editor", "Makes many edits as one: at one tick, under one revision, told as one world.edited, kept as one record. Each finds the world as those before it left it, and may name what they added. If one is refused, all are, nothing has changed, and the error says which: edits[3].", "{\"world\": \"flag\", \"edits\": [[\"collider.add\", {\"name\": \"stand\", \"kind\": \"sphere\", \"radius\": 0.3}], [\"collider.set\", {\"collider\": \"stand\", \"friction\": 0.8}]]}",
     edit_batch_params, 6, edit_batch_result, 4},
    {"edit.log", "server", "viewer", "Lists the edits of a world's past in order, page by page, as of a moment ago: the person, the method and the tick.", "{\"world\": \"flag\", \"since\": 0, \"limit\": 100}",
     edit_log_params, 4, edit_log_result, 3},
    {"world.open", "server", "editor", "Makes a paused world from a document: one from world.save, or one that somebody wrote. A refused document leaves nothing.", "{\"name\": \"flag\", \"document\": {\"bodies\": [{\"name\": \"rope\", \"kind\": \"rope\", \"positions\": [0, 2, 0, 0, 1.5, 0, 0, 1, 0], \"pins\": [0]}], \"colliders\": [{\"name\": \"floor\", \"kind\": \"plane\"}]}}",
     world_open_params, 3, world_open_result, 5},
    {"world.upload", "server", "editor", "Sends one piece of a document that is larger than a message, as bytes of its MessagePack. A session has one upload at a time; world.open {upload: true} opens it.", "{\"offset\": 0, \"data\": \"the bytes, as bin\"}",
     world_upload_params, 2, world_upload_result, 1},
    {"body.add", "edit", "editor", "Adds a cloth (triangles), a rope (edges), loose points, or a soft body (tetrahedra). Each unique edge becomes a distance constraint, each inner edge of a cloth with a bend material a bending constraint, each tetrahedron a volume constraint; with solid each tetrahedron becomes one constraint, and edges none. The positions given are the rest shape.", "{\"world\": \"flag\", \"name\": \"sheet\", \"kind\": \"cloth\", \"positions\": [0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0], \"triangles\": [0, 2, 1, 1, 2, 3], \"stretch\": {\"compliance\": 1e-06}, \"pins\": [0, 1]}",
     body_add_params, 41, body_add_result, 8},
    {"body.get", "query", "viewer", "Gives topology, rest shape and material.", "{\"world\": \"flag\", \"body\": \"sheet\"}",
     body_get_params, 2, body_get_result, 52},
    {"body.set", "edit", "editor", "Changes name, materials, thickness, contact, pressure, and the shape at which constraints rest. A material given here becomes that of all constraints of its kind in the body, also of those set one by one before; fields absent from it stay as the body has them.", "{\"world\": \"flag\", \"body\": \"sheet\", \"stretch\": {\"compliance\": 1e-05}}",
     body_set_params, 24, body_set_result, 3},
    {"body.force", "edit", "editor", "Lets a force act on a body, or on some of its particles, until it is changed or its time is over. A force takes the place of the one that acted there; 0 ends that one. Forces on particles act beside that on their body. Static particles and those with a hard pin do not move by them.", "{\"world\": \"flag\", \"body\": \"sheet\"}",
     body_force_params, 11, body_force_result, 3},
    {"body.remove", "edit", "editor", "Removes a body with its constraints, pins and grabs, and loose constraints that touch it.", "{\"world\": \"flag\", \"body\": \"sheet\"}",
     body_remove_params, 6, body_remove_result, 4},
    {"body.state", "query", "viewer", "Gives present positions and velocities, once.", "{\"world\": \"flag\", \"body\": \"sheet\", \"fields\": [\"positions\"]}",
     body_state_params, 3, body_state_result, 14},
    {"constraint.add", "edit", "editor", "Adds constraints between any particles of any bodies, all or none.", "{\"world\": \"flag\", \"body\": \"sheet\", \"particles\": [0, 3], \"rest\": 1.5, \"compliance\": 0.001}",
     constraint_add_params, 20, constraint_add_result, 4},
    {"constraint.set", "edit", "editor", "Changes constraints by id, all or none; also single edges of a body.", "{\"world\": \"flag\", \"constraints\": [1, 2], \"compliance\": 0.0001}",
     constraint_set_params, 16, constraint_set_result, 3},
    {"constraint.remove", "edit", "editor", "Removes constraints by id, all or none.", "{\"world\": \"flag\", \"constraints\": [1, 2]}",
     constraint_remove_params, 6, constraint_remove_result, 3},
    {"constraint.list", "query", "viewer", "Lists constraints of one kind by id, a page at a time.", "{\"world\": \"flag\", \"limit\": 1000}",
     constraint_list_params, 6, constraint_list_result, 29},
    {"particle.set", "edit", "editor", "Places particles, gives them velocities or inverse masses. A pinned particle that is placed is held at its new place.", "{\"world\": \"flag\", \"body\": \"sheet\", \"particles\": [3], \"velocities\": [0, 0, 1]}",
     particle_set_params, 12, particle_set_result, 3},
    {"particle.pin", "edit", "editor", "Holds particles in place, moves them to new places, or lets them follow a collider. A piece of a rigid body that a hard pin holds does not turn either. A hard pin holds its particle where its target is. A soft one, which has a compliance or a distance, leaves the particle its mass, draws it to the target and keeps it near: by at most 2^28 quanta (2 m) a tick. Pin pinned particles again to move them, to make them softer or harder, or to end that they follow.", "{\"world\": \"flag\", \"body\": \"sheet\", \"particles\": [0], \"positions\": [0, 1, 0.5]}",
     particle_pin_params, 15, particle_pin_result, 3},
    {"particle.unpin", "edit", "editor", "Releases pinned particles, with their masses and the velocities with which they were moved.", "{\"world\": \"flag\", \"body\": \"sheet\", \"particles\": [0, 1]}",
     particle_unpin_params, 7, particle_unpin_result, 3},
    {"grab.begin", "input", "editor", "Takes hold of a particle; it ends with grab.end, world.reset, the body or the session. However far the target, the pull moves the particle at most 2^28 quanta (2 m) a tick.", "{\"world\": \"flag\", \"body\": \"sheet\", \"particle\": 3, \"target\": [1, 0, 0.5]}",
     grab_begin_params, 5, grab_begin_result, 2},
    {"grab.move", "input", "editor", "Moves the target; the last before a tick boundary wins.", "{\"world\": \"flag\", \"grab\": 1, \"target\": [1, 0.1, 0.5]}",
     grab_move_params, 3, grab_move_result, 1},
    {"grab.end", "input", "editor", "Lets go.", "{\"world\": \"flag\", \"grab\": 1}",
     grab_end_params, 2, grab_end_result, 1},
    {"collider.add", "edit", "editor", "Adds a collider that particles stay outside of, with Coulomb friction.", "{\"world\": \"flag\", \"name\": \"ball\", \"kind\": \"sphere\", \"position\": [0.5, 0, 0], \"radius\": 0.25}",
     collider_add_params, 22, collider_add_result, 5},
    {"collider.set", "edit", "editor", "Changes a collider. It reaches a new position or rotation during the next tick, and carries along what lies on it, at 50 m/s at most.", "{\"world\": \"flag\", \"collider\": \"ball\", \"position\": [0.5, 0.1, 0]}",
     collider_set_params, 23, collider_set_result, 4},
    {"collider.remove", "edit", "editor", "Removes a collider.", "{\"world\": \"flag\", \"collider\": \"ball\"}",
     collider_remove_params, 6, collider_remove_result, 3},
    {"motion.add", "edit", "editor", "Moves and turns a collider, or pinned particles, by keyframes: in each substep by as much as the keyframes change in it, so other movements add to it. The motion ends with its collider or body; world.reset begins it again.", "{\"world\": \"flag\", \"collider\": \"ball\", \"times\": [0, 1, 2], \"offsets\": [0, 0, 0, 0, 0.5, 0, 0, 0, 0], \"loop\": true}",
     motion_add_params, 15, motion_add_result, 4},
    {"motion.remove", "edit", "editor", "Ends a motion; what it moved stays in place.", "{\"world\": \"flag\", \"motion\": 1}",
     motion_remove_params, 6, motion_remove_result, 3},
    {"motion.list", "query", "viewer", "Lists the motions of a world.", "{\"world\": \"flag\"}",
     motion_list_params, 2, motion_list_result, 5},
    {"force.add", "edit", "editor", "Adds a field of force.", "{\"world\": \"flag\", \"field\": {\"kind\": \"point\", \"position\": [0, 1, 0], \"strength\": 5}}",
     force_add_params, 6, force_add_result, 4},
    {"force.set", "edit", "editor", "Changes a field of force.", "{\"world\": \"flag\", \"force\": 1, \"field\": {\"strength\": 2}}",
     force_set_params, 7, force_set_result, 3},
    {"force.remove", "edit", "editor", "Removes a field of force.", "{\"world\": \"flag\", \"force\": 1}",
     force_remove_params, 6, force_remove_result, 3},
    {"force.list", "query", "viewer", "Lists the fields of force of a world.", "{\"world\": \"flag\"}",
     force_list_params, 1, force_list_result, 5},
    {"edit.restore", "edit", "editor", "Makes things what they were: the record that takes an edit back. Everything that it does not name goes on. Things come back under their ids, which nothing else may have by now (CONFLICT); grabs that an edit ended do not come back. It is INVALID if it contradicts itself: a thing is removed and named as well, or is named twice. Only a collider or a motion may be removed for another one that comes back under its id. It is applied whole or refused whole.", "{\"world\": \"flag\", \"removed\": {\"bodies\": [3]}, \"parts\": [{\"body\": 1, \"thickness\": 0.01}], \"next\": {\"body\": 3}, \"expected_next\": {\"body\": 4}}",
     edit_restore_params, 17, edit_restore_result, 3},
    {"edit.undo", "edit", "editor", "Takes an edit back: what it changed is what it was before, and everything else goes on. Without revision, the caller's last edit that stands; again, the one before. Answers CONFLICT if the same was changed since, and says by whom.", "{\"world\": \"flag\"}",
     edit_undo_params, 8, edit_undo_result, 5},
    {"edit.redo", "edit", "editor", "Makes an edit again that the caller has taken back, the last one first. A new edit of the caller empties this list. Answers CONFLICT if the same was changed since, and says by whom.", "{\"world\": \"flag\"}",
     edit_redo_params, 8, edit_redo_result, 5},
    {"stream.subscribe", "query", "viewer", "Sends stream.frame from now on, beginning with the present state; or, if encoding is records, stream.records, beginning with an image of it.", "{\"world\": \"flag\", \"fields\": [\"positions\", \"measures\"], \"every\": 1, \"unit\": \"tick\"}",
     stream_subscribe_params, 14, stream_subscribe_result, 5},
    {"stream.set", "query", "viewer", "Changes a stream of this session; absent fields stay. A frame follows at once, whose chunks all stand alone. A stream of records has nothing to change: INVALID.", "{\"stream\": 1, \"every\": 2}",
     stream_set_params, 11, stream_set_result, 4},
    {"stream.unsubscribe", "query", "viewer", "Ends a stream of this session; frames already on their way may still arrive before the answer.", "{\"stream\": 1}",
     stream_unsubscribe_params, 1, stream_unsubscribe_result, 3},
    {"stream.ack", "server", "viewer", "Acknowledges frames up to seq, so that a lossless stream goes on. Send it at the latest when a quarter of its credit or of lossless_unacked is taken. A live stream does not wait for it. A seq that was not sent: INVALID.", "{\"stream\": 1, \"seq\": 1}",
     stream_ack_params, 2, NULL, 0},
    {"stream.differs", "server", "viewer", "Reports that a twin reached another hash or result than stream.records told. The server counts it (/metrics, weft_twin_differences_total) and does nothing else: subscribe again to begin again.", "{\"stream\": 1, \"tick\": 1}",
     stream_differs_params, 2, NULL, 0},
    {"world.control", "server", "viewer", "Takes, gives or releases the right to play, pause, step and reset a world, or asks for it. It ends with the session.", "{\"world\": \"flag\", \"action\": \"take\"}",
     world_control_params, 3, world_control_result, 2},
    {"access.list", "server", "viewer", "Lists the roles and invitations of a world.", "{\"world\": \"flag\"}",
     access_list_params, 1, access_list_result, 4},
    {"access.grant", "server", "owner", "Gives somebody a role in a world, or changes it. If the new role is lesser, the sessions that depend on the old one end, and so do invitations of this person that give more than the new role.", "{\"world\": \"flag\", \"user\": \"Grace\", \"role\": \"editor\"}",
     access_grant_params, 4, access_grant_result, 1},
    {"access.revoke", "server", "owner", "Takes a role in a world back, or an invitation. Sessions of that person in that world end at once, and so do the invitations into it that this person made.", "{\"world\": \"flag\", \"user\": \"Grace\"}",
     access_revoke_params, 4, access_revoke_result, 2},
    {"access.invite", "server", "owner", "Makes an invitation into a world: anybody who has it may accept it, as often as it says.", "{\"world\": \"flag\", \"role\": \"viewer\", \"uses\": 5}",
     access_invite_params, 4, access_invite_result, 3},
    {"access.accept", "server", "anyone", "Accepts an invitation. A caller without a token becomes a person by it, and gets a token.", "{\"invite\": \"weft-invite-7-pW9v\\u2026\", \"user\": \"Grace\"}",
     access_accept_params, 2, access_accept_result, 5},
    {"access.set", "server", "owner", "Sets who may play, pause, step and reset a world.", "{\"world\": \"flag\", \"control\": \"owner\"}",
     access_set_params, 2, NULL, 0},
    {"token.create", "server", "admin", "Makes a token for a person. One person may have several.", "{\"user\": \"Ada\", \"role\": \"editor\"}",
     token_create_params, 3, token_create_result, 3},
    {"token.list", "server", "admin", "Lists all valid tokens.", "{}",
     NULL, 0, token_list_result, 1},
    {"token.revoke", "server", "admin", "Ends a token, or all of a person, and the sessions that are open with them, at once. The invitations that this person made, into any world, end as well.", "{\"id\": 3}",
     token_revoke_params, 3, token_revoke_result, 3},
};
const size_t cli_api_method_count = 78;

const struct cli_api_type cli_api_types[] = {
    {"storage", "How a server keeps its worlds and their past.", type_storage, 3},
    {"history_span", "A part of a world's past that one solver made.", type_history_span, 4},
    {"log_entry", "An edit, or an input, of the past.", type_log_entry, 12},
    {"branch_change", "An edit of the past as it is to be in a branch.", type_branch_change, 2},
    {"branch_refusal", "An edit of the past that does not apply in a branch, and was left out.", type_branch_refusal, 4},
    {"bin_world", "A deleted world that can still be brought back.", type_bin_world, 5},
    {"material", "How a constraint gives way. Units follow from the kind's C: distance, join, slide and slide_rail m, dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the twist, twice the sine of half the angle.", type_material, 3},
    {"stretch_material", "How the edges of a body give way: a material, and how far they may.", type_stretch_material, 11},
    {"bend_plastic", "Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0' = rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield.", type_bend_plastic, 3},
    {"rest_shape", "A shape at which a body's own constraints rest from now on. The places where its particles begin, and to which a reset takes them, stay.", type_rest_shape, 4},
    {"bend_material", "How a cloth resists bending, across every edge that two triangles share.", type_bend_material, 9},
    {"solid_plastic", "Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit.", type_solid_plastic, 3},
    {"solid_material", "The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint.", type_solid_material, 5},
    {"rod_plastic", "A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as that of a wire.", type_rod_plastic, 3},
    {"rod", "A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments has an orientation.", type_rod, 9},
    {"rigid", "The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces, and the axes of a piece are its principal axes.", type_rigid, 4},
    {"pressure", "Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume stays the same, so what is squeezed pushes back. volume: the volume is kept.", type_pressure, 8},
    {"shape", "Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body does, so no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and the body bends. Every kind of body may have it, beside its other constraints.", type_shape, 5},
    {"shape_measure", "How a body with shape matching lies.", type_shape_measure, 7},
    {"tear", "How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and particles split where cuts part their triangles.", type_tear, 3},
    {"torn", "The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name them first.", type_torn, 5},
    {"torn_edges", "The tears of a body that can tear.", type_torn_edges, 3},
    {"pressure_measure", "Volume and pressure inside a body with pressure.", type_pressure_measure, 4},
    {"force_field", "A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb points along it. drag: towards the velocity of a medium.", type_force_field, 13},
    {"force_fields", "All fields of force of a world.", type_force_fields, 2},
    {"wind", "Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n], u the wind relative to the triangle, n its normal turned with the wind.", type_wind, 8},
    {"skin", "A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the physics.", type_skin, 3},
    {"look_material", "Colours of a surface, for programs that draw it.", type_look_material, 4},
    {"look", "The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no part in the physics; recordings write it.", type_look, 4},
    {"phase_times", "Wall time of the phases of the last tick. Not part of the state.", type_phase_times, 5},
    {"id_range", "Ids first, first + 1, ... first + count - 1.", type_id_range, 2},
    {"constraint_ranges", "Constraint ids of a body, by kind.", type_constraint_ranges, 12},
    {"warning", "Something odd about a mesh or a collider that was accepted, or about what the solver makes of a body.", type_warning, 4},
    {"person", "A session that joined a world.", type_person, 3},
    {"access_person", "Role of a person in a world.", type_access_person, 2},
    {"access_given", "A role in a world that one person gave to another.", type_access_given, 3},
    {"access_invite", "An invitation into a world that is still good.", type_access_invite, 6},
    {"access_token", "A token; its secret is told once, when it is made.", type_access_token, 6},
    {"presence_camera", "The point from which somebody looks at a world. Without a position: hidden.", type_presence_camera, 4},
    {"presence_cursor", "What somebody points at: a point, or a ray if there is nothing; neither: nothing.", type_presence_cursor, 3},
    {"presence_thing", "Something that somebody has selected: one of these.", type_presence_thing, 3},
    {"world_summary", "A world in a list. For one that another server runs only id, name and place are told: state is paused, and numbers are 0. The same holds for one that no server can run, with trouble.", type_world_summary, 16},
    {"server_summary", "A server of a deployment, as its last heartbeat told.", type_server_summary, 11},
    {"touch", "The last edit that concerned a thing.", type_touch, 4},
    {"body_summary", "A body in the document of a world.", type_body_summary, 32},
    {"collider_summary", "A collider.", type_collider_summary, 20},
    {"collider_pose", "Pose of a collider at a moment.", type_collider_pose, 3},
    {"grab_summary", "A particle held by somebody.", type_grab_summary, 8},
    {"measures", "Sums over a world at a moment. They are computed in double and rounded once.", type_measures, 25},
    {"convergence", "How well the solver converged for a body: errors that its material does not ask for. Constraints of constraint.add are left out.", type_convergence, 10},
    {"contact", "Contact of bodies with each other and with colliders in the last tick: the greatest value over its substeps unless noted. All 0 if no body meets any.", type_contact, 8},
    {"contact_places", "Places where one body touches, was held back and crosses something.", type_contact_places, 4},
    {"contacts", "Places where bodies met in the last whole tick: at most 4096 particles that touch, 4096 that were held and 4096 edges, of 1024 bodies.", type_contacts, 3},
    {"world_settings", "The settings of world.create, without the name.", type_world_settings, 14},
    {"constraint_history", "What edits have left of a body's constraints of one kind: only if something was removed or changed.", type_constraint_history, 10},
    {"body_history", "By kind of constraint, for those kinds that were edited.", type_body_history, 12},
    {"document_state", "Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made.", type_document_state, 25},
    {"document_body", "A body: what body.add takes, and what has become of it since.", type_document_body, 42},
    {"document_collider", "A collider: what collider.add takes, and its earlier pose if it is under way.", type_document_collider, 23},
    {"document_constraints", "Loose constraints of one kind: what constraint.add takes, and what they have become.", type_document_constraints, 19},
    {"motion_summary", "A motion: keyframes that move a collider, or pinned particles, as ticks go by.", type_motion_summary, 12},
    {"document_motion", "A motion: what motion.add takes, and how far it is.", type_document_motion, 13},
    {"document_grab", "A particle that is held. Its holder is no part of a document.", type_document_grab, 6},
    {"document", "A whole world without its name, its people and their grabs: a saved world that is opened again has the same hash and the same future.", type_document, 13},
    {"restore_removed", "Ids of things to remove; ids that do not exist are skipped.", type_restore_removed, 4},
    {"restore_settings", "Settings of a world; absent ones stay as they are.", type_restore_settings, 12},
    {"restore_body", "Values to restore in an existing body; absent fields stay as they are.", type_restore_body, 20},
    {"restore_particles", "Values to restore in particles of a body.", type_restore_particles, 4},
    {"restore_own", "Constraints of one kind with which a body was added, to restore with these values. If the body was coloured again because some were removed, its earlier places are told as well.", type_restore_own, 14},
    {"restore_collider", "Values to restore in a collider.", type_restore_collider, 2},
    {"restore_next", "Next ids; absent ones stay.", type_restore_next, 4},
    {"restore_step", "Parameters of edit.restore, without the world.", type_restore_step, 12},
    {"undo_left_out", "A thing that could not come back, because what it needs is gone.", type_undo_left_out, 3},
    {"undo_edit", "The edit that was undone or redone.", type_undo_edit, 3},
    {"undo_back", "The outcome of an undo or redo as data, so that a record needs nothing else.", type_undo_back, 3},
};
const size_t cli_api_type_count = 75;

const char *const cli_api_strains[] = {
    "strain_max",
    NULL,
};
