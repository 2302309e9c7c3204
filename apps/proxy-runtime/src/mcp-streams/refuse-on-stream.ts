import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { renderRpcRefusal } from '../client/render-denial.ts';
import type { LegacySseStreams } from './legacy-sse-streams.ts';

/** Refused with a message, where others are with a status. */
const isAnswered = ({ proxy }: Exchange, { reason }: Denial): boolean =>
  reason === 'unknown_tool' || (reason === 'policy_violation' && proxy.blockResponse !== 'http');

const taken: Reply = { status: 202, headers: {}, body: Buffer.alloc(0) };

/**
 * Tells a refusal on the stream where a client of the legacy SSE transport waits for its answers.
 * @returns what to say to the request itself; undefined where the refusal is to be told there
 */
export function refuseOnStream(
  exchange: Exchange,
  denial: Denial,
  streams: LegacySseStreams,
): Reply | undefined | Promise<Reply | undefined> {
  if (exchange.endpoint === undefined || !isAnswered(exchange, denial)) return undefined;
  const refusal = renderRpcRefusal(exchange, denial, exchange.json);
  const sent = refusal === undefined || streams.send(exchange, refusal);
  if (sent instanceof Promise) return sent.then((late) => (late ? taken : undefined));
  return sent ? taken : undefined;
}
