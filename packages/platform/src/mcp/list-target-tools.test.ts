import { describe, expect, test } from '@jest/globals';
import { answer, parseJsonBody, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import type { ServerResponse } from 'node:http';
import { listTargetTools } from './list-target-tools.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly cursor?: string };
}

/** Lists the tools of a target that answers `tools/list` in this way. */
async function listFrom(
  respond: (asked: Asked, response: ServerResponse) => void,
  options: { readonly timeoutMs?: number } = {},
) {
  await using peer = await startLoopbackPeer((request, response) => {
    const asked = parseJsonBody(request) as Asked;
    if (asked.method === 'tools/list') respond(asked, response);
    else answer(response, 200, { jsonrpc: '2.0', id: asked.id, result: { protocolVersion: '2025-11-25' } });
  });
  const listing = await listTargetTools(
    { url: peer.url },
    { allowPrivate: true, connectTimeoutMs: 60_000, ...options },
  );
  return { listing, asked: peer.requests.filter(({ body }) => body.includes('tools/list')).length };
}

const listFromResults = (result: (asked: Asked) => object) =>
  listFrom((asked, response) => answer(response, 200, { jsonrpc: '2.0', id: asked.id, result: result(asked) }));

const toolNames = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `tool-${from + n}` }));
const pageOf = ({ params }: Asked) => Number(params.cursor ?? 0);

describe('the tools of a target', () => {
  test('come page by page, each once', async () => {
    const { listing } = await listFromResults((asked) => ({
      tools: [...toolNames(pageOf(asked) * 2, 2), { name: 'everywhere' }],
      ...(pageOf(asked) < 2 && { nextCursor: String(pageOf(asked) + 1) }),
    }));
    expect(listing).toMatchObject({ kind: 'listed', tools: { length: 7 } });
  });

  test.each([
    ['/mcp/', { kind: 'listed', tools: { length: 1 } }, 4],
    ['//elsewhere.example/mcp/', { kind: 'failed', reason: 'The target answered initialize with status 307' }, 1],
    ['/other/', { kind: 'failed', reason: 'The target answered initialize with status 307' }, 1],
  ])('are those of a server that redirects to %s', async (location, expected, requests) => {
    await using peer = await startLoopbackPeer((request, response) => {
      if (request.path === '/mcp') return void response.writeHead(307, { location }).end('moved');
      const { id, method } = parseJsonBody(request) as Asked;
      const result = method === 'tools/list' ? { tools: toolNames(0, 1) } : { protocolVersion: '2025-11-25' };
      answer(response, 200, { jsonrpc: '2.0', id, result });
    });
    const listing = await listTargetTools({ url: `${peer.url}/mcp` }, { allowPrivate: true, connectTimeoutMs: 60_000 });
    expect(listing).toMatchObject(expected);
    expect(peer.requests).toHaveLength(requests);
  });

  test('are 5,000 at most', async () => {
    const full = await listFromResults(() => ({ tools: toolNames(0, 5_000) }));
    expect(full.listing).toMatchObject({ kind: 'listed', tools: { length: 5_000 } });
    const { listing } = await listFromResults(() => ({ tools: toolNames(0, 5_001) }));
    expect(listing).toEqual({ kind: 'failed', reason: 'The target has more than 5000 tools' });
  });

  test('are on a hundred pages at most, and on none twice', async () => {
    const endless = await listFromResults((asked) => ({ tools: [], nextCursor: String(pageOf(asked) + 1) }));
    const reason = 'tools/list never comes to its last page';
    expect(endless).toEqual({ listing: { kind: 'failed', reason }, asked: 101 });
    const circle = await listFromResults(() => ({ tools: [], nextCursor: 'same' }));
    expect(circle).toEqual({ listing: { kind: 'failed', reason }, asked: 2 });
  });

  test.each([
    ['a list that is none', { tools: 'all' }, 'tools/list answered no list of tools'],
    ['a tool without a name', { tools: [{ description: 'x' }] }, 'tools/list answered a tool without a name'],
    ['an empty name', { tools: [{ name: '' }] }, 'tools/list answered a tool without a name'],
    ['a name that is too long', { tools: [{ name: 'x'.repeat(257) }] }, 'tools/list answered a tool without a name'],
  ])('are refused with %s', async (_, result, reason) => {
    expect((await listFromResults(() => result)).listing).toEqual({ kind: 'failed', reason });
  });

  test('are read from ten megabytes at most', async () => {
    const { listing } = await listFromResults(() => ({ tools: [{ name: 'x', description: 'y'.repeat(10_485_760) }] }));
    expect(listing).toEqual({ kind: 'failed', reason: "The target's answer is longer than 10485760 bytes" });
  });

  test('are waited for no longer than the time that there is for everything', async () => {
    const { listing } = await listFrom(() => undefined, { timeoutMs: 50 });
    expect(listing).toEqual({ kind: 'timeout', reason: 'The target took longer than 50 ms' });
  });

  test('are read behind a byte order mark', async () => {
    const { listing } = await listFrom(({ id }, response) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: toolNames(0, 1) } });
      response.writeHead(200, { 'content-type': 'application/json' }).end(`\uFEFF${text}`);
    });
    expect(listing).toMatchObject({ kind: 'listed', tools: { length: 1 } });
  });

  test('that the target refuses are told with its words, cut to size', async () => {
    const { listing } = await listFrom((asked, response) =>
      answer(response, 200, { jsonrpc: '2.0', id: asked.id, error: { code: -1, message: `no ${'x'.repeat(1_000)}` } }),
    );
    expect(listing).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^The target refused tools\/list: no x{197}$/),
    });
  });

  test.each([
    ['JSON of its own', 200, '{"name":"shop","status":"ok"}', 'application/json'],
    ['a page', 200, '<!doctype html>', 'text/html'],
    ['an error in JSON-RPC', 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"?"}}', 'application/json'],
    ['another address', 307, '', 'text/plain'],
    ['nothing', 404, '', 'text/plain'],
  ])('are found at /mcp where the root answers with %s', async (_what, status, body, type) => {
    await using peer = await startLoopbackPeer((request, response) => {
      const { id, method } = parseJsonBody(request) as Asked;
      const result = method === 'tools/list' ? { tools: [{ name: 'one' }] } : { protocolVersion: '2025-11-25' };
      if (request.path === '/mcp') answer(response, 200, { jsonrpc: '2.0', id, result });
      else response.writeHead(status, { 'content-type': type }).end(body);
    });
    const options = { allowPrivate: true, connectTimeoutMs: 60_000 };
    expect(await listTargetTools({ url: peer.url }, options)).toMatchObject({ tools: [{ name: 'one' }] });
    expect(await listTargetTools({ url: `${peer.url}/elsewhere` }, options)).toMatchObject({ kind: 'failed' });
  });

  test('come from a server that asks first what its client can be asked', async () => {
    const declared: unknown[] = [];
    let open: ServerResponse | undefined;
    let asked: Asked | undefined;
    const answered: object[] = [];
    const questions = ['roots/list', 'sampling/createMessage', 'elicitation/create', 'ping', 'tasks/list'];
    await using peer = await startLoopbackPeer((request, response) => {
      const message = parseJsonBody(request) as Asked & { params?: { capabilities?: object } };
      const reply = (to: ServerResponse, body: object) => to.write(`data: ${JSON.stringify(body)}\n\n`);
      if (message.method === 'initialize') {
        declared.push(message.params.capabilities);
        answer(response, 200, { jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25' } });
      } else if (message.method === 'tools/list') {
        [open, asked] = [response.writeHead(200, { 'content-type': 'text/event-stream' }), message];
        questions.forEach((method, index) => reply(response, { jsonrpc: '2.0', id: `q${index}`, method }));
      } else {
        response.writeHead(202).end();
        if (message.method === undefined) answered.push(message);
        if (answered.length < questions.length || open === undefined) return;
        reply(open, { jsonrpc: '2.0', id: asked?.id, result: { tools: [{ name: 'one' }] } });
      }
    });
    const listing = await listTargetTools({ url: peer.url }, { allowPrivate: true, connectTimeoutMs: 60_000 });
    expect(listing).toMatchObject({ tools: [{ name: 'one' }] });
    expect(declared).toMatchObject([{ roots: {}, sampling: {}, elicitation: { url: {} }, tasks: { requests: {} } }]);
    expect(answered).toMatchObject([
      { id: 'q0', result: { roots: [] } },
      { id: 'q1', error: { code: -1 } },
      { id: 'q2', result: { action: 'decline' } },
      { id: 'q3', result: {} },
      { id: 'q4', error: { code: -32_601 } },
    ]);
  });
});
