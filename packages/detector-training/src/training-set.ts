import { join } from 'node:path';
import { optimisedTails } from './corpus/optimised-suffixes.ts';
import { pinnedCharacters } from './documents/pinned-characters.ts';
import { pinnedTexts } from './documents/pinned-texts.ts';
import { isHeldOut, loadSamples, type Sample } from './sample.ts';
import { tailSamples } from './tails/tail-samples.ts';
import { loadVocabulary, type VocabularyName } from './tails/vocabularies.ts';
import { trainingSamples } from './training-samples.ts';
import type { TableName } from './train.ts';

const fixtures = join(import.meta.dirname, '../../core/fixtures');

export const isAttack = ({ label }: Pick<Sample, 'label'>): boolean => label === 'attack';
const isBenign = ({ label }: Sample): boolean => label === 'benign';
const isOptimised = ({ file }: Sample): boolean => file.startsWith('optimised');

/** Of documents each table reads every so many. */
const documentStride = { words: 6, orders: 3 } as const;
/** What agents are told is full of orders, and so is documentation about models, which tools answer with. */
const isReadWhole = ({ file }: Sample, table: TableName): boolean =>
  (table === 'orders' ? /^(?:bmad-method|agentic-vault|ai) / : /^(?:bmad-method|agentic-vault) /).test(file);

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
  if (table === 'characters') return characterSamples(benign, without);
  const isOfTable = ({ label, channel }: Sample): boolean =>
    isAttack({ label }) ? channel === (table === 'words' ? 'user' : 'tool') : table === 'words' || channel === 'tool';
  // Of other documents some are enough, so that what people write counts as much.
  const pinned = pinnedTexts()
    .filter((sample, index) => isReadWhole(sample, table) || index % documentStride[table] === 0)
    .filter(({ file }) => !without.includes(file));
  return [...samples.filter((sample) => isOfTable(sample) && !isOptimised(sample)), ...pinned];
}

/** Tails on one side; on the other what is harmless of ours, and packages of fixed versions, so that the same bytes come out anywhere. */
function characterSamples(benign: readonly Sample[], without: readonly string[]): readonly Sample[] {
  return [
    ...optimisedTails(600),
    ...trainedTails.flatMap(({ name, count }) => tailSamples(name, tokensOf(name), count)),
    ...benign,
    ...pinnedCharacters(),
  ].filter(({ file }) => !without.includes(file));
}

/** More of the tokeniser that cuts programs as well as words: what the table learns of it holds for others. */
const trainedTails = [
  { name: 'llama', count: 1_500 },
  { name: 'claude', count: 4_500 },
] as const;

function tokensOf(name: VocabularyName): readonly string[] {
  const vocabulary = loadVocabulary(name);
  if ('problem' in vocabulary) throw new Error(vocabulary.problem);
  return vocabulary;
}
