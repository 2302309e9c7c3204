import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** A page of a real browser, and everything that it complained about. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, of the console and of the content security policy, and requests to other origins. */
  readonly complaints: readonly string[];
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Debian's Chromium; undefined where this machine has none. */
export function findChromium(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((file) => {
      try {
        accessSync(file);
        return true;
      } catch {
        return false;
      }
    });
}

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin.replace(/^http/, '')) && new URL(request.url()).host !== new URL(origin).host)
      complaints.push(`request to ${request.url()}`);
  });
  return { page, complaints };
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds serious or critical on the page as it is shown now. */
export async function findBarriers(page: Page): Promise<string[]> {
  const source = await readFile(axeFile, 'utf8');
  // In an isolated world: the content security policy of the page lets no script in.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', { expression: source, contextId });
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => JSON.stringify(violations))',
    contextId,
    awaitPromise: true,
  });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
