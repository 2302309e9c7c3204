import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Canary tokens');

/** What it can mean that a token came back elsewhere. */
export const canaryLeaks = ['cross_user', 'cross_session', 'stale', 'memorization'] as const;
const CanaryLeak = Type.Enum(canaryLeaks);

export const CanaryStats = Exact(
  {
    days: Type.Integer(),
    planted: Type.Integer({ description: 'Tokens that went to a target' }),
    seen_again: Type.Integer({
      description: 'Of those, the tokens that came back anywhere, in their own conversation too',
    }),
    survival_rate: Nullable(Type.Number({ description: 'seen_again / planted; null when nothing was planted' })),
    survival_status: Type.Enum(['healthy', 'warning', 'critical', 'unknown'], {
      description: 'healthy above 0.5, critical below 0.2: a model that never repeats a token cannot show a leak',
    }),
    leakages: Count,
    leakages_24h: Count,
    by_type: Exact({ cross_user: Count, cross_session: Count, stale: Count, memorization: Count }),
  },
  { title: 'CanaryStats' },
);
export type CanaryStats = Static<typeof CanaryStats>;

const Place = Exact(
  {
    principal: Type.String({ description: '`key:7`, or the address of a caller without a key' }),
    session: Type.String({ description: 'Stands for the conversation' }),
    user_identity: Nullable(Type.String()),
    user_group: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
    proxy_id: Nullable(Id),
    at: Timestamp,
  },
  { title: 'CanaryPlace' },
);

export const CanaryLeakage = Exact(
  {
    id: EvidenceId,
    token: Type.String(),
    type: CanaryLeak,
    severity: Type.Enum(severities),
    planted: Nullable(Place),
    seen: Place,
  },
  { title: 'CanaryLeakage' },
);
export type CanaryLeakage = Static<typeof CanaryLeakage>;

export const getCanaryStats = routes.define({
  method: 'GET',
  path: '/security/canaries/stats',
  role: 'viewer',
  summary: 'Count the tokens that were planted, came back and leaked',
  parts: {
    query: Exact({ days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }) }),
    response: CanaryStats,
  },
});

export const listCanaryLeakages = routes.define({
  method: 'GET',
  path: '/security/canaries/leakages',
  role: 'viewer',
  summary: 'List where tokens came back that did not belong there, newest first',
  parts: {
    query: Exact({ ...page(50), ...optional({ type: CanaryLeak, proxy_id: Id }) }),
    response: Exact({
      leakages: Type.Array(CanaryLeakage),
      total: Count,
      limit: Type.Integer(),
      offset: Type.Integer(),
    }),
  },
});

const Who = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^\\S.*$',
  'x-allowed': 'text that does not begin with a blank',
});

export const testCanaryInjection = routes.define({
  method: 'POST',
  path: '/security/canaries/test/inject',
  role: 'admin',
  summary: 'Plant a token in a text as if it went to a model, to try the detection with it',
  status: 201,
  parts: {
    body: Exact({
      user: Who,
      session: Who,
      ...optional({ text: Type.String({ maxLength: 10_000, default: '' }) }),
    }),
    response: Exact({ token: Type.String(), text: Type.String({ description: 'With the token in it' }) }),
  },
  audit: { none: 'A test token is in no figure and expires with the others' },
});

export const testCanaryDetection = routes.define({
  method: 'POST',
  path: '/security/canaries/test/detect',
  role: 'operator',
  summary: 'Look for tokens in a text as if a caller had received it, and raise no alert',
  parts: {
    body: Exact({ user: Who, session: Who, text: Type.String({ maxLength: 100_000 }) }),
    response: Exact({
      leakage: Type.Boolean(),
      candidates: Type.Array(
        Exact({
          token: Type.String(),
          known: Type.Boolean({ description: 'It was planted, and is still remembered' }),
          type: Nullable(CanaryLeak),
        }),
      ),
    }),
  },
  audit: { none: 'Nothing changes' },
});

export const purgeCanaries = routes.define({
  method: 'DELETE',
  path: '/security/canaries',
  role: 'admin',
  summary: 'Delete the canary tokens that were planted before a time, and where they were seen',
  parts: {
    query: Exact({ older_than_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 30 }) }),
    response: Exact({ purged: Count }),
  },
  audit: 'canary.purged',
});
