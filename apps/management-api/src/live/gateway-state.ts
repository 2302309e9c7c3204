import type { Database } from '@portcullis/platform/database/database';
import { prepare } from '@portcullis/platform/database/prepared';
import type { DeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type InferResult, type Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { conditions } from '../proxies/status-queries.ts';

export interface ProxyView {
  readonly name: string;
  readonly running: boolean;
  /** Why it cannot run, where a live runtime says so. */
  readonly error: string | null;
  readonly wanted: boolean;
  /** Grows with every restart command. */
  readonly generation: number;
}

/** What is watched of the gateway, as of one moment. */
export interface GatewayState {
  readonly proxies: ReadonlyMap<number, ProxyView>;
  /** Names of the services of which an instance gave a sign of life lately. */
  readonly services: ReadonlySet<string>;
  readonly deadLetters: number;
  /** The latest change of each settings section. */
  readonly settings: ReadonlyMap<string, number>;
}

/** One statement, since what is compared must be of one moment, and planned once, since it is asked all the time. */
const askDatabase = prepare<Watched>(
  'gateway_state',
  (kysely) => sql`
    select ${jsonArrayFrom(conditions(kysely))} as proxies,
      array(${livingServices(kysely)}) as services,
      ${jsonArrayFrom(latestSettings(kysely))} as settings`,
);

interface Watched {
  readonly proxies: readonly InferResult<ReturnType<typeof conditions>>[number][];
  readonly services: readonly string[];
  readonly settings: readonly { readonly id: string; readonly revision: number }[];
}

const livingServices = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('service_instances')
    .select('service')
    .distinct()
    .where('heartbeat_at', '>', sql<Date>`now() - interval '10 seconds'`);

const latestSettings = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('config_changes')
    .select(['id', ({ fn }) => fn.max('revision').as('revision')])
    .where('kind', '=', 'settings')
    .groupBy('id');

export async function loadGatewayState(
  { kysely }: Database,
  deliveries: Pick<DeliveryQueues, 'countDead'>,
): Promise<GatewayState> {
  const [{ rows }, deadLetters] = await Promise.all([askDatabase(kysely), deliveries.countDead()]);
  const { proxies = [], services = [], settings = [] } = rows[0] ?? {};
  return {
    proxies: new Map(
      proxies.map(({ id, name, generation, desired_state: desired, running, last_error: error }) => [
        id,
        { name, running, error, wanted: desired === 'running', generation },
      ]),
    ),
    services: new Set(services),
    deadLetters,
    settings: new Map(settings.map(({ id, revision }) => [id, revision])),
  };
}
