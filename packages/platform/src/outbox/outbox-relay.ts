import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { problemText } from '../lifecycle/problem.ts';
import type { Logger } from '../log/logger.ts';

/** Carries one message on. Called again until it resolves, so it must be idempotent by `outboxId`. */
export type OutboxHandler = (payload: unknown, outboxId: number) => Promise<void>;

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly handlers: Readonly<Record<string, OutboxHandler>>;
}

/** Moves messages that left with a transaction to where they belong, in order, at least once. */
export interface OutboxRelay extends AsyncDisposable {
  start(): Promise<void>;
}

/** A lost notice heals by this poll. */
const pollMs = 1_000;
const longestPauseMs = 10_000;
const batchSize = 100;

/**
 * Several replicas may run one each: a batch is locked by whoever reads it, and a message is deleted
 * in the transaction that saw its handler succeed. A message whose handler fails keeps those behind
 * it waiting, so that order holds.
 */
export function createOutboxRelay({ database, log, handlers }: OutboxRelayOptions): OutboxRelay {
  const stop = new AbortController();
  let work = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  let unlisten: (() => Promise<void>) | undefined;
  let failures = 0;

  const wake = (): void => work.resolve();

  /** Answers whether there may be more. */
  const relayBatch = (): Promise<boolean> =>
    database.kysely.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom('outbox')
        .select(['id', 'topic', 'payload'])
        .where('topic', 'in', Object.keys(handlers))
        .orderBy('id')
        .limit(batchSize)
        .forUpdate()
        .skipLocked()
        .execute();
      const done: number[] = [];
      let failure: unknown;
      for (const { id, topic, payload } of rows) {
        try {
          await handlers[topic]?.(payload, id);
          done.push(id);
        } catch (error) {
          failure = error;
          break;
        }
      }
      // What was carried on is gone even when a later one fails.
      if (done.length > 0) await transaction.deleteFrom('outbox').where('id', 'in', done).execute();
      if (failure !== undefined) report(failure);
      else failures = 0;
      return failure === undefined && rows.length === batchSize;
    });

  const report = (error: unknown): void => {
    if (failures === 0) log.warn('A message could not be carried on; it waits', { reason: problemText(error) });
    failures += 1;
  };

  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      work = Promise.withResolvers();
      const more = await relayBatch().catch((error: unknown) => {
        report(error);
        return false;
      });
      if (more) continue;
      if (failures > 0) await pause(Math.min(100 * 2 ** failures, longestPauseMs));
      else await Promise.race([work.promise, pause(pollMs)]);
    }
  };

  return {
    async start() {
      unlisten = await database.listen('outbox', wake);
      running = run();
    },

    async [Symbol.asyncDispose]() {
      stop.abort();
      wake();
      await unlisten?.();
      await running;
    },
  };
}
