import type { Call } from '@portcullis/core/a2a/call';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import { readBounded } from '@portcullis/platform/http/read-bounded';
import { showAddress } from '@portcullis/platform/traffic/redirect-finding';
import { randomUUID } from 'node:crypto';
import { request, type Dispatcher } from 'undici';
import { AgentFailure } from './agent-failure.ts';
import type { Deadline } from './open-deadline.ts';
import { readAnswer } from './read-answer.ts';
import { readFault } from './read-fault.ts';
import type { CallContext, UpstreamAgent } from './upstream-agent.ts';
import { renderWireRequest } from './wire-request.ts';

/** A call of an agent on one of its interfaces. */
export interface WireCall {
  readonly agent: UpstreamAgent;
  readonly route: Route;
  readonly call: Call;
  readonly context: CallContext;
}

/** What came back, not read yet. */
export interface OpenAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Dispatcher.ResponseData['body'];
  /** Of the call. */
  readonly id: string;
}

function redirected(location: string, url: string): AgentFailure {
  const found = URL.parse(location, url);
  const address = found === null ? 'an address that cannot be read' : showAddress(found);
  return new AgentFailure('redirected', `The agent redirects to ${address}, which is not followed`, { address });
}

/** Sends calls as they stand on the wire. */
export class AgentCalls {
  readonly #connections: Dispatcher;
  readonly #maxBodyBytes: number;

  constructor(connections: Dispatcher, maxBodyBytes: number) {
    this.#connections = connections;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** @throws {AgentFailure} */
  async open({ agent, route, call, context }: WireCall, deadline: Deadline): Promise<OpenAnswer> {
    const id = randomUUID();
    const { url, ...rest } = renderWireRequest(agent, route, call, id, context);
    const { statusCode, headers, body } = await request(url, {
      ...rest,
      dispatcher: this.#connections,
      signal: deadline.signal,
    }).catch((error: unknown) => {
      throw readFault(error);
    });
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
      await body.dump().catch(() => undefined);
      throw redirected(String(location), url);
    }
    return { status: statusCode, contentType: String(headers['content-type'] ?? ''), body, id };
  }

  /** To go on with a stream is a POST in the text of the protocol and a GET in its definition. @throws {AgentFailure} */
  async openStream(wire: WireCall, deadline: Deadline): Promise<OpenAnswer> {
    const { agent, route, call, context } = wire;
    const answer = await this.open(wire, deadline);
    if (call.operation !== 'subscribe' || route.binding === 'JSONRPC') return answer;
    if (answer.status !== 404 && answer.status !== 405) return answer;
    try {
      return readAnswer(await this.readWhole(answer), { ...answer, route, read: () => ({ problems: [] }) });
    } catch (error) {
      // The agent has such an endpoint, and says something of the task.
      if (readFault(error).kind !== 'status') throw error;
    }
    const { url, headers } = renderWireRequest(agent, route, call, answer.id, context);
    const again = await request(url, {
      method: 'GET',
      headers,
      dispatcher: this.#connections,
      signal: deadline.signal,
    });
    const contentType = String(again.headers['content-type'] ?? '');
    return { ...answer, status: again.statusCode, contentType, body: again.body };
  }

  /** @throws {AgentFailure} for an answer that is too large */
  async readWhole({ body }: OpenAnswer): Promise<string> {
    const text = await readBounded(body, this.#maxBodyBytes).catch((error: unknown) => {
      throw readFault(error);
    });
    if (text !== undefined) return text;
    throw new AgentFailure('too_large', `The answer has more than ${this.#maxBodyBytes} bytes`);
  }
}
