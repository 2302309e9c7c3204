import { join } from 'node:path';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import { createGuardrailClient, type GuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Logger } from '@portcullis/platform/log/logger';
import { SpoolPart } from '@portcullis/platform/service/spool-part';
import { BudgetService } from '../budgets/budget-service.ts';
import { SpoolCatchUp } from '../budgets/spool-catch-up.ts';
import { createSpendingFeed, type SpendingFeed } from '../budgets/spending-sums.ts';
import type { Slots } from '../stages/proxy-slots.ts';
import { readRuntimeConfig, type RuntimeConfig } from '../config.ts';
import type { StatsSource } from '../listeners/proxy-stats.ts';
import type { StateReporter } from '../listeners/state-reporter.ts';
import { LegacySseStreams } from '../mcp-streams/legacy-sse-streams.ts';
import { createProviderTokens, type ProviderTokensPart } from './provider-tokens.ts';
import { CurrentSnapshot } from '../snapshot/current-snapshot.ts';
import { spoolNameOf } from './spool-name.ts';
import { RefusalAggregator } from '../stages/refusal-aggregator.ts';
import { TextRedactor } from '../trace-content/text-redactor.ts';
import type { TargetNews } from '../target/target-pool.ts';
import { createTrafficCounts, type TrafficCounts } from '../traffic/traffic-counts.ts';
import { LoadedPrices } from '../usage/loaded-prices.ts';
import { createPriceList, type PriceList } from '../usage/price-list.ts';
import { warnUnpriced } from '../usage/warn-unpriced.ts';
import { createTokenCounter } from '../metering/token-counter.ts';

/** What differs between a runtime that is one process and a worker of one that is several. */
export interface DataPlaneOptions {
  /** Number of the worker; undefined for a runtime that is one process. */
  readonly worker?: number;
  readonly createReporter: (stats: StatsSource) => StateReporter;
  readonly slots: Slots;
  /** How workers tell each other what they learn of targets. */
  readonly news?: {
    send(news: TargetNews): void;
    onHeard(listener: (news: TargetNews) => void): void;
  };
}

/** What the parts of a data plane that do something share. */
export interface DataPlaneParts {
  readonly infrastructure: Infrastructure;
  readonly options: DataPlaneOptions;
  readonly config: RuntimeConfig;
  /** Names the service, and the worker. */
  readonly log: Logger;
  readonly spool: SpoolPart;
  readonly current: CurrentSnapshot;
  readonly counts: TrafficCounts;
  readonly guardrails: GuardrailClient;
  readonly legacySse: LegacySseStreams;
  /** Repeats of refusals, and of what became of system prompts. */
  readonly refusals: AuditThrottle;
  readonly promptEvents: AuditThrottle;
  /** Requests that were refused before anybody counted as their caller. */
  readonly refusalLog: RefusalAggregator;
  readonly counter: ReturnType<typeof createTokenCounter>;
  readonly libraryPrices: LoadedPrices;
  readonly prices: PriceList;
  readonly spending: SpendingFeed;
  readonly catchUp: SpoolCatchUp;
  readonly budgets: BudgetService;
  /** Checks the tokens of providers that proxies forward. */
  readonly providerTokens: ProviderTokensPart;
  /** Of the contents of traces. */
  readonly redactor: TextRedactor;
}

export const serviceName = 'proxy-runtime';

export function createDataPlaneParts(infrastructure: Infrastructure, options: DataPlaneOptions): DataPlaneParts {
  const { database, coordination, dataDirectory } = infrastructure;
  const config = readRuntimeConfig(infrastructure.config);
  const log = infrastructure.log.child({ service: serviceName, worker: options.worker });
  const spoolName = spoolNameOf(options.worker);
  const spool = new SpoolPart(() => infrastructure.openSpool(spoolName));
  const libraryPrices = new LoadedPrices();
  const spending = createSpendingFeed({ database, path: join(dataDirectory, `${spoolName}-spending.json`), log });
  const catchUp = new SpoolCatchUp(spool, spending);
  const current = new CurrentSnapshot();
  return {
    infrastructure,
    options,
    config,
    log,
    spool,
    current,
    providerTokens: createProviderTokens(infrastructure, current, log),
    redactor: new TextRedactor(),
    counts: createTrafficCounts(),
    guardrails: createGuardrailClient(config.target, infrastructure.localModels),
    legacySse: new LegacySseStreams(coordination.bus),
    refusals: new AuditThrottle(),
    promptEvents: new AuditThrottle(),
    refusalLog: new RefusalAggregator(),
    counter: createTokenCounter(log),
    libraryPrices,
    prices: createPriceList({
      findLibraryPrice: libraryPrices.find,
      onUnpriced: (model) => warnUnpriced({ log, bus: coordination.bus }, model),
    }),
    spending,
    catchUp,
    budgets: new BudgetService({
      accounts: coordination.accounts,
      localAccounts: createInProcessAccounts(),
      sums: { spentSince: (account) => spending.spentSince(account), caughtUp: () => catchUp.caughtUp() },
    }),
  };
}
