import type { TextDetector } from '../detector.ts';
import { characterReader } from './character-reader.ts';
import { cleanText } from './clean-text.ts';
import type { Reader } from './features.ts';
import { highestWindow } from './highest-window.ts';
import { injectionWordingTable } from './injection-wording.table.ts';
import { oddCharactersTable } from './odd-characters.table.ts';
import { plantedOrdersTable } from './planted-orders.table.ts';
import { orderReader, wordReader } from './word-reader.ts';
import { Weights, type WeightsFile } from './weights.ts';

/** A detector that weighs texts by a table, which is unpacked at the first text. */
function tableDetector(fields: Omit<TextDetector, 'kind' | 'score'>, file: WeightsFile, reader: Reader) {
  let table: Weights | undefined;
  const detector: TextDetector = {
    kind: 'text',
    ...fields,
    score(text, least = 0) {
      let highest = 0;
      for (const part of cleanText(text)) {
        table ??= new Weights(file);
        highest = Math.max(highest, highestWindow(part, table, reader, least));
      }
      return highest;
    },
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
    description: 'Pieces of words and signs in a row that no person writes: tails found by a search over tokens',
  },
  oddCharactersTable,
  characterReader,
);

export const plantedOrders = tableDetector(
  {
    name: 'planted-orders',
    type: 'PLANTED_ORDERS',
    description:
      'Words of orders to a model, one after the other as in data that wants to steer the model which reads it',
  },
  plantedOrdersTable,
  orderReader,
);
