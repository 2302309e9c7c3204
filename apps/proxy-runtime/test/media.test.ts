import { describe, expect, test } from '@jest/globals';
import { sampleBytes } from '@portcullis/testkit/sample-bytes';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import type { Policy } from '@portcullis/core/policy/policy';
import { goodKey, listen, startProxy } from './start-proxy.ts';

/** A rule that any four letters of base64 may meet by chance, and one of words. */
const greedy: Policy = (() => {
  const { policy, problems } = parsePolicyFile({
    name: 'greedy',
    rules: [
      { id: 'key', patterns: ['XYZ[A-Za-z0-9+/]{8}'], action: 'block' },
      { id: 'word', patterns: [{ literal: 'marzipan' }], action: 'block' },
    ],
  });
  if (policy === undefined) throw new Error(JSON.stringify(problems));
  return policy;
})();
const policies = [greedy];

/** A picture of so many bytes in whose base64 the rule of keys finds something. */
const picture = (bytes: number, said = ''): string => {
  const head = Buffer.from('\u0089PNG\r\n\u001a\n\0', 'latin1');
  const key = Buffer.from('XYZabc123ABC', 'base64');
  const random = (): Buffer => sampleBytes(Math.max(3, Math.floor((bytes - 27) / 6) * 3));
  return Buffer.concat([head, random(), key, random(), Buffer.from(said === '' ? '' : `\0${said}\0`)]).toString(
    'base64',
  );
};
const sizes = [60, 500, 3_000, 60_000];
const sound = (bytes: number): string => Buffer.from(picture(bytes), 'base64').subarray(9).toString('base64');
const notMedia = 'marzipan/'.repeat(3);

type Place = readonly [name: string, path: string, body: (data: string) => object];
const chat = (part: object) => ({ model: 'm', messages: [{ role: 'user', content: [part] }] });
const requests: readonly Place[] = [
  [
    'OpenAI chat',
    '/v1/chat/completions',
    (data) => chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }),
  ],
  [
    'OpenAI chat, sound',
    '/v1/chat/completions',
    (data) => chat({ type: 'input_audio', input_audio: { data, format: 'wav' } }),
  ],
  [
    'OpenAI chat, file',
    '/v1/chat/completions',
    (data) => chat({ type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }),
  ],
  [
    'OpenAI responses',
    '/v1/responses',
    (data) => ({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${data}` }] }],
    }),
  ],
  [
    'Anthropic',
    '/v1/messages',
    (data) => chat({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
  ],
  [
    'Gemini',
    '/v1beta/models/m:generateContent',
    (data) => ({ contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data } }] }] }),
  ],
  [
    'Gemini, other spelling',
    '/v1beta/models/m:generateContent',
    (data) => ({ contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data } }] }] }),
  ],
];

const post = async (origin: string, path: string, body: object): Promise<Response> =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': goodKey },
    body: JSON.stringify(body),
  });

describe.each(requests)('media in a request of %s', (_name, path, body) => {
  const ask = async (data: string): Promise<number> => {
    await using target = await listen((request, response) => void request.resume().on('end', () => response.end('{}')));
    await using proxy = await startProxy({ target: target.origin, policies, maxBodyBytes: 1_000_000 });
    return (await post(proxy.origin, path, body(data))).status;
  };

  test.each(sizes)('of %d bytes is no text', async (bytes) => {
    expect(await ask(picture(bytes))).toBe(200);
  });

  test('is read where a text stands in it, and where it is none', async () => {
    expect(await ask(picture(400, 'a marzipan that somebody wrote in here'))).toBe(403);
    expect(await ask(notMedia)).toBe(403);
  });
});

const events: readonly (readonly [
  name: string,
  path: string,
  event: (data: string) => object,
  data: (bytes: number) => string,
])[] = [
  [
    'sound of OpenAI chat',
    '/v1/chat/completions',
    (data) => ({ choices: [{ index: 0, delta: { audio: { data } } }] }),
    sound,
  ],
  ['sound of OpenAI responses', '/v1/responses', (delta) => ({ type: 'response.output_audio.delta', delta }), sound],
  [
    'pictures of OpenAI responses',
    '/v1/responses',
    (data) => ({ type: 'response.image_generation_call.partial_image', partial_image_b64: data }),
    picture,
  ],
  [
    'pictures of Gemini',
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    (data) => ({ candidates: [{ index: 0, content: { parts: [{ inlineData: { mimeType: 'image/png', data } }] } }] }),
    picture,
  ],
];

describe.each(events)('%s in a stream', (_name, path, event, data) => {
  const ask = async (pieces: readonly string[]): Promise<string> => {
    await using target = await listen((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(pieces.map((piece) => `data: ${JSON.stringify(event(piece))}\n\n`).join(''));
      });
    });
    await using proxy = await startProxy({ target: target.origin, policies });
    const answer = await post(proxy.origin, path, { model: 'm', stream: true, messages: [], input: 'x', contents: [] });
    return await answer.text();
  };

  test('pass piece by piece', async () => {
    const pieces = sizes.slice(1).map(data);
    const text = await ask(pieces);
    for (const piece of pieces) expect(text).toContain(piece);
  });

  test('that are words are read as words', async () => {
    expect(await ask([data(300), notMedia])).toContain('blocked by security policy');
  });
});
