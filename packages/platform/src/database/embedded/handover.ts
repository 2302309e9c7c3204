/** What a batch of records takes, and some more. */
const capacity = 2 ** 20;
const headBytes = 8;

/**
 * Memory that two threads share, through which one hands bytes to the other. New memory for every batch takes the
 * sender longer than all else of sending it, and counts for the garbage collectors of both.
 */
export class Handover {
  /** What the other thread makes its own Handover of. */
  readonly memory: SharedArrayBuffer;
  /** 1 while there is something that was not taken. */
  readonly #full: Int32Array;
  readonly #bytes: Buffer;
  #taken = Buffer.alloc(0);

  constructor(memory = new SharedArrayBuffer(headBytes + capacity)) {
    this.memory = memory;
    this.#full = new Int32Array(memory, 0, 1);
    this.#bytes = Buffer.from(memory, headBytes);
  }

  /** False, and nothing is done, when there is no room: the bytes must be sent in another way. */
  put(chunks: readonly Buffer[], length: number): boolean {
    if (length > this.#bytes.length || Atomics.load(this.#full, 0) === 1) return false;
    let at = 0;
    for (const chunk of chunks) at += chunk.copy(this.#bytes, at);
    Atomics.store(this.#full, 0, 1);
    return true;
  }

  /** The bytes that were put, in memory that stays as it is until the next are taken; reading shared memory is slow. */
  take(length: number): Uint8Array {
    if (this.#taken.length < length) this.#taken = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(this.#taken, 0, 0, length);
    Atomics.store(this.#full, 0, 0);
    return this.#taken.subarray(0, length);
  }
}
