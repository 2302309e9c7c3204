import { createHash, createCipheriv } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { RequestLogRecord, UsageRecord } from '@portcullis/contracts/records';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

const maxInspectedBytes = 100_000;
const usage = { input_tokens: 50, output_tokens: 4_160, total_tokens: 4_210 };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** The same random bytes for the same seed. */
const bytesOf = (seed: number, count: number): Buffer => {
  const key = createHash('sha256').update(String(seed)).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(count));
};
/** A picture with bytes in it that base64 writes like a token of some service. */
function picture(count: number, within = Buffer.from('/BSAq7Zk3mP9xW2vL8nR4tY6uJ1cQ0eH/AAA', 'base64')): string {
  const bytes = Buffer.concat([png, bytesOf(1, count)]);
  bytes.set(within, 3_000);
  return bytes.toString('base64');
}
const imageAnswer = (b64_json: string, more: object = {}) =>
  JSON.stringify({ created: 1, data: [{ b64_json }], ...more });

async function answerWith(body: string, options: Partial<StartOptions> = {}, type = 'application/json') {
  await using target = await listen((request, response) => {
    request.resume().on('end', () => void response.writeHead(200, { 'content-type': type }).end(body));
  });
  await using proxy = await startProxy({
    target: target.origin,
    maxInspectedBytes,
    prices: { 'gpt-image-1': [5, 40] },
    ...options,
  });
  const answer = await fetch(`${proxy.origin}/v1/images/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
    body: JSON.stringify({ model: 'gpt-image-1', prompt: 'a cat' }),
  });
  const text = await answer.text().catch(() => 'cut');
  const records = proxy.spool.records.filter(({ kind }) => kind.startsWith('usage')) as UsageRecord[];
  const log = proxy.spool.records.find(({ kind }) => kind === 'request_log') as unknown as RequestLogRecord;
  return { status: answer.status, text, records, log };
}

const secrets = builtinPolicies.filter(({ name }) => name === 'llm-secrets');

describe('a JSON answer that is longer than what is read whole', () => {
  test.each(['application/json', 'text/plain', undefined])(
    'of type %s passes with its pictures and is counted',
    async (type) => {
      for (const length of [200_000, 1_000_000]) {
        const body = imageAnswer(picture(length), { usage });
        expect(secrets).toHaveLength(1);
        const { status, text, records } = await answerWith(body, { policies: secrets }, type);
        expect([status, text === body]).toEqual([200, true]);
        expect(records).toMatchObject([
          { kind: 'usage', model: 'gpt-image-1', input_tokens: 50, output_tokens: 4_160, estimated: false },
        ]);
      }
    },
  );

  test('is counted without a policy, too, wherever its usage stands', async () => {
    const body = JSON.stringify({ usage, text: 'hello '.repeat(40_000), model: 'gpt-image-1' });
    const { text, records } = await answerWith(body);
    expect(text).toBe(body);
    expect(records).toMatchObject([{ input_tokens: 50, output_tokens: 4_160, estimated: false }]);
  });

  test('is estimated where it tells nothing', async () => {
    const { records } = await answerWith(JSON.stringify({ text: 'hello '.repeat(40_000) }));
    expect(records[0]).toMatchObject({ kind: 'usage_rough', model: 'gpt-image-1', estimated: true });
    expect(records[0]?.output_tokens).toBeGreaterThan(50_000);
  });

  test.each<[where: string, body: string]>([
    ['before a picture', imageAnswer(picture(200_000), { usage }).replace('"created"', `"${forbidden}":1,"created"`)],
    ['behind a picture', imageAnswer(picture(200_000), { note: forbidden })],
    ['between pictures', JSON.stringify({ data: [picture(200_000), `so ${forbidden}`, picture(200_000)] })],
    ['among the bytes of a picture', imageAnswer(picture(200_000, Buffer.from(` so ${forbidden} it is `)))],
    ['where a picture breaks off', imageAnswer(`${picture(200_000)} ${forbidden} ${picture(200_000)}`)],
    ['in a long text', JSON.stringify({ text: `${'hello '.repeat(40_000)}${forbidden}` })],
  ])('does not leave with something forbidden %s', async (_, body) => {
    const { text, log } = await answerWith(body, { policies: [doorsPolicy] });
    expect(text).not.toContain(forbidden);
    expect(text).not.toContain(body.slice(-40));
    expect(log.denied_reason).toBe('policy_violation_response');
  });
});
