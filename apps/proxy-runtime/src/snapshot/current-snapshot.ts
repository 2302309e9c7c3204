import { emptySnapshot, type Snapshot } from './snapshot.ts';

/** The configuration in force, and what follows it. */
export class CurrentSnapshot {
  readonly #followers: ((snapshot: Snapshot) => void)[] = [];
  #value = emptySnapshot;

  get value(): Snapshot {
    return this.#value;
  }

  /** Brings another one into force, and tells those who follow it in the order in which they came. */
  set(snapshot: Snapshot): void {
    this.#value = snapshot;
    for (const follow of this.#followers) follow(snapshot);
  }

  /** @param select the part to follow: what is told is told when that is another one */
  follow<Part>(select: (snapshot: Snapshot) => Part, follower: (part: Part) => void): void {
    let known: Part | undefined;
    this.#followers.push((snapshot) => {
      const part = select(snapshot);
      if (part === known) return;
      known = part;
      follower(part);
    });
  }
}
