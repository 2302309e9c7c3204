/** A policy file that blocks one word. */
export const examplePolicy = (name: string, pattern = 'zanzibar') => ({
  name,
  version: '1.0',
  severity: 'High',
  policy_type: 'both',
  rules: [{ id: 'word', name: 'A word', severity: 'High', enabled: true, patterns: [pattern], action: 'block' }],
});
