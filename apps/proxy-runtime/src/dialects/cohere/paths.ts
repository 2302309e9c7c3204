import type { DialectPaths } from '../shared/dialect-paths.ts';
import { cohereChat } from './chat.ts';
import { cohereEmbed } from './embed.ts';

export const coherePaths: DialectPaths = {
  ends: { '/v2/chat': cohereChat, '/v1/embed': cohereEmbed, '/v2/embed': cohereEmbed },
};
