import { describe, expect, test } from '@jest/globals';
import { mayRepeat, readTargetFault } from './target-fault.ts';

const fault = (code: string, message = 'it broke') => Object.assign(new Error(message), { code });

test.each([
  ['ECONNREFUSED', false, 'target_unreachable', true],
  ['ENOTFOUND', false, 'target_unreachable', true],
  ['CERT_HAS_EXPIRED', false, 'target_unreachable', true],
  ['UND_ERR_CONNECT_TIMEOUT', false, 'target_timeout', true],
  ['UND_ERR_HEADERS_TIMEOUT', true, 'target_timeout', true],
  ['UND_ERR_SOCKET', true, 'target_failed', true],
  ['HPE_INVALID_CONSTANT', true, 'target_failed', true],
  ['ERR_ADDRESS_REFUSED', false, 'target_unreachable', false],
  ['UND_ERR_INVALID_ARG', false, 'bad_request', false],
])('%s, sent: %s, is %s', (code, started, reason, blamesTarget) => {
  expect(readTargetFault(fault(code), started)).toEqual({ reason, blamesTarget, problem: `${code}: it broke` });
});

test('the problem names its code once', () => {
  expect(readTargetFault(fault('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:1'), false).problem).toBe(
    'connect ECONNREFUSED 10.0.0.1:1',
  );
});

describe('a request may be sent again', () => {
  test.each([
    ['GET', 'UND_ERR_SOCKET', true, true],
    ['DELETE', 'ECONNRESET', true, true],
    ['POST', 'UND_ERR_SOCKET', true, false],
    ['PATCH', 'ECONNRESET', true, false],
    ['POST', 'ECONNRESET', false, true],
    ['GET', 'UND_ERR_HEADERS_TIMEOUT', true, false],
    ['POST', 'ECONNREFUSED', false, false],
  ])('%s after %s, sent: %s: %s', (method, code, started, expected) => {
    expect(mayRepeat(fault(code), started, method)).toBe(expected);
  });
});
