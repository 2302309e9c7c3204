import { isIP } from 'node:net';

/** Whether a value of the header `Host` names this gateway. */
export type HostRule = (host: string | undefined) => boolean;

const format = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?$/i;

/**
 * A page whose name its owner lets resolve to this gateway reaches it from the browsers of its users; its requests have that
 * name in the header `Host`. Addresses and names without a dot can't be such names.
 * @param known names under which clients reach the gateway
 */
export function createHostRule(known: readonly string[]): HostRule {
  const names = new Set(known.map((name) => name.toLowerCase()));
  return (host) => {
    const name = format.exec(host ?? '')?.[1]?.toLowerCase();
    if (name === undefined) return false;
    return (
      isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || !name.includes('.') || name.endsWith('.localhost') || names.has(name)
    );
  };
}
