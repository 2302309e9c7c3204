import { countEdits } from '@portcullis/core/text/near-names';
import { options } from './options.ts';

interface Misspelled {
  readonly name: string;
  /** The option that its writer may have meant. */
  readonly meant: string;
}

/** So many names are reported at most; more of them say no more. */
const most = 10;
/** Shorter names are a few letters from many others that have nothing to do with this program. */
const longName = 8;

/** Variables of the environment that are no option and read like one with a typing error. */
export function findMisspelled(environment: Readonly<Record<string, string | undefined>>): readonly Misspelled[] {
  const known = Object.entries(options).flatMap(([name, option]) =>
    'isSecret' in option && option.isSecret ? [name, `${name}_FILE`] : [name],
  );
  const others = Object.keys(environment).filter((name) => /^[A-Za-z][A-Za-z0-9_-]{3,63}$/.test(name));
  return others
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((option) => isNear(name, option));
      return meant === undefined || environment[meant] !== undefined ? [] : [{ name, meant }];
    })
    .slice(0, most);
}

function isNear(name: string, option: string): boolean {
  const written = name.toUpperCase().replaceAll('-', '_');
  const mostEdits = option.length >= longName ? 2 : 1;
  return Math.abs(written.length - option.length) <= mostEdits && countEdits(written, option) <= mostEdits;
}
