import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { EndpointPaths } from '../mcp/endpoint-paths.ts';
import { rewriteJson } from '../framing/rewrite-unit.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

/**
 * On the transport of 2024-11-05 a stream begins with the address to which its client sends messages. It
 * must lead through the proxy, and nowhere but to the target.
 */
class EndpointPointer implements ResponseFilter<StreamUnit> {
  readonly #exchange: Exchange;
  readonly #endpoints: EndpointPaths;

  constructor(exchange: Exchange, endpoints: EndpointPaths) {
    this.#exchange = exchange;
    this.#endpoints = endpoints;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    const isAddress = content.kind === 'value' && typeof content.value === 'string' && isEndpointEvent(unit.bytes);
    if (!isAddress) return { kind: 'release', units: [unit] };
    const address = this.#point(content.value);
    if (address === undefined) {
      const message = 'The target announced an endpoint of another origin';
      return { kind: 'cut', denial: { reason: 'target_failed', message }, units: [] };
    }
    return {
      kind: 'release',
      units: [{ ...rewriteJson(unit, () => address), content: { kind: 'value', value: address } }],
    };
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }

  /** @param announced absolute, or relative to the stream's own address */
  #point(announced: string): string | undefined {
    const { proxy, targetPath } = this.#exchange;
    const keyId = callerNumber(this.#exchange);
    const { origin } = proxy.target;
    const address = URL.parse(announced, origin + targetPath) ?? undefined;
    if (address?.origin !== origin || keyId === undefined) return undefined;
    const endpoint = address.pathname + address.search;
    this.#exchange.announcedEndpoint = endpoint;
    return this.#endpoints.announce({ proxyId: proxy.id, keyId }, endpoint);
  }
}

const endpointLine = /^event: ?endpoint\r?$/m;
const isEndpointEvent = (bytes: Buffer): boolean => endpointLine.test(bytes.toString('utf8'));

export const createPointEndpoint = (endpoints: EndpointPaths): ResponseStage<Exchange, StreamUnit> => ({
  name: 'point-endpoint',
  open: (exchange) => (exchange.request.method === 'GET' ? new EndpointPointer(exchange, endpoints) : undefined),
});
