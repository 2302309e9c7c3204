import { unanswered } from '../any/unanswered.ts';
import type { DialectPaths } from '../shared/dialect-paths.ts';
import { openaiBatches } from './batches.ts';
import { openaiChat } from './chat.ts';
import { openaiCompletions } from './completions.ts';
import { openaiEmbeddings } from './embeddings.ts';
import { keptMessages } from './kept-messages.ts';
import { keptResponse, openaiResponses } from './responses.ts';
import { keptRun, openaiRuns, openaiThreadMessages, openaiThreads, openaiToolOutputs } from './threads.ts';

export const openaiPaths: DialectPaths = {
  ends: {
    '/chat/completions': openaiChat,
    '/responses': openaiResponses,
    '/completions': openaiCompletions,
    '/embeddings': openaiEmbeddings,
    '/batches': openaiBatches,
    '/responses/input_tokens': unanswered(openaiResponses),
    '/responses/compact': unanswered(openaiResponses),
    '/threads': openaiThreads,
    '/threads/runs': openaiRuns,
  },
  // Another provider's paths end like this one.
  first: [
    [/\/chat\/completions\/[^/]+\/messages$/, keptMessages],
    [/\/threads\/[^/]+\/messages$/, openaiThreadMessages],
    [/\/threads\/[^/]+\/runs$/, openaiRuns],
    [/\/threads\/[^/]+\/runs\/[^/]+\/submit_tool_outputs$/, openaiToolOutputs],
  ],
  last: [
    [/\/responses\/[^/]+(?:\/cancel)?$/, keptResponse],
    [/\/threads\/[^/]+\/runs\/[^/]+(?:\/cancel)?$/, keptRun],
  ],
};
