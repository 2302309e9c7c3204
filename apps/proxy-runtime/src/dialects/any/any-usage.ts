import { anthropicMessages } from '../anthropic/messages.ts';
import { gemini } from '../google/generate-content.ts';
import { property } from '@portcullis/core/json/json-value';
import { openaiChat } from '../openai/chat.ts';
import { openaiResponses } from '../openai/responses.ts';
import type { Dialect } from '../dialect.ts';

/** Usage in the words of any known dialect: other paths of the same APIs, and other vendors, use them too. */
export const readAnyUsage: Dialect['readUsage'] = (answer) => {
  const usage = property(answer, 'usage');
  if (property(usage, 'prompt_tokens') !== undefined) return openaiChat.readUsage(answer);
  if (property(usage, 'cache_read_input_tokens') !== undefined) return anthropicMessages.readUsage(answer);
  if (property(usage, 'input_tokens') !== undefined) return openaiResponses.readUsage(answer);
  return gemini.readUsage(answer);
};
