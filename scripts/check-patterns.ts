import { allowedPatterns, laterPatterns } from './patterns/allowed-patterns.ts';
import { checkFiles } from './patterns/check-files.ts';
import { root } from './steps.mjs';

// A check of `npm run check`: no regular expression of the services takes longer than in proportion to its text, unless
// `patterns/allowed-patterns.ts` says what keeps the text short. `docs/decisions/0084-regular-expressions-in-linear-time.md` says how.

const { judged, problems } = await checkFiles(root, { allowed: allowedPatterns, later: laterPatterns });
console.log(problems.length === 0 ? `${judged} patterns` : problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
