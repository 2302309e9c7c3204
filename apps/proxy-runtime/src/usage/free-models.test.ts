import { expect, test } from '@jest/globals';
import { isFree } from './free-models.ts';

test.each<[model: string, host: string | undefined, maker: string | undefined, free: boolean]>([
  ['llama3.2', undefined, 'ollama', true],
  ['meta-llama/llama-3.3-70b-instruct:free', 'openrouter', 'openai', true],
  ['llama3.2:3b', undefined, 'openai', true],
  ['qwen2.5-coder:7b-instruct-q4_K_M', undefined, 'openai', true],
  ['gemma3n:e4b', undefined, 'openai', true],
  ['mistral:latest', undefined, 'openai', true],
  ['/models/llama.Q4_K_M.gguf', undefined, 'openai', true],
  ['llama3.2:3b', 'together', 'openai', false],
  ['llama3.2', undefined, 'openai', false],
  ['gpt-4o-mini', undefined, 'openai', false],
  ['ft:gpt-4o-mini:acme::7b', 'openai', 'openai', false],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', undefined, 'aws', false],
  ['openai/gpt-5:online', 'openrouter', 'openai', false],
])('%s at %s is given away: %#', (model, host, maker, free) => {
  expect(isFree(model, { host, maker })).toBe(free);
});
