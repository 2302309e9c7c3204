import { skillRules, skillRulesVersion } from '@portcullis/core/skills/rules/all-rules';
import { renderTable } from '../render-table.ts';

/** The rules, a line each. */
export function renderRules(): string {
  const rows = skillRules.map(({ id, severity, category, name }) => [id, severity, category, name]);
  return `${renderTable([['RULE', 'SEVERITY', 'CATEGORY', 'WHAT'], ...rows])}\n\n${skillRules.length} rules, version ${skillRulesVersion}.\n`;
}

export const renderRulesJson = (): string => {
  const rules = skillRules.map(({ id, name, category, severity, rationale, remedy, patterns }) => ({
    id,
    name,
    category,
    severity,
    rationale,
    remedy,
    patterns: patterns.length,
  }));
  return `${JSON.stringify({ rules_version: skillRulesVersion, rules }, undefined, 2)}\n`;
};
