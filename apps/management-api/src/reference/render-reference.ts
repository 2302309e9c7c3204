import { createHash } from 'node:crypto';
import { html, Markup } from './html.ts';
import { operationsOf, type NamedOperation, type OpenApiDocument } from './open-api-document.ts';
import { referenceStyle } from './reference-style.ts';
import { renderOperation } from './render-operation.ts';
import { renderSchema } from './render-schema.ts';

/** The page needs nothing but its own style: no script, no font, no other host. */
export const referenceSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(referenceStyle).digest('base64')}'; frame-ancestors 'none'`;

// The policy above knows the style by its hash, so that nothing may stand around it.
const styleElement = new Markup(`<style>${referenceStyle}</style>`);

/** The reference of an API as one page of HTML, from its OpenAPI document. */
export function renderReference(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const sections = document.tags.map(({ name }) => ({
    name,
    operations: operationsOf(document).filter(({ tags }) => tags.includes(name)),
  }));
  const schemas = Object.entries(document.components.schemas);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <nav>
          <strong>${title}</strong> ${version}
          ${sections.map(
            ({ name, operations }) =>
              html`<h2>${name}</h2>
                ${operations.map(renderLink)}`,
          )}
          <h2>Schemas</h2>
          ${schemas.map(([name]) => html`<a href="#schema-${name}">${name}</a>`)}
        </nav>
        <main>
          <h1>${title} ${version}</h1>
          ${renderParagraphs(description)}
          <p>The same as data: <a href="openapi.json">openapi.json</a>.</p>
          ${sections.map(
            ({ name, operations }) =>
              html`<h2>${name}</h2>
                ${operations.map((each) => renderOperation(each, document))}`,
          )}
          <h2>Schemas</h2>
          ${schemas.map(
            ([name, schema]) =>
              html`<section id="schema-${name}">
                <h3>${name}</h3>
                ${renderSchema(schema)}
              </section>`,
          )}
        </main>
      </body>
    </html> `.text;
}

const renderLink = ({ operationId, method, path }: NamedOperation): Markup =>
  html`<a href="#${operationId}"
    ><span class="method ${method.toLowerCase()}">${method}</span>${path.replace('/api/v1', '')}</a
  >`;

/** Paragraphs are parted by empty lines; text in backquotes is code. */
const renderParagraphs = (text: string): readonly Markup[] =>
  text
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        html`<p>
          ${paragraph.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}
        </p>`,
    );
