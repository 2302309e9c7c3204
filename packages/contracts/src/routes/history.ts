import { Type } from 'typebox';
import { Exact, optional, PolicyReference } from '../fields.ts';
import { historyOf } from '../history.ts';
import { createRouteList } from '../route.ts';
import { sectionNames } from './settings.ts';

export const routes = createRouteList('History');

export const getProxyHistory = routes.define(historyOf('/proxies/:id', 'a proxy'));
const ofPolicy = historyOf('/policies/:id', 'a policy');
export const getPolicyHistory = routes.define({
  ...ofPolicy,
  parts: { ...ofPolicy.parts, params: Exact({ id: PolicyReference }) },
});
export const getApiKeyHistory = routes.define(historyOf('/api-keys/:id', 'an API key'));
export const getUserGroupHistory = routes.define(historyOf('/user-groups/:id', 'a user group'));
export const getSystemPromptHistory = routes.define(historyOf('/system-prompts/:id', 'a system prompt'));
export const getGuardrailProviderHistory = routes.define(
  historyOf('/security/guardrails/providers/:id', 'a guardrail provider'),
);
export const getOAuthProviderHistory = routes.define(historyOf('/oauth/providers/:id', 'a sign-in provider'));
export const getUserHistory = routes.define(historyOf('/auth/users/:id', 'a user', 'admin'));

const ofSettings = historyOf('/system/settings', 'the settings');
export const getSettingsHistory = routes.define({
  ...ofSettings,
  errors: [],
  parts: {
    query: Exact({
      ...ofSettings.parts.query.properties,
      ...optional({
        section: Type.Enum(sectionNames, {
          description: 'Only what changed it, such as the settings of an integration',
        }),
      }),
    }),
    response: ofSettings.parts.response,
  },
});
