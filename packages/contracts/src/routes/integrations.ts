import { Type, type Static } from 'typebox';
import { channelNames, integrationNames, type ChannelName, type IntegrationName } from '../channels.ts';
import { Exact, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Integrations');

export const IntegrationTest = Exact(
  {
    success: Type.Boolean(),
    status_code: Nullable(Type.Integer({ description: 'What the destination answered; null without an answer' })),
    message: Type.String(),
  },
  { title: 'IntegrationTest' },
);
export type IntegrationTest = Static<typeof IntegrationTest>;

const Integration = Type.Enum(integrationNames as unknown as [IntegrationName, ...IntegrationName[]]);
/** How an integration does, in one word. */
const integrationStates = ['ok', 'failing', 'off'] as const;

const Channel = Type.Enum(channelNames as unknown as [ChannelName, ...ChannelName[]]);

export const IntegrationState = Exact(
  {
    integration: Integration,
    section: Type.String({ description: 'Of the settings it is set up in' }),
    state: Type.Enum(integrationStates, {
      description:
        'off: not enabled; failing: it cannot send, or does not get through; ok: else, also before its first delivery',
    }),
    enabled: Type.Boolean(),
    missing: Nullable(Type.String({ description: 'What has to be set before it can send; null: nothing' })),
    circuit: Type.Enum(['closed', 'open', 'half_open'], {
      description:
        'open: it failed several times in a row and is left alone for a while, deliveries wait; half_open: one of them tries it',
    }),
    waiting: Type.Integer({ description: 'Deliveries, or traces, that have not been tried, or are to be tried again' }),
    dead_letters: Type.Integer(),
    last_delivery_at: Nullable(Timestamp),
    last_error: Nullable(Type.String({ description: 'Of the delivery that was tried last; null: it went well' })),
    last_error_at: Nullable({ ...Timestamp, description: 'When that delivery was tried; null: it went well' }),
  },
  { title: 'IntegrationState' },
);
export type IntegrationState = Static<typeof IntegrationState>;

export const DeadLetter = Exact(
  {
    id: Type.String(),
    channel: Channel,
    alert_id: Nullable(Type.Integer({ description: 'Null where it is an event' })),
    event_id: Nullable(Type.String({ description: 'Null where it is an alert' })),
    title: Type.String({ description: "The alert's title, or what the event says" }),
    attempts: Type.Integer(),
    reason: Type.String(),
    failed_at: Timestamp,
  },
  { title: 'DeadLetter' },
);
export type DeadLetter = Static<typeof DeadLetter>;

const RequestTime = Type.String({ format: 'date-time', maxLength: 40 });

/** A dead letter passes when it passes all that is given; nothing given: every one. */
const DeadLetterFilter = Exact({
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 1_000, uniqueItems: true }),
  ),
  channel: Type.Optional(Channel),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the reason, in any case' }),
  ),
  failed_after: Type.Optional(RequestTime),
  failed_before: Type.Optional(RequestTime),
});
export type DeadLetterFilter = Static<typeof DeadLetterFilter>;

export const listIntegrations = routes.define({
  method: 'GET',
  path: '/system/integrations',
  role: 'viewer',
  summary: 'List the integrations: whether each is switched on and set up, and how its deliveries go',
  parts: { response: Type.Array(IntegrationState) },
});

export const testIntegrations = routes.define({
  method: 'POST',
  path: '/system/integrations/test',
  role: 'admin',
  summary: 'Send a test message through every integration that is set up, whether or not it is switched on',
  parts: {
    response: Type.Array(Exact({ integration: Integration, ...IntegrationTest.properties })),
  },
  audit: 'integration.tested',
});

export const testIntegration = routes.define({
  method: 'POST',
  path: '/system/integrations/:integration/test',
  role: 'admin',
  summary: 'Send a test message through an integration, whether or not it is switched on',
  parts: {
    params: Exact({
      integration: Type.Enum([...integrationNames, 'slack'] as unknown as [IntegrationName, 'slack'], {
        description: '`slack` is the chat webhook',
      }),
    }),
    response: IntegrationTest,
  },
  errors: ['conflict'],
  audit: 'integration.tested',
});

export const listDeadLetters = routes.define({
  method: 'GET',
  path: '/system/dead-letters',
  role: 'viewer',
  summary: 'List the alert deliveries that were given up, newest first',
  parts: {
    query: Exact({ limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }) }),
    response: Type.Array(DeadLetter),
  },
});

export const retryDeadLetters = routes.define({
  method: 'POST',
  path: '/system/dead-letters/retry',
  role: 'admin',
  summary: 'Retry the failed deliveries that pass all the filters given, oldest first',
  parts: {
    body: DeadLetterFilter,
    response: Exact({ retried: Type.Integer({ minimum: 0 }) }),
  },
  audit: 'delivery.retried',
});

export const retryDeadLetter = routes.define({
  method: 'POST',
  path: '/system/dead-letters/:id/retry',
  role: 'admin',
  summary: 'Retry a failed delivery with all its attempts',
  parts: {
    params: Exact({
      id: Type.String({ pattern: '^[\\w.-]{1,200}$', 'x-allowed': 'an id of letters, digits and . _ -' }),
    }),
  },
  errors: ['not_found'],
  audit: 'delivery.retried',
});
