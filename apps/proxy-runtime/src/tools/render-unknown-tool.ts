import type { Reply } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { answerEach, readsAnswers } from '../mcp/rpc-answers.ts';

/** The codes that MCP servers use for a tool they do not have, and for what they will not do. */
const invalidParams = -32_602;
const notDone = -32_000;

/**
 * Answers a call of a hidden tool as a server answers one that it does not have, so that nobody can
 * find out by calling what is hidden and what is not there.
 */
export function renderUnknownTool(exchange: Exchange): Reply {
  const errors = unknownToolErrors(exchange);
  // Notifications get no answer.
  if (errors === undefined) return { status: 202, headers: {}, body: Buffer.alloc(0) };
  return {
    // Clients of the legacy SSE transport read no body here, and would wait for an answer on their stream.
    status: readsAnswers(exchange.request.headers.accept) ? 200 : 404,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(errors)),
  };
}

/** The errors themselves; undefined when no client waits for an answer. */
export const unknownToolErrors = ({ json, toolCalls }: Exchange): object | undefined =>
  answerEach(json, ({ id, method }) => {
    const call = toolCalls.find((one) => one.id === id);
    const error =
      method === 'tools/call' && call?.barrier !== undefined
        ? { code: invalidParams, message: `Unknown tool: ${call.name ?? ''}` }
        : { code: notDone, message: 'Not done: another call of the batch was refused' };
    return { error };
  });
