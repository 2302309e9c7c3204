import { unanswered } from '../any/unanswered.ts';
import type { DialectPaths } from '../dialect-paths.ts';
import { openaiBatches } from './batches.ts';
import { openaiChat } from './chat.ts';
import { openaiCompletions } from './completions.ts';
import { openaiEmbeddings } from './embeddings.ts';
import { keptMessages } from './kept-messages.ts';
import { keptResponse, openaiResponses } from './responses.ts';

export const openaiPaths: DialectPaths = {
  ends: {
    '/chat/completions': openaiChat,
    '/responses': openaiResponses,
    '/completions': openaiCompletions,
    '/embeddings': openaiEmbeddings,
    '/batches': openaiBatches,
    '/responses/input_tokens': unanswered(openaiResponses),
    '/responses/compact': unanswered(openaiResponses),
  },
  // Another provider's paths end like this one.
  first: [[/\/chat\/completions\/[^/]+\/messages$/, keptMessages]],
  last: [[/\/responses\/[^/]+(?:\/cancel)?$/, keptResponse]],
};
