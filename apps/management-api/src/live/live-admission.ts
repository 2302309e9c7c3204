import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { mayCall } from '@portcullis/contracts/route-access';
import type { OriginRule } from '@portcullis/platform/routes/cors';
import { calledOriginOf } from '@portcullis/platform/http/called-origin';
import type { ClientAddress } from '@portcullis/platform/http/client-address';
import { auditedCallOf, browserRequestOf } from '@portcullis/platform/routes/browser-request';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import type { Identity, Login } from '@portcullis/platform/identity/identity';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Mount } from '@portcullis/platform/service/service';
import type { Logger } from '@portcullis/platform/log/logger';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { closeCodes, parseMessage } from './live-client.ts';
import type { LiveClients } from './live-clients.ts';

interface AdmissionParts {
  readonly server: WebSocketServer;
  readonly clients: LiveClients;
  readonly identity: Identity;
  readonly browserSessions: Pick<BrowserSessions, 'identifyUpgrade'>;
  readonly clientAddress: ClientAddress;
  /** Of `PUBLIC_URL`: there alone, and where the client called, a page may use the cookie of its session. */
  readonly publicOrigin: string | undefined;
  readonly allowsOrigin: OriginRule;
  readonly log: Logger;
  readonly limits: {
    /** Connections in all, those included that have not signed in yet. */
    readonly maxConnections: number;
    /** How long a client has to sign in with its first message. */
    readonly signInMs: number;
  };
}

/** The handler of upgrades at `/ws`: a client signs in with a token in the query or in its first message, our own pages with a cookie. */
export const createLiveAdmission =
  (parts: AdmissionParts): NonNullable<Mount['upgrade']> =>
  (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    admit(parts, request, socket, head).catch((error: unknown) => {
      refuse(socket, asRefusal(error, parts.log).reason);
    });
  };

async function admit(parts: AdmissionParts, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const { server, clients, identity, allowsOrigin, limits } = parts;
  const isOwn = isOwnOrigin(parts, request);
  const [path, query] = (request.url ?? '').split('?', 2);
  const { origin } = request.headers;
  if (!/^\/ws\/?$/i.test(path ?? '')) return refuse(socket, 'not_found');
  if (origin !== undefined && !isOwn && !allowsOrigin(origin)) return refuse(socket, 'forbidden');

  const token = new URLSearchParams(query).get('token');
  const cookieLogin = () => (isOwn ? signInWithCookie(parts, request) : undefined);
  const login = await (token === null ? cookieLogin() : signInOrThrow(identity, token));
  if (server.clients.size >= limits.maxConnections) return refuse(socket, 'service_unavailable');
  server.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => client.terminate());
    if (login === undefined) awaitSignIn(parts, client);
    else clients.add(client, login);
  });
}

function awaitSignIn({ clients, identity, log, limits }: AdmissionParts, client: WebSocket): void {
  const timer = setTimeout(() => client.close(closeCodes.policy, 'No token was sent'), limits.signInMs);
  client.once('close', () => clearTimeout(timer));
  client.once('message', (data) => {
    clearTimeout(timer);
    const message = parseMessage(data);
    const token = message?.['type'] === 'auth' ? message['token'] : undefined;
    if (typeof token !== 'string') {
      client.close(closeCodes.policy, 'The first message must be {"type":"auth","token":"..."}');
      return;
    }
    signInOrThrow(identity, token).then(
      (login) => clients.add(client, login)?.notify({ event: 'session.signed_in', message: 'Signed in' }),
      (error: unknown) => client.close(closeCodes.policy, asRefusal(error, log).entry.text),
    );
  });
}

/** Exactly ours: ports and hosts beside ours share cookies with us, and CORS may let their pages in. */
function isOwnOrigin({ publicOrigin }: AdmissionParts, request: IncomingMessage): boolean {
  const { origin } = request.headers;
  return origin !== undefined && (origin === publicOrigin || origin === calledOriginOf(request));
}

async function signInWithCookie(
  { browserSessions, clientAddress }: AdmissionParts,
  request: IncomingMessage,
): Promise<Login | undefined> {
  const call = auditedCallOf(request, clientAddress);
  const login = await browserSessions.identifyUpgrade(browserRequestOf(request), call);
  return login && admitOrThrow(login);
}

async function signInOrThrow(identity: Identity, token: string): Promise<Login> {
  return admitOrThrow(await identity.identifyOrThrow(token));
}

function admitOrThrow(login: Login): Login {
  if (!mayCall(login.caller.role, 'viewer')) throw new GatewayError('forbidden');
  if (login.caller.mustChangePassword === true) throw new GatewayError('password_change_required');
  return login;
}

function asRefusal(error: unknown, log: Logger): GatewayError {
  if (error instanceof GatewayError) return error;
  log.warn('A login on /ws could not be checked', { problem: problemText(error) });
  return new GatewayError('service_unavailable');
}

/** Answers an upgrade with plain HTTP and closes. */
function refuse(socket: Duplex, reason: ErrorReason): void {
  const { status, text, code } = errorCatalogue[reason];
  const body = JSON.stringify({ success: false, error: text, error_code: code });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
