/**
 * One line of a CSV file as RFC 4180 has it. Texts that a spreadsheet would take for a formula get an
 * apostrophe in front: files quote what attackers send, and names that people chose.
 */
export const renderCsvLine = (values: readonly unknown[]): string => `${values.map(renderCell).join(',')}\r\n`;

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^\s*[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
