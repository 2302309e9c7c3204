import { unanswered } from '../any/unanswered.ts';
import type { DialectPaths } from '../shared/dialect-paths.ts';
import { anthropicBatches } from './batches.ts';
import { anthropicMessages } from './messages.ts';

export const anthropicPaths: DialectPaths = {
  ends: {
    '/messages': anthropicMessages,
    '/messages/batches': anthropicBatches,
    '/messages/count_tokens': unanswered(anthropicMessages),
  },
};
