import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { alertRecord, nameOf } from '@portcullis/platform/traffic/alert-record';
import type { Invocation } from '../invocation/invocation.ts';

/** Raises an alert about an agent that told a caller of tasks of others: it mixes its callers up, or wants to. */
export const alertForeignTasks: SettleStage<Invocation> = {
  name: 'tell-foreign-tasks',
  run(invocation) {
    const { foreignEvents: events } = invocation;
    if (events === 0) return;
    invocation.records.push(
      alertRecord(invocation, {
        severity: 'High',
        title: 'Agent Told Of Tasks Of Others',
        description: `The ${nameOf(invocation)} answered a call with events about tasks of other callers. They were left out.`,
        action: 'Block',
        category: 'Traffic Analysis',
        rule_id: 'A2A_FOREIGN_TASK',
        policy_name: 'a2a-tasks',
        raw_data: { events },
      }),
    );
  },
};
