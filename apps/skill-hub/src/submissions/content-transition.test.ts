import { expect, test } from '@jest/globals';
import type { SkillStatus } from '@portcullis/contracts/skills';
import { transitionContent, type Judgement } from './content-transition.ts';

const judged: Judgement = { rulesVersion: '1', riskLevel: 'Low' };
const sharper: Judgement = { rulesVersion: '2', riskLevel: 'High' };

interface Coming {
  readonly shown?: SkillStatus;
  readonly known?: Judgement & { readonly status: SkillStatus };
  readonly next?: Judgement;
  readonly isPart?: boolean;
}
const coming = ({ shown = 'approved', known, next = judged, isPart = false }: Coming) =>
  transitionContent({ shown, known, next, isPart });
const known = (status: SkillStatus) => ({ ...judged, status });

test('what is new waits beside what is approved, and is shown', () => {
  expect(coming({})).toEqual({ status: 'pending', submission: 'analyzed', isReassessed: false, isShown: true });
  expect(coming({ shown: 'pending' })).toMatchObject({ status: 'pending', isShown: true });
});

test('what is approved is linked, and takes nothing back that is shown', () => {
  for (const shown of ['approved', 'pending', 'rejected'] as const) {
    expect(coming({ shown, known: known('approved') })).toEqual({
      status: 'approved',
      submission: 'linked_to_approved',
      isReassessed: false,
      isShown: false,
    });
  }
});

test('an approval holds under newer rules unless they find more', () => {
  const next = { ...judged, rulesVersion: '2' };
  expect(coming({ known: known('approved'), next })).toMatchObject({ status: 'approved', isReassessed: false });
  expect(coming({ known: known('approved'), next: sharper })).toMatchObject({
    status: 'pending',
    isReassessed: true,
    isShown: true,
  });
});

test('what an admin said no to stays so, whoever sends it, and is not shown in place of what is approved', () => {
  for (const status of ['rejected', 'quarantined'] as const) {
    expect(coming({ known: known(status) })).toMatchObject({ status, isShown: false });
    expect(coming({ known: known(status), next: sharper })).toMatchObject({ status, isReassessed: true });
    expect(coming({ shown: status })).toMatchObject({ status, isShown: true });
  }
});

test('what waits is judged by newer rules, and shown again', () => {
  expect(coming({ known: known('pending'), next: sharper })).toMatchObject({ isReassessed: true, isShown: true });
});

test('the SKILL.md of a package waits by itself: it says nothing about the files beside it', () => {
  expect(coming({ isPart: true })).toMatchObject({ status: 'pending', submission: 'analyzed', isShown: false });
});
