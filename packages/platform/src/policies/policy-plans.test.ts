import { describe, expect, test } from '@jest/globals';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { silentLog } from '@portcullis/platform/test/test-database';
import { PolicyPlans } from './policy-plans.ts';
import type { AssignedPolicy, PolicyRow } from './policy-source.ts';

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
const assign = (...names: readonly string[]) => names.map((name) => ({ policy_name: name, mode: 'enforce' }));

function openPlans() {
  const told: boolean[] = [];
  const analysed: unknown[] = [];
  const analyst = { analyse: async (document: unknown) => void analysed.push(document) };
  const plans = new PolicyPlans(silentLog, analyst, (known) => told.push(known));
  const make = async (assigned: readonly AssignedPolicy[]) => {
    expect(plans.find(assigned)).toBeUndefined();
    expect(await plans.makeMissing()).toBe(true);
    return plans.find(assigned);
  };
  return { plans, told, analysed, make };
}

describe('the plans of policies', () => {
  test('are compiled once per set, and shared', async () => {
    const { plans, told, make } = openPlans();
    plans.update([policy('a', 'one'), policy('b', 'two')]);
    const first = await make(assign('a', 'b'));
    expect(first?.plan).toBeDefined();
    expect(plans.find(assign('a', 'b'))?.plan).toBe(first?.plan);
    expect((await make(assign('a')))?.plan).not.toBe(first?.plan);
    expect(told).toEqual([false, true, false]);
  });

  test('stay while others change, and go with the policy that changed', async () => {
    const { plans, make } = openPlans();
    plans.update([policy('a', 'one'), policy('b', 'two')]);
    const [a, b] = [(await make(assign('a')))?.plan, (await make(assign('b')))?.plan];
    plans.update([policy('a', 'one'), policy('b', 'three')]);
    expect(plans.find(assign('a'))?.plan).toBe(a);
    const changed = (await make(assign('b')))?.plan;
    expect(changed).not.toBe(b);
    expect(changed?.scan('three', { direction: 'request', protocol: 'llm' })).toHaveLength(1);
  });

  test('are never made of what a policy said before, whenever it changes', async () => {
    const { plans } = openPlans();
    plans.update([policy('a', 'one')]);
    plans.find(assign('a'));
    const making = plans.makeMissing();
    plans.update([policy('a', 'two')]);
    await making;
    expect(plans.find(assign('a'))).toBeUndefined();
    await plans.makeMissing();
    expect(plans.find(assign('a'))?.plan?.scan('two', { direction: 'request', protocol: 'llm' })).toHaveLength(1);
  });

  test('are made while the event loop turns, from documents that were analysed elsewhere when they are large', async () => {
    const { plans, analysed, make } = openPlans();
    const [builtin] = builtinPolicies;
    plans.update([policy('a', 'one'), ...builtinPolicies.map((document) => ({ name: document.name, document }))]);
    await make(assign('a'));
    expect(analysed).toEqual([]);
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const made = await make(assign(builtin?.name ?? ''));
    clearImmediate(next);
    expect(turns).toBeGreaterThan(2);
    expect(made?.plan?.report.patterns).toBeGreaterThan(0);
    expect(analysed).toEqual([builtin]);
  });

  test('that are not asked for any more are not kept', async () => {
    const { plans, told, make } = openPlans();
    const rows = [policy('a', 'one')];
    plans.update(rows);
    await make(assign('a'));
    plans.update(rows);
    plans.update(rows);
    await make(assign('a'));
    expect(told).toEqual([false, false]);
  });

  test('leave out what is away or not valid, and tell the modes apart', async () => {
    const { plans, make } = openPlans();
    plans.update([
      policy('a', 'one'),
      { name: 'broken', document: { name: 'broken' } },
      { name: 'hollow', document: { name: 'hollow', rules: [null] } },
    ]);
    expect(await make(assign('nobody', 'broken', 'hollow', 'a'))).toMatchObject({ names: ['a'] });
    expect(plans.find(assign('broken'))).toEqual({ names: [], plan: undefined });
    expect(plans.find(assign('nobody'))).toEqual({ names: [], plan: undefined });
    const shadow = (await make([{ policy_name: 'a', mode: 'shadow' }]))?.plan;
    expect(shadow).not.toBe(plans.find(assign('a'))?.plan);
  });
});
