/** Makes a text such as the database can keep and people may see. */
export type CleanText = (text: string, maxCharacters?: number) => string;

const shortestSecret = 6;

/** @param secrets that an endpoint was sent and may repeat; shorter ones would turn up by chance */
export function createCleanText(secrets: readonly string[]): CleanText {
  const hidden = secrets.filter((secret) => secret.length >= shortestSecret);
  return (text, maxCharacters = Number.POSITIVE_INFINITY) => {
    const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, '********'), text);
    return shown.slice(0, maxCharacters).replaceAll('\0', '\uFFFD').toWellFormed();
  };
}
