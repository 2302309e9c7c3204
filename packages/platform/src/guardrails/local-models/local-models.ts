import { join, resolve } from 'node:path';
import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import type { Config } from '../../config/config.ts';
import type { GuardrailResult } from '../adapters/guardrail-adapter.ts';
import type { GuardrailQuestion } from '../adapters/guardrail-question.ts';
import { ClassifierThread } from './classifier-thread.ts';
import { readClassification } from './read-classification.ts';

/** Text classifiers that run in this process, each in a thread of its own. */
export interface LocalModels extends AsyncDisposable {
  /** @throws what keeps the model from judging, and the reason of the signal */
  judge(
    config: GuardrailConfig<'local-model'>,
    question: GuardrailQuestion,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<{ readonly reading: GuardrailResult; readonly whole: boolean }>;
}

export interface LocalModelOptions {
  /** Absent: there are none. */
  readonly folder: string | undefined;
  readonly maxBytes: number;
  readonly threads: number;
  /** A model that is not asked for so long gives its memory back. */
  readonly idleMs?: number;
}

/** Models in memory at once. */
const maxModels = 4;

export function createLocalModels({ folder, maxBytes, threads, idleMs = 900_000 }: LocalModelOptions): LocalModels {
  const open = new Map<string, ClassifierThread>();
  const ending = new Set<Promise<void>>();

  const end = (name: string, thread: ClassifierThread): void => {
    open.delete(name);
    const ended = thread[Symbol.asyncDispose]();
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };
  const endIdle = (): void => {
    const before = performance.now() - idleMs;
    for (const [name, thread] of open) if (!thread.isBusy && thread.lastAskedMs <= before) end(name, thread);
  };
  const timer = setInterval(endIdle, Math.max(10, Math.min(idleMs, 60_000))).unref();

  /** The one that was not asked for longest makes room. */
  const endLongestIdle = (): void => {
    if (open.size < maxModels) return;
    const idle = [...open].filter(([, { isBusy }]) => !isBusy);
    const [oldest] = idle.toSorted(([, a], [, b]) => a.lastAskedMs - b.lastAskedMs);
    if (oldest === undefined) throw new Error(`${maxModels} models are being asked already`);
    end(...oldest);
  };

  const threadOf = ({ model, file }: GuardrailConfig<'local-model'>): ClassifierThread => {
    if (folder === undefined) throw new Error('GUARDRAIL_MODELS_DIR names no folder of models');
    const name = join(model, file);
    let thread = open.get(name);
    if (thread === undefined) {
      endLongestIdle();
      thread = new ClassifierThread({ folder: join(resolve(folder), model), file, maxBytes, threads });
      open.set(name, thread);
    }
    return thread;
  };

  return {
    async judge(config, { messages }, signal, timeoutMs) {
      const texts = messages.map(({ text }) => text);
      const asked = { texts, maxTokens: config.max_tokens, maxWindows: config.max_windows };
      const classification = await threadOf(config).ask(asked, signal, timeoutMs);
      return { reading: readClassification(config, classification), whole: classification.whole };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const [name, thread] of open) end(name, thread);
      await Promise.all(ending);
    },
  };
}

const bytesPerMb = 1_048_576;

export const openLocalModels = (
  config: Pick<Config, 'GUARDRAIL_MODELS_DIR' | 'GUARDRAIL_MODEL_MAX_MB' | 'GUARDRAIL_MODEL_THREADS'>,
): LocalModels =>
  createLocalModels({
    folder: config.GUARDRAIL_MODELS_DIR,
    maxBytes: config.GUARDRAIL_MODEL_MAX_MB * bytesPerMb,
    threads: config.GUARDRAIL_MODEL_THREADS,
  });
