import type { ListenerType } from '@portcullis/contracts/records';
import type { ExamOrigins } from '@portcullis/core/evaluation/exam/exam-sample';
import { compileTrust } from '../inspection/text-source.ts';

/**
 * As which origins the rules of a proxy read the samples of an exam: as those of its traffic.
 * @param trusted the proxy's `trusted_roles`; undefined where it has no such setting
 */
export function examOrigins(protocol: ListenerType, trusted?: readonly string[]): ExamOrigins {
  const { system, developer, context, user, assistant, tools, tool, document } = compileTrust(protocol, trusted);
  return {
    instructions: system,
    developer,
    context,
    user,
    assistant,
    tool_definition: tools,
    tool_result: tool,
    document,
  };
}
