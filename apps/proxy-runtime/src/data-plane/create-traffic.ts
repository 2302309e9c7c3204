import { createTrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { createClientAddress } from '@portcullis/platform/http/client-address';
import { createSessionIds } from '@portcullis/platform/traffic/session-ids';
import { createTokens } from '@portcullis/platform/identity/tokens';
import { shareCallerMemory } from '@portcullis/platform/http/body-memory';
import { CostEstimator } from '../budgets/cost-estimator.ts';
import { createExplain } from '../explain/create-explain.ts';
import { GuardrailService } from '../guardrails/guardrail-service.ts';
import { createEndpointPaths } from '../mcp/endpoint-paths.ts';
import { createSealedTexts } from '../mcp/sealed-texts.ts';
import { createSessionSeals } from '../mcp/session-seals.ts';
import { createPipeline, type PipelineParts } from '../pipeline.ts';
import type { TargetEntry } from '../snapshot/snapshot.ts';
import { createBrokenPromptWarning } from '../stages/broken-prompt-warning.ts';
import type { MeterParts } from '../stages/meter.ts';
import type { TargetPools } from '../target/target-pools.ts';
import { createKeepContent } from '../trace-content/keep-content.ts';
import { createTrials, type Trials } from '../trials/create-trials.ts';
import { createTrafficHandler, type PortHandler } from '../traffic/traffic-handler.ts';
import { createTrafficObserver } from '../traffic/traffic-observer.ts';
import type { DataPlaneParts } from './data-plane-parts.ts';

/** What happens behind each proxy port: the pipeline, and what drives it. */
export function createTraffic(parts: DataPlaneParts, pools: TargetPools): (proxyId: number) => PortHandler {
  const { infrastructure, log, spool } = parts;
  return createTrafficHandler({
    ...trafficRules(parts, pools),
    pipeline: createPipeline(createPipelineParts(parts)),
    observer: createTrafficObserver(log, parts.counts, infrastructure.metrics.gateway),
    spool,
    legacySse: parts.legacySse,
    explain: createExplain(...secretsOf(parts)),
  });
}

/** Tries requests on the same rows. */
export const createTrafficTrials = (parts: DataPlaneParts, pools: TargetPools): Trials =>
  createTrials({
    traffic: trafficRules(parts, pools),
    pipeline: createPipelineParts(parts, () => undefined),
    log: parts.log,
  });

/** What holds for all traffic, trials among it. */
const trafficRules = ({ infrastructure, config, current }: DataPlaneParts, pools: TargetPools) => ({
  maxInspectedBytes: config.maxInspectedBytes,
  maxMessageBytes: config.maxBodyBytes,
  clientStallMs: config.clientStallMs,
  sockets: config.sockets,
  clientAddress: createClientAddress(infrastructure.config.TRUSTED_PROXIES),
  currentSnapshot: () => current.value,
  poolFor: (target: TargetEntry) => pools.poolFor(target),
});

/** @param countCheck told of each question to a guardrail provider */
function createPipelineParts(
  parts: DataPlaneParts,
  countCheck: ConstructorParameters<typeof GuardrailService>[1] = (check) =>
    parts.infrastructure.metrics.gateway.countGuardrailCheck(check),
): PipelineParts {
  const { infrastructure, options, config, log, spool, prices } = parts;
  const { coordination } = infrastructure;
  const [secret, previous] = secretsOf(parts);
  const judges = new GuardrailService(parts.guardrails, countCheck);
  return {
    readToken: createTokens(secret, previous).find,
    providerTokens: parts.providerTokens,
    limits: { shared: coordination.buckets, local: createInProcessBuckets() },
    slots: options.slots,
    maxBodyBytes: config.maxBodyBytes,
    bodyMemory: shareCallerMemory(infrastructure),
    endpoints: createEndpointPaths(secret, previous),
    sessions: createSessionSeals(secret, previous),
    tasks: createSessionSeals(secret, previous, 'mcp task'),
    renderSessionId: createSessionIds(secret),
    states: createSealedTexts(secret, 'mcp state', previous),
    analyser: config.analysesTraffic ? createTrafficAnalyser() : undefined,
    refusals: parts.refusals,
    guardrails: { service: judges, appendLate: (records) => spool.append(records) },
    usage: createMeterParts(parts),
    budgets: { service: parts.budgets, costs: new CostEstimator(), prices },
    promptEvents: parts.promptEvents,
    refusalLog: parts.refusalLog,
    content: createKeepContent({
      redactor: parts.redactor,
      encryption: infrastructure.encryption,
      append: (records) => spool.append(records),
      log,
    }),
    brokenPrompt: createBrokenPromptWarning(log),
  };
}

const createMeterParts = ({ infrastructure, log, spool, prices, counter }: DataPlaneParts): MeterParts => ({
  prices,
  counter,
  appendLate: (records) => spool.append(records),
  onUsage: (record) => infrastructure.metrics.gateway.countUsage(record),
  onImpossible: (proxyId, { inputTokens, outputTokens }) =>
    log.warn('the target told a usage that cannot be; it is estimated', { proxyId, inputTokens, outputTokens }),
});

/** For seals and tokens; those of before the last change of it are still read. */
function secretsOf({ infrastructure }: DataPlaneParts): readonly [string, string | undefined] {
  const { JWT_SECRET, JWT_SECRET_PREVIOUS } = infrastructure.config;
  return [JWT_SECRET.reveal(), JWT_SECRET_PREVIOUS?.reveal()];
}
