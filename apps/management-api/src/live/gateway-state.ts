import type { Queue } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import type { AlertDeliveryJob } from '@portcullis/contracts/events';
import { sql } from 'kysely';
import { listStatuses } from '../proxies/status-queries.ts';

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

export async function loadGatewayState(
  database: Database,
  deliveries: Pick<Queue<AlertDeliveryJob>, 'counts'>,
): Promise<GatewayState> {
  const { kysely } = database;
  const [statuses, wishes, services, sections, { dead }] = await Promise.all([
    listStatuses(database, undefined),
    kysely.selectFrom('proxies').select(['id', 'enabled', 'desired_state', 'generation']).execute(),
    kysely
      .selectFrom('service_instances')
      .select('service')
      .distinct()
      .where('heartbeat_at', '>', sql<Date>`now() - interval '10 seconds'`)
      .execute(),
    kysely
      .selectFrom('config_changes')
      .select(['id', ({ fn }) => fn.max('revision').as('revision')])
      .where('kind', '=', 'settings')
      .groupBy('id')
      .execute(),
    deliveries.counts(),
  ]);
  const wished = new Map(wishes.map(({ id, ...wish }) => [id, wish]));
  return {
    proxies: new Map(
      statuses.map(({ id, name, running, last_error: error }) => {
        const wish = wished.get(id);
        const wanted = wish?.enabled === true && wish.desired_state === 'running';
        return [id, { name, running, error, wanted, generation: wish?.generation ?? 0 }];
      }),
    ),
    services: new Set(services.map(({ service }) => service)),
    deadLetters: dead,
    settings: new Map(sections.map(({ id, revision }) => [id, revision])),
  };
}
