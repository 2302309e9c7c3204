/** Text that a chat which reads Markdown shows as it is, links and mentions included. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!|~<>&@]/g, (character) => (character === '@' ? '@\u200B' : `\\${character}`));
