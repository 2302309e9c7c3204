import { expect, test } from '@jest/globals';
import { gotThrough, held } from './attack.ts';
import { isHeld, renderReport, type Trial } from './report.ts';

const attack = { name: 'knocks', attacker: 'stranger', expected: '401' } as const;
const trials: readonly Trial[] = [
  { attack, outcome: held('401') },
  { attack, outcome: gotThrough('200 | the vault\nis open') },
  { attack, outcome: { problem: 'the door is away' } },
];

test('the table says what got through and what could not be tried, each in one cell', () => {
  expect(renderReport(trials)).toBe(String.raw`| attacker | attack | expected | got |
| --- | --- | --- | --- |
| stranger | knocks | 401 | 401 |
| stranger | knocks | 401 | GOT THROUGH: 200 \| the vault is open |
| stranger | knocks | 401 | NOT TRIED: the door is away |

1 of 3 attacks held off
`);
});

test('only what was tried and held off counts as such', () => {
  expect(trials.map(isHeld)).toEqual([true, false, false]);
});
