import type { Health } from '@portcullis/contracts/routes/system';
import { html } from './html.ts';

/** What a person sees who opens the gateway's address in a browser. It holds nothing that a stranger may not know. */
export const renderFrontPage = ({ status, version }: Pick<Health, 'status' | 'version'>): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Portcullis</title>
      </head>
      <body>
        <h1>Portcullis ${version}</h1>
        <p>The security gateway in front of AI traffic: LLM APIs, MCP servers and A2A agents.</p>
        <p>
          This gateway is <strong>${status}</strong>. It is run by its API; its proxies listen on ports of their own.
        </p>
        <ul>
          <li>
            <a href="/api/v1/docs">API reference</a>, the same as data: <a href="/api/v1/openapi.json">openapi.json</a>
          </li>
          <li><a href="/api/v1/health">Health</a>, and <a href="/api/v1/metrics/prometheus">metrics</a></li>
        </ul>
        <p>
          The guides come with the gateway: begin with the first five minutes in <code>README.md</code>, go on with
          <code>docs/</code>: <code>policies.md</code>, <code>llm-proxies.md</code>, <code>mcp-proxies.md</code>,
          <code>users-and-keys.md</code>, <code>budgets.md</code>, <code>operations.md</code>.
        </p>
      </body>
    </html> `.text;
