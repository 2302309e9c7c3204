import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Queryable } from '@portcullis/platform/database/database';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { loadAgentMonitoring } from '@portcullis/platform/settings/load-settings';
import { sql } from 'kysely';
import { locationOfRow } from '../agents/agent-location.ts';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import type { CardDiscovery } from '../cards/discover-card.ts';
import { reviewCard } from './check-card.ts';

interface CardCheckParts extends Pick<Infrastructure, 'database' | 'encryption' | 'log'> {
  readonly coordination: Pick<Infrastructure['coordination'], 'bus'>;
  readonly discovery: CardDiscovery;
  readonly scanner: DefinitionScanner;
}

/** Agents that are asked beside each other. */
const concurrency = 5;
const intervalMs = 10_000;
const maxProblemLength = 1_000;

/** Reads the cards of agents whose time has come, until it is disposed. Any number of processes may do this. */
export const startCardCheckJob = (parts: CardCheckParts): AsyncDisposable =>
  runEvery(async () => void (await checkDueCards(parts)), {
    intervalMs,
    later: true,
    onFault: (error) => void parts.log.warn('agent cards could not be compared', { reason: problemText(error) }),
  });

/** One turn of it; answers how many agents were asked. */
export async function checkDueCards(parts: CardCheckParts): Promise<number> {
  const { enabled, interval_minutes: minutes } = await loadAgentMonitoring(parts.database);
  if (!enabled) return 0;
  const due = await claimDueAgents(parts.database, minutes);
  await Promise.all(due.map((agent) => check(parts, agent)));
  return due.length;
}

async function check(parts: CardCheckParts, agent: AgentRow): Promise<void> {
  const { database, discovery, encryption, log } = parts;
  const { url, ...options } = locationOfRow(agent, encryption);
  const { found, problem } = await discovery.discover(url ?? '', options);
  if (found !== undefined) return reviewCard(parts, agent, found);
  log.warn('the card of an agent could not be read', { agent_id: agent.id, reason: problem.message });
  await database.kysely
    .updateTable('agents')
    .set({ check_problem: problem.message.slice(0, maxProblemLength) })
    .where('id', '=', agent.id)
    .execute();
}

/** Takes agents whose cards are to be read now; the process that takes one is alone with it until the interval is over. */
async function claimDueAgents({ kysely }: Queryable, minutes: number): Promise<readonly AgentRow[]> {
  const due = sql<boolean>`greatest(checked_at, card_read_at) < now() - make_interval(mins => ${minutes}::integer)`;
  const isDue = await kysely
    .selectFrom('agents')
    .select('id')
    .where('base_url', 'is not', null)
    .where(due)
    .limit(1)
    .execute();
  // Most looks find nothing, and must not take the lock of the configuration for it.
  if (isDue.length === 0) return [];
  return kysely
    .updateTable('agents')
    .set({ checked_at: sql<Date>`now()`, check_problem: null })
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('agents')
          .select('id')
          .where('base_url', 'is not', null)
          .where(due)
          .limit(concurrency)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returningAll()
    .$castTo<AgentRow>()
    .execute();
}
