import { expect, test } from '@jest/globals';
import { guestsPolicy } from './guest-redact-policy.ts';
import { goodKey, listen, startProxy } from './start-proxy.ts';

/** Sends a body and answers the status with what the target was given of it. */
async function send(body: unknown) {
  const given: string[] = [];
  await using target = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => given.push(chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await using proxy = await startProxy({ target: target.origin, policies: [guestsPolicy], maxBodyBytes: 8_000_000 });
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
    body: JSON.stringify(body),
  });
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, given: given.join(''), ...(message !== undefined && { message }) };
}

const filler = 'The rooms are ready on the second floor. '.repeat(1_200);

test('a long request is redacted as a short one is', async () => {
  const messages = ['hello', `${filler}to amy@house.example`, 'from bob@house.example'].map((content) => ({
    role: 'user',
    content,
  }));
  const { status, given } = await send({ model: 'm', messages });
  expect(status).toBe(200);
  expect((JSON.parse(given) as { messages: { content: string }[] }).messages.map(({ content }) => content)).toEqual([
    'hello',
    `${filler}to <GUEST_1>`,
    'from <GUEST_2>',
  ]);
});

test('a long request is refused for what stands at its end', async () => {
  const content = `${filler}and this is the secret word`;
  expect(await send({ model: 'm', messages: [{ role: 'user', content }] })).toMatchObject({ status: 403, given: '' });
});

test('a long request that is nested too deeply is refused', async () => {
  let value: unknown = filler;
  for (let depth = 0; depth < 200; depth += 1) value = [value];
  expect(await send({ model: 'm', messages: value })).toMatchObject({ status: 400, given: '' });
});

test.each([
  ['keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 0]))],
  ['lists', Array.from({ length: 300_000 }, () => [])],
  ['numbers', Array.from({ length: 1_100_000 }, () => 1)],
])('a long request of too many %s is refused before it is parsed', async (_name, metadata) => {
  expect(await send({ model: 'm', messages: [], metadata })).toEqual({
    status: 413,
    given: '',
    message: expect.stringMatching(/^Too many values: JSON may hold 1,000,000 numbers, or 250,000 texts/),
  });
});

test('a long request of many tokens, and one of a large picture, pass', async () => {
  const input = Array.from({ length: 300 }, () => Array.from({ length: 1_000 }, (_, at) => at));
  expect((await send({ model: 'm', input })).status).toBe(200);
  const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(600_000)}`;
  const content = [{ type: 'image_url', image_url: { url } }];
  expect((await send({ model: 'm', messages: [{ role: 'user', content }] })).status).toBe(200);
});
