import type { PatternDetector } from '../detector.ts';
import { namedToken } from './named-token-detector.ts';
import { secretValue } from './secret-value.ts';
import { createTokenDetector } from './token-detector.ts';
import { checkedGroups, tokenGroups } from './token-groups.ts';

/** Detectors of credentials, each of a row of data or behind a name that says what it is. */
export const tokenDetectors: readonly PatternDetector[] = [
  ...[...checkedGroups, ...tokenGroups].map(({ name, description, rows }) =>
    createTokenDetector({ name, description, type: name.toUpperCase().replaceAll('-', '_') }, rows),
  ),
  namedToken,
  secretValue,
];
