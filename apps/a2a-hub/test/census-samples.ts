import type { Surface } from '../src/surfaces/surface.ts';
import { httpSurface, rpcSurface } from '../src/surfaces/agent-surfaces.ts';
import { hubSurface } from '../src/surfaces/hub-surface.ts';
import { restSurface } from '../src/surfaces/rest-surface.ts';

/** A message in one of the spellings of A2A: each of its members, and each kind of part. */
export interface CensusForm {
  readonly name: string;
  readonly surface: Surface;
  readonly path: string;
  readonly body: object;
  /** In which it is answered. */
  readonly form: 'current' | 'kind' | 'draft';
}

const metadata = { note: 'n', deep: [{ more: ['m'] }] };
const raw = Buffer.from('bytes').toString('base64');
const data = { a: 'b', deep: [{ more: ['m'] }] };
const common = { messageId: 'm1', extensions: ['https://a.example/x'], metadata };

/** As 1.0 writes them. */
export const currentParts = [
  { text: 't', mediaType: 'text/plain', filename: 'f', metadata },
  { raw, mediaType: 'text/plain', filename: 'f.txt', metadata },
  { url: 'https://a.example/f', mediaType: 'text/plain', filename: 'f.txt', metadata },
  { data, mediaType: 'application/json', metadata },
];

/** As 0.2 and 0.3 write them. */
export const kindParts = [
  { kind: 'text', text: 't', metadata },
  { kind: 'file', file: { bytes: raw, name: 'f.txt', mimeType: 'text/plain' }, metadata },
  { kind: 'file', file: { uri: 'https://a.example/f', name: 'f.txt', mimeType: 'text/plain' }, metadata },
  { kind: 'data', data, metadata },
];

/** As 0.3 writes them over HTTP. */
export const draftParts = [
  { text: 't', metadata },
  { file: { fileWithBytes: raw, name: 'f.txt', mediaType: 'text/plain' }, metadata },
  { file: { fileWithUri: 'https://a.example/f', name: 'f.txt', mediaType: 'text/plain' }, metadata },
  { data: { data }, metadata },
];

const configuration = { acceptedOutputModes: ['text/plain', 'application/json'], historyLength: 2 };
const context = { contextId: 'c1' };
const current = {
  message: { ...common, ...context, role: 'ROLE_USER', parts: currentParts },
  configuration,
  metadata,
  tenant: 't',
};
const kind = {
  message: { kind: 'message', ...common, ...context, role: 'user', parts: kindParts },
  configuration,
  metadata,
};
const draft = { message: { ...common, ...context, role: 'ROLE_USER', content: draftParts }, configuration, metadata };
const rest = {
  message: {
    message_id: 'm1',
    context_id: 'c1',
    role: 'user',
    parts: kindParts,
    extensions: common.extensions,
    metadata,
  },
  configuration: { accepted_output_modes: ['text/plain'] },
  metadata,
};
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 'r1', method, params });
const agent = '/a2a/v1/agents/3';

export const forms: readonly CensusForm[] = [
  { name: 'JSON-RPC 1.0', surface: rpcSurface, path: agent, body: rpc('SendMessage', current), form: 'current' },
  {
    name: 'JSON-RPC 1.0, streaming',
    surface: rpcSurface,
    path: agent,
    body: rpc('SendStreamingMessage', current),
    form: 'current',
  },
  { name: 'JSON-RPC 0.3', surface: rpcSurface, path: agent, body: rpc('message/send', kind), form: 'kind' },
  {
    name: 'JSON-RPC 0.3, streaming',
    surface: rpcSurface,
    path: agent,
    body: rpc('message/stream', kind),
    form: 'kind',
  },
  { name: 'HTTP+JSON 1.0', surface: httpSurface, path: `${agent}/message:send`, body: current, form: 'current' },
  { name: 'HTTP+JSON 0.3', surface: httpSurface, path: `${agent}/v1/message:send`, body: draft, form: 'draft' },
  {
    name: 'the hub',
    surface: hubSurface,
    path: '/a2a/v1',
    body: rpc('agents/invoke', { agent_id: 3, streaming: true, ...rest }),
    form: 'kind',
  },
  {
    name: 'the hub in JSON-RPC 1.0',
    surface: hubSurface,
    path: '/a2a/v1',
    body: rpc('SendMessage', { ...current, tenant: '3' }),
    form: 'current',
  },
  { name: 'REST', surface: restSurface, path: '/api/v1/agents/3/invoke', body: rest, form: 'current' },
];

const about = { taskId: 'theirs', contextId: 'their-context' };
const timestamp = '2026-01-02T03:04:05Z';

/** What an agent says, by its kind, in the spelling of a form. */
export function eventsOf(form: CensusForm['form']): Readonly<Record<string, object>> {
  const parts = { current: currentParts, kind: kindParts, draft: draftParts }[form];
  const isKind = form === 'kind';
  const said = (more: object = {}) => ({
    ...(isKind && { kind: 'message' }),
    ...common,
    ...more,
    role: isKind ? 'agent' : 'ROLE_AGENT',
    referenceTaskIds: ['other'],
    [form === 'draft' ? 'content' : 'parts']: parts,
  });
  const artifact = {
    artifactId: 'a1',
    name: 'n',
    description: 'd',
    parts,
    extensions: ['https://a.example/x'],
    metadata,
  };
  const status = (state: string) => ({
    state: isKind ? state.toLowerCase().replace('task_state_', '').replaceAll('_', '-') : state,
    [form === 'draft' ? 'update' : 'message']: said(about),
    timestamp,
  });
  const task = {
    id: 'theirs',
    contextId: 'their-context',
    status: status('TASK_STATE_WORKING'),
    artifacts: [artifact, { ...artifact, artifactId: 'a2' }],
    history: [said(about), said(about)],
    metadata,
  };
  const named = (name: string, kind: string, value: object) => (isKind ? { kind, ...value } : { [name]: value });
  return {
    message: named('message', 'message', said()),
    task: named('task', 'task', task),
    'status-update': named('statusUpdate', 'status-update', {
      ...about,
      status: status('TASK_STATE_INPUT_REQUIRED'),
      metadata,
    }),
    'artifact-update': named('artifactUpdate', 'artifact-update', {
      ...about,
      artifact,
      append: false,
      lastChunk: true,
      metadata,
    }),
  };
}
