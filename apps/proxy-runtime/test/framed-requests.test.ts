import { describe, expect, test } from '@jest/globals';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

async function start(options: Partial<StartOptions> = {}) {
  const bodies: Buffer[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      response.end('ok');
    });
  });
  const proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], ...options });
  return {
    bodies,
    proxy,
    async send(body: string | Buffer, type: string | undefined, path = '/api/anything') {
      const headers = { authorization: `Bearer ${goodKey}`, ...(type !== undefined && { 'content-type': type }) };
      const response = await fetch(proxy.origin + path, { method: 'POST', headers, body: Buffer.from(body) });
      await response.text();
      return response.status;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

const redacting = {
  policies: [{ ...doorsPolicy, rules: doorsPolicy.rules.map((rule) => ({ ...rule, action: 'redact' as const })) }],
};
const inLines = (pieces: readonly string[]) => pieces.map((content) => `${JSON.stringify({ content })}\n`).join('');
const cut = inLines(['Well, open', ' ses', 'ame']);

describe('a request framed by lines', () => {
  test.each(['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'text/plain', undefined])(
    'as %s is read across its lines',
    async (type) => {
      await using stage = await start();
      expect(await stage.send(cut, type)).toBe(403);
      expect(await stage.send(cut.repeat(900).replaceAll('Well', 'x'.repeat(20)), type)).toBe(403);
      expect(stage.bodies).toEqual([]);
    },
  );

  test('goes on byte for byte when it is harmless, and redacted where a text stands in one line', async () => {
    await using stage = await start(redacting);
    const harmless = ` ${inLines(['a', 'b'])}# note\n${inLines(['c'])}`;
    expect(await stage.send(harmless, 'application/x-ndjson')).toBe(200);
    expect(await stage.send(inLines(['a', `b ${forbidden}`]), 'application/x-ndjson')).toBe(200);
    expect(stage.bodies.map(String)).toEqual([harmless, inLines(['a', 'b <DOOR_1_1>'])]);
  });

  test('is refused where what is to be hidden stands in several lines', async () => {
    await using stage = await start(redacting);
    expect(await stage.send(cut, 'application/x-ndjson')).toBe(400);
    expect(stage.bodies).toEqual([]);
  });
});

const gzip = Buffer.from([0x1f, 0x8b, 8, 0, 0, 255, 254]);
const unreadable: readonly (readonly [string, string | undefined, Buffer])[] = [
  ['text in UTF-16', 'text/plain; charset=utf-16le', Buffer.from('good morning', 'utf16le')],
  ['bytes without a type', undefined, gzip],
  ['bytes of no known type', 'application/x-unheard-of', gzip],
];

describe('a request that cannot be read', () => {
  test.each(unreadable)('goes nowhere where a policy enforces: %s', async (_what, type, body) => {
    await using stage = await start();
    expect(await stage.send(body, type)).toBe(415);
    expect(stage.proxy.spool.records).toMatchObject([{ denied_reason: 'unreadable_body' }]);
    expect(stage.bodies).toEqual([]);
  });

  test.each(unreadable)('goes on where the proxy says so, or no policy enforces: %s', async (_what, type, body) => {
    for (const options of [{ proxy: { passesUnread: true } }, { shadow: [doorsPolicy.name] }]) {
      await using stage = await start(options);
      expect(await stage.send(body, type)).toBe(200);
      expect(stage.bodies).toEqual([body]);
    }
  });

  test.each([
    'application/octet-stream',
    'image/png',
    'audio/mpeg',
    'application/pdf',
    'multipart/form-data; boundary=x',
  ])('goes on as a file: %s', async (type) => {
    await using stage = await start();
    expect(await stage.send(gzip, type)).toBe(200);
  });
});
