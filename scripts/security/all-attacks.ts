import type { Attack } from './attack.ts';
import { forgedUsage } from './attacks/forged-usage.ts';
import { agentAnswers } from './attacks/agent-answers.ts';
import { agentCalls } from './attacks/agent-calls.ts';
import { agentCards } from './attacks/agent-cards.ts';
import { agentLoops } from './attacks/agent-loops.ts';
import { agentTasks } from './attacks/agent-tasks.ts';
import { rotatedSecrets } from './attacks/rotated-secrets.ts';
import { browserSessions } from './attacks/browser-sessions.ts';
import { chatTexts } from './attacks/chat-texts.ts';
import { clientCertificates } from './attacks/client-certificates.ts';
import { policyExceptions } from './attacks/policy-exceptions.ts';
import { pathTraversal } from './attacks/path-traversal.ts';
import { forbiddenRoutes } from './attacks/forbidden-routes.ts';
import { disguisedSkills } from './attacks/disguised-skills.ts';
import { eventFrames } from './attacks/event-frames.ts';
import { floods } from './attacks/floods.ts';
import { jsonKeyTricks } from './attacks/json-key-tricks.ts';
import { passwordGuessing } from './attacks/password-guessing.ts';
import { slowPatterns } from './attacks/slow-patterns.ts';
import { unfinishedBodies } from './attacks/unfinished-bodies.ts';
import { heldLoop } from './attacks/held-loop.ts';
import { lineFramedJson } from './attacks/line-framed-json.ts';
import { longNames } from './attacks/long-names.ts';
import { hostileGuardrails } from './attacks/hostile-guardrails.ts';
import { largeJson } from './attacks/large-json.ts';
import { swappedRows } from './attacks/swapped-rows.ts';
import { obfuscatedWords } from './attacks/obfuscated-words.ts';
import { leakedSecrets } from './attacks/leaked-secrets.ts';
import { mcpTasks } from './attacks/mcp-tasks.ts';
import { oauthTokens } from './attacks/oauth-tokens.ts';
import { redirects } from './attacks/redirects.ts';
import { invalidKeys } from './attacks/invalid-keys.ts';
import { sessionTokens } from './attacks/session-tokens.ts';
import { droppedSystemPrompts } from './attacks/dropped-system-prompts.ts';
import { signInLinks } from './attacks/sign-in-links.ts';
import { downloadLinks } from './attacks/download-links.ts';
import { skillPackages } from './attacks/skill-packages.ts';
import { skillRegistry } from './attacks/skill-registry.ts';
import { skillStrangers } from './attacks/skill-strangers.ts';
import { slowClients } from './attacks/slow-clients.ts';
import { smallBodies } from './attacks/small-bodies.ts';
import { sockets } from './attacks/sockets.ts';
import { tlsPorts } from './attacks/tls-ports.ts';
import { ambiguousPaths } from './attacks/ambiguous-paths.ts';
import { unscannedPlaces } from './attacks/unscanned-places.ts';

/** Floods come last: what they leave behind must not be taken for the work of another attack. */
export const allAttacks: readonly Attack[] = [
  ...forbiddenRoutes,
  ...ambiguousPaths,
  ...leakedSecrets,
  ...slowPatterns,
  ...longNames,
  ...jsonKeyTricks,
  ...lineFramedJson,
  ...eventFrames,
  ...forgedUsage,
  ...pathTraversal,
  ...droppedSystemPrompts,
  ...sessionTokens,
  ...browserSessions,
  ...downloadLinks,
  ...signInLinks,
  ...redirects,
  ...chatTexts,
  ...invalidKeys,
  ...mcpTasks,
  ...policyExceptions,
  ...unscannedPlaces,
  ...obfuscatedWords,
  ...smallBodies,
  ...hostileGuardrails,
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
  ...rotatedSecrets,
  ...swappedRows,
  ...passwordGuessing,
  ...heldLoop,
  ...slowClients,
  ...unfinishedBodies,
  ...largeJson,
  ...floods,
];
