import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { llmKeys } from '../shared/known-keys.ts';
import { openaiChat } from './chat.ts';

/** OpenAI's batches name a file that was uploaded before, so nothing can be put into their conversations. */
export const openaiBatches: Dialect = {
  ...anyJson,
  bodies: 'conversation',
  keys: llmKeys,
  batch: { dialect: openaiChat, places: () => [] },
};
