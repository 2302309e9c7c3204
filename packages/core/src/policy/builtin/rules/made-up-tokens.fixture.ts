import { exampleOf } from '../../detectors/tokens/token-example.fixture.ts';

/*
 * Tokens are put together here, and their prefixes are cut by a dot, so that no scanner of repositories takes a file for a leak. They
 * have the structure of the real thing and no other meaning.
 */
const alphabets: Readonly<Record<string, string>> = {
  mixed: 'aB3dE6gH9jK2mN5pQ8rS1tU4',
  lower: 'a3b6c9d2e5f8g1h4',
  upper: 'A3B6C9D2E5F7G4H2',
  letters: 'aBcDeFgHiJkLmNoPqRs',
  hex: '0a1b2c3d4e5f6789',
  digits: '7402918365',
};
const uuid = '{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}';

/**
 * Writes out `{mixed:40}` (as many characters of an alphabet, or of the one that stands there itself), `{uuid}` and `{url:32@7}` (a shape,
 * drawn by lot from a seed), and joins what a dot in the middle keeps apart.
 */
export const writeOut = (text: string): string =>
  text
    .replaceAll(/\{([^{}@]+)@(\d+)\}/g, (_, shape: string, seed: string) => exampleOf(`{${shape}}`, Number(seed)))
    .replaceAll('{uuid}', uuid)
    .replaceAll(/\{([^{}:]+):(\d+)\}/g, (_, name: string, length: string) =>
      (alphabets[name] ?? name).repeat(Number(length)).slice(0, Number(length)),
    )
    .replaceAll('·', '');
