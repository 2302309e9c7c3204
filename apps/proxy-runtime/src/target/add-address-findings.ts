import { redirectFinding } from '@portcullis/platform/traffic/redirect-finding';
import type { Exchange } from '../exchange/exchange.ts';
import type { AnswerAddress } from './answer-addresses.ts';

/**
 * Notes the addresses that lead past the proxy, for an alert.
 * @returns where the answer would send its client; undefined where it goes on, at most without a header
 */
export function addAddressFindings(exchange: Exchange, addresses: readonly AnswerAddress[]): string | undefined {
  let refused: string | undefined;
  for (const { name, value, elsewhere, isWay } of addresses) {
    if (value !== undefined) continue;
    exchange.findings.push(redirectFinding({ header: name, address: elsewhere, action: isWay ? 'block' : 'redact' }));
    if (isWay) refused ??= elsewhere;
  }
  return refused;
}
