const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML 1.0 cannot hold in any spelling, and what turns the direction of the text around it. */
// oxlint-disable-next-line no-control-regex -- it is what must not get through
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Longer texts are cut: reports are read by people and by tools with limits. */
const longest = 2_000;

/** A text as text of HTML or XML, in elements and in quoted attributes. */
export function escapeMarkup(text: string, most = longest): string {
  const cut = text.length > most ? `${text.slice(0, most)} …` : text;
  return cut
    .toWellFormed()
    .replaceAll(unfit, '\ufffd')
    .replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}
