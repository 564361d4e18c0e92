// What api.json says, for TypeScript: types of parameters, results and notifications; error codes, limits, and
// the tables METHODS, NOTIFICATIONS and TYPES that say of each field its type, unit, range, default and meaning.
//
// Made by protocol/generate.py from protocol/api.json. Change that, not this.
import type {ErrorInfo, KindInfo, LimitInfo, MethodInfo, NotificationInfo, TypeInfo} from './schema.js';
import type {Call, Numbers, Ref, Vec3, Vec4} from './values.js';

export const VERSION = '0.1.0';
export const API_LEVEL = 7;
export const API_COMPATIBLE = 1;

/** Codes of the server's errors. A later server may have more. */
export type ErrorCode = 'INTERNAL' | 'MEMORY' | 'SHUTDOWN' | 'INVALID' | 'NOT_FOUND' | 'CONFLICT' | 'DENIED' | 'READ_ONLY' | 'LIMIT' | 'BUSY' | 'MOVED' | 'PROTOCOL';

/** Kind 0: the server failed; 1: the caller erred. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorInfo>> = {
  INTERNAL: {kind: 0, doc: 'The server failed; its log says more.'},
  MEMORY: {kind: 0, doc: 'The server could not get the memory for this; nothing changed.'},
  SHUTDOWN: {kind: 0, doc: 'The server is ending and takes no more edits.'},
  INVALID: {kind: 1, doc: 'A field is unknown, missing, of the wrong type, length or range; the text names it and what would be right.'},
  NOT_FOUND: {kind: 1, doc: 'There is no such method, world, body, constraint, collider, grab, stream, edit or tick.'},
  CONFLICT: {kind: 1, doc: 'The request does not fit the present state: a name is taken, the world is not paused, another user holds the particle.'},
  DENIED: {kind: 1, doc: 'The thing belongs to another session, another session holds control, or the caller lacks the role that the method needs; if the server asks for tokens, none was shown that is good.'},
  READ_ONLY: {kind: 1, doc: 'The world takes no edits now: it shows the past of another, or the server has no room to keep what changes it. read_only of world.get says which.'},
  LIMIT: {kind: 1, doc: 'A limit of server.info would be passed; the text names it.'},
  BUSY: {kind: 1, doc: 'Too many requests wait in this world; send it again later.'},
  MOVED: {kind: 1, doc: 'Another server of this deployment runs the world; nothing was done. The error as a map names it in server, address and web: ask there (session.hello {follow}).'},
  PROTOCOL: {kind: 1, doc: 'The bytes are not MessagePack-RPC; the connection is closed after this.'},
};

export type LimitName = 'message_bytes' | 'message_depth' | 'message_nodes' | 'receive_bytes' | 'message_ms' | 'first_message_ms' | 'unpacked_bytes' | 'document_bytes' | 'upload_seconds' | 'sessions' | 'sessions_per_address' | 'requests_unanswered' | 'reply_bytes' | 'undo_steps' | 'undo_bytes' | 'undo_world_bytes' | 'record_bytes' | 'answer_bytes' | 'notification_bytes' | 'edited_bytes_per_second' | 'streams' | 'session_grace' | 'sessions_away' | 'sessions_away_per_address' | 'kept_answers' | 'kept_answer_bytes' | 'kept_notices' | 'kept_notice_bytes' | 'kept_notice_bytes_total' | 'passed_hops' | 'passed_servers' | 'presence_per_second' | 'presence_selection' | 'said_bytes' | 'said_per_second' | 'worlds' | 'hello_ms' | 'hello_bytes' | 'tokens' | 'grants' | 'person_messages' | 'person_bytes' | 'person_edits' | 'person_worlds' | 'person_bodies' | 'person_particles' | 'person_constraints' | 'person_poses' | 'tick_ms' | 'bodies' | 'particles' | 'constraints' | 'skin_vertices' | 'skin_triangles' | 'look_images' | 'image_bytes' | 'world_image_bytes' | 'colliders' | 'heights' | 'grabs' | 'tick_work' | 'contact_tests' | 'crossing_triangles' | 'motions' | 'motion_keys' | 'motion_poses' | 'world_requests' | 'world_request_bytes' | 'session_request_bytes' | 'stream_work_person' | 'stream_work_world' | 'query_work_person' | 'query_work_world' | 'stream_tiers' | 'stream_tier_bytes' | 'frame_part_bytes' | 'frame_bytes' | 'server_frame_bytes' | 'records_unsent' | 'lossless_bytes' | 'lossless_unacked' | 'hold_ms' | 'session_views' | 'person_views' | 'person_view_bytes' | 'views' | 'view_bytes' | 'branch_changes' | 'image_ticks' | 'edited_array_bytes' | 'batch_edits' | 'batch_bytes' | 'edit_ids' | 'gesture_edits' | 'name_bytes';

export const LIMITS: Readonly<Record<LimitName, LimitInfo>> = {
  message_bytes: {value: 67108864, unit: 'B', doc: 'Largest message a client may send.'},
  message_depth: {value: 16, doc: 'Deepest nesting of arrays and maps in a message.'},
  message_nodes: {value: 4194304, doc: 'Most values (elements, keys, containers) in one message. A typed array or bin counts as one.'},
  receive_bytes: {value: 536870912, unit: 'B', doc: 'Memory of unfinished messages that all connections together may hold. Beyond it the one that holds most is cut, of those whose messages came to a halt or else of all.'},
  message_ms: {value: 30000, unit: 'ms', doc: 'How far a message that began may fall behind 32 bytes a millisecond; beyond it its connection is cut.'},
  first_message_ms: {value: 30000, unit: 'ms', doc: 'From connecting to the end of the first message; a session that says nothing for longer is cut.'},
  unpacked_bytes: {value: 1073741824, unit: 'B', doc: 'Memory of all messages that have come and are not applied yet: their bytes, and 24 for each value that they unpack to. Beyond it requests are answered with BUSY, except the first 64 KiB of a session that wait.'},
  document_bytes: {value: 536870912, unit: 'B', doc: 'Largest document that world.upload takes.'},
  upload_seconds: {value: 60, unit: 's', doc: 'An upload is forgotten so long after its last piece.'},
  sessions: {value: 1024, doc: 'Connections at a time, unless weftd --max-sessions says otherwise. When there are more, an idle one ends so that the new one finds room.'},
  sessions_per_address: {value: 256, doc: 'Sessions of these from one IPv4 address or one /64 of IPv6. Loopback counts only if weftd --max-sessions-per-address is given.'},
  requests_unanswered: {value: 256, doc: 'Requests of a session that wait for an answer; beyond it the session is not read until they drain.'},
  reply_bytes: {value: 1048576, unit: 'B', doc: 'Replies of a session that are made and not sent; beyond it the session is not read, and what worlds have of it waits, until they drain.'},
  undo_steps: {value: 1000, doc: 'Edits that a person can take back in a world; beyond it the oldest is forgotten.'},
  undo_bytes: {value: 33554432, unit: 'B', doc: 'Memory for taking back the edits of a person in a world; beyond it the oldest are forgotten. An edit that alone needs more cannot be taken back.'},
  undo_world_bytes: {value: 134217728, unit: 'B', doc: 'The same for all persons of a world together, including the record of who changed what.'},
  record_bytes: {value: 1048576, unit: 'B', doc: 'Bytes of the last records of a world that stay in memory for world.records; older ones and larger ones are read from what is kept of its past.'},
  answer_bytes: {value: 1073741824, unit: 'B', doc: 'Replies of all sessions that are made and not sent; beyond it a query whose answer is larger than 64 KiB is answered with BUSY.'},
  notification_bytes: {value: 8388608, unit: 'B', doc: 'Unsent control bytes of a session; beyond it the session is cut with a reason.'},
  edited_bytes_per_second: {value: 2097152, unit: 'B/s', doc: 'world.edited and world.changed that a world makes for those who joined; twice as much may come at once. Beyond it edits wait, the sessions taking turns.'},
  streams: {value: 64, doc: 'Streams a session may hold.'},
  session_grace: {value: 60, unit: 's', doc: 'How long a session that said hello is kept after its connection is lost, for session.hello with resume, unless weftd --session-grace says otherwise; 0: not at all.'},
  sessions_away: {value: 1024, doc: 'Sessions that are kept without a connection; beyond it, of the address that has most of them, the one that is away for longest ends.'},
  sessions_away_per_address: {value: 128, doc: 'Sessions of these from one IPv4 address or one /64 of IPv6; beyond it the one that is away for longest ends. Loopback counts only if weftd --max-sessions-per-address is given.'},
  kept_answers: {value: 1024, doc: 'Last answers of a session that are kept for when its connection is lost, and requests of one session.hello that may be unanswered.'},
  kept_answer_bytes: {value: 65536, unit: 'B', doc: 'The same in bytes.'},
  kept_notices: {value: 4096, doc: 'Last notifications of a world that are kept for sessions that come back.'},
  kept_notice_bytes: {value: 1048576, unit: 'B', doc: 'The same in bytes.'},
  kept_notice_bytes_total: {value: 67108864, unit: 'B', doc: 'The same of all worlds; beyond it the world that tells something new keeps less.'},
  passed_hops: {value: 2, doc: 'Servers through which the calls of a session may be passed on to the one that runs their world. The second one first waits for a moment, since the world may be on its way to it; at the one after that they wait for the world, and are refused if it does not come.'},
  passed_servers: {value: 8, doc: 'Other servers that the worlds of one session may run on, beside those of this one.'},
  presence_per_second: {value: 30, doc: 'world.presence of one person that others are sent in a second; of more the last counts.'},
  presence_selection: {value: 64, doc: 'Things in presence.set selection.'},
  said_bytes: {value: 2000, unit: 'B', doc: 'Text of presence.say.'},
  said_per_second: {value: 5, doc: 'presence.say of a session in a second; beyond it they are answered with LIMIT.'},
  worlds: {value: 256, doc: 'Worlds at a time, unless weftd --max-worlds says otherwise.'},
  hello_ms: {value: 2000, unit: 'ms', doc: 'If the server asks for tokens: from connecting to a session.hello with a good one, or access.accept; a session that has shown none by then is cut.'},
  hello_bytes: {value: 65536, unit: 'B', doc: 'Largest message before that.'},
  tokens: {value: 16384, doc: 'Tokens and invitations of a server that are good.'},
  grants: {value: 65536, doc: 'Roles in worlds that a server keeps.'},
  person_messages: {value: 2000, unit: '1/s', doc: 'Messages a second of a person, over all sessions, if the server asks for tokens; twice as many may come at once. Unless weftd --person-messages says otherwise; 0: no bound. The same holds for the limits that follow.'},
  person_bytes: {value: 67108864, unit: 'B/s', doc: 'Bytes of these.'},
  person_edits: {value: 1000, unit: '1/s', doc: 'Edits of these: methods that change a world, or make one.'},
  person_worlds: {value: 64, doc: 'Worlds that a person made, of those that are there.'},
  person_bodies: {value: 65536, doc: 'Bodies in all worlds that a person made, whoever added them.'},
  person_particles: {value: 16777216, doc: 'Particles in these.'},
  person_constraints: {value: 134217728, doc: 'Constraints in these.'},
  person_poses: {value: 67108864, doc: 'Numbers in the poses of all motions in these, and eight for each keyframe.'},
  tick_ms: {value: 2000, unit: 'ms', doc: 'How long a tick may take before its world is slowed: it then rests after each tick for as long as the tick took. Unless weftd --tick-ms says otherwise; 0: no bound.'},
  bodies: {value: 4096, doc: 'Bodies in a world.'},
  particles: {value: 4194304, doc: 'Particles in a world.'},
  constraints: {value: 33554432, doc: 'Constraints in a world.'},
  skin_vertices: {value: 4194304, doc: 'Vertices of all skins in a world.'},
  skin_triangles: {value: 8388608, doc: 'Triangles of all skins in a world.'},
  look_images: {value: 64, doc: 'Images of a body\'s look.'},
  image_bytes: {value: 4194304, unit: 'B', doc: 'All images of a body\'s look together.'},
  world_image_bytes: {value: 67108864, unit: 'B', doc: 'All images of the looks in a world.'},
  colliders: {value: 256, doc: 'Colliders in a world.'},
  heights: {value: 262144, doc: 'Heights of all height fields in a world.'},
  grabs: {value: 1024, doc: 'Grabs in a world.'},
  tick_work: {value: 1073741824, doc: 'Visits in a tick: substeps (particles + iterations (constraints + grabs + particles colliders)), a convex collider counting as one more for each 8 faces of its hull, a height field as one more for each 4 cells up to 256. With long_edges a distance of a cloth or rope counts six times, and each of its particles as three constraints more. In a world with calm edges count twice, long ones included. With bending: solved a particle of a body with quadratic bending counts eight times more. With loads: solved each of the n particles of a cloth or rope of at most 4,096 counts 100 sqrt(n) more. In gusty wind each particle counts as six more, once a tick. An edit or a setting that would pass it is refused.'},
  contact_tests: {value: 16384, doc: 'Tests of pairs in a tick, for each particle of the bodies that may meet something; at least 2048 particles count. A pair counts each time that it is tested, and two groups of 16 triangles whose boxes are compared count as 64. A tick that passes the limit is given up: it changes nothing, and the world fails until an edit lets it try again.'},
  crossing_triangles: {value: 1048576, doc: 'Triangles of bodies that meet any, of which world.measure counts crossings.'},
  motions: {value: 256, doc: 'Motions in a world.'},
  motion_keys: {value: 1048576, doc: 'Keyframes of all motions of a world.'},
  motion_poses: {value: 67108864, doc: 'Numbers in the poses of all motions of a world: three for each particle of each keyframe, of 4 B.'},
  world_requests: {value: 2048, doc: 'Requests that wait in the inbox of a world; beyond it they are answered with BUSY, and those of a session already when it has as many waiting as there are places left.'},
  world_request_bytes: {value: 536870912, unit: 'B', doc: 'Memory of requests that wait in the inbox of a world or behind a step; beyond it, requests are answered with BUSY. One is always admitted, and so are the first 64 KiB of a session.'},
  session_request_bytes: {value: 268435456, unit: 'B', doc: 'The same of one session, in all worlds.'},
  stream_work_person: {value: 25, unit: '%', doc: 'Share of a tick\'s time that the frames of one person\'s streams of a world may take, counted as the work of one thread (docs/concepts/streaming.md). What exceeds it is left out, and those streams get frames less often (stream.rate).'},
  stream_work_world: {value: 50, unit: '%', doc: 'The same of all persons together. Those who ask for little get it all; the others get equal shares of the rest.'},
  query_work_person: {value: 25, unit: '%', doc: 'Share of the time that costly queries of one person (constraint.list with forces, world.measure with crossings) may take in a world that runs, counted as the work of one thread. Beyond it the next one waits, with what its session asks for behind it; wait_ms of the answer before tells for how long. An eighth of a second may be saved up.'},
  query_work_world: {value: 50, unit: '%', doc: 'The same of all persons together.'},
  stream_tiers: {value: 64, doc: 'Different sets of options that streams of a world may have together, of those that are encoded separately: q16, delta, every n-th vertex, in a box. A session that has as many as there are places left gets no more.'},
  stream_tier_bytes: {value: 536870912, unit: 'B', doc: 'Memory of a world for delta, over all its streams; a body that finds no room is sent uncompressed.'},
  frame_part_bytes: {value: 262144, unit: 'B', doc: 'Above this size a frame is split into parts.'},
  frame_bytes: {value: 268435456, unit: 'B', doc: 'Encoded frames of a world that are still held by anyone; beyond it frames are dropped and the connections that hold the oldest of that world are cut.'},
  server_frame_bytes: {value: 1073741824, unit: 'B', doc: 'The same of all worlds together, and of streams that are passed on from other servers, unless weftd --server-frame-bytes says otherwise. While three quarters of it are held, a world gets more only up to an equal share of the last quarter, and of the world that holds most the connections are cut that hold the oldest.'},
  records_unsent: {value: 1048576, unit: 'B', doc: 'Messages of a stream of records that wait behind its image or another message; beyond it the stream ends.'},
  lossless_bytes: {value: 67108864, unit: 'B', doc: 'Backlogs of all lossless streams of a world together, unless weftd --lossless-bytes says otherwise; a session whose streams have as much as is left gets no more.'},
  lossless_unacked: {value: 1024, doc: 'Frames of a lossless stream that are sent and not acknowledged (stream.ack); beyond it none follows until some are, whatever their bytes.'},
  hold_ms: {value: 10000, unit: 'ms', doc: 'How long a lossless stream may hold its world (world.hold) without taking anything; beyond it the stream ends. So do the streams of a person that have held the world for three times as long in all: a tenth of the time that the world does not wait for them makes up for that, and a millisecond for each KiB that they take. Unless weftd --hold-ms says otherwise.'},
  session_views: {value: 4, doc: 'Views (world.seek) that a session may have, each of another world.'},
  person_views: {value: 16, doc: 'Views in all sessions of a person or, if the server asks for no tokens, of an address (except loopback, unless weftd --max-sessions-per-address is given).'},
  person_view_bytes: {value: 1073741824, unit: 'B', doc: 'Memory of the same, as view_bytes counts it; one is always let in.'},
  views: {value: 64, doc: 'Views of all sessions.'},
  view_bytes: {value: 4294967296, unit: 'B', doc: 'Memory of all views together, as counted by their particles and constraints; one is always let in.'},
  branch_changes: {value: 1024, doc: 'Edits that world.branch leaves out or takes as others.'},
  image_ticks: {value: 4096, doc: 'Images that world.history names; if there are more, they are chosen evenly over the past.'},
  edited_array_bytes: {value: 4096, unit: 'B', doc: 'Arrays larger than this are left out of world.edited and edit.log, and named in omitted.'},
  batch_edits: {value: 1000, doc: 'Edits of one edit.batch.'},
  batch_bytes: {value: 134217728, unit: 'B', doc: 'What one edit.batch may change, counted as the memory that would take it back, until it is known whether all of it applies.'},
  edit_ids: {value: 10000, doc: 'Edits of a world whose edit_id is kept, for an hour: the oldest go first, and sooner if their answers take more than 16 MiB.'},
  gesture_edits: {value: 10000, doc: 'Edits that one gesture gathers into one step of undo; the next one begins another step.'},
  name_bytes: {value: 64, unit: 'B', doc: 'Longest name of a world, body, collider, user or client.'},
};

/** Kinds of constraints. */
export type ConstraintKind = 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';

/** What each kind of constraint is, in the order of solving. */
export const KINDS: Readonly<Record<ConstraintKind, KindInfo>> = {
  distance: {name: 'distance', particles: 2, part: 'stretch', c: 'length', unit: 'm', rest: 'm', compliance: 'm/N', damping: 'N s/m', force: 'N', shown: {color: '#3b82c4', full: 0.05, compliance: [1e-09, 1], damping: [0.0001, 1000.0]}, told: {as: 'relative', unit: '1', error: {name: 'strain', doc: 'Relative change of the length of the edges from rest.', max: 'strain_max', rms: 'strain_rms'}}},
  dihedral: {name: 'dihedral', particles: 4, part: 'bend', c: 'angle', unit: 'rad', rest: 'rad', compliance: 'rad/(N m)', damping: 'N m s/rad^2', force: 'N m', shown: {color: '#d18a2c', full: 0.7853981633974483, compliance: [1e-06, 10000.0], damping: [1e-08, 1]}, told: {as: 'absolute', unit: 'rad'}},
  isometric: {name: 'isometric', particles: 4, part: 'bend', c: 'fold', unit: '1', rest: null, compliance: '1/J', damping: 'J s', force: 'J', shown: {color: '#b3589a', full: 0.7853981633974483, compliance: [0.001, 1000000.0], damping: [1e-09, 0.1]}, told: {as: 'absolute', unit: 'rad'}},
  quadratic: {name: 'quadratic', particles: 4, part: 'bend', c: 'fold', unit: '1', rest: null, compliance: '1/J', damping: 'J s', force: 'J', shown: {color: '#8f6fd1', full: 0.7853981633974483, compliance: [0.001, 1000000.0], damping: [1e-09, 0.1]}, told: {as: 'absolute', unit: 'rad'}},
  volume: {name: 'volume', particles: 4, part: 'volume', c: 'volume', unit: 'm^3', rest: 'm^3', compliance: 'm^5/N', damping: 'N s/m^5', force: 'Pa', shown: {color: '#3f9d7d', full: 0.2, compliance: [1e-12, 0.001], damping: [1, 1000000000.0]}, told: {as: 'relative', unit: '1', error: {name: 'volume_error', doc: 'Relative difference of the volume of the tetrahedra from rest.', max: 'volume_error', rms: 'volume_error_rms'}}},
  join: {name: 'join', particles: 6, part: 'stretch', c: 'gap', unit: 'm', rest: 'm', compliance: 'm/N', damping: 'N s/m', force: 'N', shown: {color: '#c25b4e', full: 0.01, compliance: [1e-09, 1], damping: [0.0001, 1000.0]}, told: {as: 'absolute', unit: 'm'}},
  slide: {name: 'slide', particles: 3, part: 'stretch', c: 'path', unit: 'm', rest: 'm', compliance: 'm/N', damping: 'N s/m', force: 'N', shown: {color: '#c2544d', full: 0.05, compliance: [1e-09, 1], damping: [0.0001, 1000.0]}, told: {as: 'relative', unit: '1'}},
  slide_rail: {name: 'slide_rail', particles: 3, part: 'stretch', c: 'off', unit: 'm', rest: null, compliance: 'm/N', damping: 'N s/m', force: 'N', shown: {color: '#b0703c', full: 0.01, compliance: [1e-09, 1], damping: [0.0001, 1000.0]}, told: {as: 'absolute', unit: 'm'}},
  neo_hookean: {name: 'neo_hookean', particles: 4, part: 'solid', c: 'volume', unit: '1', rest: 'm^3', compliance: '1/Pa', damping: 'Pa s', force: 'Pa', shown: {color: '#2f8f9d', full: 0.2, compliance: [1e-10, 0.01], damping: [0.1, 100000.0]}, told: {as: 'relative', unit: '1', error: {name: 'solid_volume_error', doc: 'Relative difference of the volume of the tetrahedra of solids from rest.', max: 'solid_volume_error', rms: 'solid_volume_error_rms'}}},
  orthotropic: {name: 'orthotropic', particles: 3, part: 'stretch', c: 'strain', unit: '1', rest: null, compliance: 'm/N', damping: 'N s/m', force: 'N/m', shown: {color: '#5f8f3a', full: 0.05, compliance: [1e-06, 1], damping: [0.0001, 1000.0]}, told: {as: 'absolute', unit: 'strain', error: {name: 'yarn_strain', doc: 'Strain of orthotropic cloth along its warp and weft.', max: 'yarn_strain_max', rms: 'yarn_strain_rms'}}},
  rod_stretch: {name: 'rod_stretch', particles: 2, part: 'stretch', c: 'segment', unit: 'm', rest: null, compliance: '1/N', damping: 'N s', force: 'N', shown: {color: '#7a6ad0', full: 0.05, compliance: [1e-12, 1], damping: [0.0001, 1000.0]}, told: {as: 'absolute', unit: 'm'}},
  rod_bend: {name: 'rod_bend', particles: 2, part: 'bend', c: 'joint', unit: 'rad', rest: null, compliance: '1/(N m^2)', damping: 'N m^2 s', force: 'N m', shown: {color: '#b06ac0', full: 0.5, compliance: [1e-09, 1000000], damping: [1e-07, 1000.0]}, told: {as: 'absolute', unit: 'rad'}},
  joint: {name: 'joint', particles: 4, part: 'stretch', c: 'joint', unit: 'm', rest: null, compliance: 'm/N', damping: 'N s/m', force: 'N', shown: {color: '#8a6f4d', full: 0.01, compliance: [1e-09, 1], damping: [0.0001, 1000.0]}, told: {as: 'absolute', unit: 'm'}},
};

/** How a server keeps its worlds and their past. */
export interface Storage {
  /** memory: the server's own. nats: streams of brokers, with a folder beside them. */
  kind: 'memory' | 'sqlite' | 'nats';
  /** Whether worlds are there again after the server has ended, however it did. If so, an edit is answered once it is on the disk. */
  lasts: boolean;
  /** That all worlds and their past take, about. [B] */
  bytes: number;
}

/** A part of a world's past that one solver made. */
export interface HistorySpan {
  /** Its first tick. */
  first_tick: number;
  /** Its last tick; the next span begins there. */
  last_tick: number;
  /** Version of the solver. */
  solver: number;
  /** Whether this server's solver made it, so that any tick of it can be shown; else image_ticks only. */
  exact: boolean;
}

/** An edit, or an input, of the past. */
export interface LogEntry {
  /** Sequence of its record: 1, 2, … */
  sequence: number;
  /** Boundary at which it applied. */
  tick: number;
  /** Revision of the world after it. */
  revision: number;
  /** When, by the server's clock, since 1970. [s] */
  at: number;
  /** Name of the person who made it. */
  user: string;
  /** Their session; of an earlier run of the server it may be somebody else's by now. */
  session: number;
  /** Method. */
  method: string;
  /** Parameters with defaults filled in and names as ids. */
  params: unknown;
  /** The answer that the editor got. */
  result: unknown;
  /** Names of arrays left out of params and result for their size. */
  omitted: unknown;
  /** Revision of the edit that it took back; 0: none. */
  undoes: number;
  /** Revision of the edit that it did again; 0: none. */
  redoes: number;
  /** Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none. */
  gesture: number;
}

/** An edit of the past as it is to be in a branch. */
export interface BranchChange {
  /** Revision of the world after the edit, as edit.log and world.edited tell it. */
  revision: number;
  /** A map: parameters of the same method without world, as if they had been given then. */
  params: unknown;
}

/** An edit of the past as it is to be in a branch. What is left out takes its default, or stays. */
export interface BranchChangeInput {
  /** Revision of the world after the edit, as edit.log and world.edited tell it. */
  revision: number;
  /** A map: parameters of the same method without world, as if they had been given then. */
  params: unknown;
}

/** An edit of the past that does not apply in a branch, and was left out. */
export interface BranchRefusal {
  /** In the world branched from. Of a grab, that of the world at that time. */
  revision: number;
  /** Method. */
  method: string;
  /** As of an error. */
  code: string;
  /** Why. */
  text: string;
}

/** A deleted world that can still be brought back. */
export interface BinWorld {
  /** Id that it had. */
  world: number;
  /** Name that it had. */
  name: string;
  /** Completed ticks. */
  tick: number;
  /** When it was deleted, by the server's clock, since 1970. [s] */
  deleted_at: number;
  /** When it is gone for good. [s] */
  gone_at: number;
}

/** How a constraint gives way. Units follow from the kind's C: distance, join, slide, slide_rail and joint m, dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the twist, twice the sine of half the angle. */
export interface Material {
  /** Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance: number;
  /** Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
}

/** How a constraint gives way. Units follow from the kind's C: distance, join, slide, slide_rail and joint m, dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the twist, twice the sine of half the angle. What is left out takes its default, or stays. */
export interface MaterialInput {
  /** Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance?: number;
  /** Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping?: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
}

/** How the edges of a body give way: a material, and how far they may. */
export interface StretchMaterial {
  /** Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance: number;
  /** Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
  /** Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model orthotropic it holds along warp and weft, not in shear, and in all worlds. */
  limit?: number;
  /** distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once the body is added. Absent: distance. */
  model?: 'distance' | 'orthotropic';
  /** Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as 0. [N/m] */
  warp?: number;
  /** The same of a strip along the weft; needed with warp. [N/m] */
  weft?: number;
  /** Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle; needed with warp. [N/m] */
  shear?: number;
  /** How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp. Absent: 0. */
  poisson?: number;
  /** Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its plane. It cannot change once the body is added. Absent: (1, 0, 0). */
  direction?: Vec3;
  /** Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its corners run counterclockwise). It cannot change once the body is added. Absent: 0. [rad] */
  angle?: number;
}

/** How the edges of a body give way: a material, and how far they may. What is left out takes its default, or stays. */
export interface StretchMaterialInput {
  /** Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance?: number;
  /** Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping?: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
  /** Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model orthotropic it holds along warp and weft, not in shear, and in all worlds. */
  limit?: number;
  /** distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once the body is added. Absent: distance. */
  model?: 'distance' | 'orthotropic';
  /** Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as 0. [N/m] */
  warp?: number;
  /** The same of a strip along the weft; needed with warp. [N/m] */
  weft?: number;
  /** Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle; needed with warp. [N/m] */
  shear?: number;
  /** How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp. Absent: 0. */
  poisson?: number;
  /** Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its plane. It cannot change once the body is added. Absent: (1, 0, 0). */
  direction?: Numbers;
  /** Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its corners run counterclockwise). It cannot change once the body is added. Absent: 0. [rad] */
  angle?: number;
}

/** Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0' = rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield. */
export interface BendPlastic {
  /** How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|, with the hinge's triangles and edge. 0: it creeps under every load. [rad] */
  yield_angle: number;
  /** How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s] */
  rate: number;
  /** No rest angle goes farther from flat than this; 170 degrees at most. [rad] */
  greatest: number;
}

/** Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0' = rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield. What is left out takes its default, or stays. */
export interface BendPlasticInput {
  /** How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|, with the hinge's triangles and edge. 0: it creeps under every load. [rad] */
  yield_angle?: number;
  /** How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s] */
  rate?: number;
  /** No rest angle goes farther from flat than this; 170 degrees at most. [rad] */
  greatest?: number;
}

/** A shape at which a body's own constraints rest from now on. The places where its particles begin, and to which a reset takes them, stay. */
export interface RestShape {
  /** Of all particles, flat; absent: the present ones. [m] */
  positions?: Float64Array;
  /** Hinges of dihedral bending rest at the angles of the shape. */
  angles: boolean;
  /** Edges rest at their lengths in the shape, and tetrahedra at their volumes. */
  lengths: boolean;
  /** Shape matching draws particles to the shape; without it this does nothing. */
  places: boolean;
}

/** A shape at which a body's own constraints rest from now on. The places where its particles begin, and to which a reset takes them, stay. What is left out takes its default, or stays. */
export interface RestShapeInput {
  /** Of all particles, flat; absent: the present ones. [m] */
  positions?: Numbers;
  /** Hinges of dihedral bending rest at the angles of the shape. */
  angles?: boolean;
  /** Edges rest at their lengths in the shape, and tetrahedra at their volumes. */
  lengths?: boolean;
  /** Shape matching draws particles to the shape; without it this does nothing. */
  places?: boolean;
}

/** How a cloth resists bending, across every edge that two triangles share. */
export interface BendMaterial {
  /** dihedral: the signed angle, with the rest shape's angles. isometric: the bending energy as the constraint (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none. Absent: quadratic if the rest shape is flat, otherwise dihedral. */
  model?: 'none' | 'dihedral' | 'isometric' | 'quadratic';
  /** Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance: number;
  /** Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
  /** Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity; isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told as 0. [N m] */
  rigidity?: number;
  /** Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic. */
  plastic?: BendPlastic;
  /** Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0 (docs/concepts/bending.md). [N m] */
  warp?: number;
  /** The same of a strip cut along the weft; needed with warp. [N m] */
  weft?: number;
  /** The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) + sqrt(weft))/2)^2. [N m] */
  bias?: number;
}

/** How a cloth resists bending, across every edge that two triangles share. What is left out takes its default, or stays. */
export interface BendMaterialInput {
  /** dihedral: the signed angle, with the rest shape's angles. isometric: the bending energy as the constraint (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none. Absent: quadratic if the rest shape is flat, otherwise dihedral. */
  model?: 'none' | 'dihedral' | 'isometric' | 'quadratic';
  /** Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] */
  compliance?: number;
  /** Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests. [J s/[C]^2] */
  damping?: number;
  /** Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) */
  stiffness?: number;
  /** Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity; isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told as 0. [N m] */
  rigidity?: number;
  /** Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic. */
  plastic?: BendPlasticInput;
  /** Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0 (docs/concepts/bending.md). [N m] */
  warp?: number;
  /** The same of a strip cut along the weft; needed with warp. [N m] */
  weft?: number;
  /** The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) + sqrt(weft))/2)^2. [N m] */
  bias?: number;
}

/** Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit. */
export interface SolidPlastic {
  /** Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0: it creeps under every load. */
  yield_strain: number;
  /** How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s] */
  rate: number;
  /** No tetrahedron flows farther than this strain from the shape at which it was made. */
  greatest: number;
}

/** Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit. What is left out takes its default, or stays. */
export interface SolidPlasticInput {
  /** Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0: it creeps under every load. */
  yield_strain?: number;
  /** How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s] */
  rate?: number;
  /** No tetrahedron flows farther than this strain from the shape at which it was made. */
  greatest?: number;
}

/** The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint. */
export interface SolidMaterial {
  /** neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that. */
  model?: 'neo_hookean';
  /** Young's modulus E at rest. body.add needs it. [Pa] */
  young?: number;
  /** Poisson's ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns. */
  poisson: number;
  /** Viscosity. It acts on velocities, and does not move what rests. [Pa s] */
  damping: number;
  /** Dents stay. Absent: the solid is elastic. */
  plastic?: SolidPlastic;
}

/** The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint. What is left out takes its default, or stays. */
export interface SolidMaterialInput {
  /** neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that. */
  model?: 'neo_hookean';
  /** Young's modulus E at rest. body.add needs it. [Pa] */
  young?: number;
  /** Poisson's ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns. */
  poisson?: number;
  /** Viscosity. It acts on velocities, and does not move what rests. [Pa s] */
  damping?: number;
  /** Dents stay. Absent: the solid is elastic. */
  plastic?: SolidPlasticInput;
}

/** A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as that of a wire. */
export interface RodPlastic {
  /** How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a segment. [rad] */
  yield_angle: number;
  /** How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic. [1/s] */
  rate: number;
  /** No rest goes farther from that of the start than this; 170 degrees at most. [rad] */
  greatest: number;
}

/** A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as that of a wire. What is left out takes its default, or stays. */
export interface RodPlasticInput {
  /** How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a segment. [rad] */
  yield_angle?: number;
  /** How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic. [1/s] */
  rate?: number;
  /** No rest goes farther from that of the start than this; 170 degrees at most. [rad] */
  greatest?: number;
}

/** A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments has an orientation. */
export interface Rod {
  /** Radius of the section. [m] */
  radius: number;
  /** Young's modulus E. It resists stretch by E A, and shear and bending follow. [Pa] */
  young: number;
  /** Poisson's ratio nu: the shear modulus is E / (2 (1 + nu)). */
  poisson: number;
  /** EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4. [N m^2] */
  bend_stiffness?: number;
  /** GJ, the moment over the twist. Absent: EI / (1 + nu). [N m^2] */
  twist_stiffness?: number;
  /** Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on velocities, and does not move what rests. [s] */
  damping: number;
  /** Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same; 0 0 0 is straight. Absent: it rests as its shape is. [1/m] */
  rest?: Vec3;
  /** Twist that it has at the start. Absent: that at rest. [rad/m] */
  twist?: number;
  /** Bends and twists stay. Absent: the rod is elastic. */
  plastic?: RodPlastic;
  /** direct: all segments and joints of a chain are solved at once in each substep, so that it is as stiff as its material, however fine it is. That costs about 24 times as much for each segment. swept, or absent: one after another. */
  solve?: 'swept' | 'direct';
}

/** A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments has an orientation. What is left out takes its default, or stays. */
export interface RodInput {
  /** Radius of the section. [m] */
  radius: number;
  /** Young's modulus E. It resists stretch by E A, and shear and bending follow. [Pa] */
  young: number;
  /** Poisson's ratio nu: the shear modulus is E / (2 (1 + nu)). */
  poisson?: number;
  /** EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4. [N m^2] */
  bend_stiffness?: number;
  /** GJ, the moment over the twist. Absent: EI / (1 + nu). [N m^2] */
  twist_stiffness?: number;
  /** Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on velocities, and does not move what rests. [s] */
  damping?: number;
  /** Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same; 0 0 0 is straight. Absent: it rests as its shape is. [1/m] */
  rest?: Numbers;
  /** Twist that it has at the start. Absent: that at rest. [rad/m] */
  twist?: number;
  /** Bends and twists stay. Absent: the rod is elastic. */
  plastic?: RodPlasticInput;
  /** direct: all segments and joints of a chain are solved at once in each substep, so that it is as stiff as its material, however fine it is. That costs about 24 times as much for each segment. swept, or absent: one after another. */
  solve?: 'swept' | 'direct';
}

/** A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts in full. */
export interface RigidPart {
  /** Which shape. */
  form: 'sphere' | 'capsule' | 'box' | 'hull';
  /** As of a piece (sphere, capsule). [m] */
  radius?: number;
  /** As of a piece (capsule). [m] */
  half_height?: number;
  /** As of a piece (box). [m] */
  half_extents?: Vec3;
  /** As of a piece (hull), with any origin. Told are its vertices, seen from its own centre of mass. [m] */
  points?: Float64Array;
  /** The place of its origin, from any origin that all parts have in common. Told: the place of its centre of mass, from that of the piece. [m] */
  position: Vec3;
  /** Its orientation in the piece: a quaternion x, y, z, w of any length above 0. */
  rotation: Vec4;
}

/** A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts in full. What is left out takes its default, or stays. */
export interface RigidPartInput {
  /** Which shape. */
  form: 'sphere' | 'capsule' | 'box' | 'hull';
  /** As of a piece (sphere, capsule). [m] */
  radius?: number;
  /** As of a piece (capsule). [m] */
  half_height?: number;
  /** As of a piece (box). [m] */
  half_extents?: Numbers;
  /** As of a piece (hull), with any origin. Told are its vertices, seen from its own centre of mass. [m] */
  points?: Numbers;
  /** The place of its origin, from any origin that all parts have in common. Told: the place of its centre of mass, from that of the piece. [m] */
  position?: Numbers;
  /** Its orientation in the piece: a quaternion x, y, z, w of any length above 0. */
  rotation?: Numbers;
}

/** Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as a mesh that was cut into convex hulls. */
export interface RigidMeasures {
  /** Its volume: with the density it gives the mass. At most 8 r^3, where r is how far the parts reach from the centre of mass. [m^3] */
  volume: number;
  /** Its centre of mass, from the origin that the parts have in common. Told as 0, 0, 0, since the places of parts are told from there. [m] */
  centre: Vec3;
  /** Its inertia about x, y and z through the centre of mass, for 1 kg. It must be that of some distribution of mass: with the products, no principal moment is more than the sum of the two others, or less than 1e-7 of the sum of all three. [m^2] */
  inertia: Vec3;
  /** The yz, xz and xy of the matrix of the inertia, for 1 kg: minus the mean of the products of both coordinates. [m^2] */
  products: Vec3;
}

/** Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as a mesh that was cut into convex hulls. What is left out takes its default, or stays. */
export interface RigidMeasuresInput {
  /** Its volume: with the density it gives the mass. At most 8 r^3, where r is how far the parts reach from the centre of mass. [m^3] */
  volume: number;
  /** Its centre of mass, from the origin that the parts have in common. Told as 0, 0, 0, since the places of parts are told from there. [m] */
  centre?: Numbers;
  /** Its inertia about x, y and z through the centre of mass, for 1 kg. It must be that of some distribution of mass: with the products, no principal moment is more than the sum of the two others, or less than 1e-7 of the sum of all three. [m^2] */
  inertia: Numbers;
  /** The yz, xz and xy of the matrix of the inertia, for 1 kg: minus the mean of the products of both coordinates. [m^2] */
  products?: Numbers;
}

/** The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces. The axes of a piece are its principal axes. Those of a hull are the axes of its points, and those of a compound the axes in which its parts are given. */
export interface Rigid {
  /** Which shape. A compound consists of several parts, so it may be hollow or hooked. */
  form: 'sphere' | 'capsule' | 'box' | 'hull' | 'compound';
  /** Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all lengths of a piece. Needed there, and absent of a box and of a hull. [m] */
  radius?: number;
  /** Half the distance between the centres of the ends, along the piece's y (capsule); 0 makes it a sphere. Needed there, and absent of others. [m] */
  half_height?: number;
  /** Half the edges (box). Needed there, and absent of others. [m] */
  half_extents?: Vec3;
  /** x, y, z of 4 to 512 points, of which the piece is the convex hull (hull), with any origin. Needed there, and absent of others. The hull may have 64 vertices, none farther from its centre of mass than 2^29 quanta, and no face nearer to it than 1024 quanta and a thousandth of that of the farthest vertex. Told are its vertices, seen from its centre of mass. [m] */
  points?: Float64Array;
  /** 1 to 32 parts (compound). Needed there, and absent of others. No point of one is farther from the common centre of mass than 2^29 quanta. Told are their places from that. */
  parts?: readonly RigidPart[];
  /** Volume, centre of mass and inertia of the solid that the parts stand for, in place of the sums over the parts (compound). Absent: the sums. Absent of other forms. */
  measures?: RigidMeasures;
}

/** The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces. The axes of a piece are its principal axes. Those of a hull are the axes of its points, and those of a compound the axes in which its parts are given. What is left out takes its default, or stays. */
export interface RigidInput {
  /** Which shape. A compound consists of several parts, so it may be hollow or hooked. */
  form: 'sphere' | 'capsule' | 'box' | 'hull' | 'compound';
  /** Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all lengths of a piece. Needed there, and absent of a box and of a hull. [m] */
  radius?: number;
  /** Half the distance between the centres of the ends, along the piece's y (capsule); 0 makes it a sphere. Needed there, and absent of others. [m] */
  half_height?: number;
  /** Half the edges (box). Needed there, and absent of others. [m] */
  half_extents?: Numbers;
  /** x, y, z of 4 to 512 points, of which the piece is the convex hull (hull), with any origin. Needed there, and absent of others. The hull may have 64 vertices, none farther from its centre of mass than 2^29 quanta, and no face nearer to it than 1024 quanta and a thousandth of that of the farthest vertex. Told are its vertices, seen from its centre of mass. [m] */
  points?: Numbers;
  /** 1 to 32 parts (compound). Needed there, and absent of others. No point of one is farther from the common centre of mass than 2^29 quanta. Told are their places from that. */
  parts?: readonly RigidPartInput[];
  /** Volume, centre of mass and inertia of the solid that the parts stand for, in place of the sums over the parts (compound). Absent: the sums. Absent of other forms. */
  measures?: RigidMeasuresInput;
}

/** Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume stays the same, so what is squeezed pushes back. volume: the volume is kept. */
export interface Pressure {
  /** Which law holds; none ends it. Absent: the present one, or gas. */
  model?: 'none' | 'gas' | 'volume';
  /** Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at least -ambient. Absent: 0. [Pa] */
  overpressure?: number;
  /** Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air. [Pa] */
  ambient?: number;
  /** Only of volume: share of the reference volume that is kept. Absent: 1. */
  ratio?: number;
  /** Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which is rigid. [m^5/N] */
  compliance?: number;
  /** The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs one. [m^3] */
  volume?: number;
  /** Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent: at once. Told: the time that is left. [s] */
  seconds?: number;
  /** Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure that begins 0 Pa, or 1. */
  now?: number;
}

/** Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume stays the same, so what is squeezed pushes back. volume: the volume is kept. What is left out takes its default, or stays. */
export interface PressureInput {
  /** Which law holds; none ends it. Absent: the present one, or gas. */
  model?: 'none' | 'gas' | 'volume';
  /** Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at least -ambient. Absent: 0. [Pa] */
  overpressure?: number;
  /** Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air. [Pa] */
  ambient?: number;
  /** Only of volume: share of the reference volume that is kept. Absent: 1. */
  ratio?: number;
  /** Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which is rigid. [m^5/N] */
  compliance?: number;
  /** The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs one. [m^3] */
  volume?: number;
  /** Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent: at once. Told: the time that is left. [s] */
  seconds?: number;
  /** Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure that begins 0 Pa, or 1. */
  now?: number;
}

/** Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body does, so no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and the body bends. Every kind of body may have it, beside its other constraints. */
export interface Shape {
  /** How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid. */
  model?: 'none' | 'rigid';
  /** Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0, which puts them there. It depends neither on the mesh nor on substeps. [m/N] */
  compliance?: number;
  /** A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole body is one region, which may be 8 m wide from its first particle on (at the default resolution). [m] */
  radius?: number;
  /** Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it makes more regions, which overlap more. [m] */
  spacing?: number;
  /** The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps the present one, and its rest_shape gives another. body.list and body.get leave it out. [m] */
  positions?: Float64Array;
}

/** Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body does, so no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and the body bends. Every kind of body may have it, beside its other constraints. What is left out takes its default, or stays. */
export interface ShapeInput {
  /** How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid. */
  model?: 'none' | 'rigid';
  /** Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0, which puts them there. It depends neither on the mesh nor on substeps. [m/N] */
  compliance?: number;
  /** A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole body is one region, which may be 8 m wide from its first particle on (at the default resolution). [m] */
  radius?: number;
  /** Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it makes more regions, which overlap more. [m] */
  spacing?: number;
  /** The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps the present one, and its rest_shape gives another. body.list and body.get leave it out. [m] */
  positions?: Numbers;
}

/** How a body with shape matching lies. */
export interface ShapeMeasure {
  /** Id. */
  body: number;
  /** How many regions there are. */
  regions: number;
  /** Centre of mass. Particles that cannot move count as a thousand times as heavy as all others. [m] */
  position: Vec3;
  /** Unit quaternion x, y, z, w: how the body as a whole is turned from its shape at rest. */
  rotation: Vec4;
  /** How far particles are from their goals: the root of the mean square, by mass. [m] */
  distance: number;
  /** Energy that this stores; 0 if the compliance is 0. [J] */
  energy: number;
  /** Sizes of the forces on all particles in the last substep, added up; 0 before there was one. [N] */
  force: number;
}

/** How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and particles split where cuts part their triangles. */
export interface Tear {
  /** Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp and weft. Absent or 0: no such threshold. [N/m] */
  force?: number;
  /** Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold. */
  strain?: number;
  /** Greatest number of particles that may split off. The body has so many spare particles behind its own, and no more can ever split. body.add needs it; it cannot change. */
  most?: number;
}

/** How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and particles split where cuts part their triangles. What is left out takes its default, or stays. */
export interface TearInput {
  /** Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp and weft. Absent or 0: no such threshold. [N/m] */
  force?: number;
  /** Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold. */
  strain?: number;
  /** Greatest number of particles that may split off. The body has so many spare particles behind its own, and no more can ever split. body.add needs it; it cannot change. */
  most?: number;
}

/** The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name them first. */
export interface Torn {
  /** Particles of the mesh as it was made; the spares follow them. */
  own?: number;
  /** The particle that each used spare split from, in the order of the spares. */
  origins?: Uint32Array;
  /** Revision of the world when each of them split. */
  since?: Float64Array;
  /** Corners of all triangles now. */
  triangles?: Uint32Array;
  /** Edges that are cut, in the order in which they were. */
  cuts?: Uint32Array;
}

/** The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name them first. What is left out takes its default, or stays. */
export interface TornInput {
  /** Particles of the mesh as it was made; the spares follow them. */
  own?: number;
  /** The particle that each used spare split from, in the order of the spares. */
  origins?: Numbers;
  /** Revision of the world when each of them split. */
  since?: Numbers;
  /** Corners of all triangles now. */
  triangles?: Numbers;
  /** Edges that are cut, in the order in which they were. */
  cuts?: Numbers;
}

/** The tears of a body that can tear. */
export interface TornEdges {
  /** Particles of the mesh as it was made; the spares follow them. */
  own: number;
  /** The particle that each used spare split from, in the order of the spares. */
  origins: Uint32Array;
  /** The two ends of each edge that is cut, as particles of the mesh as it was made, in the order in which they were cut. */
  edges: Uint32Array;
}

/** Volume and pressure inside a body with pressure. */
export interface PressureMeasure {
  /** Id. */
  body: number;
  /** Volume that its surface encloses; below 0 if it is turned inside out. [m^3] */
  volume: number;
  /** The reference volume. [m^3] */
  reference: number;
  /** Pressure inside above that outside. Of a gas it follows from the volume; of a kept volume it is what the last substep needed, and 0 before there was one. [Pa] */
  pressure: number;
}

/** How a body feels the air, in place of what the wind of the world says. */
export interface OwnWind {
  /** Coefficient Cd; absent: that of the world. */
  drag?: number;
  /** Coefficient Cl; absent: that of the world. */
  lift?: number;
}

/** How a body feels the air, in place of what the wind of the world says. What is left out takes its default, or stays. */
export interface OwnWindInput {
  /** Coefficient Cd; absent: that of the world. */
  drag?: number;
  /** Coefficient Cl; absent: that of the world. */
  lift?: number;
}

/** A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb points along it. drag: towards the velocity of a medium. wind and fan do not accelerate particles but blow: they add to the velocity of the air that triangles feel, as the wind of the world does (types, wind). Where the world has no air they bring some of 1.2 kg/m^3 into their region. */
export interface ForceField {
  /** Id. force.add and force.set give it apart from the field. */
  force?: number;
  /** Kind; fixed once added. wind: the same velocity in all of its region. fan: a round jet along its axis that widens and slows down. */
  kind?: 'point' | 'vortex' | 'drag' | 'wind' | 'fan';
  /** Its middle, and that of its region; 0 if it was never given. [m] */
  position?: Vec3;
  /** Only read of a vortex and of a fan, which blows along it: an axis of any length above 0; +y if it was never given. */
  axis?: Vec3;
  /** m/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity; of a fan m/s, in [0, 300]: the speed of the air just before it. Not read of wind. 1 if it was never given. */
  strength?: number;
  /** Distance from the position or the axis at which it has its strength; 1 if it was never given. [m] */
  distance?: number;
  /** How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was never given. */
  falloff?: 'none' | 'inverse' | 'inverse_square';
  /** Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given. [m] */
  core?: number;
  /** Only read of drag and wind: that of the medium or of the air, of which wind takes at most 300; 0 if it was never given. [m/s] */
  velocity?: Vec3;
  /** Only read of a fan: its diameter; 1 if it was never given. [m] */
  width?: number;
  /** Beyond it there is no force; 0, or never given: it has no such end. [m] */
  radius?: number;
  /** Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given: there is no box. [m] */
  half_extents?: Vec3;
  /** Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once. [m] */
  margin?: number;
  /** Ids of the bodies that it acts on, at most 16; none, or never given: all of them. */
  bodies?: Uint32Array;
}

/** A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb points along it. drag: towards the velocity of a medium. wind and fan do not accelerate particles but blow: they add to the velocity of the air that triangles feel, as the wind of the world does (types, wind). Where the world has no air they bring some of 1.2 kg/m^3 into their region. What is left out takes its default, or stays. */
export interface ForceFieldInput {
  /** Id. force.add and force.set give it apart from the field. */
  force?: number;
  /** Kind; fixed once added. wind: the same velocity in all of its region. fan: a round jet along its axis that widens and slows down. */
  kind?: 'point' | 'vortex' | 'drag' | 'wind' | 'fan';
  /** Its middle, and that of its region; 0 if it was never given. [m] */
  position?: Numbers;
  /** Only read of a vortex and of a fan, which blows along it: an axis of any length above 0; +y if it was never given. */
  axis?: Numbers;
  /** m/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity; of a fan m/s, in [0, 300]: the speed of the air just before it. Not read of wind. 1 if it was never given. */
  strength?: number;
  /** Distance from the position or the axis at which it has its strength; 1 if it was never given. [m] */
  distance?: number;
  /** How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was never given. */
  falloff?: 'none' | 'inverse' | 'inverse_square';
  /** Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given. [m] */
  core?: number;
  /** Only read of drag and wind: that of the medium or of the air, of which wind takes at most 300; 0 if it was never given. [m/s] */
  velocity?: Numbers;
  /** Only read of a fan: its diameter; 1 if it was never given. [m] */
  width?: number;
  /** Beyond it there is no force; 0, or never given: it has no such end. [m] */
  radius?: number;
  /** Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given: there is no box. [m] */
  half_extents?: Numbers;
  /** Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once. [m] */
  margin?: number;
  /** Ids of the bodies that it acts on, at most 16; none, or never given: all of them. */
  bodies?: Numbers;
}

/** All fields of force of a world. */
export interface ForceFields {
  /** Next id. */
  next: number;
  /** By id, each with its id and kind. */
  fields?: readonly ForceField[];
}

/** All fields of force of a world. What is left out takes its default, or stays. */
export interface ForceFieldsInput {
  /** Next id. */
  next: number;
  /** By id, each with its id and kind. */
  fields?: readonly ForceFieldInput[];
}

/** Friction and restitution between two surfaces, given by their names. They replace the values that both sides have. Either name may come first. */
export interface SurfacePair {
  /** Name of a surface; not empty. */
  one: string;
  /** Name of the other one; not empty. It may be the same name: where two such surfaces meet. */
  other: string;
  /** Coulomb coefficient mu; absent: as without the row. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction. Absent: that of friction if the row has one, else as without the row. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which one leaves the other; absent: as without the row. */
  restitution?: number;
}

/** Friction and restitution between two surfaces, given by their names. They replace the values that both sides have. Either name may come first. What is left out takes its default, or stays. */
export interface SurfacePairInput {
  /** Name of a surface; not empty. */
  one: string;
  /** Name of the other one; not empty. It may be the same name: where two such surfaces meet. */
  other: string;
  /** Coulomb coefficient mu; absent: as without the row. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction. Absent: that of friction if the row has one, else as without the row. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which one leaves the other; absent: as without the row. */
  restitution?: number;
}

/** Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n], u the wind relative to the triangle, n its normal turned with the wind. */
export interface Wind {
  /** Velocity of the air. [m/s] */
  velocity: Vec3;
  /** Coefficient Cd. */
  drag: number;
  /** Coefficient Cl. */
  lift: number;
  /** Density of the air; 0 turns the wind off. [kg/m^3] */
  density: number;
  /** Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then the other fields of gusts are forgotten. [m/s] */
  gusts?: number;
  /** Length of the gusts; 10 if it was never given. [m] */
  gust_length?: number;
  /** Which gusts: each number gives others. 0 if it was never given. */
  gust_seed?: number;
  /** State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time. Ticks add to it; absent: it goes on, from 0 where there were no gusts. [m] */
  gust_way?: Vec4;
}

/** Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n], u the wind relative to the triangle, n its normal turned with the wind. What is left out takes its default, or stays. */
export interface WindInput {
  /** Velocity of the air. [m/s] */
  velocity?: Numbers;
  /** Coefficient Cd. */
  drag?: number;
  /** Coefficient Cl. */
  lift?: number;
  /** Density of the air; 0 turns the wind off. [kg/m^3] */
  density?: number;
  /** Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then the other fields of gusts are forgotten. [m/s] */
  gusts?: number;
  /** Length of the gusts; 10 if it was never given. [m] */
  gust_length?: number;
  /** Which gusts: each number gives others. 0 if it was never given. */
  gust_seed?: number;
  /** State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time. Ticks add to it; absent: it goes on, from 0 where there were no gusts. [m] */
  gust_way?: Numbers;
}

/** A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the physics. */
export interface Skin {
  /** Four particle indices for each vertex, such as the corners of the tetrahedron around it. */
  particles: Uint32Array;
  /** Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of each four is what the others leave of 1. */
  weights: Float64Array;
  /** Three vertex indices each. */
  triangles: Uint32Array;
}

/** A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the physics. What is left out takes its default, or stays. */
export interface SkinInput {
  /** Four particle indices for each vertex, such as the corners of the tetrahedron around it. */
  particles: Numbers;
  /** Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of each four is what the others leave of 1. */
  weights: Numbers;
  /** Three vertex indices each. */
  triangles: Numbers;
}

/** Colours of a surface, for programs that draw it. */
export interface LookMaterial {
  /** Its name in the mesh. */
  name: string;
  /** Linear red, green, blue and opacity. */
  color: Vec4;
  /** 0 for what is no metal. */
  metallic: number;
  /** 0 for a mirror. */
  roughness: number;
  /** Which of the look's images colours it: its texture, multiplied by color; absent: none. */
  image?: number;
}

/** Colours of a surface, for programs that draw it. What is left out takes its default, or stays. */
export interface LookMaterialInput {
  /** Its name in the mesh. */
  name?: string;
  /** Linear red, green, blue and opacity. */
  color?: Numbers;
  /** 0 for what is no metal. */
  metallic?: number;
  /** 0 for a mirror. */
  roughness?: number;
  /** Which of the look's images colours it: its texture, multiplied by color; absent: none. */
  image?: number;
}

/** A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at most 4096 x 4096 pixels. The server reads no more than its size. */
export interface LookImage {
  /** Length of the file. [B] */
  bytes: number;
  /** The file, four bytes in each number, the first one lowest, filled up with zeros at the end; as bin it is the file itself, filled up to a multiple of four. body.add must have it; body.get tells it only with images. */
  data?: Uint32Array;
}

/** A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at most 4096 x 4096 pixels. The server reads no more than its size. What is left out takes its default, or stays. */
export interface LookImageInput {
  /** Length of the file. [B] */
  bytes: number;
  /** The file, four bytes in each number, the first one lowest, filled up with zeros at the end; as bin it is the file itself, filled up to a multiple of four. body.add must have it; body.get tells it only with images. */
  data?: Numbers;
}

/** The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no part in the physics; recordings write it. */
export interface Look {
  /** u, v of each corner, v upwards; absent: none. Kept as f32. */
  uvs?: Float64Array;
  /** x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is visible there. Kept as f32. */
  normals?: Float64Array;
  /** At most 4096, and no more than there are triangles; absent: none. */
  materials?: readonly LookMaterial[];
  /** Which of the materials each triangle has; absent: the first. */
  triangle_materials?: Uint32Array;
  /** Pictures that the materials name, of at most image_bytes together; absent: none. Only with uvs. */
  images?: readonly LookImage[];
}

/** The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no part in the physics; recordings write it. What is left out takes its default, or stays. */
export interface LookInput {
  /** u, v of each corner, v upwards; absent: none. Kept as f32. */
  uvs?: Numbers;
  /** x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is visible there. Kept as f32. */
  normals?: Numbers;
  /** At most 4096, and no more than there are triangles; absent: none. */
  materials?: readonly LookMaterialInput[];
  /** Which of the materials each triangle has; absent: the first. */
  triangle_materials?: Numbers;
  /** Pictures that the materials name, of at most image_bytes together; absent: none. Only with uvs. */
  images?: readonly LookImageInput[];
}

/** Wall time of the phases of the last tick. Not part of the state. */
export interface PhaseTimes {
  /** Wind. [us] */
  wind: number;
  /** Prediction, if it is a pass of its own; pins and colliders. [us] */
  predict: number;
  /** Constraints and grabs. [us] */
  solve: number;
  /** Contacts. [us] */
  contacts: number;
  /** Velocities, and in the same pass the next substep's prediction, if there is no wind and nobody reads in between. [us] */
  finish: number;
}

/** Ids first, first + 1, ... first + count - 1. */
export interface IdRange {
  /** First id; 0 if count is 0. */
  first: number;
  /** How many. */
  count: number;
}

/** Constraint ids of a body, by kind. */
export interface ConstraintRanges {
  /** One for each unique edge, in the order in which the edges first appear in the elements. */
  distance: IdRange;
  /** One for each edge that two triangles share. */
  dihedral: IdRange;
  /** The same, if that is the bend model. */
  isometric: IdRange;
  /** The same, if that is the bend model. */
  quadratic: IdRange;
  /** One for each tetrahedron, in the order given. */
  volume: IdRange;
  /** None: only constraint.add makes joins. */
  join: IdRange;
  /** None: only constraint.add makes them. */
  slide: IdRange;
  /** None: only constraint.add makes them. */
  slide_rail: IdRange;
  /** One for each tetrahedron, in the order given, of a body with a solid; it has no others. */
  neo_hookean: IdRange;
  /** One for each triangle with an area, in the order given, if stretch.model is orthotropic; then there are no distances. */
  orthotropic: IdRange;
  /** One for each segment, in the order given, of a rope with a rod; then there are no distances. */
  rod_stretch: IdRange;
  /** One for each two segments that follow each other, in the order of the first, of a rope with a rod. Its particles are those at which both begin. */
  rod_bend: IdRange;
  /** None: only constraint.add makes joints. */
  joint: IdRange;
}

/** Something odd about a mesh or a collider that was accepted, or about what the solver makes of a body. */
export interface Warning {
  /** One upper-case word: COINCIDENT, ISOLATED, LIGHT (particles), COPY (particles that are exactly where those of another body are that it meets), ZERO_LENGTH (edges), ZERO_AREA (triangles), ZERO_VOLUME, INVERTED (tetrahedra), DUPLICATE, COLLAPSED (elements), NONMANIFOLD (edges; named by a triangle at each), COARSE (colliders that may pass between the particles of the body, which meets nobody; in an answer about a collider: such bodies whose particles it may pass between), THICK (the body as a whole: thicker than is good for contact), LOCKING (the body as a whole: a solid that bends too little, since its Poisson's ratio is near a half), STRETCHED (a body: an edge is more than 5 % longer than its limit), STIFF (a body: more than 5 % of the forces of its material are not resolved). */
  code: string;
  /** For people. */
  text: string;
  /** How many elements it concerns. */
  count: number;
  /** The first of them (at most 16): particle, edge, triangle or tetrahedron indices or ids as the code says; edges in the order in which they first appear. */
  elements: Uint32Array;
}

/** A session that joined a world. */
export interface Person {
  /** Session id. */
  session: number;
  /** As in session.hello. */
  user: string;
  /** As in session.hello. */
  client: string;
}

/** Role of a person in a world. */
export interface AccessPerson {
  /** Their name; * is everybody who has a token. */
  user: string;
  /** viewer: looks; editor: changes it too; owner: says who may, and may delete it. */
  role: 'viewer' | 'editor' | 'owner';
}

/** A role in a world that one person gave to another. */
export interface AccessGiven {
  /** World. */
  world: number;
  /** Name of the person who has the role; * is everybody who has a token. */
  user: string;
  /** The role. */
  role: 'viewer' | 'editor' | 'owner';
}

/** An invitation into a world that is still good. */
export interface AccessInvite {
  /** For access.revoke. */
  id: number;
  /** That it gives. */
  role: 'viewer' | 'editor' | 'owner';
  /** How often it can still be accepted. */
  uses: number;
  /** Who made it. */
  user: string;
  /** Since 1970. [s] */
  expires_at: number;
  /** World that it leads into. */
  world: number;
}

/** A token; its secret is told once, when it is made. */
export interface AccessToken {
  /** For token.revoke; the number in it. */
  id: number;
  /** Name of the person. */
  user: string;
  /** As in token.create. */
  role: 'viewer' | 'editor' | 'admin';
  /** Since 1970. [s] */
  created_at: number;
  /** Since 1970; 0: never. [s] */
  expires_at: number;
  /** That are open with it. */
  sessions: number;
}

/** The point from which somebody looks at a world. Without a position: hidden. */
export interface PresenceCamera {
  /** Position of the eye. [m] */
  position?: Vec3;
  /** Point at which it looks. [m] */
  target?: Vec3;
  /** Direction that is up in the picture. */
  up?: Vec3;
  /** Angle of the picture's height. [rad] */
  fov?: number;
}

/** The point from which somebody looks at a world. Without a position: hidden. What is left out takes its default, or stays. */
export interface PresenceCameraInput {
  /** Position of the eye. [m] */
  position?: Numbers;
  /** Point at which it looks. [m] */
  target?: Numbers;
  /** Direction that is up in the picture. */
  up?: Numbers;
  /** Angle of the picture's height. [rad] */
  fov?: number;
}

/** What somebody points at: a point, or a ray if there is nothing; neither: nothing. */
export interface PresenceCursor {
  /** Point in the world. [m] */
  point?: Vec3;
  /** Origin of the ray. [m] */
  origin?: Vec3;
  /** Direction of the ray. */
  direction?: Vec3;
}

/** What somebody points at: a point, or a ray if there is nothing; neither: nothing. What is left out takes its default, or stays. */
export interface PresenceCursorInput {
  /** Point in the world. [m] */
  point?: Numbers;
  /** Origin of the ray. [m] */
  origin?: Numbers;
  /** Direction of the ray. */
  direction?: Numbers;
}

/** Something that somebody has selected: one of these. */
export interface PresenceThing {
  /** Id of a body. */
  body?: number;
  /** Id of a collider. */
  collider?: number;
  /** Id of a constraint. */
  constraint?: number;
}

/** Something that somebody has selected: one of these. What is left out takes its default, or stays. */
export interface PresenceThingInput {
  /** Id of a body. */
  body?: number;
  /** Id of a collider. */
  collider?: number;
  /** Id of a constraint. */
  constraint?: number;
}

/** A world in a list. For one that another server runs only id, name and place are told: state is paused, and numbers are 0. The same holds for one that no server can run, with trouble. */
export interface WorldSummary {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** Its present state. A failed world needs edit.undo or world.reset. */
  state: 'paused' | 'playing' | 'failed';
  /** Multiple of real time; 0 is as fast as possible. */
  rate: number;
  /** Completed ticks. */
  tick: number;
  /** Edits so far, of those that are durable. */
  revision: number;
  /** Bodies. */
  bodies: number;
  /** Particles. */
  particles: number;
  /** Sessions that joined. */
  people: number;
  /** Name of the server of the deployment that runs it. Absent, like the next two: this one does. */
  server?: string;
  /** Where that server takes connections: HOST:PORT, or tls://HOST:PORT. */
  address?: string;
  /** Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. */
  web?: string;
  /** What went wrong when a server last tried to run it; server, address and web are empty, because no server runs it. world.move makes a server try again. Absent: it runs. */
  trouble?: string;
  /** As of world.get, like the next two. Absent: another server runs it. */
  exact?: boolean;
  /** With exact false. */
  exact_tick?: number;
  /** With exact false. */
  exact_solver?: number;
}

/** A server of a deployment, as its last heartbeat told. */
export interface ServerSummary {
  /** Name. */
  server: string;
  /** Where it takes connections: HOST:PORT, or tls://HOST:PORT. */
  address: string;
  /** Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. */
  web: string;
  /** It is the one that answers. */
  here: boolean;
  /** It gives its worlds away, and takes none. */
  draining: boolean;
  /** Processor time that its worlds took, of each second. [ms/s] */
  load: number;
  /** Worlds that it runs. */
  worlds: number;
  /** Sessions that it has. */
  sessions: number;
  /** Time since its last heartbeat came, by the clock of the answering server. [ms] */
  beat_age_ms: number;
  /** Version of its solver. While servers of several versions run, a world stays with those of the version that ran it last. */
  solver: number;
  /** Level of its API; 0: it does not say. */
  api_level: number;
}

/** The last edit that concerned a thing. */
export interface Touch {
  /** Revision of the world after it; 0: none since the world was made or opened. */
  revision: number;
  /** Session that made it; 0: none. */
  session: number;
  /** Their name. */
  user: string;
  /** Its method; empty if that is not known. */
  method: string;
}

/** A body in the document of a world. */
export interface BodySummary {
  /** Id. */
  body: number;
  /** Name; empty if it has none. */
  name: string;
  /** Kind of mesh that it was made from. */
  kind: 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
  /** Particle count. */
  particles: number;
  /** Triangle count. */
  triangles: number;
  /** Count of the edges that were given (rope). */
  edges: number;
  /** Tetrahedron count. */
  tets: number;
  /** Vertices of the skin; 0 if there is none. */
  skin: number;
  /** Ids by kind, as body.add gave them. */
  constraints: ConstraintRanges;
  /** The fabric of the table of materials that has its stretch and bend; absent: none. */
  material?: 'denim-stretch' | 'trousers' | 'tablecloth' | 'jacket' | 'blanket' | 'swimsuit';
  /** Material of the edges. */
  stretch: StretchMaterial;
  /** Resistance to bending (cloth). */
  bend: BendMaterial;
  /** Material of the tetrahedra (soft). */
  volume: Material;
  /** What it is made of, as given to body.add; absent: edges and volumes. */
  solid?: SolidMaterial;
  /** The section and material of the rope, as given to body.add; absent: edges alone. */
  rod?: Rod;
  /** The shape of the pieces of a rigid body; absent of others. */
  rigid?: Rigid;
  /** Radius that it has for contacts. [m] */
  thickness: number;
  /** Whether its own triangles and edges meet each other. */
  self_contact: boolean;
  /** Bits: what it is. */
  contact_group: number;
  /** Bits: what it meets. */
  contact_mask: number;
  /** Coulomb coefficient mu between bodies. */
  friction: number;
  /** As in body.add; absent: that of friction. */
  friction_kinetic?: number;
  /** As in body.add; absent: 0. */
  restitution?: number;
  /** As in body.add; absent: none. */
  surface?: string;
  /** Pressure inside, with what is left of its time; absent: none. */
  pressure?: Pressure;
  /** Gravity of its own; absent: that of the world. [m/s^2] */
  gravity?: Vec3;
  /** Coefficients of its own; absent: those of the world. */
  wind?: OwnWind;
  /** Force on it as a whole; absent: none. [N] */
  force?: Vec3;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** Shape matching; absent: none. */
  shape?: Shape;
  /** Thresholds and spares; absent: it does not tear. */
  tear?: Tear;
  /** Pinned particles. */
  pins: Uint32Array;
  /** Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. */
  pin_colliders?: Uint32Array;
  /** Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard. [m/N] */
  pin_compliances?: Float64Array;
  /** Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard. [m] */
  pin_distances?: Float64Array;
  /** By which edit last: of the body, its particles, constraints that hold them, motions that lead them. */
  touched: Touch;
}

/** A collider. */
export interface ColliderSummary {
  /** Id. */
  collider: number;
  /** Name; empty if it has none. */
  name: string;
  /** Shape. */
  kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';
  /** A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others. [m] */
  position: Vec3;
  /** Unit normal (plane), its rotated +y; bodies stay on the side it points to. */
  normal: Vec3;
  /** Unit quaternion x, y, z, w. */
  rotation: Vec4;
  /** Radius (sphere, capsule, cylinder). [m] */
  radius: number;
  /** Along the rotated y: between the centres of the ends (capsule), between the flat ends (cylinder). [m] */
  length: number;
  /** Half the edges (box). [m] */
  half_extents: Vec3;
  /** Coulomb coefficient mu. */
  friction: number;
  /** As in collider.add; absent: that of friction. */
  friction_kinetic?: number;
  /** As in collider.add; absent: 0. */
  restitution?: number;
  /** As in collider.add; absent: none. */
  surface?: string;
  /** By which edit last: of the collider, or a motion that leads it. */
  touched: Touch;
  /** x, y, z of each vertex of the hull (convex), in the collider's own frame. [m] */
  points?: Float64Array;
  /** Three vertices for each triangle of the hull (convex), counterclockwise from outside. */
  triangles?: Uint32Array;
  /** Heights of a height field, row after row along z, in each row the columns along x; the two triangles of a cell meet at the diagonal from its least x and z to its greatest. [m] */
  heights?: Float64Array;
  /** Heights in a row (height_field). */
  columns?: number;
  /** From one height to the next along x and z (height_field). [m] */
  spacing?: number;
  /** As in collider.add; absent, with surface_spin, if the surface does not run. [m/s] */
  surface_velocity?: Vec3;
  /** As in collider.add. [rad/s] */
  surface_spin?: Vec3;
}

/** Pose of a collider at a moment. */
export interface ColliderPose {
  /** Id. */
  collider: number;
  /** A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others. [m] */
  position: Vec3;
  /** Unit quaternion x, y, z, w. */
  rotation: Vec4;
}

/** A particle held by somebody. */
export interface GrabSummary {
  /** Id. */
  grab: number;
  /** Body id. */
  body: number;
  /** Index in the body. */
  particle: number;
  /** Point to which it is pulled. [m] */
  target: Vec3;
  /** Inverse stiffness of the pull. [m/N] */
  compliance: number;
  /** Force on the particle in the last substep: lambda / h^2. [N] */
  force: Vec3;
  /** Who holds it. */
  session: number;
  /** Their name. */
  user: string;
}

/** Sums over a world at a moment. They are computed in double and rounded once. */
export interface Measures {
  /** 1/2 sum m |v|^2 of the moving particles, and 1/2 angular velocity times angular momentum of the pieces of rigid bodies. [J] */
  kinetic: number;
  /** -sum m g.x of the moving particles. [J] */
  potential: number;
  /** sum C^2 / (2 (alpha + h^2 W)) of the distance constraints with alpha > 0; W = sum w |grad C|^2, h: the substep. [J] */
  elastic_distance: number;
  /** The same of the dihedral constraints. [J] */
  elastic_dihedral: number;
  /** The same of the isometric constraints. [J] */
  elastic_isometric: number;
  /** The same of the quadratic constraints, with |c|^2. [J] */
  elastic_quadratic: number;
  /** The same of the volume constraints. [J] */
  elastic_volume: number;
  /** The same of the joins, of those that hold. [J] */
  elastic_join: number;
  /** The same of the slide constraints that are taut; with friction of both sides. [J] */
  elastic_slide: number;
  /** The same of the slide_rail constraints. [J] */
  elastic_slide_rail: number;
  /** The same of the tetrahedra of solids: C^2 = 2 alpha U / V, 0 at rest. [J] */
  elastic_neo_hookean: number;
  /** The same of the orthotropic constraints: of the three strains of each. [J] */
  elastic_orthotropic: number;
  /** The same of the segments of rods: of stretch and shear. [J] */
  elastic_rod_stretch: number;
  /** The same of the joints of rods: of bend and twist. [J] */
  elastic_rod_bend: number;
  /** The same of the joints: of their anchors, and of orientations that give way. [J] */
  elastic_joint: number;
  /** Greatest |l - L| / L of the distance constraints with L > 0. */
  strain_max: number;
  /** Root mean square of (l - L) / L. */
  strain_rms: number;
  /** Greatest |V - V0| / |V0| of the volume constraints; 0 if there are none. */
  volume_error: number;
  /** Root mean square of (V - V0) / V0. */
  volume_error_rms: number;
  /** Greatest |V - V0| / |V0| of the tetrahedra of solids; 0 if there are none. */
  solid_volume_error: number;
  /** Root mean square of (V - V0) / V0. */
  solid_volume_error_rms: number;
  /** Greatest strain along warp or weft of the orthotropic constraints; 0 if there are none. [strain] */
  yarn_strain_max: number;
  /** Root mean square of the greater one of both. [strain] */
  yarn_strain_rms: number;
  /** Particle-collider contacts that pushed in the last substep. */
  contacts: number;
  /** Wall time of the last tick's solve. Not part of the state. [us] */
  tick_us: number;
  /** Time by phase. */
  phases: PhaseTimes;
}

/** How well the solver converged for a body: errors that its material does not ask for. Constraints of constraint.add are left out. */
export interface Convergence {
  /** Id. */
  body: number;
  /** Name, or empty. */
  name: string;
  /** Greatest l/L - 1 - limit of the edges that have a limit: those of compliance 0, and all edges if there is a stretch.limit. 0 if none is too long. */
  strain_max: number;
  /** The same as root of the mean square over these edges. */
  strain_rms: number;
  /** Share of the forces that the compliances of its edges ask for, and that the last substep did not give: 0 to 1. 0 if no edge has a compliance, or if no tick has run since the last edit of constraints. */
  unresolved_stretch: number;
  /** The same of bending. A body at rest acts as if its rigidity were 1 - share of that of its material. Above about 0.3, bending that is swept with one iteration may gain energy and never rest. */
  unresolved_bend: number;
  /** The same of volumes. */
  unresolved_volume: number;
  /** The same of the tetrahedra of a solid. */
  unresolved_solid: number;
  /** How its bending is solved (bending of world.create). none: it has no constraints of bending. */
  bending: 'none' | 'solved' | 'swept';
  /** The reason why its bending is swept. nothing: it is not swept. world: all bending of the world is. model: only quadratic bending can be solved. rigid: one of its bending constraints has compliance 0. stiffness: one has a plain stiffness. stiff: numbers cannot tell it from rigid. large: there are too many particles. waits: an edit has changed it, and its new factor is made over some ticks. stiff and large are known once a tick has run since the last edit. */
  swept_because: 'nothing' | 'world' | 'model' | 'rigid' | 'stiffness' | 'stiff' | 'large' | 'waits';
}

/** Contact of bodies with each other and with colliders in the last tick: the greatest value over its substeps unless noted. All 0 if no body meets any. */
export interface Contact {
  /** Pairs of features (vertex and triangle, edge and edge) that might have met. */
  pairs: number;
  /** Pairs of these that touched in the last substep. */
  pushing: number;
  /** Edges that went through triangles when the tick began, of bodies that meet. They are left alone, unless the world untangles. */
  crossed: number;
  /** Particles that were held back, so that nothing crosses. */
  held: number;
  /** Times that the pairs did not fit and how far they are looked for was halved: slow motion, nothing worse. */
  shrunk: number;
  /** Pairs that still did not fit: these may cross. */
  dropped: number;
  /** Greatest 1 - d / R at the end of the tick, 0 to 1; d: the distance of a pair, R: the distance that it should keep. */
  penetration: number;
  /** Triangles, loose edges and loose particles that reached into the core of a collider, each once for each collider. The core is what is deeper inside than half of the collider's inner radius, or farther below a plane or a height field than the body's thickness. */
  pierced: number;
}

/** Places where one body touches, was held back and crosses something. */
export interface ContactPlaces {
  /** Id. */
  body: number;
  /** Particles of the pairs that touched in the last substep (pushing), ascending. */
  touching: Uint32Array;
  /** Particles that were held back in some substep of the tick, ascending. */
  held: Uint32Array;
  /** Its edges that went through triangles when the tick began, two particles each, ascending, each edge once. */
  crossed: Uint32Array;
}

/** Places where bodies met in the last whole tick: at most 4096 particles that touch, 4096 that were held and 4096 edges, of 1024 bodies. */
export interface Contacts {
  /** Whether that tick was recorded. False until the world has gone on for a tick since a stream asked for contacts, in frames of substeps within a tick, and if no body meets any. */
  known: boolean;
  /** By id, those of which there is something to say. */
  bodies: readonly ContactPlaces[];
  /** How many found no room, of all three kinds: an edge counts for each triangle that it passes. */
  more: number;
}

/** The settings of world.create, without the name. */
export interface WorldSettings {
  /** Acceleration of every moving particle. [m/s^2] */
  gravity: Vec3;
  /** Ticks in a second of the world. [1/s] */
  tick_rate: number;
  /** Substeps a tick. */
  substeps: number;
  /** Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not. */
  iterations: number;
  /** Global damping c. [1/s] */
  damping: number;
  /** Wind on all triangles; absent: none. Fields absent from it take their defaults. */
  wind?: Wind;
  /** Quantum of position, a power of two. [m] */
  resolution: number;
  /** A world in which a particle passes this coordinate pauses itself as failed. [m] */
  extent: number;
  /** guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells. */
  contact_quality: 'guaranteed' | 'fast';
  /** Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart. */
  untangle: boolean;
  /** Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long. Absent: false. */
  long_edges?: boolean;
  /** How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it. Absent: swept. */
  bending?: 'swept' | 'solved';
  /** How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to 600 times as long. Absent: swept. */
  loads?: 'swept' | 'solved';
  /** Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then. Absent: false. */
  sleep?: boolean;
  /** Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. Absent: false. */
  calm?: boolean;
  /** Fields of force; absent: there never were any. */
  forces?: ForceFields;
  /** As in world.create. */
  surfaces?: readonly SurfacePair[];
}

/** The settings of world.create, without the name. What is left out takes its default, or stays. */
export interface WorldSettingsInput {
  /** Acceleration of every moving particle. [m/s^2] */
  gravity?: Numbers;
  /** Ticks in a second of the world. [1/s] */
  tick_rate?: number;
  /** Substeps a tick. */
  substeps?: number;
  /** Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not. */
  iterations?: number;
  /** Global damping c. [1/s] */
  damping?: number;
  /** Wind on all triangles; absent: none. Fields absent from it take their defaults. */
  wind?: WindInput;
  /** Quantum of position, a power of two. [m] */
  resolution?: number;
  /** A world in which a particle passes this coordinate pauses itself as failed. [m] */
  extent?: number;
  /** guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells. */
  contact_quality?: 'guaranteed' | 'fast';
  /** Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart. */
  untangle?: boolean;
  /** Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long. Absent: false. */
  long_edges?: boolean;
  /** How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it. Absent: swept. */
  bending?: 'swept' | 'solved';
  /** How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to 600 times as long. Absent: swept. */
  loads?: 'swept' | 'solved';
  /** Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then. Absent: false. */
  sleep?: boolean;
  /** Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. Absent: false. */
  calm?: boolean;
  /** Fields of force; absent: there never were any. */
  forces?: ForceFieldsInput;
  /** As in world.create. */
  surfaces?: readonly SurfacePairInput[];
}

/** What edits have left of a body's constraints of one kind: only if something was removed or changed. */
export interface ConstraintHistory {
  /** Constraints when they were last coloured; absent: all that the body was made with. */
  built?: number;
  /** Ids of those that are gone, ascending. */
  removed?: Uint32Array;
  /** Ids of those with values of their own, ascending; the next four have one number for each. */
  changed?: Uint32Array;
  /** Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m, rad, m^3] */
  rest?: Float64Array;
  /** Compliances. [[C]^2/J] */
  compliance?: Float64Array;
  /** Damping stiffnesses. [J s/[C]^2] */
  damping?: Float64Array;
  /** Plain PBD stiffness; -1 if compliance holds. */
  stiffness?: Float64Array;
  /** Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made. */
  shapes?: Float32Array;
  /** Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as in a new body. */
  tile_colors?: Uint32Array;
  /** Colour within its tile of each living constraint, by id; 64 is the serial one. */
  colors?: Uint32Array;
}

/** What edits have left of a body's constraints of one kind: only if something was removed or changed. What is left out takes its default, or stays. */
export interface ConstraintHistoryInput {
  /** Constraints when they were last coloured; absent: all that the body was made with. */
  built?: number;
  /** Ids of those that are gone, ascending. */
  removed?: Numbers;
  /** Ids of those with values of their own, ascending; the next four have one number for each. */
  changed?: Numbers;
  /** Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m, rad, m^3] */
  rest?: Numbers;
  /** Compliances. [[C]^2/J] */
  compliance?: Numbers;
  /** Damping stiffnesses. [J s/[C]^2] */
  damping?: Numbers;
  /** Plain PBD stiffness; -1 if compliance holds. */
  stiffness?: Numbers;
  /** Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made. */
  shapes?: Numbers;
  /** Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as in a new body. */
  tile_colors?: Numbers;
  /** Colour within its tile of each living constraint, by id; 64 is the serial one. */
  colors?: Numbers;
}

/** By kind of constraint, for those kinds that were edited. */
export interface BodyHistory {
  /** Distances. */
  distance?: ConstraintHistory;
  /** Dihedral angles. */
  dihedral?: ConstraintHistory;
  /** Isometric bending. */
  isometric?: ConstraintHistory;
  /** Quadratic bending. */
  quadratic?: ConstraintHistory;
  /** Volumes. */
  volume?: ConstraintHistory;
  /** Joins; no body has any of its own. */
  join?: ConstraintHistory;
  /** Slides. */
  slide?: ConstraintHistory;
  /** Rings on rails; no body has any of its own. */
  slide_rail?: ConstraintHistory;
  /** Tetrahedra of a solid. */
  neo_hookean?: ConstraintHistory;
  /** Orthotropic stretch. */
  orthotropic?: ConstraintHistory;
  /** Segments of a rod. */
  rod_stretch?: ConstraintHistory;
  /** Joints of a rod. */
  rod_bend?: ConstraintHistory;
  /** Joints; no body has any of its own. */
  joint?: ConstraintHistory;
}

/** By kind of constraint, for those kinds that were edited. What is left out takes its default, or stays. */
export interface BodyHistoryInput {
  /** Distances. */
  distance?: ConstraintHistoryInput;
  /** Dihedral angles. */
  dihedral?: ConstraintHistoryInput;
  /** Isometric bending. */
  isometric?: ConstraintHistoryInput;
  /** Quadratic bending. */
  quadratic?: ConstraintHistoryInput;
  /** Volumes. */
  volume?: ConstraintHistoryInput;
  /** Joins; no body has any of its own. */
  join?: ConstraintHistoryInput;
  /** Slides. */
  slide?: ConstraintHistoryInput;
  /** Rings on rails; no body has any of its own. */
  slide_rail?: ConstraintHistoryInput;
  /** Tetrahedra of a solid. */
  neo_hookean?: ConstraintHistoryInput;
  /** Orthotropic stretch. */
  orthotropic?: ConstraintHistoryInput;
  /** Segments of a rod. */
  rod_stretch?: ConstraintHistoryInput;
  /** Joints of a rod. */
  rod_bend?: ConstraintHistoryInput;
  /** Joints; no body has any of its own. */
  joint?: ConstraintHistoryInput;
}

/** Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made. */
export interface DocumentState {
  /** x, y, z of each particle, a whole number of quanta. [m] */
  positions?: Float64Array;
  /** Quanta that the doubles of positions cannot hold beyond 2^53; absent: none. [quanta] */
  remainders?: Float64Array;
  /** x, y, z of each particle. [m/s] */
  velocities?: Float32Array;
  /** Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go. [1/kg] */
  inverse_masses?: Float32Array;
  /** Places to which the pinned particles move during the next tick, in the order of pins; absent: none. [m] */
  targets?: Float64Array;
  /** As remainders, of targets. [quanta] */
  target_remainders?: Float64Array;
  /** Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. */
  pin_colliders?: Uint32Array;
  /** x, y, z of each of these pins in the frame of its collider; absent: where it is. [m] */
  pin_places?: Float64Array;
  /** Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent: all are hard. [m/N] */
  pin_compliances?: Float64Array;
  /** Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard. [m] */
  pin_distances?: Float64Array;
  /** Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft pins stand at their targets. Hard ones set out from their particles. [quanta] */
  pin_starts?: Float64Array;
  /** Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins stay where their targets are. [quanta] */
  pin_ends?: Float64Array;
  /** How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target. */
  pin_ticks?: Uint32Array;
  /** Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the entry have forces, and this is absent. */
  forced?: Uint32Array;
  /** x, y, z of the force on each of these; in edit.restore 0 is none. [N] */
  forces?: Float64Array;
  /** Ticks in which each force still acts; 0 or absent: until it is changed. */
  forces_ticks?: Uint32Array;
  /** Whether the body sleeps; absent: false. This and the next five are of worlds with sleep. */
  asleep?: boolean;
  /** Ticks in a row in which no particle left its anchor; absent: 0. */
  still?: number;
  /** Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too. */
  mark?: number;
  /** If it sleeps: the least id of the bodies that fell asleep with it, itself included. */
  island?: number;
  /** If it sleeps: how many bodies fell asleep with it, itself included. */
  companions?: number;
  /** Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are. [quanta] */
  anchors?: Float64Array;
  /** Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body starts, if it has any. */
  turned?: Float64Array;
  /** Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends; zeros: it has no clamp. Absent: none has one. */
  pin_clamps?: Float64Array;
  /** Four numbers a pin: the quaternion in whole units of 2^-30 that its clamp has in the frame of the collider that the pin follows; zeros: it does not turn with that. Absent: none does. */
  pin_clamp_places?: Float64Array;
  /** Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is attached after bend_due - 65 ticks. Absent: the factor is attached. */
  bend_due?: number;
}

/** Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made. What is left out takes its default, or stays. */
export interface DocumentStateInput {
  /** x, y, z of each particle, a whole number of quanta. [m] */
  positions?: Numbers;
  /** Quanta that the doubles of positions cannot hold beyond 2^53; absent: none. [quanta] */
  remainders?: Numbers;
  /** x, y, z of each particle. [m/s] */
  velocities?: Numbers;
  /** Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go. [1/kg] */
  inverse_masses?: Numbers;
  /** Places to which the pinned particles move during the next tick, in the order of pins; absent: none. [m] */
  targets?: Numbers;
  /** As remainders, of targets. [quanta] */
  target_remainders?: Numbers;
  /** Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. */
  pin_colliders?: Numbers;
  /** x, y, z of each of these pins in the frame of its collider; absent: where it is. [m] */
  pin_places?: Numbers;
  /** Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent: all are hard. [m/N] */
  pin_compliances?: Numbers;
  /** Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard. [m] */
  pin_distances?: Numbers;
  /** Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft pins stand at their targets. Hard ones set out from their particles. [quanta] */
  pin_starts?: Numbers;
  /** Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins stay where their targets are. [quanta] */
  pin_ends?: Numbers;
  /** How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target. */
  pin_ticks?: Numbers;
  /** Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the entry have forces, and this is absent. */
  forced?: Numbers;
  /** x, y, z of the force on each of these; in edit.restore 0 is none. [N] */
  forces?: Numbers;
  /** Ticks in which each force still acts; 0 or absent: until it is changed. */
  forces_ticks?: Numbers;
  /** Whether the body sleeps; absent: false. This and the next five are of worlds with sleep. */
  asleep?: boolean;
  /** Ticks in a row in which no particle left its anchor; absent: 0. */
  still?: number;
  /** Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too. */
  mark?: number;
  /** If it sleeps: the least id of the bodies that fell asleep with it, itself included. */
  island?: number;
  /** If it sleeps: how many bodies fell asleep with it, itself included. */
  companions?: number;
  /** Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are. [quanta] */
  anchors?: Numbers;
  /** Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body starts, if it has any. */
  turned?: Numbers;
  /** Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends; zeros: it has no clamp. Absent: none has one. */
  pin_clamps?: Numbers;
  /** Four numbers a pin: the quaternion in whole units of 2^-30 that its clamp has in the frame of the collider that the pin follows; zeros: it does not turn with that. Absent: none does. */
  pin_clamp_places?: Numbers;
  /** Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is attached after bend_due - 65 ticks. Absent: the factor is attached. */
  bend_due?: number;
}

/** A body: what body.add takes, and what has become of it since. */
export interface DocumentBody {
  /** Id, greater than that of the body before it; absent: the next one. */
  body?: number;
  /** Unique in the world if given. */
  name: string;
  /** Its kind. */
  kind: 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
  /** x, y, z of each particle: the rest shape and the start. [m] */
  positions: Float64Array;
  /** x, y, z of each particle at the start; absent: at rest. [m/s] */
  velocities?: Float32Array;
  /** Three particle indices each (cloth). */
  triangles?: Uint32Array;
  /** Two particle indices each (rope). */
  edges?: Uint32Array;
  /** Four particle indices each (soft). */
  tets?: Uint32Array;
  /** As in body.add. */
  density?: number;
  /** Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] */
  masses?: Float64Array;
  /** Material of the edges. */
  stretch?: StretchMaterial;
  /** Resistance to bending (cloth); absent: none. */
  bend?: BendMaterial;
  /** Material of the tetrahedra (soft). */
  volume?: Material;
  /** As in body.add; stretch and volume are absent then. */
  solid?: SolidMaterial;
  /** As in body.add; stretch is absent then. */
  rod?: Rod;
  /** As in body.add. [m] */
  weld?: number;
  /** Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge. [m] */
  thickness: number;
  /** Its own triangles and edges meet each other; absent: they do not. */
  self_contact?: boolean;
  /** Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets nobody. */
  contact_group?: number;
  /** Bits: what it meets; absent: 0, nothing. */
  contact_mask?: number;
  /** Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** Whether it may sleep, in worlds with sleep; absent: it may. */
  sleep?: boolean;
  /** As in body.add, with what is left of its time. */
  pressure?: Pressure;
  /** As in body.add; absent: that of the world. [m/s^2] */
  gravity?: Vec3;
  /** As in body.add; absent: those of the world. */
  wind?: OwnWind;
  /** As in body.add; absent: none. [N] */
  force?: Vec3;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** As in body.add. */
  shape?: Shape;
  /** As in body.add. With torn, the spares are among the particles of positions and state. */
  tear?: Tear;
  /** The tears; only with tear. Absent: the body is made with spares, and nothing has torn. */
  torn?: Torn;
  /** Pinned particles. */
  pins?: Uint32Array;
  /** Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state. */
  clamps?: Uint32Array;
  /** The surface it carries, with particles by the indices of positions; absent: none. */
  skin?: Skin;
  /** Its look; absent: none. */
  look?: Look;
  /** First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one. */
  first_constraint?: number;
  /** Its present state; absent: as it was made. */
  state?: DocumentState;
  /** Edits of its constraints; absent: none. */
  history?: BodyHistory;
  /** As in body.add; with them stretch.direction is absent. */
  yarn_uvs?: Float32Array;
  /** As in body.add. */
  rigid?: Rigid;
  /** As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are. */
  rotations?: Float64Array;
  /** As in body.add. [rad/s] */
  angular_velocities?: Float32Array;
}

/** A body: what body.add takes, and what has become of it since. What is left out takes its default, or stays. */
export interface DocumentBodyInput {
  /** Id, greater than that of the body before it; absent: the next one. */
  body?: number;
  /** Unique in the world if given. */
  name?: string;
  /** Its kind. */
  kind: 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
  /** x, y, z of each particle: the rest shape and the start. [m] */
  positions: Numbers;
  /** x, y, z of each particle at the start; absent: at rest. [m/s] */
  velocities?: Numbers;
  /** Three particle indices each (cloth). */
  triangles?: Numbers;
  /** Two particle indices each (rope). */
  edges?: Numbers;
  /** Four particle indices each (soft). */
  tets?: Numbers;
  /** As in body.add. */
  density?: number;
  /** Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] */
  masses?: Numbers | number;
  /** Material of the edges. */
  stretch?: StretchMaterialInput;
  /** Resistance to bending (cloth); absent: none. */
  bend?: BendMaterialInput;
  /** Material of the tetrahedra (soft). */
  volume?: MaterialInput;
  /** As in body.add; stretch and volume are absent then. */
  solid?: SolidMaterialInput;
  /** As in body.add; stretch is absent then. */
  rod?: RodInput;
  /** As in body.add. [m] */
  weld?: number;
  /** Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge. [m] */
  thickness?: number;
  /** Its own triangles and edges meet each other; absent: they do not. */
  self_contact?: boolean;
  /** Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets nobody. */
  contact_group?: number;
  /** Bits: what it meets; absent: 0, nothing. */
  contact_mask?: number;
  /** Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** Whether it may sleep, in worlds with sleep; absent: it may. */
  sleep?: boolean;
  /** As in body.add, with what is left of its time. */
  pressure?: PressureInput;
  /** As in body.add; absent: that of the world. [m/s^2] */
  gravity?: Numbers;
  /** As in body.add; absent: those of the world. */
  wind?: OwnWindInput;
  /** As in body.add; absent: none. [N] */
  force?: Numbers;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** As in body.add. */
  shape?: ShapeInput;
  /** As in body.add. With torn, the spares are among the particles of positions and state. */
  tear?: TearInput;
  /** The tears; only with tear. Absent: the body is made with spares, and nothing has torn. */
  torn?: TornInput;
  /** Pinned particles. */
  pins?: Numbers;
  /** Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state. */
  clamps?: Numbers;
  /** The surface it carries, with particles by the indices of positions; absent: none. */
  skin?: SkinInput;
  /** Its look; absent: none. */
  look?: LookInput;
  /** First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one. */
  first_constraint?: number;
  /** Its present state; absent: as it was made. */
  state?: DocumentStateInput;
  /** Edits of its constraints; absent: none. */
  history?: BodyHistoryInput;
  /** As in body.add; with them stretch.direction is absent. */
  yarn_uvs?: Numbers;
  /** As in body.add. */
  rigid?: RigidInput;
  /** As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are. */
  rotations?: Numbers;
  /** As in body.add. [rad/s] */
  angular_velocities?: Numbers;
}

/** A collider: what collider.add takes, and its earlier pose if it is under way. */
export interface DocumentCollider {
  /** Id, greater than that of the collider before it; absent: the next one. */
  collider?: number;
  /** Unique among the world's colliders if given. */
  name: string;
  /** Shape. */
  kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';
  /** A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others. [m] */
  position: Vec3;
  /** Normal of the plane, instead of rotation; absent: +y. */
  normal?: Vec3;
  /** Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent: none. */
  rotation?: Vec4;
  /** Radius (sphere, capsule, cylinder). [m] */
  radius: number;
  /** Between the centres of the ends (capsule), between the flat ends (cylinder). [m] */
  length: number;
  /** Half the edges (box). [m] */
  half_extents: Vec3;
  /** Coulomb coefficient mu. */
  friction: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** Quanta that the doubles of position cannot hold beyond 2^53; absent: none. [quanta] */
  remainder?: Vec3;
  /** Position from which the next tick moves it; absent: position. [m] */
  from_position?: Vec3;
  /** As remainder, of from_position. [quanta] */
  from_remainder?: Vec3;
  /** The same for the rotation. */
  from_rotation?: Vec4;
  /** Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well; absent: what rotation comes to without them. */
  unturned?: Vec4;
  /** As in collider.add (convex). [m] */
  points?: Float64Array;
  /** As in collider.add (height_field). [m] */
  heights?: Float64Array;
  /** As in collider.add (height_field). */
  columns?: number;
  /** As in collider.add (height_field); absent: 1. [m] */
  spacing?: number;
  /** As in collider.add; absent: none. [m/s] */
  surface_velocity?: Vec3;
  /** As in collider.add; absent: none. [rad/s] */
  surface_spin?: Vec3;
}

/** A collider: what collider.add takes, and its earlier pose if it is under way. What is left out takes its default, or stays. */
export interface DocumentColliderInput {
  /** Id, greater than that of the collider before it; absent: the next one. */
  collider?: number;
  /** Unique among the world's colliders if given. */
  name?: string;
  /** Shape. */
  kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';
  /** A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others. [m] */
  position?: Numbers;
  /** Normal of the plane, instead of rotation; absent: +y. */
  normal?: Numbers;
  /** Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent: none. */
  rotation?: Numbers;
  /** Radius (sphere, capsule, cylinder). [m] */
  radius?: number;
  /** Between the centres of the ends (capsule), between the flat ends (cylinder). [m] */
  length?: number;
  /** Half the edges (box). [m] */
  half_extents?: Numbers;
  /** Coulomb coefficient mu. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** Quanta that the doubles of position cannot hold beyond 2^53; absent: none. [quanta] */
  remainder?: Numbers;
  /** Position from which the next tick moves it; absent: position. [m] */
  from_position?: Numbers;
  /** As remainder, of from_position. [quanta] */
  from_remainder?: Numbers;
  /** The same for the rotation. */
  from_rotation?: Numbers;
  /** Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well; absent: what rotation comes to without them. */
  unturned?: Numbers;
  /** As in collider.add (convex). [m] */
  points?: Numbers;
  /** As in collider.add (height_field). [m] */
  heights?: Numbers;
  /** As in collider.add (height_field). */
  columns?: number;
  /** As in collider.add (height_field); absent: 1. [m] */
  spacing?: number;
  /** As in collider.add; absent: none. [m/s] */
  surface_velocity?: Numbers;
  /** As in collider.add; absent: none. [rad/s] */
  surface_spin?: Numbers;
}

/** Loose constraints of one kind: what constraint.add takes, and what they have become. */
export interface DocumentConstraints {
  /** Kind of all of them. */
  type: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Body of all particles, by id or name. */
  body?: Ref;
  /** Body id of each particle, instead of body. */
  bodies?: Uint32Array;
  /** Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and orthotropic, six for each join that has an id and shapes (else those of its sides), four for each joint that has (else a piece of a rigid body and those of its second side), four for each other. */
  particles: Uint32Array;
  /** Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle). */
  sides?: Uint32Array;
  /** Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the piece's centre. */
  weights?: Float64Array;
  /** Rest values, or one for all; absent: the present ones. [m, rad, m^3] */
  rest?: Float64Array;
  /** Of each, or one for all; absent: 0. [[C]^2/J] */
  compliance?: Float64Array;
  /** Of each, or one for all; absent: 0. [J s/[C]^2] */
  damping?: Float64Array;
  /** Plain PBD stiffness of each, or one for all; -1 if compliance holds. */
  stiffness?: Float64Array;
  /** Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and colors as well, and slides ratio, friction and side. */
  constraints?: Uint32Array;
  /** Colour of each, its place in the order of solving, which history gave. */
  colors?: Uint32Array;
  /** Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0), four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest force, and 1 if it has parted. Of joints with ids, 36, which docs/concepts/joints.md names. A corner of a join that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from rest, six entries of the inverse of the matrix of the edges' products for a volume of 1/6 (00, 11, 22, 01, 02, 12), and Poisson's ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md. */
  shapes?: Float32Array;
  /** Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks. [m] */
  rest_end?: Float64Array;
  /** Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] */
  seconds?: Float64Array;
  /** Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0. [N] */
  force_limit?: Float64Array;
  /** Of slides: as in constraint.add; absent: 1. */
  ratio?: Float64Array;
  /** Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0. */
  friction?: Float64Array;
  /** Of slides with friction: what of the rest length is between the first particle and the ring, which ticks change; at most rest, and 0 without friction. Absent: in proportion to the present lengths. [m] */
  side?: Float64Array;
  /** Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a rod or the world. */
  joint?: 'ball' | 'fixed' | 'hinge' | 'slider' | 'distance';
  /** Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own anchor. Default: the second side's particle or point, or the centre of its piece; of a segment the point that weights name, and of the world the first piece's. [m] */
  anchors?: Float64Array;
  /** Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y, 0 1 0. */
  axes?: Float64Array;
  /** Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one. */
  limits?: Float64Array;
  /** Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. Default 0. [rad/(N m)] */
  turn_compliance?: Float64Array;
  /** Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed; target: to an angle or a place. */
  motor?: 'none' | 'speed' | 'target';
  /** Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. Default 0. */
  motor_target?: Float64Array;
  /** Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as much as it takes. Default 0. [N m, N] */
  motor_most?: Float64Array;
  /** Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0. [rad/(N m), m/N] */
  motor_compliance?: Float64Array;
  /** Only for edit.restore, of constraints that live: only these are restored, and their other values stay. rest_end is it with seconds. Absent: all. */
  fields?: readonly ('rest' | 'compliance' | 'damping' | 'stiffness' | 'ratio' | 'friction' | 'side' | 'rest_end' | 'force_limit' | 'limits' | 'turn_compliance' | 'motor' | 'motor_target' | 'motor_most' | 'motor_compliance')[];
}

/** Loose constraints of one kind: what constraint.add takes, and what they have become. What is left out takes its default, or stays. */
export interface DocumentConstraintsInput {
  /** Kind of all of them. */
  type?: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Body of all particles, by id or name. */
  body?: Ref;
  /** Body id of each particle, instead of body. */
  bodies?: Numbers;
  /** Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and orthotropic, six for each join that has an id and shapes (else those of its sides), four for each joint that has (else a piece of a rigid body and those of its second side), four for each other. */
  particles: Numbers;
  /** Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle). */
  sides?: Numbers;
  /** Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the piece's centre. */
  weights?: Numbers;
  /** Rest values, or one for all; absent: the present ones. [m, rad, m^3] */
  rest?: Numbers | number;
  /** Of each, or one for all; absent: 0. [[C]^2/J] */
  compliance?: Numbers | number;
  /** Of each, or one for all; absent: 0. [J s/[C]^2] */
  damping?: Numbers | number;
  /** Plain PBD stiffness of each, or one for all; -1 if compliance holds. */
  stiffness?: Numbers | number;
  /** Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and colors as well, and slides ratio, friction and side. */
  constraints?: Numbers;
  /** Colour of each, its place in the order of solving, which history gave. */
  colors?: Numbers;
  /** Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0), four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest force, and 1 if it has parted. Of joints with ids, 36, which docs/concepts/joints.md names. A corner of a join that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from rest, six entries of the inverse of the matrix of the edges' products for a volume of 1/6 (00, 11, 22, 01, 02, 12), and Poisson's ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md. */
  shapes?: Numbers;
  /** Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks. [m] */
  rest_end?: Numbers | number;
  /** Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] */
  seconds?: Numbers | number;
  /** Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0. [N] */
  force_limit?: Numbers | number;
  /** Of slides: as in constraint.add; absent: 1. */
  ratio?: Numbers | number;
  /** Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0. */
  friction?: Numbers | number;
  /** Of slides with friction: what of the rest length is between the first particle and the ring, which ticks change; at most rest, and 0 without friction. Absent: in proportion to the present lengths. [m] */
  side?: Numbers | number;
  /** Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a rod or the world. */
  joint?: 'ball' | 'fixed' | 'hinge' | 'slider' | 'distance';
  /** Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own anchor. Default: the second side's particle or point, or the centre of its piece; of a segment the point that weights name, and of the world the first piece's. [m] */
  anchors?: Numbers;
  /** Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y, 0 1 0. */
  axes?: Numbers;
  /** Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one. */
  limits?: Numbers;
  /** Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. Default 0. [rad/(N m)] */
  turn_compliance?: Numbers | number;
  /** Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed; target: to an angle or a place. */
  motor?: 'none' | 'speed' | 'target';
  /** Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. Default 0. */
  motor_target?: Numbers | number;
  /** Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as much as it takes. Default 0. [N m, N] */
  motor_most?: Numbers | number;
  /** Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0. [rad/(N m), m/N] */
  motor_compliance?: Numbers | number;
  /** Only for edit.restore, of constraints that live: only these are restored, and their other values stay. rest_end is it with seconds. Absent: all. */
  fields?: readonly ('rest' | 'compliance' | 'damping' | 'stiffness' | 'ratio' | 'friction' | 'side' | 'rest_end' | 'force_limit' | 'limits' | 'turn_compliance' | 'motor' | 'motor_target' | 'motor_most' | 'motor_compliance')[];
}

/** A motion: keyframes that move a collider, or pinned particles, as ticks go by. */
export interface MotionSummary {
  /** Id. */
  motion: number;
  /** Collider that it moves. */
  collider?: number;
  /** Body whose particles it moves, if it is no collider. */
  body?: number;
  /** Those of them that are pinned. */
  particles: Uint32Array;
  /** As in motion.add. [s] */
  times: Float64Array;
  /** As in motion.add. [m] */
  offsets: Float64Array;
  /** As in motion.add. */
  loop: boolean;
  /** Ticks since it was added, or since world.reset. */
  age: number;
  /** If it turns what it moves: as in motion.add, each of length 1 and with the sign that makes it next to the one before. */
  rotations?: Float64Array;
  /** As in motion.add. */
  interpolation: 'linear' | 'cubic';
  /** Whether it has poses. */
  posed: boolean;
  /** If it has them and they were asked for: as in motion.add. [m] */
  poses?: Float32Array;
}

/** A motion: what motion.add takes, and how far it is. */
export interface DocumentMotion {
  /** Id, greater than that of the motion before it; absent: the next one. */
  motion?: number;
  /** Collider, by id or name. */
  collider?: Ref;
  /** Body, by id or name, instead of collider. */
  body?: Ref;
  /** Particles of the body. */
  particles?: Uint32Array;
  /** As in motion.add. [s] */
  times: Float64Array;
  /** As in motion.add. [m] */
  offsets: Float64Array;
  /** As in motion.add. */
  loop: boolean;
  /** Ticks since it began. */
  age: number;
  /** As in motion.add. */
  rotations?: Float64Array;
  /** As in motion.add. [m] */
  pivot?: Vec3;
  /** As in motion.add. */
  interpolation: 'linear' | 'cubic';
  /** For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as they are. [m] */
  arms?: Float64Array;
  /** As in motion.add. [m] */
  poses?: Float32Array;
}

/** A motion: what motion.add takes, and how far it is. What is left out takes its default, or stays. */
export interface DocumentMotionInput {
  /** Id, greater than that of the motion before it; absent: the next one. */
  motion?: number;
  /** Collider, by id or name. */
  collider?: Ref;
  /** Body, by id or name, instead of collider. */
  body?: Ref;
  /** Particles of the body. */
  particles?: Numbers;
  /** As in motion.add. [s] */
  times: Numbers;
  /** As in motion.add. [m] */
  offsets: Numbers;
  /** As in motion.add. */
  loop?: boolean;
  /** Ticks since it began. */
  age?: number;
  /** As in motion.add. */
  rotations?: Numbers;
  /** As in motion.add. [m] */
  pivot?: Numbers;
  /** As in motion.add. */
  interpolation?: 'linear' | 'cubic';
  /** For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as they are. [m] */
  arms?: Numbers;
  /** As in motion.add. [m] */
  poses?: Numbers;
}

/** A particle that is held. Its holder is no part of a document. */
export interface DocumentGrab {
  /** Id, greater than that of the grab before it; absent: the next one. */
  grab?: number;
  /** Body, by id or name. */
  body: Ref;
  /** Index in the body. */
  particle: number;
  /** Point to which it is pulled. [m] */
  target: Vec3;
  /** Quanta that the doubles of target cannot hold beyond 2^53; absent: none. [quanta] */
  remainder?: Vec3;
  /** As in grab.begin. [m/N] */
  compliance: number;
}

/** A particle that is held. Its holder is no part of a document. What is left out takes its default, or stays. */
export interface DocumentGrabInput {
  /** Id, greater than that of the grab before it; absent: the next one. */
  grab?: number;
  /** Body, by id or name. */
  body: Ref;
  /** Index in the body. */
  particle: number;
  /** Point to which it is pulled. [m] */
  target: Numbers;
  /** Quanta that the doubles of target cannot hold beyond 2^53; absent: none. [quanta] */
  remainder?: Numbers;
  /** As in grab.begin. [m/N] */
  compliance?: number;
}

/** A whole world without its name, its people and their grabs: a saved world that is opened again has the same hash and the same future. */
export interface Document {
  /** Of this map. */
  format: number;
  /** Settings. */
  settings?: WorldSettings;
  /** Completed ticks. */
  tick: number;
  /** By id. */
  bodies?: readonly DocumentBody[];
  /** By id. */
  colliders?: readonly DocumentCollider[];
  /** Loose constraints, at most 4096 entries. */
  constraints?: readonly DocumentConstraints[];
  /** By id. */
  motions?: readonly DocumentMotion[];
  /** Next id; absent: the least that is free. */
  next_body?: number;
  /** The same for constraints. */
  next_constraint?: number;
  /** The same for grabs. */
  next_grab?: number;
  /** The same for colliders. */
  next_collider?: number;
  /** The same for motions. */
  next_motion?: number;
  /** By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it says is held. */
  grabs?: readonly DocumentGrab[];
}

/** A whole world without its name, its people and their grabs: a saved world that is opened again has the same hash and the same future. What is left out takes its default, or stays. */
export interface DocumentInput {
  /** Of this map. */
  format?: number;
  /** Settings. */
  settings?: WorldSettingsInput;
  /** Completed ticks. */
  tick?: number;
  /** By id. */
  bodies?: readonly DocumentBodyInput[];
  /** By id. */
  colliders?: readonly DocumentColliderInput[];
  /** Loose constraints, at most 4096 entries. */
  constraints?: readonly DocumentConstraintsInput[];
  /** By id. */
  motions?: readonly DocumentMotionInput[];
  /** Next id; absent: the least that is free. */
  next_body?: number;
  /** The same for constraints. */
  next_constraint?: number;
  /** The same for grabs. */
  next_grab?: number;
  /** The same for colliders. */
  next_collider?: number;
  /** The same for motions. */
  next_motion?: number;
  /** By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it says is held. */
  grabs?: readonly DocumentGrabInput[];
}

/** Ids of things to remove; ids that do not exist are skipped. */
export interface RestoreRemoved {
  /** Bodies, with the loose constraints and the motions that hold them. */
  bodies?: Uint32Array;
  /** Loose constraints. */
  constraints?: Uint32Array;
  /** Colliders, with the motions that move them. */
  colliders?: Uint32Array;
  /** Motions. */
  motions?: Uint32Array;
}

/** Ids of things to remove; ids that do not exist are skipped. What is left out takes its default, or stays. */
export interface RestoreRemovedInput {
  /** Bodies, with the loose constraints and the motions that hold them. */
  bodies?: Numbers;
  /** Loose constraints. */
  constraints?: Numbers;
  /** Colliders, with the motions that move them. */
  colliders?: Numbers;
  /** Motions. */
  motions?: Numbers;
}

/** Settings of a world; absent ones stay as they are. */
export interface RestoreSettings {
  /** As in world.create. [m/s^2] */
  gravity?: Vec3;
  /** As in world.create. */
  substeps?: number;
  /** As in world.create. */
  iterations?: number;
  /** As in world.create. [1/s] */
  damping?: number;
  /** As in world.create. */
  wind?: Wind;
  /** As in world.create. [m] */
  extent?: number;
  /** As in world.create. */
  contact_quality?: 'guaranteed' | 'fast';
  /** As in world.create. */
  untangle?: boolean;
  /** As in world.create. */
  long_edges?: boolean;
  /** As in world.create. */
  bending?: 'swept' | 'solved';
  /** As in world.create. */
  loads?: 'swept' | 'solved';
  /** As in world.create. */
  sleep?: boolean;
  /** As in world.create. */
  calm?: boolean;
  /** All fields of force, and the id of the next one. */
  forces?: ForceFields;
  /** Names of fields of wind with a space between them, as wind.drag. Then only these are restored, and those that wind lacks are ended; other fields of the wind stay. */
  fields?: string;
  /** Fields of force by id: what is given of each is restored. One that is gone comes back if its kind is given. */
  forces_set?: readonly ForceField[];
  /** Ids of fields of force to remove; ids that do not exist are skipped. */
  forces_removed?: Uint32Array;
  /** Id of the next field of force. */
  forces_next?: number;
  /** As in world.set. */
  surfaces?: readonly SurfacePair[];
}

/** Settings of a world; absent ones stay as they are. What is left out takes its default, or stays. */
export interface RestoreSettingsInput {
  /** As in world.create. [m/s^2] */
  gravity?: Numbers;
  /** As in world.create. */
  substeps?: number;
  /** As in world.create. */
  iterations?: number;
  /** As in world.create. [1/s] */
  damping?: number;
  /** As in world.create. */
  wind?: WindInput;
  /** As in world.create. [m] */
  extent?: number;
  /** As in world.create. */
  contact_quality?: 'guaranteed' | 'fast';
  /** As in world.create. */
  untangle?: boolean;
  /** As in world.create. */
  long_edges?: boolean;
  /** As in world.create. */
  bending?: 'swept' | 'solved';
  /** As in world.create. */
  loads?: 'swept' | 'solved';
  /** As in world.create. */
  sleep?: boolean;
  /** As in world.create. */
  calm?: boolean;
  /** All fields of force, and the id of the next one. */
  forces?: ForceFieldsInput;
  /** Names of fields of wind with a space between them, as wind.drag. Then only these are restored, and those that wind lacks are ended; other fields of the wind stay. */
  fields?: string;
  /** Fields of force by id: what is given of each is restored. One that is gone comes back if its kind is given. */
  forces_set?: readonly ForceFieldInput[];
  /** Ids of fields of force to remove; ids that do not exist are skipped. */
  forces_removed?: Numbers;
  /** Id of the next field of force. */
  forces_next?: number;
  /** As in world.set. */
  surfaces?: readonly SurfacePairInput[];
}

/** Values to restore in an existing body; absent fields stay as they are. */
export interface RestoreBody {
  /** Id. */
  body: number;
  /** Empty: it has none. */
  name?: string;
  /** Material of the edges, and of all their constraints. */
  stretch?: StretchMaterial;
  /** The same of bending. */
  bend?: BendMaterial;
  /** The same of the tetrahedra. */
  volume?: Material;
  /** The same of a solid. */
  solid?: SolidMaterial;
  /** As in body.add. [m] */
  thickness?: number;
  /** As in body.add. */
  self_contact?: boolean;
  /** As in body.add. */
  contact_group?: number;
  /** As in body.add. */
  contact_mask?: number;
  /** As in body.add. */
  friction?: number;
  /** As in body.add. */
  friction_kinetic?: number;
  /** As in body.add. */
  restitution?: number;
  /** As in body.add; empty: it has none. */
  surface?: string;
  /** As in body.add. */
  sleep?: boolean;
  /** As in body.add; model none: it has none. */
  pressure?: Pressure;
  /** Gravity of its own, three numbers; none: that of the world. [m/s^2] */
  gravity?: Float64Array;
  /** Coefficients of its own; those that are absent from it are those of the world. */
  wind?: OwnWind;
  /** Force on it as a whole; 0: none. [N] */
  force?: Vec3;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** As in body.add; model none: it has none. */
  shape?: Shape;
  /** Thresholds; most is not read. */
  tear?: Tear;
  /** Names of fields of these maps with a space between them, as stretch.damping. Of a map of which some are named only these are restored, and those that it lacks are ended; its other fields stay. A map of which none is named is restored whole. */
  fields?: string;
}

/** Values to restore in an existing body; absent fields stay as they are. What is left out takes its default, or stays. */
export interface RestoreBodyInput {
  /** Id. */
  body: number;
  /** Empty: it has none. */
  name?: string;
  /** Material of the edges, and of all their constraints. */
  stretch?: StretchMaterialInput;
  /** The same of bending. */
  bend?: BendMaterialInput;
  /** The same of the tetrahedra. */
  volume?: MaterialInput;
  /** The same of a solid. */
  solid?: SolidMaterialInput;
  /** As in body.add. [m] */
  thickness?: number;
  /** As in body.add. */
  self_contact?: boolean;
  /** As in body.add. */
  contact_group?: number;
  /** As in body.add. */
  contact_mask?: number;
  /** As in body.add. */
  friction?: number;
  /** As in body.add. */
  friction_kinetic?: number;
  /** As in body.add. */
  restitution?: number;
  /** As in body.add; empty: it has none. */
  surface?: string;
  /** As in body.add. */
  sleep?: boolean;
  /** As in body.add; model none: it has none. */
  pressure?: PressureInput;
  /** Gravity of its own, three numbers; none: that of the world. [m/s^2] */
  gravity?: Numbers;
  /** Coefficients of its own; those that are absent from it are those of the world. */
  wind?: OwnWindInput;
  /** Force on it as a whole; 0: none. [N] */
  force?: Numbers;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** As in body.add; model none: it has none. */
  shape?: ShapeInput;
  /** Thresholds; most is not read. */
  tear?: TearInput;
  /** Names of fields of these maps with a space between them, as stretch.damping. Of a map of which some are named only these are restored, and those that it lacks are ended; its other fields stay. A map of which none is named is restored whole. */
  fields?: string;
}

/** Values to restore in particles of a body. */
export interface RestoreParticles {
  /** Id. */
  body: number;
  /** Indices in the body, each once; absent: all. */
  particles?: Uint32Array;
  /** Whether they are pinned; absent: as they are. */
  pinned?: boolean;
  /** State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are. With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with the anchors of these particles; without it, sleep is as it is. */
  state?: DocumentState;
}

/** Values to restore in particles of a body. What is left out takes its default, or stays. */
export interface RestoreParticlesInput {
  /** Id. */
  body: number;
  /** Indices in the body, each once; absent: all. */
  particles?: Numbers;
  /** Whether they are pinned; absent: as they are. */
  pinned?: boolean;
  /** State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are. With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with the anchors of these particles; without it, sleep is as it is. */
  state?: DocumentStateInput;
}

/** Constraints of one kind with which a body was added, to restore with these values. If the body was coloured again because some were removed, its earlier places are told as well. */
export interface RestoreOwn {
  /** Id of the body. */
  body: number;
  /** Kind of all of them. */
  type: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Ids, ascending. */
  constraints: Uint32Array;
  /** Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m, rad, m^3] */
  rest?: Float64Array;
  /** Compliances. [[C]^2/J] */
  compliance?: Float64Array;
  /** Damping stiffnesses. [J s/[C]^2] */
  damping?: Float64Array;
  /** Plain PBD stiffness; -1 if compliance holds. */
  stiffness?: Float64Array;
  /** Colour of each within its tile. */
  colors?: Uint32Array;
  /** Constraints of this kind when they were last coloured before; with places. */
  built?: number;
  /** Ids of all that had places then, ascending; absent: the body was not coloured again. */
  places?: Uint32Array;
  /** Colour of each of those. */
  place_colors?: Uint32Array;
  /** Colour of each tile then. */
  tile_colors?: Uint32Array;
  /** For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made. */
  shapes?: Float32Array;
  /** If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or dent back that came after the edit. */
  rests_stay?: boolean;
  /** Only these are restored, of constraints that live; their other values stay. Absent: all. */
  fields?: readonly ('rest' | 'compliance' | 'damping' | 'stiffness')[];
}

/** Constraints of one kind with which a body was added, to restore with these values. If the body was coloured again because some were removed, its earlier places are told as well. What is left out takes its default, or stays. */
export interface RestoreOwnInput {
  /** Id of the body. */
  body: number;
  /** Kind of all of them. */
  type?: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Ids, ascending. */
  constraints: Numbers;
  /** Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m, rad, m^3] */
  rest?: Numbers;
  /** Compliances. [[C]^2/J] */
  compliance?: Numbers;
  /** Damping stiffnesses. [J s/[C]^2] */
  damping?: Numbers;
  /** Plain PBD stiffness; -1 if compliance holds. */
  stiffness?: Numbers;
  /** Colour of each within its tile. */
  colors?: Numbers;
  /** Constraints of this kind when they were last coloured before; with places. */
  built?: number;
  /** Ids of all that had places then, ascending; absent: the body was not coloured again. */
  places?: Numbers;
  /** Colour of each of those. */
  place_colors?: Numbers;
  /** Colour of each tile then. */
  tile_colors?: Numbers;
  /** For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made. */
  shapes?: Numbers;
  /** If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or dent back that came after the edit. */
  rests_stay?: boolean;
  /** Only these are restored, of constraints that live; their other values stay. Absent: all. */
  fields?: readonly ('rest' | 'compliance' | 'damping' | 'stiffness')[];
}

/** Values to restore in a collider. */
export interface RestoreCollider {
  /** Parts of it to restore; absent: the collider itself comes back. */
  parts?: readonly ('name' | 'pose' | 'size' | 'friction' | 'surface' | 'friction_kinetic' | 'restitution' | 'position' | 'rotation' | 'radius' | 'length' | 'half_extents' | 'points' | 'heights' | 'surface_velocity' | 'surface_spin' | 'surface_name')[];
  /** As in a document, with its id. */
  collider?: DocumentCollider;
}

/** Values to restore in a collider. What is left out takes its default, or stays. */
export interface RestoreColliderInput {
  /** Parts of it to restore; absent: the collider itself comes back. */
  parts?: readonly ('name' | 'pose' | 'size' | 'friction' | 'surface' | 'friction_kinetic' | 'restitution' | 'position' | 'rotation' | 'radius' | 'length' | 'half_extents' | 'points' | 'heights' | 'surface_velocity' | 'surface_spin' | 'surface_name')[];
  /** As in a document, with its id. */
  collider?: DocumentColliderInput;
}

/** Next ids; absent ones stay. */
export interface RestoreNext {
  /** Next id of bodies. */
  body?: number;
  /** Next ids of constraints. */
  constraint?: number;
  /** Next id of colliders. */
  collider?: number;
  /** Next id of motions. */
  motion?: number;
}

/** Next ids; absent ones stay. What is left out takes its default, or stays. */
export interface RestoreNextInput {
  /** Next id of bodies. */
  body?: number;
  /** Next ids of constraints. */
  constraint?: number;
  /** Next id of colliders. */
  collider?: number;
  /** Next id of motions. */
  motion?: number;
}

/** Parameters of edit.restore, without the world. */
export interface RestoreStep {
  /** Things to remove. */
  removed?: RestoreRemoved;
  /** Name of the world. */
  name?: string;
  /** Settings of the world. */
  settings?: RestoreSettings;
  /** Bodies that come back, with their ids, by id. */
  bodies?: readonly DocumentBody[];
  /** Values of bodies that stay. */
  parts?: readonly RestoreBody[];
  /** Particles, one entry after the other. */
  particles?: readonly RestoreParticles[];
  /** Constraints that bodies came with; those that are gone come back. */
  own?: readonly RestoreOwn[];
  /** Loose constraints, with their ids; those that are gone come back. */
  constraints?: readonly DocumentConstraints[];
  /** Colliders, by id. */
  colliders?: readonly RestoreCollider[];
  /** Motions, with their ids; those that are gone come back. */
  motions?: readonly DocumentMotion[];
  /** Next ids. One that is lower than what is next now does not count: no id is given twice. */
  next?: RestoreNext;
  /** Next ids if there was no edit in between; if one differs, ids were given since, and it stays. */
  expected_next?: RestoreNext;
}

/** Parameters of edit.restore, without the world. What is left out takes its default, or stays. */
export interface RestoreStepInput {
  /** Things to remove. */
  removed?: RestoreRemovedInput;
  /** Name of the world. */
  name?: string;
  /** Settings of the world. */
  settings?: RestoreSettingsInput;
  /** Bodies that come back, with their ids, by id. */
  bodies?: readonly DocumentBodyInput[];
  /** Values of bodies that stay. */
  parts?: readonly RestoreBodyInput[];
  /** Particles, one entry after the other. */
  particles?: readonly RestoreParticlesInput[];
  /** Constraints that bodies came with; those that are gone come back. */
  own?: readonly RestoreOwnInput[];
  /** Loose constraints, with their ids; those that are gone come back. */
  constraints?: readonly DocumentConstraintsInput[];
  /** Colliders, by id. */
  colliders?: readonly RestoreColliderInput[];
  /** Motions, with their ids; those that are gone come back. */
  motions?: readonly DocumentMotionInput[];
  /** Next ids. One that is lower than what is next now does not count: no id is given twice. */
  next?: RestoreNextInput;
  /** Next ids if there was no edit in between; if one differs, ids were given since, and it stays. */
  expected_next?: RestoreNextInput;
}

/** A field that somebody changed after the edit that is undone or redone, and whose value is overwritten with force. */
export interface UndoOverwritten {
  /** The field and its thing for people: wind.drag of the world. */
  what?: string;
  /** Kind of the thing: world, body, collider, constraint, motion or force. */
  thing?: string;
  /** Its id; 0 for the world. */
  id?: number;
  /** The fields: wind.drag. Empty: all of the thing. */
  field?: string;
  /** Revision of the edit that changed it last. */
  revision?: number;
  /** Method of that edit. */
  method?: string;
  /** Who made that edit; empty: somebody without a name. */
  user?: string;
}

/** A field that somebody changed after the edit that is undone or redone, and whose value is overwritten with force. What is left out takes its default, or stays. */
export interface UndoOverwrittenInput {
  /** The field and its thing for people: wind.drag of the world. */
  what?: string;
  /** Kind of the thing: world, body, collider, constraint, motion or force. */
  thing?: string;
  /** Its id; 0 for the world. */
  id?: number;
  /** The fields: wind.drag. Empty: all of the thing. */
  field?: string;
  /** Revision of the edit that changed it last. */
  revision?: number;
  /** Method of that edit. */
  method?: string;
  /** Who made that edit; empty: somebody without a name. */
  user?: string;
}

/** A thing that could not come back, because what it needs is gone. */
export interface UndoLeftOut {
  /** Its kind: body, constraint, collider or motion. */
  thing?: string;
  /** Its id. */
  id?: number;
  /** The thing that it needs. */
  why?: string;
}

/** A thing that could not come back, because what it needs is gone. What is left out takes its default, or stays. */
export interface UndoLeftOutInput {
  /** Its kind: body, constraint, collider or motion. */
  thing?: string;
  /** Its id. */
  id?: number;
  /** The thing that it needs. */
  why?: string;
}

/** The edit that was undone or redone. */
export interface UndoEdit {
  /** Revision of the world after it. */
  revision?: number;
  /** Method. */
  method?: string;
  /** Name of the person who made it. */
  user?: string;
}

/** The edit that was undone or redone. What is left out takes its default, or stays. */
export interface UndoEditInput {
  /** Revision of the world after it. */
  revision?: number;
  /** Method. */
  method?: string;
  /** Name of the person who made it. */
  user?: string;
}

/** The outcome of an undo or redo as data, so that a record needs nothing else. */
export interface UndoBack {
  /** Which edit. */
  edit?: UndoEdit;
  /** Parts to restore, one after another. */
  steps?: readonly RestoreStep[];
  /** Parts that could not be restored, with force. */
  left_out?: readonly UndoLeftOut[];
  /** Later changes that it overwrites, with force; the last of each field. */
  overwritten?: readonly UndoOverwritten[];
}

/** The outcome of an undo or redo as data, so that a record needs nothing else. What is left out takes its default, or stays. */
export interface UndoBackInput {
  /** Which edit. */
  edit?: UndoEditInput;
  /** Parts to restore, one after another. */
  steps?: readonly RestoreStepInput[];
  /** Parts that could not be restored, with force. */
  left_out?: readonly UndoLeftOutInput[];
  /** Later changes that it overwrites, with force; the last of each field. */
  overwritten?: readonly UndoOverwrittenInput[];
}

/** Describes the server and everything that it offers: this list. */
export interface ServerInfoParams {
}

/** Result of server.info. */
export interface ServerInfoResult {
  /** weft */
  name: string;
  /** Version of the program. */
  version: string;
  /** Grows with every addition. */
  api_level: number;
  /** Oldest level that clients may assume. */
  api_compatible: number;
  /** List of {name, since, class, role, doc, params, result}. */
  methods: unknown;
  /** List of {name, since, doc, params}. */
  notifications: unknown;
  /** List of {code, kind, doc}. */
  errors: unknown;
  /** List of {name, doc, fields}: the maps that fields of type map or list hold. */
  types: unknown;
  /** Map of limit names to numbers. */
  limits: unknown;
  /** How it keeps its worlds. */
  storage: Storage;
}

/** Answers at once. */
export interface ServerPingParams {
}

/** Result of server.ping. */
export interface ServerPingResult {
  /** Monotonic time of the server. [us] */
  time_us: number;
}

/** Counts of the server since it started. */
export interface ServerStatsParams {
}

/** Result of server.stats. */
export interface ServerStatsResult {
  /** Since start. [s] */
  uptime: number;
  /** Simulation threads. */
  threads: number;
  /** Open connections. */
  sessions: number;
  /** Connections accepted. */
  sessions_total: number;
  /** Connections cut for what they sent or did not read. */
  sessions_cut: number;
  /** Worlds. */
  worlds: number;
  /** Open streams. */
  streams: number;
  /** Requests received. */
  requests: number;
  /** Notifications of unknown methods, and responses nobody awaited. */
  notifications_ignored: number;
  /** Received. [B] */
  bytes_in: number;
  /** Sent. [B] */
  bytes_out: number;
  /** Frames handed to the kernel, one for each stream. */
  frames_sent: number;
  /** Frames left out because a client was slow or the frame budget was used up. */
  frames_dropped: number;
  /** Ticks of all worlds. */
  ticks: number;
  /** Ticks that began more than one tick after their time. */
  ticks_late: number;
  /** Greatest lateness of a tick. [us] */
  lateness_max_us: number;
}

/** Lists the servers of this deployment. Empty if a server keeps its worlds alone. */
export interface ServerListParams {
}

/** Result of server.list. */
export interface ServerListResult {
  /** By name. */
  servers: readonly ServerSummary[];
}

/** Introduces the caller and chooses encodings. Optional; may be repeated. The choices hold for the requests that follow. */
export interface SessionHelloParams {
  /** Name of the program. */
  client?: string;
  /** Name of the person, shown to others. If the server asks for tokens, the token's name is shown. */
  user?: string;
  /** Who one is, to a server that asks for it (weftd --tokens); others do not look at it. A wrong one is answered after a while, and the connection ends. */
  token?: string;
  /** How bulk arrays are sent: typed ext, little-endian bin, or plain arrays of numbers. */
  arrays?: 'ext' | 'bin' | 'plain';
  /** array: [kind, "CODE: text"]; map: {kind, code, text, field, value, revision, user, limit}, and of MOVED {server, address, web} besides, of an undo in conflict {changes}. */
  errors?: 'array' | 'map';
  /** Whether this client goes to the server of a world: requests about a world that another server of the deployment runs are answered with MOVED. */
  follow?: boolean;
  /** Key of a session whose connection was lost, from the answer to its session.hello: this connection goes on with it. It must be the first request. The session stays as it was introduced; the other fields hold if it is not kept any more. */
  resume?: string;
  /** With resume: ids of the requests that were sent and not answered, in the order in which they were sent, at most limit kept_answers. Ids of a session ascend. */
  unanswered?: Numbers;
  /** With resume: map of the ids of worlds that were joined to the revision of the last world.edited, or of world.join, that came of each. */
  revisions?: unknown;
  /** From a server that passes on a session's requests about a world that runs here: the number of servers on the way. Such a session is not kept when its connection is lost. */
  hops?: number;
  /** With hops: the connection of that session is lost, so others see it as away, until this is said again. */
  away?: boolean;
}

/** Result of session.hello. */
export interface SessionHelloResult {
  /** Id of this session. */
  session: number;
  /** weft */
  name: string;
  /** Version of the program. */
  version: string;
  /** As in server.info. */
  api_level: number;
  /** As in server.info. */
  api_compatible: number;
  /** The name that others see. */
  user: string;
  /** Role in this server: viewer: be in the worlds in which one has a role; editor: make worlds too; admin: everything. Admin if the server asks for no tokens. */
  role: 'viewer' | 'editor' | 'admin';
  /** Whether this server asks for tokens. */
  tokens: boolean;
  /** As chosen. */
  arrays: 'ext' | 'bin' | 'plain';
  /** As chosen. */
  errors: 'array' | 'map';
  /** Key with which another connection can go on with this session; a secret. Empty: sessions are not kept. */
  resume: string;
  /** How long this session is kept without a connection. [s] */
  grace: number;
  /** Whether this is the session that was asked for. After this answer come the answers that were missed, and what worlds told meanwhile. */
  resumed: boolean;
  /** Ids from unanswered whose request did not arrive, or whose answer to a query is not kept: send them again, in this order. All others are answered, once. */
  lost: Uint32Array;
  /** Worlds of which more was missed than is kept, or that are gone: join them again. */
  rejoin: Uint32Array;
  /** With follow, in a deployment: its servers, as server.list tells them. If this one ends, another goes on with its worlds. */
  servers?: readonly ServerSummary[];
}

/** Ends this session at once, with its grabs, streams and requests, and then its connection. A session whose connection is only lost is kept for a while. */
export interface SessionLeaveParams {
}

/** Result of session.leave. */
export interface SessionLeaveResult {
}

/** Sets what others who joined this world see of the caller (world.presence). Absent fields stay as they are. It is never kept, and is no part of the world. */
export interface PresenceSetParams {
  /** Id or name; joined by this session. */
  world: Ref;
  /** Name to show; empty: the user's. If the server asks for tokens, it may not look like somebody else's name. */
  name?: string;
  /** #rrggbb. */
  color?: string;
  /** The caller's camera; {}: hidden. */
  camera?: PresenceCameraInput;
  /** What the caller points at; {}: nothing. */
  cursor?: PresenceCursorInput;
  /** What the caller has selected; empty: nothing. */
  selection?: readonly PresenceThingInput[];
}

/** Result of presence.set. */
export interface PresenceSetResult {
}

/** Sends a line to all who joined this world, the caller included (world.said). It is never kept, and is no part of the world. */
export interface PresenceSayParams {
  /** Id or name; joined by this session. */
  world: Ref;
  /** 1 to 2000 bytes (limit said_bytes), without control characters. */
  text: string;
}

/** Result of presence.say. */
export interface PresenceSayResult {
  /** As in world.said. */
  line: number;
}

/** Makes a world, paused. */
export interface WorldCreateParams {
  /** Unique; default world-ID. */
  name?: string;
  /** Acceleration of every moving particle. [m/s^2] */
  gravity?: Numbers;
  /** Ticks in a second of the world; fixed for its life. [1/s] */
  tick_rate?: number;
  /** Substeps a tick; h = 1/(tick_rate substeps). (Small Steps, Macklin et al. 2019.) */
  substeps?: number;
  /** Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not. */
  iterations?: number;
  /** Global damping c: v is multiplied by 1/(1 + c h) each substep. [1/s] */
  damping?: number;
  /** Wind on all triangles; absent: none. Fields absent from it take their defaults. */
  wind?: WindInput;
  /** Quantum of position, a power of two; fixed for the world's life. Differences are exact to 2^31 quanta (16 m at the default). Ranges in metres that are times the scale grow in proportion with a coarser one than the default. [m] */
  resolution?: number;
  /** A world in which a particle passes this coordinate pauses itself as failed. [m] */
  extent?: number;
  /** guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells. */
  contact_quality?: 'guaranteed' | 'fast';
  /** Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart. */
  untangle?: boolean;
  /** Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long. */
  long_edges?: boolean;
  /** How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it. */
  bending?: 'swept' | 'solved';
  /** How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to 600 times as long. */
  loads?: 'swept' | 'solved';
  /** Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then. */
  sleep?: boolean;
  /** Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. */
  calm?: boolean;
  /** Fields of force that it begins with; absent: none. */
  forces?: ForceFieldsInput;
  /** Friction and restitution by pairs of surfaces, whose names bodies and colliders have as surface. Each row has at least one value, and no two rows have the same two names. Absent: none. */
  surfaces?: readonly SurfacePairInput[];
}

/** Result of world.create. */
export interface WorldCreateResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** 0 */
  revision: number;
  /** 0 */
  tick: number;
}

/** Lists all worlds that the caller may see, by id. */
export interface WorldListParams {
}

/** Result of world.list. */
export interface WorldListResult {
  /** All of them. */
  worlds: readonly WorldSummary[];
}

/** Tells settings and counts of a world. */
export interface WorldGetParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.get. */
export interface WorldGetResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** Its present state. */
  state: 'paused' | 'playing' | 'failed';
  /** Why it failed; empty otherwise. */
  reason: string;
  /** Multiple of real time. */
  rate: number;
  /** Completed ticks. */
  tick: number;
  /** tick / tick_rate. [s] */
  time: number;
  /** Edits so far. */
  revision: number;
  /** As in world.create, like the next eight. [m/s^2] */
  gravity: Vec3;
  /** Ticks a second. [1/s] */
  tick_rate: number;
  /** Substeps a tick. */
  substeps: number;
  /** Sweeps a substep. */
  iterations: number;
  /** Global damping. [1/s] */
  damping: number;
  /** Wind; density 0 if there is none. */
  wind: Wind;
  /** Quantum of position. [m] */
  resolution: number;
  /** Greatest coordinate. [m] */
  extent: number;
  /** What contact promises. */
  contact_quality: 'guaranteed' | 'fast';
  /** Whether what crosses is pushed apart. */
  untangle: boolean;
  /** Whether cloths and ropes are held to their length across many edges at once. */
  long_edges: boolean;
  /** How the bending of cloths is solved. */
  bending: 'swept' | 'solved';
  /** How cloths and ropes bear loads that only touch them. */
  loads: 'swept' | 'solved';
  /** Whether bodies that rest are left as they are. */
  sleep: boolean;
  /** Whether edges of bodies that go slowly are swept there and back. */
  calm: boolean;
  /** Bodies. */
  bodies: number;
  /** Particles. */
  particles: number;
  /** Constraints of all kinds. */
  constraints: number;
  /** Colliders. */
  colliders: number;
  /** Grabs. */
  grabs: number;
  /** Sessions that joined. */
  people: number;
  /** Open streams. */
  streams: number;
  /** Ticks that began more than one tick after their time. */
  ticks_late: number;
  /** Lateness of the last tick. [us] */
  lateness_us: number;
  /** Greatest lateness of a tick. [us] */
  lateness_max_us: number;
  /** Real time given up when the world could not keep pace. [us] */
  time_lost_us: number;
  /** Wall time of the last tick. [us] */
  tick_us: number;
  /** Frames left out because the frame budget was used up. */
  frames_dropped: number;
  /** Why it takes no edits now; empty: it does. */
  read_only: string;
  /** World whose past it shows; 0: it is no view. */
  view_of: number;
  /** Its ticks take longer than they may (limit tick_ms): it has half a thread at most. */
  slowed: boolean;
  /** Lossless streams may hold it (world.hold). */
  hold: boolean;
  /** Session whose lossless stream has held it for a second or longer; 0: none. */
  held_by: number;
  /** Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it. */
  epoch: number;
  /** All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again. */
  exact: boolean;
  /** With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told. */
  exact_tick?: number;
  /** With exact false: version of the other solver. */
  exact_solver?: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Changes settings; absent fields stay as they are. */
export interface WorldSetParams {
  /** Id or name. */
  world: Ref;
  /** New unique name. */
  name?: string;
  /** As in world.create. [m/s^2] */
  gravity?: Numbers;
  /** As in world.create. */
  substeps?: number;
  /** As in world.create. */
  iterations?: number;
  /** As in world.create. [1/s] */
  damping?: number;
  /** Wind on all triangles. */
  wind?: WindInput;
  /** As in world.create. [m] */
  extent?: number;
  /** As in world.create. */
  contact_quality?: 'guaranteed' | 'fast';
  /** As in world.create. */
  untangle?: boolean;
  /** As in world.create. */
  long_edges?: boolean;
  /** As in world.create. */
  bending?: 'swept' | 'solved';
  /** As in world.create. */
  loads?: 'swept' | 'solved';
  /** As in world.create. */
  sleep?: boolean;
  /** As in world.create. */
  calm?: boolean;
  /** As in world.create: all rows, in place of those that there are; empty: none. */
  surfaces?: readonly SurfacePairInput[];
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of world.set. */
export interface WorldSetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Deletes a world: streams close, later requests answer NOT_FOUND. */
export interface WorldDeleteParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.delete. */
export interface WorldDeleteResult {
  /** The last one. */
  tick: number;
}

/** Makes another server of the deployment run the world from here on. The world plays on while that server fetches it, and stands still for a moment during the change. world.changed tells those who joined. A world that no server could run (trouble in world.list) is tried again by that server. While servers of several versions run, a world goes only to those of its own version, unless there are none or this one is about to end. CONFLICT: the world stays here, or still cannot be run, and the text says why. */
export interface WorldMoveParams {
  /** Id or name. */
  world: Ref;
  /** Name of the other server (server.list). */
  server: string;
}

/** Result of world.move. */
export interface WorldMoveResult {
  /** Name of the server that has it now. */
  server: string;
  /** Where that takes connections: HOST:PORT, or tls://HOST:PORT. */
  address: string;
  /** Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. */
  web: string;
}

/** Gives the present document, and from then on world.edited and world.changed without a gap. */
export interface WorldJoinParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.join. */
export interface WorldJoinResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** Its present state. */
  state: 'paused' | 'playing' | 'failed';
  /** Multiple of real time. */
  rate: number;
  /** Completed ticks. */
  tick: number;
  /** world.edited continues from here. */
  revision: number;
  /** As in world.create, like the next eight. [m/s^2] */
  gravity: Vec3;
  /** Ticks a second. [1/s] */
  tick_rate: number;
  /** Substeps a tick. */
  substeps: number;
  /** Sweeps a substep. */
  iterations: number;
  /** Global damping. [1/s] */
  damping: number;
  /** Wind; density 0 if there is none. */
  wind: Wind;
  /** Quantum of position. [m] */
  resolution: number;
  /** Greatest coordinate. [m] */
  extent: number;
  /** What contact promises. */
  contact_quality: 'guaranteed' | 'fast';
  /** Whether what crosses is pushed apart. */
  untangle: boolean;
  /** Whether cloths and ropes are held to their length across many edges at once. */
  long_edges: boolean;
  /** How the bending of cloths is solved. */
  bending: 'swept' | 'solved';
  /** How cloths and ropes bear loads that only touch them. */
  loads: 'swept' | 'solved';
  /** Whether bodies that rest are left as they are. */
  sleep: boolean;
  /** Whether edges of bodies that go slowly are swept there and back. */
  calm: boolean;
  /** Sessions that joined, this one included. */
  people: readonly Person[];
  /** By id. */
  bodies: readonly BodySummary[];
  /** By id. */
  colliders: readonly ColliderSummary[];
  /** By id. */
  grabs: readonly GrabSummary[];
  /** Fields of force, by id. */
  forces: readonly ForceField[];
  /** Friction and restitution by pairs of surfaces: all rows, in the order in which they were given. */
  surfaces: readonly SurfacePair[];
  /** Why it takes no edits now; empty: it does. */
  read_only: string;
  /** World whose past it shows; 0: it is no view. */
  view_of: number;
  /** Its ticks take longer than they may (limit tick_ms): it has half a thread at most. */
  slowed: boolean;
  /** Lossless streams may hold it (world.hold). */
  hold: boolean;
  /** Session whose lossless stream has held it for a second or longer; 0: none. */
  held_by: number;
  /** Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it. */
  epoch: number;
  /** All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again. */
  exact: boolean;
  /** With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told. */
  exact_tick?: number;
  /** With exact false: version of the other solver. */
  exact_solver?: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Ends what world.join began. Streams and grabs stay; a view (world.seek) ends. */
export interface WorldLeaveParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.leave. */
export interface WorldLeaveResult {
  /** The last that was sent. */
  revision: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Lets the world run, or changes its rate. A failed world answers CONFLICT until edit.undo or world.reset mends it. */
export interface WorldPlayParams {
  /** Id or name. */
  world: Ref;
  /** Multiple of real time, at least 1e-6; 0 is as fast as possible. */
  rate?: number;
}

/** Result of world.play. */
export interface WorldPlayResult {
  /** Completed ticks. */
  tick: number;
}

/** Stops the world at the next tick boundary, and cuts a world.step short. */
export interface WorldPauseParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.pause. */
export interface WorldPauseResult {
  /** Completed ticks. */
  tick: number;
}

/** Sets whether lossless streams may hold the world: if their backlog is full, its next tick waits for them, playing or stepping, while edits, queries and world.pause go on. Off in every new world, and after the server starts again. When it is turned off, a stream whose backlog is full ends. */
export interface WorldHoldParams {
  /** Id or name. */
  world: Ref;
  /** Whether they may. */
  allow?: boolean;
}

/** Result of world.hold. */
export interface WorldHoldResult {
  /** Completed ticks. */
  tick: number;
}

/** Runs a paused world for so many ticks and answers after the last. Later requests of the same session wait for it, except world.pause; edits of others apply at tick boundaries. */
export interface WorldStepParams {
  /** Id or name. */
  world: Ref;
  /** How many. */
  ticks?: number;
}

/** Result of world.step. */
export interface WorldStepResult {
  /** Completed ticks. */
  tick: number;
}

/** Sets positions and velocities as in body.add; grabs end, everything else stays, tick and time go on. It pauses a failed world. */
export interface WorldResetParams {
  /** Id or name. */
  world: Ref;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of world.reset. */
export interface WorldResetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Tells the hash of the state at a tick boundary, for comparing runs. */
export interface WorldHashParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.hash. */
export interface WorldHashResult {
  /** Boundary. */
  tick: number;
  /** Revision. */
  revision: number;
  /** 16 hexadecimal digits. */
  hash: string;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Tells energies, strain, contacts and tick time. */
export interface WorldMeasureParams {
  /** Id or name. */
  world: Ref;
  /** Count what has crossed, and what colliders have pierced, exactly. The world stands still meanwhile, some microseconds for each triangle; refused above limit crossing_triangles, and bounded by limit query_work_person while the world runs. */
  crossings?: boolean;
}

/** Result of world.measure. */
export interface WorldMeasureResult {
  /** Boundary. */
  tick: number;
  /** Revision. */
  revision: number;
  /** The figures. */
  measures: Measures;
  /** Contact between bodies. */
  contact: Contact;
  /** If asked for: edges that pass or touch a triangle of a body that theirs meets, or of their own body if that meets itself. */
  crossings?: number;
  /** If crossings are asked for: what reaches into the core of a collider now, as contact.pierced counts it. */
  pierced?: number;
  /** As in constraint.list, if crossings were asked for. [ms] */
  wait_ms?: number;
  /** How well the solver converged, by body. */
  convergence: readonly Convergence[];
  /** Volume and pressure inside each body with pressure, by body. */
  pressures: readonly PressureMeasure[];
  /** How each body with shape matching lies, by body. */
  shapes: readonly ShapeMeasure[];
  /** STRETCHED and STIFF, as of the last look (world.warned). */
  warnings: readonly Warning[];
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Gives the whole world as a document, from which world.open makes it again, to the bit. Grabs belong to people and are left out; a failed world answers CONFLICT. A large world goes on while its document is made: the document is of the boundary that the answer names, and edits and another world.save wait until it is made. */
export interface WorldSaveParams {
  /** Id or name. */
  world: Ref;
}

/** Result of world.save. */
export interface WorldSaveResult {
  /** Id. */
  world: number;
  /** Name, which is no part of the document. */
  name: string;
  /** Revision shown. */
  revision: number;
  /** Boundary shown. */
  tick: number;
  /** Its world.hash if nobody holds a particle, and that of a world that is opened from the document. */
  hash: string;
  /** Sequence of the last record before it (world.records). */
  sequence: number;
  /** The world. */
  document: Document;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Gives the records of the world, one after another: the inputs that changed its future (docs/reference/records.md). With the document of world.save they give the world at any tick after it. Their sequences have no gaps, so the next page begins after the last of this one, until that is sequence. The last ones, record_bytes of them, come from memory; older ones, and those from before the server started, come from the world's past, as of a moment ago and fewer at a time if they are large. If the records are kept no more, it answers NOT_FOUND. */
export interface WorldRecordsParams {
  /** Id or name. */
  world: Ref;
  /** Those with a greater sequence; 0: from the first. */
  after: number;
  /** So many at most. */
  limit?: number;
}

/** Result of world.records. */
export interface WorldRecordsResult {
  /** Boundary shown. */
  tick: number;
  /** Revision shown. */
  revision: number;
  /** Sequence of the last record; 0: none was made. */
  sequence: number;
  /** A list of bins, each the canonical bytes of a record, whole however large it is. */
  records: unknown;
  /** Sequence of the oldest record that is kept. Given with records that were read from what is kept; world.history always tells it. */
  first?: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Tells what is kept of a world's past, as of a moment ago. */
export interface WorldHistoryParams {
  /** Id or name. For a view: the world whose past it shows. */
  world: Ref;
}

/** Result of world.history. */
export interface WorldHistoryResult {
  /** Id. */
  world: number;
  /** Earliest that can be shown. */
  first_tick: number;
  /** Latest. */
  tick: number;
  /** At the latest. */
  revision: number;
  /** Edits and inputs that there were, those that are not kept any more included. */
  records: number;
  /** Whole states that are kept; whatever lies between is found by running on from one. */
  images: number;
  /** That it takes, about. [B] */
  bytes: number;
  /** By solver, in order, without gaps. */
  spans: readonly HistorySpan[];
  /** Ticks of the images, ascending; at most image_ticks. */
  image_ticks: Float64Array;
  /** When the world was made, by the server's clock, since 1970. [s] */
  began_at: number;
  /** Sequence of the oldest record that world.records can tell; 0: none. */
  first_sequence: number;
}

/** Shows a tick of the past to the calling session, in a world of its own, the view: queries and streams take its id as `world`, and edits are refused with READ_ONLY. A session has one view of a world. Another call moves the view: its streams go on and get a frame, and world.changed tells those who joined it. If another call comes before the answer, the older one is answered with CONFLICT, unless it was about to end. A view ends with its session, its world, world.leave or world.delete. Views are not in world.list and have no name of their own. */
export interface WorldSeekParams {
  /** Id or name; for a view the world whose past it shows. */
  world: Ref;
  /** Completed ticks, first_tick to tick of world.history. What applied at that boundary is seen. */
  tick: number;
}

/** Result of world.seek. */
export interface WorldSeekResult {
  /** Id of the world that shows it. */
  view: number;
  /** That is shown. */
  tick: number;
  /** Revision of the world then. */
  revision: number;
  /** false: the tick lies where another solver ran, and the nearest image before it is shown. */
  exact: boolean;
  /** As of world.hash. */
  hash: string;
}

/** Makes a paused world from a tick of another's past: as it was, or as it would have been without some edits or with others. Everything in between is done again at its tick; edits that do not apply any more are left out and listed. Nobody holds anything in it. The original world does not notice. */
export interface WorldBranchParams {
  /** Id or name; for a view the world whose past it shows. */
  world: Ref;
  /** Completed ticks; default the world's next boundary, or with changes the latest that is kept. */
  tick?: number;
  /** Unique; default world-ID. */
  name?: string;
  /** Revisions of edits that are not to have been; all lie in the past that is kept. */
  without?: Numbers;
  /** Edits that are to have been others. No revision stands twice here or in without. */
  instead?: readonly BranchChangeInput[];
}

/** Result of world.branch. */
export interface WorldBranchResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** Completed ticks. */
  tick: number;
  /** Its own: edits count on from here. */
  revision: number;
  /** Edits that do not apply any more, in order; 1,024 at most. */
  refused: readonly BranchRefusal[];
}

/** Lists deleted worlds that world.restore can bring back, as of a moment ago. */
export interface WorldBinParams {
}

/** Result of world.bin. */
export interface WorldBinResult {
  /** By id. */
  worlds: readonly BinWorld[];
}

/** Brings back a deleted world, paused, at the tick at which it was deleted, with its id and its past. A new name is an edit, as of world.set. */
export interface WorldRestoreParams {
  /** Id that it had: world.bin tells it. */
  world: number;
  /** Unique; default the one it had, or world-ID if that is taken. */
  name?: string;
}

/** Result of world.restore. */
export interface WorldRestoreResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** Completed ticks. */
  tick: number;
}

/** Makes many edits as one: at one tick, under one revision, told as one world.edited, kept as one record. Each finds the world as those before it left it, and may name what they added. If one is refused, all are, nothing has changed, and the error says which: edits[3]. */
export interface EditBatchParams {
  /** Id or name. */
  world: Ref;
  /** One after another: any methods of class edit except this one, edit.undo and edit.redo, without world. None renames the world. Each may have an if_thing_revision, which speaks of the time before the batch; if_revision, if_epoch, edit_id and gesture are the batch's own. */
  edits: readonly Call[];
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of edit.batch. */
export interface EditBatchResult {
  /** After all of them; the same in each result. */
  revision: number;
  /** Boundary at which they applied. */
  tick: number;
  /** The answer of each, in order. */
  results: readonly unknown[];
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Lists the edits of a world's past in order, page by page, as of a moment ago: the person, the method and the tick. */
export interface EditLogParams {
  /** Id or name; for a view the world whose past it shows. */
  world: Ref;
  /** Those with a greater sequence; 0: from the first that is kept. */
  since?: number;
  /** So many at most; fewer if they are large. */
  limit?: number;
  /** Grabs too. */
  inputs?: boolean;
}

/** Result of edit.log. */
export interface EditLogResult {
  /** By sequence. */
  edits: readonly LogEntry[];
  /** Sequence of the last record; 0: none was made. */
  sequence: number;
  /** since of the next page; 0: there is no more. */
  next: number;
}

/** Makes a paused world from a document: one from world.save, or one that somebody wrote. A refused document leaves nothing. */
export interface WorldOpenParams {
  /** Unique; default world-ID. */
  name?: string;
  /** The world; required without upload. */
  document?: DocumentInput;
  /** Open what this session has uploaded (world.upload), instead of a document. The upload is gone afterwards, even if it is refused. */
  upload?: boolean;
}

/** Result of world.open. */
export interface WorldOpenResult {
  /** Id. */
  world: number;
  /** Name. */
  name: string;
  /** 0 */
  revision: number;
  /** The document's. */
  tick: number;
  /** Warnings about its colliders and bodies: COARSE, as in collider.add. */
  warnings?: readonly Warning[];
}

/** Sends one piece of a document that is larger than a message, as bytes of its MessagePack. A session has one upload at a time; world.open {upload: true} opens it. */
export interface WorldUploadParams {
  /** Offset of the piece; 0 begins from the start. Pieces follow each other without gaps. [B] */
  offset?: number;
  /** The bytes of the piece: bin, or a typed array of u8. */
  data: unknown;
}

/** Result of world.upload. */
export interface WorldUploadResult {
  /** That have come so far. [B] */
  bytes: number;
}

/** Adds a cloth (triangles), a rope (edges), loose points, or a soft body (tetrahedra). Each unique edge becomes a distance constraint, each inner edge of a cloth with a bend material a bending constraint, each tetrahedron a volume constraint; with solid each tetrahedron becomes one constraint, and edges none. The positions given are the rest shape. */
export interface BodyAddParams {
  /** Id or name. */
  world: Ref;
  /** Unique in the world if given. */
  name?: string;
  /** Its kind. */
  kind: 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
  /** x, y, z of each particle, f32 or f64: the rest shape and the start. [m] */
  positions: Numbers;
  /** x, y, z of each particle; default at rest. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it. [m/s] */
  velocities?: Numbers;
  /** Three particle indices each (cloth). */
  triangles?: Numbers;
  /** Two particle indices each (rope). */
  edges?: Numbers;
  /** Four particle indices each (soft); positive if (p1-p0)x(p2-p0).(p3-p0) > 0. */
  tets?: Numbers;
  /** Cloth: kg/m^2, a third of each triangle's mass to its corners, default 0.2. Rope: kg/m, half of each edge's mass to its ends, default 0.1. Points: kg each, default 0.01. Soft: kg/m^3, a quarter of each tetrahedron's mass to its corners, default 1000. */
  density?: number;
  /** Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] */
  masses?: Numbers | number;
  /** A fabric of the table of materials (cloth): it fills in density, stretch and bend where they are absent. Members of stretch and bend that are absent are filled in as well, unless the map says itself how stiff something is. A record has the values. */
  material?: 'denim-stretch' | 'trousers' | 'tablecloth' | 'jacket' | 'blanket' | 'swimsuit';
  /** Material of the edges. */
  stretch?: StretchMaterialInput;
  /** Resistance to bending (cloth); absent: none. */
  bend?: BendMaterialInput;
  /** Material of the tetrahedra (soft). */
  volume?: MaterialInput;
  /** Makes a soft body a solid of this material. It has no edges and volumes as constraints, so stretch and volume must be absent. Absent: edges and volumes. */
  solid?: SolidMaterialInput;
  /** Makes a rope a rod, which bends and twists. A rod is one or several chains or rings, whose edges run on from each other. It has no edges as constraints, so stretch must be absent. Absent: edges alone. */
  rod?: RodInput;
  /** Vertices no farther apart than this become one particle; absent: none do. particles and welded in the result tell what became of them. [m] */
  weld?: number;
  /** Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge; absent: 0, or if it meets itself or others what its mesh allows: 0.15 of its mean edge, and no more than 0.35 of the length that 5 % of its edges are shorter than. [m] */
  thickness?: number;
  /** Its own triangles and edges meet each other; absent: they do not. */
  self_contact?: boolean;
  /** Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets nobody. */
  contact_group?: number;
  /** Bits: what it meets; absent: 0, nothing. */
  contact_mask?: number;
  /** Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** Whether it may sleep, in worlds with sleep; absent: it may. */
  sleep?: boolean;
  /** Pressure inside (cloth with a closed surface); absent: none. */
  pressure?: PressureInput;
  /** Gravity of the body in place of the world's; absent: the world's. [m/s^2] */
  gravity?: Numbers;
  /** Coefficients of drag and lift in place of the world's; absent: the world's. */
  wind?: OwnWindInput;
  /** Force on the body as a whole, until body.force changes it; on each particle the part that its mass is of that of the body. Absent: none. [N] */
  force?: Numbers;
  /** Shape matching; absent: none. */
  shape?: ShapeInput;
  /** Thresholds at which a cloth tears, and room for it; absent: it does not. Its particles are those of the mesh and tear.most spares. */
  tear?: TearInput;
  /** Particles held where they are. */
  pins?: Numbers;
  /** Pinned particles of a rod that also hold the orientation of the segment that begins there, or else ends there. */
  clamps?: Numbers;
  /** A surface that goes along with the body, finer than what is solved; absent: none. Streams carry it as the field skin. */
  skin?: SkinInput;
  /** Uvs, edges and materials of its surface, for recordings; absent: none. */
  look?: LookInput;
  /** u, v of the three corners of each triangle (cloth with stretch.model orthotropic): the warp runs in the rest shape the way in which u grows, turned by stretch.angle, and stretch.direction must be absent. Their scale does not matter. Each triangle's must span an area; at most 1000000 either way. They are told in documents, and cannot change. */
  yarn_uvs?: Numbers;
  /** The shape of each piece (rigid). Needed there, and absent of other kinds. A density, 1000 kg/m^3 if neither it nor masses are given, makes all pieces weigh the same. Inertia follows from mass and shape. */
  rigid?: RigidInput;
  /** Orientation of each piece at the start (rigid): quaternions x, y, z, w of any length above 0. Absent: they stand as the world does. */
  rotations?: Numbers;
  /** How each piece turns at the start (rigid), about its centre of mass, in the world; absent: it does not. [rad/s] */
  angular_velocities?: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of body.add. */
export interface BodyAddResult {
  /** Id. */
  body: number;
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** Particle count. */
  particles: number;
  /** Ids by kind. */
  constraints: ConstraintRanges;
  /** Warnings about the mesh. */
  warnings: readonly Warning[];
  /** With weld: the particle that each vertex given became. Indices of the body are these from then on. */
  welded?: Uint32Array;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Gives topology, rest shape and material. */
export interface BodyGetParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Whether to tell the bytes of the look's images too, which are up to 4 MiB. */
  images?: boolean;
}

/** Result of body.get. */
export interface BodyGetResult {
  /** Id. */
  body: number;
  /** Name; empty if it has none. */
  name: string;
  /** Its kind. */
  kind: 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
  /** Revision shown. */
  revision: number;
  /** Boundary shown. */
  tick: number;
  /** Particle count. */
  particles: number;
  /** Rest shape: x, y, z of each particle, rounded to the world's resolution. [m] */
  positions: Float64Array;
  /** As given. */
  triangles: Uint32Array;
  /** As given. */
  edges: Uint32Array;
  /** As given. */
  tets: Uint32Array;
  /** Mass of each particle; 0 for static ones. Pinned ones keep theirs. [kg] */
  masses: Float64Array;
  /** The fabric of the table of materials that has its stretch and bend; absent: none. */
  material?: 'denim-stretch' | 'trousers' | 'tablecloth' | 'jacket' | 'blanket' | 'swimsuit';
  /** Material of the edges. */
  stretch: StretchMaterial;
  /** Resistance to bending. */
  bend: BendMaterial;
  /** Material of the tetrahedra. */
  volume: Material;
  /** What it is made of; absent: edges and volumes. */
  solid?: SolidMaterial;
  /** The section and material of the rope; absent: it has edges alone. */
  rod?: Rod;
  /** Radius that it has for contacts. [m] */
  thickness: number;
  /** Whether its own triangles and edges meet each other. */
  self_contact: boolean;
  /** Bits: what it is. */
  contact_group: number;
  /** Bits: what it meets. */
  contact_mask: number;
  /** Coulomb coefficient mu between bodies. */
  friction: number;
  /** As in body.add; absent: that of friction. */
  friction_kinetic?: number;
  /** As in body.add; absent: 0. */
  restitution?: number;
  /** As in body.add; absent: none. */
  surface?: string;
  /** Whether it may sleep, in worlds with sleep. */
  sleep: boolean;
  /** Pressure inside, with what is left of its time; absent: none. */
  pressure?: Pressure;
  /** Gravity of its own; absent: that of the world. [m/s^2] */
  gravity?: Vec3;
  /** Coefficients of its own; absent: those of the world. */
  wind?: OwnWind;
  /** Force on it as a whole; absent: none. [N] */
  force?: Vec3;
  /** Ticks in which that force still acts; absent: until it is changed. */
  force_ticks?: number;
  /** Particles that a force of their own acts on, ascending; absent: none. */
  forced?: Uint32Array;
  /** x, y, z of the force on each of these. [N] */
  forces?: Float64Array;
  /** Ticks in which each of these forces still acts; 0: until it is changed. */
  forces_ticks?: Uint32Array;
  /** Shape matching; absent: none. */
  shape?: Shape;
  /** Thresholds and spares; absent: it does not tear. */
  tear?: Tear;
  /** The tears; only with tear. triangles have the corners of now, and particles count the spares. */
  torn?: TornEdges;
  /** Pinned particles. */
  pins: Uint32Array;
  /** Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. */
  pin_colliders?: Uint32Array;
  /** Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard. [m/N] */
  pin_compliances?: Float64Array;
  /** Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard. [m] */
  pin_distances?: Float64Array;
  /** Pinned particles of a rod whose pins clamp, ascending. Absent: none does. */
  clamps?: Uint32Array;
  /** Those of clamps that turn with the collider that their pin follows. Absent: none does. */
  clamp_turns?: Uint32Array;
  /** x, y, z of the present target of each pin. Absent: all are hard, and their particles are at their targets. [m] */
  pin_targets?: Float64Array;
  /** x, y, z of the force of each soft pin on its particle in the last substep, of spring and limit together; 0 of hard ones. Absent: all are hard. [N] */
  pin_forces?: Float64Array;
  /** Whether it sleeps: ticks leave it as it is until something wakes it. */
  asleep: boolean;
  /** Ids by kind, as body.add gave them. */
  constraints: ConstraintRanges;
  /** The surface it carries, with particles as they are after welding; absent: none. */
  skin?: Skin;
  /** Its look; absent: none. */
  look?: Look;
  /** By which edit last. */
  touched: Touch;
  /** Only of a solid: how far the tetrahedron that has flowed most has flowed, as the equivalent strain from the shape at which it was made. */
  plastic_strain_max?: number;
  /** The mean of these strains by volume. */
  plastic_strain_mean?: number;
  /** Differs if vertices or elements differ, of the body or of its skin: frames of delta tell it, since a body that comes back by undo may have others under its id. */
  elements_hash: number;
  /** As given; absent: stretch.direction says where the warp runs. */
  yarn_uvs?: Float32Array;
  /** The shape of the pieces of a rigid body; absent of others. */
  rigid?: Rigid;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Changes name, materials, thickness, contact, pressure, and the shape at which constraints rest. A material given here becomes that of all constraints of its kind in the body, also of those set one by one before; fields absent from it stay as the body has them. */
export interface BodySetParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Unique in the world. */
  name?: string;
  /** Material of the edges. Giving compliance ends a stiffness set before, and the other way round. A limit of 0 ends one set before. */
  stretch?: StretchMaterialInput;
  /** Resistance to bending; the model cannot change. A given compliance, stiffness, rigidity, or warp with weft ends the others. */
  bend?: BendMaterialInput;
  /** Material of the tetrahedra. */
  volume?: MaterialInput;
  /** Material of a solid; the model cannot change, and a body added without one cannot become one. */
  solid?: SolidMaterialInput;
  /** As in body.add. [m] */
  thickness?: number;
  /** As in body.add. */
  self_contact?: boolean;
  /** As in body.add. */
  contact_group?: number;
  /** As in body.add. */
  contact_mask?: number;
  /** As in body.add. */
  friction?: number;
  /** As in body.add. */
  friction_kinetic?: number;
  /** As in body.add. */
  restitution?: number;
  /** As in body.add; empty: it has none. */
  surface?: string;
  /** As in body.add. */
  sleep?: boolean;
  /** The body's own constraints rest at the shape that it has now, or at another one. Constraints that constraint.add made keep their rest values. */
  rest_shape?: RestShapeInput;
  /** Pressure inside; fields absent from it stay as the body has them. A new overpressure or ratio without seconds holds at once. */
  pressure?: PressureInput;
  /** Gravity of the body in place of the world's: x, y, z; an empty array: the world's again. [m/s^2] */
  gravity?: Numbers;
  /** Coefficients of drag and lift in place of the world's, both at once: one that is absent from it is the world's again, and so are both with an empty map. */
  wind?: OwnWindInput;
  /** Shape matching; fields absent from it stay as the body has them. */
  shape?: ShapeInput;
  /** Thresholds of a body that was made with tear.most, which must be absent here. Fields absent from it stay as the body has them, and 0 ends a threshold. */
  tear?: TearInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of body.set. */
export interface BodySetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Lets a force act on a body, or on some of its particles, until it is changed or its time is over. A force takes the place of the one that acted there; 0 ends that one. Forces on particles act beside that on their body. Static particles and those with a hard pin do not move by them. */
export interface BodyForceParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Indices in the body, each once: the force acts on each of them. Absent: on the body as a whole, on each particle the part that its mass is of that of the body, so that it goes as force over mass says. */
  particles?: Numbers;
  /** x, y, z. Either this or forces. [N] */
  force?: Numbers;
  /** x, y, z for each particle, instead of force. [N] */
  forces?: Numbers;
  /** Time in which it acts, to the nearest tick and at least one; absent: until it is changed. [s] */
  seconds?: number;
  /** Tick at which it ends, instead of seconds: the last tick in which it acts leads there. One that has passed counts as the next. */
  at_tick?: number;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of body.force. */
export interface BodyForceResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Removes a body with its constraints, pins and grabs, and loose constraints that touch it. */
export interface BodyRemoveParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of body.remove. */
export interface BodyRemoveResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** Loose constraints that went with it. */
  constraints: Uint32Array;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Gives present positions and velocities, once. */
export interface BodyStateParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Which of them. */
  fields?: readonly ('positions' | 'positions64' | 'velocities' | 'normals' | 'inverse_masses' | 'skin' | 'rotations' | 'rotations64' | 'angular_velocities')[];
}

/** Result of body.state. */
export interface BodyStateResult {
  /** Id. */
  body: number;
  /** Boundary shown. */
  tick: number;
  /** Revision shown. */
  revision: number;
  /** x, y, z of each particle. [m] */
  positions?: Float32Array;
  /** The same, exact. [m] */
  positions64?: Float64Array;
  /** x, y, z of each particle. [m/s] */
  velocities?: Float32Array;
  /** Unit normals of the particles, zero if there are no triangles. */
  normals?: Float32Array;
  /** 0 for static and pinned ones. [1/kg] */
  inverse_masses?: Float32Array;
  /** x, y, z of each vertex of the skin; empty where there is none. [m] */
  skin?: Float32Array;
  /** Orientation of each particle, a unit quaternion x, y, z, w of which the first of w, x, y, z that is not 0 is positive; four zeros for a particle that has none. Empty if the body has none. */
  rotations?: Float32Array;
  /** The same, exact: whole multiples of 2^-30. */
  rotations64?: Float64Array;
  /** How each orientation turns, in the world; zeros for a particle that has none. Empty if the body has none. [rad/s] */
  angular_velocities?: Float32Array;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Adds constraints between any particles of any bodies, all or none. */
export interface ConstraintAddParams {
  /** Id or name. */
  world: Ref;
  /** Kind of all of them. */
  type?: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Body of all particles. */
  body?: Ref;
  /** Body id of each particle, instead of body. */
  bodies?: Numbers;
  /** Flat: two indices for each distance, rod_stretch and rod_bend, for each join those of its first side and then of its second (sides), three for each slide, slide_rail and orthotropic, for each joint a piece of a rigid body and then those of its second side (sides), four for each other; slide: an end of the rope, the ring, the other end; slide_rail: the ring, and the first and the last particle of the rail, which runs over the particles of one body between them in the order of their indices; bending: the shared edge, then the two wings. */
  particles: Numbers;
  /** Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle). */
  sides?: Numbers;
  /** Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the piece's centre. */
  weights?: Numbers;
  /** Rest length (of a slide: of the whole rope), angle (signed, 0 flat) or volume (signed) of each, or one for all; default the present one. isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint take none. [m, rad, m^3] */
  rest?: Numbers | number;
  /** Of each, or one for all; default 0; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. [[C]^2/J] */
  compliance?: Numbers | number;
  /** Of each, or one for all; default 0. [J s/[C]^2] */
  damping?: Numbers | number;
  /** Plain PBD stiffness k of each, or one for all, instead of compliance and damping. */
  stiffness?: Numbers | number;
  /** Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks. [m] */
  rest_end?: Numbers | number;
  /** Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] */
  seconds?: Numbers | number;
  /** Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0. [N] */
  force_limit?: Numbers | number;
  /** Only for slide: parts of rope between the ring and the third particle, of each, or one for all; default 1. A rest length counts them all. */
  ratio?: Numbers | number;
  /** Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all; default 0. Above 0 a slide needs a ratio of 1. */
  friction?: Numbers | number;
  /** Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a rod or the world. */
  joint?: 'ball' | 'fixed' | 'hinge' | 'slider' | 'distance';
  /** Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own anchor. Default: the second side's particle or point, or the centre of its piece; of a segment the point that weights name, and of the world the first piece's. [m] */
  anchors?: Numbers;
  /** Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y, 0 1 0. */
  axes?: Numbers;
  /** Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one. */
  limits?: Numbers;
  /** Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. Default 0. [rad/(N m)] */
  turn_compliance?: Numbers | number;
  /** Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed; target: to an angle or a place. */
  motor?: 'none' | 'speed' | 'target';
  /** Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. Default 0. */
  motor_target?: Numbers | number;
  /** Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as much as it takes. Default 0. [N m, N] */
  motor_most?: Numbers | number;
  /** Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0. [rad/(N m), m/N] */
  motor_compliance?: Numbers | number;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of constraint.add. */
export interface ConstraintAddResult {
  /** Ids, in the order given. */
  constraints: Uint32Array;
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Changes constraints by id, all or none; also single edges of a body. */
export interface ConstraintSetParams {
  /** Id or name. */
  world: Ref;
  /** Ids. */
  constraints: Numbers;
  /** Of each, or one for all. [m, rad, m^3] */
  rest?: Numbers | number;
  /** Of each, or one for all; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. [[C]^2/J] */
  compliance?: Numbers | number;
  /** Of each, or one for all. [J s/[C]^2] */
  damping?: Numbers | number;
  /** Plain PBD stiffness k of each, or one for all, instead of compliance and damping. */
  stiffness?: Numbers | number;
  /** Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks. [m] */
  rest_end?: Numbers | number;
  /** Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] */
  seconds?: Numbers | number;
  /** Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. [N] */
  force_limit?: Numbers | number;
  /** Only for joins and joints: those that have parted hold again. */
  mend?: boolean;
  /** Only for slide: parts of rope between the ring and the third particle, of each, or one for all. A rest length counts them all. */
  ratio?: Numbers | number;
  /** Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all. Above 0 a slide needs a ratio of 1. */
  friction?: Numbers | number;
  /** Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. */
  limits?: Numbers;
  /** Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. [rad/(N m)] */
  turn_compliance?: Numbers | number;
  /** Only for joints, of all of them: what drives a hinge or a slider. speed: it comes to a speed; target: to an angle or a place. */
  motor?: 'none' | 'speed' | 'target';
  /** Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. */
  motor_target?: Numbers | number;
  /** Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as much as it takes. [N m, N] */
  motor_most?: Numbers | number;
  /** Only for joints with a target: above 0 the motor is a spring; of each, or one for all. [rad/(N m), m/N] */
  motor_compliance?: Numbers | number;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of constraint.set. */
export interface ConstraintSetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Removes constraints by id, all or none. */
export interface ConstraintRemoveParams {
  /** Id or name. */
  world: Ref;
  /** Ids. */
  constraints: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of constraint.remove. */
export interface ConstraintRemoveResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Lists constraints of one kind by id, a page at a time. */
export interface ConstraintListParams {
  /** Id or name. */
  world: Ref;
  /** Kind. */
  type?: 'distance' | 'dihedral' | 'isometric' | 'quadratic' | 'volume' | 'join' | 'slide' | 'slide_rail' | 'neo_hookean' | 'orthotropic' | 'rod_stretch' | 'rod_bend' | 'joint';
  /** Only those of which a particle belongs to this body. */
  body?: Ref;
  /** Only ids greater than this. */
  after?: number;
  /** Page size. */
  limit?: number;
  /** Also give the forces of the last tick's last substep, and long_forces. Asking changes nothing. It takes up to the time of a substep, and long_forces up to that of one to three ticks more; only bodies of which the page lists constraints count, so name one with body if its forces are enough. While the world runs, this is bounded by limit query_work_person. */
  forces?: boolean;
}

/** Result of constraint.list. */
export interface ConstraintListResult {
  /** Revision shown. */
  revision: number;
  /** Boundary shown. */
  tick: number;
  /** Ids, ascending. */
  constraints: Uint32Array;
  /** Body id of each particle, flat. */
  bodies: Uint32Array;
  /** Indices, flat. */
  particles: Uint32Array;
  /** Rest lengths, angles or volumes; 0 for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m, rad, m^3] */
  rest: Float64Array;
  /** Compliances. [[C]^2/J] */
  compliance: Float64Array;
  /** Damping stiffnesses. [J s/[C]^2] */
  damping: Float64Array;
  /** Plain PBD stiffness; -1 if compliance holds. */
  stiffness: Float64Array;
  /** Only of joins and joints: weight of each particle. Joins have six here, three of each side; one that is not used repeats the first particle of its side and weighs 0. */
  weights?: Float64Array;
  /** Only of joins: the rest lengths that they come to. [m] */
  rest_end?: Float64Array;
  /** Only of joins: how long that still takes; 0: the rest length does not change. [s] */
  seconds?: Float64Array;
  /** Only of joins and joints: the greatest mean force of a tick at which each holds; 0: it never parts. [N] */
  force_limit?: Float64Array;
  /** Only of joins and joints: ids of those on this page that have parted. They stay in the list and hold nothing, until constraint.set mends or constraint.remove removes them. */
  parted?: Uint32Array;
  /** lambda / h^2 of the last substep: N for distance (negative pulls together), join (the length of the vector), slide (negative pulls, and never above 0), slide_rail (the length of the vector), rod_stretch (along the segment, negative where it pulls) and joint (the length of what holds the anchors), N m for dihedral and rod_bend (the length of the moment), J for isometric and quadratic (of the vector form the length), Pa for volume and neo_hookean (the pressure, positive where it is squeezed), N/m for orthotropic (the greatest tension in any direction; above 0 where it pulls). They leave out the forces of long edges and tethers (long_edges of world.create), which long_forces has. */
  forces?: Float64Array;
  /** Only with type distance in worlds with long_edges: what long edges, tethers and the sweeps for limits took past each edge in the last substep; below 0, as a pull is. forces and long_forces together are what passes there. A long edge or tether counts in full at each edge of the shortest way along edges between its ends: on a rope that is exact, on a cloth an estimate. With several iterations, contact and grabs between them are left out. Finding it for all bodies takes as long as one to three ticks. [N] */
  long_forces?: Float64Array;
  /** First tick boundary at which forces are known; before it they are 0. It is the next one if there was no tick since constraints, materials, iterations or substeps were changed. */
  forces_from?: number;
  /** Only if finding forces took more work than the caller had left (limit query_work_person): how long their next costly query in this world waits while it runs. Naming a body, or asking less often, avoids that. [ms] */
  wait_ms?: number;
  /** Give it as after for the next page; 0 at the end. */
  next: number;
  /** Only with type slide: parts of rope between the ring and the third particle. */
  ratio?: Float64Array;
  /** Only with type slide or slide_rail: friction coefficients. */
  friction?: Float64Array;
  /** Only with type slide: what of the rest length is between the first particle and the ring. Without friction rope runs freely, and it is 0. [m] */
  side?: Float64Array;
  /** Only with type slide_rail: how far the ring is along its rail, in segments from the first particle. 2.25 is a quarter of the third segment. */
  along?: Float64Array;
  /** Only with type slide and with forces: the pull of one part of rope between the ring and the third particle; forces has that at the first one. Without friction they are equal. [N] */
  end_forces?: Float64Array;
  /** Only with type orthotropic, three each: strain along the warp and along the weft, and the sine of the shear, where the particles are. */
  strains?: Float64Array;
  /** Only with type orthotropic and with forces, three each: tension along the warp and along the weft, and of the shear, in the last substep. forces has the greatest tension in any direction. [N/m] */
  tensions?: Float64Array;
  /** Only with type orthotropic, four each: how u, the place along the warp, changes with the second and with the third particle, and v along the weft. One metre of warp goes to a1 (x1 - x0) + a2 (x2 - x0). [1/m] */
  gradients?: Float64Array;
  /** Only with type joint: what each is, 0 ball, 1 fixed, 2 hinge, 3 slider, 4 distance. */
  joints?: Uint32Array;
  /** Only with type joint, six each: the anchor of the piece in its own frame, and that of the second side in that of its piece or segment, or in the world; zeros for particles. [m] */
  joint_anchors?: Float64Array;
  /** Only with type joint, eight each: the rotation x, y, z, w from the frame of the joint, whose third axis is the axis, to that of the piece, and to that of the second side. */
  joint_frames?: Float64Array;
  /** Only with type joint, two each: as in constraint.add. */
  limits?: Float64Array;
  /** Only with type joint: as in constraint.add. [rad/(N m)] */
  turn_compliance?: Float64Array;
  /** Only with type joint: 0 none, 1 speed, 2 target. */
  motors?: Uint32Array;
  /** Only with type joint: as in constraint.add. */
  motor_target?: Float64Array;
  /** Only with type joint: as in constraint.add. [N m, N] */
  motor_most?: Float64Array;
  /** Only with type joint: as in constraint.add. [rad/(N m), m/N] */
  motor_compliance?: Float64Array;
  /** Only with type joint: the angle of a hinge in rad, from -pi to pi; the place of a slider along its axis, and the distance between the anchors of others, in m. */
  places?: Float64Array;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Places particles, gives them velocities or inverse masses. A pinned particle that is placed is held at its new place. */
export interface ParticleSetParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Indices in the body, each once. */
  particles: Numbers;
  /** x, y, z of each. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it. [m] */
  positions?: Numbers;
  /** x, y, z of each. [m/s] */
  velocities?: Numbers;
  /** Of each, or one for all; 0 makes it static. A piece of a rigid body keeps its angular momentum. [1/kg] */
  inverse_masses?: Numbers | number;
  /** Only of pieces of a rigid body: orientations, quaternions x, y, z, w of any length above 0. A piece that is turned keeps its angular velocity. */
  rotations?: Numbers;
  /** Only of pieces of a rigid body: how each turns about its centre of mass, in the world. [rad/s] */
  angular_velocities?: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of particle.set. */
export interface ParticleSetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Holds particles in place, moves them to new places, or lets them follow a collider. A piece of a rigid body that a hard pin holds does not turn either. A hard pin holds its particle where its target is. A soft one, which has a compliance or a distance, leaves the particle its mass, draws it to the target and keeps it near: by at most 2^28 quanta (2 m) a tick. Pin pinned particles again to move them, to make them softer or harder, or to end that they follow. */
export interface ParticlePinParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Indices in the body, each once. */
  particles: Numbers;
  /** New places of the targets, x, y, z of each; default: where particles are, except that pins that stay soft keep their targets. At most 2^29 quanta (4 m) away by axis for each tick that they may take. [m] */
  positions?: Numbers;
  /** Time in which targets go to positions, evenly, to the nearest tick; absent: during the next tick. Each request sets out from where targets are then, so keyframes may come in one after the other. [s] */
  seconds?: number;
  /** Tick at which targets are at positions, instead of seconds; one that has passed counts as the next. */
  at_tick?: number;
  /** Collider that they follow, id or name: each keeps its present place in the collider's frame, and goes and turns with it, however that moves. Not with positions. If the collider is removed, the pins hold where they are then; world.reset takes their places again, where the body begins. Motions leave them alone. */
  collider?: Ref;
  /** Inverse stiffness of the spring from the target to each particle, or one for all; 0 makes hard pins. Absent, with distance: no spring, so particles are free within the distance. Absent, without it: pins stay as soft as they are, and others become hard. [m/N] */
  compliance?: Numbers | number;
  /** Greatest distance of each particle from its target, or one for all, at most 2^30 quanta (8 m); 0 makes hard pins. Only contact takes a particle farther. Absent, with compliance: no limit. [m] */
  distance?: Numbers | number;
  /** Only for particles of a rod. true: the pins also hold the orientation of the segment that begins there, or else ends there; false: they let it turn. Absent: as it is. */
  clamp?: boolean;
  /** With clamp true: quaternions x, y, z, w of any length above 0, one a particle, to which the clamps turn over the next tick by the shortest way. Absent: they hold the orientation that there is. */
  rotations?: Numbers;
  /** true, with collider: the clamps keep their orientations in the collider's frame, and turn with it; not with rotations. false: they hold as they are in the world, whatever the collider does. Absent: as it is, and false for a new clamp. Clamps also turn no more when their pins follow no collider, and when rotations are given. */
  clamp_turns?: boolean;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of particle.pin. */
export interface ParticlePinResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Releases pinned particles, with their masses and the velocities with which they were moved. */
export interface ParticleUnpinParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Indices in the body; those not pinned are left alone. */
  particles: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of particle.unpin. */
export interface ParticleUnpinResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Takes hold of a particle; it ends with grab.end, world.reset, the body or the session. However far the target, the pull moves the particle at most 2^28 quanta (2 m) a tick. */
export interface GrabBeginParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  body: Ref;
  /** Index in the body. */
  particle: number;
  /** Target; default: its present position. [m] */
  target?: Numbers;
  /** Inverse stiffness of the pull. [m/N] */
  compliance?: number;
}

/** Result of grab.begin. */
export interface GrabBeginResult {
  /** Id. */
  grab: number;
  /** Boundary at which it applied. */
  tick: number;
}

/** Moves the target; the last before a tick boundary wins. */
export interface GrabMoveParams {
  /** Id or name. */
  world: Ref;
  /** Id. */
  grab: number;
  /** Target. [m] */
  target: Numbers;
}

/** Result of grab.move. */
export interface GrabMoveResult {
  /** Boundary at which it applied. */
  tick: number;
}

/** Lets go. */
export interface GrabEndParams {
  /** Id or name. */
  world: Ref;
  /** Id. */
  grab: number;
}

/** Result of grab.end. */
export interface GrabEndResult {
  /** Boundary at which it applied. */
  tick: number;
}

/** Adds a collider that particles stay outside of, with Coulomb friction. */
export interface ColliderAddParams {
  /** Id or name. */
  world: Ref;
  /** Unique among the world's colliders if given. */
  name?: string;
  /** Shape. */
  kind: 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';
  /** A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of the others. [m] */
  position?: Numbers;
  /** Normal of the plane; made a unit vector. */
  normal?: Numbers;
  /** Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion; absent: none. */
  rotation?: Numbers;
  /** Radius of the sphere, capsule or cylinder. [m] */
  radius?: number;
  /** Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0. [m] */
  length?: number;
  /** Half the edges of the box. [m] */
  half_extents?: Numbers;
  /** Coulomb coefficient mu. */
  friction?: number;
  /** Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000. */
  friction_kinetic?: number;
  /** Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0. */
  restitution?: number;
  /** Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none. */
  surface?: string;
  /** For a convex collider, which is the hull of these: x, y, z of 4 to 512 points in its own frame, not all in a plane, the farthest coordinate 1e-6 m or more. They are rounded to a part in 2^24 of the power of two above that, and the hull has 128 vertices at most. [m] */
  points?: Numbers;
  /** For a height field: heights along its y, over a grid about its position in its own x and z; 2 to 256 rows along z, in each 2 to 256 columns along x. Everything below is solid, without end; beside the grid there is nothing. Rounded to a part in 2^24 of the power of two at or above the greatest. The two triangles of a cell meet at the diagonal from its least x and z to its greatest. [m] */
  heights?: Numbers;
  /** Heights in a row (height_field, required there). */
  columns?: number;
  /** From one height to the next along x and z (height_field); absent: 1. [m] */
  spacing?: number;
  /** Velocity at which the surface runs on in the collider's own frame while the collider stands, as a conveyor does; 50 m/s at most. Friction works against it, and only what of it is along the surface counts. Absent: none. [m/s] */
  surface_velocity?: Numbers;
  /** The same of a turn about the collider's position, in its own frame: [0, w, 0] makes a roller of a cylinder. Its length is 1000 rad/s at most, and the surface goes at 50 m/s at most. Absent: none. [rad/s] */
  surface_spin?: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of collider.add. */
export interface ColliderAddResult {
  /** Id. */
  collider: number;
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** Warnings about it and the present bodies. */
  warnings: readonly Warning[];
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Changes a collider. It reaches a new position or rotation during the next tick, and carries along what lies on it, at 50 m/s at most. */
export interface ColliderSetParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  collider: Ref;
  /** Unique among the world's colliders. */
  name?: string;
  /** As in collider.add. [m] */
  position?: Numbers;
  /** As in collider.add (plane). */
  normal?: Numbers;
  /** Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion. */
  rotation?: Numbers;
  /** As in collider.add (sphere). [m] */
  radius?: number;
  /** Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0. [m] */
  length?: number;
  /** Half the edges of the box. [m] */
  half_extents?: Numbers;
  /** As in collider.add. */
  friction?: number;
  /** As in collider.add. */
  friction_kinetic?: number;
  /** As in collider.add. */
  restitution?: number;
  /** As in collider.add; empty: it has none. */
  surface?: string;
  /** As in collider.add (convex): another hull, at once. [m] */
  points?: Numbers;
  /** As in collider.add (height_field): other ground, at once. What was given before of columns and spacing stays. [m] */
  heights?: Numbers;
  /** As in collider.add (height_field). */
  columns?: number;
  /** As in collider.add (height_field). [m] */
  spacing?: number;
  /** As in collider.add, at once; zeros: none. [m/s] */
  surface_velocity?: Numbers;
  /** As in collider.add, at once; zeros: none. [rad/s] */
  surface_spin?: Numbers;
  /** True: it is in its new position and rotation at once, without a velocity, and carries nothing along. Only with position, normal or rotation. False: it moves there during the next tick. */
  teleport?: boolean;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of collider.set. */
export interface ColliderSetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** The same, if radius, half_extents or points were given. */
  warnings: readonly Warning[];
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Removes a collider. */
export interface ColliderRemoveParams {
  /** Id or name. */
  world: Ref;
  /** Id or name. */
  collider: Ref;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of collider.remove. */
export interface ColliderRemoveResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Moves and turns a collider, or pinned particles, by keyframes: in each substep by as much as the keyframes change in it, so other movements add to it. The motion ends with its collider or body; world.reset begins it again. */
export interface MotionAddParams {
  /** Id or name. */
  world: Ref;
  /** Collider to move, by id or name. */
  collider?: Ref;
  /** Body whose particles move, instead of collider. */
  body?: Ref;
  /** Indices in the body, each once. */
  particles?: Numbers;
  /** Times of the keyframes since the motion was added, ascending. [s] */
  times: Numbers;
  /** x, y, z at each time; constant before the first and after the last. Pins go at most 4 m in a tick along an axis at the default resolution, in proportion to it. [m] */
  offsets: Numbers;
  /** After the last time begin again at time 0. */
  loop?: boolean;
  /** Quaternion x, y, z, w at each time, of any length but zero: turns a collider about its position, and particles about the pivot, by as much as it differs from the first one. From one to the next the shorter way. Absent: no turning. */
  rotations?: Numbers;
  /** Point that particles turn about as they stand now; it goes along with the offsets. Absent: the middle of the particles. [m] */
  pivot?: Numbers;
  /** Between keyframes: with linear the velocity jumps at each; cubic is smooth, at rest at its ends (except a loop from time 0 on, which goes round) and at each turning point, and never passes beyond its keyframes. */
  interpolation?: 'linear' | 'cubic';
  /** For a body whose shape changes: x, y, z of each of particles at each time, one keyframe after the other, on top of offsets and rotations. Only differences between times count. Absent: all particles move alike. [m] */
  poses?: Numbers;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of motion.add. */
export interface MotionAddResult {
  /** Id. */
  motion: number;
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Ends a motion; what it moved stays in place. */
export interface MotionRemoveParams {
  /** Id or name. */
  world: Ref;
  /** Id. */
  motion: number;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of motion.remove. */
export interface MotionRemoveResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Lists the motions of a world. */
export interface MotionListParams {
  /** Id or name. */
  world: Ref;
  /** Give poses, too: they may be megabytes. */
  poses?: boolean;
}

/** Result of motion.list. */
export interface MotionListResult {
  /** Revision shown. */
  revision: number;
  /** Boundary shown. */
  tick: number;
  /** By id. */
  motions: readonly MotionSummary[];
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Adds a field of force. */
export interface ForceAddParams {
  /** Id or name. */
  world: Ref;
  /** The field; kind must be given. */
  field: ForceFieldInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of force.add. */
export interface ForceAddResult {
  /** Id of the field. */
  force: number;
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Changes a field of force. */
export interface ForceSetParams {
  /** Id or name. */
  world: Ref;
  /** Id of the field. */
  force: number;
  /** The fields of it that change; absent ones stay. */
  field: ForceFieldInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of force.set. */
export interface ForceSetResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Removes a field of force. */
export interface ForceRemoveParams {
  /** Id or name. */
  world: Ref;
  /** Id of the field. */
  force: number;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of force.remove. */
export interface ForceRemoveResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Lists the fields of force of a world. */
export interface ForceListParams {
  /** Id or name. */
  world: Ref;
}

/** Result of force.list. */
export interface ForceListResult {
  /** By id. */
  fields: readonly ForceField[];
  /** Revision shown. */
  revision: number;
  /** Boundary shown. */
  tick: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Makes things what they were: the record that takes an edit back. Everything that it does not name goes on. Things come back under their ids, which nothing else may have by now (CONFLICT); grabs that an edit ended do not come back. It is INVALID if it contradicts itself: a thing is removed and named as well, or is named twice. Only a collider or a motion may be removed for another one that comes back under its id. It is applied whole or refused whole. */
export interface EditRestoreParams {
  /** Id or name. */
  world: Ref;
  /** Things to remove. */
  removed?: RestoreRemovedInput;
  /** Name of the world. */
  name?: string;
  /** Settings of the world. */
  settings?: RestoreSettingsInput;
  /** Bodies that come back, with their ids, by id. */
  bodies?: readonly DocumentBodyInput[];
  /** Values of bodies that stay. */
  parts?: readonly RestoreBodyInput[];
  /** Particles, one entry after the other. */
  particles?: readonly RestoreParticlesInput[];
  /** Constraints that bodies came with; those that are gone come back. */
  own?: readonly RestoreOwnInput[];
  /** Loose constraints, with their ids; those that are gone come back. */
  constraints?: readonly DocumentConstraintsInput[];
  /** Colliders, by id. */
  colliders?: readonly RestoreColliderInput[];
  /** Motions, with their ids; those that are gone come back. */
  motions?: readonly DocumentMotionInput[];
  /** Next ids. One that is lower than what is next now does not count: no id is given twice. */
  next?: RestoreNextInput;
  /** Next ids if there was no edit in between; if one differs, ids were given since, and it stays. */
  expected_next?: RestoreNextInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of edit.restore. */
export interface EditRestoreResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Takes an edit back: what it changed is what it was before, and everything else goes on. Without revision, the caller's last edit that stands; again, the one before. Answers CONFLICT if the same was changed since, and says by whom. */
export interface EditUndoParams {
  /** Id or name. */
  world: Ref;
  /** Take it back even if somebody has changed the same since, or if it was another person's edit. */
  force?: boolean;
  /** The edit to take back; default the last of one's own that stands. */
  revision?: number;
  /** The steps. The server gives them, in records and to others; a request leaves them out. */
  back?: UndoBackInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of edit.undo. */
export interface EditUndoResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** The edit that was taken back. */
  undone: UndoEdit;
  /** Parts that could not be restored, with force. */
  left_out: readonly UndoLeftOut[];
  /** Later changes whose values it overwrote, with force; the last of each field. */
  overwritten: readonly UndoOverwritten[];
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Makes an edit again that the caller has taken back, the last one first. A new edit of the caller empties this list. Answers CONFLICT if the same was changed since, and says by whom. */
export interface EditRedoParams {
  /** Id or name. */
  world: Ref;
  /** Take it back even if somebody has changed the same since, or if it was another person's edit. */
  force?: boolean;
  /** The edit to do again; default: the last that the caller took back. */
  revision?: number;
  /** The steps. The server gives them, in records and to others; a request leaves them out. */
  back?: UndoBackInput;
  /** Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose. */
  if_revision?: number;
  /** Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server. */
  if_epoch?: number;
  /** Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was. */
  if_thing_revision?: number;
  /** The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT. */
  edit_id?: string;
  /** The caller's own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step. */
  gesture?: string;
}

/** Result of edit.redo. */
export interface EditRedoResult {
  /** After this edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** The edit that was done again. */
  redone: UndoEdit;
  /** Parts that could not be restored, with force. */
  left_out: readonly UndoLeftOut[];
  /** Later changes whose values it overwrote, with force; the last of each field. */
  overwritten: readonly UndoOverwritten[];
  /** True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent. */
  repeated?: boolean;
}

/** Sends stream.frame from now on, beginning with the present state; or, if encoding is records, stream.records, beginning with an image of it. */
export interface StreamSubscribeParams {
  /** Id or name. */
  world: Ref;
  /** Body ids; absent: all, later ones too. */
  bodies?: Numbers;
  /** What each frame holds: arrays for each body; measures, grabs, the colliders that motions move, contact and contacts (its places), and the bodies that sleep (asleep) once a frame; skin: the vertices of the skins; rotations and rotations64: a quaternion x, y, z, w for each particle, of bodies with orientations alone, rounded or exact, and four zeros for a particle that has none. */
  fields?: readonly ('positions' | 'positions64' | 'velocities' | 'normals' | 'measures' | 'grabs' | 'colliders' | 'skin' | 'contact' | 'contacts' | 'asleep' | 'rotations' | 'rotations64')[];
  /** Each so many units, counted from the world's start. */
  every?: number;
  /** What is counted. */
  unit?: 'tick' | 'substep';
  /** How positions and skin are encoded. q16, delta: small (docs/reference/compressed.md); positions64, velocities, normals and rotations are refused there. records: they are not, what decides them is sent (docs/concepts/twins.md); bodies, fields, every, unit, nth and box are refused there, and so is a world that failed or that shows the past. */
  encoding?: 'f32' | 'records' | 'q16' | 'delta';
  /** By how much a coordinate may be off at most; of delta alone. Rounded down to 1, 1.4, 2, 2.8, 4, 5 or 7 times a power of ten. [m] */
  tolerance?: number;
  /** Every n-th vertex of each body (and skin): 0, n, 2n, … */
  nth?: number;
  /** Six numbers, the lowest x, y, z and the highest: bodies without a particle in it are left out, and of q16 and delta tiles of large ones. Absent or empty: all space. [m] */
  box?: Numbers;
  /** live: a slow client gets fewer frames, the newest. lossless: it gets all that the stream wants, or the stream ends and says why; with every encoding but records, which loses nothing anyway and refuses it. What was taken has to be acknowledged (stream.ack). */
  mode?: 'live' | 'lossless';
  /** For lossless alone: bytes of frames that are sent and not acknowledged, from which on no frame begins. [B] */
  credit?: number;
  /** For lossless alone: bytes of frames that the server keeps for it and has not sent. If one more tick does not fit, the world waits, if it may be held (world.hold); otherwise the stream ends. A tick whose frames are larger ends it as well. [B] */
  backlog?: number;
  /** Without a box alone: chunks in which no number has changed are left out of frames, which then build on the one before; left_out tells how many. So what rests costs no bytes. */
  sparse?: boolean;
  /** For live alone, but not for records: if this client is too slow, `every` doubles, up to 64 times what was asked for, and halves again while it keeps up; stream.rate tells. Moments still count from the world's start. */
  adapt?: boolean;
}

/** Result of stream.subscribe. */
export interface StreamSubscribeResult {
  /** Id. */
  stream: number;
  /** Completed ticks. */
  tick: number;
  /** Revision. */
  revision: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Changes a stream of this session; absent fields stay. A frame follows at once, whose chunks all stand alone. A stream of records has nothing to change: INVALID. */
export interface StreamSetParams {
  /** Id. */
  stream: number;
  /** Body ids; an empty list means all, later ones too. */
  bodies?: Numbers;
  /** As in stream.subscribe. */
  fields?: readonly ('positions' | 'positions64' | 'velocities' | 'normals' | 'measures' | 'grabs' | 'colliders' | 'skin' | 'contact' | 'contacts' | 'asleep' | 'rotations' | 'rotations64')[];
  /** As in stream.subscribe. */
  every?: number;
  /** As in stream.subscribe. */
  unit?: 'tick' | 'substep';
  /** As in stream.subscribe. */
  encoding?: 'f32' | 'q16' | 'delta';
  /** As in stream.subscribe. One of which the encoding becomes delta, and no tolerance is given, has 1e-4. [m] */
  tolerance?: number;
  /** As in stream.subscribe. */
  nth?: number;
  /** As in stream.subscribe; an empty list means all space. [m] */
  box?: Numbers;
  /** As in stream.subscribe. It ends with a box. */
  sparse?: boolean;
  /** As in stream.subscribe. If every or unit is given, or adapt changes, `every` is again what was asked for. */
  adapt?: boolean;
}

/** Result of stream.set. */
export interface StreamSetResult {
  /** Completed ticks. */
  tick: number;
  /** Revision. */
  revision: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Ends a stream of this session; frames already on their way may still arrive before the answer. */
export interface StreamUnsubscribeParams {
  /** Id. */
  stream: number;
}

/** Result of stream.unsubscribe. */
export interface StreamUnsubscribeResult {
  /** Completed ticks. */
  tick: number;
  /** Beside durable: the last revision that is certain to be kept. */
  durable_revision?: number;
  /** False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent. */
  durable?: boolean;
}

/** Acknowledges frames up to seq, so that a lossless stream goes on. Send it at the latest when a quarter of its credit or of lossless_unacked is taken. A live stream does not wait for it. A seq that was not sent: INVALID. */
export interface StreamAckParams {
  /** Id. */
  stream: number;
  /** As in stream.frame. */
  seq: number;
}

/** Result of stream.ack. */
export interface StreamAckResult {
}

/** Reports that a twin reached another hash or result than stream.records told. The server counts it (/metrics, weft_twin_differences_total) and does nothing else: subscribe again to begin again. */
export interface StreamDiffersParams {
  /** Id; its encoding is records. */
  stream: number;
  /** Tick at which it was seen. */
  tick: number;
}

/** Result of stream.differs. */
export interface StreamDiffersResult {
}

/** Takes, gives or releases the right to play, pause, step and reset a world, or asks for it. It ends with the session. */
export interface WorldControlParams {
  /** World. */
  world: Ref;
  /** take: hold it, if nobody does; an owner takes it from whoever does. ask: those who joined are told that one would like it. give: hand it to another session that joined. */
  action?: 'look' | 'take' | 'release' | 'ask' | 'give';
  /** For give: their session. */
  to?: number;
}

/** Result of world.control. */
export interface WorldControlResult {
  /** Session that holds control; 0: none, and the role alone decides. */
  session: number;
  /** Their name. */
  user: string;
}

/** Lists the roles and invitations of a world. */
export interface AccessListParams {
  /** World. */
  world: Ref;
}

/** Result of access.list. */
export interface AccessListResult {
  /** All who have a role in it, except admins. */
  people: readonly AccessPerson[];
  /** Invitations, for owners; others see none. */
  invites: readonly AccessInvite[];
  /** One's own; an admin is an owner. */
  role: 'viewer' | 'editor' | 'owner';
  /** Who may play, pause, step and reset it. */
  control: 'editor' | 'owner';
}

/** Gives somebody a role in a world, or changes it. If the new role is lesser, the sessions that depend on the old one end, and so do invitations of this person that give more than the new role. */
export interface AccessGrantParams {
  /** World. */
  world: Ref;
  /** Name of the person; * is everybody who has a token. */
  user: string;
  /** viewer, editor or owner. */
  role?: 'viewer' | 'editor' | 'owner';
  /** Leaves invitations that this person made as they are. */
  keep_invites?: boolean;
}

/** Result of access.grant. */
export interface AccessGrantResult {
  /** Invitations that ended. */
  invites: readonly AccessInvite[];
}

/** Takes a role in a world back, or an invitation. Sessions of that person in that world end at once, and so do the invitations into it that this person made. */
export interface AccessRevokeParams {
  /** World. */
  world: Ref;
  /** Name of the person; this or invite. */
  user?: string;
  /** Id of an invitation. */
  invite?: number;
  /** Leaves invitations that this person made as they are. */
  keep_invites?: boolean;
}

/** Result of access.revoke. */
export interface AccessRevokeResult {
  /** Invitations that ended. */
  invites: readonly AccessInvite[];
  /** Roles in this world that people have because this person gave them, by hand or by an invitation. They keep them. */
  given: readonly AccessGiven[];
}

/** Makes an invitation into a world: anybody who has it may accept it, as often as it says. */
export interface AccessInviteParams {
  /** World. */
  world: Ref;
  /** That it gives. */
  role?: 'viewer' | 'editor' | 'owner';
  /** How often it can be accepted. */
  uses?: number;
  /** How long it is good; no longer than the token of whoever makes it. [s] */
  seconds?: number;
}

/** Result of access.invite. */
export interface AccessInviteResult {
  /** The invitation, told this once; of the studio's address it is the part behind #invite=, which browsers send to nobody. */
  invite: string;
  /** For access.revoke. */
  id: number;
  /** Since 1970. [s] */
  expires_at: number;
}

/** Accepts an invitation. A caller without a token becomes a person by it, and gets a token. */
export interface AccessAcceptParams {
  /** As access.invite gave it. */
  invite: string;
  /** Name of a new person; it may not be somebody's already. Default guest-ID. */
  user?: string;
}

/** Result of access.accept. */
export interface AccessAcceptResult {
  /** World. */
  world: number;
  /** Its name. */
  name: string;
  /** One's role in it now. */
  role: 'viewer' | 'editor' | 'owner';
  /** One's name. */
  user: string;
  /** Token of a new person, told this once; empty if the caller had shown a token. */
  token: string;
}

/** Sets who may play, pause, step and reset a world. */
export interface AccessSetParams {
  /** World. */
  world: Ref;
  /** Needs that role, or a higher one. */
  control: 'editor' | 'owner';
}

/** Result of access.set. */
export interface AccessSetResult {
}

/** Makes a token for a person. One person may have several. */
export interface TokenCreateParams {
  /** Name of the person, which others see. */
  user: string;
  /** viewer: is in worlds that they have a role in; editor: makes worlds too; admin: everything, in all worlds. */
  role?: 'viewer' | 'editor' | 'admin';
  /** How long it is good; 0: until it is revoked. [s] */
  seconds?: number;
}

/** Result of token.create. */
export interface TokenCreateResult {
  /** The token, told this once. */
  token: string;
  /** For token.revoke. */
  id: number;
  /** Since 1970; 0: never. [s] */
  expires_at: number;
}

/** Lists all valid tokens. */
export interface TokenListParams {
}

/** Result of token.list. */
export interface TokenListResult {
  /** By id. */
  tokens: readonly AccessToken[];
}

/** Ends a token, or all of a person, and the sessions that are open with them, at once. The invitations that this person made, into any world, end as well. */
export interface TokenRevokeParams {
  /** Id of the token; this or user. */
  id?: number;
  /** All of theirs. */
  user?: string;
  /** Leaves invitations that this person made as they are. */
  keep_invites?: boolean;
}

/** Result of token.revoke. */
export interface TokenRevokeResult {
  /** Tokens. */
  revoked: number;
  /** Invitations that ended. */
  invites: readonly AccessInvite[];
  /** Roles that people have because this person gave them, by hand or by an invitation. They keep them. */
  given: readonly AccessGiven[];
}

/** One moment of a world, or a part of it; laid out so that arrays lie at multiples of 8 bytes. Fields that begin with _ are padding. */
export interface StreamFrameNotice {
  /** Id. */
  stream: number;
  /** Counts the frames of this stream that were sent; the parts of a frame share it. */
  seq: number;
  /** Frames left out since the last one sent. */
  dropped: number;
  /** Id. */
  world: number;
  /** Completed ticks. */
  tick: number;
  /** Substeps done of the next tick; 0 at a boundary. */
  substep: number;
  /** tick / tick_rate. [s] */
  time: number;
  /** Edits this frame contains. */
  revision: number;
  /** From 0. */
  part: number;
  /** Messages this frame consists of. */
  parts: number;
  /** If several servers share worlds: counts the times that a server began to run this one; of two frames of one tick, the one of the later epoch holds. */
  epoch?: number;
  /** Encoding of positions and skin; absent: f32. */
  encoding?: 'q16' | 'delta';
  /** If encoding is delta: the tolerance of the stream, after rounding. [m] */
  tolerance?: number;
  /** Only vertices 0, nth, 2 nth, … are there; absent: 1. */
  nth?: number;
  /** In part 0, if asked for. */
  measures?: Measures;
  /** In part 0, if asked for. */
  grabs?: readonly GrabSummary[];
  /** In part 0, if asked for: those that motions move. No edit tells of their ways. */
  colliders?: readonly ColliderPose[];
  /** In part 0, if asked for: of contact between bodies. */
  contact?: Contact;
  /** In part 0, if asked for: the places where bodies met in the last whole tick. */
  contacts?: Contacts;
  /** In part 0, if asked for and any body of the world sleeps: the ids of those that do, ascending. A plain list, whatever `arrays` the session has. */
  asleep?: Uint32Array;
  /** If the stream is sparse and anything is left out: how many chunks are not in this frame, in all its parts, because they are as in the frame before. Absent: the frame is whole. */
  left_out?: number;
  /** List of {body, first, count, positions, positions64, velocities, normals, rotations, rotations64}: arrays of 3 count numbers, or 4 count for rotations, particles first ... first + count - 1. Skins come as {body, first, count, skin} by themselves: vertices first ... first + count - 1. Where encoding is there, positions and skin are a bin with a chunk of the codec: of the whole body, or, where tile and tiles are there, of one of its tiles (docs/reference/compressed.md). */
  bodies: unknown;
}

/** Tells an edit of a world that this session joined. */
export interface WorldEditedNotice {
  /** Id. */
  world: number;
  /** After the edit. */
  revision: number;
  /** Boundary at which it applied. */
  tick: number;
  /** Who made it. */
  user: string;
  /** Their session. */
  session: number;
  /** Method. */
  method: string;
  /** Parameters with defaults filled in and names as ids. */
  params: unknown;
  /** The answer that the editor got. */
  result: unknown;
  /** Names of arrays left out of params and result for their size. */
  omitted: unknown;
  /** Revision of the edit that it took back; 0: none. */
  undo_of: number;
  /** Revision of the edit that it did again; 0: none. */
  redo_of: number;
  /** Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none. */
  gesture: number;
}

/** Tells that a world that this session joined plays, pauses, failed or is gone, takes no edits or takes them again, or that a view of the past (world.seek) shows another tick. moved: another server of the deployment runs it from here on; this session is in it no more, and its streams of it end. */
export interface WorldChangedNotice {
  /** Id. */
  world: number;
  /** Its state from now on. */
  state: 'paused' | 'playing' | 'failed' | 'deleted' | 'moved';
  /** Multiple of real time. */
  rate: number;
  /** Completed ticks. */
  tick: number;
  /** Why it failed; empty otherwise. */
  reason: string;
  /** Who did it; empty if the world did. */
  user: string;
  /** Their session; 0 if the world did. */
  session: number;
  /** Why it takes no edits now; empty: it does. */
  read_only: string;
  /** World whose past it shows; 0: it is no view. */
  view_of: number;
  /** Its ticks take longer than they may (limit tick_ms): it has half a thread at most. */
  slowed: boolean;
  /** Lossless streams may hold it (world.hold). */
  hold: boolean;
  /** Session whose lossless stream has held it for a second or longer; 0: none. */
  held_by: number;
  /** With moved: name of the server that runs it now. */
  server?: string;
  /** With moved: where that takes connections: HOST:PORT, or tls://HOST:PORT. */
  address?: string;
  /** With moved: where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. */
  web?: string;
}

/** Tells that the warnings of a world that this session joined have changed. The server looks at each body after every 1024 sweeps (substeps times iterations of ticks), at ticks that are a multiple of a power of two from 16 to 1024. A warning comes when the error is above 5 % in two looks, one after the other, and goes when it is below 2.5 % in two. */
export interface WorldWarnedNotice {
  /** Id. */
  world: number;
  /** Completed ticks. */
  tick: number;
  /** All that hold now: STRETCHED and STIFF, with the body's id as their one element. Empty: all have gone. */
  warnings: readonly Warning[];
}

/** Tells that a body of a world that this session joined tore in a tick. Frames of tick `tick` and of later ones have the particles that split off; triangles keep their numbers. */
export interface BodyTearNotice {
  /** Id. */
  world: number;
  /** Completed ticks. */
  tick: number;
  /** Id. */
  body: number;
  /** The first particle that split off; the others have the next numbers. */
  first: number;
  /** The particle that each of them split from. */
  origins: Uint32Array;
  /** Triangles that have other corners now, by their place in the list of triangles. */
  changed: Uint32Array;
  /** Three corners of each of these. */
  corners: Uint32Array;
  /** The two ends of each edge that was cut, as particles of the mesh as it was made. */
  edges: Uint32Array;
}

/** Tells that somebody in a world that this session joined has another name: session.hello was called again, and world.join after it. */
export interface WorldPersonNotice {
  /** Id. */
  world: number;
  /** Their session. */
  session: number;
  /** The name now. */
  user: string;
  /** The program now. */
  client: string;
}

/** Control of a world that this session joined was taken, given, released or asked for (world.control). */
export interface WorldControlledNotice {
  /** Id. */
  world: number;
  /** Who holds it; 0: nobody. */
  session: number;
  /** Their name. */
  user: string;
  /** Session that would like it. */
  asking?: number;
  /** Their name. */
  asking_user?: string;
}

/** Tells of somebody in a world that this session joined: when they join, when what they show changes, when they are away, and when they are gone. After world.join everybody present is told. At most 30 a second for one person (limit presence_per_second), and only the newest if this session reads slowly. */
export interface WorldPresenceNotice {
  /** Id. */
  world: number;
  /** Their session. */
  session: number;
  /** As in session.hello. */
  user: string;
  /** As in session.hello. */
  client: string;
  /** As in presence.set; the user's if none was set. */
  name: string;
  /** As in presence.set; empty: none was set. */
  color: string;
  /** As in presence.set. */
  camera: PresenceCamera;
  /** As in presence.set. */
  cursor: PresenceCursor;
  /** As in presence.set. */
  selection: readonly PresenceThing[];
  /** Ids of their grabs. */
  holds: Uint32Array;
  /** Their connection is lost: what they hold, holds still. */
  away: boolean;
  /** The last that is told of them, until they come again. */
  gone: boolean;
}

/** Somebody said something to all who joined a world. */
export interface WorldSaidNotice {
  /** Id. */
  world: number;
  /** Counts the lines of this world, so that one that comes again after a lost connection is known. */
  line: number;
  /** Who. */
  session: number;
  /** As in session.hello. */
  user: string;
  /** As in world.presence. */
  name: string;
  /** The line. */
  text: string;
}

/** Everything that decides the future of a world, for sessions that subscribed with encoding records (docs/concepts/twins.md): an image of it in pieces, then its records, how far it has come, and now and then the hash of its state. Nothing is lost or doubled in between. A piece with part 0 begins again, with that image. */
export interface StreamRecordsNotice {
  /** Id. */
  stream: number;
  /** Counts images and messages of this stream, from 1; the pieces of an image share it. */
  seq: number;
  /** So far the world had come: ticks up to it have run, and the records up to this message are applied. With an image, the boundary that it is of. */
  tick: number;
  /** When that was, by the clock of server.ping. [us] */
  at: number;
  /** State of the world from here on; absent: as before. Always with part 0. */
  state?: 'paused' | 'playing' | 'failed';
  /** With state: multiple of real time. */
  rate?: number;
  /** List of bins, in order. One that begins with the byte 0xC1 is differences from the record before it in this stream, any other the canonical bytes of a record (docs/reference/records.md). A record that the image has already, by its sequence, is passed over. */
  records?: unknown;
  /** As of world.hash, at this tick after these records; of an image, of what it holds. */
  hash?: string;
  /** For an image: the number of this piece, from 0. */
  part?: number;
  /** Pieces of that image. */
  parts?: number;
  /** With part 0: of the whole image. [B] */
  size?: number;
  /** With part 0: of the last record that is in the image. */
  sequence?: number;
  /** A bin: a piece of a whole image (docs/reference/records.md, Images). */
  image?: unknown;
}

/** Frames were left out; at most once a second for each stream. */
export interface StreamLaggedNotice {
  /** Id. */
  stream: number;
  /** Frames left out since the stream began. */
  dropped: number;
  /** Why the last ones were: 'slow' (this client was), 'no_room' (others hold the frames of this world, limit frame_bytes), 'substeps' (those of one tick are more than frame_bytes by themselves: ask for fewer), 'late' (the server had not sent off the ones before), 'work' (making the frames of this person's streams takes more work than it may, limit stream_work_person) or 'memory' (it has none). */
  reason?: string;
}

/** A stream goes on at another rate: one that adapts (stream.subscribe adapt), or any whose frames take more work than this person may ask for (limit stream_work_person). */
export interface StreamRateNotice {
  /** Id. */
  stream: number;
  /** From now on: what was asked for, times 1, 2, 4, … 64. The unit is the stream's. */
  every: number;
}

/** A stream ended without being asked to. */
export interface StreamClosedNotice {
  /** Id. */
  stream: number;
  /** Why. */
  reason: string;
  /** If its world has moved: name of the server that runs it now. */
  server?: string;
  /** Where that takes connections: HOST:PORT, or tls://HOST:PORT. */
  address?: string;
  /** Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. */
  web?: string;
}

/** Tells that something was wrong that the client sent without expecting an answer; at most ten a second. After code PROTOCOL or LIMIT with an empty method the connection is closed. */
export interface ErrorNotice {
  /** As in a response. */
  error: unknown;
  /** Method of the notification; empty if the stream itself is at fault. */
  method: string;
}

/** The parameters of each method. */
export interface Params {
  'server.info': ServerInfoParams;
  'server.ping': ServerPingParams;
  'server.stats': ServerStatsParams;
  'server.list': ServerListParams;
  'session.hello': SessionHelloParams;
  'session.leave': SessionLeaveParams;
  'presence.set': PresenceSetParams;
  'presence.say': PresenceSayParams;
  'world.create': WorldCreateParams;
  'world.list': WorldListParams;
  'world.get': WorldGetParams;
  'world.set': WorldSetParams;
  'world.delete': WorldDeleteParams;
  'world.move': WorldMoveParams;
  'world.join': WorldJoinParams;
  'world.leave': WorldLeaveParams;
  'world.play': WorldPlayParams;
  'world.pause': WorldPauseParams;
  'world.hold': WorldHoldParams;
  'world.step': WorldStepParams;
  'world.reset': WorldResetParams;
  'world.hash': WorldHashParams;
  'world.measure': WorldMeasureParams;
  'world.save': WorldSaveParams;
  'world.records': WorldRecordsParams;
  'world.history': WorldHistoryParams;
  'world.seek': WorldSeekParams;
  'world.branch': WorldBranchParams;
  'world.bin': WorldBinParams;
  'world.restore': WorldRestoreParams;
  'edit.batch': EditBatchParams;
  'edit.log': EditLogParams;
  'world.open': WorldOpenParams;
  'world.upload': WorldUploadParams;
  'body.add': BodyAddParams;
  'body.get': BodyGetParams;
  'body.set': BodySetParams;
  'body.force': BodyForceParams;
  'body.remove': BodyRemoveParams;
  'body.state': BodyStateParams;
  'constraint.add': ConstraintAddParams;
  'constraint.set': ConstraintSetParams;
  'constraint.remove': ConstraintRemoveParams;
  'constraint.list': ConstraintListParams;
  'particle.set': ParticleSetParams;
  'particle.pin': ParticlePinParams;
  'particle.unpin': ParticleUnpinParams;
  'grab.begin': GrabBeginParams;
  'grab.move': GrabMoveParams;
  'grab.end': GrabEndParams;
  'collider.add': ColliderAddParams;
  'collider.set': ColliderSetParams;
  'collider.remove': ColliderRemoveParams;
  'motion.add': MotionAddParams;
  'motion.remove': MotionRemoveParams;
  'motion.list': MotionListParams;
  'force.add': ForceAddParams;
  'force.set': ForceSetParams;
  'force.remove': ForceRemoveParams;
  'force.list': ForceListParams;
  'edit.restore': EditRestoreParams;
  'edit.undo': EditUndoParams;
  'edit.redo': EditRedoParams;
  'stream.subscribe': StreamSubscribeParams;
  'stream.set': StreamSetParams;
  'stream.unsubscribe': StreamUnsubscribeParams;
  'stream.ack': StreamAckParams;
  'stream.differs': StreamDiffersParams;
  'world.control': WorldControlParams;
  'access.list': AccessListParams;
  'access.grant': AccessGrantParams;
  'access.revoke': AccessRevokeParams;
  'access.invite': AccessInviteParams;
  'access.accept': AccessAcceptParams;
  'access.set': AccessSetParams;
  'token.create': TokenCreateParams;
  'token.list': TokenListParams;
  'token.revoke': TokenRevokeParams;
}

/** The result of each method. */
export interface Results {
  'server.info': ServerInfoResult;
  'server.ping': ServerPingResult;
  'server.stats': ServerStatsResult;
  'server.list': ServerListResult;
  'session.hello': SessionHelloResult;
  'session.leave': SessionLeaveResult;
  'presence.set': PresenceSetResult;
  'presence.say': PresenceSayResult;
  'world.create': WorldCreateResult;
  'world.list': WorldListResult;
  'world.get': WorldGetResult;
  'world.set': WorldSetResult;
  'world.delete': WorldDeleteResult;
  'world.move': WorldMoveResult;
  'world.join': WorldJoinResult;
  'world.leave': WorldLeaveResult;
  'world.play': WorldPlayResult;
  'world.pause': WorldPauseResult;
  'world.hold': WorldHoldResult;
  'world.step': WorldStepResult;
  'world.reset': WorldResetResult;
  'world.hash': WorldHashResult;
  'world.measure': WorldMeasureResult;
  'world.save': WorldSaveResult;
  'world.records': WorldRecordsResult;
  'world.history': WorldHistoryResult;
  'world.seek': WorldSeekResult;
  'world.branch': WorldBranchResult;
  'world.bin': WorldBinResult;
  'world.restore': WorldRestoreResult;
  'edit.batch': EditBatchResult;
  'edit.log': EditLogResult;
  'world.open': WorldOpenResult;
  'world.upload': WorldUploadResult;
  'body.add': BodyAddResult;
  'body.get': BodyGetResult;
  'body.set': BodySetResult;
  'body.force': BodyForceResult;
  'body.remove': BodyRemoveResult;
  'body.state': BodyStateResult;
  'constraint.add': ConstraintAddResult;
  'constraint.set': ConstraintSetResult;
  'constraint.remove': ConstraintRemoveResult;
  'constraint.list': ConstraintListResult;
  'particle.set': ParticleSetResult;
  'particle.pin': ParticlePinResult;
  'particle.unpin': ParticleUnpinResult;
  'grab.begin': GrabBeginResult;
  'grab.move': GrabMoveResult;
  'grab.end': GrabEndResult;
  'collider.add': ColliderAddResult;
  'collider.set': ColliderSetResult;
  'collider.remove': ColliderRemoveResult;
  'motion.add': MotionAddResult;
  'motion.remove': MotionRemoveResult;
  'motion.list': MotionListResult;
  'force.add': ForceAddResult;
  'force.set': ForceSetResult;
  'force.remove': ForceRemoveResult;
  'force.list': ForceListResult;
  'edit.restore': EditRestoreResult;
  'edit.undo': EditUndoResult;
  'edit.redo': EditRedoResult;
  'stream.subscribe': StreamSubscribeResult;
  'stream.set': StreamSetResult;
  'stream.unsubscribe': StreamUnsubscribeResult;
  'stream.ack': StreamAckResult;
  'stream.differs': StreamDiffersResult;
  'world.control': WorldControlResult;
  'access.list': AccessListResult;
  'access.grant': AccessGrantResult;
  'access.revoke': AccessRevokeResult;
  'access.invite': AccessInviteResult;
  'access.accept': AccessAcceptResult;
  'access.set': AccessSetResult;
  'token.create': TokenCreateResult;
  'token.list': TokenListResult;
  'token.revoke': TokenRevokeResult;
}

/** The fields of each notification but stream.frame, which Client.subscribe() delivers. */
export interface Notifications {
  'world.edited': WorldEditedNotice;
  'world.changed': WorldChangedNotice;
  'world.warned': WorldWarnedNotice;
  'body.tear': BodyTearNotice;
  'world.person': WorldPersonNotice;
  'world.controlled': WorldControlledNotice;
  'world.presence': WorldPresenceNotice;
  'world.said': WorldSaidNotice;
  'stream.records': StreamRecordsNotice;
  'stream.lagged': StreamLaggedNotice;
  'stream.rate': StreamRateNotice;
  'stream.closed': StreamClosedNotice;
  'error': ErrorNotice;
}

export type Method = keyof Params;
export type Notification = keyof Notifications;

/** Every method: class, role, and fields in the order of api.json. */
export const METHODS: Readonly<Record<Method, MethodInfo>> = {
  'server.info': {
    name: 'server.info',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Describes the server and everything that it offers: this list.',
    params: [],
    result: [
      {name: 'name', type: 'string', doc: 'weft'},
      {name: 'version', type: 'string', doc: 'Version of the program.'},
      {name: 'api_level', type: 'u32', doc: 'Grows with every addition.'},
      {name: 'api_compatible', type: 'u32', doc: 'Oldest level that clients may assume.'},
      {name: 'methods', type: 'any', doc: 'List of {name, since, class, role, doc, params, result}.'},
      {name: 'notifications', type: 'any', doc: 'List of {name, since, doc, params}.'},
      {name: 'errors', type: 'any', doc: 'List of {code, kind, doc}.'},
      {name: 'types', type: 'any', doc: 'List of {name, doc, fields}: the maps that fields of type map or list hold.'},
      {name: 'limits', type: 'any', doc: 'Map of limit names to numbers.'},
      {name: 'storage', type: 'map', of: 'storage', doc: 'How it keeps its worlds.'},
    ],
  },
  'server.ping': {
    name: 'server.ping',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Answers at once.',
    params: [],
    result: [
      {name: 'time_us', type: 'u64', unit: 'us', doc: 'Monotonic time of the server.'},
    ],
  },
  'server.stats': {
    name: 'server.stats',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Counts of the server since it started.',
    params: [],
    result: [
      {name: 'uptime', type: 'float', unit: 's', doc: 'Since start.'},
      {name: 'threads', type: 'u32', doc: 'Simulation threads.'},
      {name: 'sessions', type: 'u32', doc: 'Open connections.'},
      {name: 'sessions_total', type: 'u64', doc: 'Connections accepted.'},
      {name: 'sessions_cut', type: 'u64', doc: 'Connections cut for what they sent or did not read.'},
      {name: 'worlds', type: 'u32', doc: 'Worlds.'},
      {name: 'streams', type: 'u32', doc: 'Open streams.'},
      {name: 'requests', type: 'u64', doc: 'Requests received.'},
      {name: 'notifications_ignored', type: 'u64', doc: 'Notifications of unknown methods, and responses nobody awaited.'},
      {name: 'bytes_in', type: 'u64', unit: 'B', doc: 'Received.'},
      {name: 'bytes_out', type: 'u64', unit: 'B', doc: 'Sent.'},
      {name: 'frames_sent', type: 'u64', doc: 'Frames handed to the kernel, one for each stream.'},
      {name: 'frames_dropped', type: 'u64', doc: 'Frames left out because a client was slow or the frame budget was used up.'},
      {name: 'ticks', type: 'u64', doc: 'Ticks of all worlds.'},
      {name: 'ticks_late', type: 'u64', doc: 'Ticks that began more than one tick after their time.'},
      {name: 'lateness_max_us', type: 'u64', unit: 'us', doc: 'Greatest lateness of a tick.'},
    ],
  },
  'server.list': {
    name: 'server.list',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Lists the servers of this deployment. Empty if a server keeps its worlds alone.',
    params: [],
    result: [
      {name: 'servers', type: 'list', of: 'server_summary', doc: 'By name.'},
    ],
  },
  'session.hello': {
    name: 'session.hello',
    class: 'server',
    role: 'anyone',
    record: false,
    since: 1,
    doc: 'Introduces the caller and chooses encodings. Optional; may be repeated. The choices hold for the requests that follow.',
    params: [
      {name: 'client', type: 'string', default: '', nameLike: true, doc: 'Name of the program.'},
      {name: 'user', type: 'string', default: '', nameLike: true, doc: 'Name of the person, shown to others. If the server asks for tokens, the token\'s name is shown.'},
      {name: 'token', type: 'string', default: '', doc: 'Who one is, to a server that asks for it (weftd --tokens); others do not look at it. A wrong one is answered after a while, and the connection ends.'},
      {name: 'arrays', type: 'enum', values: ['ext', 'bin', 'plain'], default: 'ext', doc: 'How bulk arrays are sent: typed ext, little-endian bin, or plain arrays of numbers.'},
      {name: 'errors', type: 'enum', values: ['array', 'map'], default: 'array', doc: 'array: [kind, "CODE: text"]; map: {kind, code, text, field, value, revision, user, limit}, and of MOVED {server, address, web} besides, of an undo in conflict {changes}.'},
      {name: 'follow', type: 'bool', default: false, doc: 'Whether this client goes to the server of a world: requests about a world that another server of the deployment runs are answered with MOVED.'},
      {name: 'resume', type: 'string', default: '', doc: 'Key of a session whose connection was lost, from the answer to its session.hello: this connection goes on with it. It must be the first request. The session stays as it was introduced; the other fields hold if it is not kept any more.'},
      {name: 'unanswered', type: 'u32[]', doc: 'With resume: ids of the requests that were sent and not answered, in the order in which they were sent, at most limit kept_answers. Ids of a session ascend.'},
      {name: 'revisions', type: 'any', optional: true, doc: 'With resume: map of the ids of worlds that were joined to the revision of the last world.edited, or of world.join, that came of each.'},
      {name: 'hops', type: 'u32', default: 0, max: 255, doc: 'From a server that passes on a session\'s requests about a world that runs here: the number of servers on the way. Such a session is not kept when its connection is lost.'},
      {name: 'away', type: 'bool', default: false, doc: 'With hops: the connection of that session is lost, so others see it as away, until this is said again.'},
    ],
    result: [
      {name: 'session', type: 'u32', doc: 'Id of this session.'},
      {name: 'name', type: 'string', doc: 'weft'},
      {name: 'version', type: 'string', doc: 'Version of the program.'},
      {name: 'api_level', type: 'u32', doc: 'As in server.info.'},
      {name: 'api_compatible', type: 'u32', doc: 'As in server.info.'},
      {name: 'user', type: 'string', doc: 'The name that others see.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'admin'], doc: 'Role in this server: viewer: be in the worlds in which one has a role; editor: make worlds too; admin: everything. Admin if the server asks for no tokens.'},
      {name: 'tokens', type: 'bool', doc: 'Whether this server asks for tokens.'},
      {name: 'arrays', type: 'enum', values: ['ext', 'bin', 'plain'], doc: 'As chosen.'},
      {name: 'errors', type: 'enum', values: ['array', 'map'], doc: 'As chosen.'},
      {name: 'resume', type: 'string', doc: 'Key with which another connection can go on with this session; a secret. Empty: sessions are not kept.'},
      {name: 'grace', type: 'u32', unit: 's', doc: 'How long this session is kept without a connection.'},
      {name: 'resumed', type: 'bool', doc: 'Whether this is the session that was asked for. After this answer come the answers that were missed, and what worlds told meanwhile.'},
      {name: 'lost', type: 'u32[]', doc: 'Ids from unanswered whose request did not arrive, or whose answer to a query is not kept: send them again, in this order. All others are answered, once.'},
      {name: 'rejoin', type: 'u32[]', doc: 'Worlds of which more was missed than is kept, or that are gone: join them again.'},
      {name: 'servers', type: 'list', of: 'server_summary', optional: true, doc: 'With follow, in a deployment: its servers, as server.list tells them. If this one ends, another goes on with its worlds.'},
    ],
  },
  'session.leave': {
    name: 'session.leave',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Ends this session at once, with its grabs, streams and requests, and then its connection. A session whose connection is only lost is kept for a while.',
    params: [],
    result: [],
  },
  'presence.set': {
    name: 'presence.set',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Sets what others who joined this world see of the caller (world.presence). Absent fields stay as they are. It is never kept, and is no part of the world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name; joined by this session.'},
      {name: 'name', type: 'string', optional: true, nameLike: true, doc: 'Name to show; empty: the user\'s. If the server asks for tokens, it may not look like somebody else\'s name.'},
      {name: 'color', type: 'string', optional: true, nameLike: true, doc: '#rrggbb.'},
      {name: 'camera', type: 'map', of: 'presence_camera', optional: true, doc: 'The caller\'s camera; {}: hidden.'},
      {name: 'cursor', type: 'map', of: 'presence_cursor', optional: true, doc: 'What the caller points at; {}: nothing.'},
      {name: 'selection', type: 'list', of: 'presence_thing', optional: true, most: 64, doc: 'What the caller has selected; empty: nothing.'},
    ],
    result: [],
  },
  'presence.say': {
    name: 'presence.say',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Sends a line to all who joined this world, the caller included (world.said). It is never kept, and is no part of the world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name; joined by this session.'},
      {name: 'text', type: 'string', required: true, doc: '1 to 2000 bytes (limit said_bytes), without control characters.'},
    ],
    result: [
      {name: 'line', type: 'u64', doc: 'As in world.said.'},
    ],
  },
  'world.create': {
    name: 'world.create',
    class: 'server',
    role: 'editor',
    record: false,
    since: 1,
    doc: 'Makes a world, paused.',
    params: [
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique; default world-ID.'},
      {name: 'gravity', type: 'vec3', default: [0, -9.81, 0], unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Acceleration of every moving particle.'},
      {name: 'tick_rate', type: 'u32', default: 60, unit: '1/s', min: 1, max: 1000, doc: 'Ticks in a second of the world; fixed for its life.'},
      {name: 'substeps', type: 'u32', default: 20, min: 1, max: 1000, doc: 'Substeps a tick; h = 1/(tick_rate substeps). (Small Steps, Macklin et al. 2019.)'},
      {name: 'iterations', type: 'u32', default: 1, min: 1, max: 1000, doc: 'Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not.'},
      {name: 'damping', type: 'float', default: 0, unit: '1/s', min: 0, max: 1000000, doc: 'Global damping c: v is multiplied by 1/(1 + c h) each substep.'},
      {name: 'wind', type: 'map', of: 'wind', optional: true, doc: 'Wind on all triangles; absent: none. Fields absent from it take their defaults.'},
      {name: 'resolution', type: 'float', default: 7.450580596923828e-09, unit: 'm', min: 9.313225746154785e-10, max: 0.000244140625, doc: 'Quantum of position, a power of two; fixed for the world\'s life. Differences are exact to 2^31 quanta (16 m at the default). Ranges in metres that are times the scale grow in proportion with a coarser one than the default.'},
      {name: 'extent', type: 'float', default: 1000000, unit: 'm', min: 1, max: 1000000000, doc: 'A world in which a particle passes this coordinate pauses itself as failed.'},
      {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], default: 'guaranteed', doc: 'guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells.'},
      {name: 'untangle', type: 'bool', default: false, doc: 'Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart.'},
      {name: 'long_edges', type: 'bool', default: true, doc: 'Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long.'},
      {name: 'bending', type: 'enum', values: ['swept', 'solved'], default: 'solved', doc: 'How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it.'},
      {name: 'loads', type: 'enum', values: ['swept', 'solved'], default: 'swept', doc: 'How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to 600 times as long.'},
      {name: 'sleep', type: 'bool', default: true, doc: 'Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then.'},
      {name: 'calm', type: 'bool', default: true, doc: 'Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such bodies.'},
      {name: 'forces', type: 'map', of: 'force_fields', optional: true, doc: 'Fields of force that it begins with; absent: none.'},
      {name: 'surfaces', type: 'list', of: 'surface_pair', optional: true, most: 64, doc: 'Friction and restitution by pairs of surfaces, whose names bodies and colliders have as surface. Each row has at least one value, and no two rows have the same two names. Absent: none.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'revision', type: 'u64', doc: '0'},
      {name: 'tick', type: 'u64', doc: '0'},
    ],
  },
  'world.list': {
    name: 'world.list',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Lists all worlds that the caller may see, by id.',
    params: [],
    result: [
      {name: 'worlds', type: 'list', of: 'world_summary', doc: 'All of them.'},
    ],
  },
  'world.get': {
    name: 'world.get',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Tells settings and counts of a world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'state', type: 'enum', values: ['paused', 'playing', 'failed'], doc: 'Its present state.'},
      {name: 'reason', type: 'string', doc: 'Why it failed; empty otherwise.'},
      {name: 'rate', type: 'float', doc: 'Multiple of real time.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'time', type: 'float', unit: 's', doc: 'tick / tick_rate.'},
      {name: 'revision', type: 'u64', doc: 'Edits so far.'},
      {name: 'gravity', type: 'vec3', unit: 'm/s^2', doc: 'As in world.create, like the next eight.'},
      {name: 'tick_rate', type: 'u32', unit: '1/s', doc: 'Ticks a second.'},
      {name: 'substeps', type: 'u32', doc: 'Substeps a tick.'},
      {name: 'iterations', type: 'u32', doc: 'Sweeps a substep.'},
      {name: 'damping', type: 'float', unit: '1/s', doc: 'Global damping.'},
      {name: 'wind', type: 'map', of: 'wind', doc: 'Wind; density 0 if there is none.'},
      {name: 'resolution', type: 'float', unit: 'm', doc: 'Quantum of position.'},
      {name: 'extent', type: 'float', unit: 'm', doc: 'Greatest coordinate.'},
      {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], doc: 'What contact promises.'},
      {name: 'untangle', type: 'bool', doc: 'Whether what crosses is pushed apart.'},
      {name: 'long_edges', type: 'bool', doc: 'Whether cloths and ropes are held to their length across many edges at once.'},
      {name: 'bending', type: 'enum', values: ['swept', 'solved'], doc: 'How the bending of cloths is solved.'},
      {name: 'loads', type: 'enum', values: ['swept', 'solved'], doc: 'How cloths and ropes bear loads that only touch them.'},
      {name: 'sleep', type: 'bool', doc: 'Whether bodies that rest are left as they are.'},
      {name: 'calm', type: 'bool', doc: 'Whether edges of bodies that go slowly are swept there and back.'},
      {name: 'bodies', type: 'u32', doc: 'Bodies.'},
      {name: 'particles', type: 'u32', doc: 'Particles.'},
      {name: 'constraints', type: 'u32', doc: 'Constraints of all kinds.'},
      {name: 'colliders', type: 'u32', doc: 'Colliders.'},
      {name: 'grabs', type: 'u32', doc: 'Grabs.'},
      {name: 'people', type: 'u32', doc: 'Sessions that joined.'},
      {name: 'streams', type: 'u32', doc: 'Open streams.'},
      {name: 'ticks_late', type: 'u64', doc: 'Ticks that began more than one tick after their time.'},
      {name: 'lateness_us', type: 'u64', unit: 'us', doc: 'Lateness of the last tick.'},
      {name: 'lateness_max_us', type: 'u64', unit: 'us', doc: 'Greatest lateness of a tick.'},
      {name: 'time_lost_us', type: 'u64', unit: 'us', doc: 'Real time given up when the world could not keep pace.'},
      {name: 'tick_us', type: 'float', unit: 'us', doc: 'Wall time of the last tick.'},
      {name: 'frames_dropped', type: 'u64', doc: 'Frames left out because the frame budget was used up.'},
      {name: 'read_only', type: 'string', doc: 'Why it takes no edits now; empty: it does.'},
      {name: 'view_of', type: 'u32', doc: 'World whose past it shows; 0: it is no view.'},
      {name: 'slowed', type: 'bool', doc: 'Its ticks take longer than they may (limit tick_ms): it has half a thread at most.'},
      {name: 'hold', type: 'bool', doc: 'Lossless streams may hold it (world.hold).'},
      {name: 'held_by', type: 'u32', doc: 'Session whose lossless stream has held it for a second or longer; 0: none.'},
      {name: 'epoch', type: 'u64', doc: 'Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it.'},
      {name: 'exact', type: 'bool', doc: 'All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again.'},
      {name: 'exact_tick', type: 'u64', optional: true, doc: 'With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told.'},
      {name: 'exact_solver', type: 'u32', optional: true, doc: 'With exact false: version of the other solver.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.set': {
    name: 'world.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Changes settings; absent fields stay as they are.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'New unique name.'},
      {name: 'gravity', type: 'vec3', unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'As in world.create.'},
      {name: 'substeps', type: 'u32', min: 1, max: 1000, doc: 'As in world.create.'},
      {name: 'iterations', type: 'u32', min: 1, max: 1000, doc: 'As in world.create.'},
      {name: 'damping', type: 'float', unit: '1/s', min: 0, max: 1000000, doc: 'As in world.create.'},
      {name: 'wind', type: 'map', of: 'wind', partial: true, doc: 'Wind on all triangles.'},
      {name: 'extent', type: 'float', unit: 'm', min: 1, max: 1000000000, doc: 'As in world.create.'},
      {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], doc: 'As in world.create.'},
      {name: 'untangle', type: 'bool', doc: 'As in world.create.'},
      {name: 'long_edges', type: 'bool', doc: 'As in world.create.'},
      {name: 'bending', type: 'enum', values: ['swept', 'solved'], doc: 'As in world.create.'},
      {name: 'loads', type: 'enum', values: ['swept', 'solved'], doc: 'As in world.create.'},
      {name: 'sleep', type: 'bool', doc: 'As in world.create.'},
      {name: 'calm', type: 'bool', doc: 'As in world.create.'},
      {name: 'surfaces', type: 'list', of: 'surface_pair', optional: true, most: 64, doc: 'As in world.create: all rows, in place of those that there are; empty: none.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'world.delete': {
    name: 'world.delete',
    class: 'control',
    role: 'owner',
    record: false,
    since: 1,
    doc: 'Deletes a world: streams close, later requests answer NOT_FOUND.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'The last one.'},
    ],
  },
  'world.move': {
    name: 'world.move',
    class: 'server',
    role: 'owner',
    record: false,
    since: 6,
    doc: 'Makes another server of the deployment run the world from here on. The world plays on while that server fetches it, and stands still for a moment during the change. world.changed tells those who joined. A world that no server could run (trouble in world.list) is tried again by that server. While servers of several versions run, a world goes only to those of its own version, unless there are none or this one is about to end. CONFLICT: the world stays here, or still cannot be run, and the text says why.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'server', type: 'string', required: true, doc: 'Name of the other server (server.list).'},
    ],
    result: [
      {name: 'server', type: 'string', doc: 'Name of the server that has it now.'},
      {name: 'address', type: 'string', doc: 'Where that takes connections: HOST:PORT, or tls://HOST:PORT.'},
      {name: 'web', type: 'string', doc: 'Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.'},
    ],
  },
  'world.join': {
    name: 'world.join',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Gives the present document, and from then on world.edited and world.changed without a gap.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'state', type: 'enum', values: ['paused', 'playing', 'failed'], doc: 'Its present state.'},
      {name: 'rate', type: 'float', doc: 'Multiple of real time.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'revision', type: 'u64', doc: 'world.edited continues from here.'},
      {name: 'gravity', type: 'vec3', unit: 'm/s^2', doc: 'As in world.create, like the next eight.'},
      {name: 'tick_rate', type: 'u32', unit: '1/s', doc: 'Ticks a second.'},
      {name: 'substeps', type: 'u32', doc: 'Substeps a tick.'},
      {name: 'iterations', type: 'u32', doc: 'Sweeps a substep.'},
      {name: 'damping', type: 'float', unit: '1/s', doc: 'Global damping.'},
      {name: 'wind', type: 'map', of: 'wind', doc: 'Wind; density 0 if there is none.'},
      {name: 'resolution', type: 'float', unit: 'm', doc: 'Quantum of position.'},
      {name: 'extent', type: 'float', unit: 'm', doc: 'Greatest coordinate.'},
      {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], doc: 'What contact promises.'},
      {name: 'untangle', type: 'bool', doc: 'Whether what crosses is pushed apart.'},
      {name: 'long_edges', type: 'bool', doc: 'Whether cloths and ropes are held to their length across many edges at once.'},
      {name: 'bending', type: 'enum', values: ['swept', 'solved'], doc: 'How the bending of cloths is solved.'},
      {name: 'loads', type: 'enum', values: ['swept', 'solved'], doc: 'How cloths and ropes bear loads that only touch them.'},
      {name: 'sleep', type: 'bool', doc: 'Whether bodies that rest are left as they are.'},
      {name: 'calm', type: 'bool', doc: 'Whether edges of bodies that go slowly are swept there and back.'},
      {name: 'people', type: 'list', of: 'person', doc: 'Sessions that joined, this one included.'},
      {name: 'bodies', type: 'list', of: 'body_summary', doc: 'By id.'},
      {name: 'colliders', type: 'list', of: 'collider_summary', doc: 'By id.'},
      {name: 'grabs', type: 'list', of: 'grab_summary', doc: 'By id.'},
      {name: 'forces', type: 'list', of: 'force_field', doc: 'Fields of force, by id.'},
      {name: 'surfaces', type: 'list', of: 'surface_pair', doc: 'Friction and restitution by pairs of surfaces: all rows, in the order in which they were given.'},
      {name: 'read_only', type: 'string', doc: 'Why it takes no edits now; empty: it does.'},
      {name: 'view_of', type: 'u32', doc: 'World whose past it shows; 0: it is no view.'},
      {name: 'slowed', type: 'bool', doc: 'Its ticks take longer than they may (limit tick_ms): it has half a thread at most.'},
      {name: 'hold', type: 'bool', doc: 'Lossless streams may hold it (world.hold).'},
      {name: 'held_by', type: 'u32', doc: 'Session whose lossless stream has held it for a second or longer; 0: none.'},
      {name: 'epoch', type: 'u64', doc: 'Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits compares it.'},
      {name: 'exact', type: 'bool', doc: 'All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up to exact_tick, and this one goes on from there; until the server starts again.'},
      {name: 'exact_tick', type: 'u64', optional: true, doc: 'With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again by this one, from what the world was told.'},
      {name: 'exact_solver', type: 'u32', optional: true, doc: 'With exact false: version of the other solver.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.leave': {
    name: 'world.leave',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Ends what world.join began. Streams and grabs stay; a view (world.seek) ends.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'The last that was sent.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.play': {
    name: 'world.play',
    class: 'control',
    role: 'editor',
    record: false,
    since: 1,
    doc: 'Lets the world run, or changes its rate. A failed world answers CONFLICT until edit.undo or world.reset mends it.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'rate', type: 'float', default: 1, min: 0, max: 1000, doc: 'Multiple of real time, at least 1e-6; 0 is as fast as possible.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    ],
  },
  'world.pause': {
    name: 'world.pause',
    class: 'control',
    role: 'editor',
    record: false,
    since: 1,
    doc: 'Stops the world at the next tick boundary, and cuts a world.step short.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    ],
  },
  'world.hold': {
    name: 'world.hold',
    class: 'control',
    role: 'editor',
    record: false,
    since: 6,
    doc: 'Sets whether lossless streams may hold the world: if their backlog is full, its next tick waits for them, playing or stepping, while edits, queries and world.pause go on. Off in every new world, and after the server starts again. When it is turned off, a stream whose backlog is full ends.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'allow', type: 'bool', default: true, doc: 'Whether they may.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    ],
  },
  'world.step': {
    name: 'world.step',
    class: 'control',
    role: 'editor',
    record: false,
    since: 1,
    doc: 'Runs a paused world for so many ticks and answers after the last. Later requests of the same session wait for it, except world.pause; edits of others apply at tick boundaries.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'ticks', type: 'u32', default: 1, min: 1, max: 1000000000, doc: 'How many.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    ],
  },
  'world.reset': {
    name: 'world.reset',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Sets positions and velocities as in body.add; grabs end, everything else stays, tick and time go on. It pauses a failed world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'world.hash': {
    name: 'world.hash',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Tells the hash of the state at a tick boundary, for comparing runs.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Boundary.'},
      {name: 'revision', type: 'u64', doc: 'Revision.'},
      {name: 'hash', type: 'string', doc: '16 hexadecimal digits.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.measure': {
    name: 'world.measure',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Tells energies, strain, contacts and tick time.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'crossings', type: 'bool', default: false, doc: 'Count what has crossed, and what colliders have pierced, exactly. The world stands still meanwhile, some microseconds for each triangle; refused above limit crossing_triangles, and bounded by limit query_work_person while the world runs.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Boundary.'},
      {name: 'revision', type: 'u64', doc: 'Revision.'},
      {name: 'measures', type: 'map', of: 'measures', doc: 'The figures.'},
      {name: 'contact', type: 'map', of: 'contact', doc: 'Contact between bodies.'},
      {name: 'crossings', type: 'u64', optional: true, doc: 'If asked for: edges that pass or touch a triangle of a body that theirs meets, or of their own body if that meets itself.'},
      {name: 'pierced', type: 'u64', optional: true, doc: 'If crossings are asked for: what reaches into the core of a collider now, as contact.pierced counts it.'},
      {name: 'wait_ms', type: 'float', optional: true, unit: 'ms', doc: 'As in constraint.list, if crossings were asked for.'},
      {name: 'convergence', type: 'list', of: 'convergence', doc: 'How well the solver converged, by body.'},
      {name: 'pressures', type: 'list', of: 'pressure_measure', doc: 'Volume and pressure inside each body with pressure, by body.'},
      {name: 'shapes', type: 'list', of: 'shape_measure', doc: 'How each body with shape matching lies, by body.'},
      {name: 'warnings', type: 'list', of: 'warning', doc: 'STRETCHED and STIFF, as of the last look (world.warned).'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.save': {
    name: 'world.save',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 3,
    doc: 'Gives the whole world as a document, from which world.open makes it again, to the bit. Grabs belong to people and are left out; a failed world answers CONFLICT. A large world goes on while its document is made: the document is of the boundary that the answer names, and edits and another world.save wait until it is made.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name, which is no part of the document.'},
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'hash', type: 'string', doc: 'Its world.hash if nobody holds a particle, and that of a world that is opened from the document.'},
      {name: 'sequence', type: 'u64', doc: 'Sequence of the last record before it (world.records).'},
      {name: 'document', type: 'map', of: 'document', doc: 'The world.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.records': {
    name: 'world.records',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 3,
    doc: 'Gives the records of the world, one after another: the inputs that changed its future (docs/reference/records.md). With the document of world.save they give the world at any tick after it. Their sequences have no gaps, so the next page begins after the last of this one, until that is sequence. The last ones, record_bytes of them, come from memory; older ones, and those from before the server started, come from the world\'s past, as of a moment ago and fewer at a time if they are large. If the records are kept no more, it answers NOT_FOUND.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'after', type: 'u64', required: true, doc: 'Those with a greater sequence; 0: from the first.'},
      {name: 'limit', type: 'u32', default: 1024, min: 1, max: 4096, doc: 'So many at most.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'sequence', type: 'u64', doc: 'Sequence of the last record; 0: none was made.'},
      {name: 'records', type: 'any', doc: 'A list of bins, each the canonical bytes of a record, whole however large it is.'},
      {name: 'first', type: 'u64', optional: true, doc: 'Sequence of the oldest record that is kept. Given with records that were read from what is kept; world.history always tells it.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'world.history': {
    name: 'world.history',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 4,
    doc: 'Tells what is kept of a world\'s past, as of a moment ago.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name. For a view: the world whose past it shows.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'first_tick', type: 'u64', doc: 'Earliest that can be shown.'},
      {name: 'tick', type: 'u64', doc: 'Latest.'},
      {name: 'revision', type: 'u64', doc: 'At the latest.'},
      {name: 'records', type: 'u64', doc: 'Edits and inputs that there were, those that are not kept any more included.'},
      {name: 'images', type: 'u64', doc: 'Whole states that are kept; whatever lies between is found by running on from one.'},
      {name: 'bytes', type: 'u64', unit: 'B', doc: 'That it takes, about.'},
      {name: 'spans', type: 'list', of: 'history_span', doc: 'By solver, in order, without gaps.'},
      {name: 'image_ticks', type: 'f64[]', doc: 'Ticks of the images, ascending; at most image_ticks.'},
      {name: 'began_at', type: 'float', unit: 's', doc: 'When the world was made, by the server\'s clock, since 1970.'},
      {name: 'first_sequence', type: 'u64', doc: 'Sequence of the oldest record that world.records can tell; 0: none.'},
    ],
  },
  'world.seek': {
    name: 'world.seek',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 4,
    doc: 'Shows a tick of the past to the calling session, in a world of its own, the view: queries and streams take its id as `world`, and edits are refused with READ_ONLY. A session has one view of a world. Another call moves the view: its streams go on and get a frame, and world.changed tells those who joined it. If another call comes before the answer, the older one is answered with CONFLICT, unless it was about to end. A view ends with its session, its world, world.leave or world.delete. Views are not in world.list and have no name of their own.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name; for a view the world whose past it shows.'},
      {name: 'tick', type: 'u64', required: true, doc: 'Completed ticks, first_tick to tick of world.history. What applied at that boundary is seen.'},
    ],
    result: [
      {name: 'view', type: 'u32', doc: 'Id of the world that shows it.'},
      {name: 'tick', type: 'u64', doc: 'That is shown.'},
      {name: 'revision', type: 'u64', doc: 'Revision of the world then.'},
      {name: 'exact', type: 'bool', doc: 'false: the tick lies where another solver ran, and the nearest image before it is shown.'},
      {name: 'hash', type: 'string', doc: 'As of world.hash.'},
    ],
  },
  'world.branch': {
    name: 'world.branch',
    class: 'server',
    role: 'editor',
    record: false,
    since: 4,
    doc: 'Makes a paused world from a tick of another\'s past: as it was, or as it would have been without some edits or with others. Everything in between is done again at its tick; edits that do not apply any more are left out and listed. Nobody holds anything in it. The original world does not notice.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name; for a view the world whose past it shows.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks; default the world\'s next boundary, or with changes the latest that is kept.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique; default world-ID.'},
      {name: 'without', type: 'u32[]', doc: 'Revisions of edits that are not to have been; all lie in the past that is kept.'},
      {name: 'instead', type: 'list', of: 'branch_change', most: 1024, doc: 'Edits that are to have been others. No revision stands twice here or in without.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'revision', type: 'u64', doc: 'Its own: edits count on from here.'},
      {name: 'refused', type: 'list', of: 'branch_refusal', doc: 'Edits that do not apply any more, in order; 1,024 at most.'},
    ],
  },
  'world.bin': {
    name: 'world.bin',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 4,
    doc: 'Lists deleted worlds that world.restore can bring back, as of a moment ago.',
    params: [],
    result: [
      {name: 'worlds', type: 'list', of: 'bin_world', doc: 'By id.'},
    ],
  },
  'world.restore': {
    name: 'world.restore',
    class: 'server',
    role: 'owner',
    record: false,
    since: 4,
    doc: 'Brings back a deleted world, paused, at the tick at which it was deleted, with its id and its past. A new name is an edit, as of world.set.',
    params: [
      {name: 'world', type: 'u32', required: true, min: 1, doc: 'Id that it had: world.bin tells it.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique; default the one it had, or world-ID if that is taken.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    ],
  },
  'edit.batch': {
    name: 'edit.batch',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 6,
    doc: 'Makes many edits as one: at one tick, under one revision, told as one world.edited, kept as one record. Each finds the world as those before it left it, and may name what they added. If one is refused, all are, nothing has changed, and the error says which: edits[3].',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'edits', type: 'calls', required: true, most: 1000, doc: 'One after another: any methods of class edit except this one, edit.undo and edit.redo, without world. None renames the world. Each may have an if_thing_revision, which speaks of the time before the batch; if_revision, if_epoch, edit_id and gesture are the batch\'s own.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After all of them; the same in each result.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which they applied.'},
      {name: 'results', type: 'answers', doc: 'The answer of each, in order.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'edit.log': {
    name: 'edit.log',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 4,
    doc: 'Lists the edits of a world\'s past in order, page by page, as of a moment ago: the person, the method and the tick.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name; for a view the world whose past it shows.'},
      {name: 'since', type: 'u64', default: 0, doc: 'Those with a greater sequence; 0: from the first that is kept.'},
      {name: 'limit', type: 'u32', default: 1024, min: 1, max: 4096, doc: 'So many at most; fewer if they are large.'},
      {name: 'inputs', type: 'bool', default: false, doc: 'Grabs too.'},
    ],
    result: [
      {name: 'edits', type: 'list', of: 'log_entry', doc: 'By sequence.'},
      {name: 'sequence', type: 'u64', doc: 'Sequence of the last record; 0: none was made.'},
      {name: 'next', type: 'u64', doc: 'since of the next page; 0: there is no more.'},
    ],
  },
  'world.open': {
    name: 'world.open',
    class: 'server',
    role: 'editor',
    record: false,
    since: 3,
    doc: 'Makes a paused world from a document: one from world.save, or one that somebody wrote. A refused document leaves nothing.',
    params: [
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique; default world-ID.'},
      {name: 'document', type: 'map', of: 'document', doc: 'The world; required without upload.'},
      {name: 'upload', type: 'bool', default: false, doc: 'Open what this session has uploaded (world.upload), instead of a document. The upload is gone afterwards, even if it is refused.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name.'},
      {name: 'revision', type: 'u64', doc: '0'},
      {name: 'tick', type: 'u64', doc: 'The document\'s.'},
      {name: 'warnings', type: 'list', of: 'warning', optional: true, doc: 'Warnings about its colliders and bodies: COARSE, as in collider.add.'},
    ],
  },
  'world.upload': {
    name: 'world.upload',
    class: 'server',
    role: 'editor',
    record: false,
    since: 3,
    doc: 'Sends one piece of a document that is larger than a message, as bytes of its MessagePack. A session has one upload at a time; world.open {upload: true} opens it.',
    params: [
      {name: 'offset', type: 'u64', default: 0, unit: 'B', doc: 'Offset of the piece; 0 begins from the start. Pieces follow each other without gaps.'},
      {name: 'data', type: 'any', required: true, doc: 'The bytes of the piece: bin, or a typed array of u8.'},
    ],
    result: [
      {name: 'bytes', type: 'u64', unit: 'B', doc: 'That have come so far.'},
    ],
  },
  'body.add': {
    name: 'body.add',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Adds a cloth (triangles), a rope (edges), loose points, or a soft body (tetrahedra). Each unique edge becomes a distance constraint, each inner edge of a cloth with a bend material a bending constraint, each tetrahedron a volume constraint; with solid each tetrahedron becomes one constraint, and edges none. The positions given are the rest shape.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'name', type: 'string', default: '', nameLike: true, doc: 'Unique in the world if given.'},
      {name: 'kind', type: 'enum', values: ['cloth', 'rope', 'points', 'soft', 'rigid'], required: true, doc: 'Its kind.'},
      {name: 'positions', type: 'number[]', required: true, unit: 'm', multiple: 3, doc: 'x, y, z of each particle, f32 or f64: the rest shape and the start.'},
      {name: 'velocities', type: 'number[]', unit: 'm/s', multiple: 3, doc: 'x, y, z of each particle; default at rest. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it.'},
      {name: 'triangles', type: 'u32[]', multiple: 3, doc: 'Three particle indices each (cloth).'},
      {name: 'edges', type: 'u32[]', multiple: 2, doc: 'Two particle indices each (rope).'},
      {name: 'tets', type: 'u32[]', multiple: 4, doc: 'Four particle indices each (soft); positive if (p1-p0)x(p2-p0).(p3-p0) > 0.'},
      {name: 'density', type: 'float', min: 0, exclusiveMin: true, doc: 'Cloth: kg/m^2, a third of each triangle\'s mass to its corners, default 0.2. Rope: kg/m, half of each edge\'s mass to its ends, default 0.1. Points: kg each, default 0.01. Soft: kg/m^3, a quarter of each tetrahedron\'s mass to its corners, default 1000.'},
      {name: 'masses', type: 'number[]', unit: 'kg', min: 0, scalar: true, doc: 'Mass of each particle, or one for all, instead of density; 0 makes it static.'},
      {name: 'material', type: 'enum', values: ['denim-stretch', 'trousers', 'tablecloth', 'jacket', 'blanket', 'swimsuit'], doc: 'A fabric of the table of materials (cloth): it fills in density, stretch and bend where they are absent. Members of stretch and bend that are absent are filled in as well, unless the map says itself how stiff something is. A record has the values.'},
      {name: 'stretch', type: 'map', of: 'stretch_material', doc: 'Material of the edges.'},
      {name: 'bend', type: 'map', of: 'bend_material', optional: true, doc: 'Resistance to bending (cloth); absent: none.'},
      {name: 'volume', type: 'map', of: 'material', optional: true, doc: 'Material of the tetrahedra (soft).'},
      {name: 'solid', type: 'map', of: 'solid_material', optional: true, doc: 'Makes a soft body a solid of this material. It has no edges and volumes as constraints, so stretch and volume must be absent. Absent: edges and volumes.'},
      {name: 'rod', type: 'map', of: 'rod', optional: true, doc: 'Makes a rope a rod, which bends and twists. A rod is one or several chains or rings, whose edges run on from each other. It has no edges as constraints, so stretch must be absent. Absent: edges alone.'},
      {name: 'weld', type: 'float', unit: 'm', min: 0, max: 1, scaled: true, doc: 'Vertices no farther apart than this become one particle; absent: none do. particles and welded in the result tell what became of them.'},
      {name: 'thickness', type: 'float', unit: 'm', min: 0, max: 1, scaled: true, doc: 'Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge; absent: 0, or if it meets itself or others what its mesh allows: 0.15 of its mean edge, and no more than 0.35 of the length that 5 % of its edges are shorter than.'},
      {name: 'self_contact', type: 'bool', doc: 'Its own triangles and edges meet each other; absent: they do not.'},
      {name: 'contact_group', type: 'u32', doc: 'Bits: its groups. Two bodies meet if each one\'s group has a bit of the other\'s mask; absent: 0, it meets nobody.'},
      {name: 'contact_mask', type: 'u32', doc: 'Bits: what it meets; absent: 0, nothing.'},
      {name: 'friction', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.'},
      {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000.'},
      {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0.'},
      {name: 'surface', type: 'string', nameLike: true, doc: 'Name of its surface, as rubber: rows of the world\'s surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none.'},
      {name: 'sleep', type: 'bool', doc: 'Whether it may sleep, in worlds with sleep; absent: it may.'},
      {name: 'pressure', type: 'map', of: 'pressure', optional: true, doc: 'Pressure inside (cloth with a closed surface); absent: none.'},
      {name: 'gravity', type: 'vec3', optional: true, unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Gravity of the body in place of the world\'s; absent: the world\'s.'},
      {name: 'wind', type: 'map', of: 'own_wind', optional: true, doc: 'Coefficients of drag and lift in place of the world\'s; absent: the world\'s.'},
      {name: 'force', type: 'vec3', optional: true, unit: 'N', min: -1e+38, max: 1e+38, doc: 'Force on the body as a whole, until body.force changes it; on each particle the part that its mass is of that of the body. Absent: none.'},
      {name: 'shape', type: 'map', of: 'shape', optional: true, doc: 'Shape matching; absent: none.'},
      {name: 'tear', type: 'map', of: 'tear', optional: true, doc: 'Thresholds at which a cloth tears, and room for it; absent: it does not. Its particles are those of the mesh and tear.most spares.'},
      {name: 'pins', type: 'u32[]', doc: 'Particles held where they are.'},
      {name: 'clamps', type: 'u32[]', doc: 'Pinned particles of a rod that also hold the orientation of the segment that begins there, or else ends there.'},
      {name: 'skin', type: 'map', of: 'skin', optional: true, doc: 'A surface that goes along with the body, finer than what is solved; absent: none. Streams carry it as the field skin.'},
      {name: 'look', type: 'map', of: 'look', optional: true, doc: 'Uvs, edges and materials of its surface, for recordings; absent: none.'},
      {name: 'yarn_uvs', type: 'f32[]', multiple: 6, doc: 'u, v of the three corners of each triangle (cloth with stretch.model orthotropic): the warp runs in the rest shape the way in which u grows, turned by stretch.angle, and stretch.direction must be absent. Their scale does not matter. Each triangle\'s must span an area; at most 1000000 either way. They are told in documents, and cannot change.'},
      {name: 'rigid', type: 'map', of: 'rigid', optional: true, doc: 'The shape of each piece (rigid). Needed there, and absent of other kinds. A density, 1000 kg/m^3 if neither it nor masses are given, makes all pieces weigh the same. Inertia follows from mass and shape.'},
      {name: 'rotations', type: 'number[]', min: -1000000, max: 1000000, multiple: 4, doc: 'Orientation of each piece at the start (rigid): quaternions x, y, z, w of any length above 0. Absent: they stand as the world does.'},
      {name: 'angular_velocities', type: 'number[]', unit: 'rad/s', min: -1000000, max: 1000000, multiple: 3, doc: 'How each piece turns at the start (rigid), about its centre of mass, in the world; absent: it does not.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'body', type: 'u32', doc: 'Id.'},
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'particles', type: 'u32', doc: 'Particle count.'},
      {name: 'constraints', type: 'map', of: 'constraint_ranges', doc: 'Ids by kind.'},
      {name: 'warnings', type: 'list', of: 'warning', doc: 'Warnings about the mesh.'},
      {name: 'welded', type: 'u32[]', optional: true, doc: 'With weld: the particle that each vertex given became. Indices of the body are these from then on.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'body.get': {
    name: 'body.get',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Gives topology, rest shape and material.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'images', type: 'bool', default: false, doc: 'Whether to tell the bytes of the look\'s images too, which are up to 4 MiB.'},
    ],
    result: [
      {name: 'body', type: 'u32', doc: 'Id.'},
      {name: 'name', type: 'string', doc: 'Name; empty if it has none.'},
      {name: 'kind', type: 'enum', values: ['cloth', 'rope', 'points', 'soft', 'rigid'], doc: 'Its kind.'},
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'particles', type: 'u32', doc: 'Particle count.'},
      {name: 'positions', type: 'f64[]', unit: 'm', doc: 'Rest shape: x, y, z of each particle, rounded to the world\'s resolution.'},
      {name: 'triangles', type: 'u32[]', doc: 'As given.'},
      {name: 'edges', type: 'u32[]', doc: 'As given.'},
      {name: 'tets', type: 'u32[]', doc: 'As given.'},
      {name: 'masses', type: 'f64[]', unit: 'kg', doc: 'Mass of each particle; 0 for static ones. Pinned ones keep theirs.'},
      {name: 'material', type: 'enum', values: ['denim-stretch', 'trousers', 'tablecloth', 'jacket', 'blanket', 'swimsuit'], optional: true, doc: 'The fabric of the table of materials that has its stretch and bend; absent: none.'},
      {name: 'stretch', type: 'map', of: 'stretch_material', doc: 'Material of the edges.'},
      {name: 'bend', type: 'map', of: 'bend_material', doc: 'Resistance to bending.'},
      {name: 'volume', type: 'map', of: 'material', doc: 'Material of the tetrahedra.'},
      {name: 'solid', type: 'map', of: 'solid_material', optional: true, doc: 'What it is made of; absent: edges and volumes.'},
      {name: 'rod', type: 'map', of: 'rod', optional: true, doc: 'The section and material of the rope; absent: it has edges alone.'},
      {name: 'thickness', type: 'float', unit: 'm', doc: 'Radius that it has for contacts.'},
      {name: 'self_contact', type: 'bool', doc: 'Whether its own triangles and edges meet each other.'},
      {name: 'contact_group', type: 'u32', doc: 'Bits: what it is.'},
      {name: 'contact_mask', type: 'u32', doc: 'Bits: what it meets.'},
      {name: 'friction', type: 'float', doc: 'Coulomb coefficient mu between bodies.'},
      {name: 'friction_kinetic', type: 'float', optional: true, doc: 'As in body.add; absent: that of friction.'},
      {name: 'restitution', type: 'float', optional: true, doc: 'As in body.add; absent: 0.'},
      {name: 'surface', type: 'string', optional: true, doc: 'As in body.add; absent: none.'},
      {name: 'sleep', type: 'bool', doc: 'Whether it may sleep, in worlds with sleep.'},
      {name: 'pressure', type: 'map', of: 'pressure', optional: true, doc: 'Pressure inside, with what is left of its time; absent: none.'},
      {name: 'gravity', type: 'vec3', optional: true, unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Gravity of its own; absent: that of the world.'},
      {name: 'wind', type: 'map', of: 'own_wind', optional: true, doc: 'Coefficients of its own; absent: those of the world.'},
      {name: 'force', type: 'vec3', optional: true, unit: 'N', min: -1e+38, max: 1e+38, doc: 'Force on it as a whole; absent: none.'},
      {name: 'force_ticks', type: 'u32', optional: true, max: 3600000, doc: 'Ticks in which that force still acts; absent: until it is changed.'},
      {name: 'forced', type: 'u32[]', optional: true, doc: 'Particles that a force of their own acts on, ascending; absent: none.'},
      {name: 'forces', type: 'f64[]', optional: true, unit: 'N', multiple: 3, doc: 'x, y, z of the force on each of these.'},
      {name: 'forces_ticks', type: 'u32[]', optional: true, doc: 'Ticks in which each of these forces still acts; 0: until it is changed.'},
      {name: 'shape', type: 'map', of: 'shape', optional: true, doc: 'Shape matching; absent: none.'},
      {name: 'tear', type: 'map', of: 'tear', optional: true, doc: 'Thresholds and spares; absent: it does not tear.'},
      {name: 'torn', type: 'map', of: 'torn_edges', optional: true, doc: 'The tears; only with tear. triangles have the corners of now, and particles count the spares.'},
      {name: 'pins', type: 'u32[]', doc: 'Pinned particles.'},
      {name: 'pin_colliders', type: 'u32[]', optional: true, doc: 'Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.'},
      {name: 'pin_compliances', type: 'f64[]', optional: true, unit: 'm/N', doc: 'Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard.'},
      {name: 'pin_distances', type: 'f64[]', optional: true, unit: 'm', doc: 'Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard.'},
      {name: 'clamps', type: 'u32[]', optional: true, doc: 'Pinned particles of a rod whose pins clamp, ascending. Absent: none does.'},
      {name: 'clamp_turns', type: 'u32[]', optional: true, doc: 'Those of clamps that turn with the collider that their pin follows. Absent: none does.'},
      {name: 'pin_targets', type: 'f64[]', optional: true, unit: 'm', multiple: 3, doc: 'x, y, z of the present target of each pin. Absent: all are hard, and their particles are at their targets.'},
      {name: 'pin_forces', type: 'f64[]', optional: true, unit: 'N', multiple: 3, doc: 'x, y, z of the force of each soft pin on its particle in the last substep, of spring and limit together; 0 of hard ones. Absent: all are hard.'},
      {name: 'asleep', type: 'bool', doc: 'Whether it sleeps: ticks leave it as it is until something wakes it.'},
      {name: 'constraints', type: 'map', of: 'constraint_ranges', doc: 'Ids by kind, as body.add gave them.'},
      {name: 'skin', type: 'map', of: 'skin', optional: true, doc: 'The surface it carries, with particles as they are after welding; absent: none.'},
      {name: 'look', type: 'map', of: 'look', optional: true, doc: 'Its look; absent: none.'},
      {name: 'touched', type: 'map', of: 'touch', doc: 'By which edit last.'},
      {name: 'plastic_strain_max', type: 'float', optional: true, doc: 'Only of a solid: how far the tetrahedron that has flowed most has flowed, as the equivalent strain from the shape at which it was made.'},
      {name: 'plastic_strain_mean', type: 'float', optional: true, doc: 'The mean of these strains by volume.'},
      {name: 'elements_hash', type: 'u32', doc: 'Differs if vertices or elements differ, of the body or of its skin: frames of delta tell it, since a body that comes back by undo may have others under its id.'},
      {name: 'yarn_uvs', type: 'f32[]', optional: true, multiple: 6, doc: 'As given; absent: stretch.direction says where the warp runs.'},
      {name: 'rigid', type: 'map', of: 'rigid', optional: true, doc: 'The shape of the pieces of a rigid body; absent of others.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'body.set': {
    name: 'body.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Changes name, materials, thickness, contact, pressure, and the shape at which constraints rest. A material given here becomes that of all constraints of its kind in the body, also of those set one by one before; fields absent from it stay as the body has them.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique in the world.'},
      {name: 'stretch', type: 'map', of: 'stretch_material', partial: true, doc: 'Material of the edges. Giving compliance ends a stiffness set before, and the other way round. A limit of 0 ends one set before.'},
      {name: 'bend', type: 'map', of: 'bend_material', partial: true, doc: 'Resistance to bending; the model cannot change. A given compliance, stiffness, rigidity, or warp with weft ends the others.'},
      {name: 'volume', type: 'map', of: 'material', partial: true, doc: 'Material of the tetrahedra.'},
      {name: 'solid', type: 'map', of: 'solid_material', partial: true, doc: 'Material of a solid; the model cannot change, and a body added without one cannot become one.'},
      {name: 'thickness', type: 'float', unit: 'm', min: 0, max: 1, scaled: true, doc: 'As in body.add.'},
      {name: 'self_contact', type: 'bool', doc: 'As in body.add.'},
      {name: 'contact_group', type: 'u32', doc: 'As in body.add.'},
      {name: 'contact_mask', type: 'u32', doc: 'As in body.add.'},
      {name: 'friction', type: 'float', min: 0, max: 1000, doc: 'As in body.add.'},
      {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'As in body.add.'},
      {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'As in body.add.'},
      {name: 'surface', type: 'string', nameLike: true, doc: 'As in body.add; empty: it has none.'},
      {name: 'sleep', type: 'bool', doc: 'As in body.add.'},
      {name: 'rest_shape', type: 'map', of: 'rest_shape', optional: true, doc: 'The body\'s own constraints rest at the shape that it has now, or at another one. Constraints that constraint.add made keep their rest values.'},
      {name: 'pressure', type: 'map', of: 'pressure', partial: true, doc: 'Pressure inside; fields absent from it stay as the body has them. A new overpressure or ratio without seconds holds at once.'},
      {name: 'gravity', type: 'number[]', unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Gravity of the body in place of the world\'s: x, y, z; an empty array: the world\'s again.'},
      {name: 'wind', type: 'map', of: 'own_wind', optional: true, doc: 'Coefficients of drag and lift in place of the world\'s, both at once: one that is absent from it is the world\'s again, and so are both with an empty map.'},
      {name: 'shape', type: 'map', of: 'shape', partial: true, doc: 'Shape matching; fields absent from it stay as the body has them.'},
      {name: 'tear', type: 'map', of: 'tear', partial: true, doc: 'Thresholds of a body that was made with tear.most, which must be absent here. Fields absent from it stay as the body has them, and 0 ends a threshold.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'body.force': {
    name: 'body.force',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 7,
    doc: 'Lets a force act on a body, or on some of its particles, until it is changed or its time is over. A force takes the place of the one that acted there; 0 ends that one. Forces on particles act beside that on their body. Static particles and those with a hard pin do not move by them.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'particles', type: 'u32[]', doc: 'Indices in the body, each once: the force acts on each of them. Absent: on the body as a whole, on each particle the part that its mass is of that of the body, so that it goes as force over mass says.'},
      {name: 'force', type: 'vec3', unit: 'N', min: -1e+38, max: 1e+38, doc: 'x, y, z. Either this or forces.'},
      {name: 'forces', type: 'number[]', unit: 'N', min: -1e+38, max: 1e+38, doc: 'x, y, z for each particle, instead of force.'},
      {name: 'seconds', type: 'float', unit: 's', min: 0, exclusiveMin: true, max: 3600, doc: 'Time in which it acts, to the nearest tick and at least one; absent: until it is changed.'},
      {name: 'at_tick', type: 'u64', doc: 'Tick at which it ends, instead of seconds: the last tick in which it acts leads there. One that has passed counts as the next.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'body.remove': {
    name: 'body.remove',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Removes a body with its constraints, pins and grabs, and loose constraints that touch it.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'constraints', type: 'u32[]', doc: 'Loose constraints that went with it.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'body.state': {
    name: 'body.state',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Gives present positions and velocities, once.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'fields', type: 'flags', values: ['positions', 'positions64', 'velocities', 'normals', 'inverse_masses', 'skin', 'rotations', 'rotations64', 'angular_velocities'], default: ['positions', 'velocities'], doc: 'Which of them.'},
    ],
    result: [
      {name: 'body', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'positions', type: 'f32[]', optional: true, unit: 'm', doc: 'x, y, z of each particle.'},
      {name: 'positions64', type: 'f64[]', optional: true, unit: 'm', doc: 'The same, exact.'},
      {name: 'velocities', type: 'f32[]', optional: true, unit: 'm/s', doc: 'x, y, z of each particle.'},
      {name: 'normals', type: 'f32[]', optional: true, doc: 'Unit normals of the particles, zero if there are no triangles.'},
      {name: 'inverse_masses', type: 'f32[]', optional: true, unit: '1/kg', doc: '0 for static and pinned ones.'},
      {name: 'skin', type: 'f32[]', optional: true, unit: 'm', doc: 'x, y, z of each vertex of the skin; empty where there is none.'},
      {name: 'rotations', type: 'f32[]', optional: true, multiple: 4, doc: 'Orientation of each particle, a unit quaternion x, y, z, w of which the first of w, x, y, z that is not 0 is positive; four zeros for a particle that has none. Empty if the body has none.'},
      {name: 'rotations64', type: 'f64[]', optional: true, multiple: 4, doc: 'The same, exact: whole multiples of 2^-30.'},
      {name: 'angular_velocities', type: 'f32[]', optional: true, unit: 'rad/s', multiple: 3, doc: 'How each orientation turns, in the world; zeros for a particle that has none. Empty if the body has none.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'constraint.add': {
    name: 'constraint.add',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Adds constraints between any particles of any bodies, all or none.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'type', type: 'enum', values: ['distance', 'dihedral', 'isometric', 'quadratic', 'volume', 'join', 'slide', 'slide_rail', 'neo_hookean', 'orthotropic', 'rod_stretch', 'rod_bend', 'joint'], default: 'distance', doc: 'Kind of all of them.'},
      {name: 'body', type: 'ref', doc: 'Body of all particles.'},
      {name: 'bodies', type: 'u32[]', doc: 'Body id of each particle, instead of body.'},
      {name: 'particles', type: 'u32[]', required: true, doc: 'Flat: two indices for each distance, rod_stretch and rod_bend, for each join those of its first side and then of its second (sides), three for each slide, slide_rail and orthotropic, for each joint a piece of a rigid body and then those of its second side (sides), four for each other; slide: an end of the rope, the ring, the other end; slide_rail: the ring, and the first and the last particle of the rail, which runs over the particles of one body between them in the order of their indices; bending: the shared edge, then the two wings.'},
      {name: 'sides', type: 'u32[]', doc: 'Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle).'},
      {name: 'weights', type: 'number[]', min: 0, max: 1, doc: 'Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the piece\'s centre.'},
      {name: 'rest', type: 'number[]', unit: 'm, rad, m^3', scalar: true, doc: 'Rest length (of a slide: of the whole rope), angle (signed, 0 flat) or volume (signed) of each, or one for all; default the present one. isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint take none.'},
      {name: 'compliance', type: 'number[]', unit: '[C]^2/J', min: 0, scalar: true, doc: 'Of each, or one for all; default 0; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused.'},
      {name: 'damping', type: 'number[]', unit: 'J s/[C]^2', min: 0, scalar: true, doc: 'Of each, or one for all; default 0.'},
      {name: 'stiffness', type: 'number[]', min: 0, max: 1, scalar: true, doc: 'Plain PBD stiffness k of each, or one for all, instead of compliance and damping.'},
      {name: 'rest_end', type: 'number[]', unit: 'm', min: 0, scalar: true, doc: 'Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.'},
      {name: 'seconds', type: 'number[]', unit: 's', min: 0, max: 3600, scalar: true, doc: 'Only for joins, with rest_end: how long that takes, above 0, of each or one for all.'},
      {name: 'force_limit', type: 'number[]', unit: 'N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0.'},
      {name: 'ratio', type: 'number[]', min: 1, max: 16, scalar: true, doc: 'Only for slide: parts of rope between the ring and the third particle, of each, or one for all; default 1. A rest length counts them all.'},
      {name: 'friction', type: 'number[]', min: 0, max: 100, scalar: true, doc: 'Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all; default 0. Above 0 a slide needs a ratio of 1.'},
      {name: 'joint', type: 'enum', values: ['ball', 'fixed', 'hinge', 'slider', 'distance'], doc: 'Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a rod or the world.'},
      {name: 'anchors', type: 'number[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own anchor. Default: the second side\'s particle or point, or the centre of its piece; of a segment the point that weights name, and of the world the first piece\'s.'},
      {name: 'axes', type: 'number[]', min: -1000000000, max: 1000000000, multiple: 3, doc: 'Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y, 0 1 0.'},
      {name: 'limits', type: 'number[]', min: -1000000, max: 1000000, multiple: 2, doc: 'Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one.'},
      {name: 'turn_compliance', type: 'number[]', unit: 'rad/(N m)', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. Default 0.'},
      {name: 'motor', type: 'enum', values: ['none', 'speed', 'target'], doc: 'Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed; target: to an angle or a place.'},
      {name: 'motor_target', type: 'number[]', min: -1000000, max: 1000000, scalar: true, doc: 'Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. Default 0.'},
      {name: 'motor_most', type: 'number[]', unit: 'N m, N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: the greatest torque of a hinge\'s motor, or force of a slider\'s; of each, or one for all. 0: as much as it takes. Default 0.'},
      {name: 'motor_compliance', type: 'number[]', unit: 'rad/(N m), m/N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'constraints', type: 'u32[]', doc: 'Ids, in the order given.'},
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'constraint.set': {
    name: 'constraint.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Changes constraints by id, all or none; also single edges of a body.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'constraints', type: 'u32[]', required: true, doc: 'Ids.'},
      {name: 'rest', type: 'number[]', unit: 'm, rad, m^3', scalar: true, doc: 'Of each, or one for all.'},
      {name: 'compliance', type: 'number[]', unit: '[C]^2/J', min: 0, scalar: true, doc: 'Of each, or one for all; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused.'},
      {name: 'damping', type: 'number[]', unit: 'J s/[C]^2', min: 0, scalar: true, doc: 'Of each, or one for all.'},
      {name: 'stiffness', type: 'number[]', min: 0, max: 1, scalar: true, doc: 'Plain PBD stiffness k of each, or one for all, instead of compliance and damping.'},
      {name: 'rest_end', type: 'number[]', unit: 'm', min: 0, scalar: true, doc: 'Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.'},
      {name: 'seconds', type: 'number[]', unit: 's', min: 0, max: 3600, scalar: true, doc: 'Only for joins, with rest_end: how long that takes, above 0, of each or one for all.'},
      {name: 'force_limit', type: 'number[]', unit: 'N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does.'},
      {name: 'mend', type: 'bool', default: false, doc: 'Only for joins and joints: those that have parted hold again.'},
      {name: 'ratio', type: 'number[]', min: 1, max: 16, scalar: true, doc: 'Only for slide: parts of rope between the ring and the third particle, of each, or one for all. A rest length counts them all.'},
      {name: 'friction', type: 'number[]', min: 0, max: 100, scalar: true, doc: 'Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for slide_rail: of ring and rail (Coulomb), of each, or one for all. Above 0 a slide needs a ratio of 1.'},
      {name: 'limits', type: 'number[]', min: -1000000, max: 1000000, multiple: 2, doc: 'Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge.'},
      {name: 'turn_compliance', type: 'number[]', unit: 'rad/(N m)', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all.'},
      {name: 'motor', type: 'enum', values: ['none', 'speed', 'target'], doc: 'Only for joints, of all of them: what drives a hinge or a slider. speed: it comes to a speed; target: to an angle or a place.'},
      {name: 'motor_target', type: 'number[]', min: -1000000, max: 1000000, scalar: true, doc: 'Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all.'},
      {name: 'motor_most', type: 'number[]', unit: 'N m, N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: the greatest torque of a hinge\'s motor, or force of a slider\'s; of each, or one for all. 0: as much as it takes.'},
      {name: 'motor_compliance', type: 'number[]', unit: 'rad/(N m), m/N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints with a target: above 0 the motor is a spring; of each, or one for all.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'constraint.remove': {
    name: 'constraint.remove',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Removes constraints by id, all or none.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'constraints', type: 'u32[]', required: true, doc: 'Ids.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'constraint.list': {
    name: 'constraint.list',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Lists constraints of one kind by id, a page at a time.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'type', type: 'enum', values: ['distance', 'dihedral', 'isometric', 'quadratic', 'volume', 'join', 'slide', 'slide_rail', 'neo_hookean', 'orthotropic', 'rod_stretch', 'rod_bend', 'joint'], default: 'distance', doc: 'Kind.'},
      {name: 'body', type: 'ref', doc: 'Only those of which a particle belongs to this body.'},
      {name: 'after', type: 'u32', default: 0, doc: 'Only ids greater than this.'},
      {name: 'limit', type: 'u32', default: 10000, min: 1, max: 100000, doc: 'Page size.'},
      {name: 'forces', type: 'bool', default: false, doc: 'Also give the forces of the last tick\'s last substep, and long_forces. Asking changes nothing. It takes up to the time of a substep, and long_forces up to that of one to three ticks more; only bodies of which the page lists constraints count, so name one with body if its forces are enough. While the world runs, this is bounded by limit query_work_person.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'constraints', type: 'u32[]', doc: 'Ids, ascending.'},
      {name: 'bodies', type: 'u32[]', doc: 'Body id of each particle, flat.'},
      {name: 'particles', type: 'u32[]', doc: 'Indices, flat.'},
      {name: 'rest', type: 'f64[]', unit: 'm, rad, m^3', doc: 'Rest lengths, angles or volumes; 0 for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint.'},
      {name: 'compliance', type: 'f64[]', unit: '[C]^2/J', doc: 'Compliances.'},
      {name: 'damping', type: 'f64[]', unit: 'J s/[C]^2', doc: 'Damping stiffnesses.'},
      {name: 'stiffness', type: 'f64[]', doc: 'Plain PBD stiffness; -1 if compliance holds.'},
      {name: 'weights', type: 'f64[]', optional: true, doc: 'Only of joins and joints: weight of each particle. Joins have six here, three of each side; one that is not used repeats the first particle of its side and weighs 0.'},
      {name: 'rest_end', type: 'f64[]', optional: true, unit: 'm', doc: 'Only of joins: the rest lengths that they come to.'},
      {name: 'seconds', type: 'f64[]', optional: true, unit: 's', doc: 'Only of joins: how long that still takes; 0: the rest length does not change.'},
      {name: 'force_limit', type: 'f64[]', optional: true, unit: 'N', doc: 'Only of joins and joints: the greatest mean force of a tick at which each holds; 0: it never parts.'},
      {name: 'parted', type: 'u32[]', optional: true, doc: 'Only of joins and joints: ids of those on this page that have parted. They stay in the list and hold nothing, until constraint.set mends or constraint.remove removes them.'},
      {name: 'forces', type: 'f64[]', optional: true, doc: 'lambda / h^2 of the last substep: N for distance (negative pulls together), join (the length of the vector), slide (negative pulls, and never above 0), slide_rail (the length of the vector), rod_stretch (along the segment, negative where it pulls) and joint (the length of what holds the anchors), N m for dihedral and rod_bend (the length of the moment), J for isometric and quadratic (of the vector form the length), Pa for volume and neo_hookean (the pressure, positive where it is squeezed), N/m for orthotropic (the greatest tension in any direction; above 0 where it pulls). They leave out the forces of long edges and tethers (long_edges of world.create), which long_forces has.'},
      {name: 'long_forces', type: 'f64[]', optional: true, unit: 'N', doc: 'Only with type distance in worlds with long_edges: what long edges, tethers and the sweeps for limits took past each edge in the last substep; below 0, as a pull is. forces and long_forces together are what passes there. A long edge or tether counts in full at each edge of the shortest way along edges between its ends: on a rope that is exact, on a cloth an estimate. With several iterations, contact and grabs between them are left out. Finding it for all bodies takes as long as one to three ticks.'},
      {name: 'forces_from', type: 'u64', optional: true, doc: 'First tick boundary at which forces are known; before it they are 0. It is the next one if there was no tick since constraints, materials, iterations or substeps were changed.'},
      {name: 'wait_ms', type: 'float', optional: true, unit: 'ms', doc: 'Only if finding forces took more work than the caller had left (limit query_work_person): how long their next costly query in this world waits while it runs. Naming a body, or asking less often, avoids that.'},
      {name: 'next', type: 'u32', doc: 'Give it as after for the next page; 0 at the end.'},
      {name: 'ratio', type: 'f64[]', optional: true, doc: 'Only with type slide: parts of rope between the ring and the third particle.'},
      {name: 'friction', type: 'f64[]', optional: true, doc: 'Only with type slide or slide_rail: friction coefficients.'},
      {name: 'side', type: 'f64[]', optional: true, unit: 'm', doc: 'Only with type slide: what of the rest length is between the first particle and the ring. Without friction rope runs freely, and it is 0.'},
      {name: 'along', type: 'f64[]', optional: true, doc: 'Only with type slide_rail: how far the ring is along its rail, in segments from the first particle. 2.25 is a quarter of the third segment.'},
      {name: 'end_forces', type: 'f64[]', optional: true, unit: 'N', doc: 'Only with type slide and with forces: the pull of one part of rope between the ring and the third particle; forces has that at the first one. Without friction they are equal.'},
      {name: 'strains', type: 'f64[]', optional: true, doc: 'Only with type orthotropic, three each: strain along the warp and along the weft, and the sine of the shear, where the particles are.'},
      {name: 'tensions', type: 'f64[]', optional: true, unit: 'N/m', doc: 'Only with type orthotropic and with forces, three each: tension along the warp and along the weft, and of the shear, in the last substep. forces has the greatest tension in any direction.'},
      {name: 'gradients', type: 'f64[]', optional: true, unit: '1/m', doc: 'Only with type orthotropic, four each: how u, the place along the warp, changes with the second and with the third particle, and v along the weft. One metre of warp goes to a1 (x1 - x0) + a2 (x2 - x0).'},
      {name: 'joints', type: 'u32[]', optional: true, doc: 'Only with type joint: what each is, 0 ball, 1 fixed, 2 hinge, 3 slider, 4 distance.'},
      {name: 'joint_anchors', type: 'f64[]', optional: true, unit: 'm', doc: 'Only with type joint, six each: the anchor of the piece in its own frame, and that of the second side in that of its piece or segment, or in the world; zeros for particles.'},
      {name: 'joint_frames', type: 'f64[]', optional: true, doc: 'Only with type joint, eight each: the rotation x, y, z, w from the frame of the joint, whose third axis is the axis, to that of the piece, and to that of the second side.'},
      {name: 'limits', type: 'f64[]', optional: true, doc: 'Only with type joint, two each: as in constraint.add.'},
      {name: 'turn_compliance', type: 'f64[]', optional: true, unit: 'rad/(N m)', doc: 'Only with type joint: as in constraint.add.'},
      {name: 'motors', type: 'u32[]', optional: true, doc: 'Only with type joint: 0 none, 1 speed, 2 target.'},
      {name: 'motor_target', type: 'f64[]', optional: true, doc: 'Only with type joint: as in constraint.add.'},
      {name: 'motor_most', type: 'f64[]', optional: true, unit: 'N m, N', doc: 'Only with type joint: as in constraint.add.'},
      {name: 'motor_compliance', type: 'f64[]', optional: true, unit: 'rad/(N m), m/N', doc: 'Only with type joint: as in constraint.add.'},
      {name: 'places', type: 'f64[]', optional: true, doc: 'Only with type joint: the angle of a hinge in rad, from -pi to pi; the place of a slider along its axis, and the distance between the anchors of others, in m.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'particle.set': {
    name: 'particle.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Places particles, gives them velocities or inverse masses. A pinned particle that is placed is held at its new place.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'particles', type: 'u32[]', required: true, doc: 'Indices in the body, each once.'},
      {name: 'positions', type: 'number[]', unit: 'm', multiple: 3, doc: 'x, y, z of each. None may go farther along an axis in a tick than a coordinate may: 4 m at the default resolution, in proportion to it.'},
      {name: 'velocities', type: 'number[]', unit: 'm/s', multiple: 3, doc: 'x, y, z of each.'},
      {name: 'inverse_masses', type: 'number[]', unit: '1/kg', min: 0, max: 1000000000, scalar: true, doc: 'Of each, or one for all; 0 makes it static. A piece of a rigid body keeps its angular momentum.'},
      {name: 'rotations', type: 'number[]', min: -1000000, max: 1000000, multiple: 4, doc: 'Only of pieces of a rigid body: orientations, quaternions x, y, z, w of any length above 0. A piece that is turned keeps its angular velocity.'},
      {name: 'angular_velocities', type: 'number[]', unit: 'rad/s', min: -1000000, max: 1000000, multiple: 3, doc: 'Only of pieces of a rigid body: how each turns about its centre of mass, in the world.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'particle.pin': {
    name: 'particle.pin',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Holds particles in place, moves them to new places, or lets them follow a collider. A piece of a rigid body that a hard pin holds does not turn either. A hard pin holds its particle where its target is. A soft one, which has a compliance or a distance, leaves the particle its mass, draws it to the target and keeps it near: by at most 2^28 quanta (2 m) a tick. Pin pinned particles again to move them, to make them softer or harder, or to end that they follow.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'particles', type: 'u32[]', required: true, doc: 'Indices in the body, each once.'},
      {name: 'positions', type: 'number[]', unit: 'm', multiple: 3, doc: 'New places of the targets, x, y, z of each; default: where particles are, except that pins that stay soft keep their targets. At most 2^29 quanta (4 m) away by axis for each tick that they may take.'},
      {name: 'seconds', type: 'float', unit: 's', min: 0, max: 3600, doc: 'Time in which targets go to positions, evenly, to the nearest tick; absent: during the next tick. Each request sets out from where targets are then, so keyframes may come in one after the other.'},
      {name: 'at_tick', type: 'u64', doc: 'Tick at which targets are at positions, instead of seconds; one that has passed counts as the next.'},
      {name: 'collider', type: 'ref', doc: 'Collider that they follow, id or name: each keeps its present place in the collider\'s frame, and goes and turns with it, however that moves. Not with positions. If the collider is removed, the pins hold where they are then; world.reset takes their places again, where the body begins. Motions leave them alone.'},
      {name: 'compliance', type: 'number[]', unit: 'm/N', min: 0, max: 10000000000, scalar: true, doc: 'Inverse stiffness of the spring from the target to each particle, or one for all; 0 makes hard pins. Absent, with distance: no spring, so particles are free within the distance. Absent, without it: pins stay as soft as they are, and others become hard.'},
      {name: 'distance', type: 'number[]', unit: 'm', min: 0, scalar: true, doc: 'Greatest distance of each particle from its target, or one for all, at most 2^30 quanta (8 m); 0 makes hard pins. Only contact takes a particle farther. Absent, with compliance: no limit.'},
      {name: 'clamp', type: 'bool', doc: 'Only for particles of a rod. true: the pins also hold the orientation of the segment that begins there, or else ends there; false: they let it turn. Absent: as it is.'},
      {name: 'rotations', type: 'number[]', multiple: 4, doc: 'With clamp true: quaternions x, y, z, w of any length above 0, one a particle, to which the clamps turn over the next tick by the shortest way. Absent: they hold the orientation that there is.'},
      {name: 'clamp_turns', type: 'bool', doc: 'true, with collider: the clamps keep their orientations in the collider\'s frame, and turn with it; not with rotations. false: they hold as they are in the world, whatever the collider does. Absent: as it is, and false for a new clamp. Clamps also turn no more when their pins follow no collider, and when rotations are given.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'particle.unpin': {
    name: 'particle.unpin',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Releases pinned particles, with their masses and the velocities with which they were moved.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'particles', type: 'u32[]', required: true, doc: 'Indices in the body; those not pinned are left alone.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'grab.begin': {
    name: 'grab.begin',
    class: 'input',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Takes hold of a particle; it ends with grab.end, world.reset, the body or the session. However far the target, the pull moves the particle at most 2^28 quanta (2 m) a tick.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'body', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'particle', type: 'u32', required: true, doc: 'Index in the body.'},
      {name: 'target', type: 'vec3', unit: 'm', doc: 'Target; default: its present position.'},
      {name: 'compliance', type: 'float', default: 0.001, unit: 'm/N', min: 0, doc: 'Inverse stiffness of the pull.'},
    ],
    result: [
      {name: 'grab', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
    ],
  },
  'grab.move': {
    name: 'grab.move',
    class: 'input',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Moves the target; the last before a tick boundary wins.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'grab', type: 'u32', required: true, min: 1, doc: 'Id.'},
      {name: 'target', type: 'vec3', required: true, unit: 'm', doc: 'Target.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
    ],
  },
  'grab.end': {
    name: 'grab.end',
    class: 'input',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Lets go.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'grab', type: 'u32', required: true, min: 1, doc: 'Id.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
    ],
  },
  'collider.add': {
    name: 'collider.add',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Adds a collider that particles stay outside of, with Coulomb friction.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'name', type: 'string', default: '', nameLike: true, doc: 'Unique among the world\'s colliders if given.'},
      {name: 'kind', type: 'enum', values: ['plane', 'sphere', 'capsule', 'box', 'cylinder', 'convex', 'height_field'], required: true, doc: 'Shape.'},
      {name: 'position', type: 'vec3', default: [0, 0, 0], unit: 'm', doc: 'A point of the plane, the origin of a hull, the middle of a height field\'s grid at height 0, or the centre of the others.'},
      {name: 'normal', type: 'vec3', optional: true, default: [0, 1, 0], doc: 'Normal of the plane; made a unit vector.'},
      {name: 'rotation', type: 'vec4', doc: 'Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion; absent: none.'},
      {name: 'radius', type: 'float', default: 1, unit: 'm', min: 0, exclusiveMin: true, doc: 'Radius of the sphere, capsule or cylinder.'},
      {name: 'length', type: 'float', default: 1, unit: 'm', min: 0, doc: 'Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0.'},
      {name: 'half_extents', type: 'vec3', default: [0.5, 0.5, 0.5], unit: 'm', min: 0, exclusiveMin: true, doc: 'Half the edges of the box.'},
      {name: 'friction', type: 'float', default: 0.5, min: 0, max: 1000, doc: 'Coulomb coefficient mu.'},
      {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000.'},
      {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0.'},
      {name: 'surface', type: 'string', nameLike: true, doc: 'Name of its surface, as rubber: rows of the world\'s surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none.'},
      {name: 'points', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'For a convex collider, which is the hull of these: x, y, z of 4 to 512 points in its own frame, not all in a plane, the farthest coordinate 1e-6 m or more. They are rounded to a part in 2^24 of the power of two above that, and the hull has 128 vertices at most.'},
      {name: 'heights', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, doc: 'For a height field: heights along its y, over a grid about its position in its own x and z; 2 to 256 rows along z, in each 2 to 256 columns along x. Everything below is solid, without end; beside the grid there is nothing. Rounded to a part in 2^24 of the power of two at or above the greatest. The two triangles of a cell meet at the diagonal from its least x and z to its greatest.'},
      {name: 'columns', type: 'u32', min: 2, max: 256, doc: 'Heights in a row (height_field, required there).'},
      {name: 'spacing', type: 'float', unit: 'm', min: 1e-06, max: 1000000000, doc: 'From one height to the next along x and z (height_field); absent: 1.'},
      {name: 'surface_velocity', type: 'vec3', unit: 'm/s', min: -50, max: 50, doc: 'Velocity at which the surface runs on in the collider\'s own frame while the collider stands, as a conveyor does; 50 m/s at most. Friction works against it, and only what of it is along the surface counts. Absent: none.'},
      {name: 'surface_spin', type: 'vec3', unit: 'rad/s', min: -1000, max: 1000, doc: 'The same of a turn about the collider\'s position, in its own frame: [0, w, 0] makes a roller of a cylinder. Its length is 1000 rad/s at most, and the surface goes at 50 m/s at most. Absent: none.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'collider', type: 'u32', doc: 'Id.'},
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'warnings', type: 'list', of: 'warning', doc: 'Warnings about it and the present bodies.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'collider.set': {
    name: 'collider.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Changes a collider. It reaches a new position or rotation during the next tick, and carries along what lies on it, at 50 m/s at most.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'collider', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'Unique among the world\'s colliders.'},
      {name: 'position', type: 'vec3', unit: 'm', doc: 'As in collider.add.'},
      {name: 'normal', type: 'vec3', doc: 'As in collider.add (plane).'},
      {name: 'rotation', type: 'vec4', doc: 'Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of normal); made a unit quaternion.'},
      {name: 'radius', type: 'float', unit: 'm', min: 0, exclusiveMin: true, doc: 'As in collider.add (sphere).'},
      {name: 'length', type: 'float', unit: 'm', min: 0, doc: 'Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its flat ends, above 0.'},
      {name: 'half_extents', type: 'vec3', unit: 'm', min: 0, exclusiveMin: true, doc: 'Half the edges of the box.'},
      {name: 'friction', type: 'float', min: 0, max: 1000, doc: 'As in collider.add.'},
      {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'As in collider.add.'},
      {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'As in collider.add.'},
      {name: 'surface', type: 'string', nameLike: true, doc: 'As in collider.add; empty: it has none.'},
      {name: 'points', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'As in collider.add (convex): another hull, at once.'},
      {name: 'heights', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, doc: 'As in collider.add (height_field): other ground, at once. What was given before of columns and spacing stays.'},
      {name: 'columns', type: 'u32', min: 2, max: 256, doc: 'As in collider.add (height_field).'},
      {name: 'spacing', type: 'float', unit: 'm', min: 1e-06, max: 1000000000, doc: 'As in collider.add (height_field).'},
      {name: 'surface_velocity', type: 'vec3', unit: 'm/s', min: -50, max: 50, doc: 'As in collider.add, at once; zeros: none.'},
      {name: 'surface_spin', type: 'vec3', unit: 'rad/s', min: -1000, max: 1000, doc: 'As in collider.add, at once; zeros: none.'},
      {name: 'teleport', type: 'bool', default: false, doc: 'True: it is in its new position and rotation at once, without a velocity, and carries nothing along. Only with position, normal or rotation. False: it moves there during the next tick.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'warnings', type: 'list', of: 'warning', doc: 'The same, if radius, half_extents or points were given.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'collider.remove': {
    name: 'collider.remove',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 1,
    doc: 'Removes a collider.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'collider', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'motion.add': {
    name: 'motion.add',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 3,
    doc: 'Moves and turns a collider, or pinned particles, by keyframes: in each substep by as much as the keyframes change in it, so other movements add to it. The motion ends with its collider or body; world.reset begins it again.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'collider', type: 'ref', doc: 'Collider to move, by id or name.'},
      {name: 'body', type: 'ref', doc: 'Body whose particles move, instead of collider.'},
      {name: 'particles', type: 'u32[]', doc: 'Indices in the body, each once.'},
      {name: 'times', type: 'f64[]', required: true, unit: 's', min: 0, max: 1000000, doc: 'Times of the keyframes since the motion was added, ascending.'},
      {name: 'offsets', type: 'f64[]', required: true, unit: 'm', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'x, y, z at each time; constant before the first and after the last. Pins go at most 4 m in a tick along an axis at the default resolution, in proportion to it.'},
      {name: 'loop', type: 'bool', default: false, doc: 'After the last time begin again at time 0.'},
      {name: 'rotations', type: 'f64[]', min: -1000000, max: 1000000, multiple: 4, doc: 'Quaternion x, y, z, w at each time, of any length but zero: turns a collider about its position, and particles about the pivot, by as much as it differs from the first one. From one to the next the shorter way. Absent: no turning.'},
      {name: 'pivot', type: 'vec3', unit: 'm', doc: 'Point that particles turn about as they stand now; it goes along with the offsets. Absent: the middle of the particles.'},
      {name: 'interpolation', type: 'enum', values: ['linear', 'cubic'], default: 'linear', doc: 'Between keyframes: with linear the velocity jumps at each; cubic is smooth, at rest at its ends (except a loop from time 0 on, which goes round) and at each turning point, and never passes beyond its keyframes.'},
      {name: 'poses', type: 'f32[]', unit: 'm', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'For a body whose shape changes: x, y, z of each of particles at each time, one keyframe after the other, on top of offsets and rotations. Only differences between times count. Absent: all particles move alike.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'motion', type: 'u32', doc: 'Id.'},
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'motion.remove': {
    name: 'motion.remove',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 3,
    doc: 'Ends a motion; what it moved stays in place.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'motion', type: 'u32', required: true, min: 1, doc: 'Id.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'motion.list': {
    name: 'motion.list',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 3,
    doc: 'Lists the motions of a world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'poses', type: 'bool', default: false, doc: 'Give poses, too: they may be megabytes.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'motions', type: 'list', of: 'motion_summary', doc: 'By id.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'force.add': {
    name: 'force.add',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 7,
    doc: 'Adds a field of force.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'field', type: 'map', of: 'force_field', required: true, partial: true, doc: 'The field; kind must be given.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'force', type: 'u32', doc: 'Id of the field.'},
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'force.set': {
    name: 'force.set',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 7,
    doc: 'Changes a field of force.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'force', type: 'u32', required: true, min: 1, doc: 'Id of the field.'},
      {name: 'field', type: 'map', of: 'force_field', required: true, partial: true, doc: 'The fields of it that change; absent ones stay.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'force.remove': {
    name: 'force.remove',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 7,
    doc: 'Removes a field of force.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'force', type: 'u32', required: true, min: 1, doc: 'Id of the field.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'force.list': {
    name: 'force.list',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 7,
    doc: 'Lists the fields of force of a world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
    ],
    result: [
      {name: 'fields', type: 'list', of: 'force_field', doc: 'By id.'},
      {name: 'revision', type: 'u64', doc: 'Revision shown.'},
      {name: 'tick', type: 'u64', doc: 'Boundary shown.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'edit.restore': {
    name: 'edit.restore',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 3,
    doc: 'Makes things what they were: the record that takes an edit back. Everything that it does not name goes on. Things come back under their ids, which nothing else may have by now (CONFLICT); grabs that an edit ended do not come back. It is INVALID if it contradicts itself: a thing is removed and named as well, or is named twice. Only a collider or a motion may be removed for another one that comes back under its id. It is applied whole or refused whole.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'removed', type: 'map', of: 'restore_removed', optional: true, doc: 'Things to remove.'},
      {name: 'name', type: 'string', nameLike: true, doc: 'Name of the world.'},
      {name: 'settings', type: 'map', of: 'restore_settings', optional: true, doc: 'Settings of the world.'},
      {name: 'bodies', type: 'list', of: 'document_body', most: 4096, doc: 'Bodies that come back, with their ids, by id.'},
      {name: 'parts', type: 'list', of: 'restore_body', most: 4096, doc: 'Values of bodies that stay.'},
      {name: 'particles', type: 'list', of: 'restore_particles', most: 16384, doc: 'Particles, one entry after the other.'},
      {name: 'own', type: 'list', of: 'restore_own', most: 4096, doc: 'Constraints that bodies came with; those that are gone come back.'},
      {name: 'constraints', type: 'list', of: 'document_constraints', most: 4096, doc: 'Loose constraints, with their ids; those that are gone come back.'},
      {name: 'colliders', type: 'list', of: 'restore_collider', most: 256, doc: 'Colliders, by id.'},
      {name: 'motions', type: 'list', of: 'document_motion', most: 256, doc: 'Motions, with their ids; those that are gone come back.'},
      {name: 'next', type: 'map', of: 'restore_next', optional: true, doc: 'Next ids. One that is lower than what is next now does not count: no id is given twice.'},
      {name: 'expected_next', type: 'map', of: 'restore_next', optional: true, doc: 'Next ids if there was no edit in between; if one differs, ids were given since, and it stays.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'edit.undo': {
    name: 'edit.undo',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 6,
    doc: 'Takes an edit back: what it changed is what it was before, and everything else goes on. Without revision, the caller\'s last edit that stands; again, the one before. Answers CONFLICT if the same was changed since, and says by whom.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'force', type: 'bool', default: false, doc: 'Take it back even if somebody has changed the same since, or if it was another person\'s edit.'},
      {name: 'revision', type: 'u64', min: 1, doc: 'The edit to take back; default the last of one\'s own that stands.'},
      {name: 'back', type: 'map', of: 'undo_back', optional: true, doc: 'The steps. The server gives them, in records and to others; a request leaves them out.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'undone', type: 'map', of: 'undo_edit', doc: 'The edit that was taken back.'},
      {name: 'left_out', type: 'list', of: 'undo_left_out', doc: 'Parts that could not be restored, with force.'},
      {name: 'overwritten', type: 'list', of: 'undo_overwritten', doc: 'Later changes whose values it overwrote, with force; the last of each field.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'edit.redo': {
    name: 'edit.redo',
    class: 'edit',
    role: 'editor',
    record: true,
    since: 6,
    doc: 'Makes an edit again that the caller has taken back, the last one first. A new edit of the caller empties this list. Answers CONFLICT if the same was changed since, and says by whom.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'force', type: 'bool', default: false, doc: 'Take it back even if somebody has changed the same since, or if it was another person\'s edit.'},
      {name: 'revision', type: 'u64', min: 1, doc: 'The edit to do again; default: the last that the caller took back.'},
      {name: 'back', type: 'map', of: 'undo_back', optional: true, doc: 'The steps. The server gives them, in records and to others; a request leaves them out.'},
      {name: 'if_revision', type: 'u64', doc: 'Only if this is still the revision of the world; else CONFLICT, which says what the last edit was, and whose.'},
      {name: 'if_epoch', type: 'u64', doc: 'Only if the world is still written under this epoch, which world.get and world.join tell; else CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.'},
      {name: 'if_thing_revision', type: 'u64', doc: 'Only if no edit after this revision concerned what this one does: touched of a body or collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else CONFLICT, which says which edit did, and whose it was.'},
      {name: 'edit_id', type: 'string', nameLike: true, doc: 'The caller\'s own name of this edit, unlike any other of theirs. Sent again, it is not applied again: the answer is that of the first time. With another method or other parameters, CONFLICT.'},
      {name: 'gesture', type: 'string', nameLike: true, doc: 'The caller\'s own name of what they do between a press and its release. Edits of one session with the same gesture are one step of undo. A gesture ends with its connection: a session that goes on begins another step.'},
    ],
    result: [
      {name: 'revision', type: 'u64', doc: 'After this edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'redone', type: 'map', of: 'undo_edit', doc: 'The edit that was done again.'},
      {name: 'left_out', type: 'list', of: 'undo_left_out', doc: 'Parts that could not be restored, with force.'},
      {name: 'overwritten', type: 'list', of: 'undo_overwritten', doc: 'Later changes whose values it overwrote, with force; the last of each field.'},
      {name: 'repeated', type: 'bool', optional: true, doc: 'True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.'},
    ],
  },
  'stream.subscribe': {
    name: 'stream.subscribe',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Sends stream.frame from now on, beginning with the present state; or, if encoding is records, stream.records, beginning with an image of it.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'Id or name.'},
      {name: 'bodies', type: 'u32[]', doc: 'Body ids; absent: all, later ones too.'},
      {name: 'fields', type: 'flags', values: ['positions', 'positions64', 'velocities', 'normals', 'measures', 'grabs', 'colliders', 'skin', 'contact', 'contacts', 'asleep', 'rotations', 'rotations64'], default: ['positions'], doc: 'What each frame holds: arrays for each body; measures, grabs, the colliders that motions move, contact and contacts (its places), and the bodies that sleep (asleep) once a frame; skin: the vertices of the skins; rotations and rotations64: a quaternion x, y, z, w for each particle, of bodies with orientations alone, rounded or exact, and four zeros for a particle that has none.'},
      {name: 'every', type: 'u32', default: 1, min: 1, max: 1000000, doc: 'Each so many units, counted from the world\'s start.'},
      {name: 'unit', type: 'enum', values: ['tick', 'substep'], default: 'tick', doc: 'What is counted.'},
      {name: 'encoding', type: 'enum', values: ['f32', 'records', 'q16', 'delta'], default: 'f32', doc: 'How positions and skin are encoded. q16, delta: small (docs/reference/compressed.md); positions64, velocities, normals and rotations are refused there. records: they are not, what decides them is sent (docs/concepts/twins.md); bodies, fields, every, unit, nth and box are refused there, and so is a world that failed or that shows the past.'},
      {name: 'tolerance', type: 'float', default: 0.0001, unit: 'm', min: 1e-12, max: 1000000, doc: 'By how much a coordinate may be off at most; of delta alone. Rounded down to 1, 1.4, 2, 2.8, 4, 5 or 7 times a power of ten.'},
      {name: 'nth', type: 'u32', default: 1, min: 1, max: 1000000, doc: 'Every n-th vertex of each body (and skin): 0, n, 2n, …'},
      {name: 'box', type: 'number[]', unit: 'm', multiple: 3, doc: 'Six numbers, the lowest x, y, z and the highest: bodies without a particle in it are left out, and of q16 and delta tiles of large ones. Absent or empty: all space.'},
      {name: 'mode', type: 'enum', values: ['live', 'lossless'], default: 'live', doc: 'live: a slow client gets fewer frames, the newest. lossless: it gets all that the stream wants, or the stream ends and says why; with every encoding but records, which loses nothing anyway and refuses it. What was taken has to be acknowledged (stream.ack).'},
      {name: 'credit', type: 'u32', default: 1048576, unit: 'B', min: 1, max: 67108864, doc: 'For lossless alone: bytes of frames that are sent and not acknowledged, from which on no frame begins.'},
      {name: 'backlog', type: 'u32', default: 4194304, unit: 'B', min: 65536, max: 67108864, doc: 'For lossless alone: bytes of frames that the server keeps for it and has not sent. If one more tick does not fit, the world waits, if it may be held (world.hold); otherwise the stream ends. A tick whose frames are larger ends it as well.'},
      {name: 'sparse', type: 'bool', default: false, doc: 'Without a box alone: chunks in which no number has changed are left out of frames, which then build on the one before; left_out tells how many. So what rests costs no bytes.'},
      {name: 'adapt', type: 'bool', default: false, doc: 'For live alone, but not for records: if this client is too slow, `every` doubles, up to 64 times what was asked for, and halves again while it keeps up; stream.rate tells. Moments still count from the world\'s start.'},
    ],
    result: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'revision', type: 'u64', doc: 'Revision.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'stream.set': {
    name: 'stream.set',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Changes a stream of this session; absent fields stay. A frame follows at once, whose chunks all stand alone. A stream of records has nothing to change: INVALID.',
    params: [
      {name: 'stream', type: 'u32', required: true, min: 1, doc: 'Id.'},
      {name: 'bodies', type: 'u32[]', doc: 'Body ids; an empty list means all, later ones too.'},
      {name: 'fields', type: 'flags', values: ['positions', 'positions64', 'velocities', 'normals', 'measures', 'grabs', 'colliders', 'skin', 'contact', 'contacts', 'asleep', 'rotations', 'rotations64'], doc: 'As in stream.subscribe.'},
      {name: 'every', type: 'u32', min: 1, max: 1000000, doc: 'As in stream.subscribe.'},
      {name: 'unit', type: 'enum', values: ['tick', 'substep'], doc: 'As in stream.subscribe.'},
      {name: 'encoding', type: 'enum', values: ['f32', 'q16', 'delta'], doc: 'As in stream.subscribe.'},
      {name: 'tolerance', type: 'float', unit: 'm', min: 1e-12, max: 1000000, doc: 'As in stream.subscribe. One of which the encoding becomes delta, and no tolerance is given, has 1e-4.'},
      {name: 'nth', type: 'u32', min: 1, max: 1000000, doc: 'As in stream.subscribe.'},
      {name: 'box', type: 'number[]', unit: 'm', multiple: 3, doc: 'As in stream.subscribe; an empty list means all space.'},
      {name: 'sparse', type: 'bool', doc: 'As in stream.subscribe. It ends with a box.'},
      {name: 'adapt', type: 'bool', doc: 'As in stream.subscribe. If every or unit is given, or adapt changes, `every` is again what was asked for.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'revision', type: 'u64', doc: 'Revision.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'stream.unsubscribe': {
    name: 'stream.unsubscribe',
    class: 'query',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Ends a stream of this session; frames already on their way may still arrive before the answer.',
    params: [
      {name: 'stream', type: 'u32', required: true, min: 1, doc: 'Id.'},
    ],
    result: [
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'durable_revision', type: 'u64', optional: true, doc: 'Beside durable: the last revision that is certain to be kept.'},
      {name: 'durable', type: 'bool', optional: true, doc: 'False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else absent.'},
    ],
  },
  'stream.ack': {
    name: 'stream.ack',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 1,
    doc: 'Acknowledges frames up to seq, so that a lossless stream goes on. Send it at the latest when a quarter of its credit or of lossless_unacked is taken. A live stream does not wait for it. A seq that was not sent: INVALID.',
    params: [
      {name: 'stream', type: 'u32', required: true, min: 1, doc: 'Id.'},
      {name: 'seq', type: 'u32', required: true, doc: 'As in stream.frame.'},
    ],
    result: [],
  },
  'stream.differs': {
    name: 'stream.differs',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Reports that a twin reached another hash or result than stream.records told. The server counts it (/metrics, weft_twin_differences_total) and does nothing else: subscribe again to begin again.',
    params: [
      {name: 'stream', type: 'u32', required: true, min: 1, doc: 'Id; its encoding is records.'},
      {name: 'tick', type: 'u64', required: true, doc: 'Tick at which it was seen.'},
    ],
    result: [],
  },
  'world.control': {
    name: 'world.control',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Takes, gives or releases the right to play, pause, step and reset a world, or asks for it. It ends with the session.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
      {name: 'action', type: 'enum', values: ['look', 'take', 'release', 'ask', 'give'], default: 'look', doc: 'take: hold it, if nobody does; an owner takes it from whoever does. ask: those who joined are told that one would like it. give: hand it to another session that joined.'},
      {name: 'to', type: 'u32', optional: true, min: 1, doc: 'For give: their session.'},
    ],
    result: [
      {name: 'session', type: 'u32', doc: 'Session that holds control; 0: none, and the role alone decides.'},
      {name: 'user', type: 'string', doc: 'Their name.'},
    ],
  },
  'access.list': {
    name: 'access.list',
    class: 'server',
    role: 'viewer',
    record: false,
    since: 6,
    doc: 'Lists the roles and invitations of a world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
    ],
    result: [
      {name: 'people', type: 'list', of: 'access_person', doc: 'All who have a role in it, except admins.'},
      {name: 'invites', type: 'list', of: 'access_invite', doc: 'Invitations, for owners; others see none.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], doc: 'One\'s own; an admin is an owner.'},
      {name: 'control', type: 'enum', values: ['editor', 'owner'], doc: 'Who may play, pause, step and reset it.'},
    ],
  },
  'access.grant': {
    name: 'access.grant',
    class: 'server',
    role: 'owner',
    record: false,
    since: 6,
    doc: 'Gives somebody a role in a world, or changes it. If the new role is lesser, the sessions that depend on the old one end, and so do invitations of this person that give more than the new role.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
      {name: 'user', type: 'string', required: true, doc: 'Name of the person; * is everybody who has a token.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], default: 'viewer', doc: 'viewer, editor or owner.'},
      {name: 'keep_invites', type: 'bool', default: false, doc: 'Leaves invitations that this person made as they are.'},
    ],
    result: [
      {name: 'invites', type: 'list', of: 'access_invite', doc: 'Invitations that ended.'},
    ],
  },
  'access.revoke': {
    name: 'access.revoke',
    class: 'server',
    role: 'owner',
    record: false,
    since: 6,
    doc: 'Takes a role in a world back, or an invitation. Sessions of that person in that world end at once, and so do the invitations into it that this person made.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
      {name: 'user', type: 'string', optional: true, doc: 'Name of the person; this or invite.'},
      {name: 'invite', type: 'u32', optional: true, min: 1, doc: 'Id of an invitation.'},
      {name: 'keep_invites', type: 'bool', default: false, doc: 'Leaves invitations that this person made as they are.'},
    ],
    result: [
      {name: 'invites', type: 'list', of: 'access_invite', doc: 'Invitations that ended.'},
      {name: 'given', type: 'list', of: 'access_given', doc: 'Roles in this world that people have because this person gave them, by hand or by an invitation. They keep them.'},
    ],
  },
  'access.invite': {
    name: 'access.invite',
    class: 'server',
    role: 'owner',
    record: false,
    since: 6,
    doc: 'Makes an invitation into a world: anybody who has it may accept it, as often as it says.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], default: 'viewer', doc: 'That it gives.'},
      {name: 'uses', type: 'u32', default: 1, min: 1, max: 1000, doc: 'How often it can be accepted.'},
      {name: 'seconds', type: 'u64', default: 604800, unit: 's', min: 1, max: 31536000, doc: 'How long it is good; no longer than the token of whoever makes it.'},
    ],
    result: [
      {name: 'invite', type: 'string', doc: 'The invitation, told this once; of the studio\'s address it is the part behind #invite=, which browsers send to nobody.'},
      {name: 'id', type: 'u32', doc: 'For access.revoke.'},
      {name: 'expires_at', type: 'float', unit: 's', doc: 'Since 1970.'},
    ],
  },
  'access.accept': {
    name: 'access.accept',
    class: 'server',
    role: 'anyone',
    record: false,
    since: 6,
    doc: 'Accepts an invitation. A caller without a token becomes a person by it, and gets a token.',
    params: [
      {name: 'invite', type: 'string', required: true, doc: 'As access.invite gave it.'},
      {name: 'user', type: 'string', default: '', nameLike: true, doc: 'Name of a new person; it may not be somebody\'s already. Default guest-ID.'},
    ],
    result: [
      {name: 'world', type: 'u32', doc: 'World.'},
      {name: 'name', type: 'string', doc: 'Its name.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], doc: 'One\'s role in it now.'},
      {name: 'user', type: 'string', doc: 'One\'s name.'},
      {name: 'token', type: 'string', doc: 'Token of a new person, told this once; empty if the caller had shown a token.'},
    ],
  },
  'access.set': {
    name: 'access.set',
    class: 'server',
    role: 'owner',
    record: false,
    since: 6,
    doc: 'Sets who may play, pause, step and reset a world.',
    params: [
      {name: 'world', type: 'ref', required: true, doc: 'World.'},
      {name: 'control', type: 'enum', values: ['editor', 'owner'], required: true, doc: 'Needs that role, or a higher one.'},
    ],
    result: [],
  },
  'token.create': {
    name: 'token.create',
    class: 'server',
    role: 'admin',
    record: false,
    since: 6,
    doc: 'Makes a token for a person. One person may have several.',
    params: [
      {name: 'user', type: 'string', required: true, nameLike: true, doc: 'Name of the person, which others see.'},
      {name: 'role', type: 'enum', values: ['viewer', 'editor', 'admin'], default: 'editor', doc: 'viewer: is in worlds that they have a role in; editor: makes worlds too; admin: everything, in all worlds.'},
      {name: 'seconds', type: 'u64', default: 7776000, unit: 's', max: 315360000, doc: 'How long it is good; 0: until it is revoked.'},
    ],
    result: [
      {name: 'token', type: 'string', doc: 'The token, told this once.'},
      {name: 'id', type: 'u32', doc: 'For token.revoke.'},
      {name: 'expires_at', type: 'float', unit: 's', doc: 'Since 1970; 0: never.'},
    ],
  },
  'token.list': {
    name: 'token.list',
    class: 'server',
    role: 'admin',
    record: false,
    since: 6,
    doc: 'Lists all valid tokens.',
    params: [],
    result: [
      {name: 'tokens', type: 'list', of: 'access_token', doc: 'By id.'},
    ],
  },
  'token.revoke': {
    name: 'token.revoke',
    class: 'server',
    role: 'admin',
    record: false,
    since: 6,
    doc: 'Ends a token, or all of a person, and the sessions that are open with them, at once. The invitations that this person made, into any world, end as well.',
    params: [
      {name: 'id', type: 'u32', optional: true, min: 1, doc: 'Id of the token; this or user.'},
      {name: 'user', type: 'string', optional: true, doc: 'All of theirs.'},
      {name: 'keep_invites', type: 'bool', default: false, doc: 'Leaves invitations that this person made as they are.'},
    ],
    result: [
      {name: 'revoked', type: 'u32', doc: 'Tokens.'},
      {name: 'invites', type: 'list', of: 'access_invite', doc: 'Invitations that ended.'},
      {name: 'given', type: 'list', of: 'access_given', doc: 'Roles that people have because this person gave them, by hand or by an invitation. They keep them.'},
    ],
  },
};

/** What the server sends by itself. */
export const NOTIFICATIONS: Readonly<Record<Notification | 'stream.frame', NotificationInfo>> = {
  'stream.frame': {
    name: 'stream.frame',
    since: 1,
    doc: 'One moment of a world, or a part of it; laid out so that arrays lie at multiples of 8 bytes. Fields that begin with _ are padding.',
    params: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'seq', type: 'u32', doc: 'Counts the frames of this stream that were sent; the parts of a frame share it.'},
      {name: 'dropped', type: 'u32', doc: 'Frames left out since the last one sent.'},
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'substep', type: 'u32', doc: 'Substeps done of the next tick; 0 at a boundary.'},
      {name: 'time', type: 'float', unit: 's', doc: 'tick / tick_rate.'},
      {name: 'revision', type: 'u64', doc: 'Edits this frame contains.'},
      {name: 'part', type: 'u32', doc: 'From 0.'},
      {name: 'parts', type: 'u32', doc: 'Messages this frame consists of.'},
      {name: 'epoch', type: 'u64', optional: true, doc: 'If several servers share worlds: counts the times that a server began to run this one; of two frames of one tick, the one of the later epoch holds.'},
      {name: 'encoding', type: 'enum', values: ['q16', 'delta'], optional: true, doc: 'Encoding of positions and skin; absent: f32.'},
      {name: 'tolerance', type: 'float', optional: true, unit: 'm', doc: 'If encoding is delta: the tolerance of the stream, after rounding.'},
      {name: 'nth', type: 'u32', optional: true, doc: 'Only vertices 0, nth, 2 nth, … are there; absent: 1.'},
      {name: 'measures', type: 'map', of: 'measures', optional: true, doc: 'In part 0, if asked for.'},
      {name: 'grabs', type: 'list', of: 'grab_summary', optional: true, doc: 'In part 0, if asked for.'},
      {name: 'colliders', type: 'list', of: 'collider_pose', optional: true, doc: 'In part 0, if asked for: those that motions move. No edit tells of their ways.'},
      {name: 'contact', type: 'map', of: 'contact', optional: true, doc: 'In part 0, if asked for: of contact between bodies.'},
      {name: 'contacts', type: 'map', of: 'contacts', optional: true, doc: 'In part 0, if asked for: the places where bodies met in the last whole tick.'},
      {name: 'asleep', type: 'u32[]', optional: true, doc: 'In part 0, if asked for and any body of the world sleeps: the ids of those that do, ascending. A plain list, whatever `arrays` the session has.'},
      {name: 'left_out', type: 'u32', optional: true, doc: 'If the stream is sparse and anything is left out: how many chunks are not in this frame, in all its parts, because they are as in the frame before. Absent: the frame is whole.'},
      {name: 'bodies', type: 'any', doc: 'List of {body, first, count, positions, positions64, velocities, normals, rotations, rotations64}: arrays of 3 count numbers, or 4 count for rotations, particles first ... first + count - 1. Skins come as {body, first, count, skin} by themselves: vertices first ... first + count - 1. Where encoding is there, positions and skin are a bin with a chunk of the codec: of the whole body, or, where tile and tiles are there, of one of its tiles (docs/reference/compressed.md).'},
    ],
  },
  'world.edited': {
    name: 'world.edited',
    since: 1,
    doc: 'Tells an edit of a world that this session joined.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'revision', type: 'u64', doc: 'After the edit.'},
      {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
      {name: 'user', type: 'string', doc: 'Who made it.'},
      {name: 'session', type: 'u32', doc: 'Their session.'},
      {name: 'method', type: 'string', doc: 'Method.'},
      {name: 'params', type: 'any', doc: 'Parameters with defaults filled in and names as ids.'},
      {name: 'result', type: 'any', doc: 'The answer that the editor got.'},
      {name: 'omitted', type: 'any', doc: 'Names of arrays left out of params and result for their size.'},
      {name: 'undo_of', type: 'u64', doc: 'Revision of the edit that it took back; 0: none.'},
      {name: 'redo_of', type: 'u64', doc: 'Revision of the edit that it did again; 0: none.'},
      {name: 'gesture', type: 'u64', doc: 'Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none.'},
    ],
  },
  'world.changed': {
    name: 'world.changed',
    since: 1,
    doc: 'Tells that a world that this session joined plays, pauses, failed or is gone, takes no edits or takes them again, or that a view of the past (world.seek) shows another tick. moved: another server of the deployment runs it from here on; this session is in it no more, and its streams of it end.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'state', type: 'enum', values: ['paused', 'playing', 'failed', 'deleted', 'moved'], doc: 'Its state from now on.'},
      {name: 'rate', type: 'float', doc: 'Multiple of real time.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'reason', type: 'string', doc: 'Why it failed; empty otherwise.'},
      {name: 'user', type: 'string', doc: 'Who did it; empty if the world did.'},
      {name: 'session', type: 'u32', doc: 'Their session; 0 if the world did.'},
      {name: 'read_only', type: 'string', doc: 'Why it takes no edits now; empty: it does.'},
      {name: 'view_of', type: 'u32', doc: 'World whose past it shows; 0: it is no view.'},
      {name: 'slowed', type: 'bool', doc: 'Its ticks take longer than they may (limit tick_ms): it has half a thread at most.'},
      {name: 'hold', type: 'bool', doc: 'Lossless streams may hold it (world.hold).'},
      {name: 'held_by', type: 'u32', doc: 'Session whose lossless stream has held it for a second or longer; 0: none.'},
      {name: 'server', type: 'string', optional: true, doc: 'With moved: name of the server that runs it now.'},
      {name: 'address', type: 'string', optional: true, doc: 'With moved: where that takes connections: HOST:PORT, or tls://HOST:PORT.'},
      {name: 'web', type: 'string', optional: true, doc: 'With moved: where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.'},
    ],
  },
  'world.warned': {
    name: 'world.warned',
    since: 7,
    doc: 'Tells that the warnings of a world that this session joined have changed. The server looks at each body after every 1024 sweeps (substeps times iterations of ticks), at ticks that are a multiple of a power of two from 16 to 1024. A warning comes when the error is above 5 % in two looks, one after the other, and goes when it is below 2.5 % in two.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'warnings', type: 'list', of: 'warning', doc: 'All that hold now: STRETCHED and STIFF, with the body\'s id as their one element. Empty: all have gone.'},
    ],
  },
  'body.tear': {
    name: 'body.tear',
    since: 7,
    doc: 'Tells that a body of a world that this session joined tore in a tick. Frames of tick `tick` and of later ones have the particles that split off; triangles keep their numbers.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
      {name: 'body', type: 'u32', doc: 'Id.'},
      {name: 'first', type: 'u32', doc: 'The first particle that split off; the others have the next numbers.'},
      {name: 'origins', type: 'u32[]', doc: 'The particle that each of them split from.'},
      {name: 'changed', type: 'u32[]', doc: 'Triangles that have other corners now, by their place in the list of triangles.'},
      {name: 'corners', type: 'u32[]', multiple: 3, doc: 'Three corners of each of these.'},
      {name: 'edges', type: 'u32[]', multiple: 2, doc: 'The two ends of each edge that was cut, as particles of the mesh as it was made.'},
    ],
  },
  'world.person': {
    name: 'world.person',
    since: 3,
    doc: 'Tells that somebody in a world that this session joined has another name: session.hello was called again, and world.join after it.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'session', type: 'u32', doc: 'Their session.'},
      {name: 'user', type: 'string', doc: 'The name now.'},
      {name: 'client', type: 'string', doc: 'The program now.'},
    ],
  },
  'world.controlled': {
    name: 'world.controlled',
    since: 6,
    doc: 'Control of a world that this session joined was taken, given, released or asked for (world.control).',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'session', type: 'u32', doc: 'Who holds it; 0: nobody.'},
      {name: 'user', type: 'string', doc: 'Their name.'},
      {name: 'asking', type: 'u32', optional: true, doc: 'Session that would like it.'},
      {name: 'asking_user', type: 'string', optional: true, doc: 'Their name.'},
    ],
  },
  'world.presence': {
    name: 'world.presence',
    since: 6,
    doc: 'Tells of somebody in a world that this session joined: when they join, when what they show changes, when they are away, and when they are gone. After world.join everybody present is told. At most 30 a second for one person (limit presence_per_second), and only the newest if this session reads slowly.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'session', type: 'u32', doc: 'Their session.'},
      {name: 'user', type: 'string', doc: 'As in session.hello.'},
      {name: 'client', type: 'string', doc: 'As in session.hello.'},
      {name: 'name', type: 'string', doc: 'As in presence.set; the user\'s if none was set.'},
      {name: 'color', type: 'string', doc: 'As in presence.set; empty: none was set.'},
      {name: 'camera', type: 'map', of: 'presence_camera', doc: 'As in presence.set.'},
      {name: 'cursor', type: 'map', of: 'presence_cursor', doc: 'As in presence.set.'},
      {name: 'selection', type: 'list', of: 'presence_thing', doc: 'As in presence.set.'},
      {name: 'holds', type: 'u32[]', doc: 'Ids of their grabs.'},
      {name: 'away', type: 'bool', doc: 'Their connection is lost: what they hold, holds still.'},
      {name: 'gone', type: 'bool', doc: 'The last that is told of them, until they come again.'},
    ],
  },
  'world.said': {
    name: 'world.said',
    since: 6,
    doc: 'Somebody said something to all who joined a world.',
    params: [
      {name: 'world', type: 'u32', doc: 'Id.'},
      {name: 'line', type: 'u64', doc: 'Counts the lines of this world, so that one that comes again after a lost connection is known.'},
      {name: 'session', type: 'u32', doc: 'Who.'},
      {name: 'user', type: 'string', doc: 'As in session.hello.'},
      {name: 'name', type: 'string', doc: 'As in world.presence.'},
      {name: 'text', type: 'string', doc: 'The line.'},
    ],
  },
  'stream.records': {
    name: 'stream.records',
    since: 6,
    doc: 'Everything that decides the future of a world, for sessions that subscribed with encoding records (docs/concepts/twins.md): an image of it in pieces, then its records, how far it has come, and now and then the hash of its state. Nothing is lost or doubled in between. A piece with part 0 begins again, with that image.',
    params: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'seq', type: 'u32', doc: 'Counts images and messages of this stream, from 1; the pieces of an image share it.'},
      {name: 'tick', type: 'u64', doc: 'So far the world had come: ticks up to it have run, and the records up to this message are applied. With an image, the boundary that it is of.'},
      {name: 'at', type: 'u64', unit: 'us', doc: 'When that was, by the clock of server.ping.'},
      {name: 'state', type: 'enum', values: ['paused', 'playing', 'failed'], optional: true, doc: 'State of the world from here on; absent: as before. Always with part 0.'},
      {name: 'rate', type: 'float', optional: true, doc: 'With state: multiple of real time.'},
      {name: 'records', type: 'any', optional: true, doc: 'List of bins, in order. One that begins with the byte 0xC1 is differences from the record before it in this stream, any other the canonical bytes of a record (docs/reference/records.md). A record that the image has already, by its sequence, is passed over.'},
      {name: 'hash', type: 'string', optional: true, doc: 'As of world.hash, at this tick after these records; of an image, of what it holds.'},
      {name: 'part', type: 'u32', optional: true, doc: 'For an image: the number of this piece, from 0.'},
      {name: 'parts', type: 'u32', optional: true, doc: 'Pieces of that image.'},
      {name: 'size', type: 'u64', optional: true, unit: 'B', doc: 'With part 0: of the whole image.'},
      {name: 'sequence', type: 'u64', optional: true, doc: 'With part 0: of the last record that is in the image.'},
      {name: 'image', type: 'any', optional: true, doc: 'A bin: a piece of a whole image (docs/reference/records.md, Images).'},
    ],
  },
  'stream.lagged': {
    name: 'stream.lagged',
    since: 1,
    doc: 'Frames were left out; at most once a second for each stream.',
    params: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'dropped', type: 'u64', doc: 'Frames left out since the stream began.'},
      {name: 'reason', type: 'string', optional: true, doc: 'Why the last ones were: \'slow\' (this client was), \'no_room\' (others hold the frames of this world, limit frame_bytes), \'substeps\' (those of one tick are more than frame_bytes by themselves: ask for fewer), \'late\' (the server had not sent off the ones before), \'work\' (making the frames of this person\'s streams takes more work than it may, limit stream_work_person) or \'memory\' (it has none).'},
    ],
  },
  'stream.rate': {
    name: 'stream.rate',
    since: 6,
    doc: 'A stream goes on at another rate: one that adapts (stream.subscribe adapt), or any whose frames take more work than this person may ask for (limit stream_work_person).',
    params: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'every', type: 'u32', doc: 'From now on: what was asked for, times 1, 2, 4, … 64. The unit is the stream\'s.'},
    ],
  },
  'stream.closed': {
    name: 'stream.closed',
    since: 1,
    doc: 'A stream ended without being asked to.',
    params: [
      {name: 'stream', type: 'u32', doc: 'Id.'},
      {name: 'reason', type: 'string', doc: 'Why.'},
      {name: 'server', type: 'string', optional: true, doc: 'If its world has moved: name of the server that runs it now.'},
      {name: 'address', type: 'string', optional: true, doc: 'Where that takes connections: HOST:PORT, or tls://HOST:PORT.'},
      {name: 'web', type: 'string', optional: true, doc: 'Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.'},
    ],
  },
  'error': {
    name: 'error',
    since: 1,
    doc: 'Tells that something was wrong that the client sent without expecting an answer; at most ten a second. After code PROTOCOL or LIMIT with an empty method the connection is closed.',
    params: [
      {name: 'error', type: 'any', doc: 'As in a response.'},
      {name: 'method', type: 'string', doc: 'Method of the notification; empty if the stream itself is at fault.'},
    ],
  },
};

/** The types that fields of type map and list name in `of`. */
export type TypeName = 'storage' | 'history_span' | 'log_entry' | 'branch_change' | 'branch_refusal' | 'bin_world' | 'material' | 'stretch_material' | 'bend_plastic' | 'rest_shape' | 'bend_material' | 'solid_plastic' | 'solid_material' | 'rod_plastic' | 'rod' | 'rigid_part' | 'rigid_measures' | 'rigid' | 'pressure' | 'shape' | 'shape_measure' | 'tear' | 'torn' | 'torn_edges' | 'pressure_measure' | 'own_wind' | 'force_field' | 'force_fields' | 'surface_pair' | 'wind' | 'skin' | 'look_material' | 'look_image' | 'look' | 'phase_times' | 'id_range' | 'constraint_ranges' | 'warning' | 'person' | 'access_person' | 'access_given' | 'access_invite' | 'access_token' | 'presence_camera' | 'presence_cursor' | 'presence_thing' | 'world_summary' | 'server_summary' | 'touch' | 'body_summary' | 'collider_summary' | 'collider_pose' | 'grab_summary' | 'measures' | 'convergence' | 'contact' | 'contact_places' | 'contacts' | 'world_settings' | 'constraint_history' | 'body_history' | 'document_state' | 'document_body' | 'document_collider' | 'document_constraints' | 'motion_summary' | 'document_motion' | 'document_grab' | 'document' | 'restore_removed' | 'restore_settings' | 'restore_body' | 'restore_particles' | 'restore_own' | 'restore_collider' | 'restore_next' | 'restore_step' | 'undo_overwritten' | 'undo_left_out' | 'undo_edit' | 'undo_back';

export const TYPES: Readonly<Record<TypeName, TypeInfo>> = {
  storage: {name: 'storage', doc: 'How a server keeps its worlds and their past.', fields: [
    {name: 'kind', type: 'enum', values: ['memory', 'sqlite', 'nats'], doc: 'memory: the server\'s own. nats: streams of brokers, with a folder beside them.'},
    {name: 'lasts', type: 'bool', doc: 'Whether worlds are there again after the server has ended, however it did. If so, an edit is answered once it is on the disk.'},
    {name: 'bytes', type: 'u64', unit: 'B', doc: 'That all worlds and their past take, about.'},
  ]},
  history_span: {name: 'history_span', doc: 'A part of a world\'s past that one solver made.', fields: [
    {name: 'first_tick', type: 'u64', doc: 'Its first tick.'},
    {name: 'last_tick', type: 'u64', doc: 'Its last tick; the next span begins there.'},
    {name: 'solver', type: 'u32', doc: 'Version of the solver.'},
    {name: 'exact', type: 'bool', doc: 'Whether this server\'s solver made it, so that any tick of it can be shown; else image_ticks only.'},
  ]},
  log_entry: {name: 'log_entry', doc: 'An edit, or an input, of the past.', fields: [
    {name: 'sequence', type: 'u64', doc: 'Sequence of its record: 1, 2, …'},
    {name: 'tick', type: 'u64', doc: 'Boundary at which it applied.'},
    {name: 'revision', type: 'u64', doc: 'Revision of the world after it.'},
    {name: 'at', type: 'float', unit: 's', doc: 'When, by the server\'s clock, since 1970.'},
    {name: 'user', type: 'string', doc: 'Name of the person who made it.'},
    {name: 'session', type: 'u32', doc: 'Their session; of an earlier run of the server it may be somebody else\'s by now.'},
    {name: 'method', type: 'string', doc: 'Method.'},
    {name: 'params', type: 'any', doc: 'Parameters with defaults filled in and names as ids.'},
    {name: 'result', type: 'any', doc: 'The answer that the editor got.'},
    {name: 'omitted', type: 'any', doc: 'Names of arrays left out of params and result for their size.'},
    {name: 'undoes', type: 'u64', doc: 'Revision of the edit that it took back; 0: none.'},
    {name: 'redoes', type: 'u64', doc: 'Revision of the edit that it did again; 0: none.'},
    {name: 'gesture', type: 'u64', doc: 'Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none.'},
  ]},
  branch_change: {name: 'branch_change', doc: 'An edit of the past as it is to be in a branch.', fields: [
    {name: 'revision', type: 'u64', required: true, min: 1, doc: 'Revision of the world after the edit, as edit.log and world.edited tell it.'},
    {name: 'params', type: 'any', required: true, doc: 'A map: parameters of the same method without world, as if they had been given then.'},
  ]},
  branch_refusal: {name: 'branch_refusal', doc: 'An edit of the past that does not apply in a branch, and was left out.', fields: [
    {name: 'revision', type: 'u64', doc: 'In the world branched from. Of a grab, that of the world at that time.'},
    {name: 'method', type: 'string', doc: 'Method.'},
    {name: 'code', type: 'string', doc: 'As of an error.'},
    {name: 'text', type: 'string', doc: 'Why.'},
  ]},
  bin_world: {name: 'bin_world', doc: 'A deleted world that can still be brought back.', fields: [
    {name: 'world', type: 'u32', doc: 'Id that it had.'},
    {name: 'name', type: 'string', doc: 'Name that it had.'},
    {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    {name: 'deleted_at', type: 'float', unit: 's', doc: 'When it was deleted, by the server\'s clock, since 1970.'},
    {name: 'gone_at', type: 'float', unit: 's', doc: 'When it is gone for good.'},
  ]},
  material: {name: 'material', doc: 'How a constraint gives way. Units follow from the kind\'s C: distance, join, slide, slide_rail and joint m, dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the twist, twice the sine of half the angle.', fields: [
    {name: 'compliance', type: 'float', default: 0, unit: '[C]^2/J', min: 0, doc: 'Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)'},
    {name: 'damping', type: 'float', default: 0, unit: 'J s/[C]^2', min: 0, doc: 'Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests.'},
    {name: 'stiffness', type: 'float', min: 0, max: 1, doc: 'Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k\' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)'},
  ]},
  stretch_material: {name: 'stretch_material', doc: 'How the edges of a body give way: a material, and how far they may.', fields: [
    {name: 'compliance', type: 'float', default: 0, unit: '[C]^2/J', min: 0, doc: 'Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)'},
    {name: 'damping', type: 'float', default: 0, unit: 'J s/[C]^2', min: 0, doc: 'Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move what rests.'},
    {name: 'stiffness', type: 'float', min: 0, max: 1, doc: 'Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k\' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)'},
    {name: 'limit', type: 'float', min: 0, max: 10, doc: 'Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model orthotropic it holds along warp and weft, not in shear, and in all worlds.'},
    {name: 'model', type: 'enum', values: ['distance', 'orthotropic'], doc: 'distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once the body is added. Absent: distance.'},
    {name: 'warp', type: 'float', unit: 'N/m', min: 0.001, max: 1000000000, doc: 'Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as 0.'},
    {name: 'weft', type: 'float', unit: 'N/m', min: 0.001, max: 1000000000, doc: 'The same of a strip along the weft; needed with warp.'},
    {name: 'shear', type: 'float', unit: 'N/m', min: 0, max: 1000000000, doc: 'Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle; needed with warp.'},
    {name: 'poisson', type: 'float', min: 0, doc: 'How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp. Absent: 0.'},
    {name: 'direction', type: 'vec3', doc: 'Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its plane. It cannot change once the body is added. Absent: (1, 0, 0).'},
    {name: 'angle', type: 'float', unit: 'rad', min: -100, max: 100, doc: 'Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its corners run counterclockwise). It cannot change once the body is added. Absent: 0.'},
  ]},
  bend_plastic: {name: 'bend_plastic', doc: 'Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0\' = rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield.', fields: [
    {name: 'yield_angle', type: 'float', default: 0.1, unit: 'rad', min: 0, max: 3.14159, doc: 'How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|, with the hinge\'s triangles and edge. 0: it creeps under every load.'},
    {name: 'rate', type: 'float', default: 1000, unit: '1/s', min: 0, max: 1000000, doc: 'How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic.'},
    {name: 'greatest', type: 'float', default: 2.967, unit: 'rad', min: 0, max: 2.967, doc: 'No rest angle goes farther from flat than this; 170 degrees at most.'},
  ]},
  rest_shape: {name: 'rest_shape', doc: 'A shape at which a body\'s own constraints rest from now on. The places where its particles begin, and to which a reset takes them, stay.', fields: [
    {name: 'positions', type: 'number[]', unit: 'm', doc: 'Of all particles, flat; absent: the present ones.'},
    {name: 'angles', type: 'bool', default: true, doc: 'Hinges of dihedral bending rest at the angles of the shape.'},
    {name: 'lengths', type: 'bool', default: false, doc: 'Edges rest at their lengths in the shape, and tetrahedra at their volumes.'},
    {name: 'places', type: 'bool', default: true, doc: 'Shape matching draws particles to the shape; without it this does nothing.'},
  ]},
  bend_material: {name: 'bend_material', doc: 'How a cloth resists bending, across every edge that two triangles share.', fields: [
    {name: 'model', type: 'enum', values: ['none', 'dihedral', 'isometric', 'quadratic'], doc: 'dihedral: the signed angle, with the rest shape\'s angles. isometric: the bending energy as the constraint (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none. Absent: quadratic if the rest shape is flat, otherwise dihedral.'},
    {name: 'compliance', type: 'float', default: 0, unit: '[C]^2/J', min: 0, doc: 'Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic, rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.)'},
    {name: 'damping', type: 'float', default: 0, unit: 'J s/[C]^2', min: 0, doc: 'Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on velocities and does not move what rests.'},
    {name: 'stiffness', type: 'float', min: 0, max: 1, doc: 'Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k\' = 1 - (1 - k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.)'},
    {name: 'rigidity', type: 'float', unit: 'N m', min: 0, exclusiveMin: true, doc: 'Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity; isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told as 0.'},
    {name: 'plastic', type: 'map', of: 'bend_plastic', optional: true, doc: 'Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic.'},
    {name: 'warp', type: 'float', unit: 'N m', min: 0, exclusiveMin: true, doc: 'Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0 (docs/concepts/bending.md).'},
    {name: 'weft', type: 'float', unit: 'N m', min: 0, exclusiveMin: true, doc: 'The same of a strip cut along the weft; needed with warp.'},
    {name: 'bias', type: 'float', unit: 'N m', min: 0, exclusiveMin: true, doc: 'The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) + sqrt(weft))/2)^2.'},
  ]},
  solid_plastic: {name: 'solid_plastic', doc: 'Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit.', fields: [
    {name: 'yield_strain', type: 'float', default: 0.05, min: 0, max: 1, doc: 'Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0: it creeps under every load.'},
    {name: 'rate', type: 'float', default: 1000, unit: '1/s', min: 0, max: 1000000, doc: 'How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic.'},
    {name: 'greatest', type: 'float', default: 1, min: 0, max: 1, doc: 'No tetrahedron flows farther than this strain from the shape at which it was made.'},
  ]},
  solid_material: {name: 'solid_material', doc: 'The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint.', fields: [
    {name: 'model', type: 'enum', values: ['neo_hookean'], doc: 'neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that.'},
    {name: 'young', type: 'float', unit: 'Pa', min: 0.001, max: 1000000000000000.0, doc: 'Young\'s modulus E at rest. body.add needs it.'},
    {name: 'poisson', type: 'float', default: 0.3, min: 0, max: 0.495, doc: 'Poisson\'s ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns.'},
    {name: 'damping', type: 'float', default: 0, unit: 'Pa s', min: 0, doc: 'Viscosity. It acts on velocities, and does not move what rests.'},
    {name: 'plastic', type: 'map', of: 'solid_plastic', optional: true, doc: 'Dents stay. Absent: the solid is elastic.'},
  ]},
  rod_plastic: {name: 'rod_plastic', doc: 'A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as that of a wire.', fields: [
    {name: 'yield_angle', type: 'float', default: 0.1, unit: 'rad', min: 0, max: 3.14159, doc: 'How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a segment.'},
    {name: 'rate', type: 'float', default: 1000, unit: '1/s', min: 0, max: 1000000, doc: 'How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic.'},
    {name: 'greatest', type: 'float', default: 2.967, unit: 'rad', min: 0, max: 2.967, doc: 'No rest goes farther from that of the start than this; 170 degrees at most.'},
  ]},
  rod: {name: 'rod', doc: 'A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments has an orientation.', fields: [
    {name: 'radius', type: 'float', required: true, unit: 'm', min: 1e-07, max: 1, doc: 'Radius of the section.'},
    {name: 'young', type: 'float', required: true, unit: 'Pa', min: 0.001, max: 1000000000000000.0, doc: 'Young\'s modulus E. It resists stretch by E A, and shear and bending follow.'},
    {name: 'poisson', type: 'float', default: 0.3, min: 0, max: 0.5, doc: 'Poisson\'s ratio nu: the shear modulus is E / (2 (1 + nu)).'},
    {name: 'bend_stiffness', type: 'float', unit: 'N m^2', min: 1e-10, max: 1000000000000000.0, doc: 'EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4.'},
    {name: 'twist_stiffness', type: 'float', unit: 'N m^2', min: 1e-10, max: 1000000000000000.0, doc: 'GJ, the moment over the twist. Absent: EI / (1 + nu).'},
    {name: 'damping', type: 'float', default: 0, unit: 's', min: 0, max: 1000, doc: 'Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on velocities, and does not move what rests.'},
    {name: 'rest', type: 'vec3', unit: '1/m', min: -1000000, max: 1000000, doc: 'Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same; 0 0 0 is straight. Absent: it rests as its shape is.'},
    {name: 'twist', type: 'float', unit: 'rad/m', min: -1000000, max: 1000000, doc: 'Twist that it has at the start. Absent: that at rest.'},
    {name: 'plastic', type: 'map', of: 'rod_plastic', optional: true, doc: 'Bends and twists stay. Absent: the rod is elastic.'},
    {name: 'solve', type: 'enum', values: ['swept', 'direct'], optional: true, doc: 'direct: all segments and joints of a chain are solved at once in each substep, so that it is as stiff as its material, however fine it is. That costs about 24 times as much for each segment. swept, or absent: one after another.'},
  ]},
  rigid_part: {name: 'rigid_part', doc: 'A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts in full.', fields: [
    {name: 'form', type: 'enum', values: ['sphere', 'capsule', 'box', 'hull'], required: true, doc: 'Which shape.'},
    {name: 'radius', type: 'float', unit: 'm', min: 0, doc: 'As of a piece (sphere, capsule).'},
    {name: 'half_height', type: 'float', unit: 'm', min: 0, doc: 'As of a piece (capsule).'},
    {name: 'half_extents', type: 'vec3', unit: 'm', min: 0, doc: 'As of a piece (box).'},
    {name: 'points', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'As of a piece (hull), with any origin. Told are its vertices, seen from its own centre of mass.'},
    {name: 'position', type: 'vec3', default: [0, 0, 0], unit: 'm', min: -1000000000, max: 1000000000, doc: 'The place of its origin, from any origin that all parts have in common. Told: the place of its centre of mass, from that of the piece.'},
    {name: 'rotation', type: 'vec4', default: [0, 0, 0, 1], doc: 'Its orientation in the piece: a quaternion x, y, z, w of any length above 0.'},
  ]},
  rigid_measures: {name: 'rigid_measures', doc: 'Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as a mesh that was cut into convex hulls.', fields: [
    {name: 'volume', type: 'float', required: true, unit: 'm^3', min: 0, exclusiveMin: true, doc: 'Its volume: with the density it gives the mass. At most 8 r^3, where r is how far the parts reach from the centre of mass.'},
    {name: 'centre', type: 'vec3', default: [0, 0, 0], unit: 'm', min: -1000000000, max: 1000000000, doc: 'Its centre of mass, from the origin that the parts have in common. Told as 0, 0, 0, since the places of parts are told from there.'},
    {name: 'inertia', type: 'vec3', required: true, unit: 'm^2', min: 0, doc: 'Its inertia about x, y and z through the centre of mass, for 1 kg. It must be that of some distribution of mass: with the products, no principal moment is more than the sum of the two others, or less than 1e-7 of the sum of all three.'},
    {name: 'products', type: 'vec3', default: [0, 0, 0], unit: 'm^2', min: -1000000000, max: 1000000000, doc: 'The yz, xz and xy of the matrix of the inertia, for 1 kg: minus the mean of the products of both coordinates.'},
  ]},
  rigid: {name: 'rigid', doc: 'The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces. The axes of a piece are its principal axes. Those of a hull are the axes of its points, and those of a compound the axes in which its parts are given.', fields: [
    {name: 'form', type: 'enum', values: ['sphere', 'capsule', 'box', 'hull', 'compound'], required: true, doc: 'Which shape. A compound consists of several parts, so it may be hollow or hooked.'},
    {name: 'radius', type: 'float', unit: 'm', min: 0, doc: 'Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all lengths of a piece. Needed there, and absent of a box and of a hull.'},
    {name: 'half_height', type: 'float', unit: 'm', min: 0, doc: 'Half the distance between the centres of the ends, along the piece\'s y (capsule); 0 makes it a sphere. Needed there, and absent of others.'},
    {name: 'half_extents', type: 'vec3', unit: 'm', min: 0, doc: 'Half the edges (box). Needed there, and absent of others.'},
    {name: 'points', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'x, y, z of 4 to 512 points, of which the piece is the convex hull (hull), with any origin. Needed there, and absent of others. The hull may have 64 vertices, none farther from its centre of mass than 2^29 quanta, and no face nearer to it than 1024 quanta and a thousandth of that of the farthest vertex. Told are its vertices, seen from its centre of mass.'},
    {name: 'parts', type: 'list', of: 'rigid_part', most: 32, doc: '1 to 32 parts (compound). Needed there, and absent of others. No point of one is farther from the common centre of mass than 2^29 quanta. Told are their places from that.'},
    {name: 'measures', type: 'map', of: 'rigid_measures', optional: true, doc: 'Volume, centre of mass and inertia of the solid that the parts stand for, in place of the sums over the parts (compound). Absent: the sums. Absent of other forms.'},
  ]},
  pressure: {name: 'pressure', doc: 'Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume stays the same, so what is squeezed pushes back. volume: the volume is kept.', fields: [
    {name: 'model', type: 'enum', values: ['none', 'gas', 'volume'], doc: 'Which law holds; none ends it. Absent: the present one, or gas.'},
    {name: 'overpressure', type: 'float', unit: 'Pa', min: -10000000, max: 10000000, doc: 'Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at least -ambient. Absent: 0.'},
    {name: 'ambient', type: 'float', unit: 'Pa', min: 0, max: 10000000, doc: 'Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air.'},
    {name: 'ratio', type: 'float', min: 0, max: 1000, doc: 'Only of volume: share of the reference volume that is kept. Absent: 1.'},
    {name: 'compliance', type: 'float', unit: 'm^5/N', min: 0, max: 10000000000, doc: 'Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which is rigid.'},
    {name: 'volume', type: 'float', unit: 'm^3', min: 0, doc: 'The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs one.'},
    {name: 'seconds', type: 'float', unit: 's', min: 0, max: 3600, doc: 'Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent: at once. Told: the time that is left.'},
    {name: 'now', type: 'float', min: -10000000, max: 10000000, doc: 'Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure that begins 0 Pa, or 1.'},
  ]},
  shape: {name: 'shape', doc: 'Shape matching: the particles are drawn to the body\'s shape at rest, which moves along as a rigid body does, so no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and the body bends. Every kind of body may have it, beside its other constraints.', fields: [
    {name: 'model', type: 'enum', values: ['none', 'rigid'], doc: 'How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid.'},
    {name: 'compliance', type: 'float', unit: 'm/N', min: 0, max: 10000000000, doc: 'Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0, which puts them there. It depends neither on the mesh nor on substeps.'},
    {name: 'radius', type: 'float', unit: 'm', min: 0, doc: 'A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole body is one region, which may be 8 m wide from its first particle on (at the default resolution).'},
    {name: 'spacing', type: 'float', unit: 'm', min: 0, doc: 'Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it makes more regions, which overlap more.'},
    {name: 'positions', type: 'number[]', unit: 'm', doc: 'The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps the present one, and its rest_shape gives another. body.list and body.get leave it out.'},
  ]},
  shape_measure: {name: 'shape_measure', doc: 'How a body with shape matching lies.', fields: [
    {name: 'body', type: 'u32', doc: 'Id.'},
    {name: 'regions', type: 'u32', doc: 'How many regions there are.'},
    {name: 'position', type: 'vec3', unit: 'm', doc: 'Centre of mass. Particles that cannot move count as a thousand times as heavy as all others.'},
    {name: 'rotation', type: 'vec4', doc: 'Unit quaternion x, y, z, w: how the body as a whole is turned from its shape at rest.'},
    {name: 'distance', type: 'float', unit: 'm', doc: 'How far particles are from their goals: the root of the mean square, by mass.'},
    {name: 'energy', type: 'float', unit: 'J', doc: 'Energy that this stores; 0 if the compliance is 0.'},
    {name: 'force', type: 'float', unit: 'N', doc: 'Sizes of the forces on all particles in the last substep, added up; 0 before there was one.'},
  ]},
  tear: {name: 'tear', doc: 'How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and particles split where cuts part their triangles.', fields: [
    {name: 'force', type: 'float', unit: 'N/m', min: 0, max: 1000000000000, doc: 'Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp and weft. Absent or 0: no such threshold.'},
    {name: 'strain', type: 'float', min: 0, max: 1000, doc: 'Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold.'},
    {name: 'most', type: 'u32', doc: 'Greatest number of particles that may split off. The body has so many spare particles behind its own, and no more can ever split. body.add needs it; it cannot change.'},
  ]},
  torn: {name: 'torn', doc: 'The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name them first.', fields: [
    {name: 'own', type: 'u32', doc: 'Particles of the mesh as it was made; the spares follow them.'},
    {name: 'origins', type: 'u32[]', doc: 'The particle that each used spare split from, in the order of the spares.'},
    {name: 'since', type: 'f64[]', min: 0, doc: 'Revision of the world when each of them split.'},
    {name: 'triangles', type: 'u32[]', multiple: 3, doc: 'Corners of all triangles now.'},
    {name: 'cuts', type: 'u32[]', doc: 'Edges that are cut, in the order in which they were.'},
  ]},
  torn_edges: {name: 'torn_edges', doc: 'The tears of a body that can tear.', fields: [
    {name: 'own', type: 'u32', doc: 'Particles of the mesh as it was made; the spares follow them.'},
    {name: 'origins', type: 'u32[]', doc: 'The particle that each used spare split from, in the order of the spares.'},
    {name: 'edges', type: 'u32[]', doc: 'The two ends of each edge that is cut, as particles of the mesh as it was made, in the order in which they were cut.'},
  ]},
  pressure_measure: {name: 'pressure_measure', doc: 'Volume and pressure inside a body with pressure.', fields: [
    {name: 'body', type: 'u32', doc: 'Id.'},
    {name: 'volume', type: 'float', unit: 'm^3', doc: 'Volume that its surface encloses; below 0 if it is turned inside out.'},
    {name: 'reference', type: 'float', unit: 'm^3', doc: 'The reference volume.'},
    {name: 'pressure', type: 'float', unit: 'Pa', doc: 'Pressure inside above that outside. Of a gas it follows from the volume; of a kept volume it is what the last substep needed, and 0 before there was one.'},
  ]},
  own_wind: {name: 'own_wind', doc: 'How a body feels the air, in place of what the wind of the world says.', fields: [
    {name: 'drag', type: 'float', optional: true, min: 0, max: 100, doc: 'Coefficient Cd; absent: that of the world.'},
    {name: 'lift', type: 'float', optional: true, min: 0, max: 100, doc: 'Coefficient Cl; absent: that of the world.'},
  ]},
  force_field: {name: 'force_field', doc: 'A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb points along it. drag: towards the velocity of a medium. wind and fan do not accelerate particles but blow: they add to the velocity of the air that triangles feel, as the wind of the world does (types, wind). Where the world has no air they bring some of 1.2 kg/m^3 into their region.', fields: [
    {name: 'force', type: 'u32', optional: true, min: 1, doc: 'Id. force.add and force.set give it apart from the field.'},
    {name: 'kind', type: 'enum', values: ['point', 'vortex', 'drag', 'wind', 'fan'], optional: true, doc: 'Kind; fixed once added. wind: the same velocity in all of its region. fan: a round jet along its axis that widens and slows down.'},
    {name: 'position', type: 'vec3', optional: true, unit: 'm', min: -1000000000, max: 1000000000, doc: 'Its middle, and that of its region; 0 if it was never given.'},
    {name: 'axis', type: 'vec3', optional: true, min: -1000000000, max: 1000000000, doc: 'Only read of a vortex and of a fan, which blows along it: an axis of any length above 0; +y if it was never given.'},
    {name: 'strength', type: 'float', optional: true, min: -1000000, max: 1000000, doc: 'm/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity; of a fan m/s, in [0, 300]: the speed of the air just before it. Not read of wind. 1 if it was never given.'},
    {name: 'distance', type: 'float', optional: true, unit: 'm', min: 1e-06, max: 1000000, doc: 'Distance from the position or the axis at which it has its strength; 1 if it was never given.'},
    {name: 'falloff', type: 'enum', values: ['none', 'inverse', 'inverse_square'], optional: true, doc: 'How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was never given.'},
    {name: 'core', type: 'float', optional: true, unit: 'm', min: 1e-06, max: 1000000, doc: 'Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given.'},
    {name: 'velocity', type: 'vec3', optional: true, unit: 'm/s', min: -10000, max: 10000, doc: 'Only read of drag and wind: that of the medium or of the air, of which wind takes at most 300; 0 if it was never given.'},
    {name: 'width', type: 'float', optional: true, unit: 'm', min: 0.001, max: 1000000, doc: 'Only read of a fan: its diameter; 1 if it was never given.'},
    {name: 'radius', type: 'float', optional: true, unit: 'm', min: 0, max: 1000000000, doc: 'Beyond it there is no force; 0, or never given: it has no such end.'},
    {name: 'half_extents', type: 'vec3', optional: true, unit: 'm', min: 0, max: 1000000000, doc: 'Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given: there is no box.'},
    {name: 'margin', type: 'float', optional: true, unit: 'm', min: 0, max: 1000000000, doc: 'Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once.'},
    {name: 'bodies', type: 'u32[]', optional: true, min: 1, doc: 'Ids of the bodies that it acts on, at most 16; none, or never given: all of them.'},
  ]},
  force_fields: {name: 'force_fields', doc: 'All fields of force of a world.', fields: [
    {name: 'next', type: 'u32', required: true, min: 1, doc: 'Next id.'},
    {name: 'fields', type: 'list', of: 'force_field', most: 16, doc: 'By id, each with its id and kind.'},
  ]},
  surface_pair: {name: 'surface_pair', doc: 'Friction and restitution between two surfaces, given by their names. They replace the values that both sides have. Either name may come first.', fields: [
    {name: 'one', type: 'string', required: true, nameLike: true, doc: 'Name of a surface; not empty.'},
    {name: 'other', type: 'string', required: true, nameLike: true, doc: 'Name of the other one; not empty. It may be the same name: where two such surfaces meet.'},
    {name: 'friction', type: 'float', optional: true, min: 0, max: 1000, doc: 'Coulomb coefficient mu; absent: as without the row.'},
    {name: 'friction_kinetic', type: 'float', optional: true, min: 0, max: 1000, doc: 'Coulomb coefficient mu of what slides; above friction it counts as friction. Absent: that of friction if the row has one, else as without the row.'},
    {name: 'restitution', type: 'float', optional: true, min: 0, max: 1, doc: 'Part of its speed across the surface with which one leaves the other; absent: as without the row.'},
  ]},
  wind: {name: 'wind', doc: 'Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u| n], u the wind relative to the triangle, n its normal turned with the wind.', fields: [
    {name: 'velocity', type: 'vec3', default: [0, 0, 0], unit: 'm/s', min: -300, max: 300, scaled: true, doc: 'Velocity of the air.'},
    {name: 'drag', type: 'float', default: 1, min: 0, max: 100, doc: 'Coefficient Cd.'},
    {name: 'lift', type: 'float', default: 0, min: 0, max: 100, doc: 'Coefficient Cl.'},
    {name: 'density', type: 'float', default: 1.2, unit: 'kg/m^3', min: 0, max: 10000, doc: 'Density of the air; 0 turns the wind off.'},
    {name: 'gusts', type: 'float', optional: true, unit: 'm/s', min: 0, max: 60, scaled: true, doc: 'Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then the other fields of gusts are forgotten.'},
    {name: 'gust_length', type: 'float', optional: true, unit: 'm', min: 0, exclusiveMin: true, max: 10000, scaled: true, doc: 'Length of the gusts; 10 if it was never given.'},
    {name: 'gust_seed', type: 'u32', optional: true, doc: 'Which gusts: each number gives others. 0 if it was never given.'},
    {name: 'gust_way', type: 'vec4', optional: true, unit: 'm', doc: 'State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time. Ticks add to it; absent: it goes on, from 0 where there were no gusts.'},
  ]},
  skin: {name: 'skin', doc: 'A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the physics.', fields: [
    {name: 'particles', type: 'u32[]', required: true, multiple: 4, doc: 'Four particle indices for each vertex, such as the corners of the tetrahedron around it.'},
    {name: 'weights', type: 'number[]', required: true, min: -1000000, max: 1000000, multiple: 4, doc: 'Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of each four is what the others leave of 1.'},
    {name: 'triangles', type: 'u32[]', required: true, multiple: 3, doc: 'Three vertex indices each.'},
  ]},
  look_material: {name: 'look_material', doc: 'Colours of a surface, for programs that draw it.', fields: [
    {name: 'name', type: 'string', default: '', nameLike: true, doc: 'Its name in the mesh.'},
    {name: 'color', type: 'vec4', default: [1, 1, 1, 1], min: 0, max: 1, doc: 'Linear red, green, blue and opacity.'},
    {name: 'metallic', type: 'float', default: 0, min: 0, max: 1, doc: '0 for what is no metal.'},
    {name: 'roughness', type: 'float', default: 1, min: 0, max: 1, doc: '0 for a mirror.'},
    {name: 'image', type: 'u32', optional: true, doc: 'Which of the look\'s images colours it: its texture, multiplied by color; absent: none.'},
  ]},
  look_image: {name: 'look_image', doc: 'A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at most 4096 x 4096 pixels. The server reads no more than its size.', fields: [
    {name: 'bytes', type: 'u32', required: true, unit: 'B', min: 1, max: 4194304, doc: 'Length of the file.'},
    {name: 'data', type: 'u32[]', optional: true, doc: 'The file, four bytes in each number, the first one lowest, filled up with zeros at the end; as bin it is the file itself, filled up to a multiple of four. body.add must have it; body.get tells it only with images.'},
  ]},
  look: {name: 'look', doc: 'The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no part in the physics; recordings write it.', fields: [
    {name: 'uvs', type: 'number[]', min: -1000000, max: 1000000, multiple: 6, doc: 'u, v of each corner, v upwards; absent: none. Kept as f32.'},
    {name: 'normals', type: 'number[]', min: -1000000, max: 1000000, multiple: 9, doc: 'x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is visible there. Kept as f32.'},
    {name: 'materials', type: 'list', of: 'look_material', doc: 'At most 4096, and no more than there are triangles; absent: none.'},
    {name: 'triangle_materials', type: 'u32[]', doc: 'Which of the materials each triangle has; absent: the first.'},
    {name: 'images', type: 'list', of: 'look_image', doc: 'Pictures that the materials name, of at most image_bytes together; absent: none. Only with uvs.'},
  ]},
  phase_times: {name: 'phase_times', doc: 'Wall time of the phases of the last tick. Not part of the state.', fields: [
    {name: 'wind', type: 'float', unit: 'us', doc: 'Wind.'},
    {name: 'predict', type: 'float', unit: 'us', doc: 'Prediction, if it is a pass of its own; pins and colliders.'},
    {name: 'solve', type: 'float', unit: 'us', doc: 'Constraints and grabs.'},
    {name: 'contacts', type: 'float', unit: 'us', doc: 'Contacts.'},
    {name: 'finish', type: 'float', unit: 'us', doc: 'Velocities, and in the same pass the next substep\'s prediction, if there is no wind and nobody reads in between.'},
  ]},
  id_range: {name: 'id_range', doc: 'Ids first, first + 1, ... first + count - 1.', fields: [
    {name: 'first', type: 'u32', doc: 'First id; 0 if count is 0.'},
    {name: 'count', type: 'u32', doc: 'How many.'},
  ]},
  constraint_ranges: {name: 'constraint_ranges', doc: 'Constraint ids of a body, by kind.', fields: [
    {name: 'distance', type: 'map', of: 'id_range', doc: 'One for each unique edge, in the order in which the edges first appear in the elements.'},
    {name: 'dihedral', type: 'map', of: 'id_range', doc: 'One for each edge that two triangles share.'},
    {name: 'isometric', type: 'map', of: 'id_range', doc: 'The same, if that is the bend model.'},
    {name: 'quadratic', type: 'map', of: 'id_range', doc: 'The same, if that is the bend model.'},
    {name: 'volume', type: 'map', of: 'id_range', doc: 'One for each tetrahedron, in the order given.'},
    {name: 'join', type: 'map', of: 'id_range', doc: 'None: only constraint.add makes joins.'},
    {name: 'slide', type: 'map', of: 'id_range', doc: 'None: only constraint.add makes them.'},
    {name: 'slide_rail', type: 'map', of: 'id_range', doc: 'None: only constraint.add makes them.'},
    {name: 'neo_hookean', type: 'map', of: 'id_range', doc: 'One for each tetrahedron, in the order given, of a body with a solid; it has no others.'},
    {name: 'orthotropic', type: 'map', of: 'id_range', doc: 'One for each triangle with an area, in the order given, if stretch.model is orthotropic; then there are no distances.'},
    {name: 'rod_stretch', type: 'map', of: 'id_range', doc: 'One for each segment, in the order given, of a rope with a rod; then there are no distances.'},
    {name: 'rod_bend', type: 'map', of: 'id_range', doc: 'One for each two segments that follow each other, in the order of the first, of a rope with a rod. Its particles are those at which both begin.'},
    {name: 'joint', type: 'map', of: 'id_range', doc: 'None: only constraint.add makes joints.'},
  ]},
  warning: {name: 'warning', doc: 'Something odd about a mesh or a collider that was accepted, or about what the solver makes of a body.', fields: [
    {name: 'code', type: 'string', doc: 'One upper-case word: COINCIDENT, ISOLATED, LIGHT (particles), COPY (particles that are exactly where those of another body are that it meets), ZERO_LENGTH (edges), ZERO_AREA (triangles), ZERO_VOLUME, INVERTED (tetrahedra), DUPLICATE, COLLAPSED (elements), NONMANIFOLD (edges; named by a triangle at each), COARSE (colliders that may pass between the particles of the body, which meets nobody; in an answer about a collider: such bodies whose particles it may pass between), THICK (the body as a whole: thicker than is good for contact), LOCKING (the body as a whole: a solid that bends too little, since its Poisson\'s ratio is near a half), STRETCHED (a body: an edge is more than 5 % longer than its limit), STIFF (a body: more than 5 % of the forces of its material are not resolved).'},
    {name: 'text', type: 'string', doc: 'For people.'},
    {name: 'count', type: 'u32', doc: 'How many elements it concerns.'},
    {name: 'elements', type: 'u32[]', doc: 'The first of them (at most 16): particle, edge, triangle or tetrahedron indices or ids as the code says; edges in the order in which they first appear.'},
  ]},
  person: {name: 'person', doc: 'A session that joined a world.', fields: [
    {name: 'session', type: 'u32', doc: 'Session id.'},
    {name: 'user', type: 'string', doc: 'As in session.hello.'},
    {name: 'client', type: 'string', doc: 'As in session.hello.'},
  ]},
  access_person: {name: 'access_person', doc: 'Role of a person in a world.', fields: [
    {name: 'user', type: 'string', doc: 'Their name; * is everybody who has a token.'},
    {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], doc: 'viewer: looks; editor: changes it too; owner: says who may, and may delete it.'},
  ]},
  access_given: {name: 'access_given', doc: 'A role in a world that one person gave to another.', fields: [
    {name: 'world', type: 'u32', doc: 'World.'},
    {name: 'user', type: 'string', doc: 'Name of the person who has the role; * is everybody who has a token.'},
    {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], doc: 'The role.'},
  ]},
  access_invite: {name: 'access_invite', doc: 'An invitation into a world that is still good.', fields: [
    {name: 'id', type: 'u32', doc: 'For access.revoke.'},
    {name: 'role', type: 'enum', values: ['viewer', 'editor', 'owner'], doc: 'That it gives.'},
    {name: 'uses', type: 'u32', doc: 'How often it can still be accepted.'},
    {name: 'user', type: 'string', doc: 'Who made it.'},
    {name: 'expires_at', type: 'float', unit: 's', doc: 'Since 1970.'},
    {name: 'world', type: 'u32', doc: 'World that it leads into.'},
  ]},
  access_token: {name: 'access_token', doc: 'A token; its secret is told once, when it is made.', fields: [
    {name: 'id', type: 'u32', doc: 'For token.revoke; the number in it.'},
    {name: 'user', type: 'string', doc: 'Name of the person.'},
    {name: 'role', type: 'enum', values: ['viewer', 'editor', 'admin'], doc: 'As in token.create.'},
    {name: 'created_at', type: 'float', unit: 's', doc: 'Since 1970.'},
    {name: 'expires_at', type: 'float', unit: 's', doc: 'Since 1970; 0: never.'},
    {name: 'sessions', type: 'u32', doc: 'That are open with it.'},
  ]},
  presence_camera: {name: 'presence_camera', doc: 'The point from which somebody looks at a world. Without a position: hidden.', fields: [
    {name: 'position', type: 'vec3', optional: true, unit: 'm', doc: 'Position of the eye.'},
    {name: 'target', type: 'vec3', optional: true, unit: 'm', doc: 'Point at which it looks.'},
    {name: 'up', type: 'vec3', optional: true, doc: 'Direction that is up in the picture.'},
    {name: 'fov', type: 'float', optional: true, unit: 'rad', min: 0, max: 3.2, doc: 'Angle of the picture\'s height.'},
  ]},
  presence_cursor: {name: 'presence_cursor', doc: 'What somebody points at: a point, or a ray if there is nothing; neither: nothing.', fields: [
    {name: 'point', type: 'vec3', optional: true, unit: 'm', doc: 'Point in the world.'},
    {name: 'origin', type: 'vec3', optional: true, unit: 'm', doc: 'Origin of the ray.'},
    {name: 'direction', type: 'vec3', optional: true, doc: 'Direction of the ray.'},
  ]},
  presence_thing: {name: 'presence_thing', doc: 'Something that somebody has selected: one of these.', fields: [
    {name: 'body', type: 'u32', optional: true, min: 1, doc: 'Id of a body.'},
    {name: 'collider', type: 'u32', optional: true, min: 1, doc: 'Id of a collider.'},
    {name: 'constraint', type: 'u32', optional: true, min: 1, doc: 'Id of a constraint.'},
  ]},
  world_summary: {name: 'world_summary', doc: 'A world in a list. For one that another server runs only id, name and place are told: state is paused, and numbers are 0. The same holds for one that no server can run, with trouble.', fields: [
    {name: 'world', type: 'u32', doc: 'Id.'},
    {name: 'name', type: 'string', doc: 'Name.'},
    {name: 'state', type: 'enum', values: ['paused', 'playing', 'failed'], doc: 'Its present state. A failed world needs edit.undo or world.reset.'},
    {name: 'rate', type: 'float', doc: 'Multiple of real time; 0 is as fast as possible.'},
    {name: 'tick', type: 'u64', doc: 'Completed ticks.'},
    {name: 'revision', type: 'u64', doc: 'Edits so far, of those that are durable.'},
    {name: 'bodies', type: 'u32', doc: 'Bodies.'},
    {name: 'particles', type: 'u32', doc: 'Particles.'},
    {name: 'people', type: 'u32', doc: 'Sessions that joined.'},
    {name: 'server', type: 'string', optional: true, doc: 'Name of the server of the deployment that runs it. Absent, like the next two: this one does.'},
    {name: 'address', type: 'string', optional: true, doc: 'Where that server takes connections: HOST:PORT, or tls://HOST:PORT.'},
    {name: 'web', type: 'string', optional: true, doc: 'Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.'},
    {name: 'trouble', type: 'string', optional: true, doc: 'What went wrong when a server last tried to run it; server, address and web are empty, because no server runs it. world.move makes a server try again. Absent: it runs.'},
    {name: 'exact', type: 'bool', optional: true, doc: 'As of world.get, like the next two. Absent: another server runs it.'},
    {name: 'exact_tick', type: 'u64', optional: true, doc: 'With exact false.'},
    {name: 'exact_solver', type: 'u32', optional: true, doc: 'With exact false.'},
  ]},
  server_summary: {name: 'server_summary', doc: 'A server of a deployment, as its last heartbeat told.', fields: [
    {name: 'server', type: 'string', doc: 'Name.'},
    {name: 'address', type: 'string', doc: 'Where it takes connections: HOST:PORT, or tls://HOST:PORT.'},
    {name: 'web', type: 'string', doc: 'Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.'},
    {name: 'here', type: 'bool', doc: 'It is the one that answers.'},
    {name: 'draining', type: 'bool', doc: 'It gives its worlds away, and takes none.'},
    {name: 'load', type: 'float', unit: 'ms/s', doc: 'Processor time that its worlds took, of each second.'},
    {name: 'worlds', type: 'u32', doc: 'Worlds that it runs.'},
    {name: 'sessions', type: 'u32', doc: 'Sessions that it has.'},
    {name: 'beat_age_ms', type: 'u64', unit: 'ms', doc: 'Time since its last heartbeat came, by the clock of the answering server.'},
    {name: 'solver', type: 'u32', doc: 'Version of its solver. While servers of several versions run, a world stays with those of the version that ran it last.'},
    {name: 'api_level', type: 'u32', doc: 'Level of its API; 0: it does not say.'},
  ]},
  touch: {name: 'touch', doc: 'The last edit that concerned a thing.', fields: [
    {name: 'revision', type: 'u64', doc: 'Revision of the world after it; 0: none since the world was made or opened.'},
    {name: 'session', type: 'u32', doc: 'Session that made it; 0: none.'},
    {name: 'user', type: 'string', doc: 'Their name.'},
    {name: 'method', type: 'string', doc: 'Its method; empty if that is not known.'},
  ]},
  body_summary: {name: 'body_summary', doc: 'A body in the document of a world.', fields: [
    {name: 'body', type: 'u32', doc: 'Id.'},
    {name: 'name', type: 'string', doc: 'Name; empty if it has none.'},
    {name: 'kind', type: 'enum', values: ['cloth', 'rope', 'points', 'soft', 'rigid'], doc: 'Kind of mesh that it was made from.'},
    {name: 'particles', type: 'u32', doc: 'Particle count.'},
    {name: 'triangles', type: 'u32', doc: 'Triangle count.'},
    {name: 'edges', type: 'u32', doc: 'Count of the edges that were given (rope).'},
    {name: 'tets', type: 'u32', doc: 'Tetrahedron count.'},
    {name: 'skin', type: 'u32', doc: 'Vertices of the skin; 0 if there is none.'},
    {name: 'constraints', type: 'map', of: 'constraint_ranges', doc: 'Ids by kind, as body.add gave them.'},
    {name: 'material', type: 'enum', values: ['denim-stretch', 'trousers', 'tablecloth', 'jacket', 'blanket', 'swimsuit'], optional: true, doc: 'The fabric of the table of materials that has its stretch and bend; absent: none.'},
    {name: 'stretch', type: 'map', of: 'stretch_material', doc: 'Material of the edges.'},
    {name: 'bend', type: 'map', of: 'bend_material', doc: 'Resistance to bending (cloth).'},
    {name: 'volume', type: 'map', of: 'material', doc: 'Material of the tetrahedra (soft).'},
    {name: 'solid', type: 'map', of: 'solid_material', optional: true, doc: 'What it is made of, as given to body.add; absent: edges and volumes.'},
    {name: 'rod', type: 'map', of: 'rod', optional: true, doc: 'The section and material of the rope, as given to body.add; absent: edges alone.'},
    {name: 'rigid', type: 'map', of: 'rigid', optional: true, doc: 'The shape of the pieces of a rigid body; absent of others.'},
    {name: 'thickness', type: 'float', unit: 'm', doc: 'Radius that it has for contacts.'},
    {name: 'self_contact', type: 'bool', doc: 'Whether its own triangles and edges meet each other.'},
    {name: 'contact_group', type: 'u32', doc: 'Bits: what it is.'},
    {name: 'contact_mask', type: 'u32', doc: 'Bits: what it meets.'},
    {name: 'friction', type: 'float', doc: 'Coulomb coefficient mu between bodies.'},
    {name: 'friction_kinetic', type: 'float', optional: true, doc: 'As in body.add; absent: that of friction.'},
    {name: 'restitution', type: 'float', optional: true, doc: 'As in body.add; absent: 0.'},
    {name: 'surface', type: 'string', optional: true, doc: 'As in body.add; absent: none.'},
    {name: 'pressure', type: 'map', of: 'pressure', optional: true, doc: 'Pressure inside, with what is left of its time; absent: none.'},
    {name: 'gravity', type: 'vec3', optional: true, unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Gravity of its own; absent: that of the world.'},
    {name: 'wind', type: 'map', of: 'own_wind', optional: true, doc: 'Coefficients of its own; absent: those of the world.'},
    {name: 'force', type: 'vec3', optional: true, unit: 'N', min: -1e+38, max: 1e+38, doc: 'Force on it as a whole; absent: none.'},
    {name: 'force_ticks', type: 'u32', optional: true, max: 3600000, doc: 'Ticks in which that force still acts; absent: until it is changed.'},
    {name: 'shape', type: 'map', of: 'shape', optional: true, doc: 'Shape matching; absent: none.'},
    {name: 'tear', type: 'map', of: 'tear', optional: true, doc: 'Thresholds and spares; absent: it does not tear.'},
    {name: 'pins', type: 'u32[]', doc: 'Pinned particles.'},
    {name: 'pin_colliders', type: 'u32[]', optional: true, doc: 'Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.'},
    {name: 'pin_compliances', type: 'f64[]', optional: true, unit: 'm/N', doc: 'Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard.'},
    {name: 'pin_distances', type: 'f64[]', optional: true, unit: 'm', doc: 'Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are hard.'},
    {name: 'touched', type: 'map', of: 'touch', doc: 'By which edit last: of the body, its particles, constraints that hold them, motions that lead them.'},
  ]},
  collider_summary: {name: 'collider_summary', doc: 'A collider.', fields: [
    {name: 'collider', type: 'u32', doc: 'Id.'},
    {name: 'name', type: 'string', doc: 'Name; empty if it has none.'},
    {name: 'kind', type: 'enum', values: ['plane', 'sphere', 'capsule', 'box', 'cylinder', 'convex', 'height_field'], doc: 'Shape.'},
    {name: 'position', type: 'vec3', unit: 'm', doc: 'A point of the plane, the origin of a hull, the middle of a height field\'s grid at height 0, or the centre of the others.'},
    {name: 'normal', type: 'vec3', doc: 'Unit normal (plane), its rotated +y; bodies stay on the side it points to.'},
    {name: 'rotation', type: 'vec4', doc: 'Unit quaternion x, y, z, w.'},
    {name: 'radius', type: 'float', unit: 'm', doc: 'Radius (sphere, capsule, cylinder).'},
    {name: 'length', type: 'float', unit: 'm', doc: 'Along the rotated y: between the centres of the ends (capsule), between the flat ends (cylinder).'},
    {name: 'half_extents', type: 'vec3', unit: 'm', doc: 'Half the edges (box).'},
    {name: 'friction', type: 'float', doc: 'Coulomb coefficient mu.'},
    {name: 'friction_kinetic', type: 'float', optional: true, doc: 'As in collider.add; absent: that of friction.'},
    {name: 'restitution', type: 'float', optional: true, doc: 'As in collider.add; absent: 0.'},
    {name: 'surface', type: 'string', optional: true, doc: 'As in collider.add; absent: none.'},
    {name: 'touched', type: 'map', of: 'touch', doc: 'By which edit last: of the collider, or a motion that leads it.'},
    {name: 'points', type: 'f64[]', optional: true, unit: 'm', doc: 'x, y, z of each vertex of the hull (convex), in the collider\'s own frame.'},
    {name: 'triangles', type: 'u32[]', optional: true, doc: 'Three vertices for each triangle of the hull (convex), counterclockwise from outside.'},
    {name: 'heights', type: 'f64[]', optional: true, unit: 'm', doc: 'Heights of a height field, row after row along z, in each row the columns along x; the two triangles of a cell meet at the diagonal from its least x and z to its greatest.'},
    {name: 'columns', type: 'u32', optional: true, doc: 'Heights in a row (height_field).'},
    {name: 'spacing', type: 'float', optional: true, unit: 'm', doc: 'From one height to the next along x and z (height_field).'},
    {name: 'surface_velocity', type: 'vec3', optional: true, unit: 'm/s', doc: 'As in collider.add; absent, with surface_spin, if the surface does not run.'},
    {name: 'surface_spin', type: 'vec3', optional: true, unit: 'rad/s', doc: 'As in collider.add.'},
  ]},
  collider_pose: {name: 'collider_pose', doc: 'Pose of a collider at a moment.', fields: [
    {name: 'collider', type: 'u32', doc: 'Id.'},
    {name: 'position', type: 'vec3', unit: 'm', doc: 'A point of the plane, the origin of a hull, the middle of a height field\'s grid at height 0, or the centre of the others.'},
    {name: 'rotation', type: 'vec4', doc: 'Unit quaternion x, y, z, w.'},
  ]},
  grab_summary: {name: 'grab_summary', doc: 'A particle held by somebody.', fields: [
    {name: 'grab', type: 'u32', doc: 'Id.'},
    {name: 'body', type: 'u32', doc: 'Body id.'},
    {name: 'particle', type: 'u32', doc: 'Index in the body.'},
    {name: 'target', type: 'vec3', unit: 'm', doc: 'Point to which it is pulled.'},
    {name: 'compliance', type: 'float', unit: 'm/N', doc: 'Inverse stiffness of the pull.'},
    {name: 'force', type: 'vec3', unit: 'N', doc: 'Force on the particle in the last substep: lambda / h^2.'},
    {name: 'session', type: 'u32', doc: 'Who holds it.'},
    {name: 'user', type: 'string', doc: 'Their name.'},
  ]},
  measures: {name: 'measures', doc: 'Sums over a world at a moment. They are computed in double and rounded once.', fields: [
    {name: 'kinetic', type: 'float', unit: 'J', doc: '1/2 sum m |v|^2 of the moving particles, and 1/2 angular velocity times angular momentum of the pieces of rigid bodies.'},
    {name: 'potential', type: 'float', unit: 'J', doc: '-sum m g.x of the moving particles.'},
    {name: 'elastic_distance', type: 'float', unit: 'J', doc: 'sum C^2 / (2 (alpha + h^2 W)) of the distance constraints with alpha > 0; W = sum w |grad C|^2, h: the substep.'},
    {name: 'elastic_dihedral', type: 'float', unit: 'J', doc: 'The same of the dihedral constraints.'},
    {name: 'elastic_isometric', type: 'float', unit: 'J', doc: 'The same of the isometric constraints.'},
    {name: 'elastic_quadratic', type: 'float', unit: 'J', doc: 'The same of the quadratic constraints, with |c|^2.'},
    {name: 'elastic_volume', type: 'float', unit: 'J', doc: 'The same of the volume constraints.'},
    {name: 'elastic_join', type: 'float', unit: 'J', doc: 'The same of the joins, of those that hold.'},
    {name: 'elastic_slide', type: 'float', unit: 'J', doc: 'The same of the slide constraints that are taut; with friction of both sides.'},
    {name: 'elastic_slide_rail', type: 'float', unit: 'J', doc: 'The same of the slide_rail constraints.'},
    {name: 'elastic_neo_hookean', type: 'float', unit: 'J', doc: 'The same of the tetrahedra of solids: C^2 = 2 alpha U / V, 0 at rest.'},
    {name: 'elastic_orthotropic', type: 'float', unit: 'J', doc: 'The same of the orthotropic constraints: of the three strains of each.'},
    {name: 'elastic_rod_stretch', type: 'float', unit: 'J', doc: 'The same of the segments of rods: of stretch and shear.'},
    {name: 'elastic_rod_bend', type: 'float', unit: 'J', doc: 'The same of the joints of rods: of bend and twist.'},
    {name: 'elastic_joint', type: 'float', unit: 'J', doc: 'The same of the joints: of their anchors, and of orientations that give way.'},
    {name: 'strain_max', type: 'float', doc: 'Greatest |l - L| / L of the distance constraints with L > 0.'},
    {name: 'strain_rms', type: 'float', doc: 'Root mean square of (l - L) / L.'},
    {name: 'volume_error', type: 'float', doc: 'Greatest |V - V0| / |V0| of the volume constraints; 0 if there are none.'},
    {name: 'volume_error_rms', type: 'float', doc: 'Root mean square of (V - V0) / V0.'},
    {name: 'solid_volume_error', type: 'float', doc: 'Greatest |V - V0| / |V0| of the tetrahedra of solids; 0 if there are none.'},
    {name: 'solid_volume_error_rms', type: 'float', doc: 'Root mean square of (V - V0) / V0.'},
    {name: 'yarn_strain_max', type: 'float', unit: 'strain', doc: 'Greatest strain along warp or weft of the orthotropic constraints; 0 if there are none.'},
    {name: 'yarn_strain_rms', type: 'float', unit: 'strain', doc: 'Root mean square of the greater one of both.'},
    {name: 'contacts', type: 'u32', doc: 'Particle-collider contacts that pushed in the last substep.'},
    {name: 'tick_us', type: 'float', unit: 'us', doc: 'Wall time of the last tick\'s solve. Not part of the state.'},
    {name: 'phases', type: 'map', of: 'phase_times', doc: 'Time by phase.'},
  ]},
  convergence: {name: 'convergence', doc: 'How well the solver converged for a body: errors that its material does not ask for. Constraints of constraint.add are left out.', fields: [
    {name: 'body', type: 'u32', doc: 'Id.'},
    {name: 'name', type: 'string', doc: 'Name, or empty.'},
    {name: 'strain_max', type: 'float', doc: 'Greatest l/L - 1 - limit of the edges that have a limit: those of compliance 0, and all edges if there is a stretch.limit. 0 if none is too long.'},
    {name: 'strain_rms', type: 'float', doc: 'The same as root of the mean square over these edges.'},
    {name: 'unresolved_stretch', type: 'float', doc: 'Share of the forces that the compliances of its edges ask for, and that the last substep did not give: 0 to 1. 0 if no edge has a compliance, or if no tick has run since the last edit of constraints.'},
    {name: 'unresolved_bend', type: 'float', doc: 'The same of bending. A body at rest acts as if its rigidity were 1 - share of that of its material. Above about 0.3, bending that is swept with one iteration may gain energy and never rest.'},
    {name: 'unresolved_volume', type: 'float', doc: 'The same of volumes.'},
    {name: 'unresolved_solid', type: 'float', doc: 'The same of the tetrahedra of a solid.'},
    {name: 'bending', type: 'enum', values: ['none', 'solved', 'swept'], doc: 'How its bending is solved (bending of world.create). none: it has no constraints of bending.'},
    {name: 'swept_because', type: 'enum', values: ['nothing', 'world', 'model', 'rigid', 'stiffness', 'stiff', 'large', 'waits'], doc: 'The reason why its bending is swept. nothing: it is not swept. world: all bending of the world is. model: only quadratic bending can be solved. rigid: one of its bending constraints has compliance 0. stiffness: one has a plain stiffness. stiff: numbers cannot tell it from rigid. large: there are too many particles. waits: an edit has changed it, and its new factor is made over some ticks. stiff and large are known once a tick has run since the last edit.'},
  ]},
  contact: {name: 'contact', doc: 'Contact of bodies with each other and with colliders in the last tick: the greatest value over its substeps unless noted. All 0 if no body meets any.', fields: [
    {name: 'pairs', type: 'u32', doc: 'Pairs of features (vertex and triangle, edge and edge) that might have met.'},
    {name: 'pushing', type: 'u32', doc: 'Pairs of these that touched in the last substep.'},
    {name: 'crossed', type: 'u32', doc: 'Edges that went through triangles when the tick began, of bodies that meet. They are left alone, unless the world untangles.'},
    {name: 'held', type: 'u32', doc: 'Particles that were held back, so that nothing crosses.'},
    {name: 'shrunk', type: 'u32', doc: 'Times that the pairs did not fit and how far they are looked for was halved: slow motion, nothing worse.'},
    {name: 'dropped', type: 'u32', doc: 'Pairs that still did not fit: these may cross.'},
    {name: 'penetration', type: 'float', doc: 'Greatest 1 - d / R at the end of the tick, 0 to 1; d: the distance of a pair, R: the distance that it should keep.'},
    {name: 'pierced', type: 'u32', doc: 'Triangles, loose edges and loose particles that reached into the core of a collider, each once for each collider. The core is what is deeper inside than half of the collider\'s inner radius, or farther below a plane or a height field than the body\'s thickness.'},
  ]},
  contact_places: {name: 'contact_places', doc: 'Places where one body touches, was held back and crosses something.', fields: [
    {name: 'body', type: 'u32', doc: 'Id.'},
    {name: 'touching', type: 'u32[]', doc: 'Particles of the pairs that touched in the last substep (pushing), ascending.'},
    {name: 'held', type: 'u32[]', doc: 'Particles that were held back in some substep of the tick, ascending.'},
    {name: 'crossed', type: 'u32[]', doc: 'Its edges that went through triangles when the tick began, two particles each, ascending, each edge once.'},
  ]},
  contacts: {name: 'contacts', doc: 'Places where bodies met in the last whole tick: at most 4096 particles that touch, 4096 that were held and 4096 edges, of 1024 bodies.', fields: [
    {name: 'known', type: 'bool', doc: 'Whether that tick was recorded. False until the world has gone on for a tick since a stream asked for contacts, in frames of substeps within a tick, and if no body meets any.'},
    {name: 'bodies', type: 'list', of: 'contact_places', doc: 'By id, those of which there is something to say.'},
    {name: 'more', type: 'u32', doc: 'How many found no room, of all three kinds: an edge counts for each triangle that it passes.'},
  ]},
  world_settings: {name: 'world_settings', doc: 'The settings of world.create, without the name.', fields: [
    {name: 'gravity', type: 'vec3', default: [0, -9.81, 0], unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'Acceleration of every moving particle.'},
    {name: 'tick_rate', type: 'u32', default: 60, unit: '1/s', min: 1, max: 1000, doc: 'Ticks in a second of the world.'},
    {name: 'substeps', type: 'u32', default: 20, min: 1, max: 1000, doc: 'Substeps a tick.'},
    {name: 'iterations', type: 'u32', default: 1, min: 1, max: 1000, doc: 'Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not.'},
    {name: 'damping', type: 'float', default: 0, unit: '1/s', min: 0, max: 1000000, doc: 'Global damping c.'},
    {name: 'wind', type: 'map', of: 'wind', optional: true, doc: 'Wind on all triangles; absent: none. Fields absent from it take their defaults.'},
    {name: 'resolution', type: 'float', default: 7.450580596923828e-09, unit: 'm', min: 9.313225746154785e-10, max: 0.000244140625, doc: 'Quantum of position, a power of two.'},
    {name: 'extent', type: 'float', default: 1000000, unit: 'm', min: 1, max: 1000000000, doc: 'A world in which a particle passes this coordinate pauses itself as failed.'},
    {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], default: 'guaranteed', doc: 'guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells.'},
    {name: 'untangle', type: 'bool', default: false, doc: 'Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it is pulled apart.'},
    {name: 'long_edges', type: 'bool', doc: 'Whether cloths and ropes are held to their length across many edges at once: those of their edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own weight. A tick takes 1.7 to 3 times as long. Absent: false.'},
    {name: 'bending', type: 'enum', values: ['swept', 'solved'], doc: 'How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far more easily than its material. solved: the whole body at once in each substep, where the kind of bending and the rest shape allow it. Absent: swept.'},
    {name: 'loads', type: 'enum', values: ['swept', 'solved'], doc: 'How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to 600 times as long. Absent: swept.'},
    {name: 'sleep', type: 'bool', doc: 'Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost no time then. Absent: false.'},
    {name: 'calm', type: 'bool', doc: 'Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. Absent: false.'},
    {name: 'forces', type: 'map', of: 'force_fields', optional: true, doc: 'Fields of force; absent: there never were any.'},
    {name: 'surfaces', type: 'list', of: 'surface_pair', optional: true, most: 64, doc: 'As in world.create.'},
  ]},
  constraint_history: {name: 'constraint_history', doc: 'What edits have left of a body\'s constraints of one kind: only if something was removed or changed.', fields: [
    {name: 'built', type: 'u32', doc: 'Constraints when they were last coloured; absent: all that the body was made with.'},
    {name: 'removed', type: 'u32[]', doc: 'Ids of those that are gone, ascending.'},
    {name: 'changed', type: 'u32[]', doc: 'Ids of those with values of their own, ascending; the next four have one number for each.'},
    {name: 'rest', type: 'f64[]', unit: 'm, rad, m^3', doc: 'Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint.'},
    {name: 'compliance', type: 'f64[]', unit: '[C]^2/J', min: 0, doc: 'Compliances.'},
    {name: 'damping', type: 'f64[]', unit: 'J s/[C]^2', min: 0, doc: 'Damping stiffnesses.'},
    {name: 'stiffness', type: 'f64[]', min: -1, max: 1, doc: 'Plain PBD stiffness; -1 if compliance holds.'},
    {name: 'shapes', type: 'f32[]', doc: 'Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made.'},
    {name: 'tile_colors', type: 'u32[]', doc: 'Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as in a new body.'},
    {name: 'colors', type: 'u32[]', max: 64, doc: 'Colour within its tile of each living constraint, by id; 64 is the serial one.'},
  ]},
  body_history: {name: 'body_history', doc: 'By kind of constraint, for those kinds that were edited.', fields: [
    {name: 'distance', type: 'map', of: 'constraint_history', optional: true, doc: 'Distances.'},
    {name: 'dihedral', type: 'map', of: 'constraint_history', optional: true, doc: 'Dihedral angles.'},
    {name: 'isometric', type: 'map', of: 'constraint_history', optional: true, doc: 'Isometric bending.'},
    {name: 'quadratic', type: 'map', of: 'constraint_history', optional: true, doc: 'Quadratic bending.'},
    {name: 'volume', type: 'map', of: 'constraint_history', optional: true, doc: 'Volumes.'},
    {name: 'join', type: 'map', of: 'constraint_history', optional: true, doc: 'Joins; no body has any of its own.'},
    {name: 'slide', type: 'map', of: 'constraint_history', optional: true, doc: 'Slides.'},
    {name: 'slide_rail', type: 'map', of: 'constraint_history', optional: true, doc: 'Rings on rails; no body has any of its own.'},
    {name: 'neo_hookean', type: 'map', of: 'constraint_history', optional: true, doc: 'Tetrahedra of a solid.'},
    {name: 'orthotropic', type: 'map', of: 'constraint_history', optional: true, doc: 'Orthotropic stretch.'},
    {name: 'rod_stretch', type: 'map', of: 'constraint_history', optional: true, doc: 'Segments of a rod.'},
    {name: 'rod_bend', type: 'map', of: 'constraint_history', optional: true, doc: 'Joints of a rod.'},
    {name: 'joint', type: 'map', of: 'constraint_history', optional: true, doc: 'Joints; no body has any of its own.'},
  ]},
  document_state: {name: 'document_state', doc: 'Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made.', fields: [
    {name: 'positions', type: 'f64[]', unit: 'm', multiple: 3, doc: 'x, y, z of each particle, a whole number of quanta.'},
    {name: 'remainders', type: 'number[]', unit: 'quanta', multiple: 3, doc: 'Quanta that the doubles of positions cannot hold beyond 2^53; absent: none.'},
    {name: 'velocities', type: 'f32[]', unit: 'm/s', multiple: 3, doc: 'x, y, z of each particle.'},
    {name: 'inverse_masses', type: 'f32[]', unit: '1/kg', min: 0, max: 1000000000, doc: 'Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go.'},
    {name: 'targets', type: 'f64[]', unit: 'm', multiple: 3, doc: 'Places to which the pinned particles move during the next tick, in the order of pins; absent: none.'},
    {name: 'target_remainders', type: 'number[]', unit: 'quanta', multiple: 3, doc: 'As remainders, of targets.'},
    {name: 'pin_colliders', type: 'u32[]', doc: 'Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one.'},
    {name: 'pin_places', type: 'f64[]', unit: 'm', min: -4000000000, max: 4000000000, multiple: 3, doc: 'x, y, z of each of these pins in the frame of its collider; absent: where it is.'},
    {name: 'pin_compliances', type: 'f64[]', unit: 'm/N', min: -1, max: 10000000000, doc: 'Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent: all are hard.'},
    {name: 'pin_distances', type: 'f64[]', unit: 'm', min: -1, doc: 'Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard.'},
    {name: 'pin_starts', type: 'f64[]', unit: 'quanta', min: -536870912, max: 536870912, multiple: 3, doc: 'Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft pins stand at their targets. Hard ones set out from their particles.'},
    {name: 'pin_ends', type: 'f64[]', unit: 'quanta', min: -1932735283200000, max: 1932735283200000, multiple: 3, doc: 'Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins stay where their targets are.'},
    {name: 'pin_ticks', type: 'u32[]', max: 3599999, doc: 'How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target.'},
    {name: 'forced', type: 'u32[]', doc: 'Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the entry have forces, and this is absent.'},
    {name: 'forces', type: 'f64[]', unit: 'N', min: -1e+38, max: 1e+38, multiple: 3, doc: 'x, y, z of the force on each of these; in edit.restore 0 is none.'},
    {name: 'forces_ticks', type: 'u32[]', max: 3600000, doc: 'Ticks in which each force still acts; 0 or absent: until it is changed.'},
    {name: 'asleep', type: 'bool', doc: 'Whether the body sleeps; absent: false. This and the next five are of worlds with sleep.'},
    {name: 'still', type: 'u32', max: 1001, doc: 'Ticks in a row in which no particle left its anchor; absent: 0.'},
    {name: 'mark', type: 'u64', doc: 'Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too.'},
    {name: 'island', type: 'u32', doc: 'If it sleeps: the least id of the bodies that fell asleep with it, itself included.'},
    {name: 'companions', type: 'u32', doc: 'If it sleeps: how many bodies fell asleep with it, itself included.'},
    {name: 'anchors', type: 'f64[]', unit: 'quanta', min: -2147483648, max: 2147483647, multiple: 3, doc: 'Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are.'},
    {name: 'turned', type: 'f64[]', multiple: 12, doc: 'Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body starts, if it has any.'},
    {name: 'pin_clamps', type: 'f64[]', min: -1073741824, max: 1073741824, multiple: 8, doc: 'Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends; zeros: it has no clamp. Absent: none has one.'},
    {name: 'pin_clamp_places', type: 'f64[]', min: -1073741824, max: 1073741824, multiple: 4, doc: 'Four numbers a pin: the quaternion in whole units of 2^-30 that its clamp has in the frame of the collider that the pin follows; zeros: it does not turn with that. Absent: none does.'},
    {name: 'bend_due', type: 'u32', max: 1000, doc: 'Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is attached after bend_due - 65 ticks. Absent: the factor is attached.'},
  ]},
  document_body: {name: 'document_body', doc: 'A body: what body.add takes, and what has become of it since.', fields: [
    {name: 'body', type: 'u32', min: 1, doc: 'Id, greater than that of the body before it; absent: the next one.'},
    {name: 'name', type: 'string', default: '', nameLike: true, doc: 'Unique in the world if given.'},
    {name: 'kind', type: 'enum', values: ['cloth', 'rope', 'points', 'soft', 'rigid'], required: true, doc: 'Its kind.'},
    {name: 'positions', type: 'f64[]', required: true, unit: 'm', multiple: 3, doc: 'x, y, z of each particle: the rest shape and the start.'},
    {name: 'velocities', type: 'f32[]', unit: 'm/s', multiple: 3, doc: 'x, y, z of each particle at the start; absent: at rest.'},
    {name: 'triangles', type: 'u32[]', multiple: 3, doc: 'Three particle indices each (cloth).'},
    {name: 'edges', type: 'u32[]', multiple: 2, doc: 'Two particle indices each (rope).'},
    {name: 'tets', type: 'u32[]', multiple: 4, doc: 'Four particle indices each (soft).'},
    {name: 'density', type: 'float', min: 0, exclusiveMin: true, doc: 'As in body.add.'},
    {name: 'masses', type: 'f64[]', unit: 'kg', min: 0, scalar: true, doc: 'Mass of each particle, or one for all, instead of density; 0 makes it static.'},
    {name: 'stretch', type: 'map', of: 'stretch_material', doc: 'Material of the edges.'},
    {name: 'bend', type: 'map', of: 'bend_material', optional: true, doc: 'Resistance to bending (cloth); absent: none.'},
    {name: 'volume', type: 'map', of: 'material', optional: true, doc: 'Material of the tetrahedra (soft).'},
    {name: 'solid', type: 'map', of: 'solid_material', optional: true, doc: 'As in body.add; stretch and volume are absent then.'},
    {name: 'rod', type: 'map', of: 'rod', optional: true, doc: 'As in body.add; stretch is absent then.'},
    {name: 'weld', type: 'float', unit: 'm', min: 0, max: 1, scaled: true, doc: 'As in body.add.'},
    {name: 'thickness', type: 'float', default: 0, unit: 'm', min: 0, max: 1, scaled: true, doc: 'Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean edge.'},
    {name: 'self_contact', type: 'bool', doc: 'Its own triangles and edges meet each other; absent: they do not.'},
    {name: 'contact_group', type: 'u32', doc: 'Bits: its groups. Two bodies meet if each one\'s group has a bit of the other\'s mask; absent: 0, it meets nobody.'},
    {name: 'contact_mask', type: 'u32', doc: 'Bits: what it meets; absent: 0, nothing.'},
    {name: 'friction', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.'},
    {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Between two bodies the root of the product of both. Absent: 1000.'},
    {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0.'},
    {name: 'surface', type: 'string', nameLike: true, doc: 'Name of its surface, as rubber: rows of the world\'s surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none.'},
    {name: 'sleep', type: 'bool', doc: 'Whether it may sleep, in worlds with sleep; absent: it may.'},
    {name: 'pressure', type: 'map', of: 'pressure', optional: true, doc: 'As in body.add, with what is left of its time.'},
    {name: 'gravity', type: 'vec3', optional: true, unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'As in body.add; absent: that of the world.'},
    {name: 'wind', type: 'map', of: 'own_wind', optional: true, doc: 'As in body.add; absent: those of the world.'},
    {name: 'force', type: 'vec3', optional: true, unit: 'N', min: -1e+38, max: 1e+38, doc: 'As in body.add; absent: none.'},
    {name: 'force_ticks', type: 'u32', optional: true, max: 3600000, doc: 'Ticks in which that force still acts; absent: until it is changed.'},
    {name: 'shape', type: 'map', of: 'shape', optional: true, doc: 'As in body.add.'},
    {name: 'tear', type: 'map', of: 'tear', optional: true, doc: 'As in body.add. With torn, the spares are among the particles of positions and state.'},
    {name: 'torn', type: 'map', of: 'torn', optional: true, doc: 'The tears; only with tear. Absent: the body is made with spares, and nothing has torn.'},
    {name: 'pins', type: 'u32[]', doc: 'Pinned particles.'},
    {name: 'clamps', type: 'u32[]', doc: 'Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state.'},
    {name: 'skin', type: 'map', of: 'skin', optional: true, doc: 'The surface it carries, with particles by the indices of positions; absent: none.'},
    {name: 'look', type: 'map', of: 'look', optional: true, doc: 'Its look; absent: none.'},
    {name: 'first_constraint', type: 'u32', min: 1, doc: 'First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one.'},
    {name: 'state', type: 'map', of: 'document_state', optional: true, doc: 'Its present state; absent: as it was made.'},
    {name: 'history', type: 'map', of: 'body_history', optional: true, doc: 'Edits of its constraints; absent: none.'},
    {name: 'yarn_uvs', type: 'f32[]', multiple: 6, doc: 'As in body.add; with them stretch.direction is absent.'},
    {name: 'rigid', type: 'map', of: 'rigid', optional: true, doc: 'As in body.add.'},
    {name: 'rotations', type: 'f64[]', min: -1000000, max: 1000000, multiple: 4, doc: 'As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are.'},
    {name: 'angular_velocities', type: 'f32[]', unit: 'rad/s', min: -1000000, max: 1000000, multiple: 3, doc: 'As in body.add.'},
  ]},
  document_collider: {name: 'document_collider', doc: 'A collider: what collider.add takes, and its earlier pose if it is under way.', fields: [
    {name: 'collider', type: 'u32', min: 1, doc: 'Id, greater than that of the collider before it; absent: the next one.'},
    {name: 'name', type: 'string', default: '', nameLike: true, doc: 'Unique among the world\'s colliders if given.'},
    {name: 'kind', type: 'enum', values: ['plane', 'sphere', 'capsule', 'box', 'cylinder', 'convex', 'height_field'], required: true, doc: 'Shape.'},
    {name: 'position', type: 'vec3', default: [0, 0, 0], unit: 'm', doc: 'A point of the plane, the origin of a hull, the middle of a height field\'s grid at height 0, or the centre of the others.'},
    {name: 'normal', type: 'vec3', doc: 'Normal of the plane, instead of rotation; absent: +y.'},
    {name: 'rotation', type: 'vec4', doc: 'Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent: none.'},
    {name: 'radius', type: 'float', default: 1, unit: 'm', doc: 'Radius (sphere, capsule, cylinder).'},
    {name: 'length', type: 'float', default: 1, unit: 'm', doc: 'Between the centres of the ends (capsule), between the flat ends (cylinder).'},
    {name: 'half_extents', type: 'vec3', default: [0.5, 0.5, 0.5], unit: 'm', doc: 'Half the edges (box).'},
    {name: 'friction', type: 'float', default: 0.5, min: 0, max: 1000, doc: 'Coulomb coefficient mu.'},
    {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before. Absent: 1000.'},
    {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both sides the greater one. Absent: 0.'},
    {name: 'surface', type: 'string', nameLike: true, doc: 'Name of its surface, as rubber: rows of the world\'s surfaces with that name speak of it. Several things may have the same one. Absent or empty: it has none.'},
    {name: 'remainder', type: 'vec3', unit: 'quanta', doc: 'Quanta that the doubles of position cannot hold beyond 2^53; absent: none.'},
    {name: 'from_position', type: 'vec3', unit: 'm', doc: 'Position from which the next tick moves it; absent: position.'},
    {name: 'from_remainder', type: 'vec3', unit: 'quanta', doc: 'As remainder, of from_position.'},
    {name: 'from_rotation', type: 'vec4', doc: 'The same for the rotation.'},
    {name: 'unturned', type: 'vec4', doc: 'Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well; absent: what rotation comes to without them.'},
    {name: 'points', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'As in collider.add (convex).'},
    {name: 'heights', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, doc: 'As in collider.add (height_field).'},
    {name: 'columns', type: 'u32', min: 2, max: 256, doc: 'As in collider.add (height_field).'},
    {name: 'spacing', type: 'float', unit: 'm', min: 1e-06, max: 1000000000, doc: 'As in collider.add (height_field); absent: 1.'},
    {name: 'surface_velocity', type: 'vec3', unit: 'm/s', min: -50, max: 50, doc: 'As in collider.add; absent: none.'},
    {name: 'surface_spin', type: 'vec3', unit: 'rad/s', min: -1000, max: 1000, doc: 'As in collider.add; absent: none.'},
  ]},
  document_constraints: {name: 'document_constraints', doc: 'Loose constraints of one kind: what constraint.add takes, and what they have become.', fields: [
    {name: 'type', type: 'enum', values: ['distance', 'dihedral', 'isometric', 'quadratic', 'volume', 'join', 'slide', 'slide_rail', 'neo_hookean', 'orthotropic', 'rod_stretch', 'rod_bend', 'joint'], default: 'distance', doc: 'Kind of all of them.'},
    {name: 'body', type: 'ref', doc: 'Body of all particles, by id or name.'},
    {name: 'bodies', type: 'u32[]', doc: 'Body id of each particle, instead of body.'},
    {name: 'particles', type: 'u32[]', required: true, doc: 'Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and orthotropic, six for each join that has an id and shapes (else those of its sides), four for each joint that has (else a piece of a rigid body and those of its second side), four for each other.'},
    {name: 'sides', type: 'u32[]', doc: 'Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle).'},
    {name: 'weights', type: 'f64[]', min: 0, max: 1, doc: 'Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the piece\'s centre.'},
    {name: 'rest', type: 'f64[]', unit: 'm, rad, m^3', scalar: true, doc: 'Rest values, or one for all; absent: the present ones.'},
    {name: 'compliance', type: 'f64[]', unit: '[C]^2/J', min: 0, scalar: true, doc: 'Of each, or one for all; absent: 0.'},
    {name: 'damping', type: 'f64[]', unit: 'J s/[C]^2', min: 0, scalar: true, doc: 'Of each, or one for all; absent: 0.'},
    {name: 'stiffness', type: 'f64[]', min: -1, max: 1, scalar: true, doc: 'Plain PBD stiffness of each, or one for all; -1 if compliance holds.'},
    {name: 'constraints', type: 'u32[]', doc: 'Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and colors as well, and slides ratio, friction and side.'},
    {name: 'colors', type: 'u32[]', max: 64, doc: 'Colour of each, its place in the order of solving, which history gave.'},
    {name: 'shapes', type: 'f32[]', doc: 'Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0), four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest force, and 1 if it has parted. Of joints with ids, 36, which docs/concepts/joints.md names. A corner of a join that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from rest, six entries of the inverse of the matrix of the edges\' products for a volume of 1/6 (00, 11, 22, 01, 02, 12), and Poisson\'s ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md.'},
    {name: 'rest_end', type: 'f64[]', unit: 'm', min: 0, scalar: true, doc: 'Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes evenly and in ticks.'},
    {name: 'seconds', type: 'f64[]', unit: 's', min: 0, max: 3600, scalar: true, doc: 'Only for joins, with rest_end: how long that takes, above 0, of each or one for all.'},
    {name: 'force_limit', type: 'f64[]', unit: 'N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0.'},
    {name: 'ratio', type: 'f64[]', min: 1, max: 16, scalar: true, doc: 'Of slides: as in constraint.add; absent: 1.'},
    {name: 'friction', type: 'f64[]', min: 0, max: 100, scalar: true, doc: 'Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0.'},
    {name: 'side', type: 'f64[]', unit: 'm', min: 0, scalar: true, doc: 'Of slides with friction: what of the rest length is between the first particle and the ring, which ticks change; at most rest, and 0 without friction. Absent: in proportion to the present lengths.'},
    {name: 'joint', type: 'enum', values: ['ball', 'fixed', 'hinge', 'slider', 'distance'], doc: 'Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a rod or the world.'},
    {name: 'anchors', type: 'f64[]', unit: 'm', min: -1000000000, max: 1000000000, multiple: 3, doc: 'Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own anchor. Default: the second side\'s particle or point, or the centre of its piece; of a segment the point that weights name, and of the world the first piece\'s.'},
    {name: 'axes', type: 'f64[]', min: -1000000000, max: 1000000000, multiple: 3, doc: 'Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y, 0 1 0.'},
    {name: 'limits', type: 'f64[]', min: -1000000, max: 1000000, multiple: 2, doc: 'Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one.'},
    {name: 'turn_compliance', type: 'f64[]', unit: 'rad/(N m)', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all. Default 0.'},
    {name: 'motor', type: 'enum', values: ['none', 'speed', 'target'], doc: 'Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed; target: to an angle or a place.'},
    {name: 'motor_target', type: 'f64[]', min: -1000000, max: 1000000, scalar: true, doc: 'Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes to, or one for all. Default 0.'},
    {name: 'motor_most', type: 'f64[]', unit: 'N m, N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints: the greatest torque of a hinge\'s motor, or force of a slider\'s; of each, or one for all. 0: as much as it takes. Default 0.'},
    {name: 'motor_compliance', type: 'f64[]', unit: 'rad/(N m), m/N', min: 0, max: 1000000000000, scalar: true, doc: 'Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0.'},
    {name: 'fields', type: 'flags', values: ['rest', 'compliance', 'damping', 'stiffness', 'ratio', 'friction', 'side', 'rest_end', 'force_limit', 'limits', 'turn_compliance', 'motor', 'motor_target', 'motor_most', 'motor_compliance'], optional: true, doc: 'Only for edit.restore, of constraints that live: only these are restored, and their other values stay. rest_end is it with seconds. Absent: all.'},
  ]},
  motion_summary: {name: 'motion_summary', doc: 'A motion: keyframes that move a collider, or pinned particles, as ticks go by.', fields: [
    {name: 'motion', type: 'u32', doc: 'Id.'},
    {name: 'collider', type: 'u32', optional: true, doc: 'Collider that it moves.'},
    {name: 'body', type: 'u32', optional: true, doc: 'Body whose particles it moves, if it is no collider.'},
    {name: 'particles', type: 'u32[]', doc: 'Those of them that are pinned.'},
    {name: 'times', type: 'f64[]', unit: 's', doc: 'As in motion.add.'},
    {name: 'offsets', type: 'f64[]', unit: 'm', doc: 'As in motion.add.'},
    {name: 'loop', type: 'bool', doc: 'As in motion.add.'},
    {name: 'age', type: 'u64', doc: 'Ticks since it was added, or since world.reset.'},
    {name: 'rotations', type: 'f64[]', optional: true, doc: 'If it turns what it moves: as in motion.add, each of length 1 and with the sign that makes it next to the one before.'},
    {name: 'interpolation', type: 'enum', values: ['linear', 'cubic'], doc: 'As in motion.add.'},
    {name: 'posed', type: 'bool', doc: 'Whether it has poses.'},
    {name: 'poses', type: 'f32[]', optional: true, unit: 'm', doc: 'If it has them and they were asked for: as in motion.add.'},
  ]},
  document_motion: {name: 'document_motion', doc: 'A motion: what motion.add takes, and how far it is.', fields: [
    {name: 'motion', type: 'u32', min: 1, doc: 'Id, greater than that of the motion before it; absent: the next one.'},
    {name: 'collider', type: 'ref', doc: 'Collider, by id or name.'},
    {name: 'body', type: 'ref', doc: 'Body, by id or name, instead of collider.'},
    {name: 'particles', type: 'u32[]', doc: 'Particles of the body.'},
    {name: 'times', type: 'f64[]', required: true, unit: 's', min: 0, max: 1000000, doc: 'As in motion.add.'},
    {name: 'offsets', type: 'f64[]', required: true, unit: 'm', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'As in motion.add.'},
    {name: 'loop', type: 'bool', default: false, doc: 'As in motion.add.'},
    {name: 'age', type: 'u64', default: 0, doc: 'Ticks since it began.'},
    {name: 'rotations', type: 'f64[]', min: -1000000, max: 1000000, multiple: 4, doc: 'As in motion.add.'},
    {name: 'pivot', type: 'vec3', unit: 'm', doc: 'As in motion.add.'},
    {name: 'interpolation', type: 'enum', values: ['linear', 'cubic'], default: 'linear', doc: 'As in motion.add.'},
    {name: 'arms', type: 'f64[]', unit: 'm', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as they are.'},
    {name: 'poses', type: 'f32[]', unit: 'm', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'As in motion.add.'},
  ]},
  document_grab: {name: 'document_grab', doc: 'A particle that is held. Its holder is no part of a document.', fields: [
    {name: 'grab', type: 'u32', min: 1, doc: 'Id, greater than that of the grab before it; absent: the next one.'},
    {name: 'body', type: 'ref', required: true, doc: 'Body, by id or name.'},
    {name: 'particle', type: 'u32', required: true, doc: 'Index in the body.'},
    {name: 'target', type: 'vec3', required: true, unit: 'm', doc: 'Point to which it is pulled.'},
    {name: 'remainder', type: 'vec3', unit: 'quanta', doc: 'Quanta that the doubles of target cannot hold beyond 2^53; absent: none.'},
    {name: 'compliance', type: 'float', default: 0.001, unit: 'm/N', min: 0, doc: 'As in grab.begin.'},
  ]},
  document: {name: 'document', doc: 'A whole world without its name, its people and their grabs: a saved world that is opened again has the same hash and the same future.', fields: [
    {name: 'format', type: 'u32', default: 1, min: 1, max: 1, doc: 'Of this map.'},
    {name: 'settings', type: 'map', of: 'world_settings', doc: 'Settings.'},
    {name: 'tick', type: 'u64', default: 0, max: 4503599627370496, doc: 'Completed ticks.'},
    {name: 'bodies', type: 'list', of: 'document_body', most: 4096, doc: 'By id.'},
    {name: 'colliders', type: 'list', of: 'document_collider', most: 256, doc: 'By id.'},
    {name: 'constraints', type: 'list', of: 'document_constraints', most: 4096, doc: 'Loose constraints, at most 4096 entries.'},
    {name: 'motions', type: 'list', of: 'document_motion', most: 256, doc: 'By id.'},
    {name: 'next_body', type: 'u32', min: 1, doc: 'Next id; absent: the least that is free.'},
    {name: 'next_constraint', type: 'u32', min: 1, doc: 'The same for constraints.'},
    {name: 'next_grab', type: 'u32', min: 1, doc: 'The same for grabs.'},
    {name: 'next_collider', type: 'u32', min: 1, doc: 'The same for colliders.'},
    {name: 'next_motion', type: 'u32', min: 1, doc: 'The same for motions.'},
    {name: 'grabs', type: 'list', of: 'document_grab', most: 1024, doc: 'By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it says is held.'},
  ]},
  restore_removed: {name: 'restore_removed', doc: 'Ids of things to remove; ids that do not exist are skipped.', fields: [
    {name: 'bodies', type: 'u32[]', doc: 'Bodies, with the loose constraints and the motions that hold them.'},
    {name: 'constraints', type: 'u32[]', doc: 'Loose constraints.'},
    {name: 'colliders', type: 'u32[]', doc: 'Colliders, with the motions that move them.'},
    {name: 'motions', type: 'u32[]', doc: 'Motions.'},
  ]},
  restore_settings: {name: 'restore_settings', doc: 'Settings of a world; absent ones stay as they are.', fields: [
    {name: 'gravity', type: 'vec3', unit: 'm/s^2', min: -1000, max: 1000, scaled: true, doc: 'As in world.create.'},
    {name: 'substeps', type: 'u32', min: 1, max: 1000, doc: 'As in world.create.'},
    {name: 'iterations', type: 'u32', min: 1, max: 1000, doc: 'As in world.create.'},
    {name: 'damping', type: 'float', unit: '1/s', min: 0, max: 1000000, doc: 'As in world.create.'},
    {name: 'wind', type: 'map', of: 'wind', optional: true, partial: true, doc: 'As in world.create.'},
    {name: 'extent', type: 'float', unit: 'm', min: 1, max: 1000000000, doc: 'As in world.create.'},
    {name: 'contact_quality', type: 'enum', values: ['guaranteed', 'fast'], doc: 'As in world.create.'},
    {name: 'untangle', type: 'bool', doc: 'As in world.create.'},
    {name: 'long_edges', type: 'bool', doc: 'As in world.create.'},
    {name: 'bending', type: 'enum', values: ['swept', 'solved'], doc: 'As in world.create.'},
    {name: 'loads', type: 'enum', values: ['swept', 'solved'], doc: 'As in world.create.'},
    {name: 'sleep', type: 'bool', doc: 'As in world.create.'},
    {name: 'calm', type: 'bool', doc: 'As in world.create.'},
    {name: 'forces', type: 'map', of: 'force_fields', optional: true, doc: 'All fields of force, and the id of the next one.'},
    {name: 'fields', type: 'string', optional: true, doc: 'Names of fields of wind with a space between them, as wind.drag. Then only these are restored, and those that wind lacks are ended; other fields of the wind stay.'},
    {name: 'forces_set', type: 'list', of: 'force_field', most: 16, doc: 'Fields of force by id: what is given of each is restored. One that is gone comes back if its kind is given.'},
    {name: 'forces_removed', type: 'u32[]', min: 1, doc: 'Ids of fields of force to remove; ids that do not exist are skipped.'},
    {name: 'forces_next', type: 'u32', min: 1, doc: 'Id of the next field of force.'},
    {name: 'surfaces', type: 'list', of: 'surface_pair', optional: true, most: 64, doc: 'As in world.set.'},
  ]},
  restore_body: {name: 'restore_body', doc: 'Values to restore in an existing body; absent fields stay as they are.', fields: [
    {name: 'body', type: 'u32', required: true, min: 1, doc: 'Id.'},
    {name: 'name', type: 'string', nameLike: true, doc: 'Empty: it has none.'},
    {name: 'stretch', type: 'map', of: 'stretch_material', optional: true, partial: true, doc: 'Material of the edges, and of all their constraints.'},
    {name: 'bend', type: 'map', of: 'bend_material', optional: true, partial: true, doc: 'The same of bending.'},
    {name: 'volume', type: 'map', of: 'material', optional: true, partial: true, doc: 'The same of the tetrahedra.'},
    {name: 'solid', type: 'map', of: 'solid_material', optional: true, partial: true, doc: 'The same of a solid.'},
    {name: 'thickness', type: 'float', unit: 'm', min: 0, max: 1, scaled: true, doc: 'As in body.add.'},
    {name: 'self_contact', type: 'bool', doc: 'As in body.add.'},
    {name: 'contact_group', type: 'u32', doc: 'As in body.add.'},
    {name: 'contact_mask', type: 'u32', doc: 'As in body.add.'},
    {name: 'friction', type: 'float', min: 0, max: 1000, doc: 'As in body.add.'},
    {name: 'friction_kinetic', type: 'float', min: 0, max: 1000, doc: 'As in body.add.'},
    {name: 'restitution', type: 'float', min: 0, max: 1, doc: 'As in body.add.'},
    {name: 'surface', type: 'string', nameLike: true, doc: 'As in body.add; empty: it has none.'},
    {name: 'sleep', type: 'bool', doc: 'As in body.add.'},
    {name: 'pressure', type: 'map', of: 'pressure', optional: true, partial: true, doc: 'As in body.add; model none: it has none.'},
    {name: 'gravity', type: 'f64[]', unit: 'm/s^2', min: -1000, max: 1000, multiple: 3, scaled: true, doc: 'Gravity of its own, three numbers; none: that of the world.'},
    {name: 'wind', type: 'map', of: 'own_wind', optional: true, partial: true, doc: 'Coefficients of its own; those that are absent from it are those of the world.'},
    {name: 'force', type: 'vec3', optional: true, unit: 'N', min: -1e+38, max: 1e+38, doc: 'Force on it as a whole; 0: none.'},
    {name: 'force_ticks', type: 'u32', optional: true, max: 3600000, doc: 'Ticks in which that force still acts; absent: until it is changed.'},
    {name: 'shape', type: 'map', of: 'shape', optional: true, partial: true, doc: 'As in body.add; model none: it has none.'},
    {name: 'tear', type: 'map', of: 'tear', optional: true, partial: true, doc: 'Thresholds; most is not read.'},
    {name: 'fields', type: 'string', optional: true, doc: 'Names of fields of these maps with a space between them, as stretch.damping. Of a map of which some are named only these are restored, and those that it lacks are ended; its other fields stay. A map of which none is named is restored whole.'},
  ]},
  restore_particles: {name: 'restore_particles', doc: 'Values to restore in particles of a body.', fields: [
    {name: 'body', type: 'u32', required: true, min: 1, doc: 'Id.'},
    {name: 'particles', type: 'u32[]', doc: 'Indices in the body, each once; absent: all.'},
    {name: 'pinned', type: 'bool', optional: true, doc: 'Whether they are pinned; absent: as they are.'},
    {name: 'state', type: 'map', of: 'document_state', doc: 'State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are. With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with the anchors of these particles; without it, sleep is as it is.'},
  ]},
  restore_own: {name: 'restore_own', doc: 'Constraints of one kind with which a body was added, to restore with these values. If the body was coloured again because some were removed, its earlier places are told as well.', fields: [
    {name: 'body', type: 'u32', required: true, min: 1, doc: 'Id of the body.'},
    {name: 'type', type: 'enum', values: ['distance', 'dihedral', 'isometric', 'quadratic', 'volume', 'join', 'slide', 'slide_rail', 'neo_hookean', 'orthotropic', 'rod_stretch', 'rod_bend', 'joint'], default: 'distance', doc: 'Kind of all of them.'},
    {name: 'constraints', type: 'u32[]', required: true, doc: 'Ids, ascending.'},
    {name: 'rest', type: 'f64[]', unit: 'm, rad, m^3', doc: 'Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint.'},
    {name: 'compliance', type: 'f64[]', unit: '[C]^2/J', min: 0, doc: 'Compliances.'},
    {name: 'damping', type: 'f64[]', unit: 'J s/[C]^2', min: 0, doc: 'Damping stiffnesses.'},
    {name: 'stiffness', type: 'f64[]', min: -1, max: 1, doc: 'Plain PBD stiffness; -1 if compliance holds.'},
    {name: 'colors', type: 'u32[]', max: 64, doc: 'Colour of each within its tile.'},
    {name: 'built', type: 'u32', doc: 'Constraints of this kind when they were last coloured before; with places.'},
    {name: 'places', type: 'u32[]', doc: 'Ids of all that had places then, ascending; absent: the body was not coloured again.'},
    {name: 'place_colors', type: 'u32[]', max: 64, doc: 'Colour of each of those.'},
    {name: 'tile_colors', type: 'u32[]', doc: 'Colour of each tile then.'},
    {name: 'shapes', type: 'f32[]', doc: 'For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made.'},
    {name: 'rests_stay', type: 'bool', doc: 'If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or dent back that came after the edit.'},
    {name: 'fields', type: 'flags', values: ['rest', 'compliance', 'damping', 'stiffness'], optional: true, doc: 'Only these are restored, of constraints that live; their other values stay. Absent: all.'},
  ]},
  restore_collider: {name: 'restore_collider', doc: 'Values to restore in a collider.', fields: [
    {name: 'parts', type: 'flags', values: ['name', 'pose', 'size', 'friction', 'surface', 'friction_kinetic', 'restitution', 'position', 'rotation', 'radius', 'length', 'half_extents', 'points', 'heights', 'surface_velocity', 'surface_spin', 'surface_name'], optional: true, doc: 'Parts of it to restore; absent: the collider itself comes back.'},
    {name: 'collider', type: 'map', of: 'document_collider', doc: 'As in a document, with its id.'},
  ]},
  restore_next: {name: 'restore_next', doc: 'Next ids; absent ones stay.', fields: [
    {name: 'body', type: 'u32', min: 1, doc: 'Next id of bodies.'},
    {name: 'constraint', type: 'u32', min: 1, doc: 'Next ids of constraints.'},
    {name: 'collider', type: 'u32', min: 1, doc: 'Next id of colliders.'},
    {name: 'motion', type: 'u32', min: 1, doc: 'Next id of motions.'},
  ]},
  restore_step: {name: 'restore_step', doc: 'Parameters of edit.restore, without the world.', fields: [
    {name: 'removed', type: 'map', of: 'restore_removed', optional: true, doc: 'Things to remove.'},
    {name: 'name', type: 'string', nameLike: true, doc: 'Name of the world.'},
    {name: 'settings', type: 'map', of: 'restore_settings', optional: true, doc: 'Settings of the world.'},
    {name: 'bodies', type: 'list', of: 'document_body', most: 4096, doc: 'Bodies that come back, with their ids, by id.'},
    {name: 'parts', type: 'list', of: 'restore_body', most: 4096, doc: 'Values of bodies that stay.'},
    {name: 'particles', type: 'list', of: 'restore_particles', most: 16384, doc: 'Particles, one entry after the other.'},
    {name: 'own', type: 'list', of: 'restore_own', most: 4096, doc: 'Constraints that bodies came with; those that are gone come back.'},
    {name: 'constraints', type: 'list', of: 'document_constraints', most: 4096, doc: 'Loose constraints, with their ids; those that are gone come back.'},
    {name: 'colliders', type: 'list', of: 'restore_collider', most: 256, doc: 'Colliders, by id.'},
    {name: 'motions', type: 'list', of: 'document_motion', most: 256, doc: 'Motions, with their ids; those that are gone come back.'},
    {name: 'next', type: 'map', of: 'restore_next', optional: true, doc: 'Next ids. One that is lower than what is next now does not count: no id is given twice.'},
    {name: 'expected_next', type: 'map', of: 'restore_next', optional: true, doc: 'Next ids if there was no edit in between; if one differs, ids were given since, and it stays.'},
  ]},
  undo_overwritten: {name: 'undo_overwritten', doc: 'A field that somebody changed after the edit that is undone or redone, and whose value is overwritten with force.', fields: [
    {name: 'what', type: 'string', doc: 'The field and its thing for people: wind.drag of the world.'},
    {name: 'thing', type: 'string', doc: 'Kind of the thing: world, body, collider, constraint, motion or force.'},
    {name: 'id', type: 'u32', doc: 'Its id; 0 for the world.'},
    {name: 'field', type: 'string', doc: 'The fields: wind.drag. Empty: all of the thing.'},
    {name: 'revision', type: 'u64', doc: 'Revision of the edit that changed it last.'},
    {name: 'method', type: 'string', doc: 'Method of that edit.'},
    {name: 'user', type: 'string', doc: 'Who made that edit; empty: somebody without a name.'},
  ]},
  undo_left_out: {name: 'undo_left_out', doc: 'A thing that could not come back, because what it needs is gone.', fields: [
    {name: 'thing', type: 'string', doc: 'Its kind: body, constraint, collider or motion.'},
    {name: 'id', type: 'u32', doc: 'Its id.'},
    {name: 'why', type: 'string', doc: 'The thing that it needs.'},
  ]},
  undo_edit: {name: 'undo_edit', doc: 'The edit that was undone or redone.', fields: [
    {name: 'revision', type: 'u64', doc: 'Revision of the world after it.'},
    {name: 'method', type: 'string', doc: 'Method.'},
    {name: 'user', type: 'string', doc: 'Name of the person who made it.'},
  ]},
  undo_back: {name: 'undo_back', doc: 'The outcome of an undo or redo as data, so that a record needs nothing else.', fields: [
    {name: 'edit', type: 'map', of: 'undo_edit', doc: 'Which edit.'},
    {name: 'steps', type: 'list', of: 'restore_step', most: 1024, doc: 'Parts to restore, one after another.'},
    {name: 'left_out', type: 'list', of: 'undo_left_out', most: 1024, doc: 'Parts that could not be restored, with force.'},
    {name: 'overwritten', type: 'list', of: 'undo_overwritten', most: 1024, doc: 'Later changes that it overwrites, with force; the last of each field.'},
  ]},
};
