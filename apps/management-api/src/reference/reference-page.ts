import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { html } from './html.ts';

/** The page takes everything from this origin: neither inline scripts and styles nor `eval`, and no other host. */
export const referenceSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Swagger UI, told to show `openapi.json` and to send nothing, to this API or elsewhere. */
export const referenceStartScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('swagger-ui-dist/package.json'));

/** A file of Swagger UI's package. */
export const readReferenceFile = (name: 'swagger-ui.css' | 'swagger-ui-bundle.js'): Promise<string> =>
  readFile(join(folder, name), 'utf8');

export const renderReference = (): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Portcullis API</title>
        <link rel="stylesheet" href="docs/swagger-ui.css" />
        <script defer src="docs/swagger-ui-bundle.js"></script>
        <script defer src="docs/start.js"></script>
      </head>
      <body>
        <div id="reference"></div>
        <noscript>This page needs scripts; the same as data: <a href="openapi.json">openapi.json</a>.</noscript>
      </body>
    </html> `.text;
