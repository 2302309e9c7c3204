import { describe, expect, test } from '@jest/globals';
import { allRoutes } from '@portcullis/contracts/all-routes';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import { mountedPath } from '@portcullis/platform/http/mount-routes';
import { createHash } from 'node:crypto';
import { html } from './html.ts';
import type { OpenApiDocument } from './open-api-document.ts';
import { referenceSecurityPolicy, renderReference } from './render-reference.ts';

const page = renderReference(JSON.parse(renderManagementOpenApi('1.2.3')) as OpenApiDocument);

describe('the reference page', () => {
  test('shows every route', () => {
    for (const route of allRoutes) {
      const path = mountedPath(route).replaceAll(/:(\w+)/g, '{$1}');
      expect(page).toContain(`${route.method}</span> <code>${path}</code>`);
    }
  });

  test('has no link into nowhere', () => {
    const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(allRoutes.length);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
  });

  test('asks for nothing but itself, and its policy lets in its own style only', () => {
    expect(page).not.toMatch(
      /<script|<link|<img|@import|url\(|https?:\/\/(?!example\.com|a\.example|app\.example|localhost[:&]|127\.0\.0\.1:|\[::1\]:|[\s,])/,
    );
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(referenceSecurityPolicy).toContain(`style-src 'sha256-${hash}'`);
  });
});

test('markup escapes whatever is filled in, and keeps markup', () => {
  expect(html`<b title="${'"x"'}">${'<i>&'}${html`<u>${1}</u>`}${undefined}</b>`.text).toBe(
    '<b title="&quot;x&quot;">&lt;i&gt;&amp;<u>1</u></b>',
  );
});
