import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect } from './llm-dialect.ts';

/** An unknown API: it says what it is told, `{ text, stream? }`. */
export const echoDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body) || typeof body['text'] !== 'string') throw new InvalidQuestion('text: a string', 'text');
    const { text, stream } = body;
    return {
      model: '',
      prompt: text,
      input: text,
      stream: stream === true,
      streamUsage: false,
      tools: [],
      results: [],
      body,
      path,
    };
  },

  renderReply: ({ pieces }) => ({ text: pieces.join('') }),
  renderStream: ({ pieces }) => ({
    head: ': begins\n\n',
    pieces: pieces.map((text) => `data: ${JSON.stringify({ text })}\n\n`),
    tail: 'event: bye\ndata: {}\n\n',
  }),
  renderError: (status, message) => ({ error: { message, status } }),
};
