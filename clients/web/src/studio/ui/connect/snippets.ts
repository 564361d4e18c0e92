// Ten lines or so in each language that show this world from a program. A test runs them as they stand here.
//
// The token is read from the environment, so that it stands in no file.

export type Language = 'Python' | 'C' | 'JavaScript' | 'Shell';

export interface Place {
  readonly world: string;
  // Programs connect to this address: HOST:PORT, or tls://HOST:PORT.
  readonly address: string;
  // Pages and JavaScript connect to this address: ws://HOST:PORT/ws, or wss://.
  readonly url: string;
  readonly needsToken: boolean;
}

const PACKAGE = 'weft-sim';

// A string of JSON is a string of Python, C and JavaScript as well.
const text = (value: string) => JSON.stringify(value);
const shell = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;
// A whole number would be an id.
const named = (world: string) => shell(/^\d+$|^name:/.test(world) ? `name:${world}` : world);

const MAKERS: Readonly<Record<Language, (place: Place) => string>> = {
  Python: ({world, address}) => `import weft

with weft.connect(${text(address)}) as client:
    world = client.world(${text(world)})
    info = world.get()
    print(info.state, "at tick", info.tick)
    with world.subscribe(fields=["positions"]) as stream:
        for frame in stream:
            for body in frame.bodies.values():
                print("body", body.id, "has its middle at", body.positions.mean(axis=0))
            break
`,
  C: ({world, address, needsToken}) => `#include <stdio.h>
${needsToken ? '#include <stdlib.h>\n' : ''}#include <weft.h>

int main(void)
{
    struct weft_error error;
    struct weft_params params;
    struct weft_reply reply;
    struct weft_client *client = weft_connect(${text(address)}, 5000, &error);
    weft_params_init(&params);
${needsToken ? '    weft_params_string(&params, "token", getenv("WEFT_TOKEN"));\n    if (client && weft_call(client, "session.hello", &params, NULL, &error)) {\n        weft_params_clear(&params);\n    }\n' : ''}    weft_params_string(&params, "world", ${text(world)});
    if (!client || !weft_call(client, "world.get", &params, &reply, &error)) {
        fprintf(stderr, "%s: %s\\n", error.code, error.text);
        return 1;
    }
    printf("tick %llu\\n", (unsigned long long)weft_u64(weft_get(&reply.result, "tick"), 0));
    weft_reply_destroy(&reply);
    weft_params_deinit(&params);
    weft_close(client);
    return 0;
}
`,
  JavaScript: ({world, url, needsToken}) => `import {connect} from '${PACKAGE}';

const token = ${needsToken ? 'process.env.WEFT_TOKEN' : 'undefined'};
const client = connect({url: ${text(url)}, client: 'my program', token});
const world = ${text(world)};
const {state, tick} = await client.call('world.get', {world});
console.log(state, 'at tick', tick);
await client.subscribe({world, fields: ['positions']}, ({bodies}) => {
  for (const {body, count} of bodies) console.log('body', body, 'has', count, 'particles');
  client.close();
});
`,
  Shell: ({world, address}) => `export WEFT_SERVER=${shell(address)}
world=${named(world)}
weft get "$world"                 # its settings
weft history "$world"             # how much of its past is kept
weft log "$world"                 # who changed what
weft save "$world" world.json     # the world as a scene
weft record "$world" -o world.npz --from 0   # its past, as arrays
`,
};

export const LANGUAGES = Object.keys(MAKERS) as Language[];

export function snippet(language: Language, place: Place): string {
  return MAKERS[language](place);
}

// Steps that come before.
export const NEEDS: Readonly<Record<Language, string>> = {
  Python: 'Needs the package weft-sim of the source tree: pip install clients/python',
  C: 'Needs libweft: cc main.c $(pkg-config --cflags --libs weft)',
  JavaScript: 'Needs the folder weft-sim of the build, and Node 22; older ones also need the package ws.',
  Shell: 'Needs the program weft.',
};
