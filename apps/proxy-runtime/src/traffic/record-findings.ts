import type { Exchange } from '../exchange/exchange.ts';

/** Findings that a stream of hours remembers for its log entry, once they are told. */
const maxKeptFindings = 100;

/**
 * Records what was found so far in an exchange whose end may be hours away.
 * @param settleWhileOpen runs the rows that do so
 */
export function recordFindings(exchange: Exchange, settleWhileOpen: (exchange: Exchange) => void): void {
  settleWhileOpen(exchange);
  const excess = exchange.findings.length - maxKeptFindings;
  if (excess <= 0) return;
  exchange.findings.splice(0, excess);
  exchange.alertedFindings = exchange.findings.length;
}
