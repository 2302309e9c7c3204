import type { Problem } from '@portcullis/contracts/envelope';
import {
  isAddressNamed,
  isNameAllowed,
  noAllowedTargets,
  type AllowedTargets,
} from '@portcullis/core/network/allowed-targets';
import { classifyAddress, isAddressAllowed, type AddressClass } from '@portcullis/core/network/classify-address';
import { classifyHost } from '@portcullis/core/network/classify-host';
import { parseIpAddress } from '@portcullis/core/network/ip-address';

export interface AddressRule {
  /** Whether all private and loopback addresses may be reached. */
  readonly allowPrivate: boolean;
  /**
   * What may be reached beside that. Metadata and link-local addresses only where they are named one by one;
   * reserved ones never.
   */
  readonly allowed?: AllowedTargets;
}

const refusals: Readonly<Record<Exclude<AddressClass, 'public'>, string>> = {
  private: 'must not point to a private address (see ALLOWED_PRIVATE_TARGETS)',
  loopback: 'must not point to this machine (see ALLOWED_PRIVATE_TARGETS)',
  'link-local': 'must not point to a link-local address',
  metadata: 'must not point to a cloud metadata service',
  reserved: 'must not point to a reserved address',
};

/**
 * Why no connection to this host may go to this address, or undefined when one may.
 * @param host as it was written: a name, or the address itself
 */
export function addressRefusal(host: string, address: string, rule: AddressRule): string | undefined {
  const addressClass = classifyAddress(address);
  if (addressClass === 'public' || isAddressAllowed(addressClass, rule.allowPrivate)) return undefined;
  const { allowed = noAllowedTargets } = rule;
  const isPrivate = addressClass === 'private' || addressClass === 'loopback';
  const isNamed = isPrivate
    ? isNameAllowed(allowed, host) || isAddressNamed(allowed, address, false)
    : addressClass !== 'reserved' && isAddressNamed(allowed, address, true);
  return isNamed ? undefined : refusals[addressClass];
}

/** The same of what a host tells without asking a name server. */
export function hostRefusal(host: string, rule: AddressRule): string | undefined {
  if (parseIpAddress(host) !== undefined) return addressRefusal(host, host, rule);
  const addressClass = classifyHost(host);
  if (addressClass === undefined || addressClass === 'public') return undefined;
  const { allowed = noAllowedTargets } = rule;
  if (isAddressAllowed(addressClass, rule.allowPrivate) || isNameAllowed(allowed, host)) return undefined;
  // Where networks are allowed, the addresses of the name decide.
  return addressClass === 'loopback' && allowed.networks.length > 0 ? undefined : refusals[addressClass];
}

/**
 * Checks a URL that an admin configures as a target or webhook, as far as its text tells: scheme,
 * userinfo, and addresses in every spelling a URL allows. Names are checked when they are resolved,
 * by the guarded connector.
 */
export function checkTargetUrl(text: string, rule: AddressRule): Pick<Problem, 'rule'> | undefined {
  const problem = checkUrlForm(text);
  if (problem !== undefined) return problem;
  const refusal = hostRefusal(new URL(text).hostname, rule);
  return refusal === undefined ? undefined : { rule: refusal };
}

/** The same without a look at where it leads. */
export function checkUrlForm(text: string): Pick<Problem, 'rule'> | undefined {
  if (!URL.canParse(text)) return { rule: 'must be an absolute URL' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { rule: 'must start with http:// or https://' };
  if (url.username !== '' || url.password !== '') return { rule: 'must not carry a user name or password' };
  return undefined;
}
