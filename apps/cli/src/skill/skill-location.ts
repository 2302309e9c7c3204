import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { ScannedSkill } from './scan-target.ts';

/** Where a skill lies, as it was asked for and as it is shown. */
export const renderLocation = ({ path, kind, folder }: ScannedSkill): string => {
  if (folder === '') return path;
  return kind === 'folder' ? `${trimSlashes(path)}/${folder}` : `${path}!/${folder}`;
};
