import { createSealedTexts } from './sealed-texts.ts';
import { unknown, type Holder, type Opened } from './session-seals.ts';

/** Ways of proxy ports to the endpoints that targets announced on streams of the transport of 2024-11-05. */
export interface EndpointPaths {
  /**
   * The path on the proxy port that leads one key to `endpoint` on the target.
   * @param endpoint path and query as the target announced them
   */
  announce(holder: Holder, endpoint: string): string;
  /** The endpoint that was announced as `path`. */
  resolve(holder: Holder, path: string): Opened<string>;
}

const prefix = '/.portcullis/endpoint/';

/** It claims to be a path that was announced. */
export const isSealedPath = (path: string): boolean => path.startsWith(prefix);

/**
 * An announced endpoint names the session of its stream, and a client that posts there speaks in it. It is also often
 * beside the base path that confines clients. So it is announced encrypted.
 * @param secret shared by all processes of the installation
 */
export function createEndpointPaths(secret: string, previous?: string): EndpointPaths {
  const texts = createSealedTexts(secret, 'mcp endpoint', previous);
  return {
    announce: (holder, endpoint) => prefix + texts.seal(holder, endpoint),
    resolve: (holder, path) => (isSealedPath(path) ? texts.open(holder, path.slice(prefix.length)) : unknown),
  };
}
