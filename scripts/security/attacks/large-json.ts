import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const bytes = 9.5 * 1_048_576;
const longestWaitMs = 2_000;

const fill = (member: (at: number) => string): string => {
  const members: string[] = [];
  for (let length = 0, at = 0; length < bytes; at += 1) {
    const next = member(at);
    members.push(next);
    length += next.length + 1;
  }
  return members.join();
};

const kinds: Readonly<Record<string, () => string>> = {
  keys: () => `{${fill((at) => `"${at.toString(36)}":0`)}}`,
  'keys that are numbers': () => `{${fill((at) => `"${(at * 7_919) % 4_294_967_291}":0`)}}`,
  objects: () => `[${fill(() => '{}')}]`,
  'nested lists': () => `[${fill(() => '['.repeat(30) + ']'.repeat(30))}]`,
  'short texts': () => `[${fill(() => '"a"')}]`,
  numbers: () => `[${fill(() => '1')}]`,
};

/** Where a stranger sends JSON to, and what stands around it. */
const places: Readonly<Record<string, (values: string) => string>> = {
  '/api/v1/auth/login': (values) => `{"username":"a","password":"b","more":${values}}`,
  '/api/v1/mcp/skill-security': (values) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"analyze_skill","arguments":{"skill_name":"a","more":${values}}}}`,
};

const send = (url: string, body: string): Promise<number> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  }).then(async (response) => (await response.arrayBuffer(), response.status));

const describe = (statuses: readonly number[], waitedMs: number): string =>
  `answered ${[...new Set(statuses)].join(', ')}; others waited ${Math.round(waitedMs)} ms at most`;

const byStrangers = Object.keys(kinds).map((kind): Attack => ({
  name: `nine megabytes of ${kind}, sent to a login and to the skill server`,
  attacker: 'stranger',
  expected: `413, and others wait less than ${longestWaitMs / 1_000} s`,
  slow: true,
  async run({ url, measureHealth }) {
    const values = kinds[kind]?.() ?? '';
    const statuses: number[] = [];
    const waitedMs = await measureHealth(async () => {
      for (const [path, around] of Object.entries(places)) statuses.push(await send(url + path, around(values)));
    });
    const isHeld = statuses.every((status) => status === 413) && waitedMs <= longestWaitMs;
    return judge(isHeld ? [] : [describe(statuses, waitedMs)], describe(statuses, waitedMs));
  },
}));

const byKeyHolders = Object.keys(kinds).map((kind): Attack => ({
  name: `nine megabytes of ${kind}`,
  attacker: 'key holder',
  expected: `413, and others wait less than ${longestWaitMs / 1_000} s; a picture of that size passes`,
  slow: true,
  async run({ openProxy, measureHealth }) {
    await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
    const proxy = await openProxy({ target: target.url });
    const values = kinds[kind]?.() ?? '';
    const { path, headers } = chatWith('hello');
    const body = `{"model":"m","messages":[{"role":"user","content":"hello"}],"metadata":${values}}`;
    let status = 0;
    const waitedMs = await measureHealth(async () => {
      ({ status } = await ask(proxy, { path, ...(headers && { headers }), body }));
    });
    const picture = await ask(
      proxy,
      chatWith('see', { picture: `data:image/png;base64,${'iVBORw0KGgo'.repeat(800_000)}` }),
    );
    const faults = [
      ...(status !== 413 || waitedMs > longestWaitMs ? [describe([status], waitedMs)] : []),
      ...(picture.status === 200 ? [] : [`the picture was answered ${picture.status}`]),
    ];
    return judge(faults, describe([status], waitedMs));
  },
}));

const byTargets = Object.keys(kinds).map((kind): Attack => ({
  name: `an answer of nine megabytes of ${kind}`,
  attacker: 'target',
  expected: `502, and others wait less than ${longestWaitMs / 1_000} s`,
  slow: true,
  async run({ openProxy, measureHealth }) {
    const body = `{"choices":[{"message":{"content":"hello"}}],"more":${kinds[kind]?.() ?? ''}}`;
    await using target = await startLoopbackPeer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const proxy = await openProxy({ target: target.url });
    let status = 0;
    const waitedMs = await measureHealth(async () => ({ status } = await ask(proxy, chatWith('hello'))));
    const isHeld = status === 502 && waitedMs <= longestWaitMs;
    return judge(isHeld ? [] : [describe([status], waitedMs)], describe([status], waitedMs));
  },
}));

export const largeJson: readonly Attack[] = [...byStrangers, ...byKeyHolders, ...byTargets];
