import { randomUUID } from 'node:crypto';

/** Ids of the latest requests of each proxy that are looked for in its log at the end. */
const keptIds = 400;

/** A proxy under load, and what its request log has to hold. */
export class LoadedProxy {
  readonly name: string;
  readonly id: number;
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** Answered, or broken off where the log must know of it. */
  certain = 0;
  /** Begun by clients who left before anybody could tell whether it became a request. */
  uncertain = 0;
  readonly #ids: string[] = [];

  constructor(parts: { readonly name: string; readonly id: number; readonly port: number; readonly key: string }) {
    this.name = parts.name;
    this.id = parts.id;
    this.port = parts.port;
    this.key = parts.key;
    this.url = `http://127.0.0.1:${parts.port}`;
  }

  /** The id of a request whose answer is going to be read. */
  nextId(): string {
    const id = `soak-${randomUUID()}`;
    this.#ids.push(id);
    if (this.#ids.length > keptIds) this.#ids.shift();
    return id;
  }

  get recentIds(): readonly string[] {
    return this.#ids;
  }
}
