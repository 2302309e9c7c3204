import { percent, renderTable } from './counts.ts';
import { documentSamples } from '../../packages/detector-training/src/documents/document-samples.ts';
import { loadLanguages } from '../../packages/detector-training/src/languages/load-languages.ts';
import { languages } from '../../packages/detector-training/src/languages/languages.ts';
import { harmlessFaults, measureHarmless, renderHarmless } from './measure-harmless.ts';
import { isHeldOut, type Sample } from '../../packages/detector-training/src/sample.ts';
import { createScanner } from './scanner.ts';
import { tailSamples } from '../../packages/detector-training/src/tails/tail-samples.ts';
import { loadVocabulary } from '../../packages/detector-training/src/tails/vocabularies.ts';

/** The largest share of harmless texts that any policy may block. */
const mostOfLanguage = 0.01;
const mostOfDocuments = 0.02;

/** Fewer texts tell too little of a language. */
const fewestTexts = 300;

const ofOne = (category: string) => (sample: Sample) => ({ ...sample, category });

/** Prints what the built-in policies block of prose that no table was trained with; answers what is above its floor. */
export function reportLanguages(): readonly string[] {
  const { samples, problem } = loadLanguages();
  if (problem !== undefined) console.log(`\nSome texts cannot be had (${problem}).`);
  const held = samples.filter(isHeldOut);
  const [enough, few] = [[], []] as [string[], string[]];
  for (const { name } of languages) {
    (held.filter(({ category }) => category === name).length < fewestTexts ? few : enough).push(name);
  }
  if (few.length > 0) console.log(`\nNot measured, for want of ${fewestTexts} texts: ${few.join(', ')}.`);
  const table = measureHarmless(held.filter(({ category }) => enough.includes(category)));
  if (enough.length > 0) console.log(`\n${renderHarmless('blocked by language', table, 'llm-security')}`);
  return harmlessFaults(table, mostOfLanguage);
}

/** The same of documents. The floor is for all of them together in chats: arguments of tools hold no honest programs. */
export function reportDocuments(): readonly string[] {
  const held = documentSamples().filter(isHeldOut);
  console.log(`\n${renderHarmless('blocked by kind of document', measureHarmless(held), 'llm-security')}`);
  const all = measureHarmless(held.map(ofOne('documents in chats')), ['llm']);
  console.log(`\n${renderHarmless('blocked of documents', all, 'llm-security')}`);
  if (held.length < fewestTexts) {
    console.log(`\nNo floor is asked of documents: there are only ${held.length} on this machine.`);
    return [];
  }
  return harmlessFaults(all, mostOfDocuments);
}

/** What is found of tails made of tokens: of the tokeniser that a table was trained with, and of another. */
export function reportTails(requests: readonly string[]): void {
  const scan = createScanner((name) => name === 'llm-security');
  const cells = (['llama', 'cl100k'] as const).map((name) => {
    const vocabulary = loadVocabulary(name);
    if ('problem' in vocabulary) return [name, '0', vocabulary.problem];
    const samples = tailSamples(name, vocabulary, 300, requests, 101);
    const caught = samples.filter((sample) => scan(sample).some(({ ruleId }) => ruleId === 'optimised-suffix'));
    return [name, String(samples.length), percent(caught.length, samples.length)];
  });
  console.log(`\n${renderTable(['tails of tokens behind requests', 'texts', 'optimised-suffix'], cells)}`);
}
