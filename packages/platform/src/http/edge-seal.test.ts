import { describe, expect, test } from '@jest/globals';
import { createEdgeSeal, edgeSealHeader, type EdgeSeal } from './edge-seal.ts';

const [old, next, other] = ['o'.repeat(32), 'n'.repeat(32), 's'.repeat(32)];
const told = { 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'r' };
const sealedBy = (seal: EdgeSeal) => ({ ...told, [edgeSealHeader]: seal.sign(told) });

describe('the seal of the edge', () => {
  test.each([
    ['knows none but the old secret', createEdgeSeal(next, old), createEdgeSeal(old)],
    ['knows none but the new one', createEdgeSeal(next, old), createEdgeSeal(next)],
    ['has both the other way round', createEdgeSeal(next, old), createEdgeSeal(old, next)],
    ['has both, where the edge has the old one', createEdgeSeal(old), createEdgeSeal(next, old)],
  ])('holds in a change of secrets for a process that %s', (_who, edge, process) => {
    expect(process.isGenuine(sealedBy(edge))).toBe(true);
  });

  test('is that of no stranger, and of no other headers', () => {
    const process = createEdgeSeal(next, old);
    const given = sealedBy(createEdgeSeal(old));
    expect(process.isGenuine(sealedBy(createEdgeSeal(other)))).toBe(false);
    expect(createEdgeSeal(next).isGenuine(given)).toBe(false);
    for (const changed of [{ 'x-forwarded-for': '192.0.2.8' }, { 'x-request-id': 's' }, { [edgeSealHeader]: ',' }]) {
      expect(process.isGenuine({ ...given, ...changed })).toBe(false);
    }
    expect(process.isGenuine(told)).toBe(false);
    expect(process.isGenuine({ ...given, [edgeSealHeader]: `${'x,'.repeat(5_000)}${given[edgeSealHeader]}` })).toBe(
      false,
    );
  });
});
