import {
  getApiKeyHistory,
  getGuardrailProviderHistory,
  getOAuthProviderHistory,
  getPolicyHistory,
  getProxyHistory,
  getSettingsHistory,
  getSystemPromptHistory,
  getUserGroupHistory,
  getUserHistory,
} from '@portcullis/contracts/routes/history';
import { bindHistory, loadHistory } from '@portcullis/platform/audit/bind-history';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { findApiKey } from '../api-keys/api-key-queries.ts';
import { unknownApiKey } from '../api-keys/api-key-routes.ts';
import { loadProviderOrThrow as loadGuardrailProviderOrThrow } from '../guardrail-providers/provider-routes.ts';
import { loadProviderOrThrow } from '../oauth/provider-queries.ts';
import { findPolicyOrThrow } from '../policies/save-policy.ts';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import { loadPromptOrThrow } from '../system-prompts/system-prompt-routes.ts';
import { findUserGroup } from '../user-groups/user-group-queries.ts';
import { unknownUserGroup } from '../user-groups/user-group-routes.ts';
import { unknownUser } from '../users/change-user.ts';
import { findUser } from '@portcullis/platform/identity/user-queries';

/** Who changed what, of every kind of object that the management API has. */
export const historyRoutes = (database: Database): BoundRoute[] => [
  bindHistory(database, getProxyHistory, async ({ params: { id } }) => {
    await findProxyOrThrow(database, id);
    return { type: 'proxy', id };
  }),
  bindHistory(database, getPolicyHistory, async ({ params }) => {
    const { id } = await findPolicyOrThrow(database, params.id);
    return { type: 'policy', id };
  }),
  bindHistory(database, getApiKeyHistory, async ({ params: { id } }) => {
    if ((await findApiKey(database, id)) === undefined) throw unknownApiKey(id);
    return { type: 'api_key', id };
  }),
  bindHistory(database, getUserGroupHistory, async ({ params: { id } }) => {
    if ((await findUserGroup(database, id)) === undefined) throw unknownUserGroup(id);
    return { type: 'user_group', id };
  }),
  bindHistory(database, getSystemPromptHistory, async ({ params: { id } }) => {
    await loadPromptOrThrow(database, id);
    return { type: 'system_prompt', id };
  }),
  bindHistory(database, getGuardrailProviderHistory, async ({ params: { id } }) => {
    await loadGuardrailProviderOrThrow(database, id);
    return { type: 'guardrail_provider', id };
  }),
  bindHistory(database, getOAuthProviderHistory, async ({ params: { id } }) => {
    await loadProviderOrThrow(database, id);
    return { type: 'oauth_provider', id };
  }),
  bindHistory(database, getUserHistory, async ({ params: { id } }) => {
    if ((await findUser(database, id)) === undefined) throw unknownUser(id);
    return { type: 'user', id };
  }),
  bind(getSettingsHistory, async ({ query: { section, ...query } }) => ({
    data: await loadHistory(database, { type: 'settings', id: null, field: section }, query),
  })),
];
