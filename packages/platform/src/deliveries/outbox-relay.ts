import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { existsBatch } from '../database/exists-batch.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { problemText } from '../errors/problem.ts';
import { untilNext } from '../event-loop/run-every.ts';
import type { Logger } from '../log/logger.ts';

/**
 * Carries one message on. Called again until it resolves, so it must be idempotent by `outboxId`.
 * It reads by `transaction` and uses the database in no other way: the embedded one has no second session.
 */
export type OutboxHandler = (payload: unknown, outboxId: number, transaction: Queryable) => Promise<void>;

export interface OutboxMessage {
  readonly id: number;
  readonly payload: unknown;
}

/** Carries on messages that follow each other, all or none. As `OutboxHandler`; what it has written is undone when it rejects. */
export interface OutboxBatchHandler {
  carryAll(messages: readonly OutboxMessage[], transaction: Queryable): Promise<void>;
}

export interface OutboxRelayOptions {
  readonly database: Database;
  readonly log: Logger;
  /** By topic. Messages of other topics stay where they are. */
  readonly handlers: Readonly<Record<string, OutboxHandler | OutboxBatchHandler>>;
  /** A handler that takes longer has failed. 5 s unless given. */
  readonly handlerTimeoutMs?: number;
}

export interface OutboxRelay extends AsyncDisposable {
  /** Resolves once it listens for messages. */
  start(): Promise<void>;
}

/** A lost notice heals by this poll. */
const pollMs = 1_000;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
const batchSize = 100;

/**
 * Moves messages that left with a transaction to where they belong, one after the other in the order
 * of their ids, each at least once. Of several replicas one works at a time. A message whose handler
 * fails keeps those behind it waiting and is tried again, with growing pauses.
 */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { database, log } = options;
  const stop = new AbortController();
  let work = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  let unlisten: (() => Promise<void>) | undefined;

  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: stop.signal }).catch(() => {});

  const run = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stop.signal.aborted) {
      work = Promise.withResolvers();
      try {
        const carried = await carryBatch(options);
        pauseMs = firstPauseMs;
        if (carried < batchSize) await Promise.race([work.promise, pause(untilNext(pollMs))]);
      } catch (error) {
        if (pauseMs === firstPauseMs) log.warn('A message waits in the outbox', { reason: problemText(error) });
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };

  return {
    async start() {
      unlisten = await database.listen('outbox', () => work.resolve());
      running = run();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await unlisten?.();
    },
  };
}

/** Answers how many messages it carried on. When one fails, those before it are through and its failure is thrown. */
async function carryBatch({ database, handlers, handlerTimeoutMs = 5_000 }: OutboxRelayOptions): Promise<number> {
  if (!(await hasMessages(database, Object.keys(handlers)))) return 0;
  const { done, failure } = await database.kysely.transaction().execute(async (transaction) => {
    const done: number[] = [];
    try {
      for (const { topic, messages } of runsOf(await takeBatch(transaction, Object.keys(handlers)))) {
        const handler = handlers[topic];
        if (handler !== undefined)
          await carryRun(transaction, { handler, messages, timeoutMs: handlerTimeoutMs, done });
      }
      return { done, failure: undefined };
    } catch (error) {
      return { done, failure: { error } };
    } finally {
      if (done.length > 0) await transaction.deleteFrom('outbox').where('id', 'in', done).execute();
    }
  });
  if (failure !== undefined) throw failure.error;
  return done.length;
}

interface Carrying {
  readonly handler: OutboxHandler | OutboxBatchHandler;
  readonly messages: readonly OutboxMessage[];
  readonly timeoutMs: number;
  /** Gets the ids of those that are through. */
  readonly done: number[];
}

async function carryRun(
  transaction: Transaction<Tables>,
  { handler, messages, timeoutMs, done }: Carrying,
): Promise<void> {
  if (typeof handler === 'object') {
    await allOrNone(transaction, () => withTimeout(timeoutMs, handler.carryAll(messages, { kysely: transaction })));
    done.push(...messages.map(({ id }) => id));
    return;
  }
  for (const { id, payload } of messages) {
    await withTimeout(timeoutMs, handler(payload, id, { kysely: transaction }));
    done.push(id);
  }
}

interface Run {
  readonly topic: string;
  readonly messages: OutboxMessage[];
}

/** Messages that follow each other and are of one topic stand together. */
function runsOf(batch: readonly (OutboxMessage & { readonly topic: string })[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { topic, ...message } of batch) {
    const last = runs.at(-1);
    if (last?.topic === topic) last.messages.push(message);
    else runs.push({ topic, messages: [message] });
  }
  return runs;
}

async function allOrNone(transaction: Transaction<Tables>, work: () => Promise<void>): Promise<void> {
  await sql`savepoint run`.execute(transaction);
  try {
    await work();
  } catch (error) {
    await sql`rollback to savepoint run`.execute(transaction);
    throw error;
  }
}

/** Asked without a transaction, since the answer is nearly always no. */
const hasMessages = existsBatch((kysely) =>
  kysely
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', sql<string>`any (${undefined}::text[])`),
);

/** The oldest messages; none while another replica has its turn. */
async function takeBatch(transaction: Transaction<Tables>, topics: readonly string[]) {
  const { rows } = await sql<{ turn: boolean }>`select pg_try_advisory_xact_lock(7261004) as turn`.execute(transaction);
  if (rows[0]?.turn !== true) return [];
  return transaction
    .selectFrom('outbox')
    .select(['id', 'topic', 'payload'])
    .where('topic', 'in', topics)
    .orderBy('id')
    .limit(batchSize)
    .execute();
}

async function withTimeout(timeoutMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`its handler took more than ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
