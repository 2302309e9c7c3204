import { lookup as lookUpName } from 'node:dns/promises';
import { problemCode } from '../errors/problem.ts';
import { addressRefusal, hostRefusal, type AddressRule } from './address-guard.ts';

/** Resolves a name to all its addresses. */
export type ResolveName = (name: string) => Promise<readonly { readonly address: string }[]>;

const resolveName: ResolveName = (name) => lookUpName(name, { all: true });

/** A name server that takes longer is as good as none for a client that waits for an answer. */
const patienceMs = 3_000;

/** What connections to the host of a URL would meet now: nothing in their way, a refusal, or a name without an address. */
export type TargetHostCheck =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly host: string; readonly address: string; readonly rule: string }
  | { readonly kind: 'unresolved'; readonly host: string; readonly reason: string };

/** Looks at the host of a URL that `checkTargetUrl` has nothing against, as the guarded connector will at each connection. */
export async function checkTargetHost(
  url: string,
  rule: AddressRule,
  resolve: ResolveName = resolveName,
): Promise<TargetHostCheck> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const refusal = hostRefusal(host, rule);
  if (refusal !== undefined) return { kind: 'refused', host, address: host, rule: refusal };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer of the name server')), patienceMs);
  try {
    for (const { address } of await Promise.race([resolve(host), late])) {
      const problem = addressRefusal(host, address, rule);
      if (problem !== undefined) return { kind: 'refused', host, address, rule: problem };
    }
    return { kind: 'open' };
  } catch (error) {
    return { kind: 'unresolved', host, reason: problemCode(error) ?? 'no answer' };
  } finally {
    clearTimeout(timer);
  }
}
