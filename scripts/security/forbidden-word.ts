/** The word that no attack may bring through a guarded proxy. */
export const planted = 'swordfish-lighthouse';

/** Blocks it wherever it is read. */
export const plantedPolicy = {
  name: 'planted',
  policy_type: 'both',
  rules: [{ id: 'PLANTED', severity: 'Low', patterns: [{ literal: planted }], action: 'block' }],
};
