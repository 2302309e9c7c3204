import { isObject } from './is-object.ts';
import {
  imageMark,
  InvalidQuestion,
  parseFunction,
  type LlmDialect,
  type LlmReply,
  type OfferedTool,
} from './llm-dialect.ts';

/** generateContent and streamGenerateContent: https://ai.google.dev/api/generate-content */
export const geminiDialect: LlmDialect = {
  parse(body, _headers, path) {
    if (!isObject(body)) throw new InvalidQuestion('Invalid JSON payload received.');
    for (const name of Object.keys(body)) if (!fields.has(name)) throw new InvalidQuestion(unknownName(name));
    const { contents, tools, systemInstruction = body['system_instruction'] } = body;
    if (!Array.isArray(contents) || contents.length === 0) {
      throw new InvalidQuestion('* GenerateContentRequest.contents: contents is not specified');
    }
    const turns = contents.map(parseContent);
    const system = systemInstruction === undefined ? '' : parseContent(systemInstruction, -1).text;
    return {
      model: modelIn(path),
      prompt: turns.findLast(({ role }) => role === 'user')?.text ?? '',
      input: [system, ...turns.map(({ text }) => text)].join('\n'),
      stream: path.includes(':streamGenerateContent'),
      streamUsage: true,
      tools: parseTools(tools),
      results: findResults(contents),
      body,
      path,
    };
  },

  renderReply: (reply) => renderAnswer(reply, reply.pieces.join(''), 'STOP'),

  renderStream(reply, { path }) {
    const last = renderAnswer({ ...reply, call: undefined }, '', 'STOP');
    const answers =
      reply.call === undefined ? reply.pieces.map((text) => renderAnswer(reply, text)) : [renderAnswer(reply, '')];
    if (path.includes('alt=sse')) {
      const frame = (answer: unknown) => `data: ${JSON.stringify(answer)}\r\n\r\n`;
      return { head: '', pieces: answers.map(frame), tail: frame(last) };
    }
    const member = (answer: unknown, index: number) =>
      `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(answer, null, 2)}`;
    const tail = `${member(last, answers.length)}\n]\n`;
    return { head: '', pieces: answers.map(member), tail, contentType: 'application/json; charset=UTF-8' };
  },

  renderError: (status, message) => ({
    error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' },
  }),
};

const fields = new Set([
  'contents',
  'systemInstruction',
  'system_instruction',
  'generationConfig',
  'safetySettings',
  'tools',
  'toolConfig',
  'cachedContent',
]);

const unknownName = (name: string) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

const modelIn = (path: string): string => /models\/([^/:]+):/.exec(path)?.[1] ?? '';

const renderAnswer = (reply: LlmReply, text: string, finishReason?: string) => ({
  candidates: [
    {
      content: {
        parts: [
          reply.call === undefined ? { text } : { functionCall: { name: reply.call.name, args: reply.call.arguments } },
        ],
        role: 'model',
      },
      ...(finishReason !== undefined && { finishReason }),
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: reply.inputTokens,
    candidatesTokenCount: reply.outputTokens,
    totalTokenCount: reply.inputTokens + reply.outputTokens,
  },
  modelVersion: reply.model,
  responseId: `peer-${reply.number}`,
});

function parseTools(tools: unknown): readonly OfferedTool[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) throw new InvalidQuestion("Invalid value at 'tools'");
  const offered = tools.flatMap((tool: unknown) => (isObject(tool) ? (tool['functionDeclarations'] ?? []) : []));
  return offered.map((declaration: unknown, index) => {
    if (!isObject(declaration) || typeof declaration['name'] !== 'string') {
      throw new InvalidQuestion(
        `* GenerateContentRequest.tools[0].function_declarations[${index}].name: [FIELD_INVALID]`,
      );
    }
    const { parameters, parametersJsonSchema = parameters } = declaration;
    return parseFunction(declaration, parametersJsonSchema);
  });
}

const findResults = (contents: readonly unknown[]): readonly string[] =>
  contents
    .flatMap((content) => (isObject(content) && Array.isArray(content['parts']) ? content['parts'] : []))
    .filter((part: unknown) => isObject(part) && isObject(part['functionResponse']))
    .map((part) => parsePart(part, 'contents'));

function parseContent(content: unknown, index: number): { readonly role: string; readonly text: string } {
  const at = index === -1 ? 'system_instruction' : `contents[${index}]`;
  if (!isObject(content) || !Array.isArray(content['parts']))
    throw new InvalidQuestion(`Invalid value at '${at}.parts'`);
  const { role = 'user', parts } = content;
  if (role !== 'user' && role !== 'model' && role !== 'function' && role !== 'system') {
    throw new InvalidQuestion('Please use a valid role: user, model.');
  }
  return { role, text: parts.map((part: unknown) => parsePart(part, at)).join('') };
}

function parsePart(part: unknown, at: string): string {
  if (!isObject(part)) throw new InvalidQuestion(`Invalid value at '${at}.parts'`);
  const { text, inlineData, functionResponse } = part;
  if (typeof text === 'string') return text;
  if (isObject(inlineData) && typeof inlineData['data'] === 'string' && typeof inlineData['mimeType'] === 'string') {
    return imageMark;
  }
  if (isObject(functionResponse)) return JSON.stringify(functionResponse['response']);
  if (isObject(part['functionCall'])) return '';
  throw new InvalidQuestion(
    `* GenerateContentRequest.${at}.parts[0].data: required oneof field 'data' must have one initialized field`,
  );
}
