import type { EventSeverity } from '@portcullis/contracts/gateway-events';
import { escapeMarkdown } from './escape-markdown.ts';
import type { Notice } from './notice.ts';

type Color = 'Attention' | 'Warning' | 'Accent' | 'Default';

const colors: Readonly<Record<EventSeverity, Color>> = {
  Critical: 'Attention',
  High: 'Attention',
  Medium: 'Warning',
  Low: 'Accent',
  Info: 'Default',
};

interface TextBlock {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly wrap: true;
  readonly weight?: 'Bolder';
  readonly size?: 'Medium';
  readonly color?: Color;
  readonly isSubtle?: true;
}

interface FactSet {
  readonly type: 'FactSet';
  readonly facts: readonly { readonly title: string; readonly value: string }[];
}

interface OpenUrl {
  readonly type: 'Action.OpenUrl';
  readonly title: string;
  readonly url: string;
}

/** What a workflow of Microsoft Teams that waits for a webhook takes: an adaptive card, at most 28 KB. */
export interface TeamsMessage {
  readonly type: 'message';
  readonly attachments: readonly {
    readonly contentType: 'application/vnd.microsoft.card.adaptive';
    readonly content: {
      readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
      readonly type: 'AdaptiveCard';
      readonly version: '1.4';
      readonly body: readonly (TextBlock | FactSet)[];
      readonly actions?: readonly OpenUrl[];
    };
  }[];
}

const card = (body: readonly (TextBlock | FactSet)[], actions: readonly OpenUrl[] = []): TeamsMessage => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
        ...(actions.length > 0 && { actions }),
      },
    },
  ],
});

const block = (text: string): TextBlock => ({ type: 'TextBlock', text, wrap: true });

export const teamsText = (text: string): TeamsMessage => card([block(text)]);

export function renderTeamsMessage(notice: Notice): TeamsMessage {
  const heading = block(`${notice.heading}: ${escapeMarkdown(notice.title)}`);
  const body = [
    { ...heading, weight: 'Bolder' as const, size: 'Medium' as const, color: colors[notice.severity] },
    ...(notice.description === '' ? [] : [block(escapeMarkdown(notice.description))]),
    {
      type: 'FactSet' as const,
      facts: notice.fields.map(([name, value]) => ({ title: name, value: escapeMarkdown(value) })),
    },
    ...(notice.evidence === undefined ? [] : [block(`Evidence: ${escapeMarkdown(notice.evidence)}`)]),
    { ...block(notice.footer), isSubtle: true as const },
  ];
  const open = { type: 'Action.OpenUrl', title: 'Open' } as const;
  return card(body, notice.url === undefined ? [] : [{ ...open, url: notice.url }]);
}
