import { expect, test } from '@jest/globals';
import type { StreamEvent, Task } from '@portcullis/core/a2a/task';
import { hubReplies } from './hub-surface.ts';

interface Told {
  readonly result: { readonly parts: readonly { readonly text: string }[] };
}
const textOf = (body: object | undefined): string =>
  ((body as Told | undefined)?.result.parts ?? []).map(({ text }) => text).join('');

const update = (artifactId: string, text: string): StreamEvent => ({
  artifactUpdate: { taskId: 't', artifact: { artifactId, parts: [{ text }] }, append: true },
});

test('texts that an agent told in two artifacts do not become one in a message', () => {
  const task: Task = {
    id: 't',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: ['a', 'b'].map((artifactId) => ({
      artifactId,
      parts: [{ text: `${artifactId}1` }, { text: `${artifactId}2` }],
    })),
  };
  expect(textOf(hubReplies(1).outcome({ kind: 'sent', task }).body)).toBe('a1a2\nb1b2');
});

test('nor in the messages of a stream, where pieces of one artifact go on with each other', () => {
  const replies = hubReplies(1);
  const events = [update('a', 'one'), update('a', 'two'), update('b', 'three'), update('a', 'four')];
  expect(events.map((event) => textOf(replies.event(event, undefined))).join('')).toBe('onetwo\nthree\nfour');
});

test('a refusal can be found in the logs by its request id', () => {
  const { body } = hubReplies(1).failure({ reason: 'rate_limited', limit: 5, requestId: 'r-1' });
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32_000, message: 'Rate limit exceeded', data: 'rate limit exceeded: 5 requests per minute' },
    request_id: 'r-1',
  });
});
