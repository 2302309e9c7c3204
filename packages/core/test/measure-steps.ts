import { builtinPolicies } from '../src/policy/builtin/builtin-policies.ts';
import { compilePolicies } from '../src/policy/compile/compile-policies.ts';
import { floodNames, floodOf } from './floods.ts';

/**
 * The longest step of a scan by all built-in policies over texts that are made to cost much, as large as a request may
 * be: while a step lasts, no other client is answered. Prints a table; a number as the first parameter is their
 * size in MiB, names behind it choose texts.
 */
const [size, ...wanted] = process.argv.slice(2);
const maxBytes = Number(size ?? 10) * 1_048_576;
const policies = builtinPolicies;
const context = { direction: 'request', protocol: 'llm' } as const;
const plan = compilePolicies(policies);
const sizeOf = (name: string): number => Math.floor((maxBytes / Buffer.byteLength(floodOf(name, 100_000))) * 100_000);

const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Milliseconds of processor time that the steps of a scan take: the longest, all, and what they come to. */
function measure(text: string) {
  const steps = plan.scanCooperatively(text, context);
  const measured = { longest: 0, all: 0, count: 0, at: 0, outcome: '' };
  for (;;) {
    const before = cpu();
    const step = steps.next();
    const ms = cpu() - before;
    if (ms > measured.longest) Object.assign(measured, { longest: ms, at: measured.count });
    measured.count += 1;
    measured.all += ms;
    if (step.done !== true) continue;
    const isUnread = step.value.some(({ type }) => type === 'UNSCANNED');
    return { ...measured, outcome: isUnread ? 'refused: too much to read' : `${step.value.length} findings` };
  }
}

measure(floodOf('all kinds of signs', 200_000));
measure(floodOf('homoglyphs', 200_000));
process.stdout.write('| flood of | characters | longest step | steps | all | outcome |\n|---|---|---|---|---|---|\n');
for (const name of wanted.length > 0 ? wanted : floodNames) {
  const size = sizeOf(name);
  const { longest, at, count, all, outcome } = measure(floodOf(name, size));
  const cells = [name, size, `${longest.toFixed(1)} ms (${at})`, count, `${all.toFixed(0)} ms`, outcome];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
