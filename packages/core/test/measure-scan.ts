import { readFileSync } from 'node:fs';
import { builtinPolicies } from '../src/policy/builtin/builtin-policies.ts';
import { compilePlan, compilePolicies } from '../src/policy/compile-policies.ts';
import type { Policy } from '../src/policy/policy.ts';

/**
 * What a scan costs: documents of three sizes made of harmless texts full of trigger words, no two alike, read by
 * the engine, by each pattern of the same policies alone as a native RegExp, and, in pieces of four characters, by
 * streams. Processor time, the median of some rounds; prints a table.
 */
const sizes = [2_000, 20_000, 200_000];
const rounds = 3;
/** So many characters are read for one figure, at the least one document. */
const charactersFor = { scan: 200_000, alone: 40_000, stream: 40_000 };
const sets: readonly (readonly [string, readonly Policy[]])[] = [
  ['llm-security, llm-secrets', builtinPolicies.filter(({ name }) => ['llm-security', 'llm-secrets'].includes(name))],
  ['all that are built in', builtinPolicies],
];

const texts = ['triggers', 'questions', 'tool', 'security'].flatMap((kind) =>
  readFileSync(new URL(`../fixtures/harmless-${kind}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => String((JSON.parse(line) as { text: unknown }).text)),
);

let seed = 1;
/** The same documents in every run, and never one twice in a run. */
function makeDocument(size: number): string {
  let text = '';
  while (text.length < size) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${texts[seed % texts.length]} `;
  }
  return text.slice(0, size);
}

/** Microseconds of processor time per character: the median over the rounds, after one that warms up. */
function cost(size: number, characters: number, read: (text: string) => void): number {
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const documents = Array.from({ length: Math.max(1, Math.round(characters / size)) }, () => makeDocument(size));
    const before = process.cpuUsage();
    for (const text of documents) read(text);
    const { user, system } = process.cpuUsage(before);
    if (round > 0) figures.push((user + system) / (size * documents.length));
  }
  return figures.toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
}

function readInPieces(plan: ReturnType<typeof compilePolicies>, text: string): void {
  const stream = plan.openStream({ direction: 'response', protocol: 'llm' });
  for (let at = 0; at < text.length; at += 4) stream.push(text.slice(at, at + 4));
  stream.end();
}

function render(size: number, perCharacter: number): string {
  const micros = perCharacter * size;
  return `${(1 / perCharacter).toFixed(2)} MB/s, ${micros < 10_000 ? `${micros.toFixed(0)} µs` : `${(micros / 1_000).toFixed(0)} ms`}`;
}

for (const [name, policies] of sets) {
  const plan = compilePolicies(policies);
  const alone = compilePlan(policies).patterns.map(({ pattern }) => new RegExp(pattern.source, `${pattern.flags}g`));
  process.stdout.write(`\n${name}: ${plan.report.patterns} patterns, ${alone.length} different ones\n\n`);
  process.stdout.write('| text | the engine | each pattern alone | a stream |\n|---|---|---|---|\n');
  for (const size of sizes) {
    const scan = cost(size, charactersFor.scan, (text) => plan.scan(text, { direction: 'request', protocol: 'llm' }));
    const native = cost(size, charactersFor.alone, (text) => {
      for (const pattern of alone) for (const match of text.matchAll(pattern)) if (match[0] === '') break;
    });
    const stream = cost(size, charactersFor.stream, (text) => readInPieces(plan, text));
    const cells = [scan, native, stream].map((figure) => render(size, figure));
    process.stdout.write(`| ${size / 1_000} KB | ${cells.join(' | ')} |\n`);
  }
}
