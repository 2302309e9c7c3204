import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, tool } from 'ai';
import { fileTools, instructions } from './file-tools.mjs';
import { given } from './given.mjs';

const anthropic = createAnthropic({ baseURL: `${given.url}/v1`, apiKey: given.key });
const tools = Object.entries(fileTools).map(([name, { description, schema, run }]) => [
  name,
  tool({ description, inputSchema: schema, execute: run }),
]);

const { text } = await generateText({
  model: anthropic('claude-opus-4-8'),
  instructions,
  prompt: given.prompt,
  tools: Object.fromEntries(tools),
  stopWhen: isStepCount(8),
});
console.log(text);
