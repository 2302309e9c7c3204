import { parseArgs } from 'node:util';
import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import { examLimits } from '@portcullis/contracts/policy-exam';
import { listenerTypes, type ListenerType } from '@portcullis/contracts/records';
import { parseExamGates, type ExamGate } from '@portcullis/core/evaluation/exam/exam-gates';
import { UsageError, type CommandIo } from '../command.ts';
import { oneOf, readCategories, readGatewayLogin, readList, readOptionalNumber } from './option-values.ts';

/** A gateway whose policies are compared with. */
export interface GatewayOptions {
  readonly url: string;
  readonly token: string;
  /** A proxy by name or id, or stored policies by name or id. */
  readonly against:
    | { readonly kind: 'proxy'; readonly reference: string }
    | { readonly kind: 'policies'; readonly names: readonly string[] }
    | undefined;
  readonly logged: number | undefined;
}

export interface PolicyOptions {
  /** Files of policies, or names of built-in ones. */
  readonly policies: readonly string[];
  readonly baseline: readonly string[];
  readonly shadow: readonly string[];
  readonly samples: readonly string[];
  /** Categories of the suite, empty for all; undefined: none of it. */
  readonly suite: readonly EvaluationCategory[] | undefined;
  readonly protocol: ListenerType | undefined;
  readonly gates: readonly ExamGate[];
  readonly gateway: GatewayOptions | undefined;
  /** File for the exam as JSON. */
  readonly json: string | undefined;
  /** Tells every sample. */
  readonly all: boolean;
}

/** @throws {UsageError} */
export function parsePolicyOptions(parameters: readonly string[], io: CommandIo): PolicyOptions {
  const { values, positionals } = parseOrThrow(parameters);
  if (positionals.length === 0) throw new UsageError('Which policy? Name its file, or a built-in policy.');
  const gates = parseExamGates(values['fail-on'] ?? '');
  if (gates.problem !== undefined) throw new UsageError(`--fail-on: ${gates.problem}.`);
  const gateway = readGateway(values, io);
  const isCompared = values.baseline !== undefined || gateway?.against !== undefined;
  const change = gates.gates.find(({ kind }) => kind === 'change');
  if (change !== undefined && !isCompared)
    throw new UsageError(
      `--fail-on ${change.text}: with what to compare? Say --baseline, or --against with a gateway.`,
    );
  if (gateway?.against !== undefined && values.baseline !== undefined)
    throw new UsageError('--baseline and --against: only one of them can be compared with.');
  const samples = values.samples ?? [];
  const isSuiteMeant = values.suite === true || values.categories !== undefined;
  return {
    policies: positionals,
    baseline: values.baseline ?? [],
    shadow: values.shadow ?? [],
    samples,
    suite:
      isSuiteMeant || (samples.length === 0 && gateway?.logged === undefined)
        ? readCategories(values.categories)
        : undefined,
    protocol: oneOf('--protocol', listenerTypes, values.protocol),
    gates: gates.gates,
    gateway,
    json: values.json,
    all: values.all ?? false,
  };
}

function parseOrThrow(parameters: readonly string[]) {
  const text = { type: 'string' } as const;
  const texts = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        samples: texts,
        suite: flag,
        categories: text,
        baseline: texts,
        shadow: texts,
        protocol: text,
        gateway: text,
        'token-env': text,
        against: text,
        logged: text,
        'fail-on': text,
        json: text,
        all: flag,
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
type Values = ReturnType<typeof parseOrThrow>['values'];

function readGateway(values: Values, io: CommandIo): GatewayOptions | undefined {
  if (values.gateway === undefined) {
    const lost = (['against', 'logged', 'token-env'] as const).find((name) => values[name] !== undefined);
    if (lost !== undefined) throw new UsageError(`--${lost} asks a gateway: say which one with --gateway URL.`);
    return undefined;
  }
  return {
    ...readGatewayLogin(values.gateway, values['token-env'], io),
    against: values.against === undefined ? undefined : readAgainst(values.against),
    logged: readOptionalNumber('--logged', values.logged, { least: 1, most: examLimits.logged }),
  };
}

function readAgainst(given: string): GatewayOptions['against'] {
  const [, kind, rest = ''] = /^(proxy|policies):(.+)$/.exec(given) ?? [];
  if (kind === 'proxy') return { kind, reference: rest };
  const names = readList(rest);
  if (kind === 'policies' && names.length > 0) return { kind, names };
  throw new UsageError(`--against takes proxy:NAME, or policies:NAME,NAME; this is "${given}".`);
}
