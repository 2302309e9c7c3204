import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/**
 * The place of system prompts: before inspection, so that policies see what the target will see.
 * No prompts can be assigned yet, so the body stays as it came.
 */
export const injectPrompt: RequestStage<Exchange> = {
  name: 'inject-prompt',
  on: ['llm'],
  onFault: 'degrade',
  run: () => next,
};
