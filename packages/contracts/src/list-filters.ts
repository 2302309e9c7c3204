import { Type, type TSchema } from 'typebox';
import { optional } from './fields.ts';

/** Records by their ids or names; one whose name is a number is found by that name. */
const References = (record: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minLength: 1,
    maxLength: 1_000,
    minimum: 1,
    maximum: 2_147_483_647,
    description: `Id or name of ${record}, or several with commas between`,
  });

const time = 'A date (YYYY-MM-DD, UTC) or an ISO 8601 timestamp';
const Time = Type.String({ maxLength: 40, description: time });

/** A number of minutes, hours or days up to now. */
export const TimeRange = Type.String({
  pattern: '^[1-9]\\d{0,3}[mhd]$',
  'x-allowed': 'a number with m, h or d, such as 24h',
  description: 'Only the latest, for example 1h, 6h, 24h, 7d, 30d',
});

/** The period of a list. Several of the fields restrict together. */
export const dates = {
  time_range: TimeRange,
  date_from: Time,
  date_to: Type.String({ ...Time, description: `${time}, before which it was; a date is included whole` }),
};

/** What lists are filtered by. A filter has the same name, the same values and the same meaning on each list that has it. */
export const listFilters = {
  ...dates,
  proxy: References('a proxy'),
  team: References('a user group'),
  key: References('an API key'),
  user: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'Who called: the name or e-mail address of a user, or the name of an API key; or several with commas between',
  }),
  request_id: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Id of a request, as refusals, logs and alerts have it',
  }),
};

/** Some of the filters that all lists share, each of which may be absent. */
export const filtersOf = <Name extends keyof typeof listFilters>(...names: readonly Name[]) =>
  optional(Object.fromEntries(names.map((name) => [name, listFilters[name]])) as Pick<typeof listFilters, Name>);

/**
 * The name that a filter had before. It is read into the one that it stands for; a request that has both is refused unless
 * they are the same.
 */
export const synonymOf = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  deprecated: true,
  [synonymKeyword]: name,
  description: `The older name of ${name}`,
});
export const synonymKeyword = 'x-synonym-of';
