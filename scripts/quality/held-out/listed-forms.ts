import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRegex } from '../../../packages/core/src/policy/pattern/parse-syntax.ts';
import { translateRegex } from '../../../packages/core/src/policy/file/translate-regex.ts';

/** A form of secrets as somebody else's list has it. */
interface ListedForm {
  readonly list: string;
  readonly name: string;
  readonly source: string;
  readonly flags: string;
}

/** Rules in YAML that have one expression on a line. */
function formsOfRules(list: string, folder: string): readonly ListedForm[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => {
      const [, written] = /pattern-regex: (\S.*)/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      if (written === undefined || /^[>|]/.test(written)) return [];
      const [, quoted] = /^'(.*)'$/.exec(written) ?? [];
      const source = quoted?.replaceAll("''", "'") ?? written;
      return { list, name: file.replace('.yaml', ''), source, flags: '' };
    });
}

const aboutSecrets = /KEY|TOKEN|SECRET|WEBHOOK|PASSWORD|CREDENTIAL|CONNECTION|JWT/;

/** Entries of a program, each with a type and an expression. */
const formsOfProgram = (list: string, path: string): readonly ListedForm[] =>
  [...readFileSync(path, 'utf8').matchAll(/type: "([A-Z_0-9]+)",\s+regex: \/(.+)\/([a-z]*),\n/g)]
    .map(([, name = '', source = '', flags = '']) => ({ list, name, source, flags: flags.replaceAll(/[gy]/g, '') }))
    .filter(({ name }) => aboutSecrets.test(name));

/** Entries of a program, each with a name in words and an expression. */
const formsWithNames = (list: string, path: string): readonly ListedForm[] =>
  [...readFileSync(path, 'utf8').matchAll(/name: '([^'\n]+)',\s+pattern: \/(.+)\/([a-z]*),\n/g)]
    .map(([, name = '', source = '', flags = '']) => ({ list, name, source, flags: flags.replaceAll(/[gy]/g, '') }))
    .filter(({ name }) => aboutSecrets.test(name.toUpperCase()));

interface ListFile {
  readonly secrets: { readonly patterns: readonly { readonly name: string; readonly regex: string }[] };
}

const formsOfFile = (list: string, path: string): readonly ListedForm[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as ListFile).secrets.patterns.map(({ name, regex }) => ({
    list,
    name,
    source: regex,
    flags: '',
  }));

/** The forms of all lists, in the dialect of ECMAScript; those that cannot be said in it are left out. */
export function listedForms(modules: string): readonly ListedForm[] {
  const rules = join(modules, 'agent-security-scanner-mcp/rules/generic/secrets');
  return [
    ...formsOfRules('semgrep', join(rules, 'security')),
    ...formsOfProgram('openredaction (looked at once)', join(modules, '@openredaction/openredaction/dist/index.js')),
    ...formsWithNames('ship-safe', join(modules, 'ship-safe/cli/utils/patterns.js')),
    ...formsOfFile('project-shield', join(modules, 'project-shield/rules/v1.0.0.json')),
    ...formsOfRules('gitleaks (read for the rows)', join(rules, 'gitleaks')),
  ].flatMap(toEcmaScript);
}

/** Other dialects say within an expression that letter case does not matter; here it is said of the whole. */
function toEcmaScript(form: ListedForm): readonly ListedForm[] {
  const source = form.source.replaceAll('(?i)', '').replaceAll(/\(\?-?i:/g, '(?:');
  const translated = translateRegex(source, source === form.source ? form.flags : `${form.flags.replace('i', '')}i`);
  if ('reason' in translated) return [];
  try {
    parseRegex(translated.regex, translated.flags);
  } catch {
    return [];
  }
  return [{ ...form, source: translated.regex, flags: translated.flags }];
}
