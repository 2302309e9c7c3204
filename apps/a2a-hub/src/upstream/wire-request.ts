import { isStreamed, type Call } from '@portcullis/core/a2a/call';
import { versionHeaders, type Route } from '@portcullis/core/a2a/protocol-version';
import { renderHttpCall, renderRpcCall, unsupportedOperation } from '@portcullis/core/a2a/render-call';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import { AgentFailure } from './agent-failure.ts';
import type { CallContext, UpstreamAgent } from './upstream-agent.ts';

/** A request as it goes to an agent. */
export interface WireRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Writes a call in the words of an interface.
 * @param id of the request in JSON-RPC
 * @throws {AgentFailure} where the generation of the interface has no such operation
 */
export function renderWireRequest(
  agent: Pick<UpstreamAgent, 'credentialsFor'>,
  route: Route,
  call: Call,
  id: string,
  context: Pick<CallContext, 'headers'>,
): WireRequest {
  // The tenant is the interface's: that of a caller is the gateway's own affair.
  const addressed = { ...call, tenant: route.tenant };
  const headers = (hasBody: boolean): Record<string, string> => ({
    accept: isStreamed(call.operation)
      ? 'text/event-stream, application/json'
      : 'application/json, application/a2a+json',
    ...(hasBody && { 'content-type': 'application/json' }),
    'user-agent': 'portcullis',
    ...versionHeaders(route.version, 'message' in call ? call.message.extensions : []),
    ...context.headers,
    ...agent.credentialsFor(route.url),
  });
  if (route.binding === 'JSONRPC') {
    const body = renderRpcCall(addressed, route.version, id);
    if (body === unsupportedOperation) throw notKnown(call, route);
    return { url: route.url, method: 'POST', headers: headers(true), body: JSON.stringify(body) };
  }
  const rendered = renderHttpCall(addressed, route.version);
  if (rendered === unsupportedOperation) throw notKnown(call, route);
  const { method, path, body } = rendered;
  return {
    url: urlBelow(route.url, path),
    method,
    headers: headers(body !== undefined),
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** The path goes in front of the query of an interface, such as the version of an API that a cloud asks for. */
function urlBelow(base: string, path: string): string {
  if (!/[?#]/.test(base)) return trimSlashes(base) + path;
  const { origin, pathname, search } = new URL(base);
  const url = origin + trimSlashes(pathname) + path;
  return search === '' ? url : `${url}${path.includes('?') ? '&' : '?'}${search.slice(1)}`;
}

const notKnown = ({ operation }: Call, { version }: Route): AgentFailure =>
  new AgentFailure('nonsense', `A2A ${version} has no operation ${operation}`, { untouched: true });
