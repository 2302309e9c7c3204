import type { Health } from '@portcullis/contracts/routes/system';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { ServiceHealth } from '@portcullis/platform/service/service';
import { version } from '@portcullis/platform/process/version';
import { sql } from 'kysely';

const timeoutMs = 2_000;

type HealthParts = Pick<Infrastructure, 'database' | 'coordination' | 'log'> & {
  /** The service that asks; it answers for itself. */
  readonly own: { readonly name: string; health(): ServiceHealth };
};

/** Looks after the whole gateway: the stores, this service, and what the others last reported. */
export function createHealthCheck(parts: HealthParts): () => Promise<Health> {
  const { database, coordination, log, own } = parts;
  const seen = new Set<string>();

  /** Publicly told by name alone: why a store is away is for the log. */
  const probe = async (name: string, check: () => Promise<void>): Promise<string[]> => {
    try {
      await withTimeout(check());
      return [];
    } catch (error) {
      log.warn(`The ${name} does not answer`, { problem: problemText(error) });
      return [`${name}: does not answer`];
    }
  };

  return async () => {
    const [databaseProblems, coordinationProblems] = await Promise.all([
      probe('database', () => database.check()),
      probe('coordination', () => coordination.check()),
    ]);
    const away = databaseProblems.length > 0;
    const [others, notes] = away
      ? [[], []]
      : await Promise.all([
          listProblemsOfOthers(parts, seen).catch(() => ['database: does not answer']),
          listNotes(database).catch(() => []),
        ]);
    const problems = [...databaseProblems, ...coordinationProblems, ...own.health().problems, ...others];
    const status = away ? 'unhealthy' : problems.length > 0 ? 'degraded' : 'healthy';
    return {
      status,
      timestamp: new Date().toISOString(),
      version,
      ...(problems.length > 0 && { problems }),
      ...(notes.length > 0 && { notes }),
    };
  };
}

/** An answer that has come is read before it is given up: this process may have been too busy until now. */
const withTimeout = (work: Promise<void>): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`No answer within ${timeoutMs} ms`));
  const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** A service counts as gone when none of its instances has given a sign of life for so long. */
const staleAfterS = 10;

/** @param seen names of services that were ever there, kept from call to call */
async function listProblemsOfOthers({ database, own }: HealthParts, seen: Set<string>): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom('service_instances')
    .select([
      'service',
      sql<ServiceHealth>`health`.as('health'),
      sql<number>`extract(epoch from now() - heartbeat_at)::double precision`.as('age_s'),
    ])
    .where('service', '<>', own.name)
    .orderBy('service')
    .execute();
  for (const { service } of rows) seen.add(service);

  return [...seen].sort().flatMap((service) => {
    const instances = rows.filter((row) => row.service === service);
    const live = instances.filter(({ age_s: ageS }) => ageS <= staleAfterS);
    if (live.length > 0) return [...new Set(live.flatMap(({ health }) => describe(service, health)))];
    const ages = instances.map(({ age_s: ageS }) => ageS);
    return [`${service}: ${ages.length === 0 ? 'is gone' : `no sign of life for ${Math.round(Math.min(...ages))} s`}`];
  });
}

const describe = (service: string, { status, problems }: ServiceHealth): string[] => {
  if (status === 'healthy') return [];
  return problems.length === 0 ? [`${service}: ${status}`] : problems.map((problem) => `${service}: ${problem}`);
};

/** SignInDetails to anybody who asks, so without names. */
async function listNotes({ kysely }: Queryable): Promise<string[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from proxies
    where enabled and desired_state = 'running' and not exists (
      select from proxy_policies join policies on policies.name = proxy_policies.policy_name
      where proxy_policies.proxy_id = proxies.id and active and policy_type in ('both', proxies.type))`.execute(kysely);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return [];
  return [`${count === 1 ? '1 proxy runs' : `${count} proxies run`} without a policy: no policy inspects the traffic`];
}
