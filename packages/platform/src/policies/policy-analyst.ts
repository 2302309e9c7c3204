import { on } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { restoreAnalyses } from '@portcullis/core/policy/pattern/analyse-pattern';
import type { StoredAnalysis } from '@portcullis/core/policy/pattern/analysed-pattern';
import { problemText } from '../errors/problem.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import type { Logger } from '../log/logger.ts';
import { createAnalysisStore, hashDocument } from './analysis-store.ts';

/** A reader of a document that was analysed finds all its patterns known. */
export interface PolicyAnalyst extends AsyncDisposable {
  /** Learns what is kept on disk. Never rejects. */
  load(): Promise<void>;
  /** Analyses the patterns of a document, unless they are known. Never rejects: what failed is done by who reads it. */
  analyse(document: unknown): Promise<void>;
}

/** What the thread is given. */
export interface AnalystData {
  /** Of the file that all processes share. */
  readonly path: string;
  /** Seals the file. */
  readonly secret: string;
  /** The one before, by which the file may still be sealed. */
  readonly previousSecret?: string | undefined;
}

export interface AnalystQuestion {
  readonly document: unknown;
}

export type AnalystAnswer =
  | { readonly analyses: readonly StoredAnalysis[] }
  | { readonly problem: string }
  | { readonly done: true };

/** The thread holds tables of its own: it ends after this time without a question. */
const idleMs = 10_000;

/**
 * Analyses policies in a thread of its own, and keeps what came of it on disk: with the built-in policies that takes
 * more than a second, which neither traffic nor a start has to wait for.
 */
export function createPolicyAnalyst(data: AnalystData, log: Logger): PolicyAnalyst {
  const known = new Set<string>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** One after the other, so that each question has its own answers. */
  let last = Promise.resolve();

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('analyse-policy.worker.ts', import.meta.url), { workerData: data });
    started.unref();
    return started;
  };
  const ask = async (document: unknown): Promise<void> => {
    clearTimeout(idle);
    const asked = (thread ??= start());
    const answers = on(asked, 'message', { close: ['exit'] });
    asked.postMessage({ document } satisfies AnalystQuestion);
    for await (const [answer] of answers as AsyncIterable<[AnalystAnswer]>) {
      if ('analyses' in answer) restoreAnalyses(answer.analyses);
      else if ('problem' in answer) log.warn('What is known of policies is not kept', { reason: answer.problem });
      else return;
    }
    throw new Error('the thread ended');
  };
  const analyseOnce = async (document: unknown): Promise<void> => {
    const hash = hashDocument(document);
    if (known.has(hash)) return;
    try {
      await ask(document);
      known.add(hash);
      idle = setTimeout(() => void end(), idleMs).unref();
    } catch (error) {
      log.warn('A policy is analysed beside traffic: its own thread failed', { reason: problemText(error) });
      await end();
    }
  };

  return {
    async load() {
      try {
        for (const [hash, analyses] of await createAnalysisStore(data.path, data.secret, data.previousSecret).load()) {
          restoreAnalyses(analyses);
          known.add(hash);
        }
      } catch (error) {
        log.warn('What was known of policies is found out anew', { reason: problemText(error) });
      }
    },

    analyse(document) {
      last = last.then(() => analyseOnce(document));
      return last;
    },

    [Symbol.asyncDispose]: end,
  };
}

interface SharedAnalyst {
  readonly analyst: PolicyAnalyst;
  loaded: Promise<void> | undefined;
  users: number;
}

const shared = new Map<string, SharedAnalyst>();

/**
 * The same for all services of a process: one thread analyses for all of them, and what one has asked for none asks
 * again. It ends when the last of them lets go.
 */
export function sharePolicyAnalyst(
  { config, dataDirectory }: Pick<Infrastructure, 'config' | 'dataDirectory'>,
  log: Logger,
): PolicyAnalyst {
  const path = join(dataDirectory, 'policy-analyses.bin');
  const open = (): SharedAnalyst => {
    const [secret, previousSecret] = [config.ENCRYPTION_KEY.reveal(), config.ENCRYPTION_KEY_PREVIOUS?.reveal()];
    return { analyst: createPolicyAnalyst({ path, secret, previousSecret }, log), loaded: undefined, users: 0 };
  };
  const entry = shared.get(path) ?? open();
  shared.set(path, entry);
  entry.users += 1;
  let isUsed = true;
  return {
    load: () => (entry.loaded ??= entry.analyst.load()),
    analyse: (document) => entry.analyst.analyse(document),
    async [Symbol.asyncDispose]() {
      if (!isUsed) return;
      isUsed = false;
      entry.users -= 1;
      if (entry.users > 0) return;
      shared.delete(path);
      await entry.analyst[Symbol.asyncDispose]();
    },
  };
}
