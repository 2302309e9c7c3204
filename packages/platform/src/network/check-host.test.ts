import { expect, test } from '@jest/globals';
import { parseAllowedTargetsOrThrow } from '@portcullis/core/network/allowed-targets';
import { GatewayError } from '../http/gateway-error.ts';
import { checkHostOrThrow } from './check-host.ts';

const check = (url: string, addresses: readonly string[], ...named: readonly string[]) =>
  checkHostOrThrow(
    url,
    { allowPrivate: false, allowed: parseAllowedTargetsOrThrow(named) },
    '/body/target',
    async () => {
      if (addresses.length === 0) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address }));
    },
  );

const refusalOf = async (...given: Parameters<typeof check>) => {
  const error = await check(...given).catch((reason: unknown) => reason);
  if (!(error instanceof GatewayError)) return error;
  return { reason: error.reason, message: error.message };
};

test('a name beside the gateway is refused with its address and the setting', async () => {
  expect(await refusalOf('http://mcp:3000/', ['172.18.0.5'])).toEqual({
    reason: 'target_refused',
    message:
      'mcp is 172.18.0.5 and must not point to a private address. ' +
      'To allow it, put mcp, 172.18.0.5 or its network into ALLOWED_PRIVATE_TARGETS of all services',
  });
});

test.each([['mcp'], ['172.18.0.5'], ['172.16.0.0/12']])('it is taken where %s is allowed', async (named) => {
  expect(await check('http://mcp:3000/', ['172.18.0.5'], named)).toBeUndefined();
});

test('a metadata service is only allowed by its own address', async () => {
  expect(await refusalOf('http://mcp/', ['169.254.169.254'], 'mcp', '169.254.0.0/16')).toMatchObject({
    message: expect.stringContaining('Only 169.254.169.254 itself in ALLOWED_PRIVATE_TARGETS'),
  });
  expect(await check('http://mcp/', ['169.254.169.254'], '169.254.169.254')).toBeUndefined();
});

test('a name without an address is taken, and told', async () => {
  expect(await check('http://soon.example/', [])).toBe('The host "soon.example" has no address yet (ENOTFOUND)');
});
