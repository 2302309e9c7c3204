import type { Exchange } from '../exchange.ts';
import { renderTargetPath } from '../traffic/target-request.ts';

type Send = (message: object) => void;

/**
 * The open streams of the transport of 2024-11-05 in this process, by the endpoint that was announced on
 * each: answers to what is posted there come on the stream.
 */
export class OlderStreams {
  readonly #streams = new Map<string, Send>();

  /** @returns to be called when the stream has ended */
  add(exchange: Exchange, endpoint: string, send: Send): () => void {
    const name = nameOf(exchange, endpoint);
    this.#streams.set(name, send);
    return () => {
      if (this.#streams.get(name) === send) this.#streams.delete(name);
    };
  }

  /** The stream on which the sender of this message waits for answers. */
  find(exchange: Exchange): Send | undefined {
    if (this.#streams.size === 0 || exchange.request.method !== 'POST') return undefined;
    const { announcedPath, proxy, path, query } = exchange;
    const posted = announcedPath ?? renderTargetPath(proxy.target.basePath, path, '');
    return posted === undefined ? undefined : this.#streams.get(nameOf(exchange, posted + query));
  }
}

/** Nobody is answered on the stream of another key. */
const nameOf = ({ proxy, key }: Exchange, endpoint: string): string => `${proxy.id} ${key?.id} ${endpoint}`;
