import { describe, expect, test } from '@jest/globals';
import { applyEvent } from '@portcullis/core/a2a/apply-event';
import type { Call } from '@portcullis/core/a2a/call';
import type { Parsed } from '@portcullis/core/a2a/member-reader';
import { parseAgentCardText } from '@portcullis/core/a2a/parse-agent-card';
import { parseHttpAnswer, parseRpcAnswer, type Answer } from '@portcullis/core/a2a/parse-answer';
import { parseSendResult, parseStreamEvent, parseTask, parseTaskPage } from '@portcullis/core/a2a/parse-task';
import { rankInterfaces, versionHeaders, type Route } from '@portcullis/core/a2a/protocol-version';
import { renderHttpCall, renderRpcCall, unsupportedOperation } from '@portcullis/core/a2a/render-call';
import type { Message, StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { WireForm } from '@portcullis/core/a2a/wire-form';
import { collect } from './collect-stream.ts';
import { a2aGenerations, startA2aPeer, type A2aGeneration, type A2aPeer } from './a2a-peer.ts';

type Read<Value> = (value: unknown, form: WireForm) => Parsed<Value>;

const cardPaths = { '1.0': 'agent-card.json', '0.3': 'agent-card.json', '0.2': 'agent.json' } as const;

async function readCard(peer: A2aPeer, generation: A2aGeneration) {
  const response = await fetch(`${peer.url}/.well-known/${cardPaths[generation]}`, {
    headers: { 'a2a-version': '1.0' },
  });
  const { value, problems } = parseAgentCardText(await response.text());
  if (value === undefined) throw new Error(JSON.stringify(problems));
  return value;
}

function request(route: Route, call: Call): { url: string; init: RequestInit } {
  const headers = { 'content-type': 'application/json', ...versionHeaders(route.version) };
  if (route.binding === 'JSONRPC') {
    const body = renderRpcCall(call, route.version, '1');
    if (body === unsupportedOperation) throw new Error('unknown there');
    return { url: route.url, init: { method: 'POST', headers, body: JSON.stringify(body) } };
  }
  const rendered = renderHttpCall(call, route.version);
  if (rendered === unsupportedOperation) throw new Error('unknown there');
  const { method, path, body } = rendered;
  return { url: route.url + path, init: { method, headers, ...(body && { body: JSON.stringify(body) }) } };
}

function readBody<Value>(route: Route, status: number, body: unknown, read: Read<Value>): Answer<Value> {
  const { version } = route;
  return route.binding === 'JSONRPC'
    ? parseRpcAnswer(body, { id: '1', version, read })
    : parseHttpAnswer(body, { status, version, read });
}

async function ask<Value>(route: Route, call: Call, read: Read<Value>): Promise<Answer<Value>> {
  const { url, init } = request(route, call);
  const response = await fetch(url, init);
  return readBody(route, response.status, await response.json(), read);
}

async function* listen(route: Route, call: Call): AsyncGenerator<StreamEvent, void> {
  const { url, init } = request(route, call);
  const response = await fetch(url, init);
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? '';
      const { value, error } = readBody(route, response.status, JSON.parse(data), parseStreamEvent);
      if (value === undefined) throw new Error(JSON.stringify(error));
      yield value;
    }
  }
}

let sent = 0;
const says = (text: string, about: Partial<Message> = {}): Message => ({
  messageId: `m${(sent += 1)}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...about,
});
const send = (text: string, about?: Partial<Message>): Call => ({ operation: 'send', message: says(text, about) });

const orThrow = <Value>({ value, error }: Answer<Value>): Value => {
  if (value === undefined) throw new Error(JSON.stringify(error));
  return value;
};
const taskOf = (result: { task: Task } | { message: Message }): Task => {
  if ('message' in result) throw new Error('a message');
  return result.task;
};

describe.each(a2aGenerations)('an agent made of the official kit of %s', (generation) => {
  test('is understood in each of its bindings', async () => {
    await using peer = await startA2aPeer({ generation });
    const { card, writtenIn } = await readCard(peer, generation);
    expect(writtenIn).toBe(generation);
    expect(card).toMatchObject({ name: 'Echo', skills: [{ id: 'echo', tags: ['test'] }] });
    const routes = rankInterfaces(card);
    expect(routes.map(({ binding, version }) => `${binding} ${version}`)).toEqual(
      generation === '0.2' ? ['JSONRPC 0.2'] : [`JSONRPC ${generation}`, `HTTP+JSON ${generation}`],
    );

    for (const route of routes) {
      peer.behave({ conduct: 'message' });
      const { message } = orThrow(await ask(route, send('hello'), parseSendResult)) as { message: Message };
      expect(message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'You said: hello' }] });

      peer.behave({ conduct: 'stream' });
      const done = taskOf(orThrow(await ask(route, send('hello'), parseSendResult)));
      expect(done.status.state).toBe('TASK_STATE_COMPLETED');
      const get: Call = { operation: 'get', id: done.id, historyLength: 10 };
      const got = orThrow(await ask(route, get, parseTask));
      expect(got.id).toBe(done.id);
      expect(got.history?.[0]).toMatchObject({ role: 'ROLE_USER', parts: [{ text: 'hello' }] });

      const { operation: _, ...streamed } = send('again');
      const events = await collect(listen(route, { ...streamed, operation: 'stream' } as Call));
      const [first, ...more] = events;
      if (first === undefined || !('task' in first)) throw new Error('no task at first');
      const task = more.reduce((before, event) => applyEvent(before, event).task ?? before, first.task);
      expect(task).toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'answer', name: 'Answer', parts: [{ text: 'You said: again' }] }],
      });

      peer.behave({ conduct: 'ask' });
      const asked = taskOf(orThrow(await ask(route, send('a way'), parseSendResult)));
      expect(asked.status).toMatchObject({
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { parts: [{ text: 'Which town?' }] },
      });
      const about = { taskId: asked.id, ...(asked.contextId && { contextId: asked.contextId }) };
      const answered = taskOf(orThrow(await ask(route, send('Bern', about), parseSendResult)));
      expect(answered).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_COMPLETED' } });

      peer.behave({ conduct: 'fail' });
      expect(taskOf(orThrow(await ask(route, send('x'), parseSendResult))).status.state).toBe('TASK_STATE_FAILED');

      const unknown = await ask(route, { operation: 'get', id: 'unknown' }, parseTask);
      expect(unknown.error?.reason).toBe('TASK_NOT_FOUND');
      const ended = await ask(route, { operation: 'cancel', id: done.id }, parseTask);
      expect(ended.error?.reason).toBe('TASK_NOT_CANCELABLE');
    }
  });

  test('cancels what works, and goes on when it is released', async () => {
    await using peer = await startA2aPeer({ generation, conduct: 'slow' });
    const [route] = rankInterfaces((await readCard(peer, generation)).card);
    if (route === undefined) throw new Error('no route');
    const { operation: _, ...streamed } = send('x');
    const stream = listen(route, { ...streamed, operation: 'stream' } as Call);
    const { value: first } = await stream.next();
    if (first === undefined || !('task' in first)) throw new Error('no task at first');
    expect((await stream.next()).value).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });

    const cancelled = orThrow(await ask(route, { operation: 'cancel', id: first.task.id }, parseTask));
    // The kit of 0.2 may answer before the agent has ended the task.
    expect(['TASK_STATE_CANCELED', 'TASK_STATE_WORKING']).toContain(cancelled.status.state);
    expect((await stream.next()).value).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } });

    const waiting = ask(route, send('y'), parseSendResult);
    peer.release();
    expect(taskOf(orThrow(await waiting)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('cancels a task that waits for its caller', async () => {
    await using peer = await startA2aPeer({ generation, conduct: 'ask' });
    const { card } = await readCard(peer, generation);
    for (const route of rankInterfaces(card)) {
      const asked = taskOf(orThrow(await ask(route, send('a way'), parseSendResult)));
      const cancelled = orThrow(await ask(route, { operation: 'cancel', id: asked.id }, parseTask));
      expect(cancelled).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_CANCELED' } });
    }
  });

  test('changes its card', async () => {
    await using peer = await startA2aPeer({ generation });
    peer.behave({ card: { description: 'Says something else' } });
    expect((await readCard(peer, generation)).card.description).toBe('Says something else');
  });

  test('answers nonsense, which is told', async () => {
    await using peer = await startA2aPeer({ generation, conduct: 'nonsense' });
    const [route] = rankInterfaces((await readCard(peer, generation)).card);
    if (route === undefined) throw new Error('no route');
    expect((await ask(route, send('x'), parseSendResult)).error?.reason).toBe('INVALID_AGENT_RESPONSE');
  });
});

test('an agent of 1.0 lists its tasks', async () => {
  await using peer = await startA2aPeer({ generation: '1.0', conduct: 'stream' });
  for (const route of rankInterfaces((await readCard(peer, '1.0')).card)) {
    await ask(route, send('x'), parseSendResult);
    const { tasks, pageSize } = orThrow(await ask(route, { operation: 'list', pageSize: 7 }, parseTaskPage));
    expect(pageSize).toBeGreaterThan(0);
    expect(tasks[0]).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  }
});

test.each([
  ['endless', 1_048_576],
  ['flood', 200 * 1_048_576],
] as const)('%s sends more than %d bytes, as long as they are read', async (conduct, expected) => {
  await using peer = await startA2aPeer({ generation: '1.0', conduct });
  const response = await fetch(`${peer.url}/http/message:stream`, { method: 'POST' });
  let received = 0;
  for await (const chunk of response.body ?? []) {
    received += (chunk as Uint8Array).length;
    if (received > expected) break;
  }
  expect(received).toBeGreaterThan(expected);
});
