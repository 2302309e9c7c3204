import type { RuleFixtures } from './rule-fixture.ts';
import { writeOut } from './made-up-tokens.fixture.ts';
import signals from './signal-rules.fixture.json' with { type: 'json' };

const { flood } = signals.written;
export const signalFixture: RuleFixtures = {
  ...signals.written,
  flood: { ...flood, matches: flood.matches.map(writeOut) },
};

const orders = signals.tools['words-to-model-in-results'].matches;

/** In the middle of more than 20,000 characters. */
const inDocument = (text: string): string => {
  const chapter = Array.from(
    { length: 220 },
    (_, at) => `Room ${at} has ${at % 7} windows and a view of the lake.`,
  ).join('\n');
  return `${chapter}\n\n${text}\n\n${chapter}`;
};

export const toolSignalFixture: RuleFixtures = {
  ...signals.tools,
  'planted-orders-in-long-results': {
    matches: [
      [...orders, orders[0]],
      [...orders.toReversed(), orders[1]],
    ].map((texts) => inDocument(texts.join(' '))),
    misses: ['The assistant manager will send you the form.', 'Please reply by Friday.'].map(inDocument),
  },
};
