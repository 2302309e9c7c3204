import type { OutgoingAlert } from '@portcullis/contracts/events';
import type { Severity } from '@portcullis/contracts/records';
import { alertLabel, readAlertFacts } from '../alert-facts.ts';
import { escapeMarkdown } from './escape-markdown.ts';

type Color = 'Attention' | 'Warning' | 'Accent';

const colors: Readonly<Record<Severity, Color>> = {
  Critical: 'Attention',
  High: 'Attention',
  Medium: 'Warning',
  Low: 'Accent',
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
    };
  }[];
}

const card = (...body: readonly (TextBlock | FactSet)[]): TeamsMessage => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
      },
    },
  ],
});

const block = (text: string): TextBlock => ({ type: 'TextBlock', text, wrap: true });

export const teamsText = (text: string): TeamsMessage => card(block(text));

export function renderTeamsMessage(alert: OutgoingAlert): TeamsMessage {
  const { title, description, fields, evidence } = readAlertFacts(alert);
  const heading = block(`AI Security Alert - ${alert.severity}: ${escapeMarkdown(title)}`);
  return card(
    { ...heading, weight: 'Bolder', size: 'Medium', color: colors[alert.severity] },
    block(escapeMarkdown(description)),
    { type: 'FactSet', facts: fields.map(([name, value]) => ({ title: name, value: escapeMarkdown(value) })) },
    block(`Evidence: ${escapeMarkdown(evidence)}`),
    { ...block(alertLabel(alert)), isSubtle: true },
  );
}
