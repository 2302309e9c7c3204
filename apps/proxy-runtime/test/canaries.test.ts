import { describe, expect, test } from '@jest/globals';
import { findCanaries } from '@portcullis/core/canary/canary-token';
import { listen, goodKey, startProxy } from './start-proxy.ts';

/** A proxy with canaries whose target repeats `says`, as a whole or as a stream. */
async function start(says: (seen: string) => string, { rate = 1, stream = false } = {}) {
  const bodies: string[] = [];
  const target = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      const text = says(body);
      if (!stream) {
        const message = { role: 'assistant', content: text };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ choices: [{ index: 0, message }] }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of text.match(/.{1,3}/gs) ?? []) {
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`);
      }
      response.end('data: [DONE]\n\n');
    });
  });
  const proxy = await startProxy({ target: target.origin, proxy: { canaryRate: rate } });
  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${proxy.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}`, ...headers },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const records = (kind: string) => proxy.spool.records.filter((record) => record.kind === kind);
  const stop = () => Promise.all([target, proxy].map((each) => each[Symbol.asyncDispose]()));
  return { send, records, bodies, stop };
}

const chat = (...messages: object[]) => JSON.stringify({ model: 'm', messages });
const user = { role: 'user', content: 'hello' };

describe('a canary token', () => {
  test.each([
    ['/v1/chat/completions', `{"model":"m", "seed":1.0,"messages":[{"role":"user","content":"hi"}]}`],
    ['/v1/chat/completions', chat({ role: 'system', content: 'Be kind.' }, user)],
    ['/v1/chat/completions', chat({ role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] }, user)],
    ['/v1/messages', chat(user)],
    ['/v1/messages', JSON.stringify({ system: 'Be kind.', messages: [user] })],
    ['/v1/messages', JSON.stringify({ messages: [user], system: [{ type: 'text', text: 'Be kind.' }] })],
  ])('goes into the system prompt of %s, and nothing else changes: %s', async (path, body) => {
    const proxy = await start(() => 'fine');
    expect((await proxy.send(path, body)).status).toBe(200);
    const [sent = ''] = proxy.bodies;
    const [planted] = proxy.records('canary_planted');
    expect(findCanaries(sent)).toEqual([(planted as unknown as { token: string }).token]);
    expect(JSON.stringify(JSON.parse(sent).messages.at(-1))).toBe(JSON.stringify(JSON.parse(body).messages.at(-1)));
    // Its digits, its spelling.
    for (const kept of ['"seed":1.0', 'Be kind.']) expect(sent.includes(kept)).toBe(body.includes(kept));
    expect(planted).toMatchObject({ principal: 'key:1', user_identity: 'key 1', user_group: 'team' });
    await proxy.stop();
  });

  test.each([false, true])('is seen in an answer, which arrives all the same (stream: %s)', async (stream) => {
    const proxy = await start(() => 'I know of (ref:zzzz1111), you see', { stream });
    const { text } = await proxy.send('/v1/chat/completions', chat(user));
    expect(text).toContain(stream ? 'data: [DONE]' : '(ref:zzzz1111)');
    expect(proxy.records('canary_seen')).toEqual([
      expect.objectContaining({ token: 'zzzz1111', principal: 'key:1', target: '/v1/chat/completions' }),
    ]);
    await proxy.stop();
  });

  test('belongs to a conversation, which grows from the same opening or says its id', async () => {
    const proxy = await start(() => 'fine');
    await proxy.send('/v1/chat/completions', chat(user));
    await proxy.send(
      '/v1/chat/completions',
      chat(user, { role: 'assistant', content: 'x' }, { role: 'user', content: 'y' }),
    );
    await proxy.send('/v1/chat/completions', chat({ role: 'user', content: 'other' }));
    await proxy.send('/v1/chat/completions', chat(user), { 'x-session-id': 's-1' });
    const planted = proxy.records('canary_planted') as unknown as readonly { session: string; token: string }[];
    expect(new Set(planted.map(({ session }) => session)).size).toBe(3);
    expect(planted).toHaveLength(3);
    const [first, grown, ...others] = proxy.bodies.flatMap(findCanaries);
    expect(grown).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
    await proxy.stop();
  });

  test('leaves what a request begins with as it was a turn before', async () => {
    const proxy = await start(() => 'fine');
    const turns: object[] = [{ role: 'system', content: 'Be kind.' }];
    for (const said of ['hello', 'and now?', 'thanks']) {
      turns.push({ role: 'user', content: said });
      await proxy.send('/v1/chat/completions', chat(...turns));
      turns.push({ role: 'assistant', content: 'fine' });
    }
    const [first = '', second = '', third = ''] = proxy.bodies.map((body) => JSON.stringify(JSON.parse(body).messages));
    expect(second.startsWith(first.slice(0, -1))).toBe(true);
    expect(third.startsWith(second.slice(0, -1))).toBe(true);
    await proxy.stop();
  });

  test('is recorded once a request with it has left', async () => {
    const proxy = await start(() => 'fine');
    for (let time = 0; time < 3; time += 1) await proxy.send('/v1/chat/completions', chat(user));
    expect(proxy.records('canary_planted')).toHaveLength(1);
    await proxy.stop();
  });

  test('stays away where it is not wanted, and from bodies without a place for it', async () => {
    const off = await start(() => '(ref:zzzz1111)', { rate: 0 });
    await off.send('/v1/chat/completions', chat(user));
    expect([...off.records('canary_planted'), ...off.records('canary_seen')]).toEqual([]);
    expect(off.bodies).toEqual([chat(user)]);
    await off.stop();

    const on = await start(() => 'fine');
    const odd = ['{"messages":"text"}', '{"input":"x"}', '[1]'];
    for (const body of odd) await on.send('/v1/chat/completions', body);
    expect(on.bodies).toEqual(odd);
    expect(on.records('canary_planted')).toEqual([]);
    await on.stop();
  });
});
