import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { waitFor } from '@portcullis/testkit/wait-for';
import { guestsPolicy } from './guest-redact-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

const filler = 'The rooms are ready on the second floor. '.repeat(1_200);

const wholeOf = (content: string) => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
const eventOf = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const forms = [
  { form: 'a JSON answer', type: 'application/json', render: (texts: readonly string[]) => wholeOf(texts.join('')) },
  {
    form: 'events of a stream',
    type: 'text/event-stream',
    render: (texts: readonly string[]) => `${texts.map(eventOf).join('')}data: [DONE]\n\n`,
  },
] as const;

/** A target that answers with the text that is asked for. */
const startTarget = (answers: Readonly<Record<string, { readonly type: string; readonly body: string }>>) =>
  listen((request, response) => {
    const chunks: string[] = [];
    request.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    request.on('end', () => {
      const { model } = JSON.parse(chunks.join('')) as { model: string };
      const { type, body } = answers[model] ?? { type: 'application/json', body: '{}' };
      response.writeHead(200, { 'content-type': type }).end(body);
    });
  });

/** An answer may be broken off: it is what has come until then. */
async function ask(proxy: RunningProxy, model: string) {
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  });
  return { status: response.status, text: await response.text() };
}

const lastLog = (proxy: RunningProxy) => proxy.spool.records.findLast((record) => record.kind === 'request_log');

describe('an answer of many values', () => {
  const withLists = (count: number) =>
    `{"choices":[{"message":{"content":"hello"}}],"lists":[${'[],'.repeat(count)}0]}`;
  const started = async (policies: Parameters<typeof startProxy>[0]['policies']) => {
    const opened = new AsyncDisposableStack();
    const type = 'application/json';
    const target = opened.use(
      await startTarget({
        many: { type, body: withLists(300_000) },
        allowed: { type, body: withLists(200_000) },
        plain: { type: 'text/plain', body: withLists(300_000) },
        twice: { type, body: `${withLists(200_000).slice(0, -1)},"lists":1}` },
        broken: { type, body: `${withLists(200_000)}]` },
        event: { type: 'text/event-stream', body: `data: ${withLists(300_000)}\n\ndata: [DONE]\n\n` },
        lines: { type: 'application/x-ndjson', body: `{"a":1}\n${withLists(300_000)}\n` },
        numbers: { type, body: `{"data":[{"embedding":[${'-0.0123456,'.repeat(90_000)}0]}]}` },
      }),
    );
    const proxy = opened.use(await startProxy({ target: target.origin, ...(policies && { policies }) }));
    return { proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  };

  test.each(['many', 'plain', 'twice', 'broken', 'event', 'lines'])(
    'cannot be read, and does not leave where a policy enforces: %s',
    async (model) => {
      await using open = await started([guestsPolicy]);
      expect((await ask(open.proxy, model)).text).not.toContain('hello');
      expect(lastLog(open.proxy)).toMatchObject({ denied_reason: 'unreadable_answer' });
    },
  );

  test('is read up to a bound, and passes byte for byte where no policy enforces anything', async () => {
    await using open = await started([guestsPolicy]);
    expect(await ask(open.proxy, 'allowed')).toEqual({ status: 200, text: withLists(200_000) });
    expect((await ask(open.proxy, 'numbers')).status).toBe(200);
    await using unread = await started(undefined);
    expect(await ask(unread.proxy, 'many')).toEqual({ status: 200, text: withLists(300_000) });
  });
});

describe.each(forms)('$form', ({ type, render }) => {
  test('is hidden in where it is long as where it is short, in its order', async () => {
    const given = ['hello ', `${filler}to amy@house.example `, 'and bob@house.example ', filler, 'bye'];
    await using target = await startTarget({ long: { type, body: render(given) } });
    await using proxy = await startProxy({ target: target.origin, policies: [guestsPolicy] });
    const { status, text } = await ask(proxy, 'long');
    expect(status).toBe(200);
    expect(text).toBe(
      render(
        given.map((piece) => piece.replace('amy@house.example', '<GUEST_1>').replace('bob@house.example', '<GUEST_2>')),
      ),
    );
  });

  test('ends where something is forbidden', async () => {
    const body = render(['hello ', `${filler}this is the secret word`, 'never']);
    await using target = await startTarget({ long: { type, body } });
    await using proxy = await startProxy({ target: target.origin, policies: [guestsPolicy] });
    const { status, text } = await ask(proxy, 'long');
    expect(status).toBe(type === 'application/json' ? 403 : 200);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('never');
    expect(text).toContain('error');
    expect(lastLog(proxy)).toMatchObject({ denied_reason: 'policy_violation_response' });
  });

  test('lets others go on while it is read, and is given up when its client goes', async () => {
    const flood = 'call me at 415-555-0199 or mail to a@b.example, ';
    // What was read before is known, so each answer is one of its own.
    const [first, second] = ['hello ', 'again '].map((word) => render([word, word + flood.repeat(12_000)]));
    await using target = await startTarget({
      long: { type, body: first ?? '' },
      other: { type, body: second ?? '' },
      short: { type, body: render(['short']) },
    });
    const policies = builtinPolicies.map((builtin) => ({
      ...builtin,
      rules: builtin.rules.map((given) => ({ ...given, action: 'monitor' as const })),
    }));
    await using proxy = await startProxy({ target: target.origin, policies });
    await ask(proxy, 'short');
    const events: string[] = [];
    const note = (name: string) => ask(proxy, name).then(({ status }) => events.push(`${name} ${status}`));
    target.server.once('request', (_request, response) => {
      // All of the long answer is on its way: a request now would wait for it.
      response.once('finish', () => void note('short'));
    });
    await note('long');
    expect(events).toEqual(['short 200', 'long 200']);

    const { hostname, port } = new URL(proxy.origin);
    const headers = { 'content-type': 'application/json', 'x-api-key': goodKey };
    const leaving = openRequest({ hostname, port, path: '/v1/chat/completions', method: 'POST', headers });
    leaving.on('error', () => undefined);
    const answered = once(target.server, 'request');
    leaving.end(JSON.stringify({ model: 'other', stream: true, messages: [{ role: 'user', content: 'hello' }] }));
    const [, response] = (await answered) as [unknown, NodeJS.EventEmitter];
    await once(response, 'finish');
    leaving.destroy();
    await waitFor(() => lastLog(proxy)?.denied_reason === 'client_closed', { what: 'the exchange to be given up' });
    expect((await ask(proxy, 'short')).status).toBe(200);
  });
});
