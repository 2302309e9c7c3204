import { property, textProperty } from '@portcullis/core/json/json-value';
import { isToolResult } from '../shared/turns.ts';
import type { SourceReader } from '@portcullis/platform/inspection/text-source';

/** Fields in which an answer brings what a tool of the provider found. */
const resultFields: ReadonlySet<unknown> = new Set(['codeExecutionResult', 'groundingMetadata', 'urlContextMetadata']);
const callResults: ReadonlySet<unknown> = new Set(['output', 'outputs', 'results', 'result']);

/** Of the answers of a model: it speaks, but for what tools of its provider have found. */
export const answerSources =
  (answer: unknown): SourceReader =>
  (place) => {
    let node = answer;
    for (const step of place) {
      if (isToolResult(node) || resultFields.has(step) || isCallResult(node, step)) return 'tool';
      if (step === 'tools' && textProperty(node, 'type') === 'mcp_list_tools') return 'server';
      node = property(node, String(step));
    }
    return isToolResult(node) ? 'tool' : 'assistant';
  };

const isCallResult = (node: unknown, step: unknown): boolean =>
  callResults.has(step) && (textProperty(node, 'type')?.endsWith('_call') ?? false);

/** The same where answers show the request again, which says nothing that the client did not write. */
export const echoingAnswerSources = (answer: unknown): SourceReader => {
  const read = answerSources(answer);
  return (place) => {
    const field = place[0] === 'response' ? place[1] : place[0];
    if (field === 'instructions') return 'system';
    return field === 'tools' ? 'tools' : read(place);
  };
};

/** Members of a result in which an MCP server describes itself and what it has. */
const descriptions: ReadonlySet<unknown> = new Set([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'instructions',
  'serverInfo',
]);

/** Of what MCP servers send: answers, and questions of their own. */
export const mcpAnswerSources = (): SourceReader => (place) => {
  const at = typeof place[0] === 'number' ? 1 : 0;
  return place[at] === 'result' && descriptions.has(place[at + 1]) ? 'server' : 'tool';
};
