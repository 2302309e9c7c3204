import * as chats from './chats.ts';
import { keyChurn, readFigures, readLists } from './management.ts';
import { mcpSession } from './mcp-sessions.ts';
import * as refusals from './refusals.ts';
import { hangUp, slowClient } from './slow-clients.ts';
import type { World } from './soak-context.ts';

/** Something that clients do, and how often among all that they do. Throws when the gateway does not do its part. */
export interface Activity {
  readonly name: string;
  readonly share: number;
  readonly run: (world: World) => Promise<void>;
}

const row = (name: string, share: number, run: Activity['run']): Activity => ({ name, share, run });

export const activities: readonly Activity[] = [
  row('chat OpenAI', 14, chats.chatOpenai),
  row('chat Anthropic', 8, chats.chatAnthropic),
  row('chat Gemini', 6, chats.chatGemini),
  row('chat OpenAI responses', 5, chats.chatResponses),
  row('OpenAI completions', 3, chats.completeOpenai),
  row('embeddings', 3, chats.embed),
  row('stream OpenAI', 7, chats.streamOpenai),
  row('stream Anthropic', 4, chats.streamAnthropic),
  row('stream Gemini', 3, chats.streamGemini),
  row('stream OpenAI responses', 3, chats.streamResponses),
  row('redacted chat', 4, chats.chatRedacted),
  row('redacted stream', 2, chats.streamRedacted),
  row('stream hung up half way', 4, hangUp),
  row('slow client', 2, slowClient),
  row('client gone in its body', 2, refusals.halfBody),
  row('client gone at once', 2, refusals.goneAtOnce),
  row('attack', 4, refusals.attack),
  row('refused by a guardrail', 2, refusals.judged),
  row('wrong key', 3, refusals.wrongKey),
  row('undecodable body', 2, refusals.brokenJson),
  row('oversized body', 1, refusals.oversized),
  row('target answers 500', 2, refusals.failingTarget),
  row('target not there', 2, refusals.nobodyThere),
  row('target hangs', 1, refusals.hangingTarget),
  row('target breaks off', 2, refusals.brokenAnswer),
  row('target breaks a stream off', 2, refusals.brokenStream),
  row('MCP session', 5, mcpSession),
  row('lists of the management', 1, readLists),
  row('figures of the management', 1, readFigures),
  row('key made and revoked', 0.3, keyChurn),
];
