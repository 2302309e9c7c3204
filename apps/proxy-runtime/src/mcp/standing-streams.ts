/**
 * Streams and sockets of one proxy port that stay open without end. Whoever waits for their end when the
 * port closes waits in vain, so they are told to go.
 */
export class StandingStreams {
  readonly #leave = new Set<() => void>();

  /**
   * @param leave ends the stream in good order, soon
   * @returns to be called when it has ended
   */
  add(leave: () => void): () => void {
    this.#leave.add(leave);
    return () => this.#leave.delete(leave);
  }

  get size(): number {
    return this.#leave.size;
  }

  endAll(): void {
    for (const leave of this.#leave) leave();
  }
}
