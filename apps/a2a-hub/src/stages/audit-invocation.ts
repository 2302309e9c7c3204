import type { AuditEventType } from '@portcullis/contracts/audit-events';
import { errorCatalogue } from '@portcullis/contracts/errors';
import type { Operation } from '@portcullis/core/a2a/call';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { renderAuditRecord } from '@portcullis/platform/audit/audit-entry';
import { auditActor } from '@portcullis/platform/traffic/audit-actor';
import type { Invocation } from '../invocation/invocation.ts';

const events: Partial<Readonly<Record<Operation, AuditEventType>>> = {
  send: 'agent.invoked',
  stream: 'agent.invoked',
  cancel: 'agent.task.cancelled',
};

/** Writes down who had which agent do something, or wanted to. */
export const auditInvocation: SettleStage<Invocation> = {
  name: 'audit-invocation',
  run(invocation) {
    const { asked, proxy, ending, request } = invocation;
    const event = asked && events[asked.call.operation];
    if (event === undefined || proxy.id === 0) return;
    invocation.records.push(
      renderAuditRecord({
        event_type: event,
        actor: auditActor(invocation),
        resource: { type: 'agent', id: proxy.id, name: proxy.name },
        result: ending === undefined ? 'success' : 'failure',
        details: {
          surface: invocation.surface.name,
          task_id: invocation.answeredTask?.id ?? invocation.task?.task.id ?? null,
          task_state: invocation.answeredTask?.status.state ?? null,
          ...(ending !== undefined && { reason: ending.reason, stage: ending.stage }),
        },
        error_message: ending === undefined ? null : errorCatalogue[ending.reason].text,
        request_id: invocation.id,
        source_ip: invocation.clientIp,
        user_agent: request.headers['user-agent'] ?? null,
      }),
    );
  },
};
