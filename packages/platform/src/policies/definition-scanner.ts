import { hash } from 'node:crypto';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import { visitStrings, renderPointer, type JsonPath } from '@portcullis/core/json/visit-strings';
import { compileCooperatively } from '@portcullis/core/policy/compile/compile-policies';
import { originSet } from '@portcullis/core/policy/origins';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { Queryable } from '../database/database.ts';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';
import { parsePolicyInSlices } from './parse-policy-in-slices.ts';

/** The policy whose rules look for poisoned tools. Admins may change it like any other. */
const poisoningPolicy = 'mcp-critical-security';

/** What definitions are scanned for: a command or a path in a description is what the tool is about. */
const categories = new Set(['Tool Security', 'Guardrails']);
const maxFindings = 20;
/** What a server says of its tools is as suspicious as what those answer. */
const origins = originSet('tool_definition', 'tool_result');

/** Finds what tries to steer a model in a definition: of a tool, a server's instructions, the card of an agent. */
export type ScanDefinition = (name: string, definition: unknown) => readonly ToolFinding[];

const scanNothing: ScanDefinition = () => [];

/** Loads the policy as it is now. */
export type DefinitionScanner = (database: Queryable) => Promise<ScanDefinition>;

/** Compiles the policy when it is needed first, and again when it has changed. */
export function createDefinitionScanner(): DefinitionScanner {
  let known: { readonly version: string; readonly scan: Promise<ScanDefinition> } | undefined;
  return async ({ kysely }) => {
    const row = await kysely
      .selectFrom('policies')
      .select('document')
      .where('name', '=', poisoningPolicy)
      .where('active', '=', true)
      .executeTakeFirst();
    if (row === undefined) return scanNothing;
    const version = hash('sha256', JSON.stringify(row.document));
    if (known?.version !== version) {
      const scan = compileScan(row.document);
      known = { version, scan };
      // What failed is tried again by whoever asks next.
      scan.catch(() => (known = known?.scan === scan ? undefined : known));
    }
    return known.scan;
  };
}

async function compileScan(document: unknown): Promise<ScanDefinition> {
  const { policy } = await parsePolicyInSlices(document);
  if (policy === undefined) return scanNothing;
  const rules = policy.rules.filter(({ category }) => category !== undefined && categories.has(category));
  const plan = await runTimeSliced(compileCooperatively([{ ...policy, rules }], new Set()));
  return (name, definition) => scan(plan, name, definition);
}

/** Once for each rule: a text that a rule finds in ten places is one finding. */
function scan(plan: PolicyPlan, name: string, definition: unknown): readonly ToolFinding[] {
  const found = new Map<string, ToolFinding>();
  let place: JsonPath = [];
  const pointer = () => renderPointer(place);
  const context = { direction: 'response', protocol: 'mcp', role: 'tool', origins, tool: name, pointer } as const;
  visitStrings(definition, (text, path) => {
    place = path;
    for (const { policyName, ruleId, ruleName, severity, evidence } of plan.scan(text, context)) {
      if (found.has(ruleId) || found.size >= maxFindings) continue;
      found.set(ruleId, {
        policy_name: policyName,
        rule_id: ruleId,
        rule_name: ruleName,
        severity,
        location: pointer(),
        evidence,
      });
    }
  });
  return [...found.values()];
}
