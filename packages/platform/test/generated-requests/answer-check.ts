import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { NamedOperation, OpenApiDocument } from './open-api-document.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** A fault of what an operation calls is described where it can happen; one of ours never is. */
export const serverFault = ({ responses }: NamedOperation, { status }: Answer): string | undefined =>
  status < 500 || ([502, 504].includes(status) && String(status) in responses) ? undefined : 'is a fault of the server';

/** Holds an answer against what the description says of its status: the content type and the schema. */
export function compileAnswerCheck(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true, date: true } });
  ajv.addSchema(document, 'description');
  const checks = new Map<string, ValidateFunction>();

  return ({ method, path, responses }: NamedOperation, { status, contentType, text }: Answer): string | undefined => {
    const content = responses[String(status)]?.content;
    if (content === undefined) return `has the status ${status}, which is not described`;
    if (!(contentType in content)) return `has the type ${contentType}, which is not described`;
    if (contentType !== 'application/json') return undefined;
    const pointer = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      contentType,
      'schema',
    ];
    const ref = `description#/${pointer.map(escapePointer).join('/')}`;
    const check = checks.get(ref) ?? ajv.compile({ $ref: ref });
    checks.set(ref, check);
    return check(JSON.parse(text)) ? undefined : ajv.errorsText(check.errors);
  };
}

const escapePointer = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
