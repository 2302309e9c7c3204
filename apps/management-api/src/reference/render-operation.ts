import { exampleValue } from './example-value.ts';
import { html, type Markup } from './html.ts';
import type { NamedOperation, OpenApiContent, OpenApiDocument, OpenApiParameter } from './open-api-document.ts';
import { renderSchema } from './render-schema.ts';

/** One route: who may call it, what it takes, what it answers, and a call to copy. */
export const renderOperation = (operation: NamedOperation, document: OpenApiDocument): Markup =>
  html` <section class="operation" id="${operation.operationId}">
    <h3>
      <span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code>
    </h3>
    <p>${operation.summary}. <span class="role">${operation.description}</span></p>
    ${
      operation.parameters.length > 0
        ? html`<h4>Parameters</h4>
            <dl>${operation.parameters.map(renderParameter)}</dl>`
        : undefined
    }
    ${
      operation.requestBody === undefined
        ? undefined
        : html`<h4>Body</h4>
            ${renderContent(operation.requestBody.content)}`
    }
    <h4>Answers</h4>
    <dl>${Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer))}</dl>
    <pre>${curlOf(operation, document)}</pre>
  </section>`;

const renderParameter = ({ name, in: place, required, schema }: OpenApiParameter): Markup =>
  html`<dt>
      <code>${name}</code>
      <span class="place">in ${place}</span>${required ? html` <span class="required">required</span>` : undefined}
    </dt>
    <dd>${renderSchema(schema)}</dd>`;

const renderAnswer = (
  status: string,
  { description, content }: { readonly description: string; readonly content: OpenApiContent },
): Markup =>
  html`<dt><span class="status s${status.charAt(0)}">${status}</span> ${description}</dt>
    <dd>${status.startsWith('2') ? renderContent(content) : undefined}</dd>`;

const renderContent = (content: OpenApiContent): readonly Markup[] =>
  Object.entries(content).map(
    ([type, { schema }]) =>
      html`<div class="media">${type}</div>
        ${renderSchema(schema)}`,
  );

/** A command that makes the call, for a POSIX shell. */
function curlOf({ method, path, security, requestBody }: NamedOperation, document: OpenApiDocument): string {
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? undefined : JSON.stringify(exampleValue(schema, document));
  return [
    `curl -X ${method} "$GATEWAY${path.replaceAll(/[{}]/g, '')}"`,
    ...(security === undefined ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}
