/** Whether a value of the header `Origin` is on a list. */
export type OriginList = (origin: string) => boolean;

const serialised = /^([a-z][a-z0-9+.-]*:\/\/)(\[[^\]]*\]|[^/?#@:[\]]*)(:\d{1,5})?$/;

/**
 * @param allowed origins as browsers write them. `https://host:*` is that host on every port, `scheme://*` everything
 * under a scheme, `null` what has no origin of its own, `*` everything
 */
export function compileOriginList(allowed: readonly string[]): OriginList {
  const exact = new Set(allowed.map((origin) => origin.toLowerCase()));
  if (exact.has('*')) return () => true;
  return (given) => {
    const origin = given.toLowerCase();
    if (exact.has(origin)) return true;
    const [, scheme, host] = serialised.exec(origin) ?? [];
    if (scheme === undefined || host === undefined) return false;
    return exact.has(`${scheme}*`) || exact.has(`${scheme}${host}:*`);
  };
}
