import { slotOf, Weights } from '../../../policy/detectors/linear-classifier/weights.ts';
import { fewestFeatures, hashFeature, stanceFeatures, type PhraseReading } from './stance-features.ts';
import { stanceTable } from './stance.table.ts';

const table = new Weights(stanceTable);

/**
 * How likely an answer turns the request down, from 0 to 1, by all of its words and by what phrases say of it. Phrases know
 * the refusals that somebody thought of; words know what answers of either kind are made of, in voices that nobody has heard.
 */
export function refusalLikelihood(folded: string, reading: PhraseReading): number {
  let sum = 0;
  let count = 0;
  for (const feature of stanceFeatures(folded, reading)) {
    const weight = table.weights[slotOf(hashFeature(feature), stanceTable.bits)] ?? 0;
    if (weight === 0) continue;
    sum += weight;
    count += 1;
  }
  return table.probability(sum, Math.max(fewestFeatures, count));
}
