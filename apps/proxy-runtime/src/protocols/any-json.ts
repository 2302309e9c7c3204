import { readAnyUsage } from './any-usage.ts';
import { collectDeltas } from './event-texts.ts';
import { readGeminiModel } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import type { EventReading, StreamText, TrafficProtocol } from './protocol.ts';

/**
 * Traffic of no known dialect: texts are found wherever they stand and errors look like OpenAI's,
 * the shape most clients can read.
 */
export const anyJson: TrafficProtocol = {
  name: 'any-json',
  readModel: (body, path) => openaiChat.readModel(body, path) ?? readGeminiModel(path),
  readCalls: () => [],
  readRoles: () => undefined,
  addSystemText: () => undefined,
  readUsage: readAnyUsage,

  readEvent(data): EventReading {
    const texts: StreamText[] = [];
    collectDeltas(data, 'event', [], texts);
    return { texts, usage: readAnyUsage(data), terminal: data === '[DONE]' };
  },

  renderNativeError: openaiChat.renderNativeError,
  renderStreamError: openaiChat.renderStreamError,
};
