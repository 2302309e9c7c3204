import type { ErrorReason } from '@portcullis/contracts/errors';

/** Why the gateway itself ended the exchange. */
export interface ExchangeEnd {
  readonly reason: ErrorReason;
  readonly stage: string;
}
