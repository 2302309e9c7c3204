import type { Spool } from '@portcullis/platform/spool/spool';
import type { SpendingFeed } from './spending-sums.ts';

/** How long what a process has recorded may take into the database before that is asked for again. */
const backlogMs = 60_000;

/** The sums of what was spent, read anew once all that this process has recorded is in them. */
export class SpoolCatchUp implements Disposable {
  readonly #spool: Pick<Spool, 'drained'>;
  readonly #spending: Pick<SpendingFeed, 'refresh'>;
  #ended = false;

  constructor(spool: Pick<Spool, 'drained'>, spending: Pick<SpendingFeed, 'refresh'>) {
    this.#spool = spool;
    this.#spending = spending;
  }

  /** Resolves once that is so, or the service ends. While records wait for their database, what they cost has to be held. */
  async caughtUp(): Promise<void> {
    for (let drained = false; !drained && !this.#ended;) drained = await this.#drained();
    await this.#spending.refresh();
  }

  /** What this process had recorded when it ended last counts once it is in the database; budgets go on without it meanwhile. */
  async catchUpOnce(): Promise<void> {
    if (await this.#drained()) await this.#spending.refresh();
  }

  [Symbol.dispose](): void {
    this.#ended = true;
  }

  #drained(): Promise<boolean> {
    return this.#spool.drained(backlogMs).then(
      () => true,
      () => false,
    );
  }
}
