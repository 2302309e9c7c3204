import type { Socket } from 'node:net';
import { findClientKey, findPresentedKey, hashKey, withoutKey } from '@portcullis/core/identity/presented-key';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/** What was presented last on each connection: it is the same time and again, and forgotten with its connection. */
const lastPresented = new WeakMap<Socket, { readonly token: string; readonly hash: string }>();

function hashOnce(connection: Socket, token: string): string {
  const last = lastPresented.get(connection);
  if (last?.token === token) return last.hash;
  const hash = hashKey(token);
  lastPresented.set(connection, { token, hash });
  return hash;
}

/** Finds the key that the request presents and refuses one that is missing, unknown, revoked or expired. */
export const identify: RequestStage<Exchange> = {
  name: 'identify',
  on: ['llm', 'mcp'],
  onFault: 'deny',
  run(exchange) {
    const { proxy, query, request } = exchange;
    const presented = proxy.type === 'llm' ? findClientKey(request.headers, query) : findPresentedKey(request.headers);
    if (presented === undefined) return deny('key_missing');
    exchange.presentedKey = presented;
    if (!proxy.forwardGatewayKey) exchange.query = withoutKey(query, presented.token);
    const key = exchange.snapshot.keysByHash.get(hashOnce(request.socket, presented.token));
    if (key === undefined) return deny('key_unknown');
    exchange.key = key;
    if (!key.active) return deny('key_revoked');
    if (key.expiresAtMs <= exchange.receivedAt) return deny('key_expired');
    return next;
  },
};
