import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { CallerRank, CallerShare } from '../caller-share.ts';

/** What waits for the one thread: users before keys before strangers, and of one rank no caller before the others have had a turn. */
export interface WaitingLine {
  /** @throws {GatewayError} `service_unavailable` when too many wait already, of all or of this caller */
  join<Answer>(share: CallerShare, work: () => Promise<Answer>): Promise<Answer>;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

interface Waiting {
  readonly share: CallerShare;
  readonly start: () => Promise<void>;
}

const ranks: readonly CallerRank[] = ['user', 'key', 'stranger'];

/** Of what may wait in all: strangers cannot take the places of keys, nor these those of users. */
const placesOf: Readonly<Record<CallerRank, number>> = { user: 1, key: 0.75, stranger: 0.5 };
/** Of the places of its rank, what one caller may take. */
const placesOfOne: Readonly<Record<CallerRank, number>> = { user: 1, key: 0.5, stranger: 0.25 };

/** @param what waits, in the plural, as in "skills wait to be scanned" */
export function createWaitingLine(
  maxWaiting: number,
  what: { readonly ofAll: string; readonly ofOne: string },
): WaitingLine {
  const line: Waiting[] = [];
  let underWay: Promise<void> | undefined;
  let current: CallerShare | undefined;
  const count = (matches: (share: CallerShare) => boolean): number =>
    line.filter(({ share }) => matches(share)).length + (current !== undefined && matches(current) ? 1 : 0);

  const next = (): Waiting | undefined => {
    const rank = ranks.find((one) => line.some(({ share }) => share.rank === one));
    const ofRank = line.filter(({ share }) => share.rank === rank);
    const chosen = ofRank.find(({ share }) => share.key !== current?.key) ?? ofRank[0];
    if (chosen !== undefined) line.splice(line.indexOf(chosen), 1);
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
    async join<Answer>(share: CallerShare, work: () => Promise<Answer>) {
      const places = Math.ceil(maxWaiting * placesOf[share.rank]);
      const waiting = count(() => true);
      if (waiting >= places) throw full(`${waiting} ${what.ofAll} already`);
      const own = Math.ceil(places * placesOfOne[share.rank]);
      if (count(({ key }) => key === share.key) >= own) throw full(`${own} ${what.ofOne} already`);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      line.push({ share, start: () => work().then(resolve, reject) });
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
