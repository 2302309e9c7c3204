import type { Sample } from '../sample.ts';
import { loadPackages } from './debian-packages.ts';
import { samplesOfPackage } from './language-samples.ts';
import { languages } from './languages.ts';

/** Prose in every language, as far as its packages can be had; `problem` says why some could not. */
export function loadLanguages(): { readonly samples: readonly Sample[]; readonly problem: string | undefined } {
  const names = languages.flatMap(({ split, held }) => [...split, ...held]);
  const { packages, problem } = loadPackages(names);
  const samples = languages.flatMap((language) =>
    packages
      .filter(({ name }) => [...language.split, ...language.held].includes(name))
      .flatMap((source) =>
        samplesOfPackage(language, source).map((sample) => ({ ...sample, file: `${source.name} ${source.version}` })),
      ),
  );
  return { samples, problem };
}
