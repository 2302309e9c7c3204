import { characterReader } from '@portcullis/core/policy/detectors/linear-classifier/character-reader';
import { orderReader, wordReader } from '@portcullis/core/policy/detectors/linear-classifier/word-reader';
import { slotOf, type WeightsFile } from '@portcullis/core/policy/detectors/linear-classifier/weights';
import { mostHashes, type Reader } from '@portcullis/core/policy/detectors/linear-classifier/features';
import { unitsOf } from '@portcullis/core/policy/views/text-units';
import type { Sample } from './sample.ts';
import { seeded } from './corpus/seeded.ts';

/** How a table is trained. */
interface Training {
  readonly reader: Reader;
  readonly epochs: number;
  readonly rate: number;
  /** Pulls weights to zero: the higher, the fewer features a text is judged by. */
  readonly decay: number;
  /** Features that fewer texts have are forgotten. */
  readonly fewestTexts: number;
}

/** The tables of the product: how each is trained, and where it stands. */
export const tables = {
  words: {
    file: 'injection-wording',
    constant: 'injectionWordingTable',
    training: { reader: wordReader, epochs: 12, rate: 0.15, decay: 2e-5, fewestTexts: 3 },
  },
  orders: {
    file: 'planted-orders',
    constant: 'plantedOrdersTable',
    training: { reader: orderReader, epochs: 12, rate: 0.15, decay: 2e-5, fewestTexts: 3 },
  },
  characters: {
    file: 'odd-characters',
    constant: 'oddCharactersTable',
    training: { reader: characterReader, epochs: 6, rate: 0.1, decay: 1e-5, fewestTexts: 2 },
  },
} as const satisfies Readonly<
  Record<string, { readonly file: string; readonly constant: string; readonly training: Training }>
>;

export type TableName = keyof typeof tables;
export const tableNames: readonly TableName[] = ['words', 'orders', 'characters'];

interface Stretch {
  readonly slots: Int32Array;
  readonly scale: number;
  readonly isAttack: boolean;
  readonly share: number;
}

/** Weights by logistic regression, with steps that get smaller for features that were seen often. */
export function trainTable(samples: readonly Sample[], isAttack: (sample: Sample) => boolean, training: Training) {
  const stretches = balance(samples.flatMap((sample) => cut(sample.text, isAttack(sample), training)));
  const { bits } = training.reader;
  const size = 1 << bits;
  const known = countTexts(samples, training);
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-6);
  let bias = 0;
  let biasSquares = 1e-6;
  const dice = seeded(17);
  for (let epoch = 0; epoch < training.epochs; epoch += 1) {
    for (let turn = 0; turn < stretches.length; turn += 1) {
      const stretch = dice.pick(stretches);
      let sum = 0;
      for (const slot of stretch.slots) sum += weights[slot] as number;
      const probability = 1 / (1 + Math.exp(-(bias + sum * stretch.scale)));
      const error = ((stretch.isAttack ? 1 : 0) - probability) * stretch.share;
      biasSquares += error * error;
      bias += (training.rate * error) / Math.sqrt(biasSquares);
      const step = error * stretch.scale;
      for (const slot of stretch.slots) {
        if ((known[slot] as number) < training.fewestTexts) continue;
        squares[slot] = (squares[slot] as number) + step * step;
        const weight = weights[slot] as number;
        weights[slot] = weight + (training.rate * step) / Math.sqrt(squares[slot]) - training.decay * weight;
      }
    }
  }
  return packWeights(weights, bias, bits);
}

/** Stretches of a text as long as the window, half overlapping. */
function cut(text: string, isAttack: boolean, { reader }: Training): Stretch[] {
  const slots = Array.from(hashesOf(text, reader), (hash) => slotOf(hash, reader.bits));
  const places = slots.length / 3;
  const stretches: Stretch[] = [];
  for (let from = 0; from === 0 || from + reader.window / 2 < places; from += reader.window / 2) {
    const part = Int32Array.from(slots.slice(from * 3, (from + reader.window) * 3));
    const scale = 1 / Math.sqrt(Math.max(reader.least, part.length / 3));
    if (part.length > 0) stretches.push({ slots: part, scale, isAttack, share: 1 });
  }
  // A long text counts for more than a short one, but not for as much more as it is longer.
  const share = 1 / Math.sqrt(stretches.length);
  return stretches.map((stretch) => ({ ...stretch, share }));
}

/** Three for each place. */
function hashesOf(text: string, reader: Reader): Int32Array {
  const hashes = new Int32Array(mostHashes(text.length));
  return hashes.subarray(0, 3 * reader.hash(unitsOf(text), text.length, hashes));
}

/** Both sides weigh the same. */
function balance(stretches: readonly Stretch[]): readonly Stretch[] {
  const weightOf = (side: boolean): number =>
    stretches.reduce((sum, { isAttack, share }) => sum + (isAttack === side ? share : 0), 0);
  const factor = weightOf(false) / weightOf(true);
  const scaled = factor > 1 ? 1 / Math.sqrt(factor) : 1;
  return stretches.map((stretch) => ({
    ...stretch,
    share: stretch.share * (stretch.isAttack ? Math.max(1, Math.sqrt(factor)) : scaled),
  }));
}

function countTexts(samples: readonly Sample[], { reader }: Training): Uint16Array {
  const counts = new Uint16Array(1 << reader.bits);
  for (const { text } of samples) {
    const slots = Array.from(hashesOf(text, reader), (hash) => slotOf(hash, reader.bits));
    for (const slot of new Set(slots)) counts[slot] = (counts[slot] as number) + 1;
  }
  return counts;
}

/** A byte for each weight. */
export function packWeights(weights: Float64Array, bias: number, bits: number): WeightsFile {
  const magnitudes = weights.map(Math.abs).toSorted();
  // The few largest weights are cut off: one word must not decide alone.
  const most = magnitudes[Math.floor(magnitudes.length * 0.9995)] ?? 1;
  const unit = most / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit))));
  return { bits, unit, bias, weights: Buffer.from(bytes.buffer).toString('base64') };
}
