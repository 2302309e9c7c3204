import { harmless, type GuardrailResult } from './adapters/guardrail-adapter.ts';

/** Names, and figures by name, that are kept of one check: what a provider says is bounded here. */
const maxNames = 50;
const maxNameLength = 100;
const maxRationaleLength = 2_000;
const mostTokens = 1_000_000_000;

/** What several answers to parts of one question come to: flagged when one is, with the highest of each score. */
export function mergeResults(readings: readonly GuardrailResult[]): GuardrailResult {
  if (readings.length === 0) return harmless;
  const flagged = readings.filter((reading) => reading.flagged);
  const scores = new Map<string, number>();
  for (const reading of readings) {
    for (const [name, score] of Object.entries(reading.scores)) {
      const known = bound(name);
      if (scores.has(known) || scores.size < maxNames) scores.set(known, Math.max(score, scores.get(known) ?? 0));
    }
  }
  return {
    flagged: flagged.length > 0,
    categories: [...new Set(flagged.flatMap(({ categories }) => categories.map(bound)))].slice(0, maxNames),
    scores: Object.fromEntries(scores),
    confidence: highest(flagged.map(({ confidence }) => confidence)),
    rationale: flagged.find(({ rationale }) => rationale !== null)?.rationale?.slice(0, maxRationaleLength) ?? null,
    tokens: total(readings.map(({ tokens }) => tokens)),
  };
}

const bound = (name: string): string => name.slice(0, maxNameLength);

/** One verdict of unknown confidence counts as certain, so the whole is of unknown confidence too. */
const highest = (figures: readonly (number | null)[]): number | null =>
  figures.length === 0 || figures.includes(null) ? null : Math.max(...figures.map(Number));

/** What no question can have cost is no figure, and would keep its record out of the database. */
const total = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter(
    (figure) => figure !== null && Number.isSafeInteger(figure) && figure >= 0 && figure <= mostTokens,
  ) as number[];
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0);
};
