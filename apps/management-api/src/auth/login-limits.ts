import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createHash } from 'node:crypto';

const perAddress = { capacity: 60, refillPerSecond: 1 };

/** One user from one address: a person who mistypes is never stopped, a program that guesses comes to 96 a day. */
const fromOneAddress = { freeAttempts: 10, firstDelayMs: 1_000, maxDelayMs: 900_000, forgetAfterMs: 86_400_000 };

/**
 * One user from all addresses that they never signed in from: many machines together come to one
 * attempt a minute. The wait stays short, since it is also that of a user who travels.
 */
const fromStrangers = { freeAttempts: 20, firstDelayMs: 1_000, maxDelayMs: 60_000, forgetAfterMs: 86_400_000 };

/**
 * The same for an account under all its names: its user name and its e-mail address have a counter each, and together they
 * have this one. A little looser, so that it never refuses a user who uses one name.
 */
const ofAccount = <Rule extends typeof fromOneAddress>(rule: Rule) => ({
  ...rule,
  freeAttempts: rule.freeAttempts + 2,
  maxDelayMs: rule.maxDelayMs * 0.9,
});

/** Slows down who guesses passwords, in every replica alike. */
export interface LoginLimits {
  /** Counts a request against the client's address, before anything is looked up. @throws {GatewayError} as `begin` */
  countRequest(address: string): Promise<void>;
  /**
   * Counts an attempt before the password is looked at, for unknown users as well.
   * @param known whether the user signed in from this address not long ago: then strangers do not count
   * @param userId of the account that the name is of
   * @returns false where the account had too many guesses under another of its names: the attempt then fails as with a wrong
   *   password, since another answer would tell that the names are of one account, and that there is one
   * @throws {GatewayError} `too_many_requests`; `service_unavailable` without the store, since guessing
   *   unlimited passwords must not be as easy as overloading a store
   */
  begin(name: string, address: string, known: boolean, userId?: number): Promise<boolean>;
  /** Takes a request back, which turned out to be a correct login: people behind one address do not use up each other's. */
  uncountRequest(address: string): Promise<void>;
  /** Forgets the attempts of a user, who has just shown that they know the password. */
  succeed(name: string, address: string, userId: number): Promise<void>;
}

export function createLoginLimits({ buckets, attempts }: Pick<Coordination, 'buckets' | 'attempts'>): LoginLimits {
  return {
    async countRequest(address) {
      refuseOrPass([await orUnavailable(async () => buckets.take(addressKey(address), perAddress))]);
    },

    async uncountRequest(address) {
      // It comes back by itself within a second as well.
      await buckets.giveBack(addressKey(address), perAddress).catch(() => undefined);
    },

    async begin(name, address, known, userId) {
      const keys = keysOf(name.toLowerCase(), address);
      const answers = await orUnavailable(async () =>
        Promise.all([
          attempts.begin(keys.here, fromOneAddress),
          ...(known ? [] : [attempts.begin(keys.everywhere, fromStrangers)]),
        ]),
      );
      refuseOrPass(answers);
      if (userId === undefined) return true;
      const account = keysOf(accountName(userId), address);
      const ofAll = await orUnavailable(async () =>
        Promise.all([
          attempts.begin(account.here, ofAccount(fromOneAddress)),
          ...(known ? [] : [attempts.begin(account.everywhere, ofAccount(fromStrangers))]),
        ]),
      );
      return ofAll.every(({ allowed }) => allowed);
    },

    async succeed(name, address, userId) {
      const keys = [name.toLowerCase(), accountName(userId)].map((one) => keysOf(one, address));
      // What cannot be cleared is forgotten in a day; it must not cost a user their login.
      await Promise.allSettled(
        keys.flatMap(({ here, everywhere }) => [attempts.clear(here), attempts.clear(everywhere)]),
      );
    },
  };
}

const addressKey = (address: string): string => `login:address:${clientNetworkOf(address)}`;

/** No name that is typed has a capital. */
const accountName = (userId: number): string => `ACCOUNT ${userId}`;

/** Hashed, since the name is as the client sent it, at any length, a password by mistake too. */
function keysOf(name: string, address: string) {
  const user = createHash('sha256').update(name).digest('base64url');
  return { here: `login:${user}:${clientNetworkOf(address)}`, everywhere: `login:${user}` };
}

const orUnavailable = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
  ask().catch((error: unknown) => {
    throw new GatewayError('service_unavailable', { message: 'Logging in is not possible right now', cause: error });
  });

function refuseOrPass(answers: readonly { readonly allowed: boolean; readonly retryAfterMs: number }[]): void {
  if (answers.every(({ allowed }) => allowed)) return;
  const retryAfterS = Math.ceil(Math.max(...answers.map(({ retryAfterMs }) => retryAfterMs)) / 1_000);
  throw new GatewayError('too_many_requests', { headers: { 'retry-after': String(retryAfterS) } });
}
