import type { IncomingMessage } from 'node:http';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import type { RequestStage } from '@portcullis/core/pipeline/stage';
import { compileTrust } from '@portcullis/platform/inspection/text-source';
import { openaiChat } from '../src/dialects/openai/chat.ts';
import { Exchange } from '../src/exchange/exchange.ts';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { createPipeline } from '../src/pipeline.ts';
import type { ProxyEntry, Snapshot } from '../src/snapshot/snapshot.ts';
import { Progress } from '../src/exchange/progress.ts';
import { unusedParts } from './unused-parts.ts';

/**
 * The longest time for which each stage of a request keeps all others waiting, in processor time of the thread, for bodies
 * that are made to cost much and as large as a request may be. Prints a table; a number as the first parameter is their
 * size in MiB, names behind it choose bodies.
 */
const [size, ...wanted] = process.argv.slice(2);
const maxBytes = Number(size ?? 10) * 1_048_576;

const chat = (messages: string, more = ''): string => `{"model":"m","messages":[${messages}]${more}}`;
const asked = '{"role":"user","content":"hi"}';
const fill = (part: (index: number) => string): string => {
  const parts: string[] = [];
  for (let length = 200, index = 0; length < maxBytes; index += 1) {
    const next = part(index);
    parts.push(next);
    length += next.length + 1;
  }
  return parts.join(',');
};
const prose = 'The quick brown fox jumps over the lazy dog and says hello to everyone around. ';

const bodies: Readonly<Record<string, () => string>> = {
  'one long text': () => chat(`{"role":"user","content":"${prose.repeat(Math.floor(maxBytes / prose.length) - 1)}"}`),
  'many messages': () => chat(fill(() => asked)),
  'many short texts': () => chat(asked, `,"metadata":[${fill(() => '"a"')}]`),
  'many numbers': () => chat(asked, `,"metadata":[${fill(() => '1')}]`),
  'many keys': () => chat(asked, `,"metadata":{${fill((index) => `"k${index}":1`)}}`),
  'many objects': () => chat(asked, `,"metadata":[${fill(() => '{"a":1}')}]`),
  'many lists': () => chat(asked, `,"metadata":[${fill(() => '[]')}]`),
  'many texts to redact': () => chat(fill((index) => `{"role":"user","content":"mail to amy${index}@house.example"}`)),
  'escaped quotes': () => chat(`{"role":"user","content":"${'\\"'.repeat(Math.floor(maxBytes / 2) - 50)}"}`),
  backslashes: () => chat(`{"role":"user","content":"${'\\\\'.repeat(Math.floor(maxBytes / 2) - 50)}"}`),
  escapes: () => chat(`{"role":"user","content":"${'\\u0041'.repeat(Math.floor(maxBytes / 6) - 50)}"}`),
};

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Runs a stage; answers the longest turn of the event loop meanwhile, in processor time. */
async function measure(stage: RequestStage<Exchange>, exchange: Exchange): Promise<{ ms: number; ends: boolean }> {
  let [longest, before, isOver] = [0, cpu(), false];
  const look = (): void => {
    const now = cpu();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  const verdict = stage.run(exchange);
  look();
  const { kind } = await verdict;
  longest = Math.max(longest, cpu() - before);
  isOver = true;
  return { ms: longest, ends: kind !== 'next' };
}

const policies = builtinPolicies.filter(({ policy_type: type }) => type !== 'mcp');
const proxy = {
  id: 1,
  name: 'proxy',
  type: 'llm',
  target: { origin: 'http://127.0.0.1', host: '127.0.0.1', basePath: '' },
  origins: compileTrust('llm', undefined),
  policies: compilePolicies(policies, new Set(policies.map(({ name }) => name))),
  policyNames: policies.map(({ name }) => name),
  prompt: {
    id: 1,
    name: 'prompt',
    active: true,
    priority: 1,
    template: { parts: ['Be kind.'] },
  },
  promptLimits: { maxBodyBytes: maxBytes * 2, maxMessages: 1e9 },
  canaryRate: 1,
  usageFromStream: 'always',
  nativeErrors: false,
} as unknown as ProxyEntry;

const timed = new Set(['parse', 'check-keys', 'inspect-request', 'plant-canary', 'ask-for-usage']);
const buckets = { take: () => ({ allowed: true, remaining: 1, retryAfterMs: 0 }) };
const { request } = createPipeline({
  limits: { shared: buckets, local: buckets },
  maxBodyBytes: maxBytes * 2,
  bodyMemory: new FairShare(1_000_000_000),
  analyser: undefined,
  ...unusedParts(),
});
const stages = request.map(({ stage }) => stage).filter(({ name }) => timed.has(name));

process.stdout.write(`| body | ${stages.map(({ name }) => name).join(' | ')} | JSON.parse alone |\n`);
process.stdout.write(`|---|${stages.map(() => '---').join('|')}|---|\n`);
for (const name of wanted.length > 0 ? wanted : Object.keys(bodies)) {
  const body = Buffer.from(bodies[name]?.() ?? '{}');
  const incoming = {
    url: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    socket: {},
  } as unknown as IncomingMessage;
  const exchange = new Exchange(
    {
      request: incoming,
      snapshot: {} as Snapshot,
      proxy,
      path: incoming.url ?? '',
      query: '',
      dialect: openaiChat,
      clientIp: '127.0.0.1',
      received: body,
    },
    new Progress(),
  );
  const cells: string[] = [];
  for (const stage of stages) {
    const { ms, ends } = await measure(stage, exchange);
    cells.push(`${ms.toFixed(0)} ms${ends ? ', refused' : ''}`);
  }
  const source = body.toString('utf8');
  const before = cpu();
  JSON.parse(source);
  process.stdout.write(`| ${name} | ${cells.join(' | ')} | ${(cpu() - before).toFixed(0)} ms |\n`);
}
