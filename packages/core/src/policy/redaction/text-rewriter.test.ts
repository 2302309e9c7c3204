import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Span } from './merge-spans.ts';
import { Placeholders } from './placeholders.ts';
import { rewriteText, TextRewriter } from './text-rewriter.ts';

const restoring = { restore: true };
const mail = /[a-z]+@x\.com/g;

const spansOf = (text: string, pattern: RegExp, type: string, redact?: Span['redact']): Span[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, type, redact }));

const mails = (text: string, redact: Span['redact'] = restoring): Span[] => spansOf(text, mail, 'EMAIL', redact);

const ask = (text: string, placeholders = new Placeholders(() => [text]), spans = mails(text)) => ({
  placeholders,
  sent: rewriteText(text, spans, placeholders, { side: 'request' }),
});

const answer = (text: string, placeholders: Placeholders, spans: readonly Span[] = [], isJson?: boolean) =>
  rewriteText(text, spans, placeholders, { side: 'response', isJson });

/** The same in pieces, where each span becomes known at some moment before it is safe, as late as can be. */
function answerInPieces(text: string, cuts: readonly number[], placeholders: Placeholders, spans: readonly Span[]) {
  const rewriter = new TextRewriter(placeholders, { side: 'response' });
  const places = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b);
  const told = new Set<Span>();
  let out = '';
  let taken = 0;
  let given = 0;
  for (const place of places) {
    rewriter.push(text.slice(given, place));
    given = place;
    const known = spans.filter(({ end }) => end <= place);
    for (const span of known) if (!told.has(span)) rewriter.redact(span);
    for (const span of known) told.add(span);
    const safe = Math.min(place, ...spans.filter((span) => !told.has(span)).map(({ start }) => start));
    const ended = place === text.length;
    const ready = rewriter.ready(safe, ended);
    // Pieces are sent on as wholes, so what is ready is taken up to a place where one ended.
    const to = ended ? ready : Math.max(taken, ...places.filter((end) => end <= ready && end <= place));
    out += rewriter.take(to).text;
    taken = to;
  }
  return out;
}

describe('a request', () => {
  test('has one number for each distinct value, in the order of appearance', () => {
    const { sent } = ask('bob@x.com, amy@x.com and bob@x.com');
    expect(sent).toBe('<EMAIL_1>, <EMAIL_2> and <EMAIL_1>');
  });

  test('takes the numbers past those that its client wrote', () => {
    const { sent, placeholders } = ask('<EMAIL_1> <EMAIL_3> bob@x.com amy@x.com');
    expect(sent).toBe('<EMAIL_1> <EMAIL_3> <EMAIL_2> <EMAIL_4>');
    expect(answer('<EMAIL_1> <EMAIL_2>', placeholders)).toBe('<EMAIL_1> bob@x.com');
  });

  test.each([
    ['[REDACTED]', false, 'to [REDACTED] and [REDACTED]'],
    ['[REDACTED]', true, 'to [REDACTED_1] and [REDACTED_2]'],
    ['{TYPE}-{COUNT}', true, 'to EMAIL-1 and EMAIL-2'],
    ['{COUNT}', true, 'to <REDACTED_1> and <REDACTED_2>'],
    ['x{COUNT}9', true, 'to <REDACTED_1> and <REDACTED_2>'],
  ])('with the placeholder %j, restored: %s', (placeholder, restore, sent) => {
    const text = 'to bob@x.com and amy@x.com';
    expect(ask(text, undefined, mails(text, { placeholder, restore })).sent).toBe(sent);
  });

  test('hides the whole of what overlapping rules found, under the longest of them', () => {
    const text = 'mail bob@x.com now';
    const spans = [...mails(text), { start: 0, end: 8, type: 'SHORT' }, { start: 12, end: 18, type: 'TAIL' }];
    expect(ask(text, undefined, spans).sent).toBe('<EMAIL_1>');
    expect(ask(text, undefined, spans.toReversed()).sent).toBe('<EMAIL_1>');
  });

  test('keeps JSON in a string valid, for any match of a rule', () => {
    const text = JSON.stringify({ note: 'hi\nbob@x.com', card: 4111, list: [1, 'amy@x.com'] });
    const cards = spansOf(text, /"card":4111/g, 'CARD');
    const { sent } = ask(text, undefined, [...mails(text), ...cards]);
    expect(JSON.parse(sent)).toEqual({ note: 'hi\n<EMAIL_1>', '<CARD_1>': '<CARD_2>', list: [1, '<EMAIL_2>'] });
  });
});

describe('an answer', () => {
  test('gets back what its caller wrote, and only that', () => {
    const { placeholders } = ask('bob@x.com');
    expect(answer('Dear <EMAIL_1>, <EMAIL_2> <email_1> <EMAIL_01> <EMAIL_1', placeholders)).toBe(
      'Dear bob@x.com, <EMAIL_2> <email_1> <EMAIL_01> <EMAIL_1',
    );
    expect(answer('<EMAIL_1>', new Placeholders(() => []))).toBe('<EMAIL_1>');
  });

  test('does not get back what a rule without restore hides', () => {
    const text = 'bob@x.com';
    const { placeholders } = ask(text, undefined, mails(text, {}));
    expect(answer('<EMAIL_1>', placeholders)).toBe('<EMAIL_1>');
  });

  test('hides what is not its caller’s, and shows what is', () => {
    const { placeholders } = ask('bob@x.com');
    const text = 'bob@x.com amy@x.com <EMAIL_1> <EMAIL_2>';
    expect(answer(text, placeholders, mails(text))).toBe('bob@x.com <EMAIL_2> bob@x.com <EMAIL_2>');
  });

  test('is restored inside JSON source as JSON, also where its signs came escaped', () => {
    const text = 'say "x"\n to';
    const spans = [{ start: 0, end: 9, type: 'QUOTE', redact: restoring }];
    const { placeholders } = ask(text, undefined, spans);
    const source = String.raw`{"a":"<QUOTE_1>","b":"\u003cQUOTE_1\u003E"}`;
    expect(JSON.parse(answer(source, placeholders))).toEqual({ a: text.slice(0, 9), b: text.slice(0, 9) });
  });
});

const fragment = fc.constantFrom(
  '<',
  '<E',
  '<EMAIL_',
  '1',
  '2',
  '>',
  '<EMAIL_1>',
  '<EMAIL_2>',
  '<EMAIL_11>',
  'bob@x.com',
  'amy@x.com',
  ' ',
  'EMAIL_1',
  '{"',
  '":"',
  '"}',
  '\\',
  '\\u003c',
  '\\n',
  '"',
  'é',
  'x.com',
);
const texts = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''));

/** In JSON source what a rule matched beyond a value's end stays, so that it is put back as JSON. */
const prose = texts.filter((text) => !/^\s*[{[]/.test(text));

describe('for any texts', () => {
  test('what comes out in pieces is what comes out of the whole', () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.nat(200), { maxLength: 12 }), (question, text, cuts) => {
        const wide = spansOf(text, /m \S+/g, 'WIDE');
        const spans = [...mails(text), ...wide];
        const whole = answer(text, ask(question).placeholders, spans);
        expect(answerInPieces(text, cuts, ask(question).placeholders, spans)).toBe(whole);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no value leaves, and what the target repeats comes back to its caller', () => {
    fc.assert(
      fc.property(prose, (question) => {
        const { sent, placeholders } = ask(question);
        expect(sent).not.toMatch(/(?:bob|amy)@x\.com/);
        expect(answer(sent, placeholders)).toBe(question);
      }),
      { numRuns: 2_000 },
    );
  });

  test('JSON source stays valid', () => {
    fc.assert(
      fc.property(fc.json(), texts, fc.array(fc.nat(400), { maxLength: 6 }), (json, inner, places) => {
        const text = JSON.stringify([{ inner, json }]);
        const spans = [
          ...mails(text),
          ...places.map((at) => ({ start: at % text.length, end: (at % text.length) + 7, type: 'T' })),
        ].map((span) => ({ ...span, end: Math.min(span.end, text.length) }));
        expect(() => JSON.parse(ask(text, undefined, spans).sent) as unknown).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
