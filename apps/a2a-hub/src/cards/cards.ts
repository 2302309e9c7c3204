import {
  getCardKeys,
  getGatewayCard,
  getServedCard,
  getServedLegacyCard,
  listSigningKeys,
  rotateSigningKey,
  type SigningKey as ShownKey,
} from '@portcullis/contracts/routes/agent-cards';
import { audited } from '@portcullis/platform/audit/audited';
import { bind } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { HubPart } from '../hub-part.ts';
import { findAcceptedAgent } from '@portcullis/platform/agents/agent-queries';
import { unknownAgent } from '@portcullis/platform/agents/agent-queries';
import type { CardRenderer } from './render-card.ts';
import { serveDocument } from './serve-document.ts';
import {
  cardAlgorithm,
  ensureSigningKey,
  listSigningKeyRows,
  loadPublishedKeys,
  replaceSigningKey,
  type SigningKeyRow,
} from './signing-keys.ts';

/** The cards that the gateway serves: its own, and those of the agents behind it. */
export function createCards(infrastructure: Infrastructure, cards: CardRenderer): HubPart {
  const { database, encryption, config } = infrastructure;
  // What is published with the address of the request is nothing for others.
  const lasting = config.PUBLIC_URL !== undefined;
  return {
    prefixes: ['/.well-known/agent-card.json', '/.well-known/jwks.json', '/a2a/v1/agents'],
    bound: [
      bind(getGatewayCard, async (call) => serveDocument(await cards.renderOwn(call), { lasting })),
      bind(getCardKeys, async () => serveDocument({ keys: await loadPublishedKeys(database) }, { lasting: true })),
      bind(getServedCard, async (call) => {
        const row = await findAcceptedAgent(database, call.params.id);
        if (row === undefined) throw unknownAgent(call.params.id);
        return serveDocument(await cards.renderAgent(row, call), { lasting });
      }),
      bind(getServedLegacyCard, async (call) => {
        const row = await findAcceptedAgent(database, call.params.id);
        if (row === undefined) throw unknownAgent(call.params.id);
        return serveDocument(cards.renderOldest(row, call), { lasting });
      }),
      bind(listSigningKeys, async () => ({ data: (await listSigningKeyRows(database)).map(renderKey) })),
      bind(rotateSigningKey, async (call) => {
        const row = await audited(
          database,
          call,
          (transaction) => replaceSigningKey(transaction, encryption),
          ({ id, kid }) => ({
            event: 'agent.signing_key.rotated',
            resource: { type: 'card_signing_key', id, name: kid },
          }),
        );
        return { data: renderKey(row), message: 'Cards are signed with a new key' };
      }),
    ],
    async start() {
      await ensureSigningKey(database, encryption).catch((error: unknown) => {
        infrastructure.log.warn('The key that signs agent cards could not be made', { reason: problemText(error) });
      });
    },
    problems: () => cards.problems(),
  };
}

const renderKey = ({ kid, created_at: createdAt, retired_at: retiredAt }: SigningKeyRow): ShownKey => ({
  kid,
  algorithm: cardAlgorithm,
  created_at: createdAt.toISOString(),
  retired_at: retiredAt?.toISOString() ?? null,
});
