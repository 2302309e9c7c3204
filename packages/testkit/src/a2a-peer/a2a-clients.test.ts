import { ClientFactory as CurrentFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { Role, TaskState, type SendMessageRequest } from '@a2a-js/sdk';
import { expect, test } from '@jest/globals';
import { a2aError } from '@portcullis/core/a2a/a2a-error';
import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { isStreamed, type Call } from '@portcullis/core/a2a/call';
import { parseHttpCall } from '@portcullis/core/a2a/parse-http-call';
import { parseRpcCall } from '@portcullis/core/a2a/parse-rpc-call';
import { readsCurrentCards } from '@portcullis/core/a2a/protocol-version';
import { renderAgentCard, renderHybridCard, renderLegacyCard } from '@portcullis/core/a2a/render-agent-card';
import { renderHttpError, renderRpcError } from '@portcullis/core/a2a/render-error';
import { renderSendResult, renderStreamEvent, renderTask, renderTaskPage } from '@portcullis/core/a2a/render-task';
import type { StreamEvent, Task } from '@portcullis/core/a2a/task';
import type { WireForm } from '@portcullis/core/a2a/wire-form';
import { A2AClient as OldestClient } from 'a2a-sdk-0.2/client';
import { ClientFactory as LegacyFactory, ClientFactoryOptions as LegacyOptions } from 'a2a-sdk-0.3/client';
import type { ServerResponse } from 'node:http';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from '../loopback-peer.ts';
import { collect } from './collect-stream.ts';

/** An agent of our own codecs alone, which the official clients of all generations have to understand. */
const startOwnAgent = async (): Promise<Peer> => {
  const peer: Peer = await startLoopbackPeer((request, response) => serve(request, response, cardAt(peer.url)));
  return peer;
};

const cardAt = (url: string): AgentCard => ({
  name: 'Own',
  description: 'Answers in the words of its caller',
  version: '1',
  supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) =>
    ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ url: `${url}/agent`, protocolBinding, protocolVersion })),
  ),
  capabilities: { streaming: true },
  securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
});

const task: Task = {
  id: 'task-1',
  contextId: 'context-1',
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [
    {
      artifactId: 'a',
      parts: [
        { text: 'words' },
        { raw: 'aGk=', filename: 'hi.txt', mediaType: 'text/plain' },
        { url: 'https://files.example/x', mediaType: 'image/png' },
        { data: { keepCase: [1, null] } },
      ],
    },
  ],
};
const events: readonly StreamEvent[] = [
  { task: { ...task, artifacts: undefined, status: { state: 'TASK_STATE_WORKING' } } },
  {
    artifactUpdate: { taskId: 'task-1', contextId: 'context-1', artifact: { artifactId: 'a', parts: [{ text: 'w' }] } },
  },
  { statusUpdate: { taskId: 'task-1', contextId: 'context-1', status: task.status } },
];

function serve(request: RecordedRequest, response: ServerResponse, card: AgentCard): void {
  const url = new URL(request.path, 'http://own.example');
  if (url.pathname === '/.well-known/agent.json') return answer(response, 200, renderLegacyCard(card, '0.2'));
  if (url.pathname === '/.well-known/agent-card.json') {
    const current = readsCurrentCards(request.headers['a2a-version']?.toString());
    return answer(response, 200, current ? renderAgentCard(card) : renderHybridCard(card));
  }
  const path = url.pathname.slice('/agent'.length);
  if (path === '') return serveRpc(request, response);
  const parsed = parseHttpCall({ method: request.method, path, query: url.searchParams, body: parseJsonBody(request) });
  const { form, call } = parsed;
  const version = form === 'current' ? '1.0' : '0.3';
  const error = parsed.error ?? errorOf(call);
  if (error !== undefined) {
    const { status, body } = renderHttpError(error, version);
    return answer(response, status, body);
  }
  if (isStreamed(call?.operation ?? 'get')) return stream(response, form, (event) => event);
  answer(response, 200, resultOf(call as Call, form));
}

function serveRpc(request: RecordedRequest, response: ServerResponse): void {
  const parsed = parseRpcCall(parseJsonBody(request));
  const { id, dialect: form, call } = parsed;
  const error = parsed.error ?? errorOf(call);
  if (error !== undefined) {
    const rendered = renderRpcError(error, form === 'current' ? '1.0' : '0.3');
    return answer(response, 200, { jsonrpc: '2.0', id, error: rendered });
  }
  if (isStreamed(call?.operation ?? 'get')) return stream(response, form, (result) => ({ jsonrpc: '2.0', id, result }));
  answer(response, 200, { jsonrpc: '2.0', id, result: resultOf(call as Call, form) });
}

const errorOf = (call: Call | undefined) =>
  call !== undefined && 'id' in call && call.id !== task.id ? a2aError('TASK_NOT_FOUND') : undefined;

function resultOf(call: Call, form: WireForm): object {
  if (call.operation === 'list') {
    return renderTaskPage({ tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 }, form);
  }
  if (call.operation !== 'send') return renderTask(task, form);
  const { messageId, parts } = call.message;
  if (JSON.stringify(parts).includes('task')) return renderSendResult({ task }, form);
  return renderSendResult({ message: { messageId: `re-${messageId}`, role: 'ROLE_AGENT', parts } }, form);
}

function stream(response: ServerResponse, form: WireForm, wrap: (event: object) => object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${JSON.stringify(wrap(renderStreamEvent(event, form)))}\n\n`);
  response.end();
}

const currentRequest = (value: string): SendMessageRequest => ({
  tenant: '',
  message: {
    messageId: 'm',
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' },
      {
        content: { $case: 'raw', value: Buffer.from('hi') },
        metadata: undefined,
        filename: 'f',
        mediaType: 'text/plain',
      },
      { content: { $case: 'data', value: [1] }, metadata: undefined, filename: '', mediaType: '' },
    ],
    metadata: { keepCase: true },
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

test.each([
  ['JSONRPC', JsonRpcTransportFactory],
  ['HTTP+JSON', RestTransportFactory],
] as const)('the official client of 1.0 understands our own over %s', async (_, Factory) => {
  await using agent = await startOwnAgent();
  const client = await new CurrentFactory({ transports: [new Factory()] }).createFromUrl(agent.url);
  const reply = await client.sendMessage(currentRequest('hello'));
  expect(reply).toMatchObject({
    messageId: 're-m',
    role: Role.ROLE_AGENT,
    parts: [
      { content: { $case: 'text', value: 'hello' } },
      { content: { $case: 'raw', value: Buffer.from('hi') }, filename: 'f', mediaType: 'text/plain' },
      { content: { $case: 'data', value: [1] } },
    ],
  });
  const made = await client.sendMessage(currentRequest('a task'));
  const state = TaskState.TASK_STATE_COMPLETED;
  expect(made).toMatchObject({ id: 'task-1', contextId: 'context-1', status: { state } });
  expect(await client.getTask({ tenant: '', id: 'task-1' })).toMatchObject({
    artifacts: [
      {
        parts: [
          { content: { $case: 'text', value: 'words' } },
          { content: { $case: 'raw', value: Buffer.from('hi') }, filename: 'hi.txt' },
          { content: { $case: 'url', value: 'https://files.example/x' }, mediaType: 'image/png' },
          { content: { $case: 'data', value: { keepCase: [1, null] } } },
        ],
      },
    ],
  });
  const heard = await collect(client.sendMessageStream(currentRequest('x')));
  expect(heard.map(({ payload }) => payload?.$case)).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
  await expect(client.getTask({ tenant: '', id: 'unknown' })).rejects.toThrow(/Task not found/);
});

const legacyMessage = (text: string) => ({
  message: {
    kind: 'message' as const,
    messageId: 'm',
    role: 'user' as const,
    parts: [
      { kind: 'text' as const, text },
      { kind: 'data' as const, data: { a: 1 } },
    ],
  },
  configuration: { blocking: true, acceptedOutputModes: ['text/plain'] },
});

test.each(['JSONRPC', 'HTTP+JSON'])('the official client of 0.3 understands our own over %s', async (binding) => {
  await using agent = await startOwnAgent();
  const options = LegacyOptions.createFrom(LegacyOptions.default, { preferredTransports: [binding] });
  const client = await new LegacyFactory(options).createFromUrl(agent.url);
  expect(await client.sendMessage(legacyMessage('hello'))).toMatchObject({
    kind: 'message',
    messageId: 're-m',
    role: 'agent',
    parts: [{ text: 'hello' }, { data: { a: 1 } }],
  });
  expect(await client.sendMessage(legacyMessage('a task'))).toMatchObject({ kind: 'task', id: 'task-1' });
  expect(await client.getTask({ id: 'task-1' })).toMatchObject({
    status: { state: 'completed' },
    artifacts: [
      {
        parts: [
          { kind: 'text', text: 'words' },
          { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain' } },
          { kind: 'file', file: { uri: 'https://files.example/x', mimeType: 'image/png' } },
          { kind: 'data', data: { keepCase: [1, null] } },
        ],
      },
    ],
  });
  const heard = await collect(client.sendMessageStream(legacyMessage('x')));
  expect(heard.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'status-update']);
  expect(heard.at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });
  await expect(client.getTask({ id: 'unknown' })).rejects.toThrow(/not found/i);
  const paths = agent.requests.map(({ path }) => path);
  expect(paths.some((path) => path.startsWith('/agent/v1/'))).toBe(binding === 'HTTP+JSON');
});

test('the official client of 0.2 understands our own', async () => {
  await using agent = await startOwnAgent();
  const client = new OldestClient(agent.url);
  expect(await client.getAgentCard()).toMatchObject({ name: 'Own', url: `${agent.url}/agent` });
  expect(await client.sendMessage(legacyMessage('hello'))).toMatchObject({
    result: { kind: 'message', parts: [{ text: 'hello' }, { data: { a: 1 } }] },
  });
  expect(await client.getTask({ id: 'task-1' })).toMatchObject({ result: { id: 'task-1', kind: 'task' } });
  const heard = await collect(client.sendMessageStream(legacyMessage('x')));
  expect(heard.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'status-update']);
  expect(await client.getTask({ id: 'unknown' })).toMatchObject({ error: { code: -32_001 } });
});
