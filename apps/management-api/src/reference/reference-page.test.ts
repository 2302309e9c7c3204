import { createContext, Script } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { html } from './html.ts';
import { readReferenceFile, referenceSecurityPolicy, referenceStartScript, renderReference } from './reference-page.ts';

describe('the reference page', () => {
  test('takes nothing from elsewhere, and holds neither scripts nor styles itself', () => {
    const page = renderReference();
    const taken = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(taken).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js', 'openapi.json']);
    expect(page).not.toMatch(/<style|style=| on\w+=|<script(?![^>]* src=)/);
    expect(referenceSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('shows the description of this API by what the package has, and sends no requests to it', async () => {
    const bundle = await readReferenceFile('swagger-ui-bundle.js');
    expect(bundle).toContain('SwaggerUIBundle');
    expect(await readReferenceFile('swagger-ui.css')).toContain('.swagger-ui');
    const shown: unknown[] = [];
    new Script(referenceStartScript).runInContext(
      createContext({ SwaggerUIBundle: (how: unknown) => shown.push(how) }),
    );
    expect(shown).toEqual([
      expect.objectContaining({
        url: 'openapi.json',
        dom_id: '#reference',
        supportedSubmitMethods: [],
        validatorUrl: null,
      }),
    ]);
  });
});

test('markup escapes what is filled in, and keeps markup', () => {
  expect(html`<b title="${'"x"'}">${'<i>&'}${html`<u>${1}</u>`}${undefined}</b>`.text).toBe(
    '<b title="&quot;x&quot;">&lt;i&gt;&amp;<u>1</u></b>',
  );
});
