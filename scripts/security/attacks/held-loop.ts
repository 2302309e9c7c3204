import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith, posting, type Question } from '../send-question.ts';
import { invoking, saidTo } from '../attacked-agent.ts';
import { judge, type Attack, type Outcome } from '../attack.ts';
import { say, give, saying, type AgentAnswer } from '../hostile-agent.ts';
import type { Laboratory } from '../laboratory.ts';
import { withHeavyPackage, withLargePackage } from '../large-package.ts';
import { createSkillStranger, findRow, harmlessSkill } from '../skill-tools.ts';

/** What nobody may be kept waiting longer than by anybody's request, on a machine with nothing else to do. */
const goalMs = 50;
/** Others share the machine, and the attacker works on it, too: what is held against the gateway is so many times as long. */
const factor = 10;
const expected = `others wait ${goalMs} ms at most; ten times as long counts, or ten times what they wait at rest`;
const restMs = 300;

/** Measures some requests, each by itself, and their harmless twin, which must be served. */
async function measure(
  { measureHealth }: Laboratory,
  attacks: readonly (readonly [what: string, run: () => Promise<string>])[],
  twin: () => Promise<string | undefined>,
): Promise<Outcome> {
  const faults: string[] = [];
  const waits: string[] = [];
  // First, since what is needed once is made with the first request of its kind.
  const fault = await twin();
  if (fault !== undefined) faults.push(`the harmless twin: ${fault}`);
  const atRestMs = Math.round(await measureHealth(() => pause(restMs)));
  for (const [what, run] of attacks) {
    let got = '';
    const waitedMs = Math.round(await measureHealth(async () => (got = await run())));
    waits.push(`${what} ${got} ${waitedMs} ms`);
    if (waitedMs > factor * Math.max(goalMs, atRestMs)) faults.push(`${what} kept others waiting for ${waitedMs} ms`);
  }
  return judge(faults, `at rest ${atRestMs} ms; ${waits.join('; ')}`);
}

const statusOf = (got: Promise<{ readonly status: number }>): Promise<string> =>
  got.then(({ status }) => String(status));
const serves = (got: Promise<{ readonly status: number }>): Promise<string | undefined> =>
  got.then(({ status }) => (status === 200 ? undefined : `answered ${status}`));

/** Lines of a head, in front of a key that is read. */
const heads: readonly (readonly [what: string, source: string])[] = [
  ['blanks', `---\na:${' '.repeat(15_000)}x\rx\n---\n# hi\n`],
  ['half quotes', `---\nname: "${'\'"'.repeat(7_000)}\n---\n# hi\n`],
  ['commas', `---\ntags: [${',['.repeat(7_000)}\n---\n# hi\n`],
  ['words', `---\ntools: [${'read-'.repeat(3_000)}\n---\n# hi\n`],
];

const halfTokens = 'eyJs-'.repeat(15_000);
const dots = '.'.repeat(2_000);
const manyUrls = (url: string): readonly object[] => Array.from({ length: 1_000 }, () => ({ url }));

/** Ten megabytes that are many values. */
const bodyLength = 9_600_000;
const shapes = {
  objects: `[${'{},'.repeat(bodyLength / 3)}{}]`,
  lists: `[${'[],'.repeat(bodyLength / 3)}[]]`,
  keys: `{${Array.from({ length: 800_000 }, (_, index) => `"k${index.toString(36)}":0`).join(',')}}`,
  depth: `${'['.repeat(bodyLength / 2)}${']'.repeat(bodyLength / 2)}`,
};

/** Begins a request whose body never ends, and answers once the gateway does or has taken what there is. */
async function holdBody(port: number, path: string, length: number, opened: DisposableStack): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  opened.defer(() => void socket.destroy());
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => resolve()).on('data', () => resolve());
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(length - 1, ' '), () => resolve());
  await promise;
}

async function openLlm({ openProxy }: Laboratory, opened: AsyncDisposableStack) {
  const target = opened.use(await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] })));
  return openProxy({ target: target.url });
}

/** The agent answers so for as long as `run` takes. */
async function whileAgent<Value>(
  agent: { behave(change: { answer: AgentAnswer }): void },
  answering: AgentAnswer,
  run: () => Promise<Value>,
): Promise<Value> {
  agent.behave({ answer: answering });
  try {
    return await run();
  } finally {
    agent.behave({ answer: say('hello') });
  }
}

const portOf = (url: string): number => Number(new URL(url).port);

export const heldLoop: readonly Attack[] = [
  {
    name: 'a head of a skill that is read in every way',
    attacker: 'stranger',
    expected,
    slow: true,
    async run(laboratory) {
      const { url, admin } = laboratory;
      const stranger = createSkillStranger(url);
      const analyze = async (source: string): Promise<string> => {
        const name = `held-${randomUUID().slice(0, 8)}`;
        const asked = { skill_name: name, skill_source: source, agent_name: name };
        const { refused } = await stranger.use<object>('analyze_skill', asked);
        const row = await findRow(admin, name);
        if (row !== undefined) await admin.call('DELETE', `/security/skills/registry/${row.id}`);
        return refused ?? 'analyzed';
      };
      return await measure(
        laboratory,
        heads.map(([what, source]) => [what, () => analyze(source)]),
        async () => {
          const got = await analyze(harmlessSkill('clock'));
          return got === 'analyzed' ? undefined : got;
        },
      );
    },
  },
  {
    name: 'a message of half tokens, to an agent and from it',
    attacker: 'key holder',
    expected,
    slow: true,
    async run(laboratory) {
      const { id, agent, ours } = await laboratory.openAgent();
      const parts = [{ text: halfTokens }, { data: { text: halfTokens } }];
      const call = (said: readonly object[]) => ask(ours, invoking(id, saidTo(said)));
      return await measure(
        laboratory,
        [
          ['to it', () => statusOf(call(parts))],
          [
            'from it',
            () => whileAgent(agent, give({ message: saying(...parts) }), () => statusOf(call([{ text: 'hello' }]))),
          ],
        ],
        () => serves(call([{ text: 'hello' }])),
      );
    },
  },
  {
    name: 'a thousand addresses of dots, to an agent and from it',
    attacker: 'key holder',
    expected,
    slow: true,
    async run(laboratory) {
      const { id, agent, ours } = await laboratory.openAgent();
      const call = (said: readonly object[]) => ask(ours, invoking(id, saidTo(said)));
      const [hosts, paths] = [manyUrls(`http://a${dots}b/`), manyUrls(`http://a.example/x${dots}b`)];
      const from = (parts: readonly object[]) =>
        whileAgent(agent, give({ message: saying(...parts) }), () => statusOf(call([{ text: 'hello' }])));
      return await measure(
        laboratory,
        [
          ['hosts to it', () => statusOf(call(hosts))],
          ['paths to it', () => statusOf(call(paths))],
          ['hosts from it', () => from(hosts)],
          ['paths from it', () => from(paths)],
        ],
        () => serves(call([{ url: 'https://files.example/report.pdf' }])),
      );
    },
  },
  {
    name: 'a hundred bodies of 9 MiB without an end, at the login and at the skill server',
    attacker: 'stranger',
    expected,
    slow: true,
    async run(laboratory) {
      const port = portOf(laboratory.url);
      const hold = async (path: string): Promise<string> => {
        using opened = new DisposableStack();
        await Promise.all(Array.from({ length: 100 }, () => holdBody(port, path, 9 * 1_048_576, opened)));
        return 'held';
      };
      return await measure(
        laboratory,
        [
          ['login', () => hold('/api/v1/auth/login')],
          ['skills', () => hold('/api/v1/mcp/skill-security')],
        ],
        async () => {
          const { status } = await fetch(`${laboratory.url}/api/v1/health`);
          return status === 200 ? undefined : `health answered ${status}`;
        },
      );
    },
  },
  {
    name: 'ten megabytes of keys, at the login and at the skill server',
    attacker: 'stranger',
    expected,
    slow: true,
    async run(laboratory) {
      const door = { port: portOf(laboratory.url), key: '' };
      const send = (path: string, body: string) => ask(door, posting(path, body)).catch(() => ({ status: 0 }));
      const login = (body: string) => send('/api/v1/auth/login', body);
      const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
      return await measure(
        laboratory,
        [
          ['login', () => statusOf(login(shapes.keys))],
          ['login, lists', () => statusOf(login(`{"username":${shapes.lists}}`))],
          ['skills', () => statusOf(send('/api/v1/mcp/skill-security', shapes.keys))],
          [
            'skills, in a call',
            () =>
              statusOf(send('/api/v1/mcp/skill-security', listing.replace('"params":{}', `"params":${shapes.keys}`))),
          ],
        ],
        () => serves(send('/api/v1/mcp/skill-security', listing)),
      );
    },
  },
  {
    name: 'one file of a package that inflates to 85 MB, three times',
    attacker: 'stranger',
    expected,
    slow: true,
    run: (laboratory) =>
      withLargePackage(laboratory.admin, async (name) => {
        const stranger = createSkillStranger(laboratory.url);
        const read = async (uri: string): Promise<string> => {
          const { error } = await stranger.send('resources/read', { uri });
          return error?.message ?? 'read';
        };
        return await measure(
          laboratory,
          [
            [
              'text',
              async () =>
                (await Promise.all(Array.from({ length: 3 }, () => read(`skill://${name}/SKILL.md`))))[0] ?? '',
            ],
            ['a large file', () => read(`skill://${name}/data/0.png`)],
          ],
          async () => {
            const got = await read(`skill://${name}/SKILL.md`);
            return got === 'read' ? undefined : got;
          },
        );
      }),
  },
  {
    name: 'a package of 7 MB over MCP, five times at once',
    attacker: 'stranger',
    expected,
    slow: true,
    run: (laboratory) =>
      withHeavyPackage(laboratory.admin, async (name) => {
        const stranger = createSkillStranger(laboratory.url);
        const take = async (): Promise<string> => {
          const { refused, download } = await stranger.use<{ download?: { content_base64: string; size: number } }>(
            'download_skill',
            { skill_name: name },
          );
          const taken = Buffer.from(download?.content_base64 ?? '', 'base64').length;
          return refused ?? (taken === download?.size ? 'taken' : `${taken} bytes`);
        };
        return await measure(
          laboratory,
          [['five', async () => (await Promise.all(Array.from({ length: 5 }, take))).join(', ')]],
          async () => {
            const got = await take();
            return got === 'taken' ? undefined : got;
          },
        );
      }),
  },
  {
    name: 'blanks in a path, without a key',
    attacker: 'stranger',
    expected,
    slow: true,
    async run(laboratory) {
      await using opened = new AsyncDisposableStack();
      const proxy = await openLlm(laboratory, opened);
      const stranger = { port: proxy.port, key: '' };
      const many = (path: string) =>
        Promise.all(Array.from({ length: 30 }, () => ask(stranger, posting(path, '{}')).catch(() => ({ status: 0 }))));
      const send = (path: string) => () => many(path).then(([first]) => String(first?.status ?? 0));
      return await measure(
        laboratory,
        [
          ['blanks', send(`/v1/x${'%20'.repeat(4_500)}y/chat/completions`)],
          ['empty names', send(`/v1/${'%20/'.repeat(3_500)}y`)],
          ['escapes of escapes', send(`/v1/x${'%25'.repeat(4_500)}20y`)],
          ['dots', send(`/v1/${'..;/'.repeat(3_500)}y`)],
        ],
        () => serves(ask(proxy, chatWith('hello'))),
      );
    },
  },
  {
    name: 'ten megabytes of objects, lists, keys and depth',
    attacker: 'key holder',
    expected,
    slow: true,
    async run(laboratory) {
      await using opened = new AsyncDisposableStack();
      const proxy = await openLlm(laboratory, opened);
      const mcpTarget = opened.use(
        await startLoopbackPeer((_request, response) => answer(response, 200, { jsonrpc: '2.0', id: 1, result: {} })),
      );
      const mcp = await laboratory.openProxy({ target: `${mcpTarget.url}/mcp`, type: 'mcp' });
      const { id, ours } = await laboratory.openAgent();
      const chat = (value: string): Question =>
        posting(
          '/v1/chat/completions',
          `{"model":"m","messages":[{"role":"user","content":"hi"}],"metadata":${value}}`,
        );
      const tool = (value: string): Question =>
        posting(
          '/mcp',
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":${value}}}}`,
        );
      const call = (value: string): Question =>
        posting(
          `/api/v1/agents/${id}/invoke`,
          JSON.stringify({ message: saidTo([{ data: { a: 0 } }]) }).replace('"a":0', `"a":${value}`),
        );
      return await measure(
        laboratory,
        Object.entries(shapes).flatMap(([what, value]) =>
          (
            [
              ['LLM', () => ask(proxy, chat(value))],
              ['MCP', () => ask(mcp, tool(value))],
              ['agent', () => ask(ours, call(value))],
            ] as const
          ).map(([where, send]) => [`${where} ${what}`, () => statusOf(send())] as const),
        ),
        () => serves(ask(proxy, chatWith('hello'))),
      );
    },
  },
];
