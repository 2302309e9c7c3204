import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';
import { invalidType, renderOpenaiError } from './openai-error.ts';

/** Completions, the older API: https://platform.openai.com/docs/api-reference/completions */
export const openaiCompletionsDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('We could not parse the JSON body of your request.');
    const { model, prompt, stream, stream_options: streamOptions } = body;
    if (typeof model !== 'string') throw new InvalidQuestion('you must provide a model parameter');
    const prompts = typeof prompt === 'string' ? [prompt] : prompt;
    if (!Array.isArray(prompts) || !prompts.every((text) => typeof text === 'string')) {
      throw invalidType('prompt', 'a string or array of strings');
    }
    if (body['messages'] !== undefined) throw new InvalidQuestion('Unrecognized request argument supplied: messages');
    const text = prompts.join('\n');
    return {
      model,
      prompt: text,
      input: text,
      stream: stream === true,
      streamUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
      tools: [],
      results: [],
      body,
      path,
    };
  },

  renderReply: (reply) => ({
    ...envelope(reply),
    choices: [{ index: 0, text: reply.pieces.join(''), logprobs: null, finish_reason: 'stop' }],
    usage: renderUsage(reply),
  }),

  renderStream(reply, { streamUsage }) {
    const frame = (choices: readonly unknown[], usage?: unknown) =>
      `data: ${JSON.stringify({ ...envelope(reply), choices, ...(usage !== undefined && { usage }) })}\n\n`;
    const choice = (text: string, finishReason: string | null = null) =>
      frame([{ index: 0, text, logprobs: null, finish_reason: finishReason }]);
    return {
      head: '',
      pieces: reply.pieces.map((text) => choice(text)),
      tail: `${choice('', 'stop')}${streamUsage ? frame([], renderUsage(reply)) : ''}data: [DONE]\n\n`,
    };
  },

  renderError: renderOpenaiError,
};

const envelope = ({ model }: LlmReply) => ({
  id: 'cmpl-peer',
  object: 'text_completion',
  created: 1_767_225_600,
  model,
});

const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});
