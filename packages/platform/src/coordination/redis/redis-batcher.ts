import { slotOf } from '@portcullis/core/budget/account';
import type { Redis, Result } from 'ioredis';
import { oldestHeldSlot, batchLua } from './batch-script.ts';
import { CommandBatch, type BatchCommand } from './command-batch.ts';
import { withTimeout } from './with-timeout.ts';

/** More would keep Redis from others for too long. */
const maxQuestions = 100;
/** A batch takes no more commands when so much of its time is over: those who come later wait their own time. */
const joinableShare = 1 / 5;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    runBatch(keyCount: number, ...keysAndValues: (string | number)[]): Result<string, Context>;
  }
}

export interface RedisBatcherOptions {
  readonly client: Redis;
  /** How long a question waits for its answer at most. */
  readonly timeoutMs: number;
  /** Clock of the buckets, microseconds; Redis' own unless given. */
  readonly nowUs?: (() => number) | undefined;
  /** Told with each answer why Redis did not do what it was asked as a whole; undefined where it did. */
  readonly onAnswer?: (refusal: string | undefined) => void;
}

/** The answer to a question that was refused for what Redis is, not for what was asked: a replica, a full memory, a user without rights. */
const refusalOfAll = /(?:^|;)!([^;]*\b(?:READONLY|OOM|MISCONF|NOPERM|NOREPLICAS|CLUSTERDOWN|MOVED)\b[^;]*)/;

/** No time: the script asks Redis. */
const redisTime = (): number => -1;

/**
 * Puts what is asked in one turn of the event loop to Redis as one command, and what is asked before the answer
 * comes as the next one: a command costs this process many times what a question in it does.
 */
export class RedisBatcher {
  readonly #client: Redis;
  readonly #timeoutMs: number;
  readonly #nowUs: () => number;
  readonly #onAnswer: (refusal: string | undefined) => void;
  #gathering: CommandBatch[] = [];
  #isPlanned = false;
  #underWay = 0;

  constructor({ client, timeoutMs, nowUs = redisTime, onAnswer = () => undefined }: RedisBatcherOptions) {
    client.defineCommand('runBatch', { lua: batchLua });
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#nowUs = nowUs;
    this.#onAnswer = onAnswer;
  }

  /** Rejects when Redis is away or takes longer than the timeout. */
  ask<Answer>(question: BatchCommand<Answer>): Promise<Answer> {
    if (this.#client.status !== 'ready') return Promise.reject(new Error('Redis is out of reach'));
    return this.#join().add(question);
  }

  #join(): CommandBatch {
    const latest = this.#gathering.at(-1);
    if (latest !== undefined && this.#isJoinable(latest)) return latest;
    const batch = this.#begin();
    // Who has waited for long waits for no answer to others.
    if (this.#underWay === 0 || latest !== undefined) this.#plan();
    this.#gathering.push(batch);
    return batch;
  }

  #isJoinable(batch: CommandBatch): boolean {
    const isYoung = performance.now() - batch.begunAt < this.#timeoutMs * joinableShare;
    return isYoung && batch.size < maxQuestions && !batch.isOver;
  }

  #begin(): CommandBatch {
    const batch = new CommandBatch();
    const reply = withTimeout(
      this.#client,
      this.#timeoutMs,
      () => batch.reply.promise,
      (turnsTaken) => batch.notifyReply(turnsTaken),
    );
    reply.then(
      (text) => batch.answer(text),
      (error: unknown) => batch.fail(error),
    );
    return batch;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      for (const batch of this.#gathering.splice(0)) if (!batch.isOver) void this.#send(batch);
    });
  }

  async #send(batch: CommandBatch): Promise<void> {
    this.#underWay += 1;
    try {
      const oldest = oldestHeldSlot(slotOf(Date.now()));
      const { keys } = batch;
      const reply = await this.#client.runBatch(keys.length, ...keys, batch.render(), this.#nowUs(), oldest);
      this.#onAnswer(refusalOfAll.exec(reply)?.[1]);
      if (batch.isOver) batch.answerLate(reply);
      else batch.reply.resolve(reply);
    } catch (error) {
      // What is no answer of Redis is told by the connection.
      if (Error.isError(error) && error.name === 'ReplyError') this.#onAnswer(error.message);
      batch.reply.reject(error);
    }
    this.#underWay -= 1;
    if (this.#underWay === 0 && this.#gathering.length > 0) this.#plan();
  }
}
