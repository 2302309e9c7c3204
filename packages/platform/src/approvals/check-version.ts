import { GatewayError } from '../http/gateway-error.ts';

/**
 * Whether what is decided about is what was looked at.
 * @param seen undefined where the caller does not say
 * @throws {GatewayError} `precondition_failed`
 */
export function checkVersionOrThrow(offered: string | null, seen: string | undefined): void {
  if (seen === undefined || offered === seen) return;
  const message = `What is offered is not what was looked at: its version is ${offered}`;
  throw new GatewayError('precondition_failed', { message });
}
