import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import { housePolicy } from './mcp-block-policy.ts';
import { goodKey, listen, secondKey, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';
import { recordsOf } from './tool-target.ts';

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly taskId?: string };
}

const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const task = (taskId: string) => ({ taskId, status: 'working', ttl: 60_000 });

/** What a server of tasks answers, of the revision in which they were experimental and of the extension. */
const answers: Readonly<Record<string, object>> = {
  'tools/call': { task: task('t 1') },
  'prompts/get': { resultType: 'task', taskId: 't 1', status: 'working' },
  'tasks/get': task('t 1'),
  'tasks/update': task('t 1'),
  'tasks/cancel': { ...task('t 1'), status: 'cancelled' },
  'tasks/result': { content: [{ type: 'text', text: 'done' }], _meta: related('t 1') },
  'tasks/list': { tasks: [task('t 1'), task('t 2')] },
};

async function startTarget() {
  const seen: { readonly message: Asked; readonly name: string | undefined }[] = [];
  const peer = await listen((request, response) => {
    void text(request).then((body) => {
      const message = JSON.parse(body) as Asked;
      seen.push({ message, name: request.headers['mcp-name'] as string | undefined });
      if (message.id === undefined) return void response.writeHead(202).end();
      const answer = { jsonrpc: '2.0', id: message.id, result: answers[message.method] ?? {} };
      if (message.method !== 'subscriptions/listen') {
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
        return void response.end(JSON.stringify(answer));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const told = {
        jsonrpc: '2.0',
        method: 'notifications/tasks/status',
        params: { ...task('t 1'), _meta: related('t 1') },
      };
      const asks = { jsonrpc: '2.0', id: 9, method: 'tasks/get', params: { taskId: 'of the client' } };
      response.end(
        `data: ${JSON.stringify(told)}\n\ndata: ${JSON.stringify(asks)}\n\ndata: ${JSON.stringify(answer)}\n\n`,
      );
    });
  });
  return Object.assign(peer, { seen });
}

const start = (
  target: { readonly origin: string },
  proxy: StartOptions['proxy'] = {},
  more: Partial<StartOptions> = {},
) => startProxy({ target: target.origin, proxy: { type: 'mcp', ...proxy }, ...more });

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

async function ask(proxy: RunningProxy, method: string, params: object = {}, headers: Record<string, string> = {}) {
  const answer = await fetch(`${proxy.origin}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': goodKey,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await answer.text();
  const isJson = body.startsWith('{');
  return {
    status: answer.status,
    session: answer.headers.get('mcp-session-id') ?? '',
    body,
    ...((isJson ? JSON.parse(body) : {}) as Answer),
  };
}

const ofTasks = ['tasks/get', 'tasks/update', 'tasks/result', 'tasks/cancel'];
const begin = async (proxy: RunningProxy): Promise<string> => {
  const { result } = await ask(proxy, 'tools/call', { name: 'slow', task: { ttl: 60_000 } });
  return String((result?.['task'] as { taskId?: string } | undefined)?.taskId);
};

describe('a task of an MCP server', () => {
  test('is known to the key that began it by an id of its own, the same in all that names it', async () => {
    await using target = await startTarget();
    await using proxy = await start(target);
    const id = await begin(proxy);
    expect(id).not.toContain('undefined');
    expect(id).not.toBe('t 1');
    const { session } = await ask(proxy, 'tools/call', { name: 'slow' });
    expect((await ask(proxy, 'prompts/get')).result).toMatchObject({ taskId: id });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect((await ask(proxy, method, { taskId: id })).result).toMatchObject({ taskId: id });
    }
    expect((await ask(proxy, 'tasks/result', { taskId: id })).result).toMatchObject({ _meta: related(id) });
    expect(target.seen.slice(-4).map(({ message }) => message.params.taskId)).toEqual(['t 1', 't 1', 't 1', 't 1']);
    const listed = await ask(proxy, 'tasks/list', {}, { 'mcp-session-id': session });
    expect(listed.result).toMatchObject({ tasks: [{ taskId: id }, { taskId: expect.not.stringMatching(/^t 2$/) }] });
  });

  test('has its id in the header that repeats it, too', async () => {
    await using target = await startTarget();
    await using proxy = await start(target);
    const id = await begin(proxy);
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tasks/get',
      'mcp-name': `=?base64?${btoa(id)}?=`,
    };
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect((await ask(proxy, 'tasks/get', { taskId: id, _meta }, headers)).status).toBe(200);
    expect(target.seen.at(-1)).toMatchObject({ name: 't 1', message: { params: { taskId: 't 1' } } });
  });

  test('is told on streams by the same id, and tasks of the client are left as they are', async () => {
    await using target = await startTarget();
    await using proxy = await start(target);
    const id = await begin(proxy);
    const { body } = await ask(proxy, 'subscriptions/listen', { notifications: { taskIds: [id] } });
    expect(target.seen.at(-1)?.message.params).toEqual({ notifications: { taskIds: ['t 1'] } });
    expect(body.split(JSON.stringify(id))).toHaveLength(3);
    expect(body).not.toContain('"t 1"');
    expect(body).toContain('"of the client"');
  });

  test('is nobody else’s: neither read nor changed with another key, in the header or beside a call', async () => {
    await using target = await startTarget();
    await using proxy = await start(target);
    const id = await begin(proxy);
    const asked = target.seen.length;
    const stranger = { 'x-api-key': secondKey };
    const error = { code: -32_602, message: 'Task not found' };
    for (const method of ofTasks) {
      for (const [taskId, key] of [
        [id, stranger],
        ['t 1', stranger],
        ['t 1', {}],
        [`${id}x`, {}],
      ] as const) {
        expect(await ask(proxy, method, { taskId }, key)).toMatchObject({ status: 200, error });
      }
    }
    expect(await ask(proxy, 'tools/call', { name: 'a', _meta: related(id) }, stranger)).toMatchObject({ error });
    expect(await ask(proxy, 'tools/call', { name: 'a', _meta: related('t 1') })).toMatchObject({ error });
    expect(await ask(proxy, 'tasks/list')).toMatchObject({ error: { code: -32_601 } });
    expect(target.seen).toHaveLength(asked);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'MCP_FOREIGN_TASK', severity: 'High' }]);
  });
});

describe('a method', () => {
  const house = { policies: [housePolicy] };

  test('of nobody’s specification is refused where a policy enforces something, and passes elsewhere', async () => {
    await using target = await startTarget();
    await using guarded = await start(target, {}, house);
    const error = { code: -32_601, message: 'Method not found' };
    expect(await ask(guarded, 'secrets/export')).toMatchObject({ status: 200, error });
    const modern = { 'mcp-protocol-version': '2026-07-28' };
    expect(await ask(guarded, 'secrets/export', {}, modern)).toMatchObject({ status: 404, error });
    expect(target.seen).toEqual([]);
    expect((await ask(guarded, 'ping')).status).toBe(200);
    expect(recordsOf(guarded, 'request_log')).toMatchObject([
      { denied_reason: 'unknown_method' },
      { denied_reason: 'unknown_method' },
      { status_code: 200 },
    ]);
    await using open = await start(target);
    expect(await ask(open, 'secrets/export')).toMatchObject({ status: 200, result: {} });
  });

  test('is one of those that the proxy allows, with and without policies', async () => {
    await using target = await startTarget();
    const allowedMethods = new Set(['ping', 'secrets/export']);
    await using proxy = await start(target, { allowedMethods }, house);
    expect((await ask(proxy, 'secrets/export')).result).toEqual({});
    expect((await ask(proxy, 'tools/call')).error).toMatchObject({ code: -32_601 });
    await using open = await start(target, { allowedMethods });
    expect((await ask(open, 'tools/call')).error).toMatchObject({ code: -32_601 });
    expect(defaultProxySettings.allowed_methods).toBeNull();
  });
});
