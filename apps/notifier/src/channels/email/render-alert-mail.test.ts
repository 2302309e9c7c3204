import { expect, test } from '@jest/globals';
import { anAlert } from '../an-alert.fixture.ts';
import { renderAlertMail } from './render-alert-mail.ts';

test('a mail has the subject of the specification and everything a reader needs', () => {
  const { subject, text, html } = renderAlertMail(anAlert(), 'html');
  expect(subject).toBe('[AI Security Alert] High: Security Rule Triggered: Instruction override');
  for (const part of [
    'Severity: High',
    'Category: Policy Violations',
    'Action Taken: Block',
    'Source IP: 10.1.2.3',
    'User: ci key (apikey), group platform team',
    'Target: /v1/chat/completions',
    'Policy / Rule: llm-security / PI-001',
    'Time: 2026-11-20T10:20:30.000Z',
    'Evidence: ignore all previous instructions',
  ])
    expect(text).toContain(part);
  expect(html).toContain('<td style="padding:4px 0;white-space:pre-wrap;word-break:break-word">10.1.2.3</td>');
  expect(renderAlertMail(anAlert(), 'text').html).toBeUndefined();
});

test('texts of strangers stay texts', () => {
  const title = '<img src=x onerror=alert(1)>\r\nBcc: victim@example.com';
  const { subject, html } = renderAlertMail(anAlert({ title, description: '"><script>' }), 'html');
  expect(subject).not.toMatch(/[\r\n]/);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toContain('<script>');
  expect(renderAlertMail(anAlert({ title: 'a'.repeat(5_000) }), 'text').subject).toHaveLength(200);
});

test('a mail leads to the alert where the gateway knows its address', () => {
  const url = 'https://gateway.example/console/alerts/7?a="';
  const { text, html } = renderAlertMail({ ...anAlert(), url }, 'html');
  expect(text).toContain(`\n${url}\n`);
  expect(html).toContain('<a href="https://gateway.example/console/alerts/7?a=&quot;">Open the alert</a>');
  expect(renderAlertMail(anAlert(), 'html').html).not.toContain('<a ');
});
