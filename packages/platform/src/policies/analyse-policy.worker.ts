import { parentPort, workerData } from 'node:worker_threads';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { collectAnalyses } from '@portcullis/core/policy/pattern/analyse-pattern';
import type { StoredAnalysis } from '@portcullis/core/policy/pattern/analysed-pattern';
import { finish } from '@portcullis/core/collections/finish-steps';
import { collectParts } from '@portcullis/core/policy/compile/collect-parts';
import { lockFileWithin } from '../process/file-lock.ts';
import { problemText } from '../errors/problem.ts';
import { createAnalysisStore, hashDocument, type AnalysesByDocument } from './analysis-store.ts';
import type { AnalystAnswer, AnalystData, AnalystQuestion } from './policy-analyst.ts';

const { path, secret, previousSecret } = workerData as AnalystData;
const store = createAnalysisStore(path, secret, previousSecret);

/** Another process may be at the same policy: it is waited for, at most so long. */
const waitMs = 30_000;
/** Analyses in one message: taking them takes the other thread well below a millisecond. */
const atOnce = 64;

/** Nothing that goes wrong with the file keeps a policy from being analysed. */
async function analyseOnce(document: unknown): Promise<readonly StoredAnalysis[]> {
  const problems: string[] = [];
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      problems.push(problemText(error));
      return undefined;
    }
  };
  using _held = await attempt(() => lockFileWithin(`${path}.lock`, waitMs));
  const kept: AnalysesByDocument = (await attempt(() => store.load())) ?? new Map();
  const hash = hashDocument(document);
  const analyses = kept.get(hash) ?? collectAnalyses(() => analyseAll(document));
  if (!kept.has(hash)) await attempt(() => store.save(new Map([...kept, [hash, analyses]])));
  for (const problem of problems) answerQuestion({ problem });
  return analyses;
}

/** All that reading the document and compiling its rules will ask for, those of detectors among them. */
function analyseAll(document: unknown): void {
  const { policy } = parsePolicyFile(document);
  if (policy !== undefined) finish(collectParts([policy], new Set()));
}

const answerQuestion = (answer: AnalystAnswer): void => parentPort?.postMessage(answer);

parentPort?.on('message', ({ document }: AnalystQuestion) => {
  void analyseOnce(document).then((analyses) => {
    for (let from = 0; from < analyses.length; from += atOnce)
      answerQuestion({ analyses: analyses.slice(from, from + atOnce) });
    answerQuestion({ done: true });
  });
});
