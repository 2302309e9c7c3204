import type { ErrorReason } from '@portcullis/contracts/errors';
import type { ExchangeDriver, ExchangeObserver } from '@portcullis/core/pipeline/exchange-driver';
import type { Exchange } from '../exchange/exchange.ts';
import type { TargetCall } from './forward.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** Runs the rows of the table for the proxies of one type. */
export type ProxyDriver = ExchangeDriver<Exchange, StreamUnit, TargetCall>;

export interface TrafficObserver extends ExchangeObserver<Exchange> {
  targetFailed(exchange: Exchange, error: Error, reason: ErrorReason): void;
}
