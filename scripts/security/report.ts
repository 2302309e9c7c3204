import type { Attack, Outcome } from './attack.ts';

/** What came of an attack; `problem` where it could not be tried. */
export interface Trial {
  readonly attack: Pick<Attack, 'name' | 'attacker' | 'expected'>;
  readonly outcome: Outcome | { readonly problem: string };
}

export const isHeld = ({ outcome }: Trial): boolean => 'isHeld' in outcome && outcome.isHeld;

/** The table of attacks as Markdown, and what they come to below it. */
export function renderReport(trials: readonly Trial[]): string {
  const rows = trials.map(({ attack, outcome }) => [
    attack.attacker,
    attack.name,
    attack.expected,
    'problem' in outcome
      ? `NOT TRIED: ${outcome.problem}`
      : outcome.isHeld
        ? outcome.got
        : `GOT THROUGH: ${outcome.got}`,
  ]);
  const lines = [['attacker', 'attack', 'expected', 'got'], ['---', '---', '---', '---'], ...rows];
  const table = lines.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');
  const heldCount = trials.filter(isHeld).length;
  return `${table}\n${heldCount} of ${trials.length} attacks held off\n`;
}

const maxCellLength = 300;

const cell = (text: string): string =>
  text
    .slice(0, maxCellLength)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`);
