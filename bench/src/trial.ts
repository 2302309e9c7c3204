import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import type { Contestant, Rig, RunningContestant } from './contestants/contestant.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import { readUsage, type Usage } from './process-usage.ts';
import type { Measured, Memory, Phase, Round, Settings } from './results.ts';

/** What all trials of a run share. */
export interface Place extends Omit<Rig, 'start' | 'defer'> {
  readonly settings: Settings;
  readonly load: LoadGenerator;
  /** The core under test. */
  readonly core: number | undefined;
}

const unlimited = 1e9;

/** Chats and streams take turns as they do in rounds: what is compiled for one of them alone is thrown away at the other. */
const warmUpTurns = 3;

/** One contestant on its way through the run. Disposing ends everything it started. */
export class Trial implements AsyncDisposable {
  readonly contestant: Contestant;
  readonly #place: Place;
  readonly #stack = new AsyncDisposableStack();
  readonly #rounds: Round[] = [];
  #running: RunningContestant | undefined;
  #startedBytes = 0;
  #memory: Memory | undefined;
  #requests = 0;

  constructor(contestant: Contestant, place: Place) {
    this.contestant = contestant;
    this.#place = place;
  }

  /** Starts it and warms it up. */
  async open(): Promise<void> {
    const { core, folder, settings } = this.#place;
    this.#running = await this.contestant.open({
      ...this.#place,
      start: async (options) => this.#stack.use(await startChild({ ...options, core, folder })),
      defer: (task) => this.#stack.defer(task),
    });
    this.#startedBytes = this.#usage().rssBytes;
    for (let turn = 0; turn < warmUpTurns; turn += 1) {
      await this.#send(this.#chats(settings.warmUpMs / warmUpTurns));
      await this.#send({ ...this.#streams(), maxMs: settings.warmUpMs / warmUpTurns / 4 });
    }
    await this.#settle();
  }

  async runRound(): Promise<void> {
    const { phaseMs } = this.#place.settings;
    const many = await this.#measure(this.#chats(phaseMs));
    const one = await this.#measure({ ...this.#chats(phaseMs), connections: 1 });
    const streams = await this.#measure(this.#streams());
    this.#rounds.push({ many, one, streams });
  }

  /** Sends many requests and looks at the memory before and after. */
  async soak(): Promise<void> {
    if (this.#started().pid === undefined) return;
    const { soakRequests: maxRequests, soakMs } = this.#place.settings;
    const beforeBytes = this.#usage().rssBytes;
    const { load } = await this.#measure({ ...this.#chats(soakMs), maxRequests });
    const afterBytes = this.#usage().rssBytes;
    this.#memory = { startedBytes: this.#startedBytes, beforeBytes, afterBytes, requests: load.requests };
  }

  async check(): Promise<void> {
    await this.#started().check?.(this.#requests);
  }

  result(): Measured {
    const { name, description } = this.contestant;
    const { facts } = this.#started();
    return { status: 'measured', name, description, facts, rounds: this.#rounds, memory: this.#memory };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  #chats(maxMs: number): LoadOrder {
    const { manyConnections: connections } = this.#place.settings;
    return { target: this.#started().target, connections, maxRequests: unlimited, maxMs };
  }

  #streams(): LoadOrder {
    const { streamConnections: connections, phaseMs, chunks } = this.#place.settings;
    return { ...this.#chats(phaseMs), connections, chunks };
  }

  async #measure(order: LoadOrder): Promise<Phase> {
    const before = this.#usage();
    const load = await this.#send(order);
    await this.#settle();
    const after = this.#usage();
    return {
      load,
      cpuMicros: after.cpuMicros - before.cpuMicros,
      mainThreadMicros: after.mainThreadMicros - before.mainThreadMicros,
      threadMicros: subtract(after.threadMicros, before.threadMicros),
    };
  }

  async #send(order: LoadOrder): Promise<LoadResult> {
    const result = await this.#place.load.run(order);
    this.#requests += result.requests;
    return result;
  }

  /** Waits until it has done what it left for later, so that this counts for the requests that caused it. */
  async #settle(): Promise<void> {
    if (this.#started().pid === undefined) return;
    let before = this.#usage().cpuMicros;
    for (let turn = 0; turn < settleAtMost; turn += 1) {
      await pause(settleWindowMs, undefined, { signal: this.#place.signal });
      const after = this.#usage().cpuMicros;
      if (after - before < quietShare * settleWindowMs * 1e3) return;
      before = after;
    }
  }

  #usage(): Usage {
    const { pid } = this.#started();
    return pid === undefined ? nothingUsed : readUsage(pid);
  }

  #started(): RunningContestant {
    if (this.#running === undefined) throw new Error(`${this.contestant.name} was not started`);
    return this.#running;
  }
}

const settleWindowMs = 250;
const settleAtMost = 16;
const quietShare = 0.03;

const nothingUsed: Usage = { cpuMicros: 0, mainThreadMicros: 0, threadMicros: {}, rssBytes: 0 };

const subtract = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(after).map(([name, micros]) => [name, Math.round(micros - (before[name] ?? 0))]));
