import { expect, test } from '@jest/globals';
import { readAnswers } from './read-answers.ts';

const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const chunked = 'HTTP/1.1 429 Too Many\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n';

test('answers are read one after the other, and what is not whole is the rest', () => {
  expect(readAnswers(plain + chunked + plain.slice(0, -1))).toEqual({
    answers: [
      { status: 200, text: plain },
      { status: 429, text: chunked },
    ],
    rest: plain.slice(0, -1),
  });
  for (let length = 0; length < chunked.length; length += 1) {
    expect(readAnswers(chunked.slice(0, length))).toEqual({ answers: [], rest: chunked.slice(0, length) });
  }
});
