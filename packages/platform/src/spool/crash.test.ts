import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { SpoolRecord } from '@portcullis/contracts/records';
import fc from 'fast-check';
import { RecordStore } from '../../test/spool/record-store.ts';
import { sampleAlert, sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import { silentLog } from '../../test/test-database.ts';
import { fileOperations, type FileOperations } from './file-operations.ts';
import { openSpoolInto } from './open-spool.ts';
import type { Spool } from './spool.ts';

/** What may happen to a spool, one after the other. */
type Step =
  | { readonly do: 'append'; readonly records: number }
  | { readonly do: 'crash'; readonly records: number; readonly writtenShare: number }
  | { readonly do: 'restart' | 'databaseAway' | 'databaseBack' | 'databaseLosesAnswer' | 'drain' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('append' as const), records: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      records: fc.integer({ min: 1, max: 4 }),
      writtenShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('restart', 'databaseAway', 'databaseBack', 'databaseLosesAnswer', 'drain'),
    }),
  },
);

const impatient = {
  maxBytes: 1e9,
  segmentBytes: 2_000,
  maxHeldBytes: 3_000,
  diskIntervalMs: 3,
  lingerMs: 0,
  closeTimeoutMs: 0,
  log: silentLog,
};

/** A spool whose process can die in the middle of a write. */
class Mortal {
  readonly store = new RecordStore();
  /** Records of which the spool said that they are written. */
  readonly written = new Set<string>();
  /** Records that the spool was given. */
  readonly given = new Set<string>();
  #directory: string;
  #spool: Spool | undefined;
  #life = { dead: false, bytesToLive: Infinity };

  constructor(directory: string) {
    this.#directory = directory;
  }

  async open(): Promise<void> {
    const life = { dead: false, bytesToLive: Infinity };
    this.#life = life;
    const unlessDead = <Answer>(act: () => Answer): Answer => {
      if (life.dead) throw new Error('the process is dead');
      return act();
    };
    const files: FileOperations = {
      open: (path) => unlessDead(() => fileOperations.open(path)),
      write: (fd, bytes) =>
        unlessDead(() => {
          const done = fileOperations.write(fd, bytes.subarray(0, life.bytesToLive));
          life.bytesToLive -= done;
          life.dead = life.bytesToLive <= 0;
          return unlessDead(() => done);
        }),
      truncate: (fd) => unlessDead(() => fileOperations.truncate(fd)),
      sync: (fd) => fileOperations.sync(fd),
      close: fileOperations.close,
      remove: async (path) => unlessDead(() => fileOperations.remove(path)),
    };
    this.#spool = await openSpoolInto(async (lines) => unlessDead(() => this.store.save(lines)), {
      ...impatient,
      directory: this.#directory,
      files,
    });
  }

  async append(count: number): Promise<void> {
    const life = this.#life;
    const records = Array.from({ length: count }, (_, index) => anyRecord(index));
    for (const { event_id } of records) this.given.add(event_id);
    await new Promise<void>((resolve) => {
      this.#spool?.append(records, () => {
        if (!life.dead) for (const { event_id } of records) this.written.add(event_id);
        resolve();
      });
    });
  }

  async restart(): Promise<void> {
    await this.#spool?.[Symbol.asyncDispose]();
    await this.open();
  }

  /** Dies in the write of these records, of which the share given still reaches the file. */
  async crash(records: number, writtenShare: number): Promise<void> {
    this.#life.bytesToLive = Math.floor(records * 500 * writtenShare);
    if (this.#life.bytesToLive === 0) this.#life.dead = true;
    await this.append(records);
    this.#life.dead = true;
    const left = `${this.#directory}+`;
    await cp(this.#directory, left, { recursive: true });
    await this.#spool?.[Symbol.asyncDispose]();
    this.#directory = left;
    await this.open();
  }

  async drain(): Promise<void> {
    this.store.fault = undefined;
    await this.#spool?.drained(60_000);
  }

  async end(): Promise<number> {
    await this.drain();
    const rejected = this.#spool?.state().rejectedRecords ?? 0;
    await this.#spool?.[Symbol.asyncDispose]();
    return rejected;
  }
}

const anyRecord = (index: number): SpoolRecord =>
  [sampleRequestLog, sampleUsage, sampleAlert][index % 3]?.() ?? sampleUsage();

async function take(mortal: Mortal, step: Step): Promise<void> {
  switch (step.do) {
    case 'append':
      return mortal.append(step.records);
    case 'crash':
      return mortal.crash(step.records, step.writtenShare);
    case 'restart':
      return mortal.restart();
    case 'drain':
      return mortal.drain();
    case 'databaseAway':
      mortal.store.fault = new Error('away');
      return;
    case 'databaseBack':
      mortal.store.fault = undefined;
      return;
    case 'databaseLosesAnswer':
      mortal.store.losesAnswer = true;
  }
}

test('every record that was written gets into the database, and nothing else does', async () => {
  const root = await mkdtemp(join(tmpdir(), 'portcullis-crash-'));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const mortal = new Mortal(await mkdtemp(join(root, 'run-')));
        await mortal.open();
        for (const step of steps) await take(mortal, step);
        const rejected = await mortal.end();
        const saved = new Set(mortal.store.ids);
        expect(mortal.written.difference(saved)).toEqual(new Set());
        expect(saved.difference(mortal.given)).toEqual(new Set());
        expect(rejected).toBe(0);
      }),
      { numRuns: 60 },
    );
  } finally {
    await rm(root, { recursive: true });
  }
});
