import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { CallerRank, CallerQuota } from '../caller-quota.ts';

/** Work for the one thread: users before keys before anonymous callers, and the callers of one rank in turns. */
export interface FairQueue {
  /** @throws {GatewayError} `service_unavailable` when too many wait already, of all or of this caller */
  run<Answer>(share: CallerQuota, work: () => Promise<Answer>): Promise<Answer>;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

interface Waiting {
  readonly share: CallerQuota;
  readonly start: () => Promise<void>;
}

const ranks: readonly CallerRank[] = ['user', 'key', 'anonymous'];

/** Of the whole queue: anonymous callers cannot take the places of keys, nor keys those of users. */
const shareOfPlaces: Readonly<Record<CallerRank, number>> = { user: 1, key: 0.75, anonymous: 0.5 };
/** Of the places of its rank, what one caller may take. */
const shareOfPlacesOfCaller: Readonly<Record<CallerRank, number>> = { user: 1, key: 0.5, anonymous: 0.25 };

/** @param what waits, in the plural, as in "skills wait to be scanned" */
export function createFairQueue(
  maxWaiting: number,
  what: { readonly ofAll: string; readonly ofOne: string },
): FairQueue {
  const queue: Waiting[] = [];
  let underWay: Promise<void> | undefined;
  let current: CallerQuota | undefined;
  const count = (matches: (share: CallerQuota) => boolean): number =>
    queue.filter(({ share }) => matches(share)).length + (current !== undefined && matches(current) ? 1 : 0);

  const next = (): Waiting | undefined => {
    const rank = ranks.find((one) => queue.some(({ share }) => share.rank === one));
    const ofRank = queue.filter(({ share }) => share.rank === rank);
    const chosen = ofRank.find(({ share }) => share.key !== current?.key) ?? ofRank[0];
    if (chosen !== undefined) queue.splice(queue.indexOf(chosen), 1);
    return chosen;
  };
  const run = async (): Promise<void> => {
    for (let one = next(); one !== undefined; one = next()) {
      current = one.share;
      await one.start();
    }
    current = undefined;
    underWay = undefined;
  };

  return {
    async run<Answer>(share: CallerQuota, work: () => Promise<Answer>) {
      const places = Math.ceil(maxWaiting * shareOfPlaces[share.rank]);
      const waiting = count(() => true);
      if (waiting >= places) throw full(`${waiting} ${what.ofAll} already`);
      const own = Math.ceil(places * shareOfPlacesOfCaller[share.rank]);
      if (count(({ key }) => key === share.key) >= own) throw full(`${own} ${what.ofOne} already`);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      queue.push({ share, start: () => work().then(resolve, reject) });
      underWay ??= run();
      return promise;
    },
    settled: async () => underWay,
  };
}

const full = (what: string) =>
  new GatewayError('service_unavailable', {
    message: `${what}; try again in some seconds`,
    headers: { 'retry-after': '5' },
  });
