import { readFileSync } from 'node:fs';
import { builtinPolicies } from '../src/policy/builtin/builtin-policies.ts';
import { compileCooperatively, compilePlan } from '../src/policy/compile/compile-policies.ts';
import type { Policy, PolicyPlan } from '../src/policy/policy.ts';
import { floodNames, floodOf } from './floods.ts';

/**
 * What a scan costs: documents of three sizes, no two alike, made of letters and tasks as people write them and of
 * harmless texts full of trigger words, read by the engine, by each pattern of the same policies alone as a native
 * RegExp, and, in pieces of four characters, by streams; and what texts cost that are made to cost much. Processor
 * time: the first round, and the median of those behind it. Prints tables.
 */
const sizes = [2_000, 20_000, 200_000];
const rounds = 3;
/** So many characters are read for one figure, at the least one document. */
const charactersFor = { scan: 400_000, alone: 40_000, stream: 40_000 };
const sets: readonly (readonly [string, readonly Policy[]])[] = [
  ['llm-security, llm-secrets', builtinPolicies.filter(({ name }) => ['llm-security', 'llm-secrets'].includes(name))],
  ['all that are built in', builtinPolicies],
];
const context = { direction: 'request', protocol: 'llm' } as const;

const sentences = (...kinds: readonly string[]): readonly string[] =>
  kinds.flatMap((kind) =>
    readFileSync(new URL(`../fixtures/harmless-${kind}.jsonl`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => String((JSON.parse(line) as { text: unknown }).text).split(/(?<=[.!?]) /)),
  );

const texts = {
  ordinary: sentences('letters', 'tasks'),
  'trigger words': sentences('triggers', 'questions', 'tool', 'security'),
};

let seed = 1;
/** The same documents in every run, and never one twice in a run. */
function makeDocument(size: number, from: readonly string[]): string {
  let text = '';
  while (text.length < size) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${from[(seed >>> 8) % from.length]} `;
  }
  return text.slice(0, size);
}

const cpuMicros = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

/** Microseconds per character: of the first round, and the median of the others. */
function cost(size: number, from: readonly string[], characters: number, read: (text: string) => void) {
  const figures = Array.from({ length: rounds + 1 }, () => {
    const documents = Array.from({ length: Math.max(1, Math.round(characters / size)) }, () =>
      makeDocument(size, from),
    );
    return cpuMicros(() => documents.forEach(read)) / (size * documents.length);
  });
  return { first: figures[0] ?? 0, warm: median(figures.slice(1)) };
}

/** Reads a text as a stream in longer pieces: what it costs beside the pieces. */
function readInLongPieces(plan: PolicyPlan, text: string): void {
  const stream = plan.openStream({ direction: 'response', protocol: 'llm' });
  for (let at = 0; at < text.length; at += 400) stream.push(text.slice(at, at + 400));
  stream.end();
}

/** Reads a text as a stream and notes how much of it was held back after each piece, for as long as nothing was blocked. */
function readInPieces(plan: PolicyPlan, text: string, held: number[]): void {
  const stream = plan.openStream({ direction: 'response', protocol: 'llm' });
  let isBlocked = false;
  for (let at = 0; at < text.length; at += 4) {
    const { safeOffset, findings } = stream.push(text.slice(at, at + 4));
    isBlocked ||= findings.some(({ action }) => action === 'block');
    if (!isBlocked) held.push(Math.min(at + 4, text.length) - safeOffset);
  }
  stream.end();
}

/** Compiles in steps as a data plane does, and tells what all of them and the longest one take. */
function compile(policies: readonly Policy[]): { readonly plan: PolicyPlan; readonly figures: string } {
  const steps = compileCooperatively(policies);
  const costs: number[] = [];
  for (;;) {
    let step: IteratorResult<undefined, PolicyPlan> | undefined;
    costs.push(cpuMicros(() => (step = steps.next())));
    if (step?.done !== true) continue;
    const sum = costs.reduce((a, b) => a + b, 0);
    return { plan: step.value, figures: `${millis(sum)} in all, ${millis(Math.max(...costs))} the longest step` };
  }
}

/** Slices end with the first step behind their limit, as those of the data plane do. */
const sliceMicros = 8_000;

/** The least of some rounds: processor time grows with what else the machine does, and never shrinks. */
function scanInSlices(plan: PolicyPlan, text: string): { readonly block: number; readonly all: number } {
  const rows = Array.from({ length: rounds }, (_, round) => {
    // A verdict that is known would be looked up.
    const steps = plan.scanCooperatively(`${round}${text}`, context);
    const slices = [0];
    for (;;) {
      let step: IteratorResult<undefined, unknown> | undefined;
      slices.push((slices.pop() ?? 0) + cpuMicros(() => (step = steps.next())));
      if (step?.done === true) break;
      if ((slices.at(-1) ?? 0) >= sliceMicros) slices.push(0);
    }
    return { block: Math.max(...slices), all: slices.reduce((a, b) => a + b, 0) };
  });
  return rows.toSorted((a, b) => a.block - b.block)[0] ?? { block: 0, all: 0 };
}

const speed = (perCharacter: number): string => `${(1 / perCharacter).toFixed(2)} MB/s`;
const millis = (micros: number): string => `${(micros / 1_000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
const duration = (micros: number): string => (micros < 10_000 ? `${micros.toFixed(0)} µs` : millis(micros));

for (const [name, policies] of sets) {
  const { plan, figures } = compile(policies);
  const alone = compilePlan(policies).patterns.map(({ pattern }) => new RegExp(pattern.source, `${pattern.flags}g`));
  process.stdout.write(`\n${name}: ${plan.report.patterns} patterns, ${alone.length} different ones; `);
  process.stdout.write(`compiled in ${figures}\n\n`);
  process.stdout.write(
    '| text | first round | warm | each | each pattern alone | a piece of a stream | beyond its bytes | held back |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|---|---|\n');
  for (const [kind, from] of Object.entries(texts)) {
    for (const size of sizes) {
      const scan = cost(size, from, charactersFor.scan, (text) => plan.scan(text, context));
      const native = cost(size, from, charactersFor.alone, (text) => {
        for (const pattern of alone) for (const match of text.matchAll(pattern)) if (match[0] === '') break;
      });
      const held: number[] = [];
      const stream = cost(size, from, charactersFor.stream, (text) => readInPieces(plan, text, held));
      const bytes = cost(size, from, charactersFor.stream, (text) => readInLongPieces(plan, text));
      const cells = [
        `${kind}, ${size / 1_000} KB`,
        speed(scan.first),
        speed(scan.warm),
        duration(scan.warm * size),
        speed(native.warm),
        `${(stream.warm * 4).toFixed(2)} µs`,
        `${((stream.warm - bytes.warm) * 4).toFixed(2)} µs`,
        String(median(held)),
      ];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  }
  const worst = floodNames.map((name) => ({ name, ...scanInSlices(plan, floodOf(name, 200_000)) }));
  const shown = worst.toSorted((a, b) => b.block - a.block);
  process.stdout.write(
    '\nFloods of 200 KB, scanned in slices as long requests are: the longest slice, and all of them\n\n',
  );
  process.stdout.write('| flood of | longest | all |\n|---|---|---|\n');
  for (const { name, block, all } of shown) process.stdout.write(`| ${name} | ${millis(block)} | ${millis(all)} |\n`);
}
