import type { Alert, OutgoingAlert } from '@portcullis/contracts/events';
import { alertLabel, oneLine, readAlertFacts, truncate } from '../shared/alert-facts.ts';
import { severityColors } from '../shared/severity-colors.ts';

/** One mail without its envelope. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

const maxSubject = 200;

export function renderAlertMail(alert: OutgoingAlert, format: 'html' | 'text'): Mail {
  const { title, description, fields, evidence } = readAlertFacts(alert);
  const { url } = alert;
  const rows = [...fields, ['Evidence', evidence] as const];
  const footer = alertLabel(alert);
  const lines = rows.map(([name, value]) => `${name}: ${value}`);
  return {
    subject: truncate(oneLine(`[AI Security Alert] ${alert.severity}: ${title}`), maxSubject),
    text: `${title}\n\n${description}\n\n${lines.join('\n')}\n\n${url === undefined ? '' : `${url}\n\n`}${footer}\n`,
    ...(format === 'html' && { html: renderPage(alert, { title, description, rows, footer, url }) }),
  };
}

export const testMail: Mail = {
  subject: '[AI Security Alert] Test',
  text: 'This is a test message. Alerts of the gateway will arrive here.\n',
};

interface Page {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly footer: string;
  readonly url: string | undefined;
}

/** Styles stand at their elements and nothing is loaded: mail clients keep no others. */
const renderPage = ({ severity }: Alert, { title, description, rows, footer, url }: Page): string => `<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;font-family:sans-serif;color:#212121">
<h1 style="font-size:18px;border-left:6px solid ${severityColors[severity]};padding-left:12px">${escapeHtml(title)}</h1>
<p style="white-space:pre-wrap">${escapeHtml(description)}</p>
<table style="border-collapse:collapse">
${rows.map(renderRow).join('\n')}
</table>
${url === undefined ? '' : `<p><a href="${escapeHtml(url)}">Open the alert</a></p>\n`}<p style="color:#616161;font-size:12px">${escapeHtml(footer)}</p>
</body>
</html>
`;

const renderRow = ([name, value]: readonly [string, string]): string =>
  `<tr><th scope="row" style="text-align:left;vertical-align:top;padding:4px 16px 4px 0">${escapeHtml(name)}</th>` +
  `<td style="padding:4px 0;white-space:pre-wrap;word-break:break-word">${escapeHtml(value)}</td></tr>`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
