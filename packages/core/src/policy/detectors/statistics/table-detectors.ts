import type { TextDetector } from '../detector.ts';
import { highestWindow, type Reader } from './highest-window.ts';
import { injectionWordingTable } from './injection-wording.table.ts';
import { oddCharactersTable } from './odd-characters.table.ts';
import { characterReader, wordReader } from './readers.ts';
import { WeightTable, type WeightTableFile } from './weight-table.ts';

/** More is not weighed: what a table is about stands at an end of a text. */
const mostAtAnEnd = 16_384;

/** Keys, addresses, what is encoded and figures say nothing of wording, and are odd by nature. */
const oddByNature = /\S{40,}|\b\d{3,}\b/g;

/** A detector that weighs texts by a table, which is unpacked at the first text. */
function tableDetector(fields: Omit<TextDetector, 'kind' | 'score'>, file: WeightTableFile, reader: Reader) {
  let table: WeightTable | undefined;
  const weigh = (text: string): number =>
    highestWindow(text.replaceAll(oddByNature, ' '), (table ??= new WeightTable(file)), reader);
  const detector: TextDetector = {
    kind: 'text',
    ...fields,
    score: (text) =>
      text.length <= 2 * mostAtAnEnd
        ? weigh(text)
        : Math.max(weigh(text.slice(0, mostAtAnEnd)), weigh(text.slice(-mostAtAnEnd))),
  };
  return detector;
}

export const injectionWording = tableDetector(
  {
    name: 'injection-wording',
    type: 'INJECTION_WORDING',
    description: 'Words that stand together in injections and jailbreaks rather than in other texts',
  },
  injectionWordingTable,
  wordReader,
);

export const oddCharacters = tableDetector(
  {
    name: 'odd-characters',
    type: 'ODD_CHARACTERS',
    description: 'Pieces of words and signs in a row that nobody writes: tails found by a search over tokens',
  },
  oddCharactersTable,
  characterReader,
);
