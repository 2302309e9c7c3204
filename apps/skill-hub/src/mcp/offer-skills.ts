import type { McpServer } from '@modelcontextprotocol/server';
import type { Database } from '@portcullis/platform/database/database';
import type { Logger } from '@portcullis/platform/log/logger';
import type { McpCall } from '@portcullis/platform/mcp-server/mcp-tool';
import type { SkillHub } from '../skill-hub.ts';
import { createSkillSource } from './skill-source.ts';
import { identifiedCaller } from './skill-tools.ts';

interface OfferParts {
  readonly database: Database;
  readonly hub: SkillHub;
  readonly log: Logger;
}

/** An approval is taken back at once, so nothing is kept for long. */
const cacheHint = { ttlMs: 0, cacheScope: 'public' } as const;

export const loadExtension = () => import('@modelcontextprotocol/server/ext/skills');

/** Offers approved skills through the skills extension of MCP. */
export const offerSkills =
  ({ database, hub, log }: OfferParts) =>
  async (server: McpServer, call: McpCall): Promise<void> => {
    const { SkillsExtension, skillEntry } = await loadExtension();
    server.server.registerCapabilities({ resources: { listChanged: false } });
    const source = createSkillSource({
      database,
      hub,
      makeEntry: skillEntry,
      caller: () => identifiedCaller(call, call.clientName),
    });
    const onWarning = ({ path, message }: { readonly path: string; readonly message: string }): void =>
      void log.debug('An approved skill is not offered to MCP clients', { skill: path, problem: message });
    new SkillsExtension({ source, cacheHint, onWarning }).attach(server);
  };
