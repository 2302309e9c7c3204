import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtinPolicies } from '../packages/core/src/policy/builtin/builtin-policies.ts';
import { checkFloors } from './quality/check-floors.ts';
import { concerns } from './quality/concerns.ts';
import { percent, renderTable, type CountTable } from './quality/counts.ts';
import { trainingSamples } from '../packages/detector-training/src/training-samples.ts';
import { personalSentences } from './quality/personal-sentences.ts';
import { measureConcern, measureEncodings, measurePolicy } from './quality/measure.ts';
import { measureSpans } from './quality/measure-spans.ts';
import { assembledSamples } from './quality/own-samples.ts';
import { isHeldOut, loadSamples } from '../packages/detector-training/src/sample.ts';
import { reportFamilies } from './quality/held-out/report-families.ts';
import { reportHeldOut } from './quality/held-out/report-held-out.ts';
import { reportJudge } from './quality/judge/report-judge.ts';
import { reportProvider } from './quality/provider/report-provider.ts';
import { reportPictures } from './quality/pictures/report-pictures.ts';
import { reportLanguageAttacks } from './quality/report-language-attacks.ts';
import { reportDocuments, reportLanguages, reportTails } from './quality/report-harmless.ts';
import { createScanner, isEnforced, type Scanner } from './quality/scanner.ts';
import { reportSkills } from './quality/skills/report-skills.ts';

// npm run quality [-- --data <folder>] [--half tuned|held] [--only <concern>|languages|documents|pictures|skills|judge|held-out] [--encodings] [--list]
// npm run quality -- --provider <name or folder> [--config <JSON>] [--data <folder>]
// What the built-in policies find and what they take for an attack. "enforced" is blocked or redacted,
// "found" is any finding. --half takes every second text by the hash of its id, so that what was not
// looked at while tuning can be reported apart; texts made by code say it of themselves. Lines with
// `spans` ({type, start, end}) are also counted place by place: how much of the personal data is hidden,
// and how much of what is hidden is personal data. --check compares our own corpus with its floors.
//
// `--only skills` measures the skill scanner at its two working points instead: on the examples of its rules, or with --data on
// a folder of skills with a manifest. There --half holds out whole sources.
//
// `--only judge` measures the judge of guardrails evaluations against labelled answers of our own; there, too, --half holds out
// whole sources.
//
// `--only held-out` measures secrets and personal data on sources that nobody here wrote and that nothing was tuned with: forms of
// other people's lists, records of other people's makers, and what programmers paste. It fetches their packages once.
//
// `--provider <name or folder>` measures a text classifier for guardrail providers of the type local-model: a name of a folder in
// GUARDRAIL_MODELS_DIR, or a path. It chooses a threshold on one half of the texts and tells the figures of the other half.
// --config '{"attack_labels": ["JAILBREAK"]}' gives fields of the provider.
//
// Without --data it also reads honest texts from elsewhere and says what is blocked of them: prose in fifteen
// languages out of Debian's packages, which it downloads into node_modules/.cache, and documents of the installed
// packages and of this machine; and 144 files in base64 through every dialect, of which none may be blocked. Where a policy blocks more of them than its floor, it ends with exit code 1.

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    half: { type: 'string' },
    provider: { type: 'string' },
    config: { type: 'string' },
    only: { type: 'string' },
    encodings: { type: 'boolean' },
    list: { type: 'boolean' },
    check: { type: 'boolean' },
  },
});

const fixtures = join(import.meta.dirname, '../packages/core/fixtures');

const written = [...loadSamples(fixtures), ...assembledSamples()];
const own = [...written, ...trainingSamples(), ...personalSentences()];
const onlySkills = options.only === 'skills';
const all = options.data === undefined ? own : onlySkills ? [] : loadSamples(options.data);
const samples =
  options.half === undefined ? all : all.filter((sample) => isHeldOut(sample) === (options.half === 'held'));

const print = (title: string, { rows }: CountTable): void => {
  const cells = [...rows].map(([name, { total, enforced, found }]) => [
    name,
    String(total),
    percent(enforced, total),
    percent(found, total),
  ]);
  console.log(`\n${renderTable([title, 'texts', 'enforced', 'found'], cells)}`);
};

function printSpans(scan: Scanner): void {
  const cells = [...measureSpans(scan, samples)].map(([type, { wanted, hidden, found, right }]) => [
    type,
    ...[wanted, found].map(String),
    percent(hidden, wanted),
    percent(right, found),
  ]);
  if (cells.length > 0)
    console.log(`\n${renderTable(['place by place', 'labelled', 'found', 'recall', 'precision'], cells)}`);
}

if (options.check === true) {
  const faults = checkFloors(
    written,
    trainingSamples().filter(({ half }) => half === 'held'),
  );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} else if (options.provider !== undefined) {
  const { provider, config } = options;
  const modelsFolder = process.env['GUARDRAIL_MODELS_DIR'];
  reportFaults(
    await reportProvider({ provider, config, modelsFolder }, options.data === undefined ? written : samples),
  );
} else if (onlySkills) {
  reportFaults(reportSkills(options));
} else if (options.only === 'judge') {
  reportFaults(reportJudge(options));
} else if (options.only === 'held-out') {
  reportFaults([...reportFamilies(own), ...reportHeldOut(options.list === true)]);
} else {
  if (options.data === undefined && options.only === undefined) reportFaults(reportFamilies(own));
  report();
  if (options.data === undefined) reportHonestTexts();
}

function reportFaults(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function reportHonestTexts(): void {
  const isWanted = (name: string): boolean => options.only === undefined || options.only === name;
  if (isWanted('languages')) reportLanguageAttacks(own);
  const faults = [
    ...(isWanted('languages') ? reportLanguages() : []),
    ...(isWanted('documents') ? reportDocuments() : []),
    ...(isWanted('pictures') ? reportPictures() : []),
  ];
  if (options.only === undefined) {
    reportTails(written.filter(({ file }) => file === 'harmless-questions').map(({ text }) => text));
  }
  if (options.only === undefined) reportFaults([...reportSkills({}), ...reportJudge({})]);
  reportFaults(faults);
}

function report(): void {
  for (const concern of concerns.filter(({ name }) => options.only === undefined || name === options.only)) {
    const scan = createScanner((name) => concern.policies.includes(name));
    print(concern.policies.join(' + '), measureConcern(concern, scan, samples));
    if (options.encodings !== undefined && concern.label === 'attack') {
      const { caught, table } = measureEncodings(scan, samples);
      print(`encoding, of ${caught} caught attacks`, table);
    }
    if (concern.label === 'pii') printSpans(scan);
    if (options.list === true) {
      for (const sample of samples) {
        const findings = scan(sample);
        const isWrong =
          sample.label === 'benign'
            ? findings.length > 0
            : sample.label === concern.label && !findings.some(isEnforced);
        if (!isWrong) continue;
        const rules = [...new Set(findings.map(({ ruleId }) => ruleId))].join(', ');
        console.log(`${sample.id} [${rules}] ${JSON.stringify(sample.text.slice(0, 200))}`);
      }
    }
  }
  if (options.only !== undefined) return;
  for (const { name } of builtinPolicies) {
    print(
      name,
      measurePolicy(
        name,
        createScanner((other) => other === name),
        samples,
      ),
    );
  }
}
