import { Type, type Static } from 'typebox';
import { Exact, Nullable } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { Settings, SettingsChange } from '../settings.ts';

const tag = 'Settings';

export const ChatTestOutcome = Exact(
  {
    success: Type.Boolean(),
    status_code: Nullable(Type.Integer({ description: 'What the chat answered; null without an answer' })),
    message: Type.String(),
  },
  { title: 'ChatTestOutcome' },
);
export type ChatTestOutcome = Static<typeof ChatTestOutcome>;

export const getSettings = defineRoute({
  method: 'GET',
  path: '/system/settings',
  role: 'viewer',
  summary: 'Show the settings; secrets read as a mask',
  tag,
  parts: { response: Settings },
  errors: [],
});

export const updateSettings = defineRoute({
  method: 'PUT',
  path: '/system/settings',
  role: 'admin',
  summary: 'Change the given settings; a mask in place of a secret keeps it',
  tag,
  parts: { body: SettingsChange, response: Settings },
  errors: [],
  audit: 'settings.updated',
});

export const testChatWebhook = defineRoute({
  method: 'POST',
  path: '/system/integrations/chat/test',
  role: 'admin',
  summary: 'Send a test message to the chat webhook, whether or not it is switched on',
  tag,
  parts: { response: ChatTestOutcome },
  errors: ['conflict'],
  audit: 'integration.tested',
});
