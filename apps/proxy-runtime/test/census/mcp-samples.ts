import type { Json } from '@portcullis/testkit/json-leaves';
import type { Structure } from './sample.ts';

export interface McpMessage {
  readonly name: string;
  readonly message: { readonly [key: string]: Json };
  /** For what comes of a server: what the client asked. */
  readonly asked?: { readonly [key: string]: Json };
  readonly structure?: Structure;
}

const schema = {
  type: 'object',
  description: 'd',
  properties: { city: { type: 'string', description: 'd', enum: ['a'] } },
};
const annotations = { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' };
const icons = [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' }];
const _meta = { 'example.org/note': 'n', progressToken: 'p' };
const file = { uri: 'file:///a', mimeType: 'text/plain', _meta };
const contents = [
  { type: 'text', text: 't', annotations, _meta },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations },
  {
    type: 'resource_link',
    uri: 'file:///a',
    name: 'n',
    title: 't',
    description: 'd',
    mimeType: 'm',
    annotations,
    icons,
  },
  { type: 'resource', resource: { ...file, text: 'x' }, annotations },
  { type: 'resource', resource: { ...file, blob: 'AAAA' } },
];
const implementation = {
  name: 'n',
  title: 't',
  version: '1',
  websiteUrl: 'https://a.example',
  description: 'd',
  icons,
};
const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 't', description: 'd', format: 'email', default: 'x' },
    choice: { type: 'string', enum: ['a'], enumNames: ['A'] },
    titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    several: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  },
  required: ['name'],
};
const sampling = {
  messages: contents.slice(0, 3).map((content) => ({ role: 'user', content })),
  modelPreferences: { hints: [{ name: 'n' }] },
  systemPrompt: 's',
  includeContext: 'none',
  maxTokens: 9,
  stopSequences: ['s'],
  metadata: { k: 'v' },
  tools: [{ name: 'n', description: 'd', inputSchema: schema }],
  toolChoice: { mode: 'auto' },
};

const request = (method: string, params: Json) => ({ jsonrpc: '2.0', id: 'r1', method, params });
const notification = (method: string, params: Json) => ({ jsonrpc: '2.0', method, params });
const result = (members: object) => ({ jsonrpc: '2.0', id: 'r1', result: members as Json });
const named = (messages: Readonly<Record<string, McpMessage['message']>>): readonly McpMessage[] =>
  Object.entries(messages).map(([name, message]) => ({ name, message }));

/** What a client says: it asks, it tells, and it answers what a server asks. */
export const clientMessages: readonly McpMessage[] = named({
  initialize: request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { roots: { listChanged: true }, experimental: { x: { y: 'z' } } },
    clientInfo: implementation,
    _meta,
  }),
  'tools/list': request('tools/list', { cursor: 'c', _meta }),
  'tools/call': request('tools/call', {
    name: 't',
    arguments: { a: 'b', deep: [{ more: ['m'] }] },
    task: { ttl: 1 },
    _meta,
  }),
  'tools/call that brings what was asked for': request('tools/call', {
    name: 't',
    arguments: {},
    inputResponses: {
      one: { action: 'accept', content: { name: 'n', several: ['a'] } },
      two: { role: 'assistant', content: { type: 'text', text: 't' }, model: 'm', stopReason: 'endTurn' },
      three: { roots: [{ uri: 'file:///a', name: 'n' }] },
    },
  }),
  'server/discover': request('server/discover', { _meta }),
  'subscriptions/listen': request('subscriptions/listen', {
    notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a'] },
    _meta,
  }),
  'prompts/list': request('prompts/list', { cursor: 'c' }),
  'prompts/get': request('prompts/get', { name: 'n', arguments: { a: 'b' } }),
  'resources/list': request('resources/list', { cursor: 'c' }),
  'resources/templates/list': request('resources/templates/list', { cursor: 'c' }),
  'resources/read': request('resources/read', { uri: 'file:///a' }),
  'resources/subscribe': request('resources/subscribe', { uri: 'file:///a' }),
  'resources/unsubscribe': request('resources/unsubscribe', { uri: 'file:///a' }),
  'completion/complete': request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'n', title: 't' },
    argument: { name: 'a', value: 'v' },
    context: { arguments: { a: 'b' } },
  }),
  'logging/setLevel': request('logging/setLevel', { level: 'info' }),
  'the answer to sampling': result({
    role: 'assistant',
    content: contents[0],
    model: 'm',
    stopReason: 'endTurn',
    _meta,
  }),
  'the answer to sampling with a tool': result({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'i', name: 'n', input: { a: 'b' } }],
    model: 'm',
  }),
  'the answer to elicitation': result({ action: 'accept', content: { name: 'n', several: ['a'] } }),
  'the answer to roots/list': result({ roots: [{ uri: 'file:///a', name: 'n', _meta }] }),
  'an error': { jsonrpc: '2.0', id: 'r1', error: { code: 1, message: 'm', data: { detail: ['d'] } } },
  'notifications/initialized': notification('notifications/initialized', { _meta }),
  'notifications/cancelled': notification('notifications/cancelled', { requestId: 'r0', reason: 'r' }),
  'notifications/progress': notification('notifications/progress', { progressToken: 'p', progress: 1, message: 'm' }),
  'notifications/roots/list_changed': notification('notifications/roots/list_changed', { _meta }),
});

const asking = (method: string, params: Json = {}) => request(method, params);
const answering = (
  rows: Readonly<Record<string, readonly [asked: McpMessage['message'], message: McpMessage['message']]>>,
): readonly McpMessage[] => Object.entries(rows).map(([name, [asked, message]]) => ({ name, asked, message }));

const call = asking('tools/call', { name: 't', arguments: {} });
const known = { name: 'n', title: 't', description: 'd', icons, _meta };

/** What a server answers. */
export const serverAnswers: readonly McpMessage[] = answering({
  initialize: [
    asking('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
    result({
      protocolVersion: '2025-11-25',
      capabilities: { logging: {}, tools: { listChanged: true }, experimental: { x: { y: 'z' } } },
      serverInfo: implementation,
      instructions: 'i',
      _meta,
    }),
  ],
  'tools/list': [
    asking('tools/list'),
    result({
      tools: [
        {
          ...known,
          inputSchema: schema,
          outputSchema: schema,
          annotations: { title: 't', readOnlyHint: true },
          execution: { taskSupport: 'optional' },
        },
      ],
      nextCursor: 'c',
      _meta,
    }),
  ],
  'tools/call': [
    call,
    result({ content: contents, structuredContent: { a: 'b', deep: [{ more: ['m'] }] }, isError: false, _meta }),
  ],
  'tools/call that failed': [
    call,
    { jsonrpc: '2.0', id: 'r1', error: { code: -32_602, message: 'm', data: { detail: ['d'] } } },
  ],
  'tools/call that asks for more': [
    call,
    result({
      resultType: 'input_required',
      inputRequests: {
        one: { method: 'elicitation/create', params: { mode: 'form', message: 'm', requestedSchema } },
        two: { method: 'sampling/createMessage', params: sampling },
        three: { method: 'roots/list', params: { _meta } },
      },
      _meta,
    }),
  ],
  'server/discover': [
    asking('server/discover'),
    result({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { 'example.org/x': { y: 'z' } } },
      serverInfo: implementation,
      instructions: 'i',
      cacheScope: 'private',
    }),
  ],
  'prompts/list': [
    asking('prompts/list'),
    result({
      prompts: [{ ...known, arguments: [{ name: 'a', title: 't', description: 'd', required: true }] }],
      nextCursor: 'c',
    }),
  ],
  'prompts/get': [
    asking('prompts/get', { name: 'n' }),
    result({ description: 'd', messages: contents.map((content) => ({ role: 'user', content })) }),
  ],
  'resources/list': [
    asking('resources/list'),
    result({ resources: [{ ...known, uri: 'file:///a', mimeType: 'm', annotations, size: 1 }], nextCursor: 'c' }),
  ],
  'resources/templates/list': [
    asking('resources/templates/list'),
    result({ resourceTemplates: [{ ...known, uriTemplate: 'file:///{a}', mimeType: 'm', annotations }] }),
  ],
  'resources/read': [
    asking('resources/read', { uri: 'file:///a' }),
    result({
      contents: [
        { ...file, text: 'x' },
        { ...file, blob: 'AAAA' },
      ],
    }),
  ],
  'completion/complete': [
    asking('completion/complete', { ref: { type: 'ref/prompt', name: 'n' }, argument: { name: 'a', value: 'v' } }),
    result({ completion: { values: ['v'], total: 1, hasMore: false } }),
  ],
});

/** What a server says while a call of its client is under way. */
export const serverMessages: readonly McpMessage[] = named({
  'sampling/createMessage': { ...request('sampling/createMessage', sampling as Json), id: 's1' },
  'elicitation/create': {
    ...request('elicitation/create', { mode: 'form', message: 'm', requestedSchema: requestedSchema as Json, _meta }),
    id: 's1',
  },
  'elicitation/create with an address': {
    ...request('elicitation/create', { mode: 'url', message: 'm', url: 'https://a.example', elicitationId: 'e' }),
    id: 's1',
  },
  'roots/list': { ...request('roots/list', { _meta }), id: 's1' },
  'notifications/message': notification('notifications/message', { level: 'info', logger: 'l', data: { said: ['d'] } }),
  'notifications/progress': notification('notifications/progress', {
    progressToken: 'p',
    progress: 1,
    total: 2,
    message: 'm',
  }),
  'notifications/cancelled': notification('notifications/cancelled', { requestId: 's0', reason: 'r' }),
  'notifications/resources/updated': notification('notifications/resources/updated', { uri: 'file:///a', title: 't' }),
  'notifications/resources/list_changed': notification('notifications/resources/list_changed', { _meta }),
  'notifications/prompts/list_changed': notification('notifications/prompts/list_changed', { _meta }),
  'notifications/tools/list_changed': notification('notifications/tools/list_changed', { _meta }),
  'notifications/elicitation/complete': notification('notifications/elicitation/complete', { elicitationId: 'e' }),
  'a notification that nobody knows': notification('notifications/tomorrow', { said: 's' }),
}).map((one) => ({ ...one, asked: call }));
