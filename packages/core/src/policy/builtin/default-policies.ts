/** What a new proxy of either type has unless policies are named: built-in ones that stop attacks and are quiet on any traffic. */
export const defaultPolicies: readonly string[] = ['llm-security', 'llm-secrets'];
