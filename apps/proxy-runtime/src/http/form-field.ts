export const formType = /^multipart\/form-data\b/i;

/** How far behind its name the value of a field may end. */
const maxFieldBytes = 400;
const value = /^(?:;[^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]{1,200})\r\n/;

/** A short text field of a body of `multipart/form-data`; undefined when there is none of that name. */
export function readFormField(body: Buffer, name: string): string | undefined {
  const label = ` name="${name}"`;
  const at = body.indexOf(label);
  if (at === -1) return undefined;
  const start = at + label.length;
  return value.exec(body.toString('utf8', start, start + maxFieldBytes))?.[1];
}

/** The name of a field, quoted or not. */
const label = /[;\s]name\*?[ \t]*=[ \t]*"?([\w.-]{1,64})"?(?=[;\s])/gi;

/** All text fields of that name in small letters, however it is written; the empty text for one that cannot be read. */
export function readFormFields(body: Buffer, name: string): readonly string[] {
  return [...body.toString('latin1').matchAll(label)].flatMap(({ index, 0: { length }, 1: field }) => {
    if (field?.toLowerCase() !== name) return [];
    const start = index + length;
    return value.exec(body.toString('utf8', start, start + maxFieldBytes))?.[1] ?? '';
  });
}
