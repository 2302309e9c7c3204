import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { isSealedPath, type EndpointPaths } from '../mcp/endpoint-paths.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

/** Finds the way to an endpoint that the target announced to this key on a stream. */
export const createFollowEndpoint = (endpoints: EndpointPaths): RequestStage<Exchange> => ({
  name: 'follow-endpoint',
  run(exchange) {
    const { path, query, proxy } = exchange;
    const keyId = callerNumber(exchange);
    if (!isSealedPath(path) || keyId === undefined) return next;
    const opened = endpoints.resolve({ proxyId: proxy.id, keyId }, path);
    if (opened.kind !== 'own') return deny(opened.kind === 'foreign' ? 'session_foreign' : 'session_unknown');
    const [announcedPath = '', announcedQuery] = splitAt(opened.value, '?');
    exchange.endpoint = opened.value;
    exchange.announcedPath = announcedPath;
    // What the client adds of its own goes on, too.
    exchange.query = [announcedQuery, query.slice(1)]
      .filter(Boolean)
      .map((part, at) => (at === 0 ? '?' : '&') + part)
      .join('');
    return next;
  },
});

const splitAt = (text: string, mark: string): readonly string[] => {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};
