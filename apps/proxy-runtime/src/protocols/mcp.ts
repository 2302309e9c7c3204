import type { EventReading, RenderedDenial, TrafficProtocol } from './protocol.ts';

const rpcError = ({ text, message, code, requestId }: RenderedDenial) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message: text, data: { error_code: code, detail: message ?? null, request_id: requestId } },
});

/** JSON-RPC messages of the Model Context Protocol, each complete in itself. */
export const mcp: TrafficProtocol = {
  name: 'mcp',
  readModel: () => undefined,
  readUsage: () => undefined,

  readEvent: (): EventReading => ({ texts: 'complete', usage: undefined, terminal: false }),

  renderNativeError: rpcError,
  renderStreamError: (denial) => `event: message\ndata: ${JSON.stringify(rpcError(denial))}\n\n`,
};
