import type { ProxyType } from '@portcullis/contracts/records';
import { anthropicMessages } from './anthropic-messages.ts';
import { anyJson } from './any-json.ts';
import { mcp } from './mcp.ts';
import { openaiChat } from './openai-chat.ts';
import type { TrafficProtocol } from './protocol.ts';

const llmPaths: readonly (readonly [suffix: string, protocol: TrafficProtocol])[] = [
  ['/chat/completions', openaiChat],
  ['/messages', anthropicMessages],
];

/** @param path request path without its query */
export function findProtocol(type: ProxyType, path: string): TrafficProtocol {
  if (type === 'mcp') return mcp;
  for (const [suffix, protocol] of llmPaths) if (path.endsWith(suffix)) return protocol;
  return anyJson;
}
