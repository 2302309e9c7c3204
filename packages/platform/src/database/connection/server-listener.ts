import { setTimeout as delay } from 'node:timers/promises';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import { problemText } from '../../errors/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { Listeners, type NotificationListener } from './listeners.ts';

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/**
 * LISTEN over a connection of its own, since a pooled one changes hands. Connected at the first
 * `listen`, and again, with all channels, whenever it breaks.
 */
export class ServerListener implements AsyncDisposable {
  readonly #config: ClientConfig;
  readonly #log: Logger;
  readonly #listeners: Listeners;
  readonly #stop = new AbortController();
  #client: Client | undefined;
  /** Resolves when a client listens to all channels; replaced as soon as that client breaks. */
  #connected: Promise<void> | undefined;

  constructor(config: ClientConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#listeners = new Listeners(log);
  }

  /** Resolves once listening; while the server is away that is when it is back. */
  async listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>> {
    this.#listeners.add(channel, listener);
    await (this.#connected ??= this.#connect());
    await this.#run(`listen ${escapeIdentifier(channel)}`);
    return async () => {
      if (this.#listeners.remove(channel, listener)) await this.#run(`unlisten ${escapeIdentifier(channel)}`);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#connected?.catch(() => {});
    await this.#client?.end();
  }

  /** Runs on the live client, if any. When it breaks, the next one knows all channels anyway. */
  async #run(command: string): Promise<void> {
    const client = this.#client;
    try {
      await client?.query(command);
    } catch (error) {
      this.#lose(client, error);
      await this.#connected;
    }
  }

  /** Tries until it succeeds or is disposed. */
  async #connect(): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const client = new Client(this.#config);
      try {
        await this.#listenOn(client);
        return;
      } catch (error) {
        this.#log.warn('The database cannot be listened to', { reason: problemText(error), retry_in_ms: pauseMs });
        void client.end().catch(() => {});
        await delay(pauseMs, undefined, { signal: this.#stop.signal });
      }
    }
  }

  async #listenOn(client: Client): Promise<void> {
    client.on('error', (error) => this.#lose(client, error));
    client.on('notification', ({ channel, payload }) => this.#listeners.notify(channel, payload ?? ''));
    await client.connect();
    for (const channel of this.#listeners.channels()) await client.query(`listen ${escapeIdentifier(channel)}`);
    this.#client = client;
  }

  #lose(client: Client | undefined, error: unknown): void {
    if (client === undefined || this.#client !== client || this.#stop.signal.aborted) return;
    this.#log.warn('The connection that listens to the database broke', { reason: problemText(error) });
    this.#client = undefined;
    void client.end().catch(() => {});
    this.#connected = this.#connect();
    this.#connected.catch(() => {});
  }
}
