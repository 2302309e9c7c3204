import type { DialectPaths } from '../shared/dialect-paths.ts';
import { ollamaChat } from './chat.ts';
import { ollamaGenerate } from './generate.ts';

export const ollamaPaths: DialectPaths = {
  ends: {
    '/api/chat': ollamaChat,
    '/api/generate': ollamaGenerate,
  },
};
