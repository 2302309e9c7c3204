/** Weights of features by their hash, one byte each, as training writes them. */
export interface WeightsFile {
  /** There are 2 to the power of so many weights. */
  readonly bits: number;
  /** What a weight of one byte is worth. */
  readonly unit: number;
  /** What stands against an attack before anything is known of a text. */
  readonly bias: number;
  /** Signed bytes in base64. */
  readonly weights: string;
}

/** A linear model over hashed features: what each of them says for an attack, or against one. */
export class Weights {
  /** By the slot of a feature's hash: see `slotOf`. */
  readonly weights: Int8Array;
  readonly #unit: number;
  readonly #bias: number;

  constructor({ unit, bias, weights }: WeightsFile) {
    this.weights = new Int8Array(Buffer.from(weights, 'base64'));
    this.#unit = unit;
    this.#bias = bias;
  }

  /** From 0 to 1, for the sum of so many weights; longer stretches take more to speak for an attack. */
  probability(sum: number, count: number): number {
    return 1 / (1 + Math.exp(-(this.#bias + (sum * this.#unit) / Math.sqrt(count))));
  }
}

/** The place of a hash among 2 to the power of `bits`: the upper bits of a product are the well mixed ones. */
export const slotOf = (hash: number, bits: number): number => Math.imul(hash, 0x9e37_79b1) >>> (32 - bits);
