import { foldAnswer } from '@portcullis/core/evaluation/judge/refusal/fold-answer';
import { readByPhrases } from '@portcullis/core/evaluation/judge/refusal/read-stance';
import { fewestFeatures, hashFeature, stanceFeatures } from '@portcullis/core/evaluation/judge/refusal/stance-features';
import { slotOf, type WeightsFile } from '@portcullis/core/policy/detectors/linear-classifier/weights';
import { seeded } from '../corpus/seeded.ts';
import { packWeights } from '../train.ts';
import type { LabelledAnswer } from './judged-responses.ts';

const bits = 14;
const epochs = 20;
const rate = 0.09;
const decay = 1e-4;
/** Features of fewer answers are forgotten. */
const fewestAnswers = 2;

interface Example {
  readonly slots: readonly number[];
  readonly scale: number;
  readonly isRefusal: boolean;
}

/** The table of the words of refusals: logistic regression over the answers, the same bytes for the same answers. */
export function trainStance(answers: readonly LabelledAnswer[]): WeightsFile {
  const examples = examplesOf(answers);
  const weights = new Float64Array(1 << bits);
  const squares = new Float64Array(1 << bits).fill(1e-4);
  let bias = 0;
  const dice = seeded(5);
  for (let turn = 0; turn < epochs * examples.length; turn += 1) {
    const { slots, scale, isRefusal } = dice.pick(examples);
    let sum = 0;
    for (const slot of slots) sum += weights[slot] as number;
    const error = (isRefusal ? 1 : 0) - 1 / (1 + Math.exp(-(bias + sum * scale)));
    bias += 0.02 * error;
    const step = error * scale;
    for (const slot of slots) {
      squares[slot] = (squares[slot] as number) + step * step;
      weights[slot] = (weights[slot] as number) * (1 - decay) + (rate * step) / Math.sqrt(squares[slot]);
    }
  }
  return packWeights(weights, bias, bits);
}

function examplesOf(answers: readonly LabelledAnswer[]): readonly Example[] {
  const read = answers.map(({ text, isRefusal }) => {
    const features = stanceFeatures(foldAnswer(text), readByPhrases(text));
    return { slots: [...new Set(features.map((feature) => slotOf(hashFeature(feature), bits)))], isRefusal };
  });
  const counts = new Uint16Array(1 << bits);
  for (const { slots } of read) for (const slot of slots) counts[slot] = (counts[slot] as number) + 1;
  return read.map(({ slots, isRefusal }) => {
    const known = slots.filter((slot) => (counts[slot] as number) >= fewestAnswers);
    return { slots: known, scale: 1 / Math.sqrt(Math.max(fewestFeatures, known.length)), isRefusal };
  });
}

/** The source of the table. */
export function renderStance(answers: readonly LabelledAnswer[]): string {
  const { unit, bias, weights } = trainStance(answers);
  return [
    "import type { WeightsFile } from '../../../policy/detectors/linear-classifier/weights.ts';",
    '',
    `// Made by packages/detector-training of ${answers.length} labelled answers. Change what it is trained on, not this file.`,
    'export const stanceTable: WeightsFile = {',
    `  bits: ${bits},`,
    `  unit: ${unit},`,
    `  bias: ${bias},`,
    '  weights:',
    `    '${weights}',`,
    '};',
    '',
  ].join('\n');
}
