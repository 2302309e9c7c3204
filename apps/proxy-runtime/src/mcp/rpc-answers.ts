import { callsOf, messagesOf, type RpcCall } from '@portcullis/core/mcp/rpc-message';

/** Id of the one JSON-RPC request that a body is; null for a message that gets no answer, and for a batch. */
export const requestIdOf = (body: unknown): string | number | null =>
  Array.isArray(body) ? null : (callsOf(body)[0]?.id ?? null);

/**
 * An answer to every request in a body, batches member by member.
 * @param answer what stands in it beside its id: `result` or `error`
 * @returns undefined when nothing in the body waits for an answer
 */
export function answerEach(body: unknown, answer: (call: RpcCall) => object): object | undefined {
  const answers = messagesOf(body).flatMap((message) =>
    callsOf(message).flatMap((call) =>
      call.id === undefined ? [] : [{ jsonrpc: '2.0', id: call.id, ...answer(call) }],
    ),
  );
  return Array.isArray(body) && answers.length > 0 ? answers : answers[0];
}

/** Whether a client looks for answers in the body of the response to its POST. Those of the legacy SSE transport take anything. */
export const readsAnswers = (accept: string | undefined): boolean => accept?.includes('application/json') === true;
