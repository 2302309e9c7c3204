import type { DialectPaths } from '../shared/dialect-paths.ts';
import { bedrockConverse } from './converse.ts';
import { bedrockCount } from './count-tokens.ts';
import { bedrockInvoke } from './invoke.ts';

/** An operation on a model, whose id may have slashes in it. */
const onModel = (operation: string) => ({
  test: (path: string): boolean => path.endsWith(`/${operation}`) && path.includes('/model/'),
});

export const awsPaths: DialectPaths = {
  ends: {},
  first: [
    [onModel('converse'), bedrockConverse],
    [onModel('converse-stream'), bedrockConverse],
    [onModel('invoke'), bedrockInvoke],
    [onModel('invoke-with-response-stream'), bedrockInvoke],
    [onModel('count-tokens'), bedrockCount],
  ],
};
