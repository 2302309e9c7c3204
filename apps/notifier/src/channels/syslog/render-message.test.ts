import { describe, expect, test } from '@jest/globals';
import { parseSyslogMessage } from '@portcullis/testkit/syslog-message';
import * as fc from 'fast-check';
import { renderMessage, type SyslogMessage, type SyslogOrigin } from './render-message.ts';

const origin: SyslogOrigin = {
  facility: 16,
  hostname: 'gateway-1.example.com',
  appName: 'portcullis',
  processId: '4711',
  structuredDataId: 'portcullis@32473',
  version: '0.1.0',
  maxBytes: 2_048,
};

const message: SyslogMessage = {
  severity: 3,
  time: '2026-11-20T10:20:30.000Z',
  id: 'alert',
  parameters: [['rule', 'PI-001']],
  content: 'A rule matched',
};

test('a message is what RFC 5424 says, byte by byte', () => {
  expect(renderMessage(message, origin).toString()).toBe(
    '<131>1 2026-11-20T10:20:30.000Z gateway-1.example.com portcullis 4711 alert ' +
      '[origin software="Portcullis" swVersion="0.1.0"][portcullis@32473 rule="PI-001"] A rule matched',
  );
});

test('values are escaped, and what is not ASCII is marked as UTF-8', () => {
  const value = String.raw`say "hi" [to] C:\temp`;
  const read = parseSyslogMessage(
    renderMessage({ ...message, parameters: [['evidence', `${value}\r\n<1>`]], content: 'Grüße\nan alle' }, origin),
  );
  expect(read.data['portcullis@32473']).toEqual({ evidence: `${value} <1>` });
  expect(read).toMatchObject({ text: 'Grüße an alle', isMarkedUtf8: true });
});

test('an object is JSON in ASCII, with its texts cut where there is no room', () => {
  const content = { title: 'Grüße', nested: { long: 'ü'.repeat(5_000) } };
  const read = parseSyslogMessage(renderMessage({ ...message, content }, origin));
  expect(read.isMarkedUtf8).toBe(false);
  const shown = JSON.parse(read.text ?? '') as typeof content;
  expect(shown.title).toBe('Grüße');
  expect(shown.nested.long).toMatch(/^ü+…$/);
});

test('the last parameters give way first, and never the text', () => {
  const parameters = Array.from({ length: 40 }, (_, at) => [`p${at}`, 'x'.repeat(100)] as const);
  const read = parseSyslogMessage(renderMessage({ ...message, parameters, content: 'y'.repeat(9_000) }, origin));
  const names = Object.keys(read.data['portcullis@32473'] ?? {});
  expect(names).toEqual(parameters.slice(0, names.length).map(([name]) => name));
  expect(names.length).toBeGreaterThan(5);
  expect(read.text?.length).toBeGreaterThan(900);
  expect(read.bytes).toBe(2_048);
});

describe('whatever stands in it', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.constantFrom('"]\\', '\uD800', '\0\n', '\uFEFF', '\\'.repeat(3_000), '😀'.repeat(2_000)),
  );

  test('it can be read, keeps its length, and says what was said', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, fc.boolean(), (host, value, text, asObject) => {
        const bytes = renderMessage(
          {
            ...message,
            parameters: [['value', value]],
            content: asObject ? { text, [`k${text}`.slice(0, 9)]: 1 } : text,
          },
          { ...origin, hostname: host },
        );
        expect(bytes.length).toBeLessThanOrEqual(origin.maxBytes);
        const read = parseSyslogMessage(bytes);
        expect(read).toMatchObject({ facility: 16, severity: 3, messageId: 'alert' });
        const parsed: unknown = asObject ? JSON.parse(read.text ?? '') : {};
        expect(parsed).toBeInstanceOf(Object);
      }),
      { numRuns: 500 },
    );
  });
});
