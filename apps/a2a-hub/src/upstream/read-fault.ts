import { problemCode, problemText } from '@portcullis/platform/errors/problem';
import { AgentFailure, type AgentFailureKind } from './agent-failure.ts';

const kinds: ReadonlyMap<string, AgentFailureKind> = new Map([
  ['ERR_ADDRESS_REFUSED', 'refused'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
  ['ECONNREFUSED', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'nonsense'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'too_large'],
]);

/** What undici or the connector threw, as a failure of the agent. */
export function readFault(thrown: unknown): AgentFailure {
  if (thrown instanceof AgentFailure) return thrown;
  const cause = Error.isError(thrown) && thrown.cause instanceof AgentFailure ? thrown.cause : undefined;
  if (cause !== undefined) return cause;
  const code = problemCode(thrown) ?? '';
  // The parser of undici has a code of its own for each way in which an answer can be wrong.
  const kind = kinds.get(code) ?? (code.startsWith('HPE_') ? 'nonsense' : 'broken');
  const text = problemText(thrown);
  return new AgentFailure(kind, code === '' || text.includes(code) ? text : `${code}: ${text}`, { cause: thrown });
}
