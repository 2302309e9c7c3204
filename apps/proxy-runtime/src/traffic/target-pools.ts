import type { LookupFunction } from 'node:net';
import type { AddressRule } from '@portcullis/platform/http/address-guard';
import { createGuardedConnector } from '@portcullis/platform/http/guarded-connector';
import { CircuitBreaker, type BreakerRule } from '@portcullis/core/resilience/circuit-breaker';
import { Pool } from 'undici';
import type { TargetEntry } from '../snapshot/snapshot.ts';
import { TargetPool, type TargetPoolParts, type TargetNews } from './target-pool.ts';

export interface TargetPoolOptions extends AddressRule {
  /** Connections to one target at most. */
  readonly connections: number;
  /** For targets that say nothing of their own. */
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly breaker: BreakerRule;
  readonly lookup?: LookupFunction;
  readonly onChange: TargetPoolParts['onChange'];
  /** Told what this process learns of targets, where others share its ports. */
  readonly onNews?: (news: TargetNews) => void;
  readonly nowMs?: () => number;
}

/** The ways to the targets, each made when it is first used. */
export interface TargetPools extends AsyncDisposable {
  linkFor(target: TargetEntry): TargetPool;
  /** The same if it was used already. */
  findLink(target: TargetEntry): TargetPool | undefined;
  /** What another process learned, whether this one has used the target or not. */
  hear(news: TargetNews): void;
  /** Ends the ways to targets that no proxy has any more, once their exchanges are done. */
  keepOnly(targets: Iterable<TargetEntry>): void;
}

/** Proxies that reach a target in the same way share its connections, and what is known of it. */
const keyOf = ({ origin, timeouts, ca }: TargetEntry): string => `${origin}\n${timeouts.connectMs}\n${ca}`;

/** One that goes and one that waits: a queue that is longer helps nobody behind a target that hangs. */
const callsPerConnection = 2;

export function createTargetPools(options: TargetPoolOptions): TargetPools {
  const { nowMs = () => performance.now(), onNews } = options;
  const links = new Map<string, { readonly link: TargetPool; readonly pool: Pool }>();
  // Of targets that others used as well.
  const breakers = new Map<string, CircuitBreaker>();
  // A target is the same object from one configuration change to the next.
  let known = new WeakMap<TargetEntry, TargetPool>();

  const breakerOf = (key: string): CircuitBreaker => {
    let breaker = breakers.get(key);
    if (breaker === undefined) breakers.set(key, (breaker = new CircuitBreaker(options.breaker, nowMs)));
    return breaker;
  };

  const open = (key: string, target: TargetEntry) => {
    const { origin, timeouts, ca } = target;
    const connect = createGuardedConnector({
      allowPrivate: options.allowPrivate,
      ...(options.allowed !== undefined && { allowed: options.allowed }),
      connectTimeoutMs: timeouts.connectMs ?? options.connectTimeoutMs,
      ...(options.lookup !== undefined && { lookup: options.lookup }),
      ca,
    });
    const pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.bodyTimeoutMs,
      connect,
    });
    const maxCalls = options.connections * callsPerConnection;
    const link = new TargetPool({
      origin,
      dispatcher: pool,
      connect,
      breaker: breakerOf(key),
      maxCalls,
      onChange: options.onChange,
      ...(onNews !== undefined && { onNews: (news) => onNews({ key, ...news }) }),
    });
    return { pool, link };
  };

  const find = (target: TargetEntry): TargetPool => {
    const key = keyOf(target);
    let entry = links.get(key);
    if (entry === undefined) links.set(key, (entry = open(key, target)));
    known.set(target, entry.link);
    return entry.link;
  };

  return {
    linkFor: (target) => known.get(target) ?? find(target),
    findLink: (target) => links.get(keyOf(target))?.link,

    hear(news) {
      const entry = links.get(news.key);
      if (entry !== undefined) return entry.link.hear(news);
      const breaker = breakerOf(news.key);
      if (news.event === 'failed') breaker.failed();
      else if (news.event === 'answered') breaker.succeeded();
      else breaker.leave();
    },

    keepOnly(targets) {
      const keys = new Set([...targets].map(keyOf));
      for (const key of breakers.keys()) if (!keys.has(key)) breakers.delete(key);
      for (const [key, { pool }] of links) {
        if (keys.has(key)) continue;
        links.delete(key);
        known = new WeakMap();
        void pool.close();
      }
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...links.values()].map(({ pool }) => pool.destroy()));
      links.clear();
      known = new WeakMap();
    },
  };
}
