import type { CompiledPrompt, SkipReason } from '@portcullis/core/prompts/decide-injection';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { renderAuditRecord, type AuditEntry } from '@portcullis/platform/audit/audit-entry';
import type { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import type { Exchange } from '../exchange/exchange.ts';
import { auditActor } from '@portcullis/platform/traffic/audit-actor';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

/** Writes down which system prompts went out and which did not and why, alike ones once a minute with their number. */
export const createAuditPrompts = (throttle: AuditThrottle): SettleStage<Exchange> => ({
  name: 'audit-prompts',
  run(exchange) {
    if (exchange.prompting === undefined) return;
    const { injected, skipped } = exchange.prompting;
    const write = (prompt: CompiledPrompt, reason?: SkipReason): void => {
      const entry = describe(exchange, prompt, reason);
      const alike = `${reason ?? 'injected'} ${prompt.id} ${exchange.proxy.id} ${callerNumber(exchange)}`;
      if (throttle.admit(alike, entry, exchange.startedAt)) exchange.records.push(renderAuditRecord(entry));
    };
    if (exchange.forwarded) for (const prompt of injected) write(prompt);
    for (const { prompt, reason } of skipped) write(prompt, reason);
  },
});

const describe = (exchange: Exchange, prompt: CompiledPrompt, reason: SkipReason | undefined): AuditEntry => ({
  event_type: reason === undefined ? 'system_prompt.injected' : 'system_prompt.skipped',
  actor: auditActor(exchange),
  resource: { type: 'system_prompt', id: prompt.id, name: prompt.name },
  details: {
    proxy_id: exchange.proxy.id,
    level: prompt === exchange.access?.prompt ? 'team' : 'proxy',
    ...(reason !== undefined && { reason }),
  },
  request_id: exchange.id,
  source_ip: exchange.clientIp,
  user_agent: exchange.request.headers['user-agent'] ?? null,
});
