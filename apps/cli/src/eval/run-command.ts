import type { EvaluationReport } from '@portcullis/core/evaluation/report/evaluation-report';
import { parseJsonReport } from '@portcullis/core/evaluation/report/parse-json-report';
import { renderHtmlReport } from '@portcullis/core/evaluation/report/render-html';
import { renderJsonReport } from '@portcullis/core/evaluation/report/render-json';
import { renderJunitReport } from '@portcullis/core/evaluation/report/render-junit';
import { renderSarifReport } from '@portcullis/core/evaluation/report/render-sarif';
import { checkGates } from '@portcullis/core/evaluation/run/check-gates';
import { compareRuns } from '@portcullis/core/evaluation/score/compare-runs';
import { builtinCases } from '@portcullis/core/evaluation/suite/builtin-cases';
import { categories } from '@portcullis/core/evaluation/suite/categories';
import { renderPdfReport } from '@portcullis/platform/evaluation/render-pdf-report';
import { UsageError, type Command } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { estimateLocally, evaluateLocally } from './evaluate-locally.ts';
import { estimateOnGateway, evaluateOnGateway } from './evaluate-on-gateway.ts';
import { parseEvalOptions, type EvalOptions, type ReportKind } from './eval-options.ts';
import { writeResult } from './option-values.ts';
import { renderEstimate } from './render-estimate.ts';
import { renderSummary } from './render-summary.ts';

const usage = `Usage: portcullis eval run --url URL [options]
       portcullis eval run --curl FILE [options]
       portcullis eval run --gateway URL --endpoint NAME|ID [options]
       portcullis eval run --gateway URL --provider NAME|ID [options]

Attacks an endpoint with ${builtinCases.length} cases in ${Object.keys(categories).length} categories, and reports how it held. Needs no gateway, but can have one do it.
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

With a gateway
  --gateway URL               runs it there; the token of a login comes from PORTCULLIS_TOKEN
  --token-env NAME            another variable
  --endpoint NAME|ID          an endpoint of the gateway, with its own key; Ctrl-C cancels the evaluation
  --provider NAME|ID          a guardrail provider of the gateway: what it flags is blocked
  --judge NAME|ID             an endpoint whose model judges as well; its verdicts stand in the results there and count nowhere

The run
  --dry-run                   shows what it would take of requests, tokens, time and money, and asks nothing
  --input-price, --output-price USD   for a million tokens, for --dry-run; a gateway has those of its endpoints
  --name TEXT                 what it is called in reports
  --categories A,B            ${Object.keys(categories).join(', ')}; all
  --concurrency N             cases at once, from 1 to 10; 4, with a gateway 3
  --delay MS                  pause between two cases; 0, with a gateway 200
  --seed TEXT                 makes the planted secrets the same again

What comes of it
  --fail-on CONDITIONS        such as risk>40,critical,over_refusal>20
  --baseline FILE             a report in JSON of an earlier run: severities then mean new failures alone
  --json, --junit, --sarif, --html, --pdf FILE

Exit codes: 0 no condition was met, 1 one was, 2 the command was not understood,
3 too little could be judged, or a file could not be read or written, 4 the command failed.
`;

const renderers: Readonly<Record<ReportKind, (report: EvaluationReport) => string | Promise<Uint8Array>>> = {
  json: renderJsonReport,
  junit: renderJunitReport,
  sarif: renderSarifReport,
  html: renderHtmlReport,
  pdf: renderPdfReport,
};

export const evalRunCommand: Command = {
  usage,
  async run(parameters, io): Promise<ExitCode> {
    const options = await parseEvalOptions(parameters, io);
    const baseline = readBaselineOrThrow(options);
    for (const note of options.notes) io.warn(`${note}\n`);
    const { target } = options;
    if (options.isDryRun) {
      const isDirect = target.kind === 'direct';
      io.say(
        renderEstimate(isDirect ? estimateLocally(target, options) : await estimateOnGateway(target, options, io)),
      );
      return exitCodes.clean;
    }
    const report =
      target.kind === 'direct'
        ? await evaluateLocally(target, options, io)
        : await evaluateOnGateway(target, options, io);
    for (const [kind, path] of options.reports) await writeResult(path, await renderers[kind](report), io);
    const comparison = baseline && compareRuns(baseline, report.results);
    const { exitCode, reasons } = checkGates(options.gates, report.score, report.results, comparison);
    io.say(renderSummary(report, { comparison, reasons, style: io.style }));
    return io.stopping.aborted ? exitCodes.unreadable : (exitCode as ExitCode);
  },
};

function readBaselineOrThrow({ baseline }: EvalOptions): Parameters<typeof compareRuns>[0] | undefined {
  if (baseline === undefined) return undefined;
  const parsed = parseJsonReport(baseline);
  if (parsed.problem !== undefined) throw new UsageError(`--baseline: ${parsed.problem}`);
  return parsed.results;
}
