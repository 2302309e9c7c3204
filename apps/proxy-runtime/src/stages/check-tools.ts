import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/**
 * The place of the MCP tool allow-list: after parsing, since the tool's name stands in the body, and
 * before inspection. No tools are discovered yet, so nothing is hidden.
 */
export const checkTools: RequestStage<Exchange> = {
  name: 'check-tools',
  on: ['mcp'],
  onFault: 'deny',
  run: () => next,
};
