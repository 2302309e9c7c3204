import { answer, parseJsonBody, startLoopbackPeer, type Peer } from '../../packages/testkit/src/loopback-peer.ts';
import type { ServerResponse } from 'node:http';

/** What came to the agent, of JSON-RPC. */
export interface AgentCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: { readonly message?: { readonly messageId: string } } & Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type AgentAnswer = (call: AgentCall, response: ServerResponse) => void | Promise<void>;

/** An agent of A2A 1.0 over JSON-RPC that answers as an attack wants. */
export interface HostileAgent extends AsyncDisposable {
  readonly url: string;
  /** Calls only, not what asks for the card. */
  readonly calls: readonly AgentCall[];
  /** Also the card at its well-known path. */
  behave(change: { readonly answer?: AgentAnswer; readonly card?: object }): void;
}

export async function startHostileAgent(): Promise<HostileAgent> {
  const calls: AgentCall[] = [];
  let behaviour: { readonly answer: AgentAnswer; readonly card: object } = { answer: say('hello'), card: {} };
  const peer: Peer = await startLoopbackPeer((request, response) => {
    if (request.method === 'GET') return answer(response, 200, { ...cardAt(peer.url), ...behaviour.card });
    const call = { ...(parseJsonBody(request) as AgentCall), headers: request.headers };
    calls.push(call);
    return behaviour.answer(call, response);
  });
  return {
    url: peer.url,
    calls,
    behave: (change) => void (behaviour = { ...behaviour, ...change }),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

export const cardAt = (url: string) => ({
  name: 'Desk',
  description: 'Plans trips',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'plan', name: 'Plan', description: 'Plans a trip', tags: ['travel'] }],
});

/** Answers with one result, or as an event where a stream is asked for. */
export const give =
  (...results: readonly object[]): AgentAnswer =>
  ({ id, method }, response) => {
    const [last = {}] = results.slice(-1);
    if (method !== 'SendStreamingMessage' && method !== 'SubscribeToTask') {
      return answer(response, 200, { jsonrpc: '2.0', id, result: last });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(results.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join(''));
  };

export const say = (text: string): AgentAnswer => give({ message: saying({ text }) });

export const saying = (...parts: readonly object[]) => ({ messageId: 'of-the-agent', role: 'ROLE_AGENT', parts });

/** A task that is open, as the agent calls it. */
export const taskAt = (state: string, more: object = {}, id = 'task-of-the-agent') => ({
  task: { id, contextId: 'context-of-the-agent', status: { state: `TASK_STATE_${state}` }, ...more },
});
