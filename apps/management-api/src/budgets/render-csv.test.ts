import { expect, test } from '@jest/globals';
import { renderCsv } from './render-csv.ts';

test('a report as CSV quotes what must be quoted, and leaves spreadsheets nothing to execute', () => {
  const rows = [
    ['plain', 1.5],
    ['with "quotes", and commas', null],
    ['=HYPERLINK("http://evil")', true],
    ['-1+1', -1],
  ];
  expect(renderCsv({ tables: [{ title: 'By model', columns: ['name', 'cost'], rows }] })).toBe(
    [
      'section,name,cost',
      'By model,plain,1.5',
      'By model,"with ""quotes"", and commas",',
      `By model,"'=HYPERLINK(""http://evil"")",true`,
      `By model,"'-1+1",-1`,
      '',
    ].join('\r\n'),
  );
});
