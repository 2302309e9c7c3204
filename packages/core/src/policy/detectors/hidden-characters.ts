import type { HiddenDetector } from './detector.ts';

export const hiddenCharacters: HiddenDetector = {
  kind: 'hidden',
  name: 'hidden-characters',
  type: 'HIDDEN_TEXT',
  description: 'Text written in tag characters, variation selectors or invisible characters between letters',
};
