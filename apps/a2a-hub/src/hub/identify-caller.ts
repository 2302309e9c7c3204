import { bareToken, hashKey, isSessionMalformed } from '@portcullis/core/identity/presented-key';
import type { Database } from '@portcullis/platform/database/database';
import type { Caller } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { identifyKeyOrThrow } from '@portcullis/platform/identity/identify-key';
import type { IncomingMessage } from 'node:http';
import { holderOf } from '@portcullis/platform/http/held-body';
import type { HubSnapshot } from '../snapshot/hub-snapshot.ts';
import { findPresented, isLoginToken, type Logins } from '../stages/identify-caller.ts';

/** Who presents a key or a login, as the database has them now. @throws {GatewayError} */
export async function identifyCaller(request: IncomingMessage, logins: Logins, database: Database): Promise<Caller> {
  if (isSessionMalformed(request.headers)) throw new GatewayError('invalid_token', { message: bareToken });
  const presented = findPresented(request.headers);
  if (presented === undefined) throw new GatewayError('key_missing');
  if (!isLoginToken(presented)) return identifyKeyOrThrow(database, presented.token);
  const user = await logins.user(presented.token);
  if (user.mustChangePassword === true) throw new GatewayError('password_change_required');
  return user;
}

/** Whose share of the memory for large bodies a request takes; undefined for a caller who is not known. Never rejects. */
export async function findBodyHolder(
  request: IncomingMessage,
  logins: Logins,
  { keysByHash }: Pick<HubSnapshot, 'keysByHash'>,
): Promise<number | undefined> {
  const presented = findPresented(request.headers);
  if (presented === undefined) return undefined;
  if (!isLoginToken(presented)) return keysByHash.get(hashKey(presented.token))?.id;
  const user = await logins.user(presented.token).catch(() => undefined);
  return user && holderOf({ user });
}
