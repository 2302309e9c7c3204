import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { rewriteJson } from '../framing/rewrite-unit.ts';
import { renderDenialFacts } from './render-denial.ts';
import { noContent, type StreamUnit } from '../framing/stream-unit.ts';
import { hasFindingInId } from './finding-in-id.ts';

/** The messages of the answer are refused one by one, where it is a stream that can go on without them. */
export const refusesUnits = ({ dialect, streamForm }: Exchange): boolean =>
  dialect.refuseMessage !== undefined && streamForm === 'events';

/**
 * What leaves in the place of one refused message: an error for a client that waits for it, else nothing, and the message is
 * among those that were dropped.
 * @throws {NotRewritable}
 */
export function refuseUnit(
  exchange: Exchange,
  unit: StreamUnit,
  { denial, stage }: { readonly denial: Denial; readonly stage: string },
): readonly StreamUnit[] {
  const value = unit.content.kind === 'value' ? unit.content.value : undefined;
  exchange.refusal = { reason: denial.reason, stage };
  const refused = hasFindingInId(exchange, 'response')
    ? undefined
    : exchange.dialect.refuseMessage?.(value, renderDenialFacts(exchange, denial));
  if (refused !== undefined) return [{ ...rewriteJson(unit, () => refused), content: noContent }];
  if (value !== undefined) exchange.dropped.push(value);
  return [];
}
