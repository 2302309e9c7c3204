import type { Exchange } from '../exchange/exchange.ts';
import type { ToolBarrier } from '../exchange/tool-call.ts';
import type { ProxyTools } from '../snapshot/proxy-tools.ts';
import type { ToolWatch } from './tool-watch.ts';

/** Undefined when the caller of the exchange may see and call the tool. */
export function findBarrier(
  { proxy, access, key }: Pick<Exchange, 'proxy' | 'access' | 'key'>,
  name: string | undefined,
  watch: Pick<ToolWatch, 'differs'>,
): ToolBarrier | undefined {
  const { tools } = proxy;
  // A key is restricted however the tools of the proxy are filtered.
  if (key?.tools?.allows(name ?? '') === false) return 'key-scope';
  if (tools === undefined || tools.filtering === 'off') return undefined;
  const tool = name === undefined ? undefined : tools.byName.get(name);
  if (name === undefined || tool === undefined) return 'not-discovered';
  if (!tool.enabled) return 'tool-config';
  if (tools.holdsChanges && (tool.held || watch.differs(proxy.id, name, tool.hash))) return 'tool-change';
  return access?.tools?.allows(name) === false ? 'group-permission' : undefined;
}

/** Whether a barrier stops calls and hides tools, or is only told of. */
export const isEnforced = (barrier: ToolBarrier | undefined, filtering: ProxyTools['filtering'] | undefined): boolean =>
  barrier === 'key-scope' || (barrier !== undefined && filtering === 'enforce');
