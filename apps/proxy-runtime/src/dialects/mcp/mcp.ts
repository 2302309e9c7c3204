import { everythingUser } from '../origins/request-sources.ts';
import { mcpAnswerSources } from '../origins/answer-sources.ts';
import { answerOf, messagesOf } from '@portcullis/core/mcp/rpc-message';
import { property, textProperty } from '@portcullis/core/json/json-value';
import { mcpKeys } from '../shared/known-keys.ts';
import type { Call, EventReading, RenderedDenial, Dialect } from '../shared/dialect.ts';

const rpcError = ({ text, message, code, requestId, rpcId }: RenderedDenial) => ({
  jsonrpc: '2.0',
  id: rpcId,
  error: { code: -32_000, message: text, data: { error_code: code, detail: message ?? null, request_id: requestId } },
});

/** Requests and notifications; answers that a client sends call nothing. */
const callOf = (message: unknown): readonly Call[] => {
  const method = textProperty(message, 'method');
  if (method === undefined) return [];
  const params = property(message, 'params');
  return [
    {
      method,
      name: textProperty(params, 'name') ?? textProperty(params, 'uri'),
      ...(method === 'tools/call' && { arguments: property(params, 'arguments') }),
    },
  ];
};

/** JSON-RPC messages of the Model Context Protocol, each complete in itself. */
export const mcp: Dialect = {
  name: 'mcp',
  bodies: 'any',
  keys: mcpKeys,
  readModel: () => undefined,
  readCalls: (body) => (Array.isArray(body) ? body.flatMap(callOf) : callOf(body)),
  requestSources: () => everythingUser,
  answerSources: mcpAnswerSources,
  readRoles: () => undefined,
  addSystemText: () => undefined,
  readUsage: () => undefined,

  readEvent: (): EventReading => ({ texts: 'complete', usage: undefined, terminal: false }),

  keyHeader: 'authorization',
  refuseMessage(message, denial) {
    const errors = messagesOf(message).flatMap((one) => {
      const rpcId = answerOf(one)?.id;
      return rpcId === undefined ? [] : [rpcError({ ...denial, rpcId })];
    });
    return errors.length === 0 ? undefined : JSON.stringify(Array.isArray(message) ? errors : errors[0]);
  },

  renderNativeError: rpcError,
  renderStreamError: (denial) => `event: message\ndata: ${JSON.stringify(rpcError(denial))}\n\n`,
};
