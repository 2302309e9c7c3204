import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { gatewayCard } from '@portcullis/core/a2a/gateway-card';
import { readsCurrentCards } from '@portcullis/core/a2a/protocol-version';
import { renderAgentCard, renderHybridCard, renderLegacyCard } from '@portcullis/core/a2a/render-agent-card';
import type { JsonObject } from '@portcullis/core/json/json-object';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import { version } from '@portcullis/platform/process/version';
import { loadGeneralSettings } from '@portcullis/platform/settings/load-settings';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import { isOwnBase, publicBase, servedCard, type CallOrigin } from './served-card.ts';
import { createCardSigner } from './sign-card.ts';
import { loadSigningKey } from './signing-keys.ts';

/** What a card that is asked for depends on. */
export interface CardRequest extends CallOrigin {
  readonly header?: (name: string) => string | undefined;
}

export interface CardRenderer {
  /** The gateway's own card. */
  renderOwn(request: CardRequest): Promise<JsonObject>;
  /** The card of an agent as callers of the gateway see it, in the generation that the request reads. */
  renderAgent(row: AgentRow, request: CardRequest): Promise<JsonObject>;
  /** The same for clients of 0.2. */
  renderOldest(row: AgentRow, request: CardRequest): JsonObject;
  problems(): readonly string[];
}

export function createCardRenderer({
  config,
  database,
  encryption,
  log,
}: Pick<Infrastructure, 'config' | 'database' | 'encryption' | 'log'>): CardRenderer {
  const sign = createCardSigner();
  let problem: string | undefined;
  const signOurs = async (card: JsonObject, request: CardRequest): Promise<JsonObject> => {
    if (!isOwnBase(config, request)) return card;
    try {
      const key = await loadSigningKey(database, encryption);
      problem = undefined;
      return key === undefined ? card : await sign(card, key);
    } catch (error) {
      if (problem === undefined) log.warn('Agent cards cannot be signed', { reason: problemText(error) });
      problem = `agent cards are not signed: ${problemText(error)}`;
      return card;
    }
  };

  // Of a card with members of both generations a verifier would look at those of one.
  const render = (card: AgentCard, request: CardRequest) =>
    readsCurrentCards(request.header?.('a2a-version'))
      ? signOurs(renderAgentCard(card), request)
      : renderHybridCard(card);

  return {
    async renderOwn(request) {
      const { system_name: name } = await loadGeneralSettings(database);
      return render(gatewayCard(name, version, `${publicBase(config, request)}/a2a/v1`), request);
    },
    renderAgent: async (row, request) => render(servedCard(row, publicBase(config, request)), request),
    renderOldest(row, request) {
      const card = servedCard(row, publicBase(config, request));
      // 0.2 asks for the extended card at a path of its own.
      const { extendedAgentCard: _, ...capabilities } = card.capabilities;
      return renderLegacyCard({ ...card, capabilities }, '0.2');
    },
    problems: () => (problem === undefined ? [] : [problem]),
  };
}
