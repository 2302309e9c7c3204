import { expect, jest, test } from '@jest/globals';
import { openaiChat } from '../dialects/openai/chat.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { openConversation } from './open-conversation.ts';
import { RefusedTexts } from './refused-texts.ts';

test('a body is looked through once for however many places', () => {
  const messages = Array.from({ length: 100 }, (_, index) => ({ role: 'user', content: `words ${index}` }));
  const requestSources = jest.fn(openaiChat.requestSources);
  const exchange = {
    json: { messages },
    proxy: { id: 1, type: 'llm' },
    dialect: { ...openaiChat, requestSources },
    clientIp: '192.0.2.1',
  };
  const conversation = openConversation(exchange as unknown as Exchange, new RefusedTexts());
  const replaceable = messages.filter((_, index) => conversation?.isReplaceable(['messages', index, 'content']));
  expect(replaceable).toHaveLength(messages.length - 1);
  expect(requestSources).toHaveBeenCalledTimes(1);
});
