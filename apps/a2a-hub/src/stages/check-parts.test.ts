import { expect, test } from '@jest/globals';
import type { Part, StreamEvent } from '@portcullis/core/a2a/task';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import { eventUnit } from '../invocation/event-unit.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { PartRules } from '../parts/find-in-parts.ts';
import { createCheckAnsweredParts, createCheckParts } from './check-parts.ts';

const rules: PartRules = { rule: { allowPrivate: false }, refusedUrls: 'block', activeFiles: 'monitor' };
const inside: Part = { url: 'http://169.254.169.254/latest/' };
const outside: Part = { url: 'https://files.example/a.pdf' };
const page: Part = { raw: Buffer.from('<html>').toString('base64') };

/** Only what the stages look at. */
const open = (part: Part) => {
  const findings: LocatedFinding[] = [];
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'look' }, part] } as const;
  return { findings, invocation: { findings, call: { operation: 'send', message } } as unknown as Invocation };
};

function ask(part: Part, given = rules) {
  const { findings, invocation } = open(part);
  const verdict = createCheckParts(given).run(invocation);
  return { verdict, findings };
}

function answer(event: StreamEvent, given = rules) {
  const { findings, invocation } = open(outside);
  const filter = createCheckAnsweredParts(given).open(invocation, () => undefined);
  return { verdict: filter?.push(eventUnit(event)), findings };
}

const update = (part: Part): StreamEvent => ({
  artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts: [part] } },
});

test('a file at a refused address does not come to the agent, and the finding says where it stood', () => {
  const { verdict, findings } = ask(inside);
  expect(verdict).toMatchObject({ kind: 'deny', denial: { reason: 'policy_violation' } });
  expect(findings).toMatchObject([
    { ruleId: 'A2A_REFUSED_URL', action: 'block', direction: 'request', location: '/message/parts/1/url' },
  ]);
  // What a URL carries may be a secret.
  expect(JSON.stringify(findings)).not.toContain('latest');
  expect(ask(outside)).toEqual({ verdict: { kind: 'next' }, findings: [] });
});

test('nor does it come to the caller, in whichever part of an event it stands', () => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [inside] } as const;
  const status = { state: 'TASK_STATE_WORKING', message } as const;
  const events: StreamEvent[] = [
    { message },
    { statusUpdate: { taskId: 't', status } },
    update(inside),
    { task: { id: 't', status } },
    { task: { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts: [{ artifactId: 'a', parts: [inside] }] } },
    { task: { id: 't', status: { state: 'TASK_STATE_WORKING' }, history: [message] } },
  ];
  for (const event of events) {
    const { verdict, findings } = answer(event);
    expect(verdict).toMatchObject({ kind: 'cut', denial: { reason: 'policy_violation_response' } });
    expect(findings).toHaveLength(1);
  }
  expect(answer(update(outside))).toMatchObject({ verdict: { kind: 'release' }, findings: [] });
});

test('a file that runs is told, and passes unless the setting says otherwise', () => {
  expect(answer(update(page))).toMatchObject({
    verdict: { kind: 'release' },
    findings: [{ ruleId: 'A2A_ACTIVE_FILE', action: 'monitor', evidence: 'HTML: by its beginning' }],
  });
  expect(answer(update(page), { ...rules, activeFiles: 'block' }).verdict?.kind).toBe('cut');
  expect(answer(update(page), { ...rules, activeFiles: 'off' }).findings).toEqual([]);
  // What a caller sends is the agent's affair.
  expect(ask(page).findings).toEqual([]);
});

test('what is only watched passes', () => {
  const watched: PartRules = { ...rules, refusedUrls: 'monitor' };
  expect(ask(inside, watched)).toMatchObject({ verdict: { kind: 'next' }, findings: [{ action: 'monitor' }] });
  expect(ask(inside, { ...rules, refusedUrls: 'off' }).findings).toEqual([]);
});
