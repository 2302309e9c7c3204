import { Pool, type buildConnector, type Dispatcher } from 'undici';

export interface TargetPoolOptions {
  readonly connections: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly connector: buildConnector.connector;
}

/** Keep-alive connections to the targets, one pool per origin, made when first used. */
export interface TargetPools extends AsyncDisposable {
  poolFor(origin: string): Dispatcher;
  /** Closes the pools of origins that no proxy names any more, once their exchanges are done. */
  keepOnly(origins: ReadonlySet<string>): void;
}

export function createTargetPools(options: TargetPoolOptions): TargetPools {
  const pools = new Map<string, Pool>();

  const open = (origin: string): Pool => {
    const pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.bodyTimeoutMs,
      connect: options.connector,
    });
    pools.set(origin, pool);
    return pool;
  };

  return {
    poolFor: (origin) => pools.get(origin) ?? open(origin),

    keepOnly(origins) {
      for (const [origin, pool] of pools) {
        if (origins.has(origin)) continue;
        pools.delete(origin);
        void pool.close();
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
