import { expect, test } from '@jest/globals';
import { returnPath } from './return-path.ts';

test.each([
  [undefined, '/gate/console/'],
  ['/alerts/5?status=new', '/gate/console/alerts/5?status=new'],
  ['/gate/console/alerts', '/gate/console/alerts'],
  ['https://elsewhere.example/', '/gate/console/'],
  ['//elsewhere.example/', '/gate/console/'],
  ['/\\elsewhere.example', '/gate/console/'],
  ['javascript:alert(1)', '/gate/console/'],
  ['/../../elsewhere', '/gate/console/../../elsewhere'],
])('after a sign-in that wanted %s the console shows %s', (to, shown) => {
  expect(returnPath(to, '/gate/console/')).toBe(shown);
  expect(new URL(shown, 'https://gate.example').origin).toBe('https://gate.example');
});
