import type { ProxyType } from '@portcullis/contracts/records';
import { anthropicMessages } from './anthropic-messages.ts';
import { anyJson, keptMessages } from './any-json.ts';
import { anthropicBatches, geminiBatches, openaiBatches } from './batches.ts';
import { gemini } from './gemini.ts';
import { mcp } from './mcp.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiCompletions } from './openai-completions.ts';
import { openaiEmbeddings } from './openai-embeddings.ts';
import { keptResponse, openaiResponses } from './openai-responses.ts';
import type { Dialect } from './dialect.ts';
import { anthropicCount, geminiCount, geminiKept, openaiCount } from './unanswered.ts';

const llmPaths: readonly (readonly [suffix: string, protocol: Dialect])[] = [
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
export function findDialect(type: ProxyType, path: string): Dialect {
  if (type === 'mcp') return mcp;
  return known.get(path) ?? learnProtocol(path);
}

function learnProtocol(path: string): Dialect {
  const protocol = readProtocol(path);
  if (path.length > maxKnownLength) return protocol;
  if (known.size >= maxKnownPaths) known.clear();
  known.set(path, protocol);
  return protocol;
}

function readProtocol(path: string): Dialect {
  const read = readLeniently(path);
  for (const [suffix, protocol] of llmPaths) {
    if (read.endsWith(suffix)) return protocol === anthropicMessages && ofChat.test(read) ? keptMessages : protocol;
  }
  return ofResponse.test(read) ? keptResponse : anyJson;
}

const lettersOfNoName: ReadonlySet<string> = new Set(['/', ' ', '\t']);

/** A path as a lenient target might read it: a way to spell it must not be a way around what a dialect gets. */
function readLeniently(path: string): string {
  let read = path;
  try {
    if (path.includes('%')) read = decodeURIComponent(path);
  } catch {
    // What does not decode is read as it stands.
  }
  let end = read.length;
  while (end > 0 && lettersOfNoName.has(read[end - 1] as string)) end -= 1;
  return read.slice(0, end).toLowerCase();
}
