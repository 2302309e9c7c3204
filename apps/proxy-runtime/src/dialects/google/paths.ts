import { unanswered } from '../any/unanswered.ts';
import type { DialectPaths } from '../dialect-paths.ts';
import { geminiBatches } from './batches.ts';
import { geminiCount } from './count-tokens.ts';
import { gemini } from './generate-content.ts';

export const googlePaths: DialectPaths = {
  ends: {
    ':generatecontent': gemini,
    ':streamgeneratecontent': gemini,
    ':batchgeneratecontent': geminiBatches,
    ':counttokens': geminiCount,
    '/cachedcontents': unanswered(gemini),
  },
};
