import { lookup as lookUpName, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { addressRefusal, hostRefusal, type AddressRule } from './address-guard.ts';

/** A connection that was refused because of where it would have gone. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';

  constructor(host: string, refusal: string) {
    super(`${host} ${refusal}`);
    this.name = 'AddressRefused';
  }
}

export interface GuardedConnectorOptions extends AddressRule {
  readonly connectTimeoutMs: number;
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: LookupFunction;
  /** Certificates of the authorities that may vouch for the peer, PEM, instead of those the system trusts. */
  readonly ca?: string | undefined;
  /** False where an admin takes any certificate. */
  readonly verifyTls?: boolean;
}

/**
 * A connector for undici that looks at the address, not only at the name. A name is resolved once
 * per connection, all its addresses are checked, and the socket goes to those very addresses, so
 * that a second answer of the name server cannot lead it elsewhere. SNI and Host stay the name.
 * Refusals reach the caller as `AddressRefused`.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    ...(options.ca !== undefined && { ca: options.ca }),
    ...(options.verifyTls === false && { rejectUnauthorized: false }),
    lookup: guardLookup(options.lookup ?? lookUpName, options),
  });

  return (target, callback) => {
    const refusal = hostRefusal(target.hostname, options);
    if (refusal === undefined) connect(target, callback);
    else callback(new AddressRefused(target.hostname, refusal), null);
  };
}

const guardLookup =
  (lookup: LookupFunction, rule: AddressRule): LookupFunction =>
  (host, lookupOptions, answer) => {
    lookup(host, lookupOptions, (error, resolved, family) => {
      if (error !== null) return answer(error, resolved, family);
      const addresses: readonly LookupAddress[] =
        typeof resolved === 'string' ? [{ address: resolved, family: family ?? 0 }] : resolved;
      for (const { address } of addresses) {
        const refusal = addressRefusal(host, address, rule);
        if (refusal !== undefined) return answer(new AddressRefused(host, refusal), '');
      }
      answer(null, resolved, family);
    });
  };
