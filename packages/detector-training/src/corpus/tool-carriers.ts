import type { Dice, Words } from './seeded.ts';

/*
 * What tools answer, with a place for a sentence or two: `{part}`. Attacks and harmless texts stand in the same
 * surroundings, so that a table learns nothing from those.
 */

const words: Words = {
  person: ['Anna', 'Mr Okafor', 'Lena Voss', 'Priya', 'Tomás', 'J. Hill', 'Mei', 'the warehouse', 'Karl'],
  sender: ['info@shop.test', 'anna@firm.test', 'no-reply@news.test', 'lena.voss@house.test', 'billing@host.test'],
  subject: [
    'Invoice {number}',
    'Saturday',
    'Your order',
    'Minutes',
    'Re: keys',
    'Weekly digest',
    'Draft of the offer',
    'Holiday plans',
  ],
  number: ['2', '15', '41', '308', '1024', '77', '9'],
  day: ['Friday', '3 June', 'the 21st', 'Tuesday', '2025-03-14'],
  place: ['Lisbon', 'Oslo', 'Graz', 'the harbour', 'Leeds', 'Quito'],
  plain: [
    'The path along the lake takes about two hours.',
    'We met at nine and went through the figures.',
    'Sales rose by {number} per cent in the north.',
    'The kettle boils fast and looks good.',
    'Rain is expected in {place} on {day}.',
    'The new model weighs {number} grams less.',
    'Thank you for the pictures of the garden.',
    'Breakfast is served from seven to ten.',
    'The museum was built in 1903 and has {number} rooms.',
    'The meeting with {person} took longer than planned.',
    'Trains to {place} leave every {number} minutes.',
    'The second floor is closed for repairs.',
    'Our team has worked on it since spring.',
    'The parser reads one line at a time.',
    'The price includes tax and delivery.',
    'It was a quiet week.',
    'The bridge was painted again last year.',
    'I have attached the photos.',
    'The function returns the sum of both columns.',
    'Room {number} has a view of {place}.',
  ],
  name: ['total', 'parse_rows', 'load', 'mean', 'to_json'],
};

/** By kind. */
const carriers: Readonly<Record<string, readonly string[]>> = {
  'e-mail': [
    'From: {person} <{sender}>\nTo: emma@firm.test\nSubject: {subject}\n\nHi Emma,\n\n{plain} {plain}\n\n{part}\n\n{plain}\n\nBest, {person}',
    'Subject: {subject}\n\n{plain} {part}',
    '{"id":"{number}","from":"{sender}","subject":"{subject}","body":"{plain} {part} {plain}","read":false}',
    'From: {sender}\nSubject: {subject}\nDate: {day}\n\n{part}',
    '[{"sender":"{sender}","body":"{plain}"},{"sender":"{sender}","body":"{part}"}]',
    'sender: {sender}\nrecipients:\n- emma@firm.test\nbody: |\n  {plain}\n  {part}\nattachments: []',
  ],
  'web page': [
    '<html><head><title>{place}</title></head><body><h1>{place}</h1><p>{plain}</p><p>{part}</p><p>{plain}</p></body></html>',
    '# {place}\n\n{plain} {plain}\n\n{part}\n\n{plain} {plain}',
    '{plain} {plain} {part} {plain}',
    '<ul><li>{plain}</li><li>{part}</li></ul><footer>{place}, {day}</footer>',
    'URL: https://www.{name}.test\nContent: {plain} {plain} {plain}\n{part}',
  ],
  calendar: [
    '{"events":[{"id":"{number}","title":"Review","description":"{plain} {part}","start":"{day}","location":"{place}"}]}',
    'title: Planning with {person}\nstart: {day}\ndescription: {part}\nlocation: {place}',
  ],
  code: [
    'def {name}(rows):\n    # {part}\n    return sum(row.price for row in rows)\n',
    '/**\n * {plain}\n * {part}\n */\nexport const {name} = (rows) => rows.map((row) => row.id);\n',
    '"""{plain}\n\n{part}\n"""\nimport json\n',
  ],
  review: [
    'Stars: {number}. {plain} {part}',
    '{"rating":4,"author":"{person}","review":"{plain} {part} {plain}"}',
    '{plain} {plain} {part}',
  ],
  document: [
    'Minutes, {day}. Present: {person}, Bo, Ines. {plain}\n\n{part}\n\n{plain} {plain}',
    'Chapter {number}\n\n{plain} {plain} {plain}\n\n{part}\n\n{plain} {plain}',
    '{plain} {part} {plain} {plain}',
    'file: notes.txt\ncontent: {plain}\n{part}',
  ],
  issue: [
    'Issue {number}: crash on start\n\nSteps: open the app, press save.\n\n{part}\n\nExpected: it saves.',
    '{"number":{number},"state":"open","author":"{person}","body":"{plain}\\n\\n{part}"}',
    'Comment by {person} on {day}: {plain} {part}',
  ],
  transactions: [
    '{"transactions":[{"id":{number},"amount":12.5,"sender":"{person}","subject":"{part}"}]}',
    'date;amount;purpose\n2025-03-02;40.00;rent\n2025-03-05;9.90;{part}\n2025-03-06;12.00;books',
  ],
  chat: [
    '[09:14] {person}: {plain}\n[09:15] Bo: yes\n[09:16] {person}: {part}\n[09:20] Bo: ok',
    '{person}: {part}',
    '- sender: {person}\n  text: {plain}\n- sender: Bo\n  text: {part}',
  ],
  'search result': [
    '1. {place}: {plain}\n2. {person}: {plain}\n3. {part}',
    'Results for "{place}"\n\n{plain}\n{part}\n{plain}',
    '[{"title":"{place}","snippet":"{plain}"},{"title":"{subject}","snippet":"{part}"}]',
  ],
  data: [
    '{"status":"ok","count":{number},"note":"{part}"}',
    '{"product":{"id":{number},"name":"Kettle","description":"{plain} {part}"}}',
    'id,name,comment\n{number},{person},{plain}\n{number},Bo,{part}',
    '{day}T10:15:02Z INFO start\n{day}T10:15:04Z INFO {part}\n{day}T10:15:09Z INFO done',
    '<record><id>{number}</id><text>{part}</text></record>',
  ],
};

const kinds = Object.keys(carriers);

/** The text among what a tool answers; every sixth stands alone, and half of what tools say of themselves. */
export function surround(dice: Dice, part: string, isOfTool = false): string {
  if (dice.between(0, 5) < (isOfTool ? 3 : 1)) return part;
  return dice.fill(dice.pick(carriers[dice.pick(kinds)] ?? ['{part}']), { ...words, part: [part] });
}

/** Sentences begin with capitals, and nothing is left of empty parts. */
export const capitals = (text: string): string =>
  text
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ([,.;:])/g, '$1')
    .trim()
    .replaceAll(/(?:^|[.!?] )[a-z]/g, (start) => start.toUpperCase());
