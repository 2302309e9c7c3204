import { describe, expect, test } from '@jest/globals';
import type { Alert } from '@portcullis/contracts/events';
import * as fc from 'fast-check';
import { anAlert } from '../an-alert.fixture.ts';
import { renderAlertNotice } from './notice.ts';
import { renderMattermostMessage, renderSlackMessage } from './render-slack-message.ts';

const renderAlertMessage = (alert: Alert, channel: string) => renderSlackMessage(renderAlertNotice(alert), channel);

const fieldsOf = (alert: ReturnType<typeof anAlert>) =>
  Object.fromEntries(
    (renderAlertMessage(alert, '').attachments?.[0]?.fields ?? []).map(({ title, value }) => [title, value]),
  );

describe('an alert for Slack', () => {
  test('carries everything a reader needs', () => {
    expect(renderAlertMessage(anAlert(), '#security')).toEqual({
      text: 'AI Security Alert - High',
      username: 'Portcullis',
      channel: '#security',
      attachments: [
        {
          fallback: 'AI Security Alert - High: Security Alert: Security Rule Triggered: Instruction override',
          color: '#e65100',
          title: 'Security Alert: Security Rule Triggered: Instruction override',
          text: 'Rule Instruction override of policy llm-security matched a request on proxy chat.',
          fields: [
            { title: 'Severity', value: 'High', short: true },
            { title: 'Category', value: 'Policy Violations', short: true },
            { title: 'Action Taken', value: 'Block', short: true },
            { title: 'Source IP', value: '10.1.2.3', short: true },
            { title: 'User', value: 'ci key (apikey), group platform team', short: true },
            { title: 'Target', value: '/v1/chat/completions', short: true },
            { title: 'Policy / Rule', value: 'llm-security / PI-001', short: true },
            { title: 'Time', value: '2026-11-20T10:20:30.000Z', short: true },
            { title: 'Evidence', value: 'ignore all previous instructions', short: false },
          ],
          footer: 'Portcullis alert 7',
          ts: 1_795_170_030,
        },
      ],
    });
  });

  test('leaves the channel to the webhook unless one is set', () => {
    expect(renderAlertMessage(anAlert(), '')).not.toHaveProperty('channel');
  });

  test.each([
    [{ user_identity: null, user_type: null, user_group: null }, 'unknown'],
    [{ user_identity: 'ann', user_type: null, user_group: null }, 'ann'],
    [{ user_group: null }, 'ci key (apikey)'],
  ])('names the user of %j', (change, user) => {
    expect(fieldsOf(anAlert(change))['User']).toBe(user);
  });

  test.each([
    [{ findings: [{ evidence: 'one' }, { location: 'x' }, { evidence: 'two' }] }, 'one\ntwo'],
    [{ old_description: 'a', new_description: 'b' }, '{"old_description":"a","new_description":"b"}'],
    [{ findings: 'odd' }, '{"findings":"odd"}'],
    [{}, '-'],
  ])('shows the evidence in %j', (rawData, evidence) => {
    expect(fieldsOf(anAlert({ raw_data: rawData }))['Evidence']).toBe(evidence);
  });

  test('cuts evidence at 500 characters and never within one', () => {
    const whole = fieldsOf(anAlert({ raw_data: { findings: [{ evidence: '😀'.repeat(500) }] } }))['Evidence'];
    expect(whole).toBe('😀'.repeat(500));
    const cut = fieldsOf(anAlert({ raw_data: { findings: [{ evidence: '😀'.repeat(501) }] } }))['Evidence'];
    expect(cut).toBe(`${'😀'.repeat(499)}…`);
  });

  test('nothing in an alert becomes a mention or a link, and no text grows without bound', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('<!channel>', '<http://evil|ok>', '&lt;', '<@U1>'), (text, markup) => {
        const hostile = `${markup}${text}${'x'.repeat(3_000)}`;
        const alert = anAlert({
          title: hostile,
          description: hostile,
          source: hostile,
          target: hostile,
          user_identity: hostile,
          policy_name: hostile,
          raw_data: { findings: [{ evidence: hostile }] },
        });
        const sent = JSON.stringify(renderAlertMessage(alert, ''));
        expect(sent).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
        expect(sent.length).toBeLessThan(40_000);
      }),
    );
  });
});

describe('an alert for Mattermost', () => {
  test('shows what strangers wrote as it stands: no link, no picture, no call to a channel', () => {
    const phish =
      '@channel [Sign in again](https://phish.example/login) ![x](https://phish.example/b.png) www.phish.example';
    const alert = anAlert({
      title: phish,
      description: `# ${phish}\n| a | b |\n~~~\n:tada:`,
      user_identity: '@all',
      raw_data: { findings: [{ evidence: phish }] },
    });
    const written = JSON.stringify(renderMattermostMessage(renderAlertNotice(alert), '').attachments);
    const {
      title = '',
      text = '',
      fallback = '',
      fields = [],
    } = renderMattermostMessage(renderAlertNotice(alert), '').attachments?.[0] ?? {};
    for (const value of [title, text, ...fields.map((field) => field.value)]) {
      expect(value.replaceAll(/\\[\\`*_{}[\]()#+\-.!|~<>&]/g, '')).not.toMatch(/[[\]()!#|~`*_<>&]/);
    }
    expect(fallback).toContain(title);
    expect(written).not.toMatch(/@(?:channel|all)|:\/\/|www/);
  });

  test('is the same in all else', () => {
    const plain = anAlert({
      title: 'a title',
      description: 'words',
      raw_data: {},
      source: 'here',
      user_identity: 'ann',
    });
    const [slack, mattermost] = [renderSlackMessage, renderMattermostMessage].map((render) =>
      render(renderAlertNotice(plain), '#security'),
    );
    expect({ ...mattermost, attachments: [] }).toEqual({ ...slack, attachments: [] });
    expect(mattermost?.attachments?.[0]).toMatchObject({ title: 'Security Alert: a title', text: 'words' });
  });
});
