import { randomUUIDv7 } from 'node:crypto';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/** Records the token that was planted and those that came back. What they mean is found out where all of them are known. */
export const recordCanaries: SettleStage<Exchange> = {
  name: 'record-canaries',
  run(exchange) {
    const { canaries } = exchange;
    if (canaries === undefined) return;
    const { principal, session, planted, watch } = canaries;
    const about = () => ({
      event_id: randomUUIDv7(),
      timestamp: exchange.timestamp,
      request_id: exchange.id,
      proxy_id: exchange.proxy.id,
      principal,
      session,
      user_identity: exchange.key?.name ?? exchange.user?.username ?? exchange.certificate?.subject ?? null,
      user_group: exchange.group?.name ?? null,
    });
    // Refused before it left: no model has seen the token.
    const hasLeft = exchange.statusCode > 0 && exchange.ending?.stage !== 'inspect-request';
    if (planted?.isRecorded === false && hasLeft) {
      planted.isRecorded = true;
      exchange.records.push({ kind: 'canary_planted', ...about(), token: planted.token });
    }
    for (const token of watch.tokens) {
      exchange.records.push({
        kind: 'canary_seen',
        ...about(),
        token,
        source: exchange.clientIp,
        target: exchange.path,
      });
    }
  },
};
