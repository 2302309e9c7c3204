import { createHmac, timingSafeEqual } from 'node:crypto';

/** Ways of proxy ports to endpoints that a target announced outside of its base path. */
export interface EndpointPaths {
  /**
   * The path on the proxy port that leads to `path` on the target.
   * @param path as the target announced it, without its query
   */
  announce(proxyId: number, basePath: string, path: string): string;
  /** The path on the target that was announced as `path`; undefined for paths that nobody announced. */
  resolve(proxyId: number, path: string): string | undefined;
}

const prefix = '/.portcullis/endpoint/';
const macBytes = 16;

/** It claims to be a path that was announced. */
export const isSealedPath = (path: string): boolean => path.startsWith(prefix);

/**
 * A target's base path confines its clients, yet servers of the older transport tell them where to send
 * messages, often beside the path of the stream. Such a path is announced with a seal, so that every
 * worker knows what was announced without keeping anything, and clients can make up none.
 * @param secret shared by all processes of the installation
 */
export function createEndpointPaths(secret: string): EndpointPaths {
  const sealOf = (proxyId: number, path: string): string =>
    createHmac('sha256', secret)
      .update(`mcp endpoint ${proxyId} ${path}`)
      .digest()
      .subarray(0, macBytes)
      .toString('base64url');

  return {
    announce(proxyId, basePath, path) {
      if (basePath === '' || path === basePath || path.startsWith(`${basePath}/`)) return path;
      return `${prefix}${sealOf(proxyId, path)}${path}`;
    },

    resolve(proxyId, path) {
      if (!isSealedPath(path)) return undefined;
      const end = path.indexOf('/', prefix.length);
      if (end === -1) return undefined;
      const [given, announced] = [Buffer.from(path.slice(prefix.length, end)), path.slice(end)];
      const seal = Buffer.from(sealOf(proxyId, announced));
      return given.length === seal.length && timingSafeEqual(given, seal) ? announced : undefined;
    },
  };
}
