import type { Attack } from './attack.ts';
import { absurdFigures } from './attacks/absurd-figures.ts';
import { agentAnswers } from './attacks/agent-answers.ts';
import { agentCalls } from './attacks/agent-calls.ts';
import { agentCards } from './attacks/agent-cards.ts';
import { agentLoops } from './attacks/agent-loops.ts';
import { agentTasks } from './attacks/agent-tasks.ts';
import { changedKeys } from './attacks/changed-keys.ts';
import { chatTexts } from './attacks/chat-texts.ts';
import { clientCertificates } from './attacks/client-certificates.ts';
import { climbingPaths } from './attacks/climbing-paths.ts';
import { closedRoutes } from './attacks/closed-routes.ts';
import { disguisedSkills } from './attacks/disguised-skills.ts';
import { eventFrames } from './attacks/event-frames.ts';
import { floods } from './attacks/floods.ts';
import { foldedKeys } from './attacks/folded-keys.ts';
import { guessedPasswords } from './attacks/guessed-passwords.ts';
import { heavyPatterns } from './attacks/heavy-patterns.ts';
import { heldBodies } from './attacks/held-bodies.ts';
import { heldLoop } from './attacks/held-loop.ts';
import { lineFramedJson } from './attacks/line-framed-json.ts';
import { longNames } from './attacks/long-names.ts';
import { lyingGuardrails } from './attacks/lying-guardrails.ts';
import { manyValues } from './attacks/many-values.ts';
import { movedRows } from './attacks/moved-rows.ts';
import { otherSpellings } from './attacks/other-spellings.ts';
import { readableSecrets } from './attacks/readable-secrets.ts';
import { mcpTasks } from './attacks/mcp-tasks.ts';
import { oauthTokens } from './attacks/oauth-tokens.ts';
import { redirects } from './attacks/redirects.ts';
import { refusedStrangers } from './attacks/refused-strangers.ts';
import { sessionTokens } from './attacks/session-tokens.ts';
import { shedPrompts } from './attacks/shed-prompts.ts';
import { skillPackages } from './attacks/skill-packages.ts';
import { skillRegistry } from './attacks/skill-registry.ts';
import { skillStrangers } from './attacks/skill-strangers.ts';
import { slowClients } from './attacks/slow-clients.ts';
import { smallBodies } from './attacks/small-bodies.ts';
import { sockets } from './attacks/sockets.ts';
import { tlsPorts } from './attacks/tls-ports.ts';
import { unclearPaths } from './attacks/unclear-paths.ts';
import { unreadPlaces } from './attacks/unread-places.ts';

/** Floods come last: what they leave behind must not be taken for the work of another attack. */
export const allAttacks: readonly Attack[] = [
  ...closedRoutes,
  ...unclearPaths,
  ...readableSecrets,
  ...heavyPatterns,
  ...longNames,
  ...foldedKeys,
  ...lineFramedJson,
  ...eventFrames,
  ...absurdFigures,
  ...climbingPaths,
  ...shedPrompts,
  ...sessionTokens,
  ...redirects,
  ...chatTexts,
  ...refusedStrangers,
  ...mcpTasks,
  ...unreadPlaces,
  ...otherSpellings,
  ...smallBodies,
  ...lyingGuardrails,
  ...agentTasks,
  ...agentCalls,
  ...agentAnswers,
  ...agentCards,
  ...agentLoops,
  ...sockets,
  ...tlsPorts,
  ...clientCertificates,
  ...disguisedSkills,
  ...skillPackages,
  ...skillRegistry,
  ...skillStrangers,
  ...oauthTokens,
  ...changedKeys,
  ...movedRows,
  ...guessedPasswords,
  ...heldLoop,
  ...slowClients,
  ...heldBodies,
  ...manyValues,
  ...floods,
];
