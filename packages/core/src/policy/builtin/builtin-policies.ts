import type { Policy } from '../policy.ts';
import { llmSecrets } from './llm-secrets.ts';
import { llmSecurity } from './llm-security.ts';

/** Policies that every installation has from its first start. */
export const builtinPolicies: readonly Policy[] = [llmSecurity, llmSecrets];
