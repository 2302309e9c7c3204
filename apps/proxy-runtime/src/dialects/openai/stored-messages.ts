import { listProperty, textProperty } from '@portcullis/core/json/json-value';
import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { systemRoles } from './chat.ts';

/** Messages of a chat that OpenAI keeps, the system's among them. */
export const storedMessages: Dialect = {
  ...anyJson,
  isStored: true,
  findEchoes: (value) =>
    listProperty(value, 'data').flatMap((message, index) =>
      systemRoles.has(textProperty(message, 'role') ?? '') ? [['data', index, 'content']] : [],
    ),
};
