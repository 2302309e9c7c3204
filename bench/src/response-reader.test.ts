import { describe, expect, test } from '@jest/globals';
import { ResponseReader } from './response-reader.ts';

function readInParts(stream: string, partBytes: number): { status: number; body: string }[] {
  const responses: { status: number; body: string }[] = [];
  let body = '';
  const reader = new ResponseReader({
    onBody: (part) => void (body += String(part)),
    onEnd: (status) => {
      responses.push({ status, body });
      body = '';
    },
  });
  const bytes = Buffer.from(stream);
  for (let at = 0; at < bytes.length; at += partBytes) reader.push(bytes.subarray(at, at + partBytes));
  return responses;
}

const stream =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\na\r\n\r\n1A;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n' +
  'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n' +
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\n0\r\nX-Sum: 1\r\n\r\n';

const responses = [
  { status: 200, body: 'hello' },
  { status: 200, body: 'a\r\nabcdefghijklmnopqrstuvwxyz' },
  { status: 404, body: '' },
  { status: 200, body: 'z' },
];

describe('a keep-alive connection', () => {
  test('is read for any size of its parts', () => {
    for (let partBytes = 1; partBytes <= stream.length; partBytes += 1) {
      expect(readInParts(stream, partBytes)).toEqual(responses);
    }
  });

  test('whose response has no length is refused', () => {
    expect(() => readInParts('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx', 1_000)).toThrow('cannot be read');
  });
});
