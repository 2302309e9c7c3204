import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { startTracing } from '@portcullis/platform/tracing/start-tracing';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startTraceCollector, type TraceCollector } from '@portcullis/testkit/trace-collector';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { emptySnapshot, type AgentEntry } from '../snapshot/hub-snapshot.ts';
import { restSurface } from '../surfaces/rest-surface.ts';
import { callHeaders } from '../forward/call-headers.ts';
import { Invocation } from './invocation.ts';

const agent: AgentEntry = {
  id: 3,
  type: 'a2a',
  name: 'maps',
  status: 'active',
  routes: [],
  streams: true,
  credentialsFor: () => ({}),
  access: { get: () => undefined },
};
const traceId = '1'.repeat(32);
const callersSpan = 'b7ad6b7169203331';

let collector: TraceCollector;
let tracing: AsyncDisposable | undefined;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(async () => {
  await tracing?.[Symbol.asyncDispose]();
  tracing = undefined;
  await collector[Symbol.asyncDispose]();
});

function open(operation: 'send' | 'get' = 'send'): Invocation {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'POST' });
  request.headers = { host: 'gateway', traceparent: `00-${traceId}-${callersSpan}-01`, tracestate: 'vendor=1' };
  const place = { path: '/x', query: new URLSearchParams(), clientIp: '192.0.2.1', surface: restSurface };
  const invocation = new Invocation({ request, requestId: 'r', snapshot: emptySnapshot, ...place });
  invocation.proxy = agent;
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a secret' }] } as const;
  const call = operation === 'send' ? ({ operation, message } as const) : ({ operation, id: 't' } as const);
  invocation.asked = { agentId: 3, call, isNamed: false };
  return invocation;
}

async function traced(run: () => void) {
  const environment = { TRACING_ENABLED: 'true', TRACING_OTLP_ENDPOINT: collector.url };
  tracing = await startTracing(parseConfigOrThrow(environment), silentLog);
  run();
  await tracing[Symbol.asyncDispose]();
  return collector.spans();
}

test('an invocation is a span of the conventions for generative AI, below the request and its caller', async () => {
  let headers: Readonly<Record<string, string>> = {};
  const spans = await traced(() => {
    const invocation = open();
    headers = callHeaders(invocation);
    invocation.route = { url: 'http://agent.example:9000/rpc', binding: 'JSONRPC', version: '1.0' };
    invocation.answeredTask = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } };
    invocation.end('agent_timeout', 'forward');
    invocation.statusCode = 504;
    invocation.trace?.end(invocation);
  });
  const request = spans.find(({ name }) => name === 'agent request');
  const call = spans.find(({ name }) => name === 'invoke_agent maps');
  expect(request).toMatchObject({ traceId, parentSpanId: callersSpan, kind: 2 });
  expect(call).toMatchObject({
    traceId,
    parentSpanId: request?.spanId,
    kind: 3,
    status: { code: 2 },
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': '3',
      'gen_ai.agent.name': 'maps',
      'gen_ai.conversation.id': 'c',
      'error.type': 'agent_timeout',
      'server.address': 'agent.example',
      'server.port': 9000,
    },
  });
  // What the agent does is below its call, and nothing else of the caller's trace is told to it.
  expect(headers).toMatchObject({ traceparent: `00-${traceId}-${call?.spanId}-01`, tracestate: 'portcullis=1' });
  expect(JSON.stringify(spans)).not.toContain('a secret');
});

test('looking after a task is no invocation', async () => {
  const spans = await traced(() => {
    const invocation = open('get');
    callHeaders(invocation);
    invocation.trace?.end(invocation);
  });
  expect(spans.map(({ name }) => name).toSorted()).toEqual(['agent get', 'agent request']);
  expect(spans.every(({ attributes }) => attributes['gen_ai.operation.name'] === undefined)).toBe(true);
});

test('while tracing is off the trace of the caller goes on to the agent', () => {
  const invocation = open();
  expect(invocation.trace).toBeUndefined();
  expect(callHeaders(invocation)).toMatchObject({ traceparent: `00-${traceId}-${callersSpan}-01` });
});
