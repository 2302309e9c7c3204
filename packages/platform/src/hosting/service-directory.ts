import type { Database } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery, type Repeated } from '../event-loop/run-every.ts';
import { listMounts, type ServiceMount } from './service-mounts.ts';

/** Where the services are that run in other processes, by their signs of life. */
export interface ServiceDirectory extends AsyncDisposable {
  /** The address of a process of the service, of several each in turn; undefined when none is there. */
  pick(service: string): string | undefined;
  /** Takes an address out of the turn for a while, since nothing answered there. */
  avoid(address: string): void;
  /**
   * Looks, and from then on again and again. While the database is away, what it said last counts.
   * @param onMounts told the places of the other services, now and when these change
   */
  start(onMounts: (mounts: readonly Omit<ServiceMount, 'addresses'>[]) => void): Promise<void>;
}

interface DirectoryOptions {
  readonly database: Database;
  readonly log: Logger;
  /** Names of the services of this process, which are no others. */
  readonly own: readonly string[];
}

const lookEveryMs = 1_000;
/** As long as the last sign of life of a process that was killed keeps its address in the list, and the look after it. */
const avoidMs = 12_000;

export function createServiceDirectory({ database, log, own }: DirectoryOptions): ServiceDirectory {
  const addressesOf = new Map<string, readonly string[]>();
  const avoidedUntil = new Map<string, number>();
  let known = '';
  let next = 0;

  let looking: Repeated | undefined;

  const look = async (onMounts: Parameters<ServiceDirectory['start']>[0]): Promise<void> => {
    const { rows } = await listMounts(database.kysely, JSON.stringify(own));
    for (const { service, addresses } of rows) {
      const before = addressesOf.get(service);
      addressesOf.set(service, addresses);
      if (addresses.length > 0 && before?.length === 0) log.info('A service is back', { of: service, addresses });
      if (addresses.length === 0 && before?.length !== 0) log.warn('A service is away', { of: service });
    }
    const mounts = rows.map(({ prefix, service }) => ({ prefix, service }));
    const now = JSON.stringify(mounts);
    if (now === known) return;
    onMounts(mounts);
    known = now;
  };

  const onFault = (error: unknown): void => {
    log.debug('The places of other services could not be read', { problem: problemText(error) });
  };
  return {
    pick(service) {
      const addresses = addressesOf.get(service) ?? [];
      const nowMs = performance.now();
      const likely = addresses.filter((address) => (avoidedUntil.get(address) ?? 0) <= nowMs);
      const choice = likely.length > 0 ? likely : addresses;
      next = (next + 1) % Number.MAX_SAFE_INTEGER;
      return choice[next % choice.length];
    },
    avoid(address) {
      for (const [known, untilMs] of avoidedUntil) if (untilMs <= performance.now()) avoidedUntil.delete(known);
      avoidedUntil.set(address, performance.now() + avoidMs);
    },
    async start(onMounts) {
      await look(onMounts).catch(onFault);
      looking = runEvery(() => look(onMounts), { intervalMs: lookEveryMs, onFault, later: true });
    },
    async [Symbol.asyncDispose]() {
      await looking?.[Symbol.asyncDispose]();
    },
  };
}
