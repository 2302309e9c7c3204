import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import { aPolicy, mailRule } from './a-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

// Providers keep what requests begin alike with, and take a tenth of the price for it. This tells what of a conversation
// they can keep from turn to turn behind the gateway.

/** A target that counts how much of what it was sent before a request begins with, as the cache of a provider does. */
async function startTarget() {
  const kept: string[] = [];
  const shares: number[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { system = [], messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
        system?: unknown;
        messages: unknown[];
      };
      const prompt = JSON.stringify([system, ...messages]).slice(0, -1);
      const last = kept.at(-1);
      if (last !== undefined) shares.push(Math.round((100 * commonLength(last, prompt)) / last.length));
      kept.push(prompt);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { ...peer, shares };
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

const instructions = 'You help the members of a garden club. Be kind. '.repeat(40);
const openai = { path: '/v1/chat/completions', first: { messages: [{ role: 'system', content: instructions }] } };
const anthropic = {
  path: '/v1/messages',
  first: { system: [{ type: 'text', text: instructions, cache_control: { type: 'ephemeral' } }], messages: [] },
};

/** How much of each request the next one begins with, in percent, over five turns. */
async function measure({ path, first }: typeof openai, options: Omit<StartOptions, 'target'>, more: object = {}) {
  await using target = await startTarget();
  await using proxy = await startProxy({ target: target.origin, ...options });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` };
  const messages: object[] = [...first.messages];
  for (let turn = 1; turn <= 5; turn += 1) {
    messages.push({
      role: 'user',
      content: `My address is amy${turn}@house.example. What do I plant in month ${turn}?`,
    });
    const body = JSON.stringify({ model: 'm', ...more, ...first, messages });
    expect((await fetch(`${proxy.origin}${path}`, { method: 'POST', headers, body })).status).toBe(200);
    messages.push({ role: 'assistant', content: `Beans, carrots and ${turn} rows of leeks.` });
  }
  return target.shares;
}

const privacy = aPolicy(
  'privacy',
  [mailRule({ patterns: ['[a-z]{2,8}[0-9]@house\\.example'], redact: { restore: true } })],
  { severity: 'Medium' },
);

const whole = [100, 100, 100, 100];

describe.each([
  ['OpenAI', openai],
  ['Anthropic', anthropic as unknown as typeof openai],
])('of a conversation with %s a provider can keep', (_, dialect) => {
  test.each<[string, Omit<StartOptions, 'target'>, object]>([
    ['has nothing done to it', {}, {}],
    ['is redacted', { policies: [privacy] }, {}],
    ['has a canary', { proxy: { canaryRate: 1 } }, {}],
    ['is asked for its usage', {}, { stream: true }],
  ])('all of what it was sent, where it %s', async (_what, options, more) => {
    expect(await measure(dialect, options, more)).toEqual(whole);
  });

  test('little of its first turn and all of the others, where a prompt is assigned: it leaves after the first', async () => {
    const prompt = { id: 1, name: 'house', active: true, parsed: parseTemplate('You serve {{.UserGroup}}.') };
    const [first = 100, ...others] = await measure(dialect, { proxy: { prompt } });
    expect(first).toBeLessThan(5);
    expect(others).toEqual(whole.slice(1));
  });
});
