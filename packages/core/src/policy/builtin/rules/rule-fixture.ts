/** Texts that pin what one rule means: those in which it must fire, and look-alikes in which nothing may. */
export interface RuleFixture {
  readonly matches: readonly string[];
  readonly misses: readonly string[];
}

/** By rule. */
export type RuleFixtures = Readonly<Record<string, RuleFixture>>;
