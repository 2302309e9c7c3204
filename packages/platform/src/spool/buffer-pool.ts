/** Memory that is used again: allocating a megabyte for each batch calls the garbage collector. */
export class BufferPool {
  #spare: Buffer | undefined;

  /** At least so many bytes, with anything in them. Who does not give them back leaves them to the collector. */
  take(bytes: number): Buffer {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare !== undefined && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(bytes);
  }

  giveBack(memory: Buffer): void {
    this.#spare = memory;
  }
}
