import type { Balance, Claim } from '@portcullis/core/budget/account';
import type { AttemptAnswer, DelayRule } from '@portcullis/core/rate-limit/backoff';
import type { WindowAnswer } from '@portcullis/core/rate-limit/rolling-window';
import type { BucketAnswer, BucketRule } from '@portcullis/core/rate-limit/token-bucket';

export type { BucketAnswer, BucketRule } from '@portcullis/core/rate-limit/token-bucket';
export type { WindowAnswer } from '@portcullis/core/rate-limit/rolling-window';

/**
 * What processes share beside the database. Two implementations, `redis/` and `in-process/`, keep
 * to one contract suite (`coordination.contract.ts`); nothing else knows which one it has.
 */
export interface Coordination extends AsyncDisposable {
  readonly buckets: Buckets;
  readonly windows: Windows;
  readonly attempts: AttemptLimiter;
  readonly accounts: Accounts;
  readonly bus: Bus;
  readonly leases: Leases;
  /** Opens a durable queue. Opening the same name twice gives two handles on one queue. */
  queue<Job>(name: string): Queue<Job>;
  /** Resolves when the store answers and takes what is written, rejects with its reason otherwise. */
  check(): Promise<void>;
  /** Why processes count by themselves at present; undefined while the store counts for all. */
  problem(): string | undefined;
}

export interface Buckets {
  /**
   * Takes one token. Answers synchronously where the state is in this process, so that the hot
   * path does not wait for nothing. Rejects when the store is out of reach.
   */
  take(key: string, rule: BucketRule): BucketAnswer | Promise<BucketAnswer>;
  /** Puts back one token that was taken for what turned out not to count. Rejects when the store is out of reach. */
  giveBack(key: string, rule: BucketRule): Promise<void>;
}

export interface Windows {
  /**
   * Counts a call among those of the last minute, if there is room for it. Answers synchronously where the state is in
   * this process. Rejects when the store is out of reach.
   * @param limit per minute
   */
  take(key: string, limit: number): WindowAnswer | Promise<WindowAnswer>;
}

/** Money that is spent together. Amounts are integers. */
export interface Accounts {
  /**
   * Holds an amount in every account, or in none when one of them is at its limit. All at once, also between
   * processes. Answers synchronously where the state is in this process. Rejects when the store is out of reach.
   */
  reserve(claims: readonly Claim[], amount: number): ReserveAnswer | Promise<ReserveAnswer>;
  /**
   * Turns what was held into what was spent, 0 for nothing; answers what each account has spent now, synchronously
   * where the state is in this process. Rejects when the store is out of reach.
   */
  settle(reservation: Reservation, spent: number): readonly number[] | Promise<readonly number[]>;
  /**
   * Counts this process among those that spend from these accounts for another half a minute, and answers how
   * many they are. Rejects when the store is out of reach.
   */
  share(): Promise<number>;
}

/** What was held, and where. */
export interface Reservation {
  readonly keys: readonly string[];
  /** When it was made. */
  readonly slot: number;
  readonly amount: number;
}

export interface ReserveAnswer {
  /** Undefined when an account was at its limit. */
  readonly reservation: Reservation | undefined;
  /** Of each account, as it was before. */
  readonly balances: readonly Balance[];
}

/** Waits that grow with every attempt at something, until one succeeds. */
export interface AttemptLimiter {
  /** Counts an attempt, unless it comes too early. Rejects when the store is out of reach. */
  begin(key: string, rule: DelayRule): AttemptAnswer | Promise<AttemptAnswer>;
  /** Forgets the attempts. */
  clear(key: string): Promise<void>;
}

/** Best-effort publish/subscribe between processes. A message published without a listener is gone. */
export interface Bus {
  publish(topic: string, message: unknown): Promise<void>;
  /**
   * The listener gets the parsed message. Resolves once the subscription is in force, or will be
   * as soon as the store is within reach; call the answer to end it.
   */
  subscribe(topic: string, listener: (message: unknown) => void): Promise<() => Promise<void>>;
}

/** One holder at a time, for work that must not run twice. */
export interface Leases {
  /** Resolves with the lease, or undefined while another process holds it. Lost when not renewed within `ttlMs`. */
  acquire(name: string, ttlMs: number): Promise<Lease | undefined>;
}

export interface Lease {
  /** Extends the lease; false when it was lost meanwhile. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface RetryRule {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Delay before attempt n+1 is `backoffMs * 2^(n-1)`, one hour at most, and up to a quarter longer by chance. */
  readonly backoffMs: number;
}

export interface QueuedJob<Job> {
  readonly id: string;
  readonly payload: Job;
  /** 1 on the first attempt. */
  readonly attempt: number;
  /** True when a failure now is the last one. */
  readonly lastAttempt: boolean;
}

export interface DeadJob<Job> {
  readonly id: string;
  readonly payload: Job;
  readonly attempts: number;
  readonly reason: string;
  readonly failedAt: string;
}

/** Finished job ids a queue remembers, so that the same job is not accepted again. */
export const finishedIdsKept = 10_000;
/** Dead jobs a queue keeps; the oldest give way. */
export const deadJobsKept = 1_000;
/** Times a job may go down with its process before it counts as the cause. */
export const maxInterruptions = 10;

/** A durable list of jobs. Disposing a handle ends what was started through it; the jobs stay. */
export interface Queue<Job> extends AsyncDisposable {
  /**
   * Accepted once per `id`, also across restarts, as far back as `finishedIdsKept` goes; resolves
   * when the job is on disk or in Redis. After a rejection the job may be there or not: add it again.
   */
  add(id: string, payload: Job, retry: RetryRule): Promise<void>;
  /**
   * Runs `handle` for each job, `concurrency` at a time, until the answer is disposed (which waits
   * for jobs in hand). A rejection is a failed attempt; after the last one, or at once when it is a
   * `PermanentFailure`, the job is dead.
   * A job whose process died is given out again; that is no failed attempt, but a job that
   * brought its process down more than `maxInterruptions` times is dead.
   */
  process(handle: (job: QueuedJob<Job>) => Promise<void>, concurrency: number): AsyncDisposable;
  /** Newest first; the store keeps the latest `deadJobsKept`. */
  deadJobs(limit: number): Promise<readonly DeadJob<Job>[]>;
  /** Puts a dead job back with all its attempts; false when there is no such dead job. */
  retryDead(id: string): Promise<boolean>;
  counts(): Promise<{
    readonly waiting: number;
    readonly active: number;
    readonly delayed: number;
    readonly dead: number;
  }>;
}
