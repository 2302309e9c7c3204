import { examLimits, type PolicyExam } from '@portcullis/contracts/policy-exam';
import { evaluatePolicy } from '@portcullis/contracts/routes/policy-tests';
import { listProxies } from '@portcullis/contracts/routes/proxies';
import { checkExamGates } from '@portcullis/core/evaluation/exam/exam-gates';
import { suiteSamples, type ExamSample } from '@portcullis/core/evaluation/exam/exam-sample';
import { examinePolicies } from '@portcullis/core/evaluation/exam/examine-policies';
import type { SetPolicy } from '@portcullis/core/evaluation/exam/logged-verdict';
import { parseSamples } from '@portcullis/core/evaluation/exam/parse-samples';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import type { Policy } from '@portcullis/core/policy/policy';
import { examOrigins } from '@portcullis/platform/evaluation/exam-origins';
import { suggestNames } from '@portcullis/core/text/near-names';
import { UnreadablePath, UsageError, type Command, type CommandIo } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { createGatewayClient, type GatewayClient } from '../gateway-client.ts';
import { readText, tokenVariable, writeResult } from './option-values.ts';
import { parsePolicyOptions, type GatewayOptions, type PolicyOptions } from './policy-options.ts';
import { renderExam } from './render-exam.ts';

const usage = `Usage: portcullis eval policy <file|name>... [options]

Examines policies: what they block, redact, flag and let through, with precision, recall and the time of a scan.
A policy is a file, or the name of a built-in one; several work together. Needs no gateway, and nothing leaves this machine.

What they are examined with
  --samples FILE              labelled JSON lines; may be repeated
  --suite                     the built-in cases as well; taken alone where there are no samples
  --categories A,B            those of some categories
  --protocol llm|mcp          as traffic of this kind; llm

What they are compared with
  --baseline FILE|NAME        policies as they were before; may be repeated
  --shadow NAME               examines this policy in shadow mode; may be repeated

With a gateway
  --gateway URL               examines there; the token of a login comes from ${tokenVariable}
  --token-env NAME            another variable
  --against proxy:NAME        the policies of a proxy, with the file in the place of the one of its name, compared with the proxy as it is
  --against policies:A,B      compared with stored policies
  --logged N                  the latest verdicts on traffic as well, up to ${examLimits.logged}

What comes of it
  --fail-on CONDITIONS        such as recall<0.8,precision<0.9,false_alarms>0.01,p99>50ms,new-misses
  --json FILE                 all of it
  --all                       shows each sample, not only what went wrong or changed

Exit codes: 0 no condition was met, 1 one was, 2 the command was not understood,
3 a condition could not be judged, or something could not be read or written, 4 the command failed.
`;

export const evalPolicyCommand: Command = {
  usage,
  async run(parameters, io): Promise<ExitCode> {
    const options = parsePolicyOptions(parameters, io);
    const exam =
      options.gateway === undefined ? await examineHere(options, io) : await examineThere(options, options.gateway, io);
    if (options.json !== undefined) await writeResult(options.json, `${JSON.stringify(exam, undefined, 2)}\n`, io);
    const verdict = checkExamGates(options.gates, exam);
    io.say(renderExam(exam, { verdict, all: options.all, style: io.style }));
    if (verdict.met.length > 0) return exitCodes.threshold;
    return verdict.undecided.length > 0 ? exitCodes.unreadable : exitCodes.clean;
  },
};

async function examineHere(options: PolicyOptions, io: CommandIo): Promise<PolicyExam> {
  const lines = await readSamples(options, io);
  const own = lines.flatMap(({ samples }) => samples);
  const policies = await readSet(options.policies, io);
  const { protocol = 'llm' } = options;
  checkShadow(options, policies);
  return examinePolicies(
    {
      policies: policies.map(({ policy }) => ({
        policy,
        mode: options.shadow.includes(policy.name) ? 'shadow' : 'enforce',
      })),
      before: options.baseline.length === 0 ? undefined : await readSet(options.baseline, io),
      samples: [...(options.suite === undefined ? [] : suiteSamples(orAll(options.suite))), ...own],
      logged: [],
      known: [],
      traffic: { protocol, origins: examOrigins(protocol) },
    },
    () => performance.now(),
  );
}

const orAll = <Value>(values: readonly Value[]): readonly Value[] | undefined =>
  values.length === 0 ? undefined : values;

function checkShadow({ shadow }: PolicyOptions, policies: readonly SetPolicy[]): void {
  const names = new Set(policies.map(({ policy }) => policy.name));
  const unknown = shadow.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--shadow: ${unknown} is none of these policies, which are ${[...names].join(', ')}.`);
}

/** A later policy takes the place of an earlier one of its name. */
async function readSet(references: readonly string[], io: CommandIo): Promise<readonly SetPolicy[]> {
  const policies = await Promise.all(references.map((reference) => readPolicy(reference, io)));
  const byName = new Map(policies.map((policy) => [policy.name, policy]));
  return [...byName.values()].map((policy) => ({ policy, mode: 'enforce' }));
}

async function readPolicy(reference: string, io: CommandIo): Promise<Policy> {
  const builtin = builtinPolicies.find(({ name }) => name === reference);
  if (builtin !== undefined) return builtin;
  const { policy, problems = [] } = parsePolicyFile(await readDocument(reference, io));
  if (policy !== undefined) return policy;
  const places = problems.map(({ path, rule }) => `\n  ${path === '' ? 'the file' : path}: ${rule}`);
  throw new UnreadablePath(`${reference} is not a valid policy:${places.join('')}`);
}

async function readDocument(path: string, io: CommandIo): Promise<unknown> {
  const isName = !/[./\\]/.test(path);
  const text = await readText(path, io).catch((error: unknown) => {
    if (!isName || !(error instanceof UnreadablePath)) throw error;
    const names = builtinPolicies.map(({ name }) => name);
    throw new UnreadablePath(`${error.message}\nNor is there a built-in policy ${path}${suggestNames(path, names)}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadablePath(`${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface SampleFile {
  readonly text: string;
  readonly samples: readonly ExamSample[];
}

/** Of several files the ids are told apart by the name of the file where they are the same. */
async function readSamples({ samples: paths }: PolicyOptions, io: CommandIo): Promise<readonly SampleFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const text = await readText(path, io);
      const { samples, problems } = parseSamples(text);
      if (problems !== undefined)
        throw new UnreadablePath(`${path}:${problems.map((problem) => `\n  ${problem}`).join('')}`);
      return { path, text, samples };
    }),
  );
  const isOne = files.length < 2;
  return files.map(({ path, text, samples }) => ({
    text,
    samples: isOne ? samples : samples.map((sample) => ({ ...sample, id: `${path} ${sample.id}` })),
  }));
}

async function examineThere(options: PolicyOptions, gateway: GatewayOptions, io: CommandIo): Promise<PolicyExam> {
  if (options.samples.length > 1) throw new UsageError('--samples: a gateway takes one file of samples.');
  const client = createGatewayClient(gateway, io);
  const [file, ...names] = options.policies;
  const isStored = file !== undefined && !/[./\\]/.test(file);
  const { against } = gateway;
  const proxyId = against?.kind === 'proxy' ? await findProxyId(client, against.reference) : undefined;
  const [lines] = await readSamples(options, io);
  const before = against?.kind === 'policies' ? { policy_names: [...against.names] } : await readBaseline(options, io);
  return client.data(evaluatePolicy, {
    body: {
      policy: isStored ? file : { document: (await readDocument(file ?? '', io)) as object },
      policy_names: names,
      shadow: [...options.shadow],
      ...(proxyId !== undefined && { proxy_id: proxyId }),
      ...(before !== undefined && { before }),
      suite: options.suite === undefined ? false : options.suite.length === 0 ? true : [...options.suite],
      ...(lines !== undefined && { samples: lines.text }),
      ...(gateway.logged !== undefined && { logged: gateway.logged }),
      ...(options.protocol !== undefined && { protocol: options.protocol }),
    },
  });
}

async function readBaseline({ baseline: [file, ...names] }: PolicyOptions, io: CommandIo) {
  if (file === undefined) return undefined;
  const isStored = !/[./\\]/.test(file);
  return isStored
    ? { policy_names: [file, ...names] }
    : { policy: { document: (await readDocument(file, io)) as object }, policy_names: names };
}

async function findProxyId(client: GatewayClient, reference: string): Promise<number> {
  const proxies = await client.data(listProxies);
  const found = proxies.find(({ id, name }) => name === reference || String(id) === reference);
  if (found !== undefined) return found.id;
  const names = proxies.map(({ name }) => name);
  throw new UsageError(`--against: there is no proxy ${reference}${suggestNames(reference, names)}`);
}
