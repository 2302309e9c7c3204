import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { EvaluationReport, ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import { parseJsonReport } from '@portcullis/core/evaluation/report/parse-json-report';
import { renderHtmlReport } from '@portcullis/core/evaluation/report/render-html';
import { renderJsonReport } from '@portcullis/core/evaluation/report/render-json';
import { renderJunitReport } from '@portcullis/core/evaluation/report/render-junit';
import { renderSarifReport } from '@portcullis/core/evaluation/report/render-sarif';
import { checkGates } from '@portcullis/core/evaluation/run/check-gates';
import { runCases } from '@portcullis/core/evaluation/run/run-cases';
import { compareRuns } from '@portcullis/core/evaluation/score/compare-runs';
import { scoreEvaluation } from '@portcullis/core/evaluation/score/score-evaluation';
import { builtinCases, suiteVersion } from '@portcullis/core/evaluation/suite/builtin-cases';
import { categories } from '@portcullis/core/evaluation/suite/categories';
import { createCaseSender } from '@portcullis/platform/evaluation/case-sender';
import { UsageError, type Command, type CommandIo } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { parseEvalOptions, type EvalOptions, type ReportKind } from './eval-options.ts';
import { writeResult } from './option-values.ts';
import { renderSummary } from './render-summary.ts';

const usage = `Usage: portcullis eval run --url URL [options]
       portcullis eval run --curl FILE [options]

Attacks an endpoint with ${builtinCases.length} cases in ${Object.keys(categories).length} categories, and tells how it held. Needs no gateway.
An API key comes from the variable EVAL_API_KEY of the environment.

The endpoint
  --url URL, --path PATH      base URL, and what is appended to it; /v1/chat/completions
  --curl FILE                 reads the endpoint from a curl command; options win over it
  --model NAME                for chat completions
  --format F                  chat-completion, custom, guardrails
  --template JSON|FILE        for custom: JSON with {prompt} inside a string value
  --response-format F         auto, openai, bedrock, custom
  --response-path PATH        where the text of an answer stands, such as choices[0].message.content
  --method M                  POST, PUT, PATCH, GET
  --header 'Name: value'      may be repeated
  --auth A                    bearer, api-key, none; bearer where there is a key
  --api-key-env NAME          another variable; --api-key-header NAME: its header with api-key
  --timeout SECONDS           for one request; 30

The run
  --categories A,B            ${Object.keys(categories).join(', ')}; all
  --concurrency N             cases at once, from 1 to 10; 4
  --delay MS                  pause between two cases; 0
  --seed TEXT                 makes the planted secrets the same again

What comes of it
  --fail-on CONDITIONS        such as risk>40,critical,over_refusal>20
  --baseline FILE             a report in JSON of an earlier run: severities then mean new failures alone
  --json, --junit, --sarif, --html FILE

Exit codes: 0 no condition was met, 1 one was, 2 the command was not understood,
3 too little could be judged, or a file could not be read or written, 4 the command failed.
`;

const renderers: Readonly<Record<ReportKind, (report: EvaluationReport) => string>> = {
  json: renderJsonReport,
  junit: renderJunitReport,
  sarif: renderSarifReport,
  html: renderHtmlReport,
};

export const evalRunCommand: Command = {
  usage,
  async run(parameters, io): Promise<ExitCode> {
    const options = await parseEvalOptions(parameters, io);
    const baseline = readBaselineOrThrow(options);
    for (const note of options.notes) io.complain(`${note}\n`);
    const report = await evaluate(options, io);
    for (const [kind, path] of options.reports) await writeResult(path, renderers[kind](report), io);
    const comparison = baseline && compareRuns(baseline, report.results);
    const { exitCode, reasons } = checkGates(options.gates, report.score, report.results, comparison);
    io.say(renderSummary(report, { comparison, reasons, style: io.style }));
    return io.stopping.aborted ? exitCodes.unreadable : (exitCode as ExitCode);
  },
};

/** Runs the cases; a run that is stopped has the results that came until then. */
async function evaluate(options: EvalOptions, io: CommandIo): Promise<EvaluationReport> {
  const { endpoint, concurrency, delayMs, seed = randomBytes(8).toString('hex') } = options;
  const cases = builtinCases.filter(
    ({ category }) => options.categories.length === 0 || options.categories.includes(category),
  );
  const startedAt = new Date();
  const results: ReportResult[] = [];
  const told = tellProgress(cases.length, io);
  await runCases(cases, {
    endpoint,
    seed,
    concurrency,
    send: createCaseSender({ timeoutMs: endpoint.timeout_seconds * 1_000, signal: io.stopping }),
    pause: () => wait(delayMs, undefined, { signal: io.stopping }).catch(() => undefined),
    isStopped: () => io.stopping.aborted,
    now: () => performance.now(),
    onResult(result) {
      // What was under way when the run was stopped says nothing of the endpoint.
      if (io.stopping.aborted) return;
      results.push(result);
      told(results);
    },
  });
  io.progress?.('');
  const order = new Map(cases.map(({ test_id: id }, index) => [id, index]));
  results.sort((a, b) => (order.get(a.testId) ?? 0) - (order.get(b.testId) ?? 0));
  return {
    evaluationId: seed,
    name: 'portcullis eval run',
    endpoint: new URL(endpoint.url).host,
    suiteVersion,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    score: scoreEvaluation(results),
    results,
  };
}

const linesEvery = 10;

/** A bar that is drawn anew on a terminal, and a line now and then elsewhere. */
function tellProgress(total: number, io: CommandIo): (results: readonly ReportResult[]) => void {
  return (results) => {
    const done = results.length;
    const failed = results.filter(({ outcome }) => outcome === 'failed').length;
    const text = `${done} of ${total} cases, ${failed} failed`;
    if (io.progress !== undefined) {
      const filled = Math.round((20 * done) / total);
      io.progress(`[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${text}`);
    } else if (done % linesEvery === 0 || done === total) io.complain(`${text}\n`);
  };
}

function readBaselineOrThrow({ baseline }: EvalOptions): Parameters<typeof compareRuns>[0] | undefined {
  if (baseline === undefined) return undefined;
  const parsed = parseJsonReport(baseline);
  if (parsed.problem !== undefined) throw new UsageError(`--baseline: ${parsed.problem}`);
  return parsed.results;
}
