import { nonInference } from '../any/non-inference.ts';
import type { DialectPaths } from '../shared/dialect-paths.ts';
import { openaiBatches } from './batches.ts';
import { openaiChat } from './chat.ts';
import { openaiCompletions } from './completions.ts';
import { openaiEmbeddings } from './embeddings.ts';
import { storedMessages } from './stored-messages.ts';
import { storedResponse, openaiResponses } from './responses.ts';
import { storedRun, openaiRuns, openaiThreadMessages, openaiThreads, openaiToolOutputs } from './threads.ts';

export const openaiPaths: DialectPaths = {
  ends: {
    '/chat/completions': openaiChat,
    '/responses': openaiResponses,
    '/completions': openaiCompletions,
    '/embeddings': openaiEmbeddings,
    '/batches': openaiBatches,
    '/responses/input_tokens': nonInference(openaiResponses),
    '/responses/compact': nonInference(openaiResponses),
    '/threads': openaiThreads,
    '/threads/runs': openaiRuns,
  },
  // Another provider's paths end like this one.
  first: [
    [/\/chat\/completions\/[^/]+\/messages$/, storedMessages],
    [/\/threads\/[^/]+\/messages$/, openaiThreadMessages],
    [/\/threads\/[^/]+\/runs$/, openaiRuns],
    [/\/threads\/[^/]+\/runs\/[^/]+\/submit_tool_outputs$/, openaiToolOutputs],
  ],
  last: [
    [/\/responses\/[^/]+(?:\/cancel)?$/, storedResponse],
    [/\/threads\/[^/]+\/runs\/[^/]+(?:\/cancel)?$/, storedRun],
  ],
};
