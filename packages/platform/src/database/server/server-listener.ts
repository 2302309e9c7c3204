import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier, type ClientConfig } from 'pg';
import { problemText } from '../../lifecycle/problem.ts';
import type { Logger } from '../../log/logger.ts';
import { Listeners, type NotificationListener } from '../listeners.ts';

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
  /** Resolves with the live connection; replaced as soon as that one breaks. */
  #connection: Promise<Client> | undefined;

  constructor(config: ClientConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#listeners = new Listeners(log);
  }

  /** Resolves once listening; while the server is away that is when it is back. */
  async listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>> {
    this.#listeners.add(channel, listener);
    await this.#run(`listen ${escapeIdentifier(channel)}`);
    return async () => {
      if (this.#listeners.remove(channel, listener)) await this.#run(`unlisten ${escapeIdentifier(channel)}`);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const client = await this.#connection?.catch(() => undefined);
    await client?.end();
  }

  /** Runs on the live connection. When it breaks under the query the next one has all channels anyway. */
  async #run(command: string): Promise<void> {
    const client = await (this.#connection ??= this.#connect());
    await client.query(command).catch(async (error: unknown) => {
      if (error instanceof DatabaseError) throw error;
      await this.#connection;
    });
  }

  async #connect(): Promise<Client> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const client = new Client(this.#config);
      try {
        return await this.#attach(client);
      } catch (error) {
        this.#log.warn('The database cannot be listened to', { reason: problemText(error), retry_in_ms: pauseMs });
        await client.end().catch(() => {});
        await delay(pauseMs, undefined, { signal: this.#stop.signal });
      }
    }
  }

  async #attach(client: Client): Promise<Client> {
    client.on('error', (error) =>
      this.#log.warn('The connection that listens to the database broke', { reason: problemText(error) }),
    );
    client.on('notification', ({ channel, payload }) => this.#listeners.notify(channel, payload ?? ''));
    await client.connect();
    for (const channel of this.#listeners.channels()) await client.query(`listen ${escapeIdentifier(channel)}`);
    client.on('end', () => this.#reconnect());
    return client;
  }

  #reconnect(): void {
    if (this.#stop.signal.aborted) return;
    this.#connection = this.#connect();
    this.#connection.catch(() => {});
  }
}
