import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { listOriginals } from '../trace-content/hidden-originals.ts';
import type { ContentExcerpt } from '../trace-content/keep-content.ts';
import { readMessages } from '../trace-content/read-messages.ts';

export type KeepContent = (content: ContentExcerpt) => void;

/** Hands over what was asked and answered, where traces are to show it. Nothing of what was blocked. */
export const createRecordContent = (keep: KeepContent): SettleStage<Exchange> => ({
  name: 'record-content',
  run(exchange) {
    if (!exchange.snapshot.tracesContent) return;
    const { json, forwarded, placeholders, canaries, eventId, timestamp } = exchange;
    if (!forwarded || json === undefined) return;
    const read = readMessages(json);
    const answer = answerOf(exchange);
    if (read.messages.length === 0 && answer === undefined) return;
    keep({ eventId, timestamp, ...read, answer, originals: listOriginals(placeholders, canaries?.planted?.token) });
  },
});

/** Of an answer that was broken off nothing is shown: what a rule saw may have begun before the break. */
function answerOf({ answerExcerpt, ending, refusal }: Exchange): ContentExcerpt['answer'] {
  const isBroken = refusal !== undefined || (ending !== undefined && ending.reason !== 'client_closed');
  if (answerExcerpt === undefined || isBroken || answerExcerpt.parts.length === 0) return undefined;
  const { parts, cut } = answerExcerpt;
  return { parts, cut, finish: ending === undefined ? (answerExcerpt.finish ?? 'stop') : 'error' };
}
