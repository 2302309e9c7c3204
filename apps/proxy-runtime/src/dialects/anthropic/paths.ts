import { nonInference } from '../any/non-inference.ts';
import type { DialectPaths } from '../shared/dialect-paths.ts';
import { anthropicBatches } from './batches.ts';
import { anthropicMessages } from './messages.ts';

export const anthropicPaths: DialectPaths = {
  ends: {
    '/messages': anthropicMessages,
    '/messages/batches': anthropicBatches,
    '/messages/count_tokens': nonInference(anthropicMessages),
  },
};
