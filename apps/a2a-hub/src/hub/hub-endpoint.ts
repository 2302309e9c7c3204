import { a2aError, type A2aError } from '@portcullis/core/a2a/a2a-error';
import { findPresentedKey } from '@portcullis/core/identity/presented-key';
import { objectOf } from '@portcullis/core/json/json-object';
import { alwaysWithinBounds, TooManyValues } from '@portcullis/core/json/json-bounds';
import { parsePlainJson, parsePlainJsonCooperatively } from '@portcullis/core/json/parse-plain-json';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import type { Database } from '@portcullis/platform/database/database';
import { maxAnonymousBytes } from '@portcullis/platform/routes/body-reader';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { DatabaseUnavailable } from '@portcullis/platform/database/database-unavailable';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { freeAnonymousBytes, type BodyMemory } from '@portcullis/platform/http/body-memory';
import { BodyTooLarge, ClientGone, BodyMemoryExhausted, tooManyLarge } from '@portcullis/platform/http/receive-body';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openHeldBody, type HeldBody } from '@portcullis/platform/http/held-body';
import { findAgent, loadAgentPage, type AgentRow } from '@portcullis/platform/agents/agent-queries';
import { loadScope } from '../agents/agent-scope.ts';
import { hubReplies, idOf } from '../surfaces/hub-surface.ts';
import type { Failure } from '../surfaces/surface.ts';
import { openHubArrival, type HubArrival } from './hub-arrival.ts';
import { parseAgentId, parseListParams } from './list-agents.ts';

export interface HubEndpointParts {
  readonly database: Database;
  readonly maxBodyBytes: number;
  readonly bodyMemory: BodyMemory;
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Among whom the memory for large bodies is shared; undefined for one who is not known. */
  readonly findHolder: (request: IncomingMessage) => Promise<number | undefined>;
  /** Who presents a key or a login. @throws {GatewayError} */
  readonly identify: (request: IncomingMessage) => Promise<Caller>;
  /** The card of an agent as callers see it: it names the gateway only. */
  readonly renderCard: (row: AgentRow, request: IncomingMessage) => object;
  /** Calls of agents, whose body was read. */
  readonly invoke: (request: IncomingMessage, response: ServerResponse, body: Buffer, heldBody: HeldBody) => void;
  readonly metrics: Pick<GatewayMetrics, 'observeRequest'>;
  readonly log: (error: unknown) => void;
}

/** The JSON-RPC endpoint of the hub: the list of agents, one agent, and calls. */
export const createHubEndpoint =
  (parts: HubEndpointParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrival = openHubArrival(parts.metrics, request, response);
    const holder = await parts.findHolder(request);
    const maxBytes = holder === undefined ? maxAnonymousBytes : parts.maxBodyBytes;
    const held =
      holder === undefined
        ? openHeldBody(parts.bodyMemory.anonymous, parts.clientAddress(request), freeAnonymousBytes)
        : openHeldBody(parts.bodyMemory.all, holder);
    const exchange: HubExchange = { request, response, requestId: arrival.requestId, id: null };
    let body: Buffer;
    try {
      body = await held.receive(request, maxBytes);
    } catch (error) {
      held.free();
      if (error instanceof ClientGone) return;
      const isKnown = holder !== undefined;
      return arrival.answerDirectly(async () => refuseBody(parts, exchange, error, { maxBytes, isKnown }));
    }
    await answer(parts, exchange, arrival, { body, held });
  };

/** One request, and its id in JSON-RPC as soon as that is known. */
interface HubExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly id: ReturnType<typeof idOf>;
}

function refuseBody(
  { log }: HubEndpointParts,
  exchange: HubExchange,
  error: unknown,
  { maxBytes, isKnown }: { readonly maxBytes: number; readonly isKnown: boolean },
): void {
  exchange.response.shouldKeepAlive = exchange.request.complete;
  if (error instanceof BodyTooLarge) {
    const message = `At most ${maxBytes} bytes are accepted${isKnown ? '' : ' without a key that is known'}`;
    return fail(exchange, { reason: 'payload_too_large', message }, 413);
  }
  if (error instanceof BodyMemoryExhausted) {
    const headers = { 'retry-after': '1' };
    return fail(exchange, { reason: 'service_unavailable', message: tooManyLarge, headers }, 503);
  }
  log(error);
  fail(exchange, { reason: 'internal_error' });
}

interface Received {
  readonly body: Buffer;
  readonly held: HeldBody;
}

async function answer(
  parts: HubEndpointParts,
  arrived: HubExchange,
  arrival: HubArrival,
  { body, held }: Received,
): Promise<void> {
  const { request, response } = arrived;
  const parsed = await parseRequest(body);
  const exchange = { ...arrived, id: idOf(parsed.request?.['id']) };
  const { method, params } = parsed.request ?? {};
  const isCall = parsed.error === undefined && method !== 'agents/list' && method !== 'agents/get';
  // A call keeps what its body holds until it is settled.
  if (isCall) return parts.invoke(request, response, body, held);
  held.free();
  await arrival.answerDirectly(async () => {
    if (parsed.error !== undefined) return fail(exchange, { reason: 'bad_request', error: parsed.error });
    try {
      const isKnown = findPresentedKey(request.headers) !== undefined;
      const caller = isKnown ? await parts.identify(request) : undefined;
      await (method === 'agents/list' ? list : get)(parts, exchange, { params, caller });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return fail(exchange, { reason: 'service_unavailable' });
      if (error instanceof GatewayError) return fail(exchange, { reason: error.reason });
      parts.log(error);
      fail(exchange, { reason: 'internal_error' });
    }
  });
}

type ParsedRequest =
  | { readonly request: Readonly<Record<string, unknown>>; readonly error?: never }
  | { readonly error: A2aError; readonly request?: Readonly<Record<string, unknown>> | undefined };

async function parseRequest(body: Buffer): Promise<ParsedRequest> {
  let value: unknown;
  try {
    const text = body.toString('utf8');
    // Of two methods the one that is looked at here might not be the one that others read.
    value =
      text.length > alwaysWithinBounds ? await runTimeSliced(parsePlainJsonCooperatively(text)) : parsePlainJson(text);
  } catch (error) {
    const isOurs = error instanceof DuplicateKey || error instanceof NestedTooDeep || error instanceof TooManyValues;
    return { error: isOurs ? a2aError('INVALID_REQUEST', error.message) : a2aError('PARSE_ERROR') };
  }
  if (Array.isArray(value)) return { error: a2aError('INVALID_REQUEST', 'Batches are not supported') };
  const request = objectOf(value);
  if (request === undefined || request['jsonrpc'] !== '2.0' || typeof request['method'] !== 'string') {
    return { error: a2aError('INVALID_REQUEST'), request };
  }
  return { request };
}

interface HubCall {
  readonly params: unknown;
  readonly caller: Caller | undefined;
}

async function list(
  { database, renderCard }: HubEndpointParts,
  exchange: HubExchange,
  { params: given, caller }: HubCall,
): Promise<void> {
  const { params, problems } = parseListParams(given);
  if (params === undefined) return fail(exchange, { reason: 'bad_request', problems });
  // Without a key all agents are listed, as the specification has it; with one those that it may call.
  const scope = caller === undefined ? undefined : await loadScope(database, caller);
  const { rows } = await readConsistent(database, (moment) =>
    loadAgentPage(moment, { ...params, scope, ...(caller === undefined && { acceptedOnly: true }) }),
  );
  const result = rows.map((row) => renderRow(row, renderCard(row, exchange.request)));
  send(exchange, { jsonrpc: '2.0', id: exchange.id, result });
}

async function get(
  { database, renderCard }: HubEndpointParts,
  exchange: HubExchange,
  { params, caller }: HubCall,
): Promise<void> {
  if (caller === undefined) return fail(exchange, { reason: 'key_missing' });
  const { params: agentId, problems } = parseAgentId(params);
  if (agentId === undefined) return fail(exchange, { reason: 'bad_request', problems });
  const scope = await loadScope(database, caller);
  const row = await findAgent(database, agentId, scope);
  if (row === undefined) return fail(exchange, { reason: scope === undefined ? 'not_found' : 'agent_access_denied' });
  send(exchange, { jsonrpc: '2.0', id: exchange.id, result: renderRow(row, renderCard(row, exchange.request)) });
}

/** A card, with what a caller needs to call the agent. */
const renderRow = ({ id, status }: AgentRow, card: object): object => ({ agent_id: id, status, ...card });

function fail(exchange: HubExchange, failure: Omit<Failure, 'requestId'>, asStatus?: number): void {
  const { id, requestId } = exchange;
  const { status, headers = {}, body } = hubReplies(id).failure({ ...failure, requestId });
  send(exchange, body, asStatus ?? status, headers);
}

function send(
  { response, requestId }: HubExchange,
  body: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    })
    .end(bytes);
}
