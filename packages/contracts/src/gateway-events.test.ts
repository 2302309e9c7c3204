import { expect, test } from '@jest/globals';
import { auditEventTypes } from './audit-events.ts';
import { eventKindOf, sentAuditEvents } from './gateway-events.ts';

test.each([
  ['auth.login.failed', 'authentication'],
  ['security.access.denied', 'authentication'],
  ['oauth.session.revoked', 'authentication'],
  ['oauth.sessions.cleaned', 'system'],
  ['oauth.provider.updated', 'configuration'],
  ['settings.updated', 'configuration'],
  ['proxy.started', 'configuration'],
  ['integration.tested', 'system'],
  ['alert.deleted', 'system'],
  ['alert.status.changed', undefined],
  ['apikey.used', undefined],
  ['apikey.revoked', 'configuration'],
  ['agent.invoked', undefined],
  ['email_sent', undefined],
  ['budget_check', undefined],
] as const)('%s goes out as %s', (type, kind) => {
  expect(eventKindOf(type)).toBe(kind);
});

test('what traffic writes again and again stays here', () => {
  const kept = auditEventTypes.filter((type) => !sentAuditEvents.includes(type));
  expect(kept).toEqual(expect.arrayContaining(['system_prompt.injected', 'skill.downloaded', 'mcp.tool.discovered']));
  expect(sentAuditEvents.length).toBeGreaterThan(80);
});
