import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { AuditSeverity } from '@portcullis/contracts/audit-events';
import type { ErrorReason } from '@portcullis/contracts/errors';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { findPresentedKey, hashKey, type PresentedKey } from '@portcullis/core/identity/presented-key';
import { compileRequestStages } from '@portcullis/core/pipeline/engine';
import { compileSettleStages } from '@portcullis/core/pipeline/settle';
import { row } from '@portcullis/core/pipeline/stage';
import { AuditThrottle } from '../audit/audit-throttle.ts';
import { createAuditRefusal } from './audit-refusal.ts';
import { checkAccess } from './check-access.ts';
import { checkGroup } from './check-group.ts';
import { createIdentify } from './identify.ts';
import { createLimitRate, type RateLimit } from './limit-rate.ts';
import { raiseAlerts } from './raise-alerts.ts';
import type { ExchangeEnd } from './exchange-end.ts';
import type { LocatedFinding } from './located-finding.ts';
import type { CertificateEntry, KeyEntry, TrafficExchange, UserEntry } from './traffic-exchange.ts';

// A data plane other than that of the proxies, with the table of its stages.

const now = Date.parse('2026-11-23T10:00:00Z');
const keyOf = (id: number, groupId: number, changes: Partial<KeyEntry> = {}): KeyEntry => ({
  id,
  name: `key-${id}`,
  groupId,
  active: true,
  expiresAtMs: Number.POSITIVE_INFINITY,
  ...changes,
});
const keys = {
  good: keyOf(1, 1),
  another: keyOf(6, 1),
  fourth: keyOf(7, 4),
  revoked: keyOf(2, 1, { active: false }),
  expired: keyOf(3, 1, { expiresAtMs: now }),
  idle: keyOf(4, 2),
  stranger: keyOf(5, 3),
};
const groups = [
  { id: 1, name: 'travel team', active: true },
  { id: 2, name: 'idle team', active: false },
  { id: 3, name: 'others', active: true },
  { id: 4, name: 'fourth team', active: true },
];

const allowed = new Map([1, 4].map((groupId) => [groupId, { perMinute: 2 }]));

class Invocation implements TrafficExchange {
  readonly id = 'request-1';
  readonly receivedAt = now;
  readonly startedAt = 0;
  readonly path = '/a2a/v1';
  readonly clientIp = '192.0.2.7';
  readonly request;
  readonly snapshot = {
    keysByHash: new Map(Object.entries(keys).map(([token, key]) => [hashKey(token), key])),
    groups: new Map(groups.map((group) => [group.id, group])),
    groupsBySubject: new Map<string, (typeof groups)[number]>(),
  };
  readonly proxy = { id: 7, name: 'travel', type: 'a2a', access: allowed } as const;
  presentedKey: PresentedKey | undefined = undefined;
  key: KeyEntry | undefined = undefined;
  certificate: CertificateEntry | undefined = undefined;
  user: UserEntry | undefined = undefined;
  group: (typeof groups)[number] | undefined = undefined;
  access: { readonly perMinute: number } | undefined = undefined;
  readonly findings: LocatedFinding[] = [];
  alertedFindings = 0;
  ending: ExchangeEnd | undefined = undefined;
  readonly refusal = undefined;
  readonly records: SpoolRecord[] = [];

  constructor(token: string | undefined) {
    this.request = { method: 'POST', headers: token === undefined ? {} : { 'x-api-key': token }, socket: new Socket() };
  }
}

const observer = { fault: () => undefined, denied: () => undefined };
const rule = { onFault: 'deny' } as const;
const rows = [
  row(
    createIdentify<Invocation>(({ request }) => findPresentedKey(request.headers)),
    ['a2a'],
    rule,
  ),
  row(checkGroup, ['a2a'], rule),
  row(checkAccess, ['a2a'], rule),
];
const admit = compileRequestStages(rows, 'a2a', observer);

test.each([
  ['good', 'next', null],
  [undefined, 'key_missing', 'identify'],
  ['unknown', 'key_unknown', 'identify'],
  ['revoked', 'key_revoked', 'identify'],
  ['expired', 'key_expired', 'identify'],
  ['idle', 'group_inactive', 'check-group'],
  ['stranger', 'access_denied', 'check-access'],
])('another data plane admits keys as the proxies do: %s', async (token, outcome, stage) => {
  const { verdict, stage: ended } = await admit(new Invocation(token));
  expect([verdict.kind === 'deny' ? verdict.denial.reason : verdict.kind, ended]).toEqual([outcome, stage]);
});

test('it counts by its own measure: what a whole team asks of an agent', async () => {
  const counts = new Map<string, number>();
  const take = (name: string, limit: number) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { allowed: count <= limit, retryAfterMs: count <= limit ? 0 : 60_500 };
  };
  const teamLimit = ({ proxy, group, access }: Invocation): RateLimit<number> | undefined =>
    access && {
      name: `agent-${proxy.id}-${group?.id}`,
      perMinute: access.perMinute,
      rule: access.perMinute,
      denyWithoutStore: false,
    };
  const limitRate = createLimitRate({ shared: { take }, local: { take } }, teamLimit);
  const limited = compileRequestStages([...rows, row(limitRate, ['a2a'], rule)], 'a2a', observer);
  const verdictFor = async (token: string) => (await limited(new Invocation(token))).verdict;
  expect(await verdictFor('good')).toEqual({ kind: 'next' });
  expect(await verdictFor('another')).toEqual({ kind: 'next' });
  expect(await verdictFor('good')).toEqual({
    kind: 'deny',
    denial: {
      reason: 'rate_limited',
      headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-reset': String(now / 1_000 + 61), 'retry-after': '61' },
    },
  });
  expect(await verdictFor('fourth')).toEqual({ kind: 'next' });
});

test('it records what was found and who was refused, about its agents', async () => {
  const settle = compileSettleStages(
    [row(raiseAlerts, ['a2a']), row(createAuditRefusal(new AuditThrottle()), ['a2a'])],
    'a2a',
    observer,
  );
  const found = new Invocation('good');
  await admit(found);
  found.findings.push({
    policyName: 'agents',
    ruleId: 'R1',
    ruleName: 'Rule one',
    severity: 'High',
    category: 'Policy Violations',
    action: 'block',
    start: 0,
    end: 5,
    type: 'R1',
    confidence: 1,
    view: 'plain',
    mapped: true,
    evidence: 'e…e',
    direction: 'request',
    location: '/message/parts/0/text',
    origin: 'user',
  });
  found.ending = { reason: 'policy_violation', stage: 'inspect-request' };
  settle(found);
  settle(found);
  expect(found.records).toEqual([
    expect.objectContaining({
      kind: 'alert',
      proxy_type: 'a2a',
      proxy_id: null,
      target: '/a2a/v1',
      action: 'Block',
      user_identity: 'key-1',
      user_group: 'travel team',
      description: 'Rule Rule one of policy agents matched a request on agent travel; the request was blocked.',
    }),
  ]);

  const refused = new Invocation('stranger');
  await admit(refused);
  refused.ending = { reason: 'access_denied', stage: 'check-access' };
  settle(refused);
  expect(refused.records).toMatchObject([
    { kind: 'audit', event_type: 'security.access.denied', actor_id: 5, resource_type: 'agent', resource_id: '7' },
  ]);

  const signedIn = new Invocation(undefined);
  signedIn.user = { id: 9, username: 'ann', role: 'admin' };
  signedIn.findings.push(...found.findings);
  signedIn.ending = { reason: 'rate_limited', stage: 'limit-rate' };
  settle(signedIn);
  expect(signedIn.records).toMatchObject([
    { kind: 'alert', user_identity: 'ann', user_type: 'user', user_group: null },
    { kind: 'audit', event_type: 'security.ratelimit.exceeded', actor_type: 'user', actor_id: 9, actor_name: 'ann' },
  ]);
});

// The table of docs/audit.md.
test.each<[ErrorReason, AuditSeverity]>([
  ['key_unknown', 'warning'],
  ['key_revoked', 'warning'],
  ['key_expired', 'warning'],
  ['certificate_invalid', 'warning'],
  ['certificate_unknown', 'warning'],
  ['group_inactive', 'warning'],
  ['access_denied', 'warning'],
  ['rate_limited', 'warning'],
  ['budget_exceeded', 'info'],
  ['session_foreign', 'critical'],
  ['state_foreign', 'critical'],
])('a call that ends with %s is audited as %s', (reason, severity) => {
  const settle = compileSettleStages([row(createAuditRefusal(new AuditThrottle()), ['a2a'])], 'a2a', observer);
  const refused = new Invocation('revoked');
  refused.ending = { reason, stage: 'identify' };
  settle(refused);
  expect(refused.records.filter(({ kind }) => kind === 'audit')).toMatchObject([{ severity }]);
});
