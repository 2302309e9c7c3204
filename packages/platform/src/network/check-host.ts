import { hostRefusal, type AddressRule } from './address-guard.ts';
import { checkTargetHost, type ResolveName, type TargetHostCheck } from './check-target-host.ts';
import { GatewayError } from '../http/gateway-error.ts';

/**
 * Looks where the host of a URL leads that an admin configures or starts, and answers what is to be told about it
 * all the same: a name without an address may get one before it is called. Where every private address is allowed
 * nothing is asked; the connections look for themselves.
 * @param path JSON pointer of the URL in the request; undefined when it is stored already
 * @throws {GatewayError} when connections to it would be refused
 */
export async function checkHostOrThrow(
  url: string,
  rule: AddressRule,
  path?: string,
  resolve?: ResolveName,
): Promise<string | undefined> {
  if (rule.allowPrivate && hostRefusal(new URL(url).hostname, rule) === undefined) return undefined;
  const check = await checkTargetHost(url, rule, resolve);
  if (check.kind === 'open') return undefined;
  if (check.kind === 'unresolved') return `The host ${JSON.stringify(check.host)} has no address yet (${check.reason})`;
  throw new GatewayError('target_refused', {
    message: renderRefusal(check),
    ...(path !== undefined && { problems: [{ path, rule: check.rule }] }),
  });
}

function renderRefusal({ host, address, rule }: Extract<TargetHostCheck, { kind: 'refused' }>): string {
  const what = host === address ? host : `${host} is ${address} and`;
  const isPrivate = rule.includes('ALLOWED_PRIVATE_TARGETS');
  const names = host === address ? `${address} or its network` : `${host}, ${address} or its network`;
  const remedy = isPrivate
    ? `To allow it, put ${names} into ALLOWED_PRIVATE_TARGETS of all services`
    : rule.includes('reserved')
      ? 'Nothing allows it'
      : `Only ${address} itself in ALLOWED_PRIVATE_TARGETS of all services would allow it`;
  return `${what} ${rule.replace(' (see ALLOWED_PRIVATE_TARGETS)', '')}. ${remedy}`;
}

/** A message, with what is to be said beside it. */
export const withNote = (message: string, note: string | undefined): string =>
  note === undefined ? message : `${message}. ${note}`;
