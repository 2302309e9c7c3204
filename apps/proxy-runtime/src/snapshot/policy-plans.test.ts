import { describe, expect, test } from '@jest/globals';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { silentLog } from '@portcullis/platform/test/test-database';
import { PolicyPlans } from './policy-plans.ts';
import type { PolicyRow } from './snapshot-rows.ts';

const policy = (name: string, pattern: string): PolicyRow => ({
  name,
  document: {
    name,
    version: '1',
    description: '',
    severity: 'High',
    policy_type: 'both',
    rules: [{ id: 'A', name: 'A', severity: 'High', enabled: true, patterns: [pattern], action: 'block' }],
  },
});
const assign = (...names: readonly string[]) =>
  names.map((name) => ({ proxy_id: 1, policy_name: name, mode: 'enforce' }));

function openPlans() {
  const told: boolean[] = [];
  return { plans: new PolicyPlans(silentLog, (known) => told.push(known)), told };
}

describe('the plans of policies', () => {
  test('are compiled once per set, and shared', () => {
    const { plans, told } = openPlans();
    plans.update([policy('a', 'one'), policy('b', 'two')]);
    const first = plans.planFor(assign('a', 'b'));
    expect(plans.planFor(assign('a', 'b')).plan).toBe(first.plan);
    expect(plans.planFor(assign('a')).plan).not.toBe(first.plan);
    expect(told).toEqual([false, true, false]);
  });

  test('stay while others change, and go with the policy that changed', () => {
    const { plans } = openPlans();
    plans.update([policy('a', 'one'), policy('b', 'two')]);
    const [a, b] = [plans.planFor(assign('a')).plan, plans.planFor(assign('b')).plan];
    plans.update([policy('a', 'one'), policy('b', 'three')]);
    expect(plans.planFor(assign('a')).plan).toBe(a);
    const changed = plans.planFor(assign('b')).plan;
    expect(changed).not.toBe(b);
    expect(changed?.scan('three', { direction: 'request', protocol: 'llm' })).toHaveLength(1);
  });

  test('are made ahead while the event loop turns', async () => {
    const { plans, told } = openPlans();
    const [builtin] = builtinPolicies;
    plans.update(builtinPolicies.map((document) => ({ name: document.name, document })));
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await plans.prepare([assign(builtin?.name ?? '')]);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(2);
    expect(plans.planFor(assign(builtin?.name ?? '')).plan?.report.patterns).toBeGreaterThan(0);
    plans.planFor(assign(builtin?.name ?? ''));
    expect(told).toEqual([false, true]);
  });

  test('that cannot be made ahead are asked for later', async () => {
    const { plans } = openPlans();
    plans.update([{ name: 'broken', document: { name: 'broken', rules: [null] } }]);
    await plans.prepare([assign('broken'), assign('nobody')]);
    expect(plans.planFor(assign('broken')).plan).toBeUndefined();
  });

  test('that nobody asks for any more are not kept', () => {
    const { plans, told } = openPlans();
    const rows = [policy('a', 'one')];
    plans.update(rows);
    plans.planFor(assign('a'));
    plans.update(rows);
    plans.update(rows);
    plans.planFor(assign('a'));
    expect(told).toEqual([false, false]);
  });

  test('leave out what is away or not valid, and tell the modes apart', () => {
    const { plans } = openPlans();
    plans.update([policy('a', 'one'), { name: 'broken', document: { name: 'broken' } }]);
    expect(plans.planFor(assign('nobody', 'broken', 'a'))).toMatchObject({ names: ['a'] });
    expect(plans.planFor(assign('broken'))).toEqual({ names: [], plan: undefined });
    const shadow = plans.planFor([{ proxy_id: 1, policy_name: 'a', mode: 'shadow' }]).plan;
    expect(shadow).not.toBe(plans.planFor(assign('a')).plan);
  });
});
