import { join } from 'node:path';
import { optimisedTails } from './corpus/optimised-suffixes.ts';
import { packageDocuments } from './documents/document-samples.ts';
import { pinnedTexts } from './documents/pinned-texts.ts';
import { loadLanguages } from './languages/load-languages.ts';
import { isHeldOut, loadSamples, type Sample } from './sample.ts';
import { tailSamples } from './tails/tail-samples.ts';
import { loadVocabulary } from './tails/vocabularies.ts';
import { trainingSamples } from './training-samples.ts';
import type { TableName } from './train.ts';

const fixtures = join(import.meta.dirname, '../../core/fixtures');

export const isAttack = ({ label }: Pick<Sample, 'label'>): boolean => label === 'attack';
const isBenign = ({ label }: Sample): boolean => label === 'benign';
const isOptimised = ({ file }: Sample): boolean => file.startsWith('optimised');

/** Of documents each table reads every so many. */
const documentStride = { words: 6, orders: 3 } as const;
const isForAgents = ({ file }: Sample): boolean => /^(?:bmad-method|agentic-vault) /.test(file);

/**
 * What a table is trained with. Texts that are held out never are, of our harmless ones every second.
 * @param without sources to be left out, so that they can be measured as ones that were never seen
 */
export function trainingSet(table: TableName, without: readonly string[] = []): readonly Sample[] {
  const samples = [
    ...loadSamples(fixtures).filter((sample) => isAttack(sample) || !isHeldOut(sample)),
    ...trainingSamples(),
  ].filter((sample) => sample.half !== 'held' && !without.includes(sample.file));
  const benign = samples.filter(isBenign);
  if (table === 'characters') return characterSamples(benign);
  const isOfTable = ({ label, channel }: Sample): boolean =>
    isAttack({ label }) ? channel === (table === 'words' ? 'user' : 'tool') : table === 'words' || channel === 'tool';
  // What agents are told is full of orders; of other documents some are enough, so that what people write counts as much.
  const pinned = pinnedTexts()
    .filter((sample, index) => isForAgents(sample) || index % documentStride[table] === 0)
    .filter(({ file }) => !without.includes(file));
  return [...samples.filter((sample) => isOfTable(sample) && !isOptimised(sample)), ...pinned];
}

/** Of many sources, each of which is to count for about as much as another. */
function characterSamples(benign: readonly Sample[]): readonly Sample[] {
  const vocabulary = loadVocabulary('llama');
  const { samples: prose, problem } = loadLanguages();
  if ('problem' in vocabulary) throw new Error(vocabulary.problem);
  if (problem !== undefined) throw new Error(problem);
  const isTuned = ({ half }: Sample): boolean => half === 'tuned';
  return [
    ...optimisedTails(600),
    ...tailSamples('llama', vocabulary, 3_000),
    ...benign,
    ...prose.filter(isTuned).filter((_sample, index) => index % 3 === 0),
    ...packageDocuments()
      .filter(isTuned)
      .map((sample) => ({ ...sample, text: sample.text.slice(0, 8_000), file: 'documents of packages' })),
  ];
}
