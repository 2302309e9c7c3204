import { expect, test } from '@jest/globals';
import { guestsPolicy } from './guests-policy.ts';
import { goodKey, listen, startProxy } from './start-proxy.ts';

/** Sends a body and answers the status with what the target was given of it. */
async function send(body: unknown) {
  const given: string[] = [];
  await using target = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => given.push(chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await using proxy = await startProxy({ target: target.origin, policies: [guestsPolicy] });
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return { status: response.status, given: given.join('') };
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
  expect(await send({ model: 'm', messages: [{ role: 'user', content }] })).toEqual({ status: 403, given: '' });
});

test('a long request that is nested too deeply is refused', async () => {
  let value: unknown = filler;
  for (let depth = 0; depth < 200; depth += 1) value = [value];
  expect(await send({ model: 'm', messages: value })).toEqual({ status: 400, given: '' });
});
