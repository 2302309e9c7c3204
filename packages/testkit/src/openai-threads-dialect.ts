import { isObject } from './is-object.ts';
import { InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';
import { renderOpenaiError } from './openai-error.ts';

/** A thread that is made and run at once: https://platform.openai.com/docs/api-reference/runs/createThreadAndRun */
export const openaiThreadsDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body) || typeof body['assistant_id'] !== 'string') {
      throw new InvalidQuestion("Missing required parameter: 'assistant_id'.", 'assistant_id');
    }
    const { thread, instructions, additional_instructions: more, stream, model } = body;
    const messages = isObject(thread) && Array.isArray(thread['messages']) ? thread['messages'] : [];
    const texts = messages.map((message: unknown) => (isObject(message) ? textOf(message['content']) : ''));
    return {
      model: typeof model === 'string' ? model : 'gpt-4o-mini',
      prompt: texts.at(-1) ?? '',
      input: [textOf(instructions), textOf(more), ...texts].join('\n'),
      stream: stream === true,
      streamUsage: true,
      tools: [],
      results: [],
      body,
      path,
    };
  },

  // What it comes to is looked up later.
  renderReply: (reply, { body }) => renderRun(reply, body, 'queued', null),

  renderStream(reply, { body }) {
    const message = { id: 'msg_peer', object: 'thread.message', thread_id: 'thread_peer', role: 'assistant' };
    const content = [{ type: 'text', text: { value: reply.pieces.join(''), annotations: [] } }];
    return {
      head: [
        event('thread.created', { id: 'thread_peer', object: 'thread' }),
        event('thread.run.created', renderRun(reply, body, 'queued', null)),
        event('thread.message.created', { ...message, status: 'in_progress', content: [] }),
      ].join(''),
      pieces: reply.pieces.map((value) =>
        event('thread.message.delta', {
          id: 'msg_peer',
          object: 'thread.message.delta',
          delta: { content: [{ index: 0, type: 'text', text: { value } }] },
        }),
      ),
      tail: [
        event('thread.message.completed', { ...message, status: 'completed', content }),
        event('thread.run.completed', renderRun(reply, body, 'completed', renderUsage(reply))),
        'event: done\ndata: [DONE]\n\n',
      ].join(''),
    };
  },

  renderError: renderOpenaiError,
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** It shows its instructions, those of its assistant in front of what was added to them. */
const renderRun = (
  { model, number }: LlmReply,
  { instructions, additional_instructions: more }: Readonly<Record<string, unknown>>,
  status: string,
  usage: object | null,
) => ({
  id: `run_peer_${number}`,
  object: 'thread.run',
  created_at: 1_767_225_600,
  thread_id: 'thread_peer',
  assistant_id: 'asst_peer',
  status,
  model,
  instructions: [textOf(instructions) || 'You are an assistant.', textOf(more)].join('\n').trim(),
  tools: [],
  usage,
});

const renderUsage = ({ inputTokens, outputTokens }: LlmReply) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_token_details: { cached_tokens: 0 },
});
