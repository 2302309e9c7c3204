import { Worker } from 'node:worker_threads';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';

export interface TokenQuestion {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface TokenAnswer {
  readonly id: number;
  readonly tokens: readonly number[];
}

/** Counts the tokens of texts, for exchanges whose provider told nothing. */
export interface TokenCounter extends AsyncDisposable {
  /** Tokens of each text, by a tokenizer or, when that is not to be had, by a rule of thumb. Never rejects. */
  count(texts: readonly string[]): Promise<readonly number[]>;
}

/** Rough length of a token in the languages of the models. */
const charactersPerToken = 4;

export const countRoughly = (texts: readonly string[]): readonly number[] =>
  texts.map((text) => Math.ceil(text.length / charactersPerToken));

/** Questions that wait at most; beyond them the rule of thumb has to do. */
const maxWaiting = 256;
/** The tokenizer's tables take tens of megabytes: its thread goes when it is not asked for this long. */
const idleMs = 300_000;

/**
 * A tokenizer in a thread of its own, begun with the first question: loading its tables and counting take
 * milliseconds that no other exchange shall wait for.
 */
export function createTokenCounter(log: Logger): TokenCounter {
  const waiting = new Map<number, { readonly texts: readonly string[]; answer(tokens: readonly number[]): void }>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let asked = 0;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };
  const giveUp = (error: unknown): void => {
    log.warn('tokens are estimated by length: the tokenizer failed', { reason: problemText(error) });
    for (const { texts, answer } of waiting.values()) answer(countRoughly(texts));
    waiting.clear();
    void end();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('count-tokens.worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, tokens }: TokenAnswer) => {
      waiting.get(id)?.answer(tokens);
      waiting.delete(id);
    });
    started.on('error', giveUp);
    return started;
  };

  return {
    count(texts) {
      if (waiting.size >= maxWaiting) return Promise.resolve(countRoughly(texts));
      clearTimeout(idle);
      idle = setTimeout(() => void end(), idleMs).unref();
      asked += 1;
      const id = asked;
      return new Promise((answer) => {
        waiting.set(id, { texts, answer });
        thread ??= start();
        thread.postMessage({ id, texts } satisfies TokenQuestion);
      });
    },

    async [Symbol.asyncDispose]() {
      for (const { texts, answer } of waiting.values()) answer(countRoughly(texts));
      waiting.clear();
      await end();
    },
  };
}
