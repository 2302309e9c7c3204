import { builtinPolicies } from '../../packages/core/src/policy/builtin/builtin-policies.ts';
import { compilePolicies } from '../../packages/core/src/policy/compile/compile-policies.ts';
import { originSet } from '../../packages/core/src/policy/origins.ts';
import type { ScanContext } from '../../packages/core/src/policy/policy.ts';
import { percent, renderTable } from './counts.ts';
import type { Sample } from '../../packages/detector-training/src/sample.ts';

/** Ways that an honest text takes through the gateway. */
const contexts: readonly ScanContext[] = [
  { direction: 'request', protocol: 'llm', role: 'user', origins: originSet('user') },
  { direction: 'request', protocol: 'llm', role: 'tool', origins: originSet('tool_result') },
  { direction: 'request', protocol: 'mcp' },
  { direction: 'response', protocol: 'mcp', role: 'tool', origins: originSet('tool_definition', 'tool_result') },
];

/** What harmless texts of one kind met with. Only what is blocked counts: an address that is hidden was an address. */
interface HarmlessCounts {
  texts: number;
  /** Texts that any policy blocks. */
  blocked: number;
  readonly byPolicy: Map<string, number>;
  readonly byRule: Map<string, number>;
}

/** By category of the samples, in the order in which those first came. */
export type HarmlessTable = ReadonlyMap<string, HarmlessCounts>;

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Sends each text every way, or only those of chats, with all built-in policies assigned. */
export function measureHarmless(samples: readonly Sample[], protocols = ['llm', 'mcp']): HarmlessTable {
  const plan = compilePolicies(builtinPolicies);
  const ways = contexts.filter(({ protocol }) => protocols.includes(protocol));
  const table = new Map<string, HarmlessCounts>();
  for (const { text, category } of samples) {
    let counts = table.get(category);
    if (counts === undefined) {
      counts = { texts: 0, blocked: 0, byPolicy: new Map(), byRule: new Map() };
      table.set(category, counts);
    }
    const findings = ways.flatMap((context) => plan.scan(text, context)).filter(({ action }) => action === 'block');
    counts.texts += 1;
    if (findings.length > 0) counts.blocked += 1;
    for (const name of new Set(findings.map(({ policyName }) => policyName))) count(counts.byPolicy, name);
    for (const id of new Set(findings.map(({ ruleId }) => ruleId))) count(counts.byRule, id);
  }
  return table;
}

const highestFirst = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));

/** How many texts each kind has, how many the policy in `column` and any policy block, and the rules that did it. */
export function renderHarmless(title: string, table: HarmlessTable, column: string): string {
  const cells = [...table].map(([name, { texts, blocked, byPolicy, byRule }]) => {
    const [worst, most] = highestFirst(byPolicy)[0] ?? ['–', 0];
    const rules = highestFirst(byRule).slice(0, 6);
    return [
      name,
      String(texts),
      percent(byPolicy.get(column) ?? 0, texts),
      `${worst} ${percent(most, texts)}`,
      percent(blocked, texts),
      rules.map(([id, times]) => `${id} ${times}`).join(', '),
    ];
  });
  return renderTable([title, 'texts', column, 'worst policy', 'any policy', 'rules'], cells);
}

/** The policies that block more than `most` of the texts of a kind, one line each. */
export function harmlessFaults(table: HarmlessTable, most: number): readonly string[] {
  return [...table].flatMap(([name, { texts, byPolicy }]) =>
    highestFirst(byPolicy)
      .filter(([, blocked]) => blocked / texts > most)
      .map(
        ([policy, blocked]) => `${policy} blocks ${percent(blocked, texts)} of ${name}, at most ${percent(most, 1)}`,
      ),
  );
}
