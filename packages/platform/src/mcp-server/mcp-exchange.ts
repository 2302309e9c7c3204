import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestCall } from './request-call.ts';
import { rpcCodes, sendRpcFailure } from './rpc-failure.ts';
import type { McpSession } from './session-seal.ts';

/** A request that was admitted. */
export interface McpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: RequestCall;
  /** `Mcp-Session-Id` as sent. */
  readonly sessionId: string | undefined;
  /** Undefined where none is named, or it is over. */
  readonly session: McpSession | undefined;
}

/** The first revision without sessions, and without requests other than POST. */
const firstStateless = '2026-07-28';

/** Whether a request says that it is of a revision without sessions. */
export const isStateless = ({ request }: McpExchange): boolean =>
  String(request.headers['mcp-protocol-version'] ?? '') >= firstStateless;

/** Whether a session is named that is over; its client then begins a new one. */
export const isUnknownSession = ({ sessionId, session }: McpExchange): boolean =>
  sessionId !== undefined && session === undefined;

export const sendSessionNotFound = ({ response }: McpExchange, id?: unknown): void =>
  sendRpcFailure(response, { status: 404, code: rpcCodes.sessionNotFound, message: 'Session not found', id });

export const allowedMethods = 'GET, POST, DELETE, OPTIONS';

export const sendMethodNotAllowed = ({ response }: McpExchange): void =>
  sendRpcFailure(response, {
    status: 405,
    code: rpcCodes.refused,
    message: 'Method not allowed',
    headers: { allow: allowedMethods },
  });
