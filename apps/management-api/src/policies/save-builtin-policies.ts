import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import { saveBuiltinPolicy } from './policy-queries.ts';

/** Brings the stored built-in policies in step with this version of the gateway. */
export async function saveBuiltinPolicies(database: Database, log: Logger): Promise<void> {
  for (const policy of builtinPolicies) {
    const saved = await saveBuiltinPolicy(database, policy);
    if (!saved) log.warn('A built-in policy was left out: a stored one has its name', { policy: policy.name });
  }
}
