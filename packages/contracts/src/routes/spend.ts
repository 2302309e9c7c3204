import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { times } from './alerts.ts';

export const routes = createRouteList('Spend');

export const spendDimensions = ['team', 'key', 'user', 'proxy', 'model', 'day', 'hour', 'session'] as const;
export type SpendDimension = (typeof spendDimensions)[number];

const Usd = Type.Number({ minimum: 0, description: 'USD' });
const Name = Nullable(Type.String({ description: 'Null when the record is gone' }));
const OptionalId = Nullable(Type.Integer({ ...Id, description: 'Null for what none stands for' }));

const sums = {
  total_cost: Usd,
  input_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  request_count: Count,
};

const callerFields = {
  team: OptionalId,
  team_name: Name,
  key: OptionalId,
  key_name: Name,
  user: OptionalId,
  user_name: Name,
  proxy: Id,
  proxy_name: Name,
  day: Type.String({ description: 'UTC day, YYYY-MM-DD' }),
  hour: Type.String({ format: 'date-time', description: 'Where the hour begins' }),
};

const SpendRow = Exact(
  {
    ...optional({
      ...callerFields,
      model: Type.String(),
      session: Nullable(
        Type.String({ description: 'Id of a session, see `/sessions`; null for what belongs to none' }),
      ),
    }),
    ...sums,
    share_percent: Type.Number({ description: 'Of the cost of the period' }),
  },
  { title: 'SpendRow', description: 'With the fields of the dimensions that were asked for' },
);
export type SpendRow = Static<typeof SpendRow>;

const Spend = Exact(
  {
    from: Timestamp,
    to: Nullable({ ...Timestamp, description: 'Null: until now' }),
    group_by: Type.Array(Type.Enum(spendDimensions)),
    counted_from: Nullable({
      ...Timestamp,
      description:
        'Null when the whole period is counted. Else what came before this time is not among these: it is known by the day alone, ' +
        'or, grouped by session, lies behind the latest 40,000 records of the period',
    }),
    ...sums,
    groups: Type.Array(SpendRow),
    total: Type.Integer({ minimum: 0, description: 'How many groups there are beyond `limit` and `offset`' }),
  },
  { title: 'Spend' },
);
export type Spend = Static<typeof Spend>;

const callerFilters = {
  ...times,
  ...optional({
    team: Type.Integer({ ...Id, description: 'Id of a user group' }),
    key: Type.Integer({ ...Id, description: 'Id of an API key' }),
    user: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The name or e-mail address of the user who signed in, or answers for the key',
    }),
    proxy: Type.Integer({ ...Id, description: 'Id of a proxy' }),
  }),
};

const byModel = optional({ model: Type.String({ minLength: 1, maxLength: 200 }) });
const spendFilters = { ...callerFilters, ...byModel };
// Sums of a day know no person.
const { user: _user, ...daysFilters } = callerFilters;
const exportFilters = { ...daysFilters, ...byModel };

const groupBy = (dimensions: readonly string[], by: { readonly default: string; readonly example: string }) => {
  const dimension = `(${dimensions.join('|')})`;
  return Type.String({
    default: by.default,
    maxLength: 100,
    pattern: `^${dimension}(,${dimension}){0,2}$`,
    'x-allowed': `up to three of ${dimensions.join(', ')}, with commas between`,
    description: `Up to three of ${dimensions.join(', ')}, for example ${by.example}`,
  });
};

const page = {
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
};

const SpendQuery = Exact({
  group_by: groupBy(spendDimensions, { default: 'team', example: 'key,model,day' }),
  ...spendFilters,
  order: Type.Enum(['cost', 'time'], {
    default: 'cost',
    description: 'cost: highest first; time: earliest first, where grouped by day or hour',
  }),
  ...page,
});
export type SpendQuery = Static<typeof SpendQuery>;

export const getSpend = routes.define({
  method: 'GET',
  path: '/spend',
  role: 'viewer',
  summary:
    'Sum what models cost by team, key, user, proxy, model, day, hour or session, or by several of these; this month unless a period is given',
  parts: { query: SpendQuery, response: Spend },
});

export const refusalDimensions = ['team', 'key', 'user', 'proxy', 'reason', 'stage', 'day', 'hour'] as const;
export type RefusalDimension = (typeof refusalDimensions)[number];

const Reason = Type.String({ description: 'The `denied_reason` of the requests, such as budget_exceeded' });

const RefusalRow = Exact(
  {
    ...optional({
      ...callerFields,
      reason: Reason,
      stage: Nullable(Type.String({ description: 'The pipeline stage that refused' })),
    }),
    request_count: Count,
    last_at: Timestamp,
    share_percent: Type.Number({ description: 'Of the requests that were refused in the period' }),
  },
  { title: 'RefusalRow', description: 'With the fields of the dimensions that were asked for' },
);
export type RefusalRow = Static<typeof RefusalRow>;

const Refusals = Exact(
  {
    from: Timestamp,
    to: Nullable({ ...Timestamp, description: 'Null: until now' }),
    group_by: Type.Array(Type.Enum(refusalDimensions)),
    counted_from: Nullable({
      ...Timestamp,
      description:
        'Null when the whole period is counted. Else the latest 40,000 records of refusals are, which begin at this time',
    }),
    request_count: Count,
    groups: Type.Array(RefusalRow),
    total: Type.Integer({ minimum: 0, description: 'How many groups there are beyond `limit` and `offset`' }),
  },
  { title: 'Refusals' },
);
export type Refusals = Static<typeof Refusals>;

const RefusalQuery = Exact({
  group_by: groupBy(refusalDimensions, { default: 'key,reason', example: 'key,reason,day' }),
  ...callerFilters,
  ...optional({
    reason: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Why they were refused, such as budget_exceeded',
    }),
    stage: Type.String({ minLength: 1, maxLength: 100, description: 'The pipeline stage that refused' }),
  }),
  order: Type.Enum(['count', 'time'], {
    default: 'count',
    description: 'count: most refusals first; time: earliest first, where grouped by day or hour',
  }),
  ...page,
});
export type RefusalQuery = Static<typeof RefusalQuery>;

export const getRefusals = routes.define({
  method: 'GET',
  path: '/spend/refusals',
  role: 'viewer',
  summary:
    'Count the requests that proxies refused by team, key, user, proxy, reason, stage, day or hour, or by several of these; this month ' +
    'unless a period is given',
  parts: { query: RefusalQuery, response: Refusals },
});

export const exportSpend = routes.define({
  method: 'GET',
  path: '/spend/export',
  role: 'viewer',
  summary:
    'Export what models cost as one table of CSV in the columns of FOCUS 1.2: a row for each UTC day, proxy, team, key and model; this month ' +
    'unless a period is given',
  contentType: 'text/csv; charset=utf-8',
  parts: {
    query: Exact({
      format: Type.Enum(['focus'], { default: 'focus', description: 'focus: columns of FOCUS 1.2' }),
      ...exportFilters,
    }),
  },
  audit: 'spend.exported',
});
