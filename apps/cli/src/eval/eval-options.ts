import { parseArgs } from 'node:util';
import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import {
  endpointDefaults,
  endpointMethods,
  requestFormats,
  responseFormats,
  type EvaluationEndpointFields,
} from '@portcullis/contracts/evaluation-endpoint';
import { checkEndpoint } from '@portcullis/core/evaluation/request/check-endpoint';
import { importCurl } from '@portcullis/core/evaluation/request/import-curl';
import { parseGates, type Gate } from '@portcullis/core/evaluation/run/check-gates';
import { UsageError, type CommandIo } from '../command.ts';
import {
  oneOf,
  readCategories,
  readGatewayLogin,
  readNumber,
  readOptionalNumber,
  readSecret,
  readText,
  readUrl,
} from './option-values.ts';

export const reportKinds = ['json', 'junit', 'sarif', 'html', 'pdf'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** An endpoint that the command asks itself. */
export interface DirectTarget {
  readonly kind: 'direct';
  readonly endpoint: EvaluationEndpointFields;
  /** What is planted follows from it. */
  readonly seed: string | undefined;
  readonly price: Price | undefined;
}

/** An endpoint or a guardrail provider of a gateway, which evaluates it. */
export interface GatewayTarget {
  readonly kind: 'gateway';
  readonly url: string;
  readonly token: string;
  readonly of: 'endpoint' | 'provider';
  /** Name or id. */
  readonly reference: string;
  /** Name or id of an endpoint whose model judges as well. */
  readonly judge: string | undefined;
}

/** USD for a million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
}

export interface EvalOptions {
  readonly target: DirectTarget | GatewayTarget;
  /** What a reader should know of how the endpoint was read. */
  readonly notes: readonly string[];
  /** Empty: all. */
  readonly categories: readonly EvaluationCategory[];
  /** Undefined: as whoever runs it thinks best. */
  readonly concurrency: number | undefined;
  readonly delayMs: number | undefined;
  readonly gates: readonly Gate[];
  /** A report in JSON of an earlier run. */
  readonly baseline: string | undefined;
  /** Files by kind. */
  readonly reports: ReadonlyMap<ReportKind, string>;
  /** Tells what the evaluation would take, and asks nothing. */
  readonly isDryRun: boolean;
  /** Of the evaluation, in reports. */
  readonly name: string | undefined;
}

const defaultKeyVariable = 'EVAL_API_KEY';

/** Throws UsageError, or UnreadablePath for a file that is named. */
export async function parseEvalOptions(parameters: readonly string[], io: CommandIo): Promise<EvalOptions> {
  const values = parseOrThrow(parameters);
  const { target, notes } =
    values.endpoint === undefined && values.provider === undefined && values.gateway === undefined
      ? await readDirectTarget(values, io)
      : { target: readGatewayTarget(values, io), notes: [] };
  const gates = parseGates(values['fail-on'] ?? '');
  if (gates.problem !== undefined) throw new UsageError(`--fail-on: ${gates.problem}`);
  if (
    values.baseline === undefined &&
    gates.gates.some((gate) => gate.kind === 'measure' && gate.measure === 'new_failures')
  )
    throw new UsageError('--fail-on new_failures: with what to compare? Say --baseline.');
  return {
    target,
    notes,
    categories: readCategories(values.categories),
    concurrency: readOptionalNumber('--concurrency', values.concurrency, { least: 1, most: 10 }),
    delayMs: readOptionalNumber('--delay', values.delay, { least: 0, most: 60_000 }),
    gates: gates.gates,
    baseline: values.baseline === undefined ? undefined : await readText(values.baseline, io),
    reports: new Map(
      reportKinds.flatMap((kind) => (values[kind] === undefined ? [] : [[kind, values[kind]] as const])),
    ),
    isDryRun: values['dry-run'] === true,
    name: values.name,
  };
}

function parseOrThrow(parameters: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        url: text,
        curl: text,
        path: text,
        method: text,
        model: text,
        format: text,
        template: text,
        'response-format': text,
        'response-path': text,
        auth: text,
        'api-key-env': text,
        'api-key-header': text,
        header: { type: 'string', multiple: true },
        timeout: text,
        categories: text,
        concurrency: text,
        delay: text,
        'fail-on': text,
        baseline: text,
        seed: text,
        json: text,
        junit: text,
        sarif: text,
        html: text,
        pdf: text,
        name: text,
        gateway: text,
        endpoint: text,
        provider: text,
        judge: text,
        'dry-run': { type: 'boolean' },
        'input-price': text,
        'output-price': text,
        'token-env': text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
type Values = ReturnType<typeof parseOrThrow>;

/** Options that say what an endpoint is like: the gateway knows that of its own. */
const directOptions = [
  'url',
  'curl',
  'path',
  'method',
  'model',
  'format',
  'template',
  'response-format',
  'response-path',
  'auth',
  'api-key-env',
  'api-key-header',
  'header',
  'timeout',
  'seed',
  'input-price',
  'output-price',
] as const satisfies readonly (keyof Values)[];

function readGatewayTarget(values: Values, io: CommandIo): GatewayTarget {
  const { gateway, endpoint, provider, judge } = values;
  if (endpoint !== undefined && provider !== undefined)
    throw new UsageError('--endpoint and --provider: an evaluation is of one of them.');
  const reference = endpoint ?? provider;
  if (gateway === undefined || reference === undefined)
    throw new UsageError('--gateway URL goes together with --endpoint NAME or --provider NAME.');
  const lost = directOptions.find((name) => values[name] !== undefined);
  if (lost !== undefined) throw new UsageError(`--${lost} is for an endpoint without a gateway, which knows its own.`);
  if (judge !== undefined && endpoint === undefined)
    throw new UsageError('--judge is for an endpoint: a provider gives no answers that a model could judge.');
  const login = readGatewayLogin(gateway, values['token-env'], io);
  return { kind: 'gateway', ...login, of: endpoint === undefined ? 'provider' : 'endpoint', reference, judge };
}

async function readDirectTarget(
  values: Values,
  io: CommandIo,
): Promise<{ readonly target: DirectTarget; readonly notes: readonly string[] }> {
  if (values.judge !== undefined)
    throw new UsageError('--judge names an endpoint of a gateway, so it needs --gateway.');
  const { endpoint, notes } = await readEndpoint(values, io);
  const problems = checkEndpoint(endpoint);
  if (problems.length > 0) throw new UsageError(`The endpoint lacks something:\n  ${problems.join('\n  ')}`);
  return { target: { kind: 'direct', endpoint, seed: values.seed, price: readPrice(values) }, notes };
}

function readPrice(values: Values): Price | undefined {
  const { 'input-price': input, 'output-price': output } = values;
  if (input === undefined && output === undefined) return undefined;
  return { input: readAmount('--input-price', input), output: readAmount('--output-price', output) };
}

function readAmount(option: string, given = '0'): number {
  if (/^\d{1,7}(?:\.\d{1,6})?$/.test(given)) return Number(given);
  throw new UsageError(`${option} takes USD for a million tokens, such as 0.15; this is "${given}".`);
}

/** A curl command gives what options do not. */
async function readEndpoint(
  values: Values,
  io: CommandIo,
): Promise<{ readonly endpoint: EvaluationEndpointFields; readonly notes: readonly string[] }> {
  const base = values.curl === undefined ? undefined : importOrThrow(await readText(values.curl, io));
  const url = values.url ?? base?.endpoint.url;
  if (url === undefined)
    throw new UsageError(
      'Which endpoint? Name it with --url, a curl command for it with --curl, or one of a gateway with --gateway and --endpoint, or --provider.',
    );
  readUrl('--url', url);
  const key = readSecret('--api-key-env', values['api-key-env'], defaultKeyVariable, io);
  const start = base?.endpoint ?? { ...endpointDefaults, url };
  const endpoint: EvaluationEndpointFields = {
    ...start,
    url,
    ...given('endpoint_path', values.path),
    ...given('http_method', oneOf('--method', endpointMethods, values.method?.toUpperCase())),
    ...given('model', values.model),
    ...given('request_format', oneOf('--format', requestFormats, values.format)),
    ...given('payload_template', values.template === undefined ? undefined : await readTemplate(values.template, io)),
    ...given('response_format', responseFormatOf(values)),
    ...given('response_jq_expr', values['response-path']),
    ...given('api_key_header', values['api-key-header']),
    ...(key !== undefined && { api_key: key }),
    ...given('auth_type', authOf(values, key)),
    custom_headers: { ...start.custom_headers, ...readHeaders(values.header ?? []) },
    timeout_seconds: readNumber('--timeout', values.timeout, { least: 1, most: 600, usual: start.timeout_seconds }),
  };
  return { endpoint, notes: base?.notes ?? [] };
}

/** A field where its option was given. */
const given = <Name extends keyof EvaluationEndpointFields>(
  name: Name,
  value: EvaluationEndpointFields[Name] | undefined,
): Partial<EvaluationEndpointFields> => (value === undefined ? {} : { [name]: value });

const responseFormatOf = (values: Values) =>
  oneOf('--response-format', responseFormats, values['response-format']) ??
  (values['response-path'] === undefined ? undefined : 'custom');

const authOf = ({ auth }: Values, key: string | undefined) =>
  oneOf('--auth', ['bearer', 'api-key', 'none'] as const, auth) ?? (key === undefined ? undefined : 'bearer');

function importOrThrow(command: string) {
  const read = importCurl(command);
  if (read.problems !== undefined) throw new UsageError(`--curl: ${read.problems.join('; ')}`);
  return read.imported;
}

/** A file that is there, or the template itself. */
const readTemplate = (given: string, io: CommandIo): Promise<string> | string =>
  given.trimStart().startsWith('{') || given.trimStart().startsWith('[') ? given : readText(given, io);

const readHeaders = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):\s*((?:[!-~][ -~]{0,8191})?)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--header takes "Name: value"; this is "${line.slice(0, 60)}".`);
      return [name, value];
    }),
  );
