import { expect, test } from '@jest/globals';
import { createAccount, heldSlots, hold, readBalance, settleHold, slotOf } from './account.ts';

const slot = slotOf(1_700_000_000_000);

test('what is held becomes what was spent', () => {
  const account = createAccount();
  hold(account, slot, 100);
  hold(account, slot, 50);
  expect(readBalance(account, slot, 0)).toEqual({ spent: 0, held: 150 });
  settleHold(account, slot, 100, 130);
  settleHold(account, slot, 50, 0);
  expect(readBalance(account, slot, 0)).toEqual({ spent: 130, held: 0 });
});

test('a hold lapses, and settling it then takes nothing from the others', () => {
  const account = createAccount();
  hold(account, slot, 100);
  expect(readBalance(account, slot + heldSlots - 1, 0).held).toBe(100);
  expect(readBalance(account, slot + heldSlots, 0).held).toBe(0);
  hold(account, slot + heldSlots, 30);
  settleHold(account, slot, 100, 70);
  expect(readBalance(account, slot + heldSlots, 0)).toEqual({ spent: 70, held: 30 });
});

test('what is known from elsewhere raises an account and never lowers it', () => {
  const account = createAccount();
  expect(readBalance(account, slot, 500).spent).toBe(500);
  expect(readBalance(account, slot, 400).spent).toBe(500);
});
