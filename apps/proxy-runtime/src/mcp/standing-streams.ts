/**
 * Streams and sockets of one proxy port that stay open without end. Whoever waits for their end when the
 * port closes waits in vain, so they are told to go.
 */
export class StandingStreams {
  /** By how each is ended in good order, how it is cut. */
  readonly #open = new Map<() => void, (() => void) | undefined>();

  /**
   * @param leave ends it in good order, soon
   * @param cut ends it at once; absent where the server of the port does
   * @returns to be called when it has ended
   */
  add(leave: () => void, cut?: () => void): () => void {
    this.#open.set(leave, cut);
    return () => this.#open.delete(leave);
  }

  endAll(): void {
    for (const leave of this.#open.keys()) leave();
  }

  cutAll(): void {
    for (const cut of this.#open.values()) cut?.();
  }
}
