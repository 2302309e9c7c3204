import { expect, test } from '@jest/globals';
import { compilePolicies } from '../compile/compile-policies.ts';
import { builtinPolicies } from './builtin-policies.ts';
import sentences from './languages.fixture.json' with { type: 'json' };

const plan = compilePolicies(builtinPolicies);

/* Sentences of our own, as people write them to an assistant; each is also read in a paragraph with others. */
test.each(Object.entries(sentences))('plain sentences in %s pass every built-in policy', (_language, texts) => {
  expect(texts.length).toBeGreaterThanOrEqual(10);
  const paragraphs = texts.map((_text, index) =>
    [...texts.slice(index), ...texts.slice(0, index)].slice(0, 6).join(' '),
  );
  const blocked = [...texts, ...paragraphs].flatMap((text) =>
    plan
      .scan(text, { direction: 'request', protocol: 'llm', role: 'user' })
      .filter(({ action }) => action === 'block')
      .map(({ ruleId }) => `${ruleId}: ${text}`),
  );
  expect(blocked).toEqual([]);
});
