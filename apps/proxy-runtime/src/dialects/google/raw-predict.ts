import { property, textProperty } from '@portcullis/core/json/json-value';
import { anthropicMessages } from '../anthropic/messages.ts';
import { anyJson } from '../any/any-json.ts';
import { nonInference } from '../any/non-inference.ts';
import type { Dialect } from '../shared/dialect.ts';
import { readGeminiModel } from '../shared/model-in-path.ts';
import { openaiChat } from '../openai/chat.ts';

/**
 * Claude on Vertex AI, as Claude Code asks for it: Anthropic's body with the model in the path.
 * https://docs.anthropic.com/en/api/claude-on-vertex-ai
 */
export const vertexClaude: Dialect = {
  ...anthropicMessages,
  readModel: (_body, path) => readGeminiModel(path),
  keyHeader: 'authorization',
};

/** Counts tokens of any of its models, which the body names. */
export const vertexClaudeCount: Dialect = { ...nonInference(anthropicMessages), keyHeader: 'authorization' };

/**
 * Mistral's chat on Vertex AI, which speaks as OpenAI's does and tells its usage unasked.
 * https://docs.mistral.ai/deployment/cloud/vertex
 */
const { askForUsage: _unasked, ...chat } = openaiChat;
const mistralChat: Dialect = {
  ...chat,
  provider: 'mistral',
  readModel: (body, path) => textProperty(body, 'model') ?? readGeminiModel(path),
};

export const vertexMistral: Dialect = {
  ...anyJson,
  bodies: 'json',
  // It completes code by a prompt, too.
  forBody: (body) => (Array.isArray(property(body, 'messages')) ? mistralChat : anyJson),
  keyHeader: 'authorization',
};

/** A model that the path names by an endpoint of a project's own. */
export const rawPredict: Dialect = {
  ...anyJson,
  bodies: 'json',
  forBody: (body) => (textProperty(body, 'anthropic_version') === undefined ? anyJson : vertexClaude),
  keyHeader: 'authorization',
};
