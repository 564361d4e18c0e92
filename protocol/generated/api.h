// What api.json says, for C: structs of parameters, results and notifications, ids, codes, limits.
//
// Made by protocol/generate.py from protocol/api.json. Change that, not this.
#ifndef WEFT_PROTOCOL_GENERATED_API_H
#define WEFT_PROTOCOL_GENERATED_API_H

#include "protocol/array.h"
#include "protocol/types.h"

#include <stdbool.h>
#include <stdint.h>

#define PROTOCOL_VERSION "0.1.0"
#define PROTOCOL_API_LEVEL 7
#define PROTOCOL_API_COMPATIBLE 1

// Largest message a client may send.
#define PROTOCOL_LIMIT_MESSAGE_BYTES UINT64_C(67108864)
// Deepest nesting of arrays and maps in a message.
#define PROTOCOL_LIMIT_MESSAGE_DEPTH UINT64_C(16)
// Most values (elements, keys, containers) in one message. A typed array or bin counts as one.
#define PROTOCOL_LIMIT_MESSAGE_NODES UINT64_C(4194304)
// Memory of unfinished messages that all connections together may hold. Beyond it the one that holds most
// is cut, of those whose messages came to a halt or else of all.
#define PROTOCOL_LIMIT_RECEIVE_BYTES UINT64_C(536870912)
// How far a message that began may fall behind 32 bytes a millisecond; beyond it its connection is cut.
#define PROTOCOL_LIMIT_MESSAGE_MS UINT64_C(30000)
// From connecting to the end of the first message; a session that says nothing for longer is cut.
#define PROTOCOL_LIMIT_FIRST_MESSAGE_MS UINT64_C(30000)
// Memory of all messages that have come and are not applied yet: their bytes, and 24 for each value that
// they unpack to. Beyond it requests are answered with BUSY, except the first 64 KiB of a session that
// wait.
#define PROTOCOL_LIMIT_UNPACKED_BYTES UINT64_C(1073741824)
// Largest document that world.upload takes.
#define PROTOCOL_LIMIT_DOCUMENT_BYTES UINT64_C(536870912)
// An upload is forgotten so long after its last piece.
#define PROTOCOL_LIMIT_UPLOAD_SECONDS UINT64_C(60)
// Connections at a time, unless weftd --max-sessions says otherwise. When there are more, an idle one
// ends so that the new one finds room.
#define PROTOCOL_LIMIT_SESSIONS UINT64_C(1024)
// Sessions of these from one IPv4 address or one /64 of IPv6. Loopback counts only if weftd --max-
// sessions-per-address is given.
#define PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS UINT64_C(256)
// Requests of a session that wait for an answer; beyond it the session is not read until they drain.
#define PROTOCOL_LIMIT_REQUESTS_UNANSWERED UINT64_C(256)
// Replies of a session that are made and not sent; beyond it the session is not read, and what worlds
// have of it waits, until they drain.
#define PROTOCOL_LIMIT_REPLY_BYTES UINT64_C(1048576)
// Edits that a person can take back in a world; beyond it the oldest is forgotten.
#define PROTOCOL_LIMIT_UNDO_STEPS UINT64_C(1000)
// Memory for taking back the edits of a person in a world; beyond it the oldest are forgotten. An edit
// that alone needs more cannot be taken back.
#define PROTOCOL_LIMIT_UNDO_BYTES UINT64_C(33554432)
// The same for all persons of a world together, including the record of who changed what.
#define PROTOCOL_LIMIT_UNDO_WORLD_BYTES UINT64_C(134217728)
// Bytes of the last records of a world that stay in memory for world.records; older ones and larger ones
// are read from what is kept of its past.
#define PROTOCOL_LIMIT_RECORD_BYTES UINT64_C(1048576)
// Replies of all sessions that are made and not sent; beyond it a query whose answer is larger than 64
// KiB is answered with BUSY.
#define PROTOCOL_LIMIT_ANSWER_BYTES UINT64_C(1073741824)
// Unsent control bytes of a session; beyond it the session is cut with a reason.
#define PROTOCOL_LIMIT_NOTIFICATION_BYTES UINT64_C(8388608)
// world.edited and world.changed that a world makes for those who joined; twice as much may come at once.
// Beyond it edits wait, the sessions taking turns.
#define PROTOCOL_LIMIT_EDITED_BYTES_PER_SECOND UINT64_C(2097152)
// Streams a session may hold.
#define PROTOCOL_LIMIT_STREAMS UINT64_C(64)
// How long a session that said hello is kept after its connection is lost, for session.hello with resume,
// unless weftd --session-grace says otherwise; 0: not at all.
#define PROTOCOL_LIMIT_SESSION_GRACE UINT64_C(60)
// Sessions that are kept without a connection; beyond it, of the address that has most of them, the one
// that is away for longest ends.
#define PROTOCOL_LIMIT_SESSIONS_AWAY UINT64_C(1024)
// Sessions of these from one IPv4 address or one /64 of IPv6; beyond it the one that is away for longest
// ends. Loopback counts only if weftd --max-sessions-per-address is given.
#define PROTOCOL_LIMIT_SESSIONS_AWAY_PER_ADDRESS UINT64_C(128)
// Last answers of a session that are kept for when its connection is lost, and requests of one
// session.hello that may be unanswered.
#define PROTOCOL_LIMIT_KEPT_ANSWERS UINT64_C(1024)
// The same in bytes.
#define PROTOCOL_LIMIT_KEPT_ANSWER_BYTES UINT64_C(65536)
// Last notifications of a world that are kept for sessions that come back.
#define PROTOCOL_LIMIT_KEPT_NOTICES UINT64_C(4096)
// The same in bytes.
#define PROTOCOL_LIMIT_KEPT_NOTICE_BYTES UINT64_C(1048576)
// The same of all worlds; beyond it the world that tells something new keeps less.
#define PROTOCOL_LIMIT_KEPT_NOTICE_BYTES_TOTAL UINT64_C(67108864)
// Servers through which the calls of a session may be passed on to the one that runs their world. The
// second one first waits for a moment, since the world may be on its way to it; at the one after that
// they wait for the world, and are refused if it does not come.
#define PROTOCOL_LIMIT_PASSED_HOPS UINT64_C(2)
// Other servers that the worlds of one session may run on, beside those of this one.
#define PROTOCOL_LIMIT_PASSED_SERVERS UINT64_C(8)
// world.presence of one person that others are sent in a second; of more the last counts.
#define PROTOCOL_LIMIT_PRESENCE_PER_SECOND UINT64_C(30)
// Things in presence.set selection.
#define PROTOCOL_LIMIT_PRESENCE_SELECTION UINT64_C(64)
// Text of presence.say.
#define PROTOCOL_LIMIT_SAID_BYTES UINT64_C(2000)
// presence.say of a session in a second; beyond it they are answered with LIMIT.
#define PROTOCOL_LIMIT_SAID_PER_SECOND UINT64_C(5)
// Worlds at a time, unless weftd --max-worlds says otherwise.
#define PROTOCOL_LIMIT_WORLDS UINT64_C(256)
// If the server asks for tokens: from connecting to a session.hello with a good one, or access.accept; a
// session that has shown none by then is cut.
#define PROTOCOL_LIMIT_HELLO_MS UINT64_C(2000)
// Largest message before that.
#define PROTOCOL_LIMIT_HELLO_BYTES UINT64_C(65536)
// Tokens and invitations of a server that are good.
#define PROTOCOL_LIMIT_TOKENS UINT64_C(16384)
// Roles in worlds that a server keeps.
#define PROTOCOL_LIMIT_GRANTS UINT64_C(65536)
// Messages a second of a person, over all sessions, if the server asks for tokens; twice as many may come
// at once. Unless weftd --person-messages says otherwise; 0: no bound. The same holds for the limits that
// follow.
#define PROTOCOL_LIMIT_PERSON_MESSAGES UINT64_C(2000)
// Bytes of these.
#define PROTOCOL_LIMIT_PERSON_BYTES UINT64_C(67108864)
// Edits of these: methods that change a world, or make one.
#define PROTOCOL_LIMIT_PERSON_EDITS UINT64_C(1000)
// Worlds that a person made, of those that are there.
#define PROTOCOL_LIMIT_PERSON_WORLDS UINT64_C(64)
// Bodies in all worlds that a person made, whoever added them.
#define PROTOCOL_LIMIT_PERSON_BODIES UINT64_C(65536)
// Particles in these.
#define PROTOCOL_LIMIT_PERSON_PARTICLES UINT64_C(16777216)
// Constraints in these.
#define PROTOCOL_LIMIT_PERSON_CONSTRAINTS UINT64_C(134217728)
// Numbers in the poses of all motions in these, and eight for each keyframe.
#define PROTOCOL_LIMIT_PERSON_POSES UINT64_C(67108864)
// How long a tick may take before its world is slowed: it then rests after each tick for as long as the
// tick took. Unless weftd --tick-ms says otherwise; 0: no bound.
#define PROTOCOL_LIMIT_TICK_MS UINT64_C(2000)
// Bodies in a world.
#define PROTOCOL_LIMIT_BODIES UINT64_C(4096)
// Particles in a world.
#define PROTOCOL_LIMIT_PARTICLES UINT64_C(4194304)
// Constraints in a world.
#define PROTOCOL_LIMIT_CONSTRAINTS UINT64_C(33554432)
// Vertices of all skins in a world.
#define PROTOCOL_LIMIT_SKIN_VERTICES UINT64_C(4194304)
// Triangles of all skins in a world.
#define PROTOCOL_LIMIT_SKIN_TRIANGLES UINT64_C(8388608)
// Images of a body's look.
#define PROTOCOL_LIMIT_LOOK_IMAGES UINT64_C(64)
// All images of a body's look together.
#define PROTOCOL_LIMIT_IMAGE_BYTES UINT64_C(4194304)
// All images of the looks in a world.
#define PROTOCOL_LIMIT_WORLD_IMAGE_BYTES UINT64_C(67108864)
// Colliders in a world.
#define PROTOCOL_LIMIT_COLLIDERS UINT64_C(256)
// Heights of all height fields in a world.
#define PROTOCOL_LIMIT_HEIGHTS UINT64_C(262144)
// Grabs in a world.
#define PROTOCOL_LIMIT_GRABS UINT64_C(1024)
// Visits in a tick: substeps (particles + iterations (constraints + grabs + particles colliders)), a
// convex collider counting as one more for each 8 faces of its hull, a height field as one more for each
// 4 cells up to 256. With long_edges a distance of a cloth or rope counts six times, and each of its
// particles as three constraints more. In a world with calm edges count twice, long ones included. With
// bending: solved a particle of a body with quadratic bending counts eight times more. With loads: solved
// each of the n particles of a cloth or rope of at most 4,096 counts 100 sqrt(n) more. In gusty wind each
// particle counts as six more, once a tick. An edit or a setting that would pass it is refused.
#define PROTOCOL_LIMIT_TICK_WORK UINT64_C(1073741824)
// Tests of pairs in a tick, for each particle of the bodies that may meet something; at least 2048
// particles count. A pair counts each time that it is tested, and two groups of 16 triangles whose boxes
// are compared count as 64. A tick that passes the limit is given up: it changes nothing, and the world
// fails until an edit lets it try again.
#define PROTOCOL_LIMIT_CONTACT_TESTS UINT64_C(16384)
// Triangles of bodies that meet any, of which world.measure counts crossings.
#define PROTOCOL_LIMIT_CROSSING_TRIANGLES UINT64_C(1048576)
// Motions in a world.
#define PROTOCOL_LIMIT_MOTIONS UINT64_C(256)
// Keyframes of all motions of a world.
#define PROTOCOL_LIMIT_MOTION_KEYS UINT64_C(1048576)
// Numbers in the poses of all motions of a world: three for each particle of each keyframe, of 4 B.
#define PROTOCOL_LIMIT_MOTION_POSES UINT64_C(67108864)
// Requests that wait in the inbox of a world; beyond it they are answered with BUSY, and those of a
// session already when it has as many waiting as there are places left.
#define PROTOCOL_LIMIT_WORLD_REQUESTS UINT64_C(2048)
// Memory of requests that wait in the inbox of a world or behind a step; beyond it, requests are answered
// with BUSY. One is always admitted, and so are the first 64 KiB of a session.
#define PROTOCOL_LIMIT_WORLD_REQUEST_BYTES UINT64_C(536870912)
// The same of one session, in all worlds.
#define PROTOCOL_LIMIT_SESSION_REQUEST_BYTES UINT64_C(268435456)
// Share of a tick's time that the frames of one person's streams of a world may take, counted as the work
// of one thread (docs/concepts/streaming.md). What exceeds it is left out, and those streams get frames
// less often (stream.rate).
#define PROTOCOL_LIMIT_STREAM_WORK_PERSON UINT64_C(25)
// The same of all persons together. Those who ask for little get it all; the others get equal shares of
// the rest.
#define PROTOCOL_LIMIT_STREAM_WORK_WORLD UINT64_C(50)
// Share of the time that costly queries of one person (constraint.list with forces, world.measure with
// crossings) may take in a world that runs, counted as the work of one thread. Beyond it the next one
// waits, with what its session asks for behind it; wait_ms of the answer before tells for how long. An
// eighth of a second may be saved up.
#define PROTOCOL_LIMIT_QUERY_WORK_PERSON UINT64_C(25)
// The same of all persons together.
#define PROTOCOL_LIMIT_QUERY_WORK_WORLD UINT64_C(50)
// Different sets of options that streams of a world may have together, of those that are encoded
// separately: q16, delta, every n-th vertex, in a box. A session that has as many as there are places
// left gets no more.
#define PROTOCOL_LIMIT_STREAM_TIERS UINT64_C(64)
// Memory of a world for delta, over all its streams; a body that finds no room is sent uncompressed.
#define PROTOCOL_LIMIT_STREAM_TIER_BYTES UINT64_C(536870912)
// Above this size a frame is split into parts.
#define PROTOCOL_LIMIT_FRAME_PART_BYTES UINT64_C(262144)
// Encoded frames of a world that are still held by anyone; beyond it frames are dropped and the
// connections that hold the oldest of that world are cut.
#define PROTOCOL_LIMIT_FRAME_BYTES UINT64_C(268435456)
// The same of all worlds together, and of streams that are passed on from other servers, unless weftd
// --server-frame-bytes says otherwise. While three quarters of it are held, a world gets more only up to
// an equal share of the last quarter, and of the world that holds most the connections are cut that hold
// the oldest.
#define PROTOCOL_LIMIT_SERVER_FRAME_BYTES UINT64_C(1073741824)
// Messages of a stream of records that wait behind its image or another message; beyond it the stream
// ends.
#define PROTOCOL_LIMIT_RECORDS_UNSENT UINT64_C(1048576)
// Backlogs of all lossless streams of a world together, unless weftd --lossless-bytes says otherwise; a
// session whose streams have as much as is left gets no more.
#define PROTOCOL_LIMIT_LOSSLESS_BYTES UINT64_C(67108864)
// Frames of a lossless stream that are sent and not acknowledged (stream.ack); beyond it none follows
// until some are, whatever their bytes.
#define PROTOCOL_LIMIT_LOSSLESS_UNACKED UINT64_C(1024)
// How long a lossless stream may hold its world (world.hold) without taking anything; beyond it the
// stream ends. So do the streams of a person that have held the world for three times as long in all: a
// tenth of the time that the world does not wait for them makes up for that, and a millisecond for each
// KiB that they take. Unless weftd --hold-ms says otherwise.
#define PROTOCOL_LIMIT_HOLD_MS UINT64_C(10000)
// Views (world.seek) that a session may have, each of another world.
#define PROTOCOL_LIMIT_SESSION_VIEWS UINT64_C(4)
// Views in all sessions of a person or, if the server asks for no tokens, of an address (except loopback,
// unless weftd --max-sessions-per-address is given).
#define PROTOCOL_LIMIT_PERSON_VIEWS UINT64_C(16)
// Memory of the same, as view_bytes counts it; one is always let in.
#define PROTOCOL_LIMIT_PERSON_VIEW_BYTES UINT64_C(1073741824)
// Views of all sessions.
#define PROTOCOL_LIMIT_VIEWS UINT64_C(64)
// Memory of all views together, as counted by their particles and constraints; one is always let in.
#define PROTOCOL_LIMIT_VIEW_BYTES UINT64_C(4294967296)
// Edits that world.branch leaves out or takes as others.
#define PROTOCOL_LIMIT_BRANCH_CHANGES UINT64_C(1024)
// Images that world.history names; if there are more, they are chosen evenly over the past.
#define PROTOCOL_LIMIT_IMAGE_TICKS UINT64_C(4096)
// Arrays larger than this are left out of world.edited and edit.log, and named in omitted.
#define PROTOCOL_LIMIT_EDITED_ARRAY_BYTES UINT64_C(4096)
// Edits of one edit.batch.
#define PROTOCOL_LIMIT_BATCH_EDITS UINT64_C(1000)
// What one edit.batch may change, counted as the memory that would take it back, until it is known
// whether all of it applies.
#define PROTOCOL_LIMIT_BATCH_BYTES UINT64_C(134217728)
// Edits of a world whose edit_id is kept, for an hour: the oldest go first, and sooner if their answers
// take more than 16 MiB.
#define PROTOCOL_LIMIT_EDIT_IDS UINT64_C(10000)
// Edits that one gesture gathers into one step of undo; the next one begins another step.
#define PROTOCOL_LIMIT_GESTURE_EDITS UINT64_C(10000)
// Longest name of a world, body, collider, user or client.
#define PROTOCOL_LIMIT_NAME_BYTES UINT64_C(64)

enum protocol_code {
    PROTOCOL_CODE_OK = 0,
    PROTOCOL_CODE_INTERNAL, // The server failed; its log says more.
    PROTOCOL_CODE_MEMORY, // The server could not get the memory for this; nothing changed.
    PROTOCOL_CODE_SHUTDOWN, // The server is ending and takes no more edits.
    PROTOCOL_CODE_INVALID, // A field is unknown, missing, of the wrong type, length or range; the text names it and what would be right.
    PROTOCOL_CODE_NOT_FOUND, // There is no such method, world, body, constraint, collider, grab, stream, edit or tick.
    PROTOCOL_CODE_CONFLICT, // The request does not fit the present state: a name is taken, the world is not paused, another user holds the particle.
    PROTOCOL_CODE_DENIED, // The thing belongs to another session, another session holds control, or the caller lacks the role that the method needs; if the server asks for tokens, none was shown that is good.
    PROTOCOL_CODE_READ_ONLY, // The world takes no edits now: it shows the past of another, or the server has no room to keep what changes it. read_only of world.get says which.
    PROTOCOL_CODE_LIMIT, // A limit of server.info would be passed; the text names it.
    PROTOCOL_CODE_BUSY, // Too many requests wait in this world; send it again later.
    PROTOCOL_CODE_MOVED, // Another server of this deployment runs the world; nothing was done. The error as a map names it in server, address and web: ask there (session.hello {follow}).
    PROTOCOL_CODE_PROTOCOL, // The bytes are not MessagePack-RPC; the connection is closed after this.
    PROTOCOL_CODE_COUNT
};

struct protocol_code_info {
    const char *name;
    int kind; // 0: the server failed, 1: the caller erred
};
extern const struct protocol_code_info protocol_codes[PROTOCOL_CODE_COUNT];

// X(CLASS, ident, "wire.name") for each method, in the order of their ids.
#define PROTOCOL_METHODS(X) \
    X(SERVER, server_info, "server.info") \
    X(SERVER, server_ping, "server.ping") \
    X(SERVER, server_stats, "server.stats") \
    X(SERVER, server_list, "server.list") \
    X(SERVER, session_hello, "session.hello") \
    X(SERVER, session_leave, "session.leave") \
    X(SERVER, presence_set, "presence.set") \
    X(SERVER, presence_say, "presence.say") \
    X(SERVER, world_create, "world.create") \
    X(SERVER, world_list, "world.list") \
    X(QUERY, world_get, "world.get") \
    X(EDIT, world_set, "world.set") \
    X(CONTROL, world_delete, "world.delete") \
    X(SERVER, world_move, "world.move") \
    X(QUERY, world_join, "world.join") \
    X(QUERY, world_leave, "world.leave") \
    X(CONTROL, world_play, "world.play") \
    X(CONTROL, world_pause, "world.pause") \
    X(CONTROL, world_hold, "world.hold") \
    X(CONTROL, world_step, "world.step") \
    X(EDIT, world_reset, "world.reset") \
    X(QUERY, world_hash, "world.hash") \
    X(QUERY, world_measure, "world.measure") \
    X(QUERY, world_save, "world.save") \
    X(QUERY, world_records, "world.records") \
    X(SERVER, world_history, "world.history") \
    X(SERVER, world_seek, "world.seek") \
    X(SERVER, world_branch, "world.branch") \
    X(SERVER, world_bin, "world.bin") \
    X(SERVER, world_restore, "world.restore") \
    X(EDIT, edit_batch, "edit.batch") \
    X(SERVER, edit_log, "edit.log") \
    X(SERVER, world_open, "world.open") \
    X(SERVER, world_upload, "world.upload") \
    X(EDIT, body_add, "body.add") \
    X(QUERY, body_get, "body.get") \
    X(EDIT, body_set, "body.set") \
    X(EDIT, body_force, "body.force") \
    X(EDIT, body_remove, "body.remove") \
    X(QUERY, body_state, "body.state") \
    X(EDIT, constraint_add, "constraint.add") \
    X(EDIT, constraint_set, "constraint.set") \
    X(EDIT, constraint_remove, "constraint.remove") \
    X(QUERY, constraint_list, "constraint.list") \
    X(EDIT, particle_set, "particle.set") \
    X(EDIT, particle_pin, "particle.pin") \
    X(EDIT, particle_unpin, "particle.unpin") \
    X(INPUT, grab_begin, "grab.begin") \
    X(INPUT, grab_move, "grab.move") \
    X(INPUT, grab_end, "grab.end") \
    X(EDIT, collider_add, "collider.add") \
    X(EDIT, collider_set, "collider.set") \
    X(EDIT, collider_remove, "collider.remove") \
    X(EDIT, motion_add, "motion.add") \
    X(EDIT, motion_remove, "motion.remove") \
    X(QUERY, motion_list, "motion.list") \
    X(EDIT, force_add, "force.add") \
    X(EDIT, force_set, "force.set") \
    X(EDIT, force_remove, "force.remove") \
    X(QUERY, force_list, "force.list") \
    X(EDIT, edit_restore, "edit.restore") \
    X(EDIT, edit_undo, "edit.undo") \
    X(EDIT, edit_redo, "edit.redo") \
    X(QUERY, stream_subscribe, "stream.subscribe") \
    X(QUERY, stream_set, "stream.set") \
    X(QUERY, stream_unsubscribe, "stream.unsubscribe") \
    X(SERVER, stream_ack, "stream.ack") \
    X(SERVER, stream_differs, "stream.differs") \
    X(SERVER, world_control, "world.control") \
    X(SERVER, access_list, "access.list") \
    X(SERVER, access_grant, "access.grant") \
    X(SERVER, access_revoke, "access.revoke") \
    X(SERVER, access_invite, "access.invite") \
    X(SERVER, access_accept, "access.accept") \
    X(SERVER, access_set, "access.set") \
    X(SERVER, token_create, "token.create") \
    X(SERVER, token_list, "token.list") \
    X(SERVER, token_revoke, "token.revoke")

// X(ident, IDENT) for each method whose calls are records of a world.
#define PROTOCOL_RECORDS(X) \
    X(world_set, WORLD_SET) \
    X(world_reset, WORLD_RESET) \
    X(edit_batch, EDIT_BATCH) \
    X(body_add, BODY_ADD) \
    X(body_set, BODY_SET) \
    X(body_force, BODY_FORCE) \
    X(body_remove, BODY_REMOVE) \
    X(constraint_add, CONSTRAINT_ADD) \
    X(constraint_set, CONSTRAINT_SET) \
    X(constraint_remove, CONSTRAINT_REMOVE) \
    X(particle_set, PARTICLE_SET) \
    X(particle_pin, PARTICLE_PIN) \
    X(particle_unpin, PARTICLE_UNPIN) \
    X(grab_begin, GRAB_BEGIN) \
    X(grab_move, GRAB_MOVE) \
    X(grab_end, GRAB_END) \
    X(collider_add, COLLIDER_ADD) \
    X(collider_set, COLLIDER_SET) \
    X(collider_remove, COLLIDER_REMOVE) \
    X(motion_add, MOTION_ADD) \
    X(motion_remove, MOTION_REMOVE) \
    X(force_add, FORCE_ADD) \
    X(force_set, FORCE_SET) \
    X(force_remove, FORCE_REMOVE) \
    X(edit_restore, EDIT_RESTORE) \
    X(edit_undo, EDIT_UNDO) \
    X(edit_redo, EDIT_REDO)

// X(IDENT, ident, particles, PART, "unit of a rest value") for each kind of constraint. A kind that takes no rest value
// has "" there.
#define PROTOCOL_KINDS(X) \
    X(DISTANCE, distance, 2, STRETCH, "m") \
    X(DIHEDRAL, dihedral, 4, BEND, "rad") \
    X(ISOMETRIC, isometric, 4, BEND, "") \
    X(QUADRATIC, quadratic, 4, BEND, "") \
    X(VOLUME, volume, 4, VOLUME, "m^3") \
    X(JOIN, join, 6, STRETCH, "m") \
    X(SLIDE, slide, 3, STRETCH, "m") \
    X(SLIDE_RAIL, slide_rail, 3, STRETCH, "") \
    X(NEO_HOOKEAN, neo_hookean, 4, SOLID, "m^3") \
    X(ORTHOTROPIC, orthotropic, 3, STRETCH, "") \
    X(ROD_STRETCH, rod_stretch, 2, STRETCH, "") \
    X(ROD_BEND, rod_bend, 2, BEND, "") \
    X(JOINT, joint, 4, STRETCH, "")

// X(IDENT, name, max, rms) for each kind of constraint whose error world.measure tells: what the error is called, and the
// fields of struct protocol_measures.
#define PROTOCOL_ERRORS(X) \
    X(DISTANCE, strain, strain_max, strain_rms) \
    X(VOLUME, volume_error, volume_error, volume_error_rms) \
    X(NEO_HOOKEAN, solid_volume_error, solid_volume_error, solid_volume_error_rms) \
    X(ORTHOTROPIC, yarn_strain, yarn_strain_max, yarn_strain_rms)

enum protocol_method {
    PROTOCOL_METHOD_SERVER_INFO,
    PROTOCOL_METHOD_SERVER_PING,
    PROTOCOL_METHOD_SERVER_STATS,
    PROTOCOL_METHOD_SERVER_LIST,
    PROTOCOL_METHOD_SESSION_HELLO,
    PROTOCOL_METHOD_SESSION_LEAVE,
    PROTOCOL_METHOD_PRESENCE_SET,
    PROTOCOL_METHOD_PRESENCE_SAY,
    PROTOCOL_METHOD_WORLD_CREATE,
    PROTOCOL_METHOD_WORLD_LIST,
    PROTOCOL_METHOD_WORLD_GET,
    PROTOCOL_METHOD_WORLD_SET,
    PROTOCOL_METHOD_WORLD_DELETE,
    PROTOCOL_METHOD_WORLD_MOVE,
    PROTOCOL_METHOD_WORLD_JOIN,
    PROTOCOL_METHOD_WORLD_LEAVE,
    PROTOCOL_METHOD_WORLD_PLAY,
    PROTOCOL_METHOD_WORLD_PAUSE,
    PROTOCOL_METHOD_WORLD_HOLD,
    PROTOCOL_METHOD_WORLD_STEP,
    PROTOCOL_METHOD_WORLD_RESET,
    PROTOCOL_METHOD_WORLD_HASH,
    PROTOCOL_METHOD_WORLD_MEASURE,
    PROTOCOL_METHOD_WORLD_SAVE,
    PROTOCOL_METHOD_WORLD_RECORDS,
    PROTOCOL_METHOD_WORLD_HISTORY,
    PROTOCOL_METHOD_WORLD_SEEK,
    PROTOCOL_METHOD_WORLD_BRANCH,
    PROTOCOL_METHOD_WORLD_BIN,
    PROTOCOL_METHOD_WORLD_RESTORE,
    PROTOCOL_METHOD_EDIT_BATCH,
    PROTOCOL_METHOD_EDIT_LOG,
    PROTOCOL_METHOD_WORLD_OPEN,
    PROTOCOL_METHOD_WORLD_UPLOAD,
    PROTOCOL_METHOD_BODY_ADD,
    PROTOCOL_METHOD_BODY_GET,
    PROTOCOL_METHOD_BODY_SET,
    PROTOCOL_METHOD_BODY_FORCE,
    PROTOCOL_METHOD_BODY_REMOVE,
    PROTOCOL_METHOD_BODY_STATE,
    PROTOCOL_METHOD_CONSTRAINT_ADD,
    PROTOCOL_METHOD_CONSTRAINT_SET,
    PROTOCOL_METHOD_CONSTRAINT_REMOVE,
    PROTOCOL_METHOD_CONSTRAINT_LIST,
    PROTOCOL_METHOD_PARTICLE_SET,
    PROTOCOL_METHOD_PARTICLE_PIN,
    PROTOCOL_METHOD_PARTICLE_UNPIN,
    PROTOCOL_METHOD_GRAB_BEGIN,
    PROTOCOL_METHOD_GRAB_MOVE,
    PROTOCOL_METHOD_GRAB_END,
    PROTOCOL_METHOD_COLLIDER_ADD,
    PROTOCOL_METHOD_COLLIDER_SET,
    PROTOCOL_METHOD_COLLIDER_REMOVE,
    PROTOCOL_METHOD_MOTION_ADD,
    PROTOCOL_METHOD_MOTION_REMOVE,
    PROTOCOL_METHOD_MOTION_LIST,
    PROTOCOL_METHOD_FORCE_ADD,
    PROTOCOL_METHOD_FORCE_SET,
    PROTOCOL_METHOD_FORCE_REMOVE,
    PROTOCOL_METHOD_FORCE_LIST,
    PROTOCOL_METHOD_EDIT_RESTORE,
    PROTOCOL_METHOD_EDIT_UNDO,
    PROTOCOL_METHOD_EDIT_REDO,
    PROTOCOL_METHOD_STREAM_SUBSCRIBE,
    PROTOCOL_METHOD_STREAM_SET,
    PROTOCOL_METHOD_STREAM_UNSUBSCRIBE,
    PROTOCOL_METHOD_STREAM_ACK,
    PROTOCOL_METHOD_STREAM_DIFFERS,
    PROTOCOL_METHOD_WORLD_CONTROL,
    PROTOCOL_METHOD_ACCESS_LIST,
    PROTOCOL_METHOD_ACCESS_GRANT,
    PROTOCOL_METHOD_ACCESS_REVOKE,
    PROTOCOL_METHOD_ACCESS_INVITE,
    PROTOCOL_METHOD_ACCESS_ACCEPT,
    PROTOCOL_METHOD_ACCESS_SET,
    PROTOCOL_METHOD_TOKEN_CREATE,
    PROTOCOL_METHOD_TOKEN_LIST,
    PROTOCOL_METHOD_TOKEN_REVOKE,
    PROTOCOL_METHOD_COUNT
};
extern const struct protocol_method_info protocol_methods[PROTOCOL_METHOD_COUNT];
// False if there is no such method.
bool protocol_method_find(struct protocol_string name, enum protocol_method *method);

// The lists of server.info, packed.
extern const struct protocol_raw protocol_api_methods;
extern const struct protocol_raw protocol_api_notifications;
extern const struct protocol_raw protocol_api_errors;
extern const struct protocol_raw protocol_api_types;
extern const struct protocol_raw protocol_api_limits;

// How a server keeps its worlds and their past.
struct protocol_storage {
    uint64_t has;
    int kind;
    bool lasts;
    uint64_t bytes; // B
};
#define PROTOCOL_HAS_STORAGE_KIND (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STORAGE_LASTS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STORAGE_BYTES (UINT64_C(1) << 2)
enum {
    PROTOCOL_STORAGE_KIND_MEMORY = 0,
    PROTOCOL_STORAGE_KIND_SQLITE = 1,
    PROTOCOL_STORAGE_KIND_NATS = 2,
};
extern const struct protocol_struct protocol_storage_type;

// A part of a world's past that one solver made.
struct protocol_history_span {
    uint64_t has;
    uint64_t first_tick;
    uint64_t last_tick;
    uint32_t solver;
    bool exact;
};
#define PROTOCOL_HAS_HISTORY_SPAN_FIRST_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_HISTORY_SPAN_LAST_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_HISTORY_SPAN_SOLVER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_HISTORY_SPAN_EXACT (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_history_span_type;

// An edit, or an input, of the past.
struct protocol_log_entry {
    uint64_t has;
    uint64_t sequence;
    uint64_t tick;
    uint64_t revision;
    double at; // s
    struct protocol_string user;
    uint32_t session;
    struct protocol_string method;
    struct protocol_raw params;
    struct protocol_raw result;
    struct protocol_raw omitted;
    uint64_t undoes;
    uint64_t redoes;
    uint64_t gesture;
};
#define PROTOCOL_HAS_LOG_ENTRY_SEQUENCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_LOG_ENTRY_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_LOG_ENTRY_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_LOG_ENTRY_AT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_LOG_ENTRY_USER (UINT64_C(1) << 4)
#define PROTOCOL_HAS_LOG_ENTRY_SESSION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_LOG_ENTRY_METHOD (UINT64_C(1) << 6)
#define PROTOCOL_HAS_LOG_ENTRY_PARAMS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_LOG_ENTRY_RESULT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_LOG_ENTRY_OMITTED (UINT64_C(1) << 9)
#define PROTOCOL_HAS_LOG_ENTRY_UNDOES (UINT64_C(1) << 10)
#define PROTOCOL_HAS_LOG_ENTRY_REDOES (UINT64_C(1) << 11)
#define PROTOCOL_HAS_LOG_ENTRY_GESTURE (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_log_entry_type;

// An edit of the past as it is to be in a branch.
struct protocol_branch_change {
    uint64_t has;
    uint64_t revision;
    struct protocol_raw params;
};
#define PROTOCOL_HAS_BRANCH_CHANGE_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BRANCH_CHANGE_PARAMS (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_branch_change_type;

// An edit of the past that does not apply in a branch, and was left out.
struct protocol_branch_refusal {
    uint64_t has;
    uint64_t revision;
    struct protocol_string method;
    struct protocol_string code;
    struct protocol_string text;
};
#define PROTOCOL_HAS_BRANCH_REFUSAL_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BRANCH_REFUSAL_METHOD (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BRANCH_REFUSAL_CODE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BRANCH_REFUSAL_TEXT (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_branch_refusal_type;

// A deleted world that can still be brought back.
struct protocol_bin_world {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t tick;
    double deleted_at; // s
    double gone_at; // s
};
#define PROTOCOL_HAS_BIN_WORLD_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BIN_WORLD_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BIN_WORLD_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BIN_WORLD_DELETED_AT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BIN_WORLD_GONE_AT (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_bin_world_type;

// How a constraint gives way. Units follow from the kind's C: distance, join, slide, slide_rail and joint
// m, dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu
// V)) (no unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two
// bends and the twist, twice the sine of half the angle.
struct protocol_material {
    uint64_t has;
    double compliance; // [C]^2/J
    double damping; // J s/[C]^2
    double stiffness;
};
#define PROTOCOL_HAS_MATERIAL_COMPLIANCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MATERIAL_DAMPING (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MATERIAL_STIFFNESS (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_material_type;

// How the edges of a body give way: a material, and how far they may.
struct protocol_stretch_material {
    uint64_t has;
    double compliance; // [C]^2/J
    double damping; // J s/[C]^2
    double stiffness;
    double limit;
    int model;
    double warp; // N/m
    double weft; // N/m
    double shear; // N/m
    double poisson;
    double direction[3];
    double angle; // rad
};
#define PROTOCOL_HAS_STRETCH_MATERIAL_COMPLIANCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STRETCH_MATERIAL_DAMPING (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STRETCH_MATERIAL_STIFFNESS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STRETCH_MATERIAL_LIMIT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STRETCH_MATERIAL_MODEL (UINT64_C(1) << 4)
#define PROTOCOL_HAS_STRETCH_MATERIAL_WARP (UINT64_C(1) << 5)
#define PROTOCOL_HAS_STRETCH_MATERIAL_WEFT (UINT64_C(1) << 6)
#define PROTOCOL_HAS_STRETCH_MATERIAL_SHEAR (UINT64_C(1) << 7)
#define PROTOCOL_HAS_STRETCH_MATERIAL_POISSON (UINT64_C(1) << 8)
#define PROTOCOL_HAS_STRETCH_MATERIAL_DIRECTION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_STRETCH_MATERIAL_ANGLE (UINT64_C(1) << 10)
enum {
    PROTOCOL_STRETCH_MATERIAL_MODEL_DISTANCE = 0,
    PROTOCOL_STRETCH_MATERIAL_MODEL_ORTHOTROPIC = 1,
};
extern const struct protocol_struct protocol_stretch_material_type;

// Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle,
// theta0' = rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield.
struct protocol_bend_plastic {
    uint64_t has;
    double yield_angle; // rad
    double rate; // 1/s
    double greatest; // rad
};
#define PROTOCOL_HAS_BEND_PLASTIC_YIELD_ANGLE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BEND_PLASTIC_RATE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BEND_PLASTIC_GREATEST (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_bend_plastic_type;

// A shape at which a body's own constraints rest from now on. The places where its particles begin, and
// to which a reset takes them, stay.
struct protocol_rest_shape {
    uint64_t has;
    struct protocol_array positions; // m
    bool angles;
    bool lengths;
    bool places;
};
#define PROTOCOL_HAS_REST_SHAPE_POSITIONS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_REST_SHAPE_ANGLES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_REST_SHAPE_LENGTHS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_REST_SHAPE_PLACES (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_rest_shape_type;

// How a cloth resists bending, across every edge that two triangles share.
struct protocol_bend_material {
    uint64_t has;
    int model;
    double compliance; // [C]^2/J
    double damping; // J s/[C]^2
    double stiffness;
    double rigidity; // N m
    struct protocol_bend_plastic plastic;
    double warp; // N m
    double weft; // N m
    double bias; // N m
};
#define PROTOCOL_HAS_BEND_MATERIAL_MODEL (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BEND_MATERIAL_COMPLIANCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BEND_MATERIAL_DAMPING (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BEND_MATERIAL_STIFFNESS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BEND_MATERIAL_RIGIDITY (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BEND_MATERIAL_PLASTIC (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BEND_MATERIAL_WARP (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BEND_MATERIAL_WEFT (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BEND_MATERIAL_BIAS (UINT64_C(1) << 8)
enum {
    PROTOCOL_BEND_MATERIAL_MODEL_NONE = 0,
    PROTOCOL_BEND_MATERIAL_MODEL_DIHEDRAL = 1,
    PROTOCOL_BEND_MATERIAL_MODEL_ISOMETRIC = 2,
    PROTOCOL_BEND_MATERIAL_MODEL_QUADRATIC = 3,
};
extern const struct protocol_struct protocol_bend_material_type;

// Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of
// the same volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without
// a unit.
struct protocol_solid_plastic {
    uint64_t has;
    double yield_strain;
    double rate; // 1/s
    double greatest;
};
#define PROTOCOL_HAS_SOLID_PLASTIC_YIELD_STRAIN (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SOLID_PLASTIC_RATE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SOLID_PLASTIC_GREATEST (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_solid_plastic_type;

// The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one
// constraint.
struct protocol_solid_material {
    uint64_t has;
    int model;
    double young; // Pa
    double poisson;
    double damping; // Pa s
    struct protocol_solid_plastic plastic;
};
#define PROTOCOL_HAS_SOLID_MATERIAL_MODEL (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SOLID_MATERIAL_YOUNG (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SOLID_MATERIAL_POISSON (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SOLID_MATERIAL_DAMPING (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SOLID_MATERIAL_PLASTIC (UINT64_C(1) << 4)
enum {
    PROTOCOL_SOLID_MATERIAL_MODEL_NEO_HOOKEAN = 0,
};
extern const struct protocol_struct protocol_solid_material_type;

// A joint between two segments that is bent or twisted past its rest by more than the yield gets another
// rest, as that of a wire.
struct protocol_rod_plastic {
    uint64_t has;
    double yield_angle; // rad
    double rate; // 1/s
    double greatest; // rad
};
#define PROTOCOL_HAS_ROD_PLASTIC_YIELD_ANGLE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ROD_PLASTIC_RATE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ROD_PLASTIC_GREATEST (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_rod_plastic_type;

// A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its
// segments has an orientation.
struct protocol_rod {
    uint64_t has;
    double radius; // m
    double young; // Pa
    double poisson;
    double bend_stiffness; // N m^2
    double twist_stiffness; // N m^2
    double damping; // s
    double rest[3]; // 1/m
    double twist; // rad/m
    struct protocol_rod_plastic plastic;
    int solve;
};
#define PROTOCOL_HAS_ROD_RADIUS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ROD_YOUNG (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ROD_POISSON (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ROD_BEND_STIFFNESS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_ROD_TWIST_STIFFNESS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_ROD_DAMPING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_ROD_REST (UINT64_C(1) << 6)
#define PROTOCOL_HAS_ROD_TWIST (UINT64_C(1) << 7)
#define PROTOCOL_HAS_ROD_PLASTIC (UINT64_C(1) << 8)
#define PROTOCOL_HAS_ROD_SOLVE (UINT64_C(1) << 9)
enum {
    PROTOCOL_ROD_SOLVE_SWEPT = 0,
    PROTOCOL_ROD_SOLVE_DIRECT = 1,
};
extern const struct protocol_struct protocol_rod_type;

// A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts
// in full.
struct protocol_rigid_part {
    uint64_t has;
    int form;
    double radius; // m
    double half_height; // m
    double half_extents[3]; // m
    struct protocol_array points; // m
    double position[3]; // m
    double rotation[4];
};
#define PROTOCOL_HAS_RIGID_PART_FORM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RIGID_PART_RADIUS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RIGID_PART_HALF_HEIGHT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RIGID_PART_HALF_EXTENTS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RIGID_PART_POINTS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RIGID_PART_POSITION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RIGID_PART_ROTATION (UINT64_C(1) << 6)
enum {
    PROTOCOL_RIGID_PART_FORM_SPHERE = 0,
    PROTOCOL_RIGID_PART_FORM_CAPSULE = 1,
    PROTOCOL_RIGID_PART_FORM_BOX = 2,
    PROTOCOL_RIGID_PART_FORM_HULL = 3,
};
extern const struct protocol_struct protocol_rigid_part_type;

// Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as
// a mesh that was cut into convex hulls.
struct protocol_rigid_measures {
    uint64_t has;
    double volume; // m^3
    double centre[3]; // m
    double inertia[3]; // m^2
    double products[3]; // m^2
};
#define PROTOCOL_HAS_RIGID_MEASURES_VOLUME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RIGID_MEASURES_CENTRE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RIGID_MEASURES_INERTIA (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RIGID_MEASURES_PRODUCTS (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_rigid_measures_type;

// The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces.
// The axes of a piece are its principal axes. Those of a hull are the axes of its points, and those of a
// compound the axes in which its parts are given.
struct protocol_rigid {
    uint64_t has;
    int form;
    double radius; // m
    double half_height; // m
    double half_extents[3]; // m
    struct protocol_array points; // m
    struct protocol_list parts; // of struct protocol_rigid_part
    struct protocol_rigid_measures measures;
};
#define PROTOCOL_HAS_RIGID_FORM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RIGID_RADIUS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RIGID_HALF_HEIGHT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RIGID_HALF_EXTENTS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RIGID_POINTS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RIGID_PARTS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RIGID_MEASURES (UINT64_C(1) << 6)
enum {
    PROTOCOL_RIGID_FORM_SPHERE = 0,
    PROTOCOL_RIGID_FORM_CAPSULE = 1,
    PROTOCOL_RIGID_FORM_BOX = 2,
    PROTOCOL_RIGID_FORM_HULL = 3,
    PROTOCOL_RIGID_FORM_COMPOUND = 4,
};
extern const struct protocol_struct protocol_rigid_type;

// Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times
// volume stays the same, so what is squeezed pushes back. volume: the volume is kept.
struct protocol_pressure {
    uint64_t has;
    int model;
    double overpressure; // Pa
    double ambient; // Pa
    double ratio;
    double compliance; // m^5/N
    double volume; // m^3
    double seconds; // s
    double now;
};
#define PROTOCOL_HAS_PRESSURE_MODEL (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESSURE_OVERPRESSURE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESSURE_AMBIENT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PRESSURE_RATIO (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PRESSURE_COMPLIANCE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_PRESSURE_VOLUME (UINT64_C(1) << 5)
#define PROTOCOL_HAS_PRESSURE_SECONDS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_PRESSURE_NOW (UINT64_C(1) << 7)
enum {
    PROTOCOL_PRESSURE_MODEL_NONE = 0,
    PROTOCOL_PRESSURE_MODEL_GAS = 1,
    PROTOCOL_PRESSURE_MODEL_VOLUME = 2,
};
extern const struct protocol_struct protocol_pressure_type;

// Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body
// does, so no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so
// each by itself, and the body bends. Every kind of body may have it, beside its other constraints.
struct protocol_shape {
    uint64_t has;
    int model;
    double compliance; // m/N
    double radius; // m
    double spacing; // m
    struct protocol_array positions; // m
};
#define PROTOCOL_HAS_SHAPE_MODEL (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SHAPE_COMPLIANCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SHAPE_RADIUS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SHAPE_SPACING (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SHAPE_POSITIONS (UINT64_C(1) << 4)
enum {
    PROTOCOL_SHAPE_MODEL_NONE = 0,
    PROTOCOL_SHAPE_MODEL_RIGID = 1,
};
extern const struct protocol_struct protocol_shape_type;

// How a body with shape matching lies.
struct protocol_shape_measure {
    uint64_t has;
    uint32_t body;
    uint32_t regions;
    double position[3]; // m
    double rotation[4];
    double distance; // m
    double energy; // J
    double force; // N
};
#define PROTOCOL_HAS_SHAPE_MEASURE_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SHAPE_MEASURE_REGIONS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SHAPE_MEASURE_POSITION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SHAPE_MEASURE_ROTATION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SHAPE_MEASURE_DISTANCE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SHAPE_MEASURE_ENERGY (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SHAPE_MEASURE_FORCE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_shape_measure_type;

// How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold,
// and particles split where cuts part their triangles.
struct protocol_tear {
    uint64_t has;
    double force; // N/m
    double strain;
    uint32_t most;
};
#define PROTOCOL_HAS_TEAR_FORCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TEAR_STRAIN (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TEAR_MOST (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_tear_type;

// The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles
// name them first.
struct protocol_torn {
    uint64_t has;
    uint32_t own;
    struct protocol_array origins;
    struct protocol_array since;
    struct protocol_array triangles;
    struct protocol_array cuts;
};
#define PROTOCOL_HAS_TORN_OWN (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TORN_ORIGINS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TORN_SINCE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_TORN_TRIANGLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_TORN_CUTS (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_torn_type;

// The tears of a body that can tear.
struct protocol_torn_edges {
    uint64_t has;
    uint32_t own;
    struct protocol_array origins;
    struct protocol_array edges;
};
#define PROTOCOL_HAS_TORN_EDGES_OWN (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TORN_EDGES_ORIGINS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TORN_EDGES_EDGES (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_torn_edges_type;

// Volume and pressure inside a body with pressure.
struct protocol_pressure_measure {
    uint64_t has;
    uint32_t body;
    double volume; // m^3
    double reference; // m^3
    double pressure; // Pa
};
#define PROTOCOL_HAS_PRESSURE_MEASURE_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESSURE_MEASURE_VOLUME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESSURE_MEASURE_REFERENCE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PRESSURE_MEASURE_PRESSURE (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_pressure_measure_type;

// How a body feels the air, in place of what the wind of the world says.
struct protocol_own_wind {
    uint64_t has;
    double drag;
    double lift;
};
#define PROTOCOL_HAS_OWN_WIND_DRAG (UINT64_C(1) << 0)
#define PROTOCOL_HAS_OWN_WIND_LIFT (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_own_wind_type;

// A field of force: it accelerates particles by where they are, in each substep. point: towards its
// position, or away from it if the strength is below 0. vortex: around its axis, as the fingers of a
// right hand whose thumb points along it. drag: towards the velocity of a medium. wind and fan do not
// accelerate particles but blow: they add to the velocity of the air that triangles feel, as the wind of
// the world does (types, wind). Where the world has no air they bring some of 1.2 kg/m^3 into their
// region.
struct protocol_force_field {
    uint64_t has;
    uint32_t force;
    int kind;
    double position[3]; // m
    double axis[3];
    double strength;
    double distance; // m
    int falloff;
    double core; // m
    double velocity[3]; // m/s
    double width; // m
    double radius; // m
    double half_extents[3]; // m
    double margin; // m
    struct protocol_array bodies;
};
#define PROTOCOL_HAS_FORCE_FIELD_FORCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_FIELD_KIND (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_FIELD_POSITION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_FIELD_AXIS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_FORCE_FIELD_STRENGTH (UINT64_C(1) << 4)
#define PROTOCOL_HAS_FORCE_FIELD_DISTANCE (UINT64_C(1) << 5)
#define PROTOCOL_HAS_FORCE_FIELD_FALLOFF (UINT64_C(1) << 6)
#define PROTOCOL_HAS_FORCE_FIELD_CORE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_FORCE_FIELD_VELOCITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_FORCE_FIELD_WIDTH (UINT64_C(1) << 9)
#define PROTOCOL_HAS_FORCE_FIELD_RADIUS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_FORCE_FIELD_HALF_EXTENTS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_FORCE_FIELD_MARGIN (UINT64_C(1) << 12)
#define PROTOCOL_HAS_FORCE_FIELD_BODIES (UINT64_C(1) << 13)
enum {
    PROTOCOL_FORCE_FIELD_KIND_POINT = 0,
    PROTOCOL_FORCE_FIELD_KIND_VORTEX = 1,
    PROTOCOL_FORCE_FIELD_KIND_DRAG = 2,
    PROTOCOL_FORCE_FIELD_KIND_WIND = 3,
    PROTOCOL_FORCE_FIELD_KIND_FAN = 4,
};
enum {
    PROTOCOL_FORCE_FIELD_FALLOFF_NONE = 0,
    PROTOCOL_FORCE_FIELD_FALLOFF_INVERSE = 1,
    PROTOCOL_FORCE_FIELD_FALLOFF_INVERSE_SQUARE = 2,
};
extern const struct protocol_struct protocol_force_field_type;

// All fields of force of a world.
struct protocol_force_fields {
    uint64_t has;
    uint32_t next;
    struct protocol_list fields; // of struct protocol_force_field
};
#define PROTOCOL_HAS_FORCE_FIELDS_NEXT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_FIELDS_FIELDS (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_force_fields_type;

// Friction and restitution between two surfaces, given by their names. They replace the values that both
// sides have. Either name may come first.
struct protocol_surface_pair {
    uint64_t has;
    struct protocol_string one;
    struct protocol_string other;
    double friction;
    double friction_kinetic;
    double restitution;
};
#define PROTOCOL_HAS_SURFACE_PAIR_ONE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SURFACE_PAIR_OTHER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SURFACE_PAIR_FRICTION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SURFACE_PAIR_FRICTION_KINETIC (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SURFACE_PAIR_RESTITUTION (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_surface_pair_type;

// Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u +
// Cl |u| n], u the wind relative to the triangle, n its normal turned with the wind.
struct protocol_wind {
    uint64_t has;
    double velocity[3]; // m/s
    double drag;
    double lift;
    double density; // kg/m^3
    double gusts; // m/s
    double gust_length; // m
    uint32_t gust_seed;
    double gust_way[4]; // m
};
#define PROTOCOL_HAS_WIND_VELOCITY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WIND_DRAG (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WIND_LIFT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WIND_DENSITY (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WIND_GUSTS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WIND_GUST_LENGTH (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WIND_GUST_SEED (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WIND_GUST_WAY (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_wind_type;

// A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no
// part in the physics.
struct protocol_skin {
    uint64_t has;
    struct protocol_array particles;
    struct protocol_array weights;
    struct protocol_array triangles;
};
#define PROTOCOL_HAS_SKIN_PARTICLES (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SKIN_WEIGHTS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SKIN_TRIANGLES (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_skin_type;

// Colours of a surface, for programs that draw it.
struct protocol_look_material {
    uint64_t has;
    struct protocol_string name;
    double color[4];
    double metallic;
    double roughness;
    uint32_t image;
};
#define PROTOCOL_HAS_LOOK_MATERIAL_NAME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_LOOK_MATERIAL_COLOR (UINT64_C(1) << 1)
#define PROTOCOL_HAS_LOOK_MATERIAL_METALLIC (UINT64_C(1) << 2)
#define PROTOCOL_HAS_LOOK_MATERIAL_ROUGHNESS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_LOOK_MATERIAL_IMAGE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_look_material_type;

// A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at
// most 4096 x 4096 pixels. The server reads no more than its size.
struct protocol_look_image {
    uint64_t has;
    uint32_t bytes; // B
    struct protocol_array data;
};
#define PROTOCOL_HAS_LOOK_IMAGE_BYTES (UINT64_C(1) << 0)
#define PROTOCOL_HAS_LOOK_IMAGE_DATA (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_look_image_type;

// The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It
// takes no part in the physics; recordings write it.
struct protocol_look {
    uint64_t has;
    struct protocol_array uvs;
    struct protocol_array normals;
    struct protocol_list materials; // of struct protocol_look_material
    struct protocol_array triangle_materials;
    struct protocol_list images; // of struct protocol_look_image
};
#define PROTOCOL_HAS_LOOK_UVS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_LOOK_NORMALS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_LOOK_MATERIALS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_LOOK_TRIANGLE_MATERIALS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_LOOK_IMAGES (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_look_type;

// Wall time of the phases of the last tick. Not part of the state.
struct protocol_phase_times {
    uint64_t has;
    double wind; // us
    double predict; // us
    double solve; // us
    double contacts; // us
    double finish; // us
};
#define PROTOCOL_HAS_PHASE_TIMES_WIND (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PHASE_TIMES_PREDICT (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PHASE_TIMES_SOLVE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PHASE_TIMES_CONTACTS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PHASE_TIMES_FINISH (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_phase_times_type;

// Ids first, first + 1, ... first + count - 1.
struct protocol_id_range {
    uint64_t has;
    uint32_t first;
    uint32_t count;
};
#define PROTOCOL_HAS_ID_RANGE_FIRST (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ID_RANGE_COUNT (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_id_range_type;

// Constraint ids of a body, by kind.
struct protocol_constraint_ranges {
    uint64_t has;
    struct protocol_id_range distance;
    struct protocol_id_range dihedral;
    struct protocol_id_range isometric;
    struct protocol_id_range quadratic;
    struct protocol_id_range volume;
    struct protocol_id_range join;
    struct protocol_id_range slide;
    struct protocol_id_range slide_rail;
    struct protocol_id_range neo_hookean;
    struct protocol_id_range orthotropic;
    struct protocol_id_range rod_stretch;
    struct protocol_id_range rod_bend;
    struct protocol_id_range joint;
};
#define PROTOCOL_HAS_CONSTRAINT_RANGES_DISTANCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_DIHEDRAL (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_ISOMETRIC (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_QUADRATIC (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_VOLUME (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_JOIN (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_SLIDE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_SLIDE_RAIL (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_NEO_HOOKEAN (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_ORTHOTROPIC (UINT64_C(1) << 9)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_ROD_STRETCH (UINT64_C(1) << 10)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_ROD_BEND (UINT64_C(1) << 11)
#define PROTOCOL_HAS_CONSTRAINT_RANGES_JOINT (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_constraint_ranges_type;

// Something odd about a mesh or a collider that was accepted, or about what the solver makes of a body.
struct protocol_warning {
    uint64_t has;
    struct protocol_string code;
    struct protocol_string text;
    uint32_t count;
    struct protocol_array elements;
};
#define PROTOCOL_HAS_WARNING_CODE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WARNING_TEXT (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WARNING_COUNT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WARNING_ELEMENTS (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_warning_type;

// A session that joined a world.
struct protocol_person {
    uint64_t has;
    uint32_t session;
    struct protocol_string user;
    struct protocol_string client;
};
#define PROTOCOL_HAS_PERSON_SESSION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PERSON_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PERSON_CLIENT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_person_type;

// Role of a person in a world.
struct protocol_access_person {
    uint64_t has;
    struct protocol_string user;
    int role;
};
#define PROTOCOL_HAS_ACCESS_PERSON_USER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_PERSON_ROLE (UINT64_C(1) << 1)
enum {
    PROTOCOL_ACCESS_PERSON_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_PERSON_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_PERSON_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_person_type;

// A role in a world that one person gave to another.
struct protocol_access_given {
    uint64_t has;
    uint32_t world;
    struct protocol_string user;
    int role;
};
#define PROTOCOL_HAS_ACCESS_GIVEN_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_GIVEN_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_GIVEN_ROLE (UINT64_C(1) << 2)
enum {
    PROTOCOL_ACCESS_GIVEN_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_GIVEN_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_GIVEN_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_given_type;

// An invitation into a world that is still good.
struct protocol_access_invite {
    uint64_t has;
    uint32_t id;
    int role;
    uint32_t uses;
    struct protocol_string user;
    double expires_at; // s
    uint32_t world;
};
#define PROTOCOL_HAS_ACCESS_INVITE_ID (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_INVITE_ROLE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_INVITE_USES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_INVITE_USER (UINT64_C(1) << 3)
#define PROTOCOL_HAS_ACCESS_INVITE_EXPIRES_AT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_ACCESS_INVITE_WORLD (UINT64_C(1) << 5)
enum {
    PROTOCOL_ACCESS_INVITE_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_INVITE_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_INVITE_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_invite_type;

// A token; its secret is told once, when it is made.
struct protocol_access_token {
    uint64_t has;
    uint32_t id;
    struct protocol_string user;
    int role;
    double created_at; // s
    double expires_at; // s
    uint32_t sessions;
};
#define PROTOCOL_HAS_ACCESS_TOKEN_ID (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_TOKEN_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_TOKEN_ROLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_TOKEN_CREATED_AT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_ACCESS_TOKEN_EXPIRES_AT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_ACCESS_TOKEN_SESSIONS (UINT64_C(1) << 5)
enum {
    PROTOCOL_ACCESS_TOKEN_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_TOKEN_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_TOKEN_ROLE_ADMIN = 2,
};
extern const struct protocol_struct protocol_access_token_type;

// The point from which somebody looks at a world. Without a position: hidden.
struct protocol_presence_camera {
    uint64_t has;
    double position[3]; // m
    double target[3]; // m
    double up[3];
    double fov; // rad
};
#define PROTOCOL_HAS_PRESENCE_CAMERA_POSITION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESENCE_CAMERA_TARGET (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESENCE_CAMERA_UP (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PRESENCE_CAMERA_FOV (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_presence_camera_type;

// What somebody points at: a point, or a ray if there is nothing; neither: nothing.
struct protocol_presence_cursor {
    uint64_t has;
    double point[3]; // m
    double origin[3]; // m
    double direction[3];
};
#define PROTOCOL_HAS_PRESENCE_CURSOR_POINT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESENCE_CURSOR_ORIGIN (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESENCE_CURSOR_DIRECTION (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_presence_cursor_type;

// Something that somebody has selected: one of these.
struct protocol_presence_thing {
    uint64_t has;
    uint32_t body;
    uint32_t collider;
    uint32_t constraint;
};
#define PROTOCOL_HAS_PRESENCE_THING_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESENCE_THING_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESENCE_THING_CONSTRAINT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_presence_thing_type;

// A world in a list. For one that another server runs only id, name and place are told: state is paused,
// and numbers are 0. The same holds for one that no server can run, with trouble.
struct protocol_world_summary {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    int state;
    double rate;
    uint64_t tick;
    uint64_t revision;
    uint32_t bodies;
    uint32_t particles;
    uint32_t people;
    struct protocol_string server;
    struct protocol_string address;
    struct protocol_string web;
    struct protocol_string trouble;
    bool exact;
    uint64_t exact_tick;
    uint32_t exact_solver;
};
#define PROTOCOL_HAS_WORLD_SUMMARY_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SUMMARY_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SUMMARY_STATE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SUMMARY_RATE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SUMMARY_TICK (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_SUMMARY_REVISION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_SUMMARY_BODIES (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_SUMMARY_PARTICLES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_SUMMARY_PEOPLE (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_SUMMARY_SERVER (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_SUMMARY_ADDRESS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_SUMMARY_WEB (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_SUMMARY_TROUBLE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_SUMMARY_EXACT (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_SUMMARY_EXACT_TICK (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_SUMMARY_EXACT_SOLVER (UINT64_C(1) << 15)
enum {
    PROTOCOL_WORLD_SUMMARY_STATE_PAUSED = 0,
    PROTOCOL_WORLD_SUMMARY_STATE_PLAYING = 1,
    PROTOCOL_WORLD_SUMMARY_STATE_FAILED = 2,
};
extern const struct protocol_struct protocol_world_summary_type;

// A server of a deployment, as its last heartbeat told.
struct protocol_server_summary {
    uint64_t has;
    struct protocol_string server;
    struct protocol_string address;
    struct protocol_string web;
    bool here;
    bool draining;
    double load; // ms/s
    uint32_t worlds;
    uint32_t sessions;
    uint64_t beat_age_ms; // ms
    uint32_t solver;
    uint32_t api_level;
};
#define PROTOCOL_HAS_SERVER_SUMMARY_SERVER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SERVER_SUMMARY_ADDRESS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SERVER_SUMMARY_WEB (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SERVER_SUMMARY_HERE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SERVER_SUMMARY_DRAINING (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SERVER_SUMMARY_LOAD (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SERVER_SUMMARY_WORLDS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_SERVER_SUMMARY_SESSIONS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_SERVER_SUMMARY_BEAT_AGE_MS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_SERVER_SUMMARY_SOLVER (UINT64_C(1) << 9)
#define PROTOCOL_HAS_SERVER_SUMMARY_API_LEVEL (UINT64_C(1) << 10)
extern const struct protocol_struct protocol_server_summary_type;

// The last edit that concerned a thing.
struct protocol_touch {
    uint64_t has;
    uint64_t revision;
    uint32_t session;
    struct protocol_string user;
    struct protocol_string method;
};
#define PROTOCOL_HAS_TOUCH_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TOUCH_SESSION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TOUCH_USER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_TOUCH_METHOD (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_touch_type;

// A body in the document of a world.
struct protocol_body_summary {
    uint64_t has;
    uint32_t body;
    struct protocol_string name;
    int kind;
    uint32_t particles;
    uint32_t triangles;
    uint32_t edges;
    uint32_t tets;
    uint32_t skin;
    struct protocol_constraint_ranges constraints;
    int material;
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    struct protocol_rod rod;
    struct protocol_rigid rigid;
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    struct protocol_pressure pressure;
    double gravity[3]; // m/s^2
    struct protocol_own_wind wind;
    double force[3]; // N
    uint32_t force_ticks;
    struct protocol_shape shape;
    struct protocol_tear tear;
    struct protocol_array pins;
    struct protocol_array pin_colliders;
    struct protocol_array pin_compliances; // m/N
    struct protocol_array pin_distances; // m
    struct protocol_touch touched;
};
#define PROTOCOL_HAS_BODY_SUMMARY_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_SUMMARY_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_SUMMARY_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_SUMMARY_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_SUMMARY_TRIANGLES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_SUMMARY_EDGES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_SUMMARY_TETS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_SUMMARY_SKIN (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_SUMMARY_CONSTRAINTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_SUMMARY_MATERIAL (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_SUMMARY_STRETCH (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_SUMMARY_BEND (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_SUMMARY_VOLUME (UINT64_C(1) << 12)
#define PROTOCOL_HAS_BODY_SUMMARY_SOLID (UINT64_C(1) << 13)
#define PROTOCOL_HAS_BODY_SUMMARY_ROD (UINT64_C(1) << 14)
#define PROTOCOL_HAS_BODY_SUMMARY_RIGID (UINT64_C(1) << 15)
#define PROTOCOL_HAS_BODY_SUMMARY_THICKNESS (UINT64_C(1) << 16)
#define PROTOCOL_HAS_BODY_SUMMARY_SELF_CONTACT (UINT64_C(1) << 17)
#define PROTOCOL_HAS_BODY_SUMMARY_CONTACT_GROUP (UINT64_C(1) << 18)
#define PROTOCOL_HAS_BODY_SUMMARY_CONTACT_MASK (UINT64_C(1) << 19)
#define PROTOCOL_HAS_BODY_SUMMARY_FRICTION (UINT64_C(1) << 20)
#define PROTOCOL_HAS_BODY_SUMMARY_FRICTION_KINETIC (UINT64_C(1) << 21)
#define PROTOCOL_HAS_BODY_SUMMARY_RESTITUTION (UINT64_C(1) << 22)
#define PROTOCOL_HAS_BODY_SUMMARY_SURFACE (UINT64_C(1) << 23)
#define PROTOCOL_HAS_BODY_SUMMARY_PRESSURE (UINT64_C(1) << 24)
#define PROTOCOL_HAS_BODY_SUMMARY_GRAVITY (UINT64_C(1) << 25)
#define PROTOCOL_HAS_BODY_SUMMARY_WIND (UINT64_C(1) << 26)
#define PROTOCOL_HAS_BODY_SUMMARY_FORCE (UINT64_C(1) << 27)
#define PROTOCOL_HAS_BODY_SUMMARY_FORCE_TICKS (UINT64_C(1) << 28)
#define PROTOCOL_HAS_BODY_SUMMARY_SHAPE (UINT64_C(1) << 29)
#define PROTOCOL_HAS_BODY_SUMMARY_TEAR (UINT64_C(1) << 30)
#define PROTOCOL_HAS_BODY_SUMMARY_PINS (UINT64_C(1) << 31)
#define PROTOCOL_HAS_BODY_SUMMARY_PIN_COLLIDERS (UINT64_C(1) << 32)
#define PROTOCOL_HAS_BODY_SUMMARY_PIN_COMPLIANCES (UINT64_C(1) << 33)
#define PROTOCOL_HAS_BODY_SUMMARY_PIN_DISTANCES (UINT64_C(1) << 34)
#define PROTOCOL_HAS_BODY_SUMMARY_TOUCHED (UINT64_C(1) << 35)
enum {
    PROTOCOL_BODY_SUMMARY_KIND_CLOTH = 0,
    PROTOCOL_BODY_SUMMARY_KIND_ROPE = 1,
    PROTOCOL_BODY_SUMMARY_KIND_POINTS = 2,
    PROTOCOL_BODY_SUMMARY_KIND_SOFT = 3,
    PROTOCOL_BODY_SUMMARY_KIND_RIGID = 4,
};
enum {
    PROTOCOL_BODY_SUMMARY_MATERIAL_DENIM_STRETCH = 0,
    PROTOCOL_BODY_SUMMARY_MATERIAL_TROUSERS = 1,
    PROTOCOL_BODY_SUMMARY_MATERIAL_TABLECLOTH = 2,
    PROTOCOL_BODY_SUMMARY_MATERIAL_JACKET = 3,
    PROTOCOL_BODY_SUMMARY_MATERIAL_BLANKET = 4,
    PROTOCOL_BODY_SUMMARY_MATERIAL_SWIMSUIT = 5,
};
extern const struct protocol_struct protocol_body_summary_type;

// A collider.
struct protocol_collider_summary {
    uint64_t has;
    uint32_t collider;
    struct protocol_string name;
    int kind;
    double position[3]; // m
    double normal[3];
    double rotation[4];
    double radius; // m
    double length; // m
    double half_extents[3]; // m
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    struct protocol_touch touched;
    struct protocol_array points; // m
    struct protocol_array triangles;
    struct protocol_array heights; // m
    uint32_t columns;
    double spacing; // m
    double surface_velocity[3]; // m/s
    double surface_spin[3]; // rad/s
};
#define PROTOCOL_HAS_COLLIDER_SUMMARY_COLLIDER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_POSITION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_NORMAL (UINT64_C(1) << 4)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_ROTATION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_RADIUS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_LENGTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_HALF_EXTENTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_FRICTION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_FRICTION_KINETIC (UINT64_C(1) << 10)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_RESTITUTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_TOUCHED (UINT64_C(1) << 13)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_POINTS (UINT64_C(1) << 14)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_TRIANGLES (UINT64_C(1) << 15)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_HEIGHTS (UINT64_C(1) << 16)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_COLUMNS (UINT64_C(1) << 17)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_SPACING (UINT64_C(1) << 18)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE_VELOCITY (UINT64_C(1) << 19)
#define PROTOCOL_HAS_COLLIDER_SUMMARY_SURFACE_SPIN (UINT64_C(1) << 20)
enum {
    PROTOCOL_COLLIDER_SUMMARY_KIND_PLANE = 0,
    PROTOCOL_COLLIDER_SUMMARY_KIND_SPHERE = 1,
    PROTOCOL_COLLIDER_SUMMARY_KIND_CAPSULE = 2,
    PROTOCOL_COLLIDER_SUMMARY_KIND_BOX = 3,
    PROTOCOL_COLLIDER_SUMMARY_KIND_CYLINDER = 4,
    PROTOCOL_COLLIDER_SUMMARY_KIND_CONVEX = 5,
    PROTOCOL_COLLIDER_SUMMARY_KIND_HEIGHT_FIELD = 6,
};
extern const struct protocol_struct protocol_collider_summary_type;

// Pose of a collider at a moment.
struct protocol_collider_pose {
    uint64_t has;
    uint32_t collider;
    double position[3]; // m
    double rotation[4];
};
#define PROTOCOL_HAS_COLLIDER_POSE_COLLIDER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_POSE_POSITION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_POSE_ROTATION (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_collider_pose_type;

// A particle held by somebody.
struct protocol_grab_summary {
    uint64_t has;
    uint32_t grab;
    uint32_t body;
    uint32_t particle;
    double target[3]; // m
    double compliance; // m/N
    double force[3]; // N
    uint32_t session;
    struct protocol_string user;
};
#define PROTOCOL_HAS_GRAB_SUMMARY_GRAB (UINT64_C(1) << 0)
#define PROTOCOL_HAS_GRAB_SUMMARY_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_GRAB_SUMMARY_PARTICLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_GRAB_SUMMARY_TARGET (UINT64_C(1) << 3)
#define PROTOCOL_HAS_GRAB_SUMMARY_COMPLIANCE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_GRAB_SUMMARY_FORCE (UINT64_C(1) << 5)
#define PROTOCOL_HAS_GRAB_SUMMARY_SESSION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_GRAB_SUMMARY_USER (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_grab_summary_type;

// Sums over a world at a moment. They are computed in double and rounded once.
struct protocol_measures {
    uint64_t has;
    double kinetic; // J
    double potential; // J
    double elastic_distance; // J
    double elastic_dihedral; // J
    double elastic_isometric; // J
    double elastic_quadratic; // J
    double elastic_volume; // J
    double elastic_join; // J
    double elastic_slide; // J
    double elastic_slide_rail; // J
    double elastic_neo_hookean; // J
    double elastic_orthotropic; // J
    double elastic_rod_stretch; // J
    double elastic_rod_bend; // J
    double elastic_joint; // J
    double strain_max;
    double strain_rms;
    double volume_error;
    double volume_error_rms;
    double solid_volume_error;
    double solid_volume_error_rms;
    double yarn_strain_max; // strain
    double yarn_strain_rms; // strain
    uint32_t contacts;
    double tick_us; // us
    struct protocol_phase_times phases;
};
#define PROTOCOL_HAS_MEASURES_KINETIC (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MEASURES_POTENTIAL (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MEASURES_ELASTIC_DISTANCE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MEASURES_ELASTIC_DIHEDRAL (UINT64_C(1) << 3)
#define PROTOCOL_HAS_MEASURES_ELASTIC_ISOMETRIC (UINT64_C(1) << 4)
#define PROTOCOL_HAS_MEASURES_ELASTIC_QUADRATIC (UINT64_C(1) << 5)
#define PROTOCOL_HAS_MEASURES_ELASTIC_VOLUME (UINT64_C(1) << 6)
#define PROTOCOL_HAS_MEASURES_ELASTIC_JOIN (UINT64_C(1) << 7)
#define PROTOCOL_HAS_MEASURES_ELASTIC_SLIDE (UINT64_C(1) << 8)
#define PROTOCOL_HAS_MEASURES_ELASTIC_SLIDE_RAIL (UINT64_C(1) << 9)
#define PROTOCOL_HAS_MEASURES_ELASTIC_NEO_HOOKEAN (UINT64_C(1) << 10)
#define PROTOCOL_HAS_MEASURES_ELASTIC_ORTHOTROPIC (UINT64_C(1) << 11)
#define PROTOCOL_HAS_MEASURES_ELASTIC_ROD_STRETCH (UINT64_C(1) << 12)
#define PROTOCOL_HAS_MEASURES_ELASTIC_ROD_BEND (UINT64_C(1) << 13)
#define PROTOCOL_HAS_MEASURES_ELASTIC_JOINT (UINT64_C(1) << 14)
#define PROTOCOL_HAS_MEASURES_STRAIN_MAX (UINT64_C(1) << 15)
#define PROTOCOL_HAS_MEASURES_STRAIN_RMS (UINT64_C(1) << 16)
#define PROTOCOL_HAS_MEASURES_VOLUME_ERROR (UINT64_C(1) << 17)
#define PROTOCOL_HAS_MEASURES_VOLUME_ERROR_RMS (UINT64_C(1) << 18)
#define PROTOCOL_HAS_MEASURES_SOLID_VOLUME_ERROR (UINT64_C(1) << 19)
#define PROTOCOL_HAS_MEASURES_SOLID_VOLUME_ERROR_RMS (UINT64_C(1) << 20)
#define PROTOCOL_HAS_MEASURES_YARN_STRAIN_MAX (UINT64_C(1) << 21)
#define PROTOCOL_HAS_MEASURES_YARN_STRAIN_RMS (UINT64_C(1) << 22)
#define PROTOCOL_HAS_MEASURES_CONTACTS (UINT64_C(1) << 23)
#define PROTOCOL_HAS_MEASURES_TICK_US (UINT64_C(1) << 24)
#define PROTOCOL_HAS_MEASURES_PHASES (UINT64_C(1) << 25)
extern const struct protocol_struct protocol_measures_type;

// How well the solver converged for a body: errors that its material does not ask for. Constraints of
// constraint.add are left out.
struct protocol_convergence {
    uint64_t has;
    uint32_t body;
    struct protocol_string name;
    double strain_max;
    double strain_rms;
    double unresolved_stretch;
    double unresolved_bend;
    double unresolved_volume;
    double unresolved_solid;
    int bending;
    int swept_because;
};
#define PROTOCOL_HAS_CONVERGENCE_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONVERGENCE_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONVERGENCE_STRAIN_MAX (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONVERGENCE_STRAIN_RMS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONVERGENCE_UNRESOLVED_STRETCH (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONVERGENCE_UNRESOLVED_BEND (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONVERGENCE_UNRESOLVED_VOLUME (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONVERGENCE_UNRESOLVED_SOLID (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONVERGENCE_BENDING (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONVERGENCE_SWEPT_BECAUSE (UINT64_C(1) << 9)
enum {
    PROTOCOL_CONVERGENCE_BENDING_NONE = 0,
    PROTOCOL_CONVERGENCE_BENDING_SOLVED = 1,
    PROTOCOL_CONVERGENCE_BENDING_SWEPT = 2,
};
enum {
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_NOTHING = 0,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_WORLD = 1,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_MODEL = 2,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_RIGID = 3,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_STIFFNESS = 4,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_STIFF = 5,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_LARGE = 6,
    PROTOCOL_CONVERGENCE_SWEPT_BECAUSE_WAITS = 7,
};
extern const struct protocol_struct protocol_convergence_type;

// Contact of bodies with each other and with colliders in the last tick: the greatest value over its
// substeps unless noted. All 0 if no body meets any.
struct protocol_contact {
    uint64_t has;
    uint32_t pairs;
    uint32_t pushing;
    uint32_t crossed;
    uint32_t held;
    uint32_t shrunk;
    uint32_t dropped;
    double penetration;
    uint32_t pierced;
};
#define PROTOCOL_HAS_CONTACT_PAIRS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONTACT_PUSHING (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONTACT_CROSSED (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONTACT_HELD (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONTACT_SHRUNK (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONTACT_DROPPED (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONTACT_PENETRATION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONTACT_PIERCED (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_contact_type;

// Places where one body touches, was held back and crosses something.
struct protocol_contact_places {
    uint64_t has;
    uint32_t body;
    struct protocol_array touching;
    struct protocol_array held;
    struct protocol_array crossed;
};
#define PROTOCOL_HAS_CONTACT_PLACES_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONTACT_PLACES_TOUCHING (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONTACT_PLACES_HELD (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONTACT_PLACES_CROSSED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_contact_places_type;

// Places where bodies met in the last whole tick: at most 4096 particles that touch, 4096 that were held
// and 4096 edges, of 1024 bodies.
struct protocol_contacts {
    uint64_t has;
    bool known;
    struct protocol_list bodies; // of struct protocol_contact_places
    uint32_t more;
};
#define PROTOCOL_HAS_CONTACTS_KNOWN (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONTACTS_BODIES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONTACTS_MORE (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_contacts_type;

// The settings of world.create, without the name.
struct protocol_world_settings {
    uint64_t has;
    double gravity[3]; // m/s^2
    uint32_t tick_rate; // 1/s
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double resolution; // m
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    struct protocol_force_fields forces;
    struct protocol_list surfaces; // of struct protocol_surface_pair
};
#define PROTOCOL_HAS_WORLD_SETTINGS_GRAVITY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SETTINGS_TICK_RATE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SETTINGS_SUBSTEPS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SETTINGS_ITERATIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SETTINGS_DAMPING (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_SETTINGS_WIND (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_SETTINGS_RESOLUTION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_SETTINGS_EXTENT (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_SETTINGS_CONTACT_QUALITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_SETTINGS_UNTANGLE (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_SETTINGS_LONG_EDGES (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_SETTINGS_BENDING (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_SETTINGS_LOADS (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_SETTINGS_SLEEP (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_SETTINGS_CALM (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_SETTINGS_FORCES (UINT64_C(1) << 15)
#define PROTOCOL_HAS_WORLD_SETTINGS_SURFACES (UINT64_C(1) << 16)
enum {
    PROTOCOL_WORLD_SETTINGS_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_WORLD_SETTINGS_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_WORLD_SETTINGS_BENDING_SWEPT = 0,
    PROTOCOL_WORLD_SETTINGS_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_WORLD_SETTINGS_LOADS_SWEPT = 0,
    PROTOCOL_WORLD_SETTINGS_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_world_settings_type;

// What edits have left of a body's constraints of one kind: only if something was removed or changed.
struct protocol_constraint_history {
    uint64_t has;
    uint32_t built;
    struct protocol_array removed;
    struct protocol_array changed;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array shapes;
    struct protocol_array tile_colors;
    struct protocol_array colors;
};
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_BUILT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_REMOVED (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_CHANGED (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_REST (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_COMPLIANCE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_DAMPING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_STIFFNESS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_SHAPES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_TILE_COLORS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONSTRAINT_HISTORY_COLORS (UINT64_C(1) << 9)
extern const struct protocol_struct protocol_constraint_history_type;

// By kind of constraint, for those kinds that were edited.
struct protocol_body_history {
    uint64_t has;
    struct protocol_constraint_history distance;
    struct protocol_constraint_history dihedral;
    struct protocol_constraint_history isometric;
    struct protocol_constraint_history quadratic;
    struct protocol_constraint_history volume;
    struct protocol_constraint_history join;
    struct protocol_constraint_history slide;
    struct protocol_constraint_history slide_rail;
    struct protocol_constraint_history neo_hookean;
    struct protocol_constraint_history orthotropic;
    struct protocol_constraint_history rod_stretch;
    struct protocol_constraint_history rod_bend;
    struct protocol_constraint_history joint;
};
#define PROTOCOL_HAS_BODY_HISTORY_DISTANCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_HISTORY_DIHEDRAL (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_HISTORY_ISOMETRIC (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_HISTORY_QUADRATIC (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_HISTORY_VOLUME (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_HISTORY_JOIN (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_HISTORY_SLIDE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_HISTORY_SLIDE_RAIL (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_HISTORY_NEO_HOOKEAN (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_HISTORY_ORTHOTROPIC (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_HISTORY_ROD_STRETCH (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_HISTORY_ROD_BEND (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_HISTORY_JOINT (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_body_history_type;

// Present positions, velocities and masses of the particles of a body; absent arrays: as the body was
// made.
struct protocol_document_state {
    uint64_t has;
    struct protocol_array positions; // m
    struct protocol_array remainders; // quanta
    struct protocol_array velocities; // m/s
    struct protocol_array inverse_masses; // 1/kg
    struct protocol_array targets; // m
    struct protocol_array target_remainders; // quanta
    struct protocol_array pin_colliders;
    struct protocol_array pin_places; // m
    struct protocol_array pin_compliances; // m/N
    struct protocol_array pin_distances; // m
    struct protocol_array pin_starts; // quanta
    struct protocol_array pin_ends; // quanta
    struct protocol_array pin_ticks;
    struct protocol_array forced;
    struct protocol_array forces; // N
    struct protocol_array forces_ticks;
    bool asleep;
    uint32_t still;
    uint64_t mark;
    uint32_t island;
    uint32_t companions;
    struct protocol_array anchors; // quanta
    struct protocol_array turned;
    struct protocol_array pin_clamps;
    struct protocol_array pin_clamp_places;
    uint32_t bend_due;
};
#define PROTOCOL_HAS_DOCUMENT_STATE_POSITIONS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_STATE_REMAINDERS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_STATE_VELOCITIES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_STATE_INVERSE_MASSES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_STATE_TARGETS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_STATE_TARGET_REMAINDERS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_COLLIDERS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_PLACES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_COMPLIANCES (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_DISTANCES (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_STARTS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_ENDS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_TICKS (UINT64_C(1) << 12)
#define PROTOCOL_HAS_DOCUMENT_STATE_FORCED (UINT64_C(1) << 13)
#define PROTOCOL_HAS_DOCUMENT_STATE_FORCES (UINT64_C(1) << 14)
#define PROTOCOL_HAS_DOCUMENT_STATE_FORCES_TICKS (UINT64_C(1) << 15)
#define PROTOCOL_HAS_DOCUMENT_STATE_ASLEEP (UINT64_C(1) << 16)
#define PROTOCOL_HAS_DOCUMENT_STATE_STILL (UINT64_C(1) << 17)
#define PROTOCOL_HAS_DOCUMENT_STATE_MARK (UINT64_C(1) << 18)
#define PROTOCOL_HAS_DOCUMENT_STATE_ISLAND (UINT64_C(1) << 19)
#define PROTOCOL_HAS_DOCUMENT_STATE_COMPANIONS (UINT64_C(1) << 20)
#define PROTOCOL_HAS_DOCUMENT_STATE_ANCHORS (UINT64_C(1) << 21)
#define PROTOCOL_HAS_DOCUMENT_STATE_TURNED (UINT64_C(1) << 22)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMPS (UINT64_C(1) << 23)
#define PROTOCOL_HAS_DOCUMENT_STATE_PIN_CLAMP_PLACES (UINT64_C(1) << 24)
#define PROTOCOL_HAS_DOCUMENT_STATE_BEND_DUE (UINT64_C(1) << 25)
extern const struct protocol_struct protocol_document_state_type;

// A body: what body.add takes, and what has become of it since.
struct protocol_document_body {
    uint64_t has;
    uint32_t body;
    struct protocol_string name;
    int kind;
    struct protocol_array positions; // m
    struct protocol_array velocities; // m/s
    struct protocol_array triangles;
    struct protocol_array edges;
    struct protocol_array tets;
    double density;
    struct protocol_array masses; // kg
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    struct protocol_rod rod;
    double weld; // m
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    bool sleep;
    struct protocol_pressure pressure;
    double gravity[3]; // m/s^2
    struct protocol_own_wind wind;
    double force[3]; // N
    uint32_t force_ticks;
    struct protocol_shape shape;
    struct protocol_tear tear;
    struct protocol_torn torn;
    struct protocol_array pins;
    struct protocol_array clamps;
    struct protocol_skin skin;
    struct protocol_look look;
    uint32_t first_constraint;
    struct protocol_document_state state;
    struct protocol_body_history history;
    struct protocol_array yarn_uvs;
    struct protocol_rigid rigid;
    struct protocol_array rotations;
    struct protocol_array angular_velocities; // rad/s
};
#define PROTOCOL_HAS_DOCUMENT_BODY_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_BODY_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_BODY_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_BODY_POSITIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_BODY_VELOCITIES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_BODY_TRIANGLES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_BODY_EDGES (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_BODY_TETS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_BODY_DENSITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_BODY_MASSES (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_BODY_STRETCH (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_BODY_BEND (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_BODY_VOLUME (UINT64_C(1) << 12)
#define PROTOCOL_HAS_DOCUMENT_BODY_SOLID (UINT64_C(1) << 13)
#define PROTOCOL_HAS_DOCUMENT_BODY_ROD (UINT64_C(1) << 14)
#define PROTOCOL_HAS_DOCUMENT_BODY_WELD (UINT64_C(1) << 15)
#define PROTOCOL_HAS_DOCUMENT_BODY_THICKNESS (UINT64_C(1) << 16)
#define PROTOCOL_HAS_DOCUMENT_BODY_SELF_CONTACT (UINT64_C(1) << 17)
#define PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_GROUP (UINT64_C(1) << 18)
#define PROTOCOL_HAS_DOCUMENT_BODY_CONTACT_MASK (UINT64_C(1) << 19)
#define PROTOCOL_HAS_DOCUMENT_BODY_FRICTION (UINT64_C(1) << 20)
#define PROTOCOL_HAS_DOCUMENT_BODY_FRICTION_KINETIC (UINT64_C(1) << 21)
#define PROTOCOL_HAS_DOCUMENT_BODY_RESTITUTION (UINT64_C(1) << 22)
#define PROTOCOL_HAS_DOCUMENT_BODY_SURFACE (UINT64_C(1) << 23)
#define PROTOCOL_HAS_DOCUMENT_BODY_SLEEP (UINT64_C(1) << 24)
#define PROTOCOL_HAS_DOCUMENT_BODY_PRESSURE (UINT64_C(1) << 25)
#define PROTOCOL_HAS_DOCUMENT_BODY_GRAVITY (UINT64_C(1) << 26)
#define PROTOCOL_HAS_DOCUMENT_BODY_WIND (UINT64_C(1) << 27)
#define PROTOCOL_HAS_DOCUMENT_BODY_FORCE (UINT64_C(1) << 28)
#define PROTOCOL_HAS_DOCUMENT_BODY_FORCE_TICKS (UINT64_C(1) << 29)
#define PROTOCOL_HAS_DOCUMENT_BODY_SHAPE (UINT64_C(1) << 30)
#define PROTOCOL_HAS_DOCUMENT_BODY_TEAR (UINT64_C(1) << 31)
#define PROTOCOL_HAS_DOCUMENT_BODY_TORN (UINT64_C(1) << 32)
#define PROTOCOL_HAS_DOCUMENT_BODY_PINS (UINT64_C(1) << 33)
#define PROTOCOL_HAS_DOCUMENT_BODY_CLAMPS (UINT64_C(1) << 34)
#define PROTOCOL_HAS_DOCUMENT_BODY_SKIN (UINT64_C(1) << 35)
#define PROTOCOL_HAS_DOCUMENT_BODY_LOOK (UINT64_C(1) << 36)
#define PROTOCOL_HAS_DOCUMENT_BODY_FIRST_CONSTRAINT (UINT64_C(1) << 37)
#define PROTOCOL_HAS_DOCUMENT_BODY_STATE (UINT64_C(1) << 38)
#define PROTOCOL_HAS_DOCUMENT_BODY_HISTORY (UINT64_C(1) << 39)
#define PROTOCOL_HAS_DOCUMENT_BODY_YARN_UVS (UINT64_C(1) << 40)
#define PROTOCOL_HAS_DOCUMENT_BODY_RIGID (UINT64_C(1) << 41)
#define PROTOCOL_HAS_DOCUMENT_BODY_ROTATIONS (UINT64_C(1) << 42)
#define PROTOCOL_HAS_DOCUMENT_BODY_ANGULAR_VELOCITIES (UINT64_C(1) << 43)
enum {
    PROTOCOL_DOCUMENT_BODY_KIND_CLOTH = 0,
    PROTOCOL_DOCUMENT_BODY_KIND_ROPE = 1,
    PROTOCOL_DOCUMENT_BODY_KIND_POINTS = 2,
    PROTOCOL_DOCUMENT_BODY_KIND_SOFT = 3,
    PROTOCOL_DOCUMENT_BODY_KIND_RIGID = 4,
};
extern const struct protocol_struct protocol_document_body_type;

// A collider: what collider.add takes, and its earlier pose if it is under way.
struct protocol_document_collider {
    uint64_t has;
    uint32_t collider;
    struct protocol_string name;
    int kind;
    double position[3]; // m
    double normal[3];
    double rotation[4];
    double radius; // m
    double length; // m
    double half_extents[3]; // m
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    double remainder[3]; // quanta
    double from_position[3]; // m
    double from_remainder[3]; // quanta
    double from_rotation[4];
    double unturned[4];
    struct protocol_array points; // m
    struct protocol_array heights; // m
    uint32_t columns;
    double spacing; // m
    double surface_velocity[3]; // m/s
    double surface_spin[3]; // rad/s
};
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_COLLIDER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_POSITION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_NORMAL (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_ROTATION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_RADIUS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_LENGTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_HALF_EXTENTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_FRICTION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_FRICTION_KINETIC (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_RESTITUTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_REMAINDER (UINT64_C(1) << 13)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_POSITION (UINT64_C(1) << 14)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_REMAINDER (UINT64_C(1) << 15)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_FROM_ROTATION (UINT64_C(1) << 16)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_UNTURNED (UINT64_C(1) << 17)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_POINTS (UINT64_C(1) << 18)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_HEIGHTS (UINT64_C(1) << 19)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_COLUMNS (UINT64_C(1) << 20)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_SPACING (UINT64_C(1) << 21)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_VELOCITY (UINT64_C(1) << 22)
#define PROTOCOL_HAS_DOCUMENT_COLLIDER_SURFACE_SPIN (UINT64_C(1) << 23)
enum {
    PROTOCOL_DOCUMENT_COLLIDER_KIND_PLANE = 0,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_SPHERE = 1,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_CAPSULE = 2,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_BOX = 3,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_CYLINDER = 4,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_CONVEX = 5,
    PROTOCOL_DOCUMENT_COLLIDER_KIND_HEIGHT_FIELD = 6,
};
extern const struct protocol_struct protocol_document_collider_type;

// Loose constraints of one kind: what constraint.add takes, and what they have become.
struct protocol_document_constraints {
    uint64_t has;
    int type;
    struct protocol_ref body;
    struct protocol_array bodies;
    struct protocol_array particles;
    struct protocol_array sides;
    struct protocol_array weights;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array constraints;
    struct protocol_array colors;
    struct protocol_array shapes;
    struct protocol_array rest_end; // m
    struct protocol_array seconds; // s
    struct protocol_array force_limit; // N
    struct protocol_array ratio;
    struct protocol_array friction;
    struct protocol_array side; // m
    int joint;
    struct protocol_array anchors; // m
    struct protocol_array axes;
    struct protocol_array limits;
    struct protocol_array turn_compliance; // rad/(N m)
    int motor;
    struct protocol_array motor_target;
    struct protocol_array motor_most; // N m, N
    struct protocol_array motor_compliance; // rad/(N m), m/N
    uint32_t fields;
};
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_TYPE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_BODIES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_WEIGHTS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COMPLIANCE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_DAMPING (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_STIFFNESS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_CONSTRAINTS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_COLORS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SHAPES (UINT64_C(1) << 12)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_REST_END (UINT64_C(1) << 13)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SECONDS (UINT64_C(1) << 14)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FORCE_LIMIT (UINT64_C(1) << 15)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_RATIO (UINT64_C(1) << 16)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FRICTION (UINT64_C(1) << 17)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_SIDE (UINT64_C(1) << 18)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_JOINT (UINT64_C(1) << 19)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_ANCHORS (UINT64_C(1) << 20)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_AXES (UINT64_C(1) << 21)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_LIMITS (UINT64_C(1) << 22)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_TURN_COMPLIANCE (UINT64_C(1) << 23)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_MOTOR (UINT64_C(1) << 24)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_MOTOR_TARGET (UINT64_C(1) << 25)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_MOTOR_MOST (UINT64_C(1) << 26)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_MOTOR_COMPLIANCE (UINT64_C(1) << 27)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS_FIELDS (UINT64_C(1) << 28)
enum {
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_DISTANCE = 0,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_DIHEDRAL = 1,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_ISOMETRIC = 2,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_QUADRATIC = 3,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_VOLUME = 4,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_JOIN = 5,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_SLIDE = 6,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_SLIDE_RAIL = 7,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_NEO_HOOKEAN = 8,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_ORTHOTROPIC = 9,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_ROD_STRETCH = 10,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_ROD_BEND = 11,
    PROTOCOL_DOCUMENT_CONSTRAINTS_TYPE_JOINT = 12,
};
enum {
    PROTOCOL_DOCUMENT_CONSTRAINTS_JOINT_BALL = 0,
    PROTOCOL_DOCUMENT_CONSTRAINTS_JOINT_FIXED = 1,
    PROTOCOL_DOCUMENT_CONSTRAINTS_JOINT_HINGE = 2,
    PROTOCOL_DOCUMENT_CONSTRAINTS_JOINT_SLIDER = 3,
    PROTOCOL_DOCUMENT_CONSTRAINTS_JOINT_DISTANCE = 4,
};
enum {
    PROTOCOL_DOCUMENT_CONSTRAINTS_MOTOR_NONE = 0,
    PROTOCOL_DOCUMENT_CONSTRAINTS_MOTOR_SPEED = 1,
    PROTOCOL_DOCUMENT_CONSTRAINTS_MOTOR_TARGET = 2,
};
enum {
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_REST = 1u << 0,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_COMPLIANCE = 1u << 1,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_DAMPING = 1u << 2,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_STIFFNESS = 1u << 3,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_RATIO = 1u << 4,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_FRICTION = 1u << 5,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_SIDE = 1u << 6,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_REST_END = 1u << 7,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_FORCE_LIMIT = 1u << 8,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_LIMITS = 1u << 9,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_TURN_COMPLIANCE = 1u << 10,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_MOTOR = 1u << 11,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_MOTOR_TARGET = 1u << 12,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_MOTOR_MOST = 1u << 13,
    PROTOCOL_DOCUMENT_CONSTRAINTS_FIELDS_MOTOR_COMPLIANCE = 1u << 14,
};
extern const struct protocol_struct protocol_document_constraints_type;

// A motion: keyframes that move a collider, or pinned particles, as ticks go by.
struct protocol_motion_summary {
    uint64_t has;
    uint32_t motion;
    uint32_t collider;
    uint32_t body;
    struct protocol_array particles;
    struct protocol_array times; // s
    struct protocol_array offsets; // m
    bool loop;
    uint64_t age;
    struct protocol_array rotations;
    int interpolation;
    bool posed;
    struct protocol_array poses; // m
};
#define PROTOCOL_HAS_MOTION_SUMMARY_MOTION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_SUMMARY_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_SUMMARY_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MOTION_SUMMARY_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_MOTION_SUMMARY_TIMES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_MOTION_SUMMARY_OFFSETS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_MOTION_SUMMARY_LOOP (UINT64_C(1) << 6)
#define PROTOCOL_HAS_MOTION_SUMMARY_AGE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_MOTION_SUMMARY_ROTATIONS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_MOTION_SUMMARY_INTERPOLATION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_MOTION_SUMMARY_POSED (UINT64_C(1) << 10)
#define PROTOCOL_HAS_MOTION_SUMMARY_POSES (UINT64_C(1) << 11)
enum {
    PROTOCOL_MOTION_SUMMARY_INTERPOLATION_LINEAR = 0,
    PROTOCOL_MOTION_SUMMARY_INTERPOLATION_CUBIC = 1,
};
extern const struct protocol_struct protocol_motion_summary_type;

// A motion: what motion.add takes, and how far it is.
struct protocol_document_motion {
    uint64_t has;
    uint32_t motion;
    struct protocol_ref collider;
    struct protocol_ref body;
    struct protocol_array particles;
    struct protocol_array times; // s
    struct protocol_array offsets; // m
    bool loop;
    uint64_t age;
    struct protocol_array rotations;
    double pivot[3]; // m
    int interpolation;
    struct protocol_array arms; // m
    struct protocol_array poses; // m
};
#define PROTOCOL_HAS_DOCUMENT_MOTION_MOTION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_MOTION_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_MOTION_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_MOTION_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_MOTION_TIMES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_MOTION_OFFSETS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_MOTION_LOOP (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_MOTION_AGE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_MOTION_ROTATIONS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_MOTION_PIVOT (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_MOTION_INTERPOLATION (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_MOTION_ARMS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_MOTION_POSES (UINT64_C(1) << 12)
enum {
    PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_LINEAR = 0,
    PROTOCOL_DOCUMENT_MOTION_INTERPOLATION_CUBIC = 1,
};
extern const struct protocol_struct protocol_document_motion_type;

// A particle that is held. Its holder is no part of a document.
struct protocol_document_grab {
    uint64_t has;
    uint32_t grab;
    struct protocol_ref body;
    uint32_t particle;
    double target[3]; // m
    double remainder[3]; // quanta
    double compliance; // m/N
};
#define PROTOCOL_HAS_DOCUMENT_GRAB_GRAB (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_GRAB_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_GRAB_PARTICLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_GRAB_TARGET (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_GRAB_REMAINDER (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_GRAB_COMPLIANCE (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_document_grab_type;

// A whole world without its name, its people and their grabs: a saved world that is opened again has the
// same hash and the same future.
struct protocol_document {
    uint64_t has;
    uint32_t format;
    struct protocol_world_settings settings;
    uint64_t tick;
    struct protocol_list bodies; // of struct protocol_document_body
    struct protocol_list colliders; // of struct protocol_document_collider
    struct protocol_list constraints; // of struct protocol_document_constraints
    struct protocol_list motions; // of struct protocol_document_motion
    uint32_t next_body;
    uint32_t next_constraint;
    uint32_t next_grab;
    uint32_t next_collider;
    uint32_t next_motion;
    struct protocol_list grabs; // of struct protocol_document_grab
};
#define PROTOCOL_HAS_DOCUMENT_FORMAT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_DOCUMENT_SETTINGS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_DOCUMENT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_DOCUMENT_BODIES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_DOCUMENT_COLLIDERS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_DOCUMENT_CONSTRAINTS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_DOCUMENT_MOTIONS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_DOCUMENT_NEXT_BODY (UINT64_C(1) << 7)
#define PROTOCOL_HAS_DOCUMENT_NEXT_CONSTRAINT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_DOCUMENT_NEXT_GRAB (UINT64_C(1) << 9)
#define PROTOCOL_HAS_DOCUMENT_NEXT_COLLIDER (UINT64_C(1) << 10)
#define PROTOCOL_HAS_DOCUMENT_NEXT_MOTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_DOCUMENT_GRABS (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_document_type;

// Ids of things to remove; ids that do not exist are skipped.
struct protocol_restore_removed {
    uint64_t has;
    struct protocol_array bodies;
    struct protocol_array constraints;
    struct protocol_array colliders;
    struct protocol_array motions;
};
#define PROTOCOL_HAS_RESTORE_REMOVED_BODIES (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_REMOVED_CONSTRAINTS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_REMOVED_COLLIDERS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_REMOVED_MOTIONS (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_restore_removed_type;

// Settings of a world; absent ones stay as they are.
struct protocol_restore_settings {
    uint64_t has;
    double gravity[3]; // m/s^2
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    struct protocol_force_fields forces;
    struct protocol_string fields;
    struct protocol_list forces_set; // of struct protocol_force_field
    struct protocol_array forces_removed;
    uint32_t forces_next;
    struct protocol_list surfaces; // of struct protocol_surface_pair
};
#define PROTOCOL_HAS_RESTORE_SETTINGS_GRAVITY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_SETTINGS_SUBSTEPS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_SETTINGS_ITERATIONS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_SETTINGS_DAMPING (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RESTORE_SETTINGS_WIND (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RESTORE_SETTINGS_EXTENT (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RESTORE_SETTINGS_CONTACT_QUALITY (UINT64_C(1) << 6)
#define PROTOCOL_HAS_RESTORE_SETTINGS_UNTANGLE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_RESTORE_SETTINGS_LONG_EDGES (UINT64_C(1) << 8)
#define PROTOCOL_HAS_RESTORE_SETTINGS_BENDING (UINT64_C(1) << 9)
#define PROTOCOL_HAS_RESTORE_SETTINGS_LOADS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_RESTORE_SETTINGS_SLEEP (UINT64_C(1) << 11)
#define PROTOCOL_HAS_RESTORE_SETTINGS_CALM (UINT64_C(1) << 12)
#define PROTOCOL_HAS_RESTORE_SETTINGS_FORCES (UINT64_C(1) << 13)
#define PROTOCOL_HAS_RESTORE_SETTINGS_FIELDS (UINT64_C(1) << 14)
#define PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_SET (UINT64_C(1) << 15)
#define PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_REMOVED (UINT64_C(1) << 16)
#define PROTOCOL_HAS_RESTORE_SETTINGS_FORCES_NEXT (UINT64_C(1) << 17)
#define PROTOCOL_HAS_RESTORE_SETTINGS_SURFACES (UINT64_C(1) << 18)
enum {
    PROTOCOL_RESTORE_SETTINGS_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_RESTORE_SETTINGS_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_RESTORE_SETTINGS_BENDING_SWEPT = 0,
    PROTOCOL_RESTORE_SETTINGS_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_RESTORE_SETTINGS_LOADS_SWEPT = 0,
    PROTOCOL_RESTORE_SETTINGS_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_restore_settings_type;

// Values to restore in an existing body; absent fields stay as they are.
struct protocol_restore_body {
    uint64_t has;
    uint32_t body;
    struct protocol_string name;
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    bool sleep;
    struct protocol_pressure pressure;
    struct protocol_array gravity; // m/s^2
    struct protocol_own_wind wind;
    double force[3]; // N
    uint32_t force_ticks;
    struct protocol_shape shape;
    struct protocol_tear tear;
    struct protocol_string fields;
};
#define PROTOCOL_HAS_RESTORE_BODY_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_BODY_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_BODY_STRETCH (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_BODY_BEND (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RESTORE_BODY_VOLUME (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RESTORE_BODY_SOLID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RESTORE_BODY_THICKNESS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_RESTORE_BODY_SELF_CONTACT (UINT64_C(1) << 7)
#define PROTOCOL_HAS_RESTORE_BODY_CONTACT_GROUP (UINT64_C(1) << 8)
#define PROTOCOL_HAS_RESTORE_BODY_CONTACT_MASK (UINT64_C(1) << 9)
#define PROTOCOL_HAS_RESTORE_BODY_FRICTION (UINT64_C(1) << 10)
#define PROTOCOL_HAS_RESTORE_BODY_FRICTION_KINETIC (UINT64_C(1) << 11)
#define PROTOCOL_HAS_RESTORE_BODY_RESTITUTION (UINT64_C(1) << 12)
#define PROTOCOL_HAS_RESTORE_BODY_SURFACE (UINT64_C(1) << 13)
#define PROTOCOL_HAS_RESTORE_BODY_SLEEP (UINT64_C(1) << 14)
#define PROTOCOL_HAS_RESTORE_BODY_PRESSURE (UINT64_C(1) << 15)
#define PROTOCOL_HAS_RESTORE_BODY_GRAVITY (UINT64_C(1) << 16)
#define PROTOCOL_HAS_RESTORE_BODY_WIND (UINT64_C(1) << 17)
#define PROTOCOL_HAS_RESTORE_BODY_FORCE (UINT64_C(1) << 18)
#define PROTOCOL_HAS_RESTORE_BODY_FORCE_TICKS (UINT64_C(1) << 19)
#define PROTOCOL_HAS_RESTORE_BODY_SHAPE (UINT64_C(1) << 20)
#define PROTOCOL_HAS_RESTORE_BODY_TEAR (UINT64_C(1) << 21)
#define PROTOCOL_HAS_RESTORE_BODY_FIELDS (UINT64_C(1) << 22)
extern const struct protocol_struct protocol_restore_body_type;

// Values to restore in particles of a body.
struct protocol_restore_particles {
    uint64_t has;
    uint32_t body;
    struct protocol_array particles;
    bool pinned;
    struct protocol_document_state state;
};
#define PROTOCOL_HAS_RESTORE_PARTICLES_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_PARTICLES_PARTICLES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_PARTICLES_PINNED (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_PARTICLES_STATE (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_restore_particles_type;

// Constraints of one kind with which a body was added, to restore with these values. If the body was
// coloured again because some were removed, its earlier places are told as well.
struct protocol_restore_own {
    uint64_t has;
    uint32_t body;
    int type;
    struct protocol_array constraints;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array colors;
    uint32_t built;
    struct protocol_array places;
    struct protocol_array place_colors;
    struct protocol_array tile_colors;
    struct protocol_array shapes;
    bool rests_stay;
    uint32_t fields;
};
#define PROTOCOL_HAS_RESTORE_OWN_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_OWN_TYPE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_OWN_CONSTRAINTS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_OWN_REST (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RESTORE_OWN_COMPLIANCE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RESTORE_OWN_DAMPING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RESTORE_OWN_STIFFNESS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_RESTORE_OWN_COLORS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_RESTORE_OWN_BUILT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_RESTORE_OWN_PLACES (UINT64_C(1) << 9)
#define PROTOCOL_HAS_RESTORE_OWN_PLACE_COLORS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_RESTORE_OWN_TILE_COLORS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_RESTORE_OWN_SHAPES (UINT64_C(1) << 12)
#define PROTOCOL_HAS_RESTORE_OWN_RESTS_STAY (UINT64_C(1) << 13)
#define PROTOCOL_HAS_RESTORE_OWN_FIELDS (UINT64_C(1) << 14)
enum {
    PROTOCOL_RESTORE_OWN_TYPE_DISTANCE = 0,
    PROTOCOL_RESTORE_OWN_TYPE_DIHEDRAL = 1,
    PROTOCOL_RESTORE_OWN_TYPE_ISOMETRIC = 2,
    PROTOCOL_RESTORE_OWN_TYPE_QUADRATIC = 3,
    PROTOCOL_RESTORE_OWN_TYPE_VOLUME = 4,
    PROTOCOL_RESTORE_OWN_TYPE_JOIN = 5,
    PROTOCOL_RESTORE_OWN_TYPE_SLIDE = 6,
    PROTOCOL_RESTORE_OWN_TYPE_SLIDE_RAIL = 7,
    PROTOCOL_RESTORE_OWN_TYPE_NEO_HOOKEAN = 8,
    PROTOCOL_RESTORE_OWN_TYPE_ORTHOTROPIC = 9,
    PROTOCOL_RESTORE_OWN_TYPE_ROD_STRETCH = 10,
    PROTOCOL_RESTORE_OWN_TYPE_ROD_BEND = 11,
    PROTOCOL_RESTORE_OWN_TYPE_JOINT = 12,
};
enum {
    PROTOCOL_RESTORE_OWN_FIELDS_REST = 1u << 0,
    PROTOCOL_RESTORE_OWN_FIELDS_COMPLIANCE = 1u << 1,
    PROTOCOL_RESTORE_OWN_FIELDS_DAMPING = 1u << 2,
    PROTOCOL_RESTORE_OWN_FIELDS_STIFFNESS = 1u << 3,
};
extern const struct protocol_struct protocol_restore_own_type;

// Values to restore in a collider.
struct protocol_restore_collider {
    uint64_t has;
    uint32_t parts;
    struct protocol_document_collider collider;
};
#define PROTOCOL_HAS_RESTORE_COLLIDER_PARTS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_COLLIDER_COLLIDER (UINT64_C(1) << 1)
enum {
    PROTOCOL_RESTORE_COLLIDER_PARTS_NAME = 1u << 0,
    PROTOCOL_RESTORE_COLLIDER_PARTS_POSE = 1u << 1,
    PROTOCOL_RESTORE_COLLIDER_PARTS_SIZE = 1u << 2,
    PROTOCOL_RESTORE_COLLIDER_PARTS_FRICTION = 1u << 3,
    PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE = 1u << 4,
    PROTOCOL_RESTORE_COLLIDER_PARTS_FRICTION_KINETIC = 1u << 5,
    PROTOCOL_RESTORE_COLLIDER_PARTS_RESTITUTION = 1u << 6,
    PROTOCOL_RESTORE_COLLIDER_PARTS_POSITION = 1u << 7,
    PROTOCOL_RESTORE_COLLIDER_PARTS_ROTATION = 1u << 8,
    PROTOCOL_RESTORE_COLLIDER_PARTS_RADIUS = 1u << 9,
    PROTOCOL_RESTORE_COLLIDER_PARTS_LENGTH = 1u << 10,
    PROTOCOL_RESTORE_COLLIDER_PARTS_HALF_EXTENTS = 1u << 11,
    PROTOCOL_RESTORE_COLLIDER_PARTS_POINTS = 1u << 12,
    PROTOCOL_RESTORE_COLLIDER_PARTS_HEIGHTS = 1u << 13,
    PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_VELOCITY = 1u << 14,
    PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_SPIN = 1u << 15,
    PROTOCOL_RESTORE_COLLIDER_PARTS_SURFACE_NAME = 1u << 16,
};
extern const struct protocol_struct protocol_restore_collider_type;

// Next ids; absent ones stay.
struct protocol_restore_next {
    uint64_t has;
    uint32_t body;
    uint32_t constraint;
    uint32_t collider;
    uint32_t motion;
};
#define PROTOCOL_HAS_RESTORE_NEXT_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_NEXT_CONSTRAINT (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_NEXT_COLLIDER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_NEXT_MOTION (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_restore_next_type;

// Parameters of edit.restore, without the world.
struct protocol_restore_step {
    uint64_t has;
    struct protocol_restore_removed removed;
    struct protocol_string name;
    struct protocol_restore_settings settings;
    struct protocol_list bodies; // of struct protocol_document_body
    struct protocol_list parts; // of struct protocol_restore_body
    struct protocol_list particles; // of struct protocol_restore_particles
    struct protocol_list own; // of struct protocol_restore_own
    struct protocol_list constraints; // of struct protocol_document_constraints
    struct protocol_list colliders; // of struct protocol_restore_collider
    struct protocol_list motions; // of struct protocol_document_motion
    struct protocol_restore_next next;
    struct protocol_restore_next expected_next;
};
#define PROTOCOL_HAS_RESTORE_STEP_REMOVED (UINT64_C(1) << 0)
#define PROTOCOL_HAS_RESTORE_STEP_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_RESTORE_STEP_SETTINGS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_RESTORE_STEP_BODIES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_RESTORE_STEP_PARTS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_RESTORE_STEP_PARTICLES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_RESTORE_STEP_OWN (UINT64_C(1) << 6)
#define PROTOCOL_HAS_RESTORE_STEP_CONSTRAINTS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_RESTORE_STEP_COLLIDERS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_RESTORE_STEP_MOTIONS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_RESTORE_STEP_NEXT (UINT64_C(1) << 10)
#define PROTOCOL_HAS_RESTORE_STEP_EXPECTED_NEXT (UINT64_C(1) << 11)
extern const struct protocol_struct protocol_restore_step_type;

// A field that somebody changed after the edit that is undone or redone, and whose value is overwritten
// with force.
struct protocol_undo_overwritten {
    uint64_t has;
    struct protocol_string what;
    struct protocol_string thing;
    uint32_t id;
    struct protocol_string field;
    uint64_t revision;
    struct protocol_string method;
    struct protocol_string user;
};
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_WHAT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_THING (UINT64_C(1) << 1)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_ID (UINT64_C(1) << 2)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_FIELD (UINT64_C(1) << 3)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_METHOD (UINT64_C(1) << 5)
#define PROTOCOL_HAS_UNDO_OVERWRITTEN_USER (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_undo_overwritten_type;

// A thing that could not come back, because what it needs is gone.
struct protocol_undo_left_out {
    uint64_t has;
    struct protocol_string thing;
    uint32_t id;
    struct protocol_string why;
};
#define PROTOCOL_HAS_UNDO_LEFT_OUT_THING (UINT64_C(1) << 0)
#define PROTOCOL_HAS_UNDO_LEFT_OUT_ID (UINT64_C(1) << 1)
#define PROTOCOL_HAS_UNDO_LEFT_OUT_WHY (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_undo_left_out_type;

// The edit that was undone or redone.
struct protocol_undo_edit {
    uint64_t has;
    uint64_t revision;
    struct protocol_string method;
    struct protocol_string user;
};
#define PROTOCOL_HAS_UNDO_EDIT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_UNDO_EDIT_METHOD (UINT64_C(1) << 1)
#define PROTOCOL_HAS_UNDO_EDIT_USER (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_undo_edit_type;

// The outcome of an undo or redo as data, so that a record needs nothing else.
struct protocol_undo_back {
    uint64_t has;
    struct protocol_undo_edit edit;
    struct protocol_list steps; // of struct protocol_restore_step
    struct protocol_list left_out; // of struct protocol_undo_left_out
    struct protocol_list overwritten; // of struct protocol_undo_overwritten
};
#define PROTOCOL_HAS_UNDO_BACK_EDIT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_UNDO_BACK_STEPS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_UNDO_BACK_LEFT_OUT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_UNDO_BACK_OVERWRITTEN (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_undo_back_type;

// Describes the server and everything that it offers: this list.
struct protocol_server_info_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_server_info_params_type;

// Result of server.info.
struct protocol_server_info_result {
    uint64_t has;
    struct protocol_string name;
    struct protocol_string version;
    uint32_t api_level;
    uint32_t api_compatible;
    struct protocol_raw methods;
    struct protocol_raw notifications;
    struct protocol_raw errors;
    struct protocol_raw types;
    struct protocol_raw limits;
    struct protocol_storage storage;
};
#define PROTOCOL_HAS_SERVER_INFO_RESULT_NAME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_VERSION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_API_LEVEL (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_API_COMPATIBLE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_METHODS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_NOTIFICATIONS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_ERRORS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_TYPES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_LIMITS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_SERVER_INFO_RESULT_STORAGE (UINT64_C(1) << 9)
extern const struct protocol_struct protocol_server_info_result_type;

// Answers at once.
struct protocol_server_ping_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_server_ping_params_type;

// Result of server.ping.
struct protocol_server_ping_result {
    uint64_t has;
    uint64_t time_us; // us
};
#define PROTOCOL_HAS_SERVER_PING_RESULT_TIME_US (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_server_ping_result_type;

// Counts of the server since it started.
struct protocol_server_stats_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_server_stats_params_type;

// Result of server.stats.
struct protocol_server_stats_result {
    uint64_t has;
    double uptime; // s
    uint32_t threads;
    uint32_t sessions;
    uint64_t sessions_total;
    uint64_t sessions_cut;
    uint32_t worlds;
    uint32_t streams;
    uint64_t requests;
    uint64_t notifications_ignored;
    uint64_t bytes_in; // B
    uint64_t bytes_out; // B
    uint64_t frames_sent;
    uint64_t frames_dropped;
    uint64_t ticks;
    uint64_t ticks_late;
    uint64_t lateness_max_us; // us
};
#define PROTOCOL_HAS_SERVER_STATS_RESULT_UPTIME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_THREADS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_SESSIONS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_SESSIONS_TOTAL (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_SESSIONS_CUT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_WORLDS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_STREAMS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_REQUESTS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_NOTIFICATIONS_IGNORED (UINT64_C(1) << 8)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_BYTES_IN (UINT64_C(1) << 9)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_BYTES_OUT (UINT64_C(1) << 10)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_FRAMES_SENT (UINT64_C(1) << 11)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_FRAMES_DROPPED (UINT64_C(1) << 12)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_TICKS (UINT64_C(1) << 13)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_TICKS_LATE (UINT64_C(1) << 14)
#define PROTOCOL_HAS_SERVER_STATS_RESULT_LATENESS_MAX_US (UINT64_C(1) << 15)
extern const struct protocol_struct protocol_server_stats_result_type;

// Lists the servers of this deployment. Empty if a server keeps its worlds alone.
struct protocol_server_list_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_server_list_params_type;

// Result of server.list.
struct protocol_server_list_result {
    uint64_t has;
    struct protocol_list servers; // of struct protocol_server_summary
};
#define PROTOCOL_HAS_SERVER_LIST_RESULT_SERVERS (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_server_list_result_type;

// Introduces the caller and chooses encodings. Optional; may be repeated. The choices hold for the
// requests that follow.
struct protocol_session_hello_params {
    uint64_t has;
    struct protocol_string client;
    struct protocol_string user;
    struct protocol_string token;
    int arrays;
    int errors;
    bool follow;
    struct protocol_string resume;
    struct protocol_array unanswered;
    struct protocol_raw revisions;
    uint32_t hops;
    bool away;
};
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_CLIENT (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_TOKEN (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_ARRAYS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_ERRORS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_FOLLOW (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_RESUME (UINT64_C(1) << 6)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_UNANSWERED (UINT64_C(1) << 7)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_REVISIONS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_HOPS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_SESSION_HELLO_PARAMS_AWAY (UINT64_C(1) << 10)
enum {
    PROTOCOL_SESSION_HELLO_PARAMS_ARRAYS_EXT = 0,
    PROTOCOL_SESSION_HELLO_PARAMS_ARRAYS_BIN = 1,
    PROTOCOL_SESSION_HELLO_PARAMS_ARRAYS_PLAIN = 2,
};
enum {
    PROTOCOL_SESSION_HELLO_PARAMS_ERRORS_ARRAY = 0,
    PROTOCOL_SESSION_HELLO_PARAMS_ERRORS_MAP = 1,
};
extern const struct protocol_struct protocol_session_hello_params_type;

// Result of session.hello.
struct protocol_session_hello_result {
    uint64_t has;
    uint32_t session;
    struct protocol_string name;
    struct protocol_string version;
    uint32_t api_level;
    uint32_t api_compatible;
    struct protocol_string user;
    int role;
    bool tokens;
    int arrays;
    int errors;
    struct protocol_string resume;
    uint32_t grace; // s
    bool resumed;
    struct protocol_array lost;
    struct protocol_array rejoin;
    struct protocol_list servers; // of struct protocol_server_summary
};
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_SESSION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_VERSION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_API_LEVEL (UINT64_C(1) << 3)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_API_COMPATIBLE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_USER (UINT64_C(1) << 5)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_ROLE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_TOKENS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_ARRAYS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_ERRORS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_RESUME (UINT64_C(1) << 10)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_GRACE (UINT64_C(1) << 11)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_RESUMED (UINT64_C(1) << 12)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_LOST (UINT64_C(1) << 13)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_REJOIN (UINT64_C(1) << 14)
#define PROTOCOL_HAS_SESSION_HELLO_RESULT_SERVERS (UINT64_C(1) << 15)
enum {
    PROTOCOL_SESSION_HELLO_RESULT_ROLE_VIEWER = 0,
    PROTOCOL_SESSION_HELLO_RESULT_ROLE_EDITOR = 1,
    PROTOCOL_SESSION_HELLO_RESULT_ROLE_ADMIN = 2,
};
enum {
    PROTOCOL_SESSION_HELLO_RESULT_ARRAYS_EXT = 0,
    PROTOCOL_SESSION_HELLO_RESULT_ARRAYS_BIN = 1,
    PROTOCOL_SESSION_HELLO_RESULT_ARRAYS_PLAIN = 2,
};
enum {
    PROTOCOL_SESSION_HELLO_RESULT_ERRORS_ARRAY = 0,
    PROTOCOL_SESSION_HELLO_RESULT_ERRORS_MAP = 1,
};
extern const struct protocol_struct protocol_session_hello_result_type;

// Ends this session at once, with its grabs, streams and requests, and then its connection. A session
// whose connection is only lost is kept for a while.
struct protocol_session_leave_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_session_leave_params_type;

// Result of session.leave.
struct protocol_session_leave_result {
    uint64_t has;
};
extern const struct protocol_struct protocol_session_leave_result_type;

// Sets what others who joined this world see of the caller (world.presence). Absent fields stay as they
// are. It is never kept, and is no part of the world.
struct protocol_presence_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string name;
    struct protocol_string color;
    struct protocol_presence_camera camera;
    struct protocol_presence_cursor cursor;
    struct protocol_list selection; // of struct protocol_presence_thing
};
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_COLOR (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_CAMERA (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_CURSOR (UINT64_C(1) << 4)
#define PROTOCOL_HAS_PRESENCE_SET_PARAMS_SELECTION (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_presence_set_params_type;

// Result of presence.set.
struct protocol_presence_set_result {
    uint64_t has;
};
extern const struct protocol_struct protocol_presence_set_result_type;

// Sends a line to all who joined this world, the caller included (world.said). It is never kept, and is
// no part of the world.
struct protocol_presence_say_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string text;
};
#define PROTOCOL_HAS_PRESENCE_SAY_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PRESENCE_SAY_PARAMS_TEXT (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_presence_say_params_type;

// Result of presence.say.
struct protocol_presence_say_result {
    uint64_t has;
    uint64_t line;
};
#define PROTOCOL_HAS_PRESENCE_SAY_RESULT_LINE (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_presence_say_result_type;

// Makes a world, paused.
struct protocol_world_create_params {
    uint64_t has;
    struct protocol_string name;
    double gravity[3]; // m/s^2
    uint32_t tick_rate; // 1/s
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double resolution; // m
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    struct protocol_force_fields forces;
    struct protocol_list surfaces; // of struct protocol_surface_pair
};
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_NAME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_GRAVITY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_TICK_RATE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_SUBSTEPS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_ITERATIONS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_DAMPING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_WIND (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_RESOLUTION (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_EXTENT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_CONTACT_QUALITY (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_UNTANGLE (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_LONG_EDGES (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_BENDING (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_LOADS (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_SLEEP (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_CALM (UINT64_C(1) << 15)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_FORCES (UINT64_C(1) << 16)
#define PROTOCOL_HAS_WORLD_CREATE_PARAMS_SURFACES (UINT64_C(1) << 17)
enum {
    PROTOCOL_WORLD_CREATE_PARAMS_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_WORLD_CREATE_PARAMS_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SWEPT = 0,
    PROTOCOL_WORLD_CREATE_PARAMS_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SWEPT = 0,
    PROTOCOL_WORLD_CREATE_PARAMS_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_world_create_params_type;

// Result of world.create.
struct protocol_world_create_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t revision;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_CREATE_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CREATE_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_CREATE_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_CREATE_RESULT_TICK (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_world_create_result_type;

// Lists all worlds that the caller may see, by id.
struct protocol_world_list_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_world_list_params_type;

// Result of world.list.
struct protocol_world_list_result {
    uint64_t has;
    struct protocol_list worlds; // of struct protocol_world_summary
};
#define PROTOCOL_HAS_WORLD_LIST_RESULT_WORLDS (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_list_result_type;

// Tells settings and counts of a world.
struct protocol_world_get_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_GET_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_get_params_type;

// Result of world.get.
struct protocol_world_get_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    int state;
    struct protocol_string reason;
    double rate;
    uint64_t tick;
    double time; // s
    uint64_t revision;
    double gravity[3]; // m/s^2
    uint32_t tick_rate; // 1/s
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double resolution; // m
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    uint32_t bodies;
    uint32_t particles;
    uint32_t constraints;
    uint32_t colliders;
    uint32_t grabs;
    uint32_t people;
    uint32_t streams;
    uint64_t ticks_late;
    uint64_t lateness_us; // us
    uint64_t lateness_max_us; // us
    uint64_t time_lost_us; // us
    double tick_us; // us
    uint64_t frames_dropped;
    struct protocol_string read_only;
    uint32_t view_of;
    bool slowed;
    bool hold;
    uint32_t held_by;
    uint64_t epoch;
    bool exact;
    uint64_t exact_tick;
    uint32_t exact_solver;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_GET_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_GET_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_GET_RESULT_STATE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_GET_RESULT_REASON (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_GET_RESULT_RATE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TICK (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TIME (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_GET_RESULT_REVISION (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_GET_RESULT_GRAVITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TICK_RATE (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_GET_RESULT_SUBSTEPS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_GET_RESULT_ITERATIONS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_GET_RESULT_DAMPING (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_GET_RESULT_WIND (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_GET_RESULT_RESOLUTION (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_GET_RESULT_EXTENT (UINT64_C(1) << 15)
#define PROTOCOL_HAS_WORLD_GET_RESULT_CONTACT_QUALITY (UINT64_C(1) << 16)
#define PROTOCOL_HAS_WORLD_GET_RESULT_UNTANGLE (UINT64_C(1) << 17)
#define PROTOCOL_HAS_WORLD_GET_RESULT_LONG_EDGES (UINT64_C(1) << 18)
#define PROTOCOL_HAS_WORLD_GET_RESULT_BENDING (UINT64_C(1) << 19)
#define PROTOCOL_HAS_WORLD_GET_RESULT_LOADS (UINT64_C(1) << 20)
#define PROTOCOL_HAS_WORLD_GET_RESULT_SLEEP (UINT64_C(1) << 21)
#define PROTOCOL_HAS_WORLD_GET_RESULT_CALM (UINT64_C(1) << 22)
#define PROTOCOL_HAS_WORLD_GET_RESULT_BODIES (UINT64_C(1) << 23)
#define PROTOCOL_HAS_WORLD_GET_RESULT_PARTICLES (UINT64_C(1) << 24)
#define PROTOCOL_HAS_WORLD_GET_RESULT_CONSTRAINTS (UINT64_C(1) << 25)
#define PROTOCOL_HAS_WORLD_GET_RESULT_COLLIDERS (UINT64_C(1) << 26)
#define PROTOCOL_HAS_WORLD_GET_RESULT_GRABS (UINT64_C(1) << 27)
#define PROTOCOL_HAS_WORLD_GET_RESULT_PEOPLE (UINT64_C(1) << 28)
#define PROTOCOL_HAS_WORLD_GET_RESULT_STREAMS (UINT64_C(1) << 29)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TICKS_LATE (UINT64_C(1) << 30)
#define PROTOCOL_HAS_WORLD_GET_RESULT_LATENESS_US (UINT64_C(1) << 31)
#define PROTOCOL_HAS_WORLD_GET_RESULT_LATENESS_MAX_US (UINT64_C(1) << 32)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TIME_LOST_US (UINT64_C(1) << 33)
#define PROTOCOL_HAS_WORLD_GET_RESULT_TICK_US (UINT64_C(1) << 34)
#define PROTOCOL_HAS_WORLD_GET_RESULT_FRAMES_DROPPED (UINT64_C(1) << 35)
#define PROTOCOL_HAS_WORLD_GET_RESULT_READ_ONLY (UINT64_C(1) << 36)
#define PROTOCOL_HAS_WORLD_GET_RESULT_VIEW_OF (UINT64_C(1) << 37)
#define PROTOCOL_HAS_WORLD_GET_RESULT_SLOWED (UINT64_C(1) << 38)
#define PROTOCOL_HAS_WORLD_GET_RESULT_HOLD (UINT64_C(1) << 39)
#define PROTOCOL_HAS_WORLD_GET_RESULT_HELD_BY (UINT64_C(1) << 40)
#define PROTOCOL_HAS_WORLD_GET_RESULT_EPOCH (UINT64_C(1) << 41)
#define PROTOCOL_HAS_WORLD_GET_RESULT_EXACT (UINT64_C(1) << 42)
#define PROTOCOL_HAS_WORLD_GET_RESULT_EXACT_TICK (UINT64_C(1) << 43)
#define PROTOCOL_HAS_WORLD_GET_RESULT_EXACT_SOLVER (UINT64_C(1) << 44)
#define PROTOCOL_HAS_WORLD_GET_RESULT_DURABLE_REVISION (UINT64_C(1) << 45)
#define PROTOCOL_HAS_WORLD_GET_RESULT_DURABLE (UINT64_C(1) << 46)
enum {
    PROTOCOL_WORLD_GET_RESULT_STATE_PAUSED = 0,
    PROTOCOL_WORLD_GET_RESULT_STATE_PLAYING = 1,
    PROTOCOL_WORLD_GET_RESULT_STATE_FAILED = 2,
};
enum {
    PROTOCOL_WORLD_GET_RESULT_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_WORLD_GET_RESULT_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_WORLD_GET_RESULT_BENDING_SWEPT = 0,
    PROTOCOL_WORLD_GET_RESULT_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_WORLD_GET_RESULT_LOADS_SWEPT = 0,
    PROTOCOL_WORLD_GET_RESULT_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_world_get_result_type;

// Changes settings; absent fields stay as they are.
struct protocol_world_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string name;
    double gravity[3]; // m/s^2
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    struct protocol_list surfaces; // of struct protocol_surface_pair
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_WORLD_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_GRAVITY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_SUBSTEPS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_ITERATIONS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_DAMPING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_WIND (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_EXTENT (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_CONTACT_QUALITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_UNTANGLE (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_LONG_EDGES (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_BENDING (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_LOADS (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_SLEEP (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_CALM (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_SURFACES (UINT64_C(1) << 15)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_IF_REVISION (UINT64_C(1) << 16)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 17)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 18)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_EDIT_ID (UINT64_C(1) << 19)
#define PROTOCOL_HAS_WORLD_SET_PARAMS_GESTURE (UINT64_C(1) << 20)
enum {
    PROTOCOL_WORLD_SET_PARAMS_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_WORLD_SET_PARAMS_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_WORLD_SET_PARAMS_BENDING_SWEPT = 0,
    PROTOCOL_WORLD_SET_PARAMS_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_WORLD_SET_PARAMS_LOADS_SWEPT = 0,
    PROTOCOL_WORLD_SET_PARAMS_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_world_set_params_type;

// Result of world.set.
struct protocol_world_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_WORLD_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_set_result_type;

// Deletes a world: streams close, later requests answer NOT_FOUND.
struct protocol_world_delete_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_DELETE_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_delete_params_type;

// Result of world.delete.
struct protocol_world_delete_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_DELETE_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_delete_result_type;

// Makes another server of the deployment run the world from here on. The world plays on while that server
// fetches it, and stands still for a moment during the change. world.changed tells those who joined. A
// world that no server could run (trouble in world.list) is tried again by that server. While servers of
// several versions run, a world goes only to those of its own version, unless there are none or this one
// is about to end. CONFLICT: the world stays here, or still cannot be run, and the text says why.
struct protocol_world_move_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string server;
};
#define PROTOCOL_HAS_WORLD_MOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_MOVE_PARAMS_SERVER (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_move_params_type;

// Result of world.move.
struct protocol_world_move_result {
    uint64_t has;
    struct protocol_string server;
    struct protocol_string address;
    struct protocol_string web;
};
#define PROTOCOL_HAS_WORLD_MOVE_RESULT_SERVER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_MOVE_RESULT_ADDRESS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_MOVE_RESULT_WEB (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_move_result_type;

// Gives the present document, and from then on world.edited and world.changed without a gap.
struct protocol_world_join_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_JOIN_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_join_params_type;

// Result of world.join.
struct protocol_world_join_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    int state;
    double rate;
    uint64_t tick;
    uint64_t revision;
    double gravity[3]; // m/s^2
    uint32_t tick_rate; // 1/s
    uint32_t substeps;
    uint32_t iterations;
    double damping; // 1/s
    struct protocol_wind wind;
    double resolution; // m
    double extent; // m
    int contact_quality;
    bool untangle;
    bool long_edges;
    int bending;
    int loads;
    bool sleep;
    bool calm;
    struct protocol_list people; // of struct protocol_person
    struct protocol_list bodies; // of struct protocol_body_summary
    struct protocol_list colliders; // of struct protocol_collider_summary
    struct protocol_list grabs; // of struct protocol_grab_summary
    struct protocol_list forces; // of struct protocol_force_field
    struct protocol_list surfaces; // of struct protocol_surface_pair
    struct protocol_string read_only;
    uint32_t view_of;
    bool slowed;
    bool hold;
    uint32_t held_by;
    uint64_t epoch;
    bool exact;
    uint64_t exact_tick;
    uint32_t exact_solver;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_STATE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_RATE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_TICK (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_REVISION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_GRAVITY (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_TICK_RATE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_SUBSTEPS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_ITERATIONS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_DAMPING (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_WIND (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_RESOLUTION (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_EXTENT (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_CONTACT_QUALITY (UINT64_C(1) << 14)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_UNTANGLE (UINT64_C(1) << 15)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_LONG_EDGES (UINT64_C(1) << 16)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_BENDING (UINT64_C(1) << 17)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_LOADS (UINT64_C(1) << 18)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_SLEEP (UINT64_C(1) << 19)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_CALM (UINT64_C(1) << 20)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_PEOPLE (UINT64_C(1) << 21)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_BODIES (UINT64_C(1) << 22)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_COLLIDERS (UINT64_C(1) << 23)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_GRABS (UINT64_C(1) << 24)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_FORCES (UINT64_C(1) << 25)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_SURFACES (UINT64_C(1) << 26)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_READ_ONLY (UINT64_C(1) << 27)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_VIEW_OF (UINT64_C(1) << 28)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_SLOWED (UINT64_C(1) << 29)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_HOLD (UINT64_C(1) << 30)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_HELD_BY (UINT64_C(1) << 31)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_EPOCH (UINT64_C(1) << 32)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_EXACT (UINT64_C(1) << 33)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_EXACT_TICK (UINT64_C(1) << 34)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_EXACT_SOLVER (UINT64_C(1) << 35)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_DURABLE_REVISION (UINT64_C(1) << 36)
#define PROTOCOL_HAS_WORLD_JOIN_RESULT_DURABLE (UINT64_C(1) << 37)
enum {
    PROTOCOL_WORLD_JOIN_RESULT_STATE_PAUSED = 0,
    PROTOCOL_WORLD_JOIN_RESULT_STATE_PLAYING = 1,
    PROTOCOL_WORLD_JOIN_RESULT_STATE_FAILED = 2,
};
enum {
    PROTOCOL_WORLD_JOIN_RESULT_CONTACT_QUALITY_GUARANTEED = 0,
    PROTOCOL_WORLD_JOIN_RESULT_CONTACT_QUALITY_FAST = 1,
};
enum {
    PROTOCOL_WORLD_JOIN_RESULT_BENDING_SWEPT = 0,
    PROTOCOL_WORLD_JOIN_RESULT_BENDING_SOLVED = 1,
};
enum {
    PROTOCOL_WORLD_JOIN_RESULT_LOADS_SWEPT = 0,
    PROTOCOL_WORLD_JOIN_RESULT_LOADS_SOLVED = 1,
};
extern const struct protocol_struct protocol_world_join_result_type;

// Ends what world.join began. Streams and grabs stay; a view (world.seek) ends.
struct protocol_world_leave_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_LEAVE_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_leave_params_type;

// Result of world.leave.
struct protocol_world_leave_result {
    uint64_t has;
    uint64_t revision;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_LEAVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_LEAVE_RESULT_DURABLE_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_LEAVE_RESULT_DURABLE (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_leave_result_type;

// Lets the world run, or changes its rate. A failed world answers CONFLICT until edit.undo or world.reset
// mends it.
struct protocol_world_play_params {
    uint64_t has;
    struct protocol_ref world;
    double rate;
};
#define PROTOCOL_HAS_WORLD_PLAY_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_PLAY_PARAMS_RATE (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_play_params_type;

// Result of world.play.
struct protocol_world_play_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_PLAY_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_play_result_type;

// Stops the world at the next tick boundary, and cuts a world.step short.
struct protocol_world_pause_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_PAUSE_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_pause_params_type;

// Result of world.pause.
struct protocol_world_pause_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_PAUSE_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_pause_result_type;

// Sets whether lossless streams may hold the world: if their backlog is full, its next tick waits for
// them, playing or stepping, while edits, queries and world.pause go on. Off in every new world, and
// after the server starts again. When it is turned off, a stream whose backlog is full ends.
struct protocol_world_hold_params {
    uint64_t has;
    struct protocol_ref world;
    bool allow;
};
#define PROTOCOL_HAS_WORLD_HOLD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_HOLD_PARAMS_ALLOW (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_hold_params_type;

// Result of world.hold.
struct protocol_world_hold_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_HOLD_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_hold_result_type;

// Runs a paused world for so many ticks and answers after the last. Later requests of the same session
// wait for it, except world.pause; edits of others apply at tick boundaries.
struct protocol_world_step_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t ticks;
};
#define PROTOCOL_HAS_WORLD_STEP_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_STEP_PARAMS_TICKS (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_step_params_type;

// Result of world.step.
struct protocol_world_step_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_STEP_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_step_result_type;

// Sets positions and velocities as in body.add; grabs end, everything else stays, tick and time go on. It
// pauses a failed world.
struct protocol_world_reset_params {
    uint64_t has;
    struct protocol_ref world;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_IF_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_IF_EPOCH (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_EDIT_ID (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_RESET_PARAMS_GESTURE (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_world_reset_params_type;

// Result of world.reset.
struct protocol_world_reset_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_WORLD_RESET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RESET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_RESET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_reset_result_type;

// Tells the hash of the state at a tick boundary, for comparing runs.
struct protocol_world_hash_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_HASH_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_hash_params_type;

// Result of world.hash.
struct protocol_world_hash_result {
    uint64_t has;
    uint64_t tick;
    uint64_t revision;
    struct protocol_string hash;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_HASH_RESULT_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_HASH_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_HASH_RESULT_HASH (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_HASH_RESULT_DURABLE_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_HASH_RESULT_DURABLE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_hash_result_type;

// Tells energies, strain, contacts and tick time.
struct protocol_world_measure_params {
    uint64_t has;
    struct protocol_ref world;
    bool crossings;
};
#define PROTOCOL_HAS_WORLD_MEASURE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_MEASURE_PARAMS_CROSSINGS (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_measure_params_type;

// Result of world.measure.
struct protocol_world_measure_result {
    uint64_t has;
    uint64_t tick;
    uint64_t revision;
    struct protocol_measures measures;
    struct protocol_contact contact;
    uint64_t crossings;
    uint64_t pierced;
    double wait_ms; // ms
    struct protocol_list convergence; // of struct protocol_convergence
    struct protocol_list pressures; // of struct protocol_pressure_measure
    struct protocol_list shapes; // of struct protocol_shape_measure
    struct protocol_list warnings; // of struct protocol_warning
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_MEASURES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_CONTACT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_CROSSINGS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_PIERCED (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_WAIT_MS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_CONVERGENCE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_PRESSURES (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_SHAPES (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_WARNINGS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_DURABLE_REVISION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_MEASURE_RESULT_DURABLE (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_world_measure_result_type;

// Gives the whole world as a document, from which world.open makes it again, to the bit. Grabs belong to
// people and are left out; a failed world answers CONFLICT. A large world goes on while its document is
// made: the document is of the boundary that the answer names, and edits and another world.save wait
// until it is made.
struct protocol_world_save_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_SAVE_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_save_params_type;

// Result of world.save.
struct protocol_world_save_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t revision;
    uint64_t tick;
    struct protocol_string hash;
    uint64_t sequence;
    struct protocol_document document;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_TICK (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_HASH (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_SEQUENCE (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_DOCUMENT (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_DURABLE_REVISION (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_SAVE_RESULT_DURABLE (UINT64_C(1) << 8)
extern const struct protocol_struct protocol_world_save_result_type;

// Gives the records of the world, one after another: the inputs that changed its future
// (docs/reference/records.md). With the document of world.save they give the world at any tick after it.
// Their sequences have no gaps, so the next page begins after the last of this one, until that is
// sequence. The last ones, record_bytes of them, come from memory; older ones, and those from before the
// server started, come from the world's past, as of a moment ago and fewer at a time if they are large.
// If the records are kept no more, it answers NOT_FOUND.
struct protocol_world_records_params {
    uint64_t has;
    struct protocol_ref world;
    uint64_t after;
    uint32_t limit;
};
#define PROTOCOL_HAS_WORLD_RECORDS_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RECORDS_PARAMS_AFTER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_RECORDS_PARAMS_LIMIT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_records_params_type;

// Result of world.records.
struct protocol_world_records_result {
    uint64_t has;
    uint64_t tick;
    uint64_t revision;
    uint64_t sequence;
    struct protocol_raw records;
    uint64_t first;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_SEQUENCE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_RECORDS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_FIRST (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_DURABLE_REVISION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_RECORDS_RESULT_DURABLE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_world_records_result_type;

// Tells what is kept of a world's past, as of a moment ago.
struct protocol_world_history_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_WORLD_HISTORY_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_history_params_type;

// Result of world.history.
struct protocol_world_history_result {
    uint64_t has;
    uint32_t world;
    uint64_t first_tick;
    uint64_t tick;
    uint64_t revision;
    uint64_t records;
    uint64_t images;
    uint64_t bytes; // B
    struct protocol_list spans; // of struct protocol_history_span
    struct protocol_array image_ticks;
    double began_at; // s
    uint64_t first_sequence;
};
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_FIRST_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_RECORDS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_IMAGES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_BYTES (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_SPANS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_IMAGE_TICKS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_BEGAN_AT (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_HISTORY_RESULT_FIRST_SEQUENCE (UINT64_C(1) << 10)
extern const struct protocol_struct protocol_world_history_result_type;

// Shows a tick of the past to the calling session, in a world of its own, the view: queries and streams
// take its id as `world`, and edits are refused with READ_ONLY. A session has one view of a world.
// Another call moves the view: its streams go on and get a frame, and world.changed tells those who
// joined it. If another call comes before the answer, the older one is answered with CONFLICT, unless it
// was about to end. A view ends with its session, its world, world.leave or world.delete. Views are not
// in world.list and have no name of their own.
struct protocol_world_seek_params {
    uint64_t has;
    struct protocol_ref world;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_SEEK_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SEEK_PARAMS_TICK (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_seek_params_type;

// Result of world.seek.
struct protocol_world_seek_result {
    uint64_t has;
    uint32_t view;
    uint64_t tick;
    uint64_t revision;
    bool exact;
    struct protocol_string hash;
};
#define PROTOCOL_HAS_WORLD_SEEK_RESULT_VIEW (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SEEK_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SEEK_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SEEK_RESULT_EXACT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SEEK_RESULT_HASH (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_seek_result_type;

// Makes a paused world from a tick of another's past: as it was, or as it would have been without some
// edits or with others. Everything in between is done again at its tick; edits that do not apply any more
// are left out and listed. Nobody holds anything in it. The original world does not notice.
struct protocol_world_branch_params {
    uint64_t has;
    struct protocol_ref world;
    uint64_t tick;
    struct protocol_string name;
    struct protocol_array without;
    struct protocol_list instead; // of struct protocol_branch_change
};
#define PROTOCOL_HAS_WORLD_BRANCH_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_BRANCH_PARAMS_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_BRANCH_PARAMS_NAME (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_BRANCH_PARAMS_WITHOUT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_BRANCH_PARAMS_INSTEAD (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_branch_params_type;

// Result of world.branch.
struct protocol_world_branch_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t tick;
    uint64_t revision;
    struct protocol_list refused; // of struct protocol_branch_refusal
};
#define PROTOCOL_HAS_WORLD_BRANCH_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_BRANCH_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_BRANCH_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_BRANCH_RESULT_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_BRANCH_RESULT_REFUSED (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_branch_result_type;

// Lists deleted worlds that world.restore can bring back, as of a moment ago.
struct protocol_world_bin_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_world_bin_params_type;

// Result of world.bin.
struct protocol_world_bin_result {
    uint64_t has;
    struct protocol_list worlds; // of struct protocol_bin_world
};
#define PROTOCOL_HAS_WORLD_BIN_RESULT_WORLDS (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_bin_result_type;

// Brings back a deleted world, paused, at the tick at which it was deleted, with its id and its past. A
// new name is an edit, as of world.set.
struct protocol_world_restore_params {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
};
#define PROTOCOL_HAS_WORLD_RESTORE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RESTORE_PARAMS_NAME (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_restore_params_type;

// Result of world.restore.
struct protocol_world_restore_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t tick;
};
#define PROTOCOL_HAS_WORLD_RESTORE_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_RESTORE_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_RESTORE_RESULT_TICK (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_restore_result_type;

// Makes many edits as one: at one tick, under one revision, told as one world.edited, kept as one record.
// Each finds the world as those before it left it, and may name what they added. If one is refused, all
// are, nothing has changed, and the error says which: edits[3].
struct protocol_edit_batch_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_list edits; // of struct protocol_call
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_EDITS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_EDIT_BATCH_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_edit_batch_params_type;

// Result of edit.batch.
struct protocol_edit_batch_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_list results; // of struct protocol_call
    bool repeated;
};
#define PROTOCOL_HAS_EDIT_BATCH_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_BATCH_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_BATCH_RESULT_RESULTS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_BATCH_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_edit_batch_result_type;

// Lists the edits of a world's past in order, page by page, as of a moment ago: the person, the method
// and the tick.
struct protocol_edit_log_params {
    uint64_t has;
    struct protocol_ref world;
    uint64_t since;
    uint32_t limit;
    bool inputs;
};
#define PROTOCOL_HAS_EDIT_LOG_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_LOG_PARAMS_SINCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_LOG_PARAMS_LIMIT (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_LOG_PARAMS_INPUTS (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_edit_log_params_type;

// Result of edit.log.
struct protocol_edit_log_result {
    uint64_t has;
    struct protocol_list edits; // of struct protocol_log_entry
    uint64_t sequence;
    uint64_t next;
};
#define PROTOCOL_HAS_EDIT_LOG_RESULT_EDITS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_LOG_RESULT_SEQUENCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_LOG_RESULT_NEXT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_edit_log_result_type;

// Makes a paused world from a document: one from world.save, or one that somebody wrote. A refused
// document leaves nothing.
struct protocol_world_open_params {
    uint64_t has;
    struct protocol_string name;
    struct protocol_document document;
    bool upload;
};
#define PROTOCOL_HAS_WORLD_OPEN_PARAMS_NAME (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_OPEN_PARAMS_DOCUMENT (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_OPEN_PARAMS_UPLOAD (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_open_params_type;

// Result of world.open.
struct protocol_world_open_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    uint64_t revision;
    uint64_t tick;
    struct protocol_list warnings; // of struct protocol_warning
};
#define PROTOCOL_HAS_WORLD_OPEN_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_OPEN_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_OPEN_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_OPEN_RESULT_TICK (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_OPEN_RESULT_WARNINGS (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_open_result_type;

// Sends one piece of a document that is larger than a message, as bytes of its MessagePack. A session has
// one upload at a time; world.open {upload: true} opens it.
struct protocol_world_upload_params {
    uint64_t has;
    uint64_t offset; // B
    struct protocol_raw data;
};
#define PROTOCOL_HAS_WORLD_UPLOAD_PARAMS_OFFSET (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_UPLOAD_PARAMS_DATA (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_upload_params_type;

// Result of world.upload.
struct protocol_world_upload_result {
    uint64_t has;
    uint64_t bytes; // B
};
#define PROTOCOL_HAS_WORLD_UPLOAD_RESULT_BYTES (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_world_upload_result_type;

// Adds a cloth (triangles), a rope (edges), loose points, or a soft body (tetrahedra). Each unique edge
// becomes a distance constraint, each inner edge of a cloth with a bend material a bending constraint,
// each tetrahedron a volume constraint; with solid each tetrahedron becomes one constraint, and edges
// none. The positions given are the rest shape.
struct protocol_body_add_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string name;
    int kind;
    struct protocol_array positions; // m
    struct protocol_array velocities; // m/s
    struct protocol_array triangles;
    struct protocol_array edges;
    struct protocol_array tets;
    double density;
    struct protocol_array masses; // kg
    int material;
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    struct protocol_rod rod;
    double weld; // m
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    bool sleep;
    struct protocol_pressure pressure;
    double gravity[3]; // m/s^2
    struct protocol_own_wind wind;
    double force[3]; // N
    struct protocol_shape shape;
    struct protocol_tear tear;
    struct protocol_array pins;
    struct protocol_array clamps;
    struct protocol_skin skin;
    struct protocol_look look;
    struct protocol_array yarn_uvs;
    struct protocol_rigid rigid;
    struct protocol_array rotations;
    struct protocol_array angular_velocities; // rad/s
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_BODY_ADD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_POSITIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_VELOCITIES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_TRIANGLES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_EDGES (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_TETS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_DENSITY (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_MASSES (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_MATERIAL (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_STRETCH (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_BEND (UINT64_C(1) << 12)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_VOLUME (UINT64_C(1) << 13)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SOLID (UINT64_C(1) << 14)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_ROD (UINT64_C(1) << 15)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_WELD (UINT64_C(1) << 16)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_THICKNESS (UINT64_C(1) << 17)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SELF_CONTACT (UINT64_C(1) << 18)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_GROUP (UINT64_C(1) << 19)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_CONTACT_MASK (UINT64_C(1) << 20)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION (UINT64_C(1) << 21)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_FRICTION_KINETIC (UINT64_C(1) << 22)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_RESTITUTION (UINT64_C(1) << 23)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SURFACE (UINT64_C(1) << 24)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SLEEP (UINT64_C(1) << 25)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_PRESSURE (UINT64_C(1) << 26)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_GRAVITY (UINT64_C(1) << 27)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_WIND (UINT64_C(1) << 28)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_FORCE (UINT64_C(1) << 29)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SHAPE (UINT64_C(1) << 30)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_TEAR (UINT64_C(1) << 31)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_PINS (UINT64_C(1) << 32)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_CLAMPS (UINT64_C(1) << 33)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_SKIN (UINT64_C(1) << 34)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_LOOK (UINT64_C(1) << 35)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_YARN_UVS (UINT64_C(1) << 36)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_RIGID (UINT64_C(1) << 37)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_ROTATIONS (UINT64_C(1) << 38)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_ANGULAR_VELOCITIES (UINT64_C(1) << 39)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_IF_REVISION (UINT64_C(1) << 40)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_IF_EPOCH (UINT64_C(1) << 41)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_IF_THING_REVISION (UINT64_C(1) << 42)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_EDIT_ID (UINT64_C(1) << 43)
#define PROTOCOL_HAS_BODY_ADD_PARAMS_GESTURE (UINT64_C(1) << 44)
enum {
    PROTOCOL_BODY_ADD_PARAMS_KIND_CLOTH = 0,
    PROTOCOL_BODY_ADD_PARAMS_KIND_ROPE = 1,
    PROTOCOL_BODY_ADD_PARAMS_KIND_POINTS = 2,
    PROTOCOL_BODY_ADD_PARAMS_KIND_SOFT = 3,
    PROTOCOL_BODY_ADD_PARAMS_KIND_RIGID = 4,
};
enum {
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_DENIM_STRETCH = 0,
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_TROUSERS = 1,
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_TABLECLOTH = 2,
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_JACKET = 3,
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_BLANKET = 4,
    PROTOCOL_BODY_ADD_PARAMS_MATERIAL_SWIMSUIT = 5,
};
extern const struct protocol_struct protocol_body_add_params_type;

// Result of body.add.
struct protocol_body_add_result {
    uint64_t has;
    uint32_t body;
    uint64_t revision;
    uint64_t tick;
    uint32_t particles;
    struct protocol_constraint_ranges constraints;
    struct protocol_list warnings; // of struct protocol_warning
    struct protocol_array welded;
    bool repeated;
};
#define PROTOCOL_HAS_BODY_ADD_RESULT_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_ADD_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_ADD_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_ADD_RESULT_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_ADD_RESULT_CONSTRAINTS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_ADD_RESULT_WARNINGS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_ADD_RESULT_WELDED (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_ADD_RESULT_REPEATED (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_body_add_result_type;

// Gives topology, rest shape and material.
struct protocol_body_get_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    bool images;
};
#define PROTOCOL_HAS_BODY_GET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_GET_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_GET_PARAMS_IMAGES (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_body_get_params_type;

// Result of body.get.
struct protocol_body_get_result {
    uint64_t has;
    uint32_t body;
    struct protocol_string name;
    int kind;
    uint64_t revision;
    uint64_t tick;
    uint32_t particles;
    struct protocol_array positions; // m
    struct protocol_array triangles;
    struct protocol_array edges;
    struct protocol_array tets;
    struct protocol_array masses; // kg
    int material;
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    struct protocol_rod rod;
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    bool sleep;
    struct protocol_pressure pressure;
    double gravity[3]; // m/s^2
    struct protocol_own_wind wind;
    double force[3]; // N
    uint32_t force_ticks;
    struct protocol_array forced;
    struct protocol_array forces; // N
    struct protocol_array forces_ticks;
    struct protocol_shape shape;
    struct protocol_tear tear;
    struct protocol_torn_edges torn;
    struct protocol_array pins;
    struct protocol_array pin_colliders;
    struct protocol_array pin_compliances; // m/N
    struct protocol_array pin_distances; // m
    struct protocol_array clamps;
    struct protocol_array clamp_turns;
    struct protocol_array pin_targets; // m
    struct protocol_array pin_forces; // N
    bool asleep;
    struct protocol_constraint_ranges constraints;
    struct protocol_skin skin;
    struct protocol_look look;
    struct protocol_touch touched;
    double plastic_strain_max;
    double plastic_strain_mean;
    uint32_t elements_hash;
    struct protocol_array yarn_uvs;
    struct protocol_rigid rigid;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_BODY_GET_RESULT_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_GET_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_GET_RESULT_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_GET_RESULT_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_GET_RESULT_TICK (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_GET_RESULT_PARTICLES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_GET_RESULT_POSITIONS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_GET_RESULT_TRIANGLES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_GET_RESULT_EDGES (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_GET_RESULT_TETS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_GET_RESULT_MASSES (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_GET_RESULT_MATERIAL (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_GET_RESULT_STRETCH (UINT64_C(1) << 12)
#define PROTOCOL_HAS_BODY_GET_RESULT_BEND (UINT64_C(1) << 13)
#define PROTOCOL_HAS_BODY_GET_RESULT_VOLUME (UINT64_C(1) << 14)
#define PROTOCOL_HAS_BODY_GET_RESULT_SOLID (UINT64_C(1) << 15)
#define PROTOCOL_HAS_BODY_GET_RESULT_ROD (UINT64_C(1) << 16)
#define PROTOCOL_HAS_BODY_GET_RESULT_THICKNESS (UINT64_C(1) << 17)
#define PROTOCOL_HAS_BODY_GET_RESULT_SELF_CONTACT (UINT64_C(1) << 18)
#define PROTOCOL_HAS_BODY_GET_RESULT_CONTACT_GROUP (UINT64_C(1) << 19)
#define PROTOCOL_HAS_BODY_GET_RESULT_CONTACT_MASK (UINT64_C(1) << 20)
#define PROTOCOL_HAS_BODY_GET_RESULT_FRICTION (UINT64_C(1) << 21)
#define PROTOCOL_HAS_BODY_GET_RESULT_FRICTION_KINETIC (UINT64_C(1) << 22)
#define PROTOCOL_HAS_BODY_GET_RESULT_RESTITUTION (UINT64_C(1) << 23)
#define PROTOCOL_HAS_BODY_GET_RESULT_SURFACE (UINT64_C(1) << 24)
#define PROTOCOL_HAS_BODY_GET_RESULT_SLEEP (UINT64_C(1) << 25)
#define PROTOCOL_HAS_BODY_GET_RESULT_PRESSURE (UINT64_C(1) << 26)
#define PROTOCOL_HAS_BODY_GET_RESULT_GRAVITY (UINT64_C(1) << 27)
#define PROTOCOL_HAS_BODY_GET_RESULT_WIND (UINT64_C(1) << 28)
#define PROTOCOL_HAS_BODY_GET_RESULT_FORCE (UINT64_C(1) << 29)
#define PROTOCOL_HAS_BODY_GET_RESULT_FORCE_TICKS (UINT64_C(1) << 30)
#define PROTOCOL_HAS_BODY_GET_RESULT_FORCED (UINT64_C(1) << 31)
#define PROTOCOL_HAS_BODY_GET_RESULT_FORCES (UINT64_C(1) << 32)
#define PROTOCOL_HAS_BODY_GET_RESULT_FORCES_TICKS (UINT64_C(1) << 33)
#define PROTOCOL_HAS_BODY_GET_RESULT_SHAPE (UINT64_C(1) << 34)
#define PROTOCOL_HAS_BODY_GET_RESULT_TEAR (UINT64_C(1) << 35)
#define PROTOCOL_HAS_BODY_GET_RESULT_TORN (UINT64_C(1) << 36)
#define PROTOCOL_HAS_BODY_GET_RESULT_PINS (UINT64_C(1) << 37)
#define PROTOCOL_HAS_BODY_GET_RESULT_PIN_COLLIDERS (UINT64_C(1) << 38)
#define PROTOCOL_HAS_BODY_GET_RESULT_PIN_COMPLIANCES (UINT64_C(1) << 39)
#define PROTOCOL_HAS_BODY_GET_RESULT_PIN_DISTANCES (UINT64_C(1) << 40)
#define PROTOCOL_HAS_BODY_GET_RESULT_CLAMPS (UINT64_C(1) << 41)
#define PROTOCOL_HAS_BODY_GET_RESULT_CLAMP_TURNS (UINT64_C(1) << 42)
#define PROTOCOL_HAS_BODY_GET_RESULT_PIN_TARGETS (UINT64_C(1) << 43)
#define PROTOCOL_HAS_BODY_GET_RESULT_PIN_FORCES (UINT64_C(1) << 44)
#define PROTOCOL_HAS_BODY_GET_RESULT_ASLEEP (UINT64_C(1) << 45)
#define PROTOCOL_HAS_BODY_GET_RESULT_CONSTRAINTS (UINT64_C(1) << 46)
#define PROTOCOL_HAS_BODY_GET_RESULT_SKIN (UINT64_C(1) << 47)
#define PROTOCOL_HAS_BODY_GET_RESULT_LOOK (UINT64_C(1) << 48)
#define PROTOCOL_HAS_BODY_GET_RESULT_TOUCHED (UINT64_C(1) << 49)
#define PROTOCOL_HAS_BODY_GET_RESULT_PLASTIC_STRAIN_MAX (UINT64_C(1) << 50)
#define PROTOCOL_HAS_BODY_GET_RESULT_PLASTIC_STRAIN_MEAN (UINT64_C(1) << 51)
#define PROTOCOL_HAS_BODY_GET_RESULT_ELEMENTS_HASH (UINT64_C(1) << 52)
#define PROTOCOL_HAS_BODY_GET_RESULT_YARN_UVS (UINT64_C(1) << 53)
#define PROTOCOL_HAS_BODY_GET_RESULT_RIGID (UINT64_C(1) << 54)
#define PROTOCOL_HAS_BODY_GET_RESULT_DURABLE_REVISION (UINT64_C(1) << 55)
#define PROTOCOL_HAS_BODY_GET_RESULT_DURABLE (UINT64_C(1) << 56)
enum {
    PROTOCOL_BODY_GET_RESULT_KIND_CLOTH = 0,
    PROTOCOL_BODY_GET_RESULT_KIND_ROPE = 1,
    PROTOCOL_BODY_GET_RESULT_KIND_POINTS = 2,
    PROTOCOL_BODY_GET_RESULT_KIND_SOFT = 3,
    PROTOCOL_BODY_GET_RESULT_KIND_RIGID = 4,
};
enum {
    PROTOCOL_BODY_GET_RESULT_MATERIAL_DENIM_STRETCH = 0,
    PROTOCOL_BODY_GET_RESULT_MATERIAL_TROUSERS = 1,
    PROTOCOL_BODY_GET_RESULT_MATERIAL_TABLECLOTH = 2,
    PROTOCOL_BODY_GET_RESULT_MATERIAL_JACKET = 3,
    PROTOCOL_BODY_GET_RESULT_MATERIAL_BLANKET = 4,
    PROTOCOL_BODY_GET_RESULT_MATERIAL_SWIMSUIT = 5,
};
extern const struct protocol_struct protocol_body_get_result_type;

// Changes name, materials, thickness, contact, pressure, and the shape at which constraints rest. A
// material given here becomes that of all constraints of its kind in the body, also of those set one by
// one before; fields absent from it stay as the body has them.
struct protocol_body_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    struct protocol_string name;
    struct protocol_stretch_material stretch;
    struct protocol_bend_material bend;
    struct protocol_material volume;
    struct protocol_solid_material solid;
    double thickness; // m
    bool self_contact;
    uint32_t contact_group;
    uint32_t contact_mask;
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    bool sleep;
    struct protocol_rest_shape rest_shape;
    struct protocol_pressure pressure;
    struct protocol_array gravity; // m/s^2
    struct protocol_own_wind wind;
    struct protocol_shape shape;
    struct protocol_tear tear;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_BODY_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_SET_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_SET_PARAMS_NAME (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_SET_PARAMS_STRETCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_SET_PARAMS_BEND (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_SET_PARAMS_VOLUME (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_SET_PARAMS_SOLID (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_SET_PARAMS_THICKNESS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_SET_PARAMS_SELF_CONTACT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_SET_PARAMS_CONTACT_GROUP (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_SET_PARAMS_CONTACT_MASK (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_SET_PARAMS_FRICTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_SET_PARAMS_FRICTION_KINETIC (UINT64_C(1) << 12)
#define PROTOCOL_HAS_BODY_SET_PARAMS_RESTITUTION (UINT64_C(1) << 13)
#define PROTOCOL_HAS_BODY_SET_PARAMS_SURFACE (UINT64_C(1) << 14)
#define PROTOCOL_HAS_BODY_SET_PARAMS_SLEEP (UINT64_C(1) << 15)
#define PROTOCOL_HAS_BODY_SET_PARAMS_REST_SHAPE (UINT64_C(1) << 16)
#define PROTOCOL_HAS_BODY_SET_PARAMS_PRESSURE (UINT64_C(1) << 17)
#define PROTOCOL_HAS_BODY_SET_PARAMS_GRAVITY (UINT64_C(1) << 18)
#define PROTOCOL_HAS_BODY_SET_PARAMS_WIND (UINT64_C(1) << 19)
#define PROTOCOL_HAS_BODY_SET_PARAMS_SHAPE (UINT64_C(1) << 20)
#define PROTOCOL_HAS_BODY_SET_PARAMS_TEAR (UINT64_C(1) << 21)
#define PROTOCOL_HAS_BODY_SET_PARAMS_IF_REVISION (UINT64_C(1) << 22)
#define PROTOCOL_HAS_BODY_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 23)
#define PROTOCOL_HAS_BODY_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 24)
#define PROTOCOL_HAS_BODY_SET_PARAMS_EDIT_ID (UINT64_C(1) << 25)
#define PROTOCOL_HAS_BODY_SET_PARAMS_GESTURE (UINT64_C(1) << 26)
extern const struct protocol_struct protocol_body_set_params_type;

// Result of body.set.
struct protocol_body_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_BODY_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_SET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_body_set_result_type;

// Lets a force act on a body, or on some of its particles, until it is changed or its time is over. A
// force takes the place of the one that acted there; 0 ends that one. Forces on particles act beside that
// on their body. Static particles and those with a hard pin do not move by them.
struct protocol_body_force_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    struct protocol_array particles;
    double force[3]; // N
    struct protocol_array forces; // N
    double seconds; // s
    uint64_t at_tick;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_PARTICLES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_FORCE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_FORCES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_SECONDS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_AT_TICK (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_IF_REVISION (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_IF_EPOCH (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_EDIT_ID (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_FORCE_PARAMS_GESTURE (UINT64_C(1) << 11)
extern const struct protocol_struct protocol_body_force_params_type;

// Result of body.force.
struct protocol_body_force_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_BODY_FORCE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_FORCE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_FORCE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_body_force_result_type;

// Removes a body with its constraints, pins and grabs, and loose constraints that touch it.
struct protocol_body_remove_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_REMOVE_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_body_remove_params_type;

// Result of body.remove.
struct protocol_body_remove_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_array constraints;
    bool repeated;
};
#define PROTOCOL_HAS_BODY_REMOVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_REMOVE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_REMOVE_RESULT_CONSTRAINTS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_REMOVE_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_body_remove_result_type;

// Gives present positions and velocities, once.
struct protocol_body_state_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    uint32_t fields;
};
#define PROTOCOL_HAS_BODY_STATE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_STATE_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_STATE_PARAMS_FIELDS (UINT64_C(1) << 2)
enum {
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS = 1u << 0,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_POSITIONS64 = 1u << 1,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_VELOCITIES = 1u << 2,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_NORMALS = 1u << 3,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_INVERSE_MASSES = 1u << 4,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_SKIN = 1u << 5,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_ROTATIONS = 1u << 6,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_ROTATIONS64 = 1u << 7,
    PROTOCOL_BODY_STATE_PARAMS_FIELDS_ANGULAR_VELOCITIES = 1u << 8,
};
extern const struct protocol_struct protocol_body_state_params_type;

// Result of body.state.
struct protocol_body_state_result {
    uint64_t has;
    uint32_t body;
    uint64_t tick;
    uint64_t revision;
    struct protocol_array positions; // m
    struct protocol_array positions64; // m
    struct protocol_array velocities; // m/s
    struct protocol_array normals;
    struct protocol_array inverse_masses; // 1/kg
    struct protocol_array skin; // m
    struct protocol_array rotations;
    struct protocol_array rotations64;
    struct protocol_array angular_velocities; // rad/s
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_BODY_STATE_RESULT_BODY (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_STATE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_STATE_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_STATE_RESULT_POSITIONS64 (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_STATE_RESULT_VELOCITIES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_STATE_RESULT_NORMALS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_STATE_RESULT_INVERSE_MASSES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_BODY_STATE_RESULT_SKIN (UINT64_C(1) << 8)
#define PROTOCOL_HAS_BODY_STATE_RESULT_ROTATIONS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_BODY_STATE_RESULT_ROTATIONS64 (UINT64_C(1) << 10)
#define PROTOCOL_HAS_BODY_STATE_RESULT_ANGULAR_VELOCITIES (UINT64_C(1) << 11)
#define PROTOCOL_HAS_BODY_STATE_RESULT_DURABLE_REVISION (UINT64_C(1) << 12)
#define PROTOCOL_HAS_BODY_STATE_RESULT_DURABLE (UINT64_C(1) << 13)
extern const struct protocol_struct protocol_body_state_result_type;

// Adds constraints between any particles of any bodies, all or none.
struct protocol_constraint_add_params {
    uint64_t has;
    struct protocol_ref world;
    int type;
    struct protocol_ref body;
    struct protocol_array bodies;
    struct protocol_array particles;
    struct protocol_array sides;
    struct protocol_array weights;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array rest_end; // m
    struct protocol_array seconds; // s
    struct protocol_array force_limit; // N
    struct protocol_array ratio;
    struct protocol_array friction;
    int joint;
    struct protocol_array anchors; // m
    struct protocol_array axes;
    struct protocol_array limits;
    struct protocol_array turn_compliance; // rad/(N m)
    int motor;
    struct protocol_array motor_target;
    struct protocol_array motor_most; // N m, N
    struct protocol_array motor_compliance; // rad/(N m), m/N
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_TYPE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODIES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_PARTICLES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_SIDES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_WEIGHTS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_REST (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_COMPLIANCE (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_DAMPING (UINT64_C(1) << 9)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_STIFFNESS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_REST_END (UINT64_C(1) << 11)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_SECONDS (UINT64_C(1) << 12)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_FORCE_LIMIT (UINT64_C(1) << 13)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_RATIO (UINT64_C(1) << 14)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_FRICTION (UINT64_C(1) << 15)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_JOINT (UINT64_C(1) << 16)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_ANCHORS (UINT64_C(1) << 17)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_AXES (UINT64_C(1) << 18)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_LIMITS (UINT64_C(1) << 19)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_TURN_COMPLIANCE (UINT64_C(1) << 20)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_MOTOR (UINT64_C(1) << 21)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_MOTOR_TARGET (UINT64_C(1) << 22)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_MOTOR_MOST (UINT64_C(1) << 23)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_MOTOR_COMPLIANCE (UINT64_C(1) << 24)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_IF_REVISION (UINT64_C(1) << 25)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_IF_EPOCH (UINT64_C(1) << 26)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_IF_THING_REVISION (UINT64_C(1) << 27)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_EDIT_ID (UINT64_C(1) << 28)
#define PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_GESTURE (UINT64_C(1) << 29)
enum {
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_DISTANCE = 0,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_DIHEDRAL = 1,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_ISOMETRIC = 2,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_QUADRATIC = 3,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_VOLUME = 4,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_JOIN = 5,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_SLIDE = 6,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_SLIDE_RAIL = 7,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_NEO_HOOKEAN = 8,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_ORTHOTROPIC = 9,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_ROD_STRETCH = 10,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_ROD_BEND = 11,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_JOINT = 12,
};
enum {
    PROTOCOL_CONSTRAINT_ADD_PARAMS_JOINT_BALL = 0,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_JOINT_FIXED = 1,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_JOINT_HINGE = 2,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_JOINT_SLIDER = 3,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_JOINT_DISTANCE = 4,
};
enum {
    PROTOCOL_CONSTRAINT_ADD_PARAMS_MOTOR_NONE = 0,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_MOTOR_SPEED = 1,
    PROTOCOL_CONSTRAINT_ADD_PARAMS_MOTOR_TARGET = 2,
};
extern const struct protocol_struct protocol_constraint_add_params_type;

// Result of constraint.add.
struct protocol_constraint_add_result {
    uint64_t has;
    struct protocol_array constraints;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_CONSTRAINT_ADD_RESULT_CONSTRAINTS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_ADD_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_ADD_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_ADD_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_constraint_add_result_type;

// Changes constraints by id, all or none; also single edges of a body.
struct protocol_constraint_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_array constraints;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array rest_end; // m
    struct protocol_array seconds; // s
    struct protocol_array force_limit; // N
    bool mend;
    struct protocol_array ratio;
    struct protocol_array friction;
    struct protocol_array limits;
    struct protocol_array turn_compliance; // rad/(N m)
    int motor;
    struct protocol_array motor_target;
    struct protocol_array motor_most; // N m, N
    struct protocol_array motor_compliance; // rad/(N m), m/N
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_CONSTRAINTS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_REST (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_COMPLIANCE (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_DAMPING (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_STIFFNESS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_REST_END (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_SECONDS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_FORCE_LIMIT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_MEND (UINT64_C(1) << 9)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_RATIO (UINT64_C(1) << 10)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_FRICTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_LIMITS (UINT64_C(1) << 12)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_TURN_COMPLIANCE (UINT64_C(1) << 13)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_MOTOR (UINT64_C(1) << 14)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_MOTOR_TARGET (UINT64_C(1) << 15)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_MOTOR_MOST (UINT64_C(1) << 16)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_MOTOR_COMPLIANCE (UINT64_C(1) << 17)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_IF_REVISION (UINT64_C(1) << 18)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 19)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 20)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_EDIT_ID (UINT64_C(1) << 21)
#define PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_GESTURE (UINT64_C(1) << 22)
enum {
    PROTOCOL_CONSTRAINT_SET_PARAMS_MOTOR_NONE = 0,
    PROTOCOL_CONSTRAINT_SET_PARAMS_MOTOR_SPEED = 1,
    PROTOCOL_CONSTRAINT_SET_PARAMS_MOTOR_TARGET = 2,
};
extern const struct protocol_struct protocol_constraint_set_params_type;

// Result of constraint.set.
struct protocol_constraint_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_CONSTRAINT_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_SET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_constraint_set_result_type;

// Removes constraints by id, all or none.
struct protocol_constraint_remove_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_array constraints;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_CONSTRAINTS (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_constraint_remove_params_type;

// Result of constraint.remove.
struct protocol_constraint_remove_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_REMOVE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_constraint_remove_result_type;

// Lists constraints of one kind by id, a page at a time.
struct protocol_constraint_list_params {
    uint64_t has;
    struct protocol_ref world;
    int type;
    struct protocol_ref body;
    uint32_t after;
    uint32_t limit;
    bool forces;
};
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_TYPE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_AFTER (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_LIMIT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_FORCES (UINT64_C(1) << 5)
enum {
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_DISTANCE = 0,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_DIHEDRAL = 1,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_ISOMETRIC = 2,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_QUADRATIC = 3,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_VOLUME = 4,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_JOIN = 5,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_SLIDE = 6,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_SLIDE_RAIL = 7,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_NEO_HOOKEAN = 8,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_ORTHOTROPIC = 9,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_ROD_STRETCH = 10,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_ROD_BEND = 11,
    PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_JOINT = 12,
};
extern const struct protocol_struct protocol_constraint_list_params_type;

// Result of constraint.list.
struct protocol_constraint_list_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_array constraints;
    struct protocol_array bodies;
    struct protocol_array particles;
    struct protocol_array rest; // m, rad, m^3
    struct protocol_array compliance; // [C]^2/J
    struct protocol_array damping; // J s/[C]^2
    struct protocol_array stiffness;
    struct protocol_array weights;
    struct protocol_array rest_end; // m
    struct protocol_array seconds; // s
    struct protocol_array force_limit; // N
    struct protocol_array parted;
    struct protocol_array forces;
    struct protocol_array long_forces; // N
    uint64_t forces_from;
    double wait_ms; // ms
    uint32_t next;
    struct protocol_array ratio;
    struct protocol_array friction;
    struct protocol_array side; // m
    struct protocol_array along;
    struct protocol_array end_forces; // N
    struct protocol_array strains;
    struct protocol_array tensions; // N/m
    struct protocol_array gradients; // 1/m
    struct protocol_array joints;
    struct protocol_array joint_anchors; // m
    struct protocol_array joint_frames;
    struct protocol_array limits;
    struct protocol_array turn_compliance; // rad/(N m)
    struct protocol_array motors;
    struct protocol_array motor_target;
    struct protocol_array motor_most; // N m, N
    struct protocol_array motor_compliance; // rad/(N m), m/N
    struct protocol_array places;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_CONSTRAINTS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_BODIES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_PARTICLES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_REST (UINT64_C(1) << 5)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_COMPLIANCE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_DAMPING (UINT64_C(1) << 7)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_STIFFNESS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_WEIGHTS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_REST_END (UINT64_C(1) << 10)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SECONDS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCE_LIMIT (UINT64_C(1) << 12)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_PARTED (UINT64_C(1) << 13)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES (UINT64_C(1) << 14)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_LONG_FORCES (UINT64_C(1) << 15)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES_FROM (UINT64_C(1) << 16)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_WAIT_MS (UINT64_C(1) << 17)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_NEXT (UINT64_C(1) << 18)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_RATIO (UINT64_C(1) << 19)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FRICTION (UINT64_C(1) << 20)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SIDE (UINT64_C(1) << 21)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_ALONG (UINT64_C(1) << 22)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_END_FORCES (UINT64_C(1) << 23)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_STRAINS (UINT64_C(1) << 24)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_TENSIONS (UINT64_C(1) << 25)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_GRADIENTS (UINT64_C(1) << 26)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_JOINTS (UINT64_C(1) << 27)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_JOINT_ANCHORS (UINT64_C(1) << 28)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_JOINT_FRAMES (UINT64_C(1) << 29)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_LIMITS (UINT64_C(1) << 30)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_TURN_COMPLIANCE (UINT64_C(1) << 31)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_MOTORS (UINT64_C(1) << 32)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_MOTOR_TARGET (UINT64_C(1) << 33)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_MOTOR_MOST (UINT64_C(1) << 34)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_MOTOR_COMPLIANCE (UINT64_C(1) << 35)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_PLACES (UINT64_C(1) << 36)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_DURABLE_REVISION (UINT64_C(1) << 37)
#define PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_DURABLE (UINT64_C(1) << 38)
extern const struct protocol_struct protocol_constraint_list_result_type;

// Places particles, gives them velocities or inverse masses. A pinned particle that is placed is held at
// its new place.
struct protocol_particle_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    struct protocol_array particles;
    struct protocol_array positions; // m
    struct protocol_array velocities; // m/s
    struct protocol_array inverse_masses; // 1/kg
    struct protocol_array rotations;
    struct protocol_array angular_velocities; // rad/s
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_PARTICLES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_POSITIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_VELOCITIES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_INVERSE_MASSES (UINT64_C(1) << 5)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_ROTATIONS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_ANGULAR_VELOCITIES (UINT64_C(1) << 7)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_IF_REVISION (UINT64_C(1) << 8)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 9)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 10)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_EDIT_ID (UINT64_C(1) << 11)
#define PROTOCOL_HAS_PARTICLE_SET_PARAMS_GESTURE (UINT64_C(1) << 12)
extern const struct protocol_struct protocol_particle_set_params_type;

// Result of particle.set.
struct protocol_particle_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_PARTICLE_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_SET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_particle_set_result_type;

// Holds particles in place, moves them to new places, or lets them follow a collider. A piece of a rigid
// body that a hard pin holds does not turn either. A hard pin holds its particle where its target is. A
// soft one, which has a compliance or a distance, leaves the particle its mass, draws it to the target
// and keeps it near: by at most 2^28 quanta (2 m) a tick. Pin pinned particles again to move them, to
// make them softer or harder, or to end that they follow.
struct protocol_particle_pin_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    struct protocol_array particles;
    struct protocol_array positions; // m
    double seconds; // s
    uint64_t at_tick;
    struct protocol_ref collider;
    struct protocol_array compliance; // m/N
    struct protocol_array distance; // m
    bool clamp;
    struct protocol_array rotations;
    bool clamp_turns;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_PARTICLES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_POSITIONS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_SECONDS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_AT_TICK (UINT64_C(1) << 5)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_COLLIDER (UINT64_C(1) << 6)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_COMPLIANCE (UINT64_C(1) << 7)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_DISTANCE (UINT64_C(1) << 8)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_CLAMP (UINT64_C(1) << 9)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_ROTATIONS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_CLAMP_TURNS (UINT64_C(1) << 11)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_IF_REVISION (UINT64_C(1) << 12)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_IF_EPOCH (UINT64_C(1) << 13)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_IF_THING_REVISION (UINT64_C(1) << 14)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_EDIT_ID (UINT64_C(1) << 15)
#define PROTOCOL_HAS_PARTICLE_PIN_PARAMS_GESTURE (UINT64_C(1) << 16)
extern const struct protocol_struct protocol_particle_pin_params_type;

// Result of particle.pin.
struct protocol_particle_pin_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_PARTICLE_PIN_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_PIN_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_PIN_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_particle_pin_result_type;

// Releases pinned particles, with their masses and the velocities with which they were moved.
struct protocol_particle_unpin_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    struct protocol_array particles;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_PARTICLES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_IF_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_IF_EPOCH (UINT64_C(1) << 4)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_IF_THING_REVISION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_EDIT_ID (UINT64_C(1) << 6)
#define PROTOCOL_HAS_PARTICLE_UNPIN_PARAMS_GESTURE (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_particle_unpin_params_type;

// Result of particle.unpin.
struct protocol_particle_unpin_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_PARTICLE_UNPIN_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_PARTICLE_UNPIN_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_PARTICLE_UNPIN_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_particle_unpin_result_type;

// Takes hold of a particle; it ends with grab.end, world.reset, the body or the session. However far the
// target, the pull moves the particle at most 2^28 quanta (2 m) a tick.
struct protocol_grab_begin_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref body;
    uint32_t particle;
    double target[3]; // m
    double compliance; // m/N
};
#define PROTOCOL_HAS_GRAB_BEGIN_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_GRAB_BEGIN_PARAMS_BODY (UINT64_C(1) << 1)
#define PROTOCOL_HAS_GRAB_BEGIN_PARAMS_PARTICLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_GRAB_BEGIN_PARAMS_TARGET (UINT64_C(1) << 3)
#define PROTOCOL_HAS_GRAB_BEGIN_PARAMS_COMPLIANCE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_grab_begin_params_type;

// Result of grab.begin.
struct protocol_grab_begin_result {
    uint64_t has;
    uint32_t grab;
    uint64_t tick;
};
#define PROTOCOL_HAS_GRAB_BEGIN_RESULT_GRAB (UINT64_C(1) << 0)
#define PROTOCOL_HAS_GRAB_BEGIN_RESULT_TICK (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_grab_begin_result_type;

// Moves the target; the last before a tick boundary wins.
struct protocol_grab_move_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t grab;
    double target[3]; // m
};
#define PROTOCOL_HAS_GRAB_MOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_GRAB_MOVE_PARAMS_GRAB (UINT64_C(1) << 1)
#define PROTOCOL_HAS_GRAB_MOVE_PARAMS_TARGET (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_grab_move_params_type;

// Result of grab.move.
struct protocol_grab_move_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_GRAB_MOVE_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_grab_move_result_type;

// Lets go.
struct protocol_grab_end_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t grab;
};
#define PROTOCOL_HAS_GRAB_END_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_GRAB_END_PARAMS_GRAB (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_grab_end_params_type;

// Result of grab.end.
struct protocol_grab_end_result {
    uint64_t has;
    uint64_t tick;
};
#define PROTOCOL_HAS_GRAB_END_RESULT_TICK (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_grab_end_result_type;

// Adds a collider that particles stay outside of, with Coulomb friction.
struct protocol_collider_add_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string name;
    int kind;
    double position[3]; // m
    double normal[3];
    double rotation[4];
    double radius; // m
    double length; // m
    double half_extents[3]; // m
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    struct protocol_array points; // m
    struct protocol_array heights; // m
    uint32_t columns;
    double spacing; // m
    double surface_velocity[3]; // m/s
    double surface_spin[3]; // rad/s
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_KIND (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_POSITION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_NORMAL (UINT64_C(1) << 4)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_ROTATION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_RADIUS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_LENGTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_HALF_EXTENTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_FRICTION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_FRICTION_KINETIC (UINT64_C(1) << 10)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_RESTITUTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_POINTS (UINT64_C(1) << 13)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_HEIGHTS (UINT64_C(1) << 14)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_COLUMNS (UINT64_C(1) << 15)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SPACING (UINT64_C(1) << 16)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE_VELOCITY (UINT64_C(1) << 17)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_SURFACE_SPIN (UINT64_C(1) << 18)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_IF_REVISION (UINT64_C(1) << 19)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_IF_EPOCH (UINT64_C(1) << 20)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_IF_THING_REVISION (UINT64_C(1) << 21)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_EDIT_ID (UINT64_C(1) << 22)
#define PROTOCOL_HAS_COLLIDER_ADD_PARAMS_GESTURE (UINT64_C(1) << 23)
enum {
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_PLANE = 0,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_SPHERE = 1,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_CAPSULE = 2,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_BOX = 3,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_CYLINDER = 4,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_CONVEX = 5,
    PROTOCOL_COLLIDER_ADD_PARAMS_KIND_HEIGHT_FIELD = 6,
};
extern const struct protocol_struct protocol_collider_add_params_type;

// Result of collider.add.
struct protocol_collider_add_result {
    uint64_t has;
    uint32_t collider;
    uint64_t revision;
    uint64_t tick;
    struct protocol_list warnings; // of struct protocol_warning
    bool repeated;
};
#define PROTOCOL_HAS_COLLIDER_ADD_RESULT_COLLIDER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_ADD_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_ADD_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_ADD_RESULT_WARNINGS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_COLLIDER_ADD_RESULT_REPEATED (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_collider_add_result_type;

// Changes a collider. It reaches a new position or rotation during the next tick, and carries along what
// lies on it, at 50 m/s at most.
struct protocol_collider_set_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref collider;
    struct protocol_string name;
    double position[3]; // m
    double normal[3];
    double rotation[4];
    double radius; // m
    double length; // m
    double half_extents[3]; // m
    double friction;
    double friction_kinetic;
    double restitution;
    struct protocol_string surface;
    struct protocol_array points; // m
    struct protocol_array heights; // m
    uint32_t columns;
    double spacing; // m
    double surface_velocity[3]; // m/s
    double surface_spin[3]; // rad/s
    bool teleport;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_NAME (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_POSITION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_NORMAL (UINT64_C(1) << 4)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_ROTATION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_RADIUS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_LENGTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_HALF_EXTENTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_FRICTION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_FRICTION_KINETIC (UINT64_C(1) << 10)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_RESTITUTION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_POINTS (UINT64_C(1) << 13)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_HEIGHTS (UINT64_C(1) << 14)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_COLUMNS (UINT64_C(1) << 15)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_SPACING (UINT64_C(1) << 16)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE_VELOCITY (UINT64_C(1) << 17)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_SURFACE_SPIN (UINT64_C(1) << 18)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_TELEPORT (UINT64_C(1) << 19)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_IF_REVISION (UINT64_C(1) << 20)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 21)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 22)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_EDIT_ID (UINT64_C(1) << 23)
#define PROTOCOL_HAS_COLLIDER_SET_PARAMS_GESTURE (UINT64_C(1) << 24)
extern const struct protocol_struct protocol_collider_set_params_type;

// Result of collider.set.
struct protocol_collider_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_list warnings; // of struct protocol_warning
    bool repeated;
};
#define PROTOCOL_HAS_COLLIDER_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_SET_RESULT_WARNINGS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_SET_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_collider_set_result_type;

// Removes a collider.
struct protocol_collider_remove_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref collider;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_COLLIDER_REMOVE_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_collider_remove_params_type;

// Result of collider.remove.
struct protocol_collider_remove_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_COLLIDER_REMOVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_COLLIDER_REMOVE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_COLLIDER_REMOVE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_collider_remove_result_type;

// Moves and turns a collider, or pinned particles, by keyframes: in each substep by as much as the
// keyframes change in it, so other movements add to it. The motion ends with its collider or body;
// world.reset begins it again.
struct protocol_motion_add_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_ref collider;
    struct protocol_ref body;
    struct protocol_array particles;
    struct protocol_array times; // s
    struct protocol_array offsets; // m
    bool loop;
    struct protocol_array rotations;
    double pivot[3]; // m
    int interpolation;
    struct protocol_array poses; // m
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_COLLIDER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_PARTICLES (UINT64_C(1) << 3)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_TIMES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_OFFSETS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_LOOP (UINT64_C(1) << 6)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_ROTATIONS (UINT64_C(1) << 7)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_PIVOT (UINT64_C(1) << 8)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_INTERPOLATION (UINT64_C(1) << 9)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_POSES (UINT64_C(1) << 10)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_IF_REVISION (UINT64_C(1) << 11)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_IF_EPOCH (UINT64_C(1) << 12)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_IF_THING_REVISION (UINT64_C(1) << 13)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_EDIT_ID (UINT64_C(1) << 14)
#define PROTOCOL_HAS_MOTION_ADD_PARAMS_GESTURE (UINT64_C(1) << 15)
enum {
    PROTOCOL_MOTION_ADD_PARAMS_INTERPOLATION_LINEAR = 0,
    PROTOCOL_MOTION_ADD_PARAMS_INTERPOLATION_CUBIC = 1,
};
extern const struct protocol_struct protocol_motion_add_params_type;

// Result of motion.add.
struct protocol_motion_add_result {
    uint64_t has;
    uint32_t motion;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_MOTION_ADD_RESULT_MOTION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_ADD_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_ADD_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MOTION_ADD_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_motion_add_result_type;

// Ends a motion; what it moved stays in place.
struct protocol_motion_remove_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t motion;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_MOTION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_MOTION_REMOVE_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_motion_remove_params_type;

// Result of motion.remove.
struct protocol_motion_remove_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_MOTION_REMOVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_REMOVE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_REMOVE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_motion_remove_result_type;

// Lists the motions of a world.
struct protocol_motion_list_params {
    uint64_t has;
    struct protocol_ref world;
    bool poses;
};
#define PROTOCOL_HAS_MOTION_LIST_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_LIST_PARAMS_POSES (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_motion_list_params_type;

// Result of motion.list.
struct protocol_motion_list_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_list motions; // of struct protocol_motion_summary
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_MOTION_LIST_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_MOTION_LIST_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_MOTION_LIST_RESULT_MOTIONS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_MOTION_LIST_RESULT_DURABLE_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_MOTION_LIST_RESULT_DURABLE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_motion_list_result_type;

// Adds a field of force.
struct protocol_force_add_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_force_field field;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_FIELD (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_FORCE_ADD_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_force_add_params_type;

// Result of force.add.
struct protocol_force_add_result {
    uint64_t has;
    uint32_t force;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_FORCE_ADD_RESULT_FORCE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_ADD_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_ADD_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_ADD_RESULT_REPEATED (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_force_add_result_type;

// Changes a field of force.
struct protocol_force_set_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t force;
    struct protocol_force_field field;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_FORCE_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_FORCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_FIELD (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_IF_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_IF_EPOCH (UINT64_C(1) << 4)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_IF_THING_REVISION (UINT64_C(1) << 5)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_EDIT_ID (UINT64_C(1) << 6)
#define PROTOCOL_HAS_FORCE_SET_PARAMS_GESTURE (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_force_set_params_type;

// Result of force.set.
struct protocol_force_set_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_FORCE_SET_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_SET_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_SET_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_force_set_result_type;

// Removes a field of force.
struct protocol_force_remove_params {
    uint64_t has;
    struct protocol_ref world;
    uint32_t force;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_FORCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_IF_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_IF_EPOCH (UINT64_C(1) << 3)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_EDIT_ID (UINT64_C(1) << 5)
#define PROTOCOL_HAS_FORCE_REMOVE_PARAMS_GESTURE (UINT64_C(1) << 6)
extern const struct protocol_struct protocol_force_remove_params_type;

// Result of force.remove.
struct protocol_force_remove_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_FORCE_REMOVE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_REMOVE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_REMOVE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_force_remove_result_type;

// Lists the fields of force of a world.
struct protocol_force_list_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_FORCE_LIST_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_force_list_params_type;

// Result of force.list.
struct protocol_force_list_result {
    uint64_t has;
    struct protocol_list fields; // of struct protocol_force_field
    uint64_t revision;
    uint64_t tick;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_FORCE_LIST_RESULT_FIELDS (UINT64_C(1) << 0)
#define PROTOCOL_HAS_FORCE_LIST_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_FORCE_LIST_RESULT_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_FORCE_LIST_RESULT_DURABLE_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_FORCE_LIST_RESULT_DURABLE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_force_list_result_type;

// Makes things what they were: the record that takes an edit back. Everything that it does not name goes
// on. Things come back under their ids, which nothing else may have by now (CONFLICT); grabs that an edit
// ended do not come back. It is INVALID if it contradicts itself: a thing is removed and named as well,
// or is named twice. Only a collider or a motion may be removed for another one that comes back under its
// id. It is applied whole or refused whole.
struct protocol_edit_restore_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_restore_removed removed;
    struct protocol_string name;
    struct protocol_restore_settings settings;
    struct protocol_list bodies; // of struct protocol_document_body
    struct protocol_list parts; // of struct protocol_restore_body
    struct protocol_list particles; // of struct protocol_restore_particles
    struct protocol_list own; // of struct protocol_restore_own
    struct protocol_list constraints; // of struct protocol_document_constraints
    struct protocol_list colliders; // of struct protocol_restore_collider
    struct protocol_list motions; // of struct protocol_document_motion
    struct protocol_restore_next next;
    struct protocol_restore_next expected_next;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_BODIES (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_PARTS (UINT64_C(1) << 5)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_PARTICLES (UINT64_C(1) << 6)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_OWN (UINT64_C(1) << 7)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_CONSTRAINTS (UINT64_C(1) << 8)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_COLLIDERS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_MOTIONS (UINT64_C(1) << 10)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NEXT (UINT64_C(1) << 11)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT (UINT64_C(1) << 12)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_IF_REVISION (UINT64_C(1) << 13)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_IF_EPOCH (UINT64_C(1) << 14)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_IF_THING_REVISION (UINT64_C(1) << 15)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EDIT_ID (UINT64_C(1) << 16)
#define PROTOCOL_HAS_EDIT_RESTORE_PARAMS_GESTURE (UINT64_C(1) << 17)
extern const struct protocol_struct protocol_edit_restore_params_type;

// Result of edit.restore.
struct protocol_edit_restore_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    bool repeated;
};
#define PROTOCOL_HAS_EDIT_RESTORE_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_RESTORE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_RESTORE_RESULT_REPEATED (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_edit_restore_result_type;

// Takes an edit back: what it changed is what it was before, and everything else goes on. Without
// revision, the caller's last edit that stands; again, the one before. Answers CONFLICT if the same was
// changed since, and says by whom.
struct protocol_edit_undo_params {
    uint64_t has;
    struct protocol_ref world;
    bool force;
    uint64_t revision;
    struct protocol_undo_back back;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_FORCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_BACK (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_IF_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_IF_EPOCH (UINT64_C(1) << 5)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_IF_THING_REVISION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_EDIT_ID (UINT64_C(1) << 7)
#define PROTOCOL_HAS_EDIT_UNDO_PARAMS_GESTURE (UINT64_C(1) << 8)
extern const struct protocol_struct protocol_edit_undo_params_type;

// Result of edit.undo.
struct protocol_edit_undo_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_undo_edit undone;
    struct protocol_list left_out; // of struct protocol_undo_left_out
    struct protocol_list overwritten; // of struct protocol_undo_overwritten
    bool repeated;
};
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_UNDONE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_LEFT_OUT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_OVERWRITTEN (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_UNDO_RESULT_REPEATED (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_edit_undo_result_type;

// Makes an edit again that the caller has taken back, the last one first. A new edit of the caller
// empties this list. Answers CONFLICT if the same was changed since, and says by whom.
struct protocol_edit_redo_params {
    uint64_t has;
    struct protocol_ref world;
    bool force;
    uint64_t revision;
    struct protocol_undo_back back;
    uint64_t if_revision;
    uint64_t if_epoch;
    uint64_t if_thing_revision;
    struct protocol_string edit_id;
    struct protocol_string gesture;
};
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_FORCE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_BACK (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_IF_REVISION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_IF_EPOCH (UINT64_C(1) << 5)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_IF_THING_REVISION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_EDIT_ID (UINT64_C(1) << 7)
#define PROTOCOL_HAS_EDIT_REDO_PARAMS_GESTURE (UINT64_C(1) << 8)
extern const struct protocol_struct protocol_edit_redo_params_type;

// Result of edit.redo.
struct protocol_edit_redo_result {
    uint64_t has;
    uint64_t revision;
    uint64_t tick;
    struct protocol_undo_edit redone;
    struct protocol_list left_out; // of struct protocol_undo_left_out
    struct protocol_list overwritten; // of struct protocol_undo_overwritten
    bool repeated;
};
#define PROTOCOL_HAS_EDIT_REDO_RESULT_REVISION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_EDIT_REDO_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_EDIT_REDO_RESULT_REDONE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_EDIT_REDO_RESULT_LEFT_OUT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_EDIT_REDO_RESULT_OVERWRITTEN (UINT64_C(1) << 4)
#define PROTOCOL_HAS_EDIT_REDO_RESULT_REPEATED (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_edit_redo_result_type;

// Sends stream.frame from now on, beginning with the present state; or, if encoding is records,
// stream.records, beginning with an image of it.
struct protocol_stream_subscribe_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_array bodies;
    uint32_t fields;
    uint32_t every;
    int unit;
    int encoding;
    double tolerance; // m
    uint32_t nth;
    struct protocol_array box; // m
    int mode;
    uint32_t credit; // B
    uint32_t backlog; // B
    bool sparse;
    bool adapt;
};
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BODIES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_FIELDS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_EVERY (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_UNIT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_ENCODING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_TOLERANCE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_NTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BOX (UINT64_C(1) << 8)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_MODE (UINT64_C(1) << 9)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_CREDIT (UINT64_C(1) << 10)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BACKLOG (UINT64_C(1) << 11)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_SPARSE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_ADAPT (UINT64_C(1) << 13)
enum {
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS = 1u << 0,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_POSITIONS64 = 1u << 1,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_VELOCITIES = 1u << 2,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_NORMALS = 1u << 3,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_MEASURES = 1u << 4,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS = 1u << 5,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_COLLIDERS = 1u << 6,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_SKIN = 1u << 7,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_CONTACT = 1u << 8,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_CONTACTS = 1u << 9,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ASLEEP = 1u << 10,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS = 1u << 11,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_ROTATIONS64 = 1u << 12,
};
enum {
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_TICK = 0,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_UNIT_SUBSTEP = 1,
};
enum {
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_F32 = 0,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_RECORDS = 1,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_Q16 = 2,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_ENCODING_DELTA = 3,
};
enum {
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LIVE = 0,
    PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LOSSLESS = 1,
};
extern const struct protocol_struct protocol_stream_subscribe_params_type;

// Result of stream.subscribe.
struct protocol_stream_subscribe_result {
    uint64_t has;
    uint32_t stream;
    uint64_t tick;
    uint64_t revision;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_DURABLE_REVISION (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_SUBSCRIBE_RESULT_DURABLE (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_stream_subscribe_result_type;

// Changes a stream of this session; absent fields stay. A frame follows at once, whose chunks all stand
// alone. A stream of records has nothing to change: INVALID.
struct protocol_stream_set_params {
    uint64_t has;
    uint32_t stream;
    struct protocol_array bodies;
    uint32_t fields;
    uint32_t every;
    int unit;
    int encoding;
    double tolerance; // m
    uint32_t nth;
    struct protocol_array box; // m
    bool sparse;
    bool adapt;
};
#define PROTOCOL_HAS_STREAM_SET_PARAMS_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_BODIES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_FIELDS (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_EVERY (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_UNIT (UINT64_C(1) << 4)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_ENCODING (UINT64_C(1) << 5)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_TOLERANCE (UINT64_C(1) << 6)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_NTH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_BOX (UINT64_C(1) << 8)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_SPARSE (UINT64_C(1) << 9)
#define PROTOCOL_HAS_STREAM_SET_PARAMS_ADAPT (UINT64_C(1) << 10)
enum {
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_POSITIONS = 1u << 0,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_POSITIONS64 = 1u << 1,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_VELOCITIES = 1u << 2,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_NORMALS = 1u << 3,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_MEASURES = 1u << 4,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_GRABS = 1u << 5,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_COLLIDERS = 1u << 6,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_SKIN = 1u << 7,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_CONTACT = 1u << 8,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_CONTACTS = 1u << 9,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_ASLEEP = 1u << 10,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_ROTATIONS = 1u << 11,
    PROTOCOL_STREAM_SET_PARAMS_FIELDS_ROTATIONS64 = 1u << 12,
};
enum {
    PROTOCOL_STREAM_SET_PARAMS_UNIT_TICK = 0,
    PROTOCOL_STREAM_SET_PARAMS_UNIT_SUBSTEP = 1,
};
enum {
    PROTOCOL_STREAM_SET_PARAMS_ENCODING_F32 = 0,
    PROTOCOL_STREAM_SET_PARAMS_ENCODING_Q16 = 1,
    PROTOCOL_STREAM_SET_PARAMS_ENCODING_DELTA = 2,
};
extern const struct protocol_struct protocol_stream_set_params_type;

// Result of stream.set.
struct protocol_stream_set_result {
    uint64_t has;
    uint64_t tick;
    uint64_t revision;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_STREAM_SET_RESULT_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_SET_RESULT_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_SET_RESULT_DURABLE_REVISION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_SET_RESULT_DURABLE (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_stream_set_result_type;

// Ends a stream of this session; frames already on their way may still arrive before the answer.
struct protocol_stream_unsubscribe_params {
    uint64_t has;
    uint32_t stream;
};
#define PROTOCOL_HAS_STREAM_UNSUBSCRIBE_PARAMS_STREAM (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_stream_unsubscribe_params_type;

// Result of stream.unsubscribe.
struct protocol_stream_unsubscribe_result {
    uint64_t has;
    uint64_t tick;
    uint64_t durable_revision;
    bool durable;
};
#define PROTOCOL_HAS_STREAM_UNSUBSCRIBE_RESULT_TICK (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_UNSUBSCRIBE_RESULT_DURABLE_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_UNSUBSCRIBE_RESULT_DURABLE (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_stream_unsubscribe_result_type;

// Acknowledges frames up to seq, so that a lossless stream goes on. Send it at the latest when a quarter
// of its credit or of lossless_unacked is taken. A live stream does not wait for it. A seq that was not
// sent: INVALID.
struct protocol_stream_ack_params {
    uint64_t has;
    uint32_t stream;
    uint32_t seq;
};
#define PROTOCOL_HAS_STREAM_ACK_PARAMS_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_ACK_PARAMS_SEQ (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_stream_ack_params_type;

// Result of stream.ack.
struct protocol_stream_ack_result {
    uint64_t has;
};
extern const struct protocol_struct protocol_stream_ack_result_type;

// Reports that a twin reached another hash or result than stream.records told. The server counts it
// (/metrics, weft_twin_differences_total) and does nothing else: subscribe again to begin again.
struct protocol_stream_differs_params {
    uint64_t has;
    uint32_t stream;
    uint64_t tick;
};
#define PROTOCOL_HAS_STREAM_DIFFERS_PARAMS_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_DIFFERS_PARAMS_TICK (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_stream_differs_params_type;

// Result of stream.differs.
struct protocol_stream_differs_result {
    uint64_t has;
};
extern const struct protocol_struct protocol_stream_differs_result_type;

// Takes, gives or releases the right to play, pause, step and reset a world, or asks for it. It ends with
// the session.
struct protocol_world_control_params {
    uint64_t has;
    struct protocol_ref world;
    int action;
    uint32_t to;
};
#define PROTOCOL_HAS_WORLD_CONTROL_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CONTROL_PARAMS_ACTION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_CONTROL_PARAMS_TO (UINT64_C(1) << 2)
enum {
    PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_LOOK = 0,
    PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_TAKE = 1,
    PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_RELEASE = 2,
    PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_ASK = 3,
    PROTOCOL_WORLD_CONTROL_PARAMS_ACTION_GIVE = 4,
};
extern const struct protocol_struct protocol_world_control_params_type;

// Result of world.control.
struct protocol_world_control_result {
    uint64_t has;
    uint32_t session;
    struct protocol_string user;
};
#define PROTOCOL_HAS_WORLD_CONTROL_RESULT_SESSION (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CONTROL_RESULT_USER (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_world_control_result_type;

// Lists the roles and invitations of a world.
struct protocol_access_list_params {
    uint64_t has;
    struct protocol_ref world;
};
#define PROTOCOL_HAS_ACCESS_LIST_PARAMS_WORLD (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_access_list_params_type;

// Result of access.list.
struct protocol_access_list_result {
    uint64_t has;
    struct protocol_list people; // of struct protocol_access_person
    struct protocol_list invites; // of struct protocol_access_invite
    int role;
    int control;
};
#define PROTOCOL_HAS_ACCESS_LIST_RESULT_PEOPLE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_LIST_RESULT_INVITES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_LIST_RESULT_ROLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_LIST_RESULT_CONTROL (UINT64_C(1) << 3)
enum {
    PROTOCOL_ACCESS_LIST_RESULT_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_LIST_RESULT_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_LIST_RESULT_ROLE_OWNER = 2,
};
enum {
    PROTOCOL_ACCESS_LIST_RESULT_CONTROL_EDITOR = 0,
    PROTOCOL_ACCESS_LIST_RESULT_CONTROL_OWNER = 1,
};
extern const struct protocol_struct protocol_access_list_result_type;

// Gives somebody a role in a world, or changes it. If the new role is lesser, the sessions that depend on
// the old one end, and so do invitations of this person that give more than the new role.
struct protocol_access_grant_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string user;
    int role;
    bool keep_invites;
};
#define PROTOCOL_HAS_ACCESS_GRANT_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_GRANT_PARAMS_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_GRANT_PARAMS_ROLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_GRANT_PARAMS_KEEP_INVITES (UINT64_C(1) << 3)
enum {
    PROTOCOL_ACCESS_GRANT_PARAMS_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_GRANT_PARAMS_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_GRANT_PARAMS_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_grant_params_type;

// Result of access.grant.
struct protocol_access_grant_result {
    uint64_t has;
    struct protocol_list invites; // of struct protocol_access_invite
};
#define PROTOCOL_HAS_ACCESS_GRANT_RESULT_INVITES (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_access_grant_result_type;

// Takes a role in a world back, or an invitation. Sessions of that person in that world end at once, and
// so do the invitations into it that this person made.
struct protocol_access_revoke_params {
    uint64_t has;
    struct protocol_ref world;
    struct protocol_string user;
    uint32_t invite;
    bool keep_invites;
};
#define PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_INVITE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_REVOKE_PARAMS_KEEP_INVITES (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_access_revoke_params_type;

// Result of access.revoke.
struct protocol_access_revoke_result {
    uint64_t has;
    struct protocol_list invites; // of struct protocol_access_invite
    struct protocol_list given; // of struct protocol_access_given
};
#define PROTOCOL_HAS_ACCESS_REVOKE_RESULT_INVITES (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_REVOKE_RESULT_GIVEN (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_access_revoke_result_type;

// Makes an invitation into a world: anybody who has it may accept it, as often as it says.
struct protocol_access_invite_params {
    uint64_t has;
    struct protocol_ref world;
    int role;
    uint32_t uses;
    uint64_t seconds; // s
};
#define PROTOCOL_HAS_ACCESS_INVITE_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_INVITE_PARAMS_ROLE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_INVITE_PARAMS_USES (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_INVITE_PARAMS_SECONDS (UINT64_C(1) << 3)
enum {
    PROTOCOL_ACCESS_INVITE_PARAMS_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_INVITE_PARAMS_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_INVITE_PARAMS_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_invite_params_type;

// Result of access.invite.
struct protocol_access_invite_result {
    uint64_t has;
    struct protocol_string invite;
    uint32_t id;
    double expires_at; // s
};
#define PROTOCOL_HAS_ACCESS_INVITE_RESULT_INVITE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_INVITE_RESULT_ID (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_INVITE_RESULT_EXPIRES_AT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_access_invite_result_type;

// Accepts an invitation. A caller without a token becomes a person by it, and gets a token.
struct protocol_access_accept_params {
    uint64_t has;
    struct protocol_string invite;
    struct protocol_string user;
};
#define PROTOCOL_HAS_ACCESS_ACCEPT_PARAMS_INVITE (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_ACCEPT_PARAMS_USER (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_access_accept_params_type;

// Result of access.accept.
struct protocol_access_accept_result {
    uint64_t has;
    uint32_t world;
    struct protocol_string name;
    int role;
    struct protocol_string user;
    struct protocol_string token;
};
#define PROTOCOL_HAS_ACCESS_ACCEPT_RESULT_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_ACCEPT_RESULT_NAME (UINT64_C(1) << 1)
#define PROTOCOL_HAS_ACCESS_ACCEPT_RESULT_ROLE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_ACCESS_ACCEPT_RESULT_USER (UINT64_C(1) << 3)
#define PROTOCOL_HAS_ACCESS_ACCEPT_RESULT_TOKEN (UINT64_C(1) << 4)
enum {
    PROTOCOL_ACCESS_ACCEPT_RESULT_ROLE_VIEWER = 0,
    PROTOCOL_ACCESS_ACCEPT_RESULT_ROLE_EDITOR = 1,
    PROTOCOL_ACCESS_ACCEPT_RESULT_ROLE_OWNER = 2,
};
extern const struct protocol_struct protocol_access_accept_result_type;

// Sets who may play, pause, step and reset a world.
struct protocol_access_set_params {
    uint64_t has;
    struct protocol_ref world;
    int control;
};
#define PROTOCOL_HAS_ACCESS_SET_PARAMS_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ACCESS_SET_PARAMS_CONTROL (UINT64_C(1) << 1)
enum {
    PROTOCOL_ACCESS_SET_PARAMS_CONTROL_EDITOR = 0,
    PROTOCOL_ACCESS_SET_PARAMS_CONTROL_OWNER = 1,
};
extern const struct protocol_struct protocol_access_set_params_type;

// Result of access.set.
struct protocol_access_set_result {
    uint64_t has;
};
extern const struct protocol_struct protocol_access_set_result_type;

// Makes a token for a person. One person may have several.
struct protocol_token_create_params {
    uint64_t has;
    struct protocol_string user;
    int role;
    uint64_t seconds; // s
};
#define PROTOCOL_HAS_TOKEN_CREATE_PARAMS_USER (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TOKEN_CREATE_PARAMS_ROLE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TOKEN_CREATE_PARAMS_SECONDS (UINT64_C(1) << 2)
enum {
    PROTOCOL_TOKEN_CREATE_PARAMS_ROLE_VIEWER = 0,
    PROTOCOL_TOKEN_CREATE_PARAMS_ROLE_EDITOR = 1,
    PROTOCOL_TOKEN_CREATE_PARAMS_ROLE_ADMIN = 2,
};
extern const struct protocol_struct protocol_token_create_params_type;

// Result of token.create.
struct protocol_token_create_result {
    uint64_t has;
    struct protocol_string token;
    uint32_t id;
    double expires_at; // s
};
#define PROTOCOL_HAS_TOKEN_CREATE_RESULT_TOKEN (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TOKEN_CREATE_RESULT_ID (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TOKEN_CREATE_RESULT_EXPIRES_AT (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_token_create_result_type;

// Lists all valid tokens.
struct protocol_token_list_params {
    uint64_t has;
};
extern const struct protocol_struct protocol_token_list_params_type;

// Result of token.list.
struct protocol_token_list_result {
    uint64_t has;
    struct protocol_list tokens; // of struct protocol_access_token
};
#define PROTOCOL_HAS_TOKEN_LIST_RESULT_TOKENS (UINT64_C(1) << 0)
extern const struct protocol_struct protocol_token_list_result_type;

// Ends a token, or all of a person, and the sessions that are open with them, at once. The invitations
// that this person made, into any world, end as well.
struct protocol_token_revoke_params {
    uint64_t has;
    uint32_t id;
    struct protocol_string user;
    bool keep_invites;
};
#define PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_ID (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_USER (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TOKEN_REVOKE_PARAMS_KEEP_INVITES (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_token_revoke_params_type;

// Result of token.revoke.
struct protocol_token_revoke_result {
    uint64_t has;
    uint32_t revoked;
    struct protocol_list invites; // of struct protocol_access_invite
    struct protocol_list given; // of struct protocol_access_given
};
#define PROTOCOL_HAS_TOKEN_REVOKE_RESULT_REVOKED (UINT64_C(1) << 0)
#define PROTOCOL_HAS_TOKEN_REVOKE_RESULT_INVITES (UINT64_C(1) << 1)
#define PROTOCOL_HAS_TOKEN_REVOKE_RESULT_GIVEN (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_token_revoke_result_type;

// One moment of a world, or a part of it; laid out so that arrays lie at multiples of 8 bytes. Fields
// that begin with _ are padding.
struct protocol_stream_frame_notice {
    uint64_t has;
    uint32_t stream;
    uint32_t seq;
    uint32_t dropped;
    uint32_t world;
    uint64_t tick;
    uint32_t substep;
    double time; // s
    uint64_t revision;
    uint32_t part;
    uint32_t parts;
    uint64_t epoch;
    int encoding;
    double tolerance; // m
    uint32_t nth;
    struct protocol_measures measures;
    struct protocol_list grabs; // of struct protocol_grab_summary
    struct protocol_list colliders; // of struct protocol_collider_pose
    struct protocol_contact contact;
    struct protocol_contacts contacts;
    struct protocol_array asleep;
    uint32_t left_out;
    struct protocol_raw bodies;
};
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_SEQ (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_DROPPED (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_WORLD (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_TICK (UINT64_C(1) << 4)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_SUBSTEP (UINT64_C(1) << 5)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_TIME (UINT64_C(1) << 6)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_REVISION (UINT64_C(1) << 7)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_PART (UINT64_C(1) << 8)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_PARTS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_EPOCH (UINT64_C(1) << 10)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_ENCODING (UINT64_C(1) << 11)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_TOLERANCE (UINT64_C(1) << 12)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_NTH (UINT64_C(1) << 13)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_MEASURES (UINT64_C(1) << 14)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_GRABS (UINT64_C(1) << 15)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_COLLIDERS (UINT64_C(1) << 16)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_CONTACT (UINT64_C(1) << 17)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_CONTACTS (UINT64_C(1) << 18)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_ASLEEP (UINT64_C(1) << 19)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_LEFT_OUT (UINT64_C(1) << 20)
#define PROTOCOL_HAS_STREAM_FRAME_NOTICE_BODIES (UINT64_C(1) << 21)
enum {
    PROTOCOL_STREAM_FRAME_NOTICE_ENCODING_Q16 = 0,
    PROTOCOL_STREAM_FRAME_NOTICE_ENCODING_DELTA = 1,
};
extern const struct protocol_struct protocol_stream_frame_notice_type;

// Tells an edit of a world that this session joined.
struct protocol_world_edited_notice {
    uint64_t has;
    uint32_t world;
    uint64_t revision;
    uint64_t tick;
    struct protocol_string user;
    uint32_t session;
    struct protocol_string method;
    struct protocol_raw params;
    struct protocol_raw result;
    struct protocol_raw omitted;
    uint64_t undo_of;
    uint64_t redo_of;
    uint64_t gesture;
};
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_REVISION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_USER (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_SESSION (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_METHOD (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_PARAMS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_RESULT (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_OMITTED (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_UNDO_OF (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_REDO_OF (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_EDITED_NOTICE_GESTURE (UINT64_C(1) << 11)
extern const struct protocol_struct protocol_world_edited_notice_type;

// Tells that a world that this session joined plays, pauses, failed or is gone, takes no edits or takes
// them again, or that a view of the past (world.seek) shows another tick. moved: another server of the
// deployment runs it from here on; this session is in it no more, and its streams of it end.
struct protocol_world_changed_notice {
    uint64_t has;
    uint32_t world;
    int state;
    double rate;
    uint64_t tick;
    struct protocol_string reason;
    struct protocol_string user;
    uint32_t session;
    struct protocol_string read_only;
    uint32_t view_of;
    bool slowed;
    bool hold;
    uint32_t held_by;
    struct protocol_string server;
    struct protocol_string address;
    struct protocol_string web;
};
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_STATE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_RATE (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_TICK (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_REASON (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_USER (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_SESSION (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_READ_ONLY (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_VIEW_OF (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_SLOWED (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_HOLD (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_HELD_BY (UINT64_C(1) << 11)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_SERVER (UINT64_C(1) << 12)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_ADDRESS (UINT64_C(1) << 13)
#define PROTOCOL_HAS_WORLD_CHANGED_NOTICE_WEB (UINT64_C(1) << 14)
enum {
    PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED = 0,
    PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PLAYING = 1,
    PROTOCOL_WORLD_CHANGED_NOTICE_STATE_FAILED = 2,
    PROTOCOL_WORLD_CHANGED_NOTICE_STATE_DELETED = 3,
    PROTOCOL_WORLD_CHANGED_NOTICE_STATE_MOVED = 4,
};
extern const struct protocol_struct protocol_world_changed_notice_type;

// Tells that the warnings of a world that this session joined have changed. The server looks at each body
// after every 1024 sweeps (substeps times iterations of ticks), at ticks that are a multiple of a power
// of two from 16 to 1024. A warning comes when the error is above 5 % in two looks, one after the other,
// and goes when it is below 2.5 % in two.
struct protocol_world_warned_notice {
    uint64_t has;
    uint32_t world;
    uint64_t tick;
    struct protocol_list warnings; // of struct protocol_warning
};
#define PROTOCOL_HAS_WORLD_WARNED_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_WARNED_NOTICE_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_WARNED_NOTICE_WARNINGS (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_world_warned_notice_type;

// Tells that a body of a world that this session joined tore in a tick. Frames of tick `tick` and of
// later ones have the particles that split off; triangles keep their numbers.
struct protocol_body_tear_notice {
    uint64_t has;
    uint32_t world;
    uint64_t tick;
    uint32_t body;
    uint32_t first;
    struct protocol_array origins;
    struct protocol_array changed;
    struct protocol_array corners;
    struct protocol_array edges;
};
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_TICK (UINT64_C(1) << 1)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_BODY (UINT64_C(1) << 2)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_FIRST (UINT64_C(1) << 3)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_ORIGINS (UINT64_C(1) << 4)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_CHANGED (UINT64_C(1) << 5)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_CORNERS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_BODY_TEAR_NOTICE_EDGES (UINT64_C(1) << 7)
extern const struct protocol_struct protocol_body_tear_notice_type;

// Tells that somebody in a world that this session joined has another name: session.hello was called
// again, and world.join after it.
struct protocol_world_person_notice {
    uint64_t has;
    uint32_t world;
    uint32_t session;
    struct protocol_string user;
    struct protocol_string client;
};
#define PROTOCOL_HAS_WORLD_PERSON_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_PERSON_NOTICE_SESSION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_PERSON_NOTICE_USER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_PERSON_NOTICE_CLIENT (UINT64_C(1) << 3)
extern const struct protocol_struct protocol_world_person_notice_type;

// Control of a world that this session joined was taken, given, released or asked for (world.control).
struct protocol_world_controlled_notice {
    uint64_t has;
    uint32_t world;
    uint32_t session;
    struct protocol_string user;
    uint32_t asking;
    struct protocol_string asking_user;
};
#define PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_SESSION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_USER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_ASKING (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_CONTROLLED_NOTICE_ASKING_USER (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_world_controlled_notice_type;

// Tells of somebody in a world that this session joined: when they join, when what they show changes,
// when they are away, and when they are gone. After world.join everybody present is told. At most 30 a
// second for one person (limit presence_per_second), and only the newest if this session reads slowly.
struct protocol_world_presence_notice {
    uint64_t has;
    uint32_t world;
    uint32_t session;
    struct protocol_string user;
    struct protocol_string client;
    struct protocol_string name;
    struct protocol_string color;
    struct protocol_presence_camera camera;
    struct protocol_presence_cursor cursor;
    struct protocol_list selection; // of struct protocol_presence_thing
    struct protocol_array holds;
    bool away;
    bool gone;
};
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_SESSION (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_USER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_CLIENT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_NAME (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_COLOR (UINT64_C(1) << 5)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_CAMERA (UINT64_C(1) << 6)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_CURSOR (UINT64_C(1) << 7)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_SELECTION (UINT64_C(1) << 8)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_HOLDS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_AWAY (UINT64_C(1) << 10)
#define PROTOCOL_HAS_WORLD_PRESENCE_NOTICE_GONE (UINT64_C(1) << 11)
extern const struct protocol_struct protocol_world_presence_notice_type;

// Somebody said something to all who joined a world.
struct protocol_world_said_notice {
    uint64_t has;
    uint32_t world;
    uint64_t line;
    uint32_t session;
    struct protocol_string user;
    struct protocol_string name;
    struct protocol_string text;
};
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_WORLD (UINT64_C(1) << 0)
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_LINE (UINT64_C(1) << 1)
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_SESSION (UINT64_C(1) << 2)
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_USER (UINT64_C(1) << 3)
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_NAME (UINT64_C(1) << 4)
#define PROTOCOL_HAS_WORLD_SAID_NOTICE_TEXT (UINT64_C(1) << 5)
extern const struct protocol_struct protocol_world_said_notice_type;

// Everything that decides the future of a world, for sessions that subscribed with encoding records
// (docs/concepts/twins.md): an image of it in pieces, then its records, how far it has come, and now and
// then the hash of its state. Nothing is lost or doubled in between. A piece with part 0 begins again,
// with that image.
struct protocol_stream_records_notice {
    uint64_t has;
    uint32_t stream;
    uint32_t seq;
    uint64_t tick;
    uint64_t at; // us
    int state;
    double rate;
    struct protocol_raw records;
    struct protocol_string hash;
    uint32_t part;
    uint32_t parts;
    uint64_t size; // B
    uint64_t sequence;
    struct protocol_raw image;
};
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_SEQ (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_TICK (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_AT (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_STATE (UINT64_C(1) << 4)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_RATE (UINT64_C(1) << 5)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_RECORDS (UINT64_C(1) << 6)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_HASH (UINT64_C(1) << 7)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_PART (UINT64_C(1) << 8)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_PARTS (UINT64_C(1) << 9)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_SIZE (UINT64_C(1) << 10)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_SEQUENCE (UINT64_C(1) << 11)
#define PROTOCOL_HAS_STREAM_RECORDS_NOTICE_IMAGE (UINT64_C(1) << 12)
enum {
    PROTOCOL_STREAM_RECORDS_NOTICE_STATE_PAUSED = 0,
    PROTOCOL_STREAM_RECORDS_NOTICE_STATE_PLAYING = 1,
    PROTOCOL_STREAM_RECORDS_NOTICE_STATE_FAILED = 2,
};
extern const struct protocol_struct protocol_stream_records_notice_type;

// Frames were left out; at most once a second for each stream.
struct protocol_stream_lagged_notice {
    uint64_t has;
    uint32_t stream;
    uint64_t dropped;
    struct protocol_string reason;
};
#define PROTOCOL_HAS_STREAM_LAGGED_NOTICE_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_LAGGED_NOTICE_DROPPED (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_LAGGED_NOTICE_REASON (UINT64_C(1) << 2)
extern const struct protocol_struct protocol_stream_lagged_notice_type;

// A stream goes on at another rate: one that adapts (stream.subscribe adapt), or any whose frames take
// more work than this person may ask for (limit stream_work_person).
struct protocol_stream_rate_notice {
    uint64_t has;
    uint32_t stream;
    uint32_t every;
};
#define PROTOCOL_HAS_STREAM_RATE_NOTICE_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_RATE_NOTICE_EVERY (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_stream_rate_notice_type;

// A stream ended without being asked to.
struct protocol_stream_closed_notice {
    uint64_t has;
    uint32_t stream;
    struct protocol_string reason;
    struct protocol_string server;
    struct protocol_string address;
    struct protocol_string web;
};
#define PROTOCOL_HAS_STREAM_CLOSED_NOTICE_STREAM (UINT64_C(1) << 0)
#define PROTOCOL_HAS_STREAM_CLOSED_NOTICE_REASON (UINT64_C(1) << 1)
#define PROTOCOL_HAS_STREAM_CLOSED_NOTICE_SERVER (UINT64_C(1) << 2)
#define PROTOCOL_HAS_STREAM_CLOSED_NOTICE_ADDRESS (UINT64_C(1) << 3)
#define PROTOCOL_HAS_STREAM_CLOSED_NOTICE_WEB (UINT64_C(1) << 4)
extern const struct protocol_struct protocol_stream_closed_notice_type;

// Tells that something was wrong that the client sent without expecting an answer; at most ten a second.
// After code PROTOCOL or LIMIT with an empty method the connection is closed.
struct protocol_error_notice {
    uint64_t has;
    struct protocol_raw error;
    struct protocol_string method;
};
#define PROTOCOL_HAS_ERROR_NOTICE_ERROR (UINT64_C(1) << 0)
#define PROTOCOL_HAS_ERROR_NOTICE_METHOD (UINT64_C(1) << 1)
extern const struct protocol_struct protocol_error_notice_type;

#endif
