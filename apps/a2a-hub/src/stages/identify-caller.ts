import {
  bareToken,
  findPresentedKey,
  findSessionToken,
  isSessionMalformed,
  type PresentedKey,
} from '@portcullis/core/identity/presented-key';
import type { IncomingHttpHeaders } from 'node:http';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import type { UserCaller } from '@portcullis/platform/routes/bound-route';
import { DatabaseUnavailable } from '@portcullis/platform/database/database-unavailable';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createIdentify } from '@portcullis/platform/traffic/identify';
import type { Invocation } from '../invocation/invocation.ts';

/** Who stands behind a login token, and which user groups they belong to. */
export interface Logins {
  /** @throws {GatewayError} when the token is not good */
  user(token: string): Promise<UserCaller>;
  groupsOf(user: UserCaller): Promise<readonly number[]>;
}

/** The parts of a signed token. A key that looks so is taken for one in `Authorization`, never in `X-API-Key`. */
const loginToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const isLoginToken = ({ header, token }: PresentedKey): boolean =>
  header === 'x-session-token' || (header === 'authorization' && loginToken.test(token));

/** The token of a login in the header that it has on proxies, else a key or a login in the places of keys. */
export function findPresented(headers: IncomingHttpHeaders): PresentedKey | undefined {
  const token = findSessionToken(headers);
  return token === undefined ? findPresentedKey(headers) : { token, header: 'x-session-token' };
}

const byKey = createIdentify<Invocation>(({ request }) => findPresentedKey(request.headers));

/** Finds out who calls: by their key as everywhere, or by the token of their login. */
export const createIdentifyCaller = (logins: Logins): RequestStage<Invocation> => ({
  name: byKey.name,
  run(invocation) {
    const { headers } = invocation.request;
    if (isSessionMalformed(headers)) return deny('invalid_token', { message: bareToken });
    const presented = findPresented(headers);
    return presented !== undefined && isLoginToken(presented)
      ? identifyUser(invocation, presented.token, logins)
      : byKey.run(invocation);
  },
});

async function identifyUser(invocation: Invocation, token: string, logins: Logins): Promise<Verdict> {
  try {
    const user = await logins.user(token);
    if (user.mustChangePassword === true) return deny('password_change_required');
    invocation.user = user;
    if (user.role !== 'admin') invocation.userGroups = await logins.groupsOf(user);
    return next;
  } catch (error) {
    if (error instanceof GatewayError) return deny(error.reason);
    if (error instanceof DatabaseUnavailable) return deny('service_unavailable');
    throw error;
  }
}
