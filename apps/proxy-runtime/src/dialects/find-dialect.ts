import type { ListenerType } from '@portcullis/contracts/records';
import { anthropicMessages } from './anthropic/messages.ts';
import { anyJson, keptMessages } from './any/any-json.ts';
import { anthropicBatches, geminiBatches, openaiBatches } from './batches.ts';
import { gemini } from './google/generate-content.ts';
import { mcp } from './mcp/mcp.ts';
import { openaiChat } from './openai/chat.ts';
import { openaiCompletions } from './openai/completions.ts';
import { openaiEmbeddings } from './openai/embeddings.ts';
import { keptResponse, openaiResponses } from './openai/responses.ts';
import { normalisePath } from '../traffic/normalise-path.ts';
import type { Dialect } from './dialect.ts';
import { anthropicCount, geminiCount, geminiKept, openaiCount } from './unanswered.ts';

const llmPaths: readonly (readonly [suffix: string, dialect: Dialect])[] = [
  ['/chat/completions', openaiChat],
  ['/messages', anthropicMessages],
  ['/responses', openaiResponses],
  ['/completions', openaiCompletions],
  ['/embeddings', openaiEmbeddings],
  [':generatecontent', gemini],
  [':streamgeneratecontent', gemini],
  ['/messages/batches', anthropicBatches],
  ['/batches', openaiBatches],
  [':batchgeneratecontent', geminiBatches],
  ['/messages/count_tokens', anthropicCount],
  ['/responses/input_tokens', openaiCount],
  ['/responses/compact', openaiCount],
  [':counttokens', geminiCount],
  ['/cachedcontents', geminiKept],
];

/** What OpenAI keeps: a response by its id, and the messages of a chat. */
const ofResponse = /\/responses\/[^/]+(?:\/cancel)?$/;
const ofChat = /\/chat\/completions\/[^/]+\/messages$/;

/** Paths whose dialect is remembered, and how long they may be: clients choose them. */
const maxKnownPaths = 500;
const maxKnownLength = 200;

const known = new Map<string, Dialect>();

/** @param path request path without its query */
export function findDialect(type: ListenerType, path: string): Dialect {
  if (type === 'mcp') return mcp;
  return known.get(path) ?? learnDialect(path);
}

function learnDialect(path: string): Dialect {
  const dialect = readDialect(path);
  if (path.length > maxKnownLength) return dialect;
  if (known.size >= maxKnownPaths) known.clear();
  known.set(path, dialect);
  return dialect;
}

function readDialect(path: string): Dialect {
  const read = normalisePath(path);
  for (const [suffix, dialect] of llmPaths) {
    if (read.endsWith(suffix)) return dialect === anthropicMessages && ofChat.test(read) ? keptMessages : dialect;
  }
  return ofResponse.test(read) ? keptResponse : anyJson;
}
