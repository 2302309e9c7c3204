import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../http/gateway-error.ts';

/** Codes of JSON-RPC, and of those that its protocols leave to implementations. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  refused: -32_000,
  sessionNotFound: -32_001,
} as const;

interface RpcFailure {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: object;
  readonly id?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request with a JSON-RPC error. */
export function sendRpcFailure(response: ServerResponse, failure: RpcFailure): void {
  const { status, code, message, data, id = null, headers = {} } = failure;
  sendJson(response, status, { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }, headers);
}

/** The same for a refusal of the catalogue, with its wire code. */
export function sendRefusal(response: ServerResponse, { entry, message, details }: GatewayError): void {
  sendRpcFailure(response, {
    status: entry.status,
    code: rpcCodes.refused,
    message: message === entry.text ? message : `${entry.text}: ${message}`,
    data: { error_code: entry.code, retryable: entry.retryable },
    headers: details.headers ?? {},
  });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes);
}
