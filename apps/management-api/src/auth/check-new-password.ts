import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { randomAlphanumerics } from '@portcullis/platform/security/random-text';

const generatedLength = 20;

/** A password that no user chose, for a user who must change it. */
export const inventPassword = (): string => randomAlphanumerics(generatedLength);

/**
 * Refuses a password that anybody would try first. Its length is the schema's business.
 * @param path where it stands in the body
 * @throws {GatewayError} `bad_request`
 */
export function checkNewPasswordOrThrow(
  password: string,
  user: { readonly username: string; readonly email: string },
  path: string,
): void {
  const folded = password.toLowerCase();
  if ([user.username, user.email].some((own) => own.toLowerCase() === folded)) {
    throw refusedPassword(path, 'must not be the username or the e-mail address');
  }
  if (new Set(password).size < 4) throw refusedPassword(path, 'must have at least 4 different characters');
}

export const refusedPassword = (path: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path, rule }] });
