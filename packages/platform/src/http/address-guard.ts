import type { Problem } from '@portcullis/contracts/envelope';
import { isAddressAllowed, type AddressClass } from '@portcullis/core/network/classify-address';
import { classifyHost } from '@portcullis/core/network/classify-host';

export interface AddressRule {
  /** Whether private and loopback addresses may be reached. Metadata, link-local and reserved ones never may. */
  readonly allowPrivate: boolean;
}

const refusals: Readonly<Record<Exclude<AddressClass, 'public'>, string>> = {
  private: 'must not point to a private address (see ALLOW_PRIVATE_TARGETS)',
  loopback: 'must not point to this machine (see ALLOW_PRIVATE_TARGETS)',
  'link-local': 'must not point to a link-local address',
  metadata: 'must not point to a cloud metadata service',
  reserved: 'must not point to a reserved address',
};

/** Why no connection may go to an address of this class, or undefined when one may. */
export const addressRefusal = (addressClass: AddressClass, { allowPrivate }: AddressRule): string | undefined =>
  addressClass === 'public' || isAddressAllowed(addressClass, allowPrivate) ? undefined : refusals[addressClass];

/**
 * Checks a URL that somebody configures as a target or webhook, as far as its text tells: scheme,
 * userinfo, and addresses in every spelling a URL allows. Names are checked when they are resolved,
 * by the guarded connector.
 */
export function checkTargetUrl(text: string, rule: AddressRule): Pick<Problem, 'rule'> | undefined {
  if (!URL.canParse(text)) return { rule: 'must be an absolute URL' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { rule: 'must start with http:// or https://' };
  if (url.username !== '' || url.password !== '') return { rule: 'must not carry a user name or password' };

  const addressClass = classifyHost(url.hostname);
  const refusal = addressClass === undefined ? undefined : addressRefusal(addressClass, rule);
  return refusal === undefined ? undefined : { rule: refusal };
}
