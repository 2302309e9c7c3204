import type { Field } from './expand-words.ts';
import { hostOf, isLoopback, isPackageHost } from '../rules/known-hosts.ts';

const installing = /^(?:install|add|i|exec|dlx|run|tool)$/;
/** Behind these stand indexes and proxies. */
const noPackage = /^(?:-[ifc]|--(?:extra-)?index-url|--find-links|--registry|--proxy|--trusted-host|--constraint)$/;
const address = /^(?:git\+|[\w.-]{1,60}\s?@\s?(?:git\+)?)?(https?:\/\/\S{3,300})$/;

/** Addresses that packages are installed from, but for hosts where everyone keeps theirs. */
export function packageAddresses(name: string, given: readonly Field[]): readonly string[] {
  const runs = name === 'npx' || name === 'uvx';
  if (!runs && !given.some(({ text }) => installing.test(text))) return [];
  // What stands behind the package that is run is for its program.
  const first = given.findIndex(({ text }) => !text.startsWith('-'));
  return (runs ? given.slice(0, first + 1) : given)
    .filter((_field, index) => !noPackage.test(given[index - 1]?.text ?? ''))
    .flatMap(({ text }) => address.exec(text)?.[1] ?? [])
    .filter((url) => !isPackageHost(url) && !isLoopback(hostOf(url) ?? ''));
}
