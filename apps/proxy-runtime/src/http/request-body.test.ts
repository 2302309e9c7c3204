import { expect, test } from '@jest/globals';
import { RequestBody } from './request-body.ts';

const bodyOf = (source: string): RequestBody => {
  const body = new RequestBody();
  body.take(Buffer.from(source));
  body.readJson();
  return body;
};

test('bytes, text and value say the same, as it came and rewritten', () => {
  const body = bodyOf('{"a": 1}');
  const come = body.bytes;
  expect(body.json).toEqual({ a: 1 });
  expect(body.text).toBe('{"a": 1}');
  expect(body.bytes).toBe(come);

  body.rewrite('{"a": 1, "b": "ü"}');
  expect(body.text).toBe('{"a": 1, "b": "ü"}');
  expect(body.bytes.toString()).toBe('{"a": 1, "b": "ü"}');
  expect(body.json).toEqual({ a: 1, b: 'ü' });
});

test('a value is read once after several changes, and never from what is no JSON', () => {
  const body = bodyOf('{"a":1}');
  body.rewrite('no longer read');
  body.rewrite('{"a":2}');
  const { json } = body;
  expect(json).toEqual({ a: 2 });
  expect(body.json).toBe(json);

  const text = new RequestBody();
  text.take(Buffer.from('1'));
  text.rewrite('2');
  expect(text.json).toBeUndefined();
});

test('what only the target is told is in the bytes and not in the value', () => {
  const body = bodyOf('{"a":1}');
  body.rewrite('{"a":2}');
  body.amend('{"secret":1,"a":2}');
  expect(body.json).toEqual({ a: 2 });
  expect(body.bytes.toString()).toBe('{"secret":1,"a":2}');
  body.amend(Buffer.from('{"a":2}'));
  expect(body.text).toBe('{"a":2}');
});

test('without a body there are no bytes, and what is no JSON is a SyntaxError', () => {
  const body = new RequestBody();
  expect([body.bytes.length, body.text, body.json]).toEqual([0, '', undefined]);
  body.take(Buffer.from('{'));
  expect(() => body.readJson()).toThrow(SyntaxError);
  expect(body.json).toBeUndefined();
});
