import type { Journey } from './journey.ts';
import { budgetOverrun } from './budget-overrun.ts';
import { changedTool } from './changed-tool.ts';
import { evaluation } from './evaluation.ts';
import { firstRun } from './first-run.ts';
import { policyInShadow } from './policy-in-shadow.ts';
import { triage } from './triage.ts';

/** In this order: the later ones go on with what the first run has set up. */
export const allJourneys: readonly Journey[] = [
  firstRun,
  triage,
  changedTool,
  policyInShadow,
  budgetOverrun,
  evaluation,
];
