// The one table of weftd's options: a row for each, in the order of --help. From the rows follow the members of `struct options`
// (options.h), parsing, ranges and errors (options_value.c), --help, weftd(8) and docs/guides/server.md (options_pages.c).
//
// OPTION(member, kind, …): the kind (options.h) is the type of the member and says how a value is read. The rest initializes a
// `struct option_row` (options_internal.h):
//
//     .name, .help                 every row has them
//     .argument                    every row except a FLAG
//     .min, .max, .count           a COUNT or AMOUNT only. If another kind has a bound, .help tells it
//     .text                        the default of another kind; a text without it is empty
//     .otherwise                   a default that is not a fixed value, in words
//     .heading                     the first row of a group only
//     .limit, .unit, .more, .see   if there is something to say
//
// `.help` is one phrase without a full stop. `.more` is whole sentences, which only weftd(8) shows. Texts mark literals and
// options by backticks, and have no |, <, > or backslash. The file that includes this one defines OPTION; it is undefined at the
// end.
// clang-format off
#ifndef OPTION
#define OPTION(...)
#endif

OPTION(listen, ADDRESS, .name = "listen", .argument = "ADDR:PORT", .text = "127.0.0.1:9338",
       .heading = "Addresses",
       .help = "listen for MessagePack-RPC at this address; port 0 takes a free one",
       .more = "The address is numeric, and in brackets if it is IPv6. "
               "An address other than loopback needs `--tokens` and `--tls-cert`, or `--insecure`.")
OPTION(http, ADDRESS_OR_NONE, .name = "http", .argument = "ADDR:PORT", .text = "127.0.0.1:9339",
       .help = "listen for HTTP and WebSockets at this address, or `none`",
       .more = "HTTP gives the studio at `/`, WebSockets at `/ws`, figures for Prometheus at `/metrics`, and `/healthz`. "
               "If the default port is taken, and the option was not given, the server warns and goes on without HTTP.")
OPTION(studio, FOLDER, .name = "studio", .argument = "DIR", .otherwise = "where its files were built or installed",
       .help = "serve the studio's files from this folder",
       .more = "They are read at the start.")
OPTION(origins, ORIGINS, .name = "origin", .argument = "URL,...",
       .help = "also accept WebSockets from pages of these origins, as `https://sim.example.org`",
       .more = "Commas separate them. Pages of the server itself and of this machine are accepted without it. "
               "A proxy that gives the server another name needs it.")
OPTION(hosts, HOSTS, .name = "host", .argument = "NAME,...",
       .help = "also accept requests of browsers that call the server by these names",
       .more = "Commas separate them, and they have no port. Addresses, `localhost` and the names of `--origin` are accepted without it. "
               "A request with another name in the field `Host` is refused with 403: "
               "a stranger's page whose name was made to point here would be of the server's own origin.")

OPTION(tls_cert, PEM, .name = "tls-cert", .argument = "FILE",
       .heading = "TLS",
       .help = "speak TLS at both addresses, and nothing else, with this certificate and its chain (PEM)",
       .see = "[TLS](deploy.md)",
       .more = "TLS is 1.2 or 1.3. The server's own certificate comes first in the file, then those between it and an authority. "
               "If a file cannot be read, does not fit the other or has expired, the server does not start. "
               "SIGHUP reads both files again for new connections; if they are wrong, "
               "the log says so and the old ones stay in use.")
OPTION(tls_key, PEM, .name = "tls-key", .argument = "FILE", .help = "the key of `--tls-cert` (PEM)")
OPTION(tls_client_ca, PEM, .name = "tls-client-ca", .argument = "FILE",
       .help = "accept only clients with a certificate of one of these authorities (PEM)",
       .more = "This holds at both addresses.")

OPTION(scene, SCENE, .name = "scene", .argument = "FILE",
       .heading = "Worlds",
       .help = "begin with this scene as a world that runs: a file, or a name of the gallery",
       .see = "[scene](../reference/scene.md)",
       .more = "If the scene is wrong, the server says why and ends with status 2.")
OPTION(data, FOLDER, .name = "data", .argument = "DIR", .otherwise = "worlds live in memory, and end with the server",
       .help = "keep worlds and their past in this folder",
       .see = "[worlds that last](#worlds-that-last)",
       .more = "The folder is made if it is not there, and one server has it at a time. "
               "Every edit is durable before it is answered. "
               "However the server ends, its worlds are there again when it starts with the same folder.")
OPTION(keep_seconds, KEEP, .name = "keep", .argument = "AGE,SIZE", .text = "30d,16G",
       .help = "keep so much of the past: an age, a size, both with a comma between them, or `all`",
       .more = "An age is as `30d` or `12h` (s, m, h, d), a size as `16G` (K, M, G, T). "
               "What a world needs to be opened is always kept.")
OPTION(bin_seconds, AGE, .name = "bin", .argument = "AGE", .text = "1d",
       .help = "how long a deleted world can be had back, as `7d`; `0s`: not at all",
       .more = "For this and for `--keep`, only time that a server had the folder open counts: "
               "nothing goes because the wall clock was set.")

OPTION(store, BROKERS, .name = "store", .argument = "URL",
       .heading = "Servers that share worlds",
       .help = "also keep worlds in streams of NATS JetStream at `nats://HOST:PORT,...` or `tls://...`, "
               "which other servers can go on with",
       .see = "[several servers](cluster.md)",
       .more = "Servers with the same brokers share their worlds: one of them runs each world, "
               "and if it dies, another goes on within seconds. "
               "The folder of `--data` stays beside the brokers, and is what is read. "
               "Brokers are of version 2.15 or later. Three of them keep each world if three or more are named, else one does. "
               "`USER:PASSWORD@` before the first host names the user of the connection; "
               "`/NAME` behind the last host keeps deployments apart. "
               "While no broker can be reached, worlds wait. "
               "At its start the server waits for brokers for a minute, unless waiting cannot help.")
OPTION(store_check, BROKERS_OR_NONE, .name = "store-check", .argument = "URL",
       .help = "ask these brokers, as a user of the system account, whether they sync what they acknowledge; `none` trusts them",
       .more = "`--store` needs it, with the same hosts. "
               "If a broker does not sync (`sync_interval: always`), the server does not start.")
OPTION(store_ca, FILE, .name = "store-ca", .argument = "FILE", .otherwise = "those that the system trusts",
       .help = "trust these authorities for brokers at `tls://...` (PEM)")
OPTION(store_cert, FILE, .name = "store-cert", .argument = "FILE",
       .help = "show this certificate and its chain to brokers at `tls://...` that ask for one (PEM)",
       .more = "It is read at the start.")
OPTION(store_key, FILE, .name = "store-key", .argument = "FILE", .help = "the key of `--store-cert` (PEM)")
OPTION(store_creds, FILE, .name = "store-creds", .argument = "FILE",
       .help = "connect to the brokers with these credentials: a file with a JWT and the seed of its key, as nsc makes it")
OPTION(store_check_creds, FILE, .name = "store-check-creds", .argument = "FILE",
       .help = "the credentials of the user of `--store-check`")
OPTION(store_brokers_alone, ACKS, .name = "store-acks", .argument = "WHOSE", .text = "both",
       .help = "what an answer waits for: `both` the brokers and the folder, or the `brokers`")
OPTION(server_name, NAME, .name = "server-name", .argument = "NAME", .otherwise = "the machine's name",
       .help = "the name of this server among those that share `--store`",
       .see = "[which server has which world](cluster.md#who-has-which-world)")
OPTION(advertise, HOST, .name = "advertise", .argument = "HOST",
       .otherwise = "the address it listens at, or the machine's name if that is every address",
       .help = "the address of this server that others give to clients: a host, with the ports that the server has, "
               "or `HOST:PORT,HOST:PORT` for `--listen` and `--http`")
OPTION(relay_ca, PEM, .name = "relay-ca", .argument = "FILE", .otherwise = "those that the system trusts",
       .help = "trust these authorities for other servers of `--store` that speak TLS, to which calls are passed on (PEM)",
       .see = "[calls that are passed on](cluster.md#clients-that-know-nothing-of-it)",
       .more = "Each of those servers has to have a certificate of the host that it advertises. "
               "A server that asks for a certificate is shown that of `--tls-cert`.")
OPTION(drain, FLAG, .name = "drain",
       .help = "give worlds to the other servers before it ends on SIGINT or SIGTERM",
       .more = "This takes a minute at most.")

OPTION(threads, COUNT, .name = "threads", .argument = "N", .min = 1, .max = OPTIONS_THREADS_MAX,
       .otherwise = "one for each core",
       .heading = "The process",
       .help = "simulation threads",
       .more = "Each runs one world for one tick at a time, and helps a large world when none is due. "
               "Only cores that the process may use count. "
               "The number of threads never changes what is computed.")
OPTION(loops, COUNT, .name = "loops", .argument = "N", .min = 1, .max = NET_LOOPS_MAX, .count = 1,
       .help = "threads that read, decrypt, encrypt and write for connections, each for its share of them",
       .see = "[many connections](#many-connections)",
       .more = "The first also does all else that is not simulation. "
               "More than one help if one processor is not enough for TLS, or for the bytes that many streams take.")
OPTION(isa, ISA, .name = "isa", .argument = "NAME", .otherwise = "the widest that the machine has",
       .help = "instructions of the solver: `scalar`, `sse2`, `avx2`, `avx512` or `neon`",
       .more = "They never change what is computed, only how fast.")
OPTION(config, FILE, .name = "config", .argument = "FILE", .help = "read options from this file",
       .more = "The section CONFIGURATION FILE says how.")
OPTION(log_level, LEVEL, .name = "log-level", .argument = "LEVEL", .text = "info",
       .help = "log lines of this level and graver ones: `error`, `warn`, `info` or `debug`")
OPTION(log_json, FLAG, .name = "log-json", .help = "write each log line as one JSON object")

OPTION(insecure, FLAG, .name = "insecure",
       .heading = "Permissions",
       .help = "allow addresses other than loopback without `--tokens` and TLS",
       .more = "Without tokens anybody who reaches the address may do everything. "
               "With them, but without TLS, tokens can be read on the way.")
OPTION(tokens, FLAG, .name = "tokens",
       .help = "ask every client for a token; needs `--data` or `--access`",
       .see = "[permissions](security.md)",
       .more = "Each person may then do what their roles allow.")
OPTION(access, FILE, .name = "access", .argument = "FILE", .otherwise = "`DIR/access` of `--data`",
       .help = "the file of tokens, as hashes, and of roles in worlds")
OPTION(token_new, NAME, .name = "token-new", .argument = "NAME",
       .help = "make a token of an admin with this name, print it and end",
       .more = "A server that runs with the same file takes the token at once.")
OPTION(audit, FILE, .name = "audit", .argument = "FILE",
       .help = "append to this file, as JSON lines, what each person did",
       .more = "It also tells which clients connected, and which were refused. SIGHUP opens it again. "
               "A disk that stalls holds up nobody: lines that find no room are counted.")

OPTION(person_messages, AMOUNT, .name = "person-messages", .argument = "N", .max = UINT32_MAX,
       .count = PROTOCOL_LIMIT_PERSON_MESSAGES, .limit = "person_messages",
       .heading = "Limits of each person, with `--tokens`",
       .help = "messages a second, in all sessions; 0: any number",
       .more = "Twice as many may come at once.")
OPTION(person_bytes, AMOUNT, .name = "person-bytes", .argument = "N", .max = OPTIONS_PERSON_MAX, .unit = "bytes",
       .count = PROTOCOL_LIMIT_PERSON_BYTES, .limit = "person_bytes",
       .help = "bytes a second of these messages; 0: any number")
OPTION(person_edits, AMOUNT, .name = "person-edits", .argument = "N", .max = UINT32_MAX,
       .count = PROTOCOL_LIMIT_PERSON_EDITS, .limit = "person_edits",
       .help = "edits a second; 0: any number")
OPTION(person_worlds, AMOUNT, .name = "person-worlds", .argument = "N", .max = UINT32_MAX,
       .count = PROTOCOL_LIMIT_PERSON_WORLDS, .limit = "person_worlds",
       .help = "worlds that the person made; 0: any number")
OPTION(person_bodies, AMOUNT, .name = "person-bodies", .argument = "N", .max = UINT32_MAX,
       .count = PROTOCOL_LIMIT_PERSON_BODIES, .limit = "person_bodies",
       .help = "bodies in these worlds; 0: any number")
OPTION(person_particles, AMOUNT, .name = "person-particles", .argument = "N", .max = OPTIONS_PERSON_MAX,
       .count = PROTOCOL_LIMIT_PERSON_PARTICLES, .limit = "person_particles",
       .help = "particles in these worlds; 0: any number")
OPTION(person_constraints, AMOUNT, .name = "person-constraints", .argument = "N", .max = OPTIONS_PERSON_MAX,
       .count = PROTOCOL_LIMIT_PERSON_CONSTRAINTS, .limit = "person_constraints",
       .help = "constraints in these worlds; 0: any number")
OPTION(person_poses, AMOUNT, .name = "person-poses", .argument = "N", .max = OPTIONS_PERSON_MAX,
       .count = PROTOCOL_LIMIT_PERSON_POSES, .limit = "person_poses",
       .help = "numbers in the poses of motions in these worlds, and 8 for each keyframe; 0: any number")

OPTION(message_bytes_max, AMOUNT, .name = "max-message-bytes", .argument = "N",
       .min = 1024, .max = PROTOCOL_LIMIT_MESSAGE_BYTES, .unit = "bytes",
       .count = PROTOCOL_LIMIT_MESSAGE_BYTES, .limit = "message_bytes",
       .heading = "Limits of the server",
       .help = "the largest message that a client may send",
       .more = "A longer one is answered with an `error` notification of code `LIMIT`, and its connection ends.")
OPTION(sessions_max, COUNT, .name = "max-sessions", .argument = "N", .min = 1, .max = OPTIONS_SESSIONS_MAX,
       .count = PROTOCOL_LIMIT_SESSIONS, .limit = "sessions",
       .help = "sessions at a time, over TCP and WebSockets together",
       .more = "Each takes a file. The soft limit of the process is raised to what is needed; "
               "if the hard limit does not allow as many as this option asks for, the server does not start. "
               "When all places are taken, one session ends to admit a new one: "
               "the oldest that never sent a message, else one that has no world and was silent for 10 seconds, "
               "else one with which nothing moved for a minute.")
OPTION(sessions_per_address_max, COUNT, .name = "max-sessions-per-address", .argument = "N",
       .min = 1, .max = OPTIONS_SESSIONS_MAX,
       .count = PROTOCOL_LIMIT_SESSIONS_PER_ADDRESS, .limit = "sessions_per_address",
       .help = "sessions from one IPv4 address or one /64 of IPv6; loopback counts only if this is given",
       .more = "At loopback addresses a proxy may stand for many clients.")
OPTION(worlds_max, COUNT, .name = "max-worlds", .argument = "N", .min = 1, .max = OPTIONS_WORLDS_MAX,
       .count = PROTOCOL_LIMIT_WORLDS, .limit = "worlds",
       .help = "worlds at a time")
OPTION(session_grace, COUNT, .name = "session-grace", .argument = "SECONDS", .max = OPTIONS_GRACE_MAX, .unit = "s",
       .count = PROTOCOL_LIMIT_SESSION_GRACE, .limit = "session_grace",
       .help = "how long a session is kept after its connection is lost; 0: not at all",
       .see = "[sessions](../concepts/sessions.md)")
OPTION(tick_ms_max, COUNT, .name = "tick-ms", .argument = "N", .max = OPTIONS_TICK_MS_MAX, .unit = "ms",
       .count = PROTOCOL_LIMIT_TICK_MS, .limit = "tick_ms",
       .help = "how long a tick may take before its world is slowed; 0: as long as it takes",
       .more = "A slowed world rests for as long as each tick took, so that it has half a thread at most.")
OPTION(server_frame_bytes, AMOUNT, .name = "server-frame-bytes", .argument = "N",
       .min = 1 << 20, .max = OPTIONS_FRAMES_MAX, .unit = "bytes",
       .count = PROTOCOL_LIMIT_SERVER_FRAME_BYTES, .limit = "server_frame_bytes",
       .help = "frames of all worlds that are held for clients")
OPTION(lossless_bytes, AMOUNT, .name = "lossless-bytes", .argument = "N",
       .min = 1, .max = PROTOCOL_LIMIT_FRAME_BYTES / 2, .unit = "bytes",
       .count = PROTOCOL_LIMIT_LOSSLESS_BYTES, .limit = "lossless_bytes",
       .help = "what all lossless streams of a world may have waiting for their clients")
OPTION(hold_ms, COUNT, .name = "hold-ms", .argument = "N", .min = 1, .max = OPTIONS_TICK_MS_MAX, .unit = "ms",
       .count = PROTOCOL_LIMIT_HOLD_MS, .limit = "hold_ms",
       .help = "how long a lossless stream may hold its world (`world.hold`) without taking anything",
       .more = "Then the stream ends.")

#undef OPTION
