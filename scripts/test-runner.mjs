import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

/**
 * @typedef {import('@jest/types').Config.GlobalConfig} GlobalConfig
 * @typedef {import('@jest/test-result').Test} Test
 * @typedef {import('@jest/test-result').TestResult} TestResult
 * @typedef {import('@jest/test-result').SerializableError} SerializableError
 * @typedef {import('./test-worker.mjs').FileOutcome} FileOutcome
 * @typedef {{ memoryBytes: number } & ({ outcome: FileOutcome } | { error: SerializableError })} Answer
 */

const folder = fileURLToPath(new URL('.', import.meta.url));
/** A worker that has grown over this is replaced by a fresh one before its next file. */
const mostMemoryBytes = 1_500_000_000;
const mostEndMs = 10_000;

/**
 * Runs test files in a few processes that keep what they have imported. jest's own runner reads and links all modules
 * anew for each file, which took most of the time of a whole run; what it would isolate, mocked modules, is not used here.
 */
export default class TestRunner {
  #config;

  /** @param {GlobalConfig} config */
  constructor(config) {
    this.#config = config;
  }

  /**
   * @param {Test[]} tests
   * @param {{ isInterrupted(): boolean }} watcher
   * @param {(test: Test) => Promise<void>} onStart
   * @param {(test: Test, result: TestResult) => Promise<void>} onResult
   * @param {(test: Test, error: SerializableError) => Promise<void>} onFailure
   */
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const waiting = [...tests];
    const work = async (/** @type {number} */ number) => {
      /** @type {Worker | undefined} */
      let worker;
      for (let test = waiting.shift(); test !== undefined && !watcher.isInterrupted(); test = waiting.shift()) {
        await onStart(test);
        worker ??= new Worker(number);
        const startedAt = Date.now();
        const answer = await worker.run(test, this.#config);
        if ('outcome' in answer) {
          keepProfile(test.path, answer.outcome.profile);
          await onResult(test, render(answer.outcome, { test, startedAt, config: this.#config }));
        } else await onFailure(test, answer.error);
        if (answer.memoryBytes > mostMemoryBytes) {
          await worker.stop();
          worker = undefined;
        }
      }
      await worker?.stop();
    };
    const count = Math.min(this.#config.maxWorkers, tests.length);
    await Promise.all(Array.from({ length: count }, (_, index) => work(index + 1)));
  }
}

/**
 * For `run-jest.mjs`, which reads what every file took: jest's own results have no place for it.
 * @param {string} path
 * @param {FileOutcome['profile']} profile
 */
function keepProfile(path, profile) {
  const profiles = process.env['TEST_PROFILES_FILE'];
  if (profiles === undefined) return;
  const file = relative(join(folder, '..'), path).replaceAll('\\', '/');
  appendFileSync(profiles, `${JSON.stringify({ file, ...profile })}\n`);
}

class Worker {
  #child;
  #ended;

  /** @param {number} number from 1; what files of one worker may keep to themselves, as a database of Redis, has it in its name */
  constructor(number) {
    this.#child = fork(join(folder, 'test-worker.mjs'), {
      env: {
        ...process.env,
        JEST_WORKER_ID: String(number),
        NODE_COMPILE_CACHE: join(folder, '..', 'node_modules', '.cache', 'compiled', 'tools'),
      },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit');
  }

  /**
   * A worker that ends in the middle fails its file, and is of no more use.
   * @param {Test} test
   * @param {GlobalConfig} config
   * @returns {Promise<Answer>}
   */
  async run({ path }, { testNamePattern, testTimeout = 5_000 }) {
    this.#child.send({ path, testNamePattern: testNamePattern || undefined, testTimeoutMs: testTimeout });
    const ended = this.#ended.then(([code, signal]) => [
      {
        memoryBytes: Infinity,
        error: { message: `The process of the tests ended with ${code ?? signal}`, stack: undefined },
      },
    ]);
    const [answer] = await Promise.race([once(this.#child, 'message'), ended]);
    return answer;
  }

  async stop() {
    // It ends by itself, and keeps what it compiled for the next run; unless something holds it up.
    const late = setTimeout(() => this.#child.kill('SIGKILL'), mostEndMs);
    this.#child.disconnect?.();
    await this.#ended;
    clearTimeout(late);
  }
}

/**
 * In jest's own form.
 * @param {FileOutcome} outcome
 * @param {{ test: Test, startedAt: number, config: GlobalConfig }} run
 * @returns {TestResult}
 */
function render({ tests, unhandledErrors }, { test: { path, context }, startedAt, config }) {
  const testResults = tests.map(renderTest);
  const count = (/** @type {string} */ status) => testResults.filter((one) => one.status === status).length;
  const thrown = unhandledErrors.join('\n');
  const failures = [
    formatResultsErrors(testResults, context.config, config, path),
    thrown && formatExecError({ message: '', stack: thrown }, context.config, config, path),
  ].filter(Boolean);
  const empty = createEmptyTestResult();
  const end = Date.now();
  const runtime = end - startedAt;
  const slow = runtime > context.config.slowTestThreshold * 1_000;
  return {
    ...empty,
    failureMessage: failures.length > 0 ? failures.join('\n\n') : null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: { ...empty.perfStats, start: startedAt, end, runtime, slow },
    ...(thrown && { testExecError: { message: '', stack: thrown } }),
    testFilePath: path,
    testResults,
  };
}

/** @param {FileOutcome['tests'][number]} test */
function renderTest({
  testPath: [, ...names],
  status,
  errors,
  startedAt: _startedAt,
  retryReasons: _retries,
  ...test
}) {
  const titles = names.map(String);
  const done = errors.length > 0 ? /** @type {const} */ ('failed') : /** @type {const} */ ('passed');
  return {
    ...test,
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
    fullName: titles.join(' '),
    status:
      status === 'skip' ? /** @type {const} */ ('pending') : status === 'todo' ? /** @type {const} */ ('todo') : done,
    failureMessages: [...errors],
    failureDetails: [],
  };
}
