import { nonInference } from '../any/non-inference.ts';
import type { DialectPaths } from '../shared/dialect-paths.ts';
import { geminiBatches } from './batches.ts';
import { geminiCount } from './count-tokens.ts';
import { gemini } from './generate-content.ts';
import { geminiInteractions } from './interactions.ts';
import { storedInteraction } from './stored-interaction.ts';
import { rawPredict, vertexClaude, vertexClaudeCount, vertexMistral } from './raw-predict.ts';

export const googlePaths: DialectPaths = {
  ends: {
    ':generatecontent': gemini,
    ':streamgeneratecontent': gemini,
    ':batchgeneratecontent': geminiBatches,
    ':counttokens': geminiCount,
    '/cachedcontents': nonInference(gemini),
    '/interactions': geminiInteractions,
    ':rawpredict': rawPredict,
    ':streamrawpredict': rawPredict,
  },
  first: [
    [/\/publishers\/anthropic\/models\/count-tokens:rawpredict$/, vertexClaudeCount],
    [/\/publishers\/anthropic\/models\/[^/]+:(?:streamr|r)awpredict$/, vertexClaude],
    [/\/publishers\/mistralai\/models\/[^/]+:(?:streamr|r)awpredict$/, vertexMistral],
  ],
  last: [[/\/interactions\/[^/]+(?:\/cancel)?$/, storedInteraction]],
};
