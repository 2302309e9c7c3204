import type { LookupFunction } from 'node:net';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { createGuardedConnector } from '@portcullis/platform/network/guarded-connector';
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

/** Proxies that reach a target in the same way share its connections, and what is known of it. */
const keyOf = ({ origin, timeouts, ca }: TargetEntry): string => `${origin}\n${timeouts.connectMs}\n${ca}`;

/** One that goes and one that waits: a longer queue helps no client behind a target that hangs. */
const callsPerConnection = 2;

/** The ways to the targets, each made when it is first used. */
export class TargetPools implements AsyncDisposable {
  readonly #options: TargetPoolOptions;
  readonly #pools = new Map<string, { readonly pool: TargetPool; readonly dispatcher: Pool }>();
  /** Of targets that others used as well. */
  readonly #breakers = new Map<string, CircuitBreaker>();
  /** A target is the same object from one configuration change to the next. */
  #known = new WeakMap<TargetEntry, TargetPool>();

  constructor(options: TargetPoolOptions) {
    this.#options = options;
  }

  poolFor(target: TargetEntry): TargetPool {
    return this.#known.get(target) ?? this.#find(target);
  }

  /** The same if it was used already. */
  findPool(target: TargetEntry): TargetPool | undefined {
    return this.#pools.get(keyOf(target))?.pool;
  }

  /** What another process learned, whether this one has used the target or not. */
  hear(news: TargetNews): void {
    const entry = this.#pools.get(news.key);
    if (entry !== undefined) return entry.pool.hear(news);
    const breaker = this.#breakerOf(news.key);
    if (news.event === 'failed') breaker.failed();
    else if (news.event === 'answered') breaker.succeeded();
    else breaker.leave();
  }

  /** Ends the ways to targets that no proxy has any more, once their exchanges are done. */
  keepOnly(targets: Iterable<TargetEntry>): void {
    const keys = new Set([...targets].map(keyOf));
    for (const key of this.#breakers.keys()) if (!keys.has(key)) this.#breakers.delete(key);
    for (const [key, { dispatcher }] of this.#pools) {
      if (keys.has(key)) continue;
      this.#pools.delete(key);
      this.#known = new WeakMap();
      void dispatcher.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ dispatcher }) => dispatcher.destroy()));
    this.#pools.clear();
    this.#known = new WeakMap();
  }

  #find(target: TargetEntry): TargetPool {
    const key = keyOf(target);
    let entry = this.#pools.get(key);
    if (entry === undefined) this.#pools.set(key, (entry = this.#open(key, target)));
    this.#known.set(target, entry.pool);
    return entry.pool;
  }

  #breakerOf(key: string): CircuitBreaker {
    const { breaker: rule, nowMs = () => performance.now() } = this.#options;
    let breaker = this.#breakers.get(key);
    if (breaker === undefined) this.#breakers.set(key, (breaker = new CircuitBreaker(rule, nowMs)));
    return breaker;
  }

  #open(key: string, target: TargetEntry) {
    const { connections, headersTimeoutMs, bodyTimeoutMs, onChange, onNews } = this.#options;
    const connect = this.#openConnector(target);
    const dispatcher = new Pool(target.origin, {
      connections,
      pipelining: 1,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      connect,
    });
    const pool = new TargetPool({
      origin: target.origin,
      dispatcher,
      connect,
      breaker: this.#breakerOf(key),
      maxCalls: connections * callsPerConnection,
      onChange,
      ...(onNews !== undefined && { onNews: (news) => onNews({ key, ...news }) }),
    });
    return { dispatcher, pool };
  }

  #openConnector({ timeouts, ca }: TargetEntry): TargetPool['connect'] {
    const { allowPrivate, allowed, connectTimeoutMs, lookup } = this.#options;
    return createGuardedConnector({
      allowPrivate,
      ...(allowed !== undefined && { allowed }),
      connectTimeoutMs: timeouts.connectMs ?? connectTimeoutMs,
      ...(lookup !== undefined && { lookup }),
      ca,
    });
  }
}
