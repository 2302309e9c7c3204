import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import type { PolicyChecker } from './policy-checker.ts';
import { deactivatePolicyRow, listPolicyRows } from './policy-queries.ts';

/**
 * Switches stored policies off that this version cannot run, with the reason: rules for what a pattern may
 * cost grow stricter, and one policy must not keep the gateway from starting.
 */
export async function deactivateInvalidPolicies(
  database: Database,
  checker: PolicyChecker,
  log: Logger,
): Promise<void> {
  for (const row of await listPolicyRows(database)) {
    if (row.builtin || !row.active) continue;
    const reason = await findFault(checker, row.document);
    if (reason === undefined || !(await deactivatePolicyRow(database, row, reason))) continue;
    log.error('A stored policy cannot be run and was switched off', { policy: row.name, reason });
  }
}

const maxReasonLength = 1_000;

async function findFault(checker: PolicyChecker, document: unknown): Promise<string | undefined> {
  try {
    const { policy, problems = [] } = await checker.ask('parse', document);
    if (policy !== undefined) return undefined;
    return problems
      .map(({ path, rule }) => `${path} ${rule}`)
      .join('; ')
      .slice(0, maxReasonLength);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
