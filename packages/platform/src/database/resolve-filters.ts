import type { Queryable } from './database.ts';

/** The filters of lists that name records, as `listFilters` of the contract has them. */
export interface NamedFilters {
  readonly proxy?: number | string;
  readonly team?: number | string;
  readonly key?: number | string;
  readonly user?: string;
}

interface Named {
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

/** What rows can be compared with: by ids or by names, as a table has them. What is absent does not restrict. */
export interface ResolvedFilters {
  readonly proxy?: Named;
  readonly team?: Named;
  readonly key?: Named;
  readonly user?: CallerNames;
}

export interface CallerNames {
  /** As they were given, beside the names of the users whose e-mail address was. */
  readonly names: readonly string[];
  readonly userIds: readonly number[];
  readonly keyIds: readonly number[];
}

/** Keys may share a name: of so many the first. */
const mostOfName = 1_000;

/** Looks up what the filters name; what is blank does not restrict. Ids and names of records that are gone stand. */
export async function resolveFilters(
  database: Queryable,
  { proxy = '', team = '', key = '', user = '' }: NamedFilters,
): Promise<ResolvedFilters> {
  const find = (table: NamedTable, references: number | string) =>
    isBlank(references) ? undefined : findNamed(database, table, String(references));
  const found = {
    proxy: await find('proxies', proxy),
    team: await find('user_groups', team),
    key: await find('api_keys', key),
    user: isBlank(user) ? undefined : await findCallers(database, splitNames(user)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, names]) => names !== undefined));
}

const isBlank = (list: number | string): boolean => splitNames(String(list)).length === 0;

const splitNames = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

type NamedTable = 'proxies' | 'user_groups' | 'api_keys';

async function findNamed({ kysely }: Queryable, table: NamedTable, references: string): Promise<Named> {
  const select = kysely.selectFrom(table).select(['id', 'name']).limit(mostOfName);
  // A name may have commas.
  const whole = await select.where('name', '=', references).execute();
  const parts = whole.length > 0 ? [] : splitNames(references);
  const named = parts.length === 0 ? whole : await select.where('name', 'in', parts).execute();
  const left = parts.filter((part) => !named.some(({ name }) => name === part));
  const ids = left.filter(isId).map(Number);
  const byId = ids.length === 0 ? [] : await select.where('id', 'in', ids).execute();
  const gone = left.filter((part) => !byId.some(({ id }) => String(id) === part));
  const rows = [...named, ...byId];
  return {
    ids: [...rows.map(({ id }) => id), ...gone.filter(isId).map(Number)],
    names: [...new Set([...rows.map(({ name }) => name), ...gone])],
  };
}

const isId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;

async function findCallers({ kysely }: Queryable, given: readonly string[]): Promise<CallerNames> {
  const emails = given.map((name) => name.toLowerCase());
  const users = await kysely
    .selectFrom('users')
    .select(['id', 'username'])
    .where(({ or, eb, fn }) => or([eb('username', 'in', given), eb(fn<string>('lower', ['email']), 'in', emails)]))
    .execute();
  const keys = await kysely.selectFrom('api_keys').select('id').where('name', 'in', given).limit(mostOfName).execute();
  return {
    names: [...new Set([...given, ...users.map(({ username }) => username)])],
    userIds: users.map(({ id }) => id),
    keyIds: keys.map(({ id }) => id),
  };
}
