import { expect, test } from '@jest/globals';
import { Crossings, markerOf, markersIn, tenantsOf } from './markers.ts';

const [own, other, foreign] = [markerOf('amber', 2), markerOf('amber', 4), markerOf('birch', 3)];

test('a text of one request may have its own marker alone, a record of a tenant those of that tenant', () => {
  const crossings = new Crossings();
  crossings.expectOnly(own, `secret-${own} ${own} amber-2`, 'the answer');
  crossings.expectTenant('amber', `${own} ${other}`, 'the alert');
  expect(crossings.count).toBe(0);
  crossings.expectOnly(own, `${own} ${other}`, 'the answer');
  crossings.expectTenant('amber', `${own} flag-${foreign}`, 'the alert');
  expect(crossings.examples).toEqual([
    `the answer of ${own} has ${other}`,
    `the alert of amber has a marker of birch: ${own} flag-${foreign}`,
  ]);
  expect([...tenantsOf(markersIn(`${own} ${foreign} ${other}`))]).toEqual(['amber', 'birch']);
});
