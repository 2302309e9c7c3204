import type { ErrorReason } from '@portcullis/contracts/errors';
import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';

/**
 * How far an exchange has come and what its client was told. It belongs to the sink of the exchange, which made it and
 * alone writes it; all others read it from the exchange.
 */
export class Progress {
  /** It is on its way to the target. */
  forwarded = false;
  /** Sent to the client. */
  statusCode = 0;
  /** Body bytes sent to the client. */
  responseBytes = 0;
  /** Number of the last event that went to the client, in dialects that count them. */
  sequence = -1;
  /** Set when the gateway refused or broke off. */
  ending: ExchangeEnd | undefined = undefined;
  /** Id of a message of MCP that was refused before it was parsed; null while none is known. */
  refusedId: RpcId | null = null;

  end(reason: ErrorReason, stage: string): void {
    this.ending = { reason, stage };
  }

  /** A whole answer of the gateway itself, or of the target. */
  answer(status: number, body: Buffer): void {
    this.statusCode = status;
    this.responseBytes = body.length;
  }
}
