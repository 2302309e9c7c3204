import type { ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { EndpointPaths } from '../mcp/endpoint-paths.ts';
import { rewriteJson } from '../framing/rewrite-unit.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { createUnitFilter, release } from '../framing/unit-filter.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

function pointUnit(unit: StreamUnit, exchange: Exchange, endpoints: EndpointPaths): StreamVerdict<StreamUnit> {
  const { content } = unit;
  const isAddress = content.kind === 'value' && typeof content.value === 'string' && isEndpointEvent(unit.bytes);
  if (!isAddress) return release(unit);
  const address = announce(content.value, exchange, endpoints);
  if (address === undefined) {
    const message = 'The target announced an endpoint of another origin';
    return { kind: 'cut', denial: { reason: 'target_failed', message }, units: [] };
  }
  return release({ ...rewriteJson(unit, () => address), content: { kind: 'value', value: address } });
}

const endpointLine = /^event: ?endpoint\r?$/m;
const isEndpointEvent = (bytes: Buffer): boolean => endpointLine.test(bytes.toString('utf8'));

/** @param announced absolute, or relative to the stream's own address */
function announce(announced: string, exchange: Exchange, endpoints: EndpointPaths): string | undefined {
  const { proxy, targetPath } = exchange;
  const keyId = callerNumber(exchange);
  const { origin } = proxy.target;
  const address = URL.parse(announced, origin + targetPath) ?? undefined;
  if (address?.origin !== origin || keyId === undefined) return undefined;
  const endpoint = address.pathname + address.search;
  exchange.announcedEndpoint = endpoint;
  return endpoints.announce({ proxyId: proxy.id, keyId }, endpoint);
}

/**
 * On the transport of 2024-11-05 a stream begins with the address to which its client sends messages. It
 * must lead through the proxy, and nowhere but to the target.
 */
export const createPointEndpoint = (endpoints: EndpointPaths): ResponseStage<Exchange, StreamUnit> => ({
  name: 'point-endpoint',
  open: (exchange) =>
    exchange.request.method === 'GET' ? createUnitFilter((unit) => pointUnit(unit, exchange, endpoints)) : undefined,
});
