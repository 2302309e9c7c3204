import { personalDetectors } from '../../packages/core/src/policy/detectors/personal/personal-detectors.ts';
import { personalFixture } from '../../packages/core/src/policy/builtin/rules/secrets.fixture.ts';
import type { Sample, Span } from '../../packages/detector-training/src/sample.ts';
import { seeded, type Dice } from '../../packages/detector-training/src/corpus/seeded.ts';

/* Sentences with numbers of people in them, and where they stand; and sentences with other numbers. */

const checkDigit = (body: string): string => {
  const sum = Array.from(body, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return String((10 - (sum % 10)) % 10);
};

function card(dice: Dice): string {
  const [begin, length] = dice.pick([
    ['4', 16],
    ['51', 16],
    ['2223', 16],
    ['34', 15],
    ['6011', 16],
    ['3528', 16],
    ['36', 14],
    ['4', 13],
  ] as const);
  const body = begin + dice.digits(length - begin.length - 1);
  const digits = body + checkDigit(body);
  const groups = digits.length === 16 ? (digits.match(/\d{4}/g) ?? []) : [digits];
  return dice.pick([digits, groups.join(' '), groups.join('-')]);
}

const remainder97 = (text: string): number =>
  Array.from(text, (char) => String(parseInt(char, 36)))
    .join('')
    .match(/\d{1,7}/g)
    ?.reduce((rest, part) => Number(String(rest) + part) % 97, 0) ?? 0;

/** Countries by what their numbers are made of: # a digit, A a letter. */
const accounts = {
  DE: '##################',
  FR: '############AAA########',
  GB: 'AAAA##############',
  NL: 'AAAA##########',
  ES: '####################',
  IT: 'A######################',
  CH: '#################',
  PL: '########################',
  NO: '###########',
  MT: 'AAAA#####AA################',
} as const;

function iban(dice: Dice): string {
  const country = dice.pick(Object.keys(accounts) as (keyof typeof accounts)[]);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const body = accounts[country].replaceAll(/./g, (kind) => (kind === '#' ? dice.digits(1) : dice.pick(letters)));
  const check = String(98 - remainder97(`${body}${country}00`)).padStart(2, '0');
  const whole = country + check + body;
  return dice.pick([whole, (whole.match(/.{1,4}/g) ?? []).join(' ')]);
}

/** Valid in their plans, as people of each country write them. */
const phones: readonly string[] = [
  '(212) 736-####',
  '212-555-####',
  '(415)555-####',
  '+1 312 555 ####',
  '1-800-555-####',
  '617.555.####',
  '+1-650-253-####x12#',
  '001-503-228-####',
  '020 7946 0###',
  '+44 20 7946 0###',
  '07700 900###',
  '+44 7911 12####',
  '030 9018####',
  '+49 151 2345####',
  '0171/345####',
  '01 42 68 5# ##',
  '+33 6 12 34 5# ##',
  '+34 612 34 5# ##',
  '912 34 5# ##',
  '+39 06 698 8####',
  '+41 44 668 1# ##',
  '044 668 1# ##',
  '+31 6 1234 5###',
  '+91 98765 4####',
  '098765 4####',
  '+81 3 3224 5###',
  '+55 11 91234-5###',
  '(11) 91234-5###',
  '+61 2 9374 4###',
  '0412 345 ###',
  '+48 22 694 5# ##',
];
const phone = (dice: Dice): string => dice.pick(phones).replaceAll('#', () => dice.digits(1));

const email = (dice: Dice): string => {
  const name = dice.pick(['ann', 'b.okafor', 'j_smith', 'lena-voss', "o'neil", 'x+shop', 'maria.del.mar', 'q1w2']);
  const host = dice.pick([
    'post.test',
    'mail.house.example.org',
    'uni-graz.test',
    'firm.co.test',
    'a1.io',
    'web.museum',
  ]);
  return `${name}${dice.pick(['', '7', '.1988'])}@${host}`;
};

/** The number itself of a text that announces it with a word. */
const numberIn = (text: string): readonly [announced: string, number: string] => {
  const number = /(?<![A-Z\d])[A-Z]*\d[A-Z\d]*(?:[ .,/+-]+[A-Z\d]+)*$/.exec(text)?.[0] ?? text;
  return [text.slice(0, text.length - number.length), number];
};

/** `{x}` is the place of the value. */
const frames: Readonly<Record<string, readonly string[]>> = {
  PAYMENT_CARD: [
    'Please charge my card {x} for the two tickets.',
    'The payment with {x} was declined again, what now?',
    'My new number is {x}, valid until 04/29.',
    '{"name":"Bo","card":"{x}","cvc":"123"}',
  ],
  IBAN: [
    'Send the money to {x}, please.',
    'My bank account: {x}. The old one is closed.',
    'Konto {x}, Betreff Miete',
    'iban;amount\n{x};40.00',
  ],
  EMAIL: [
    'You can write to {x} at any time.',
    'Contact: {x}, or ask at the desk.',
    '<a href="mailto:{x}">write</a>',
    '{x} wants to unsubscribe',
    'Is {x} the same person as before?',
  ],
  PHONE: [
    'Call me at {x} after six.',
    'My phone number is {x}.',
    'How can I reach you? {x} is best.',
    'Office: {x}',
    'Tel. {x}, ask for Ines',
    'Please change my number to {x} in your files.',
    'Send a text to {x} when you arrive.',
    'Anna Berg, 12 Mill Road, {x}',
  ],
  NATIONAL_ID: ['My {x} is what they asked for.', 'They wrote: {x}, please check.', 'Form 3: {x}'],
};

/** Other numbers, which people are not. */
const others: readonly string[] = [
  'Order 4111 1111 1111 1112 was shipped on 12 May.',
  'The tracking number is 1Z 999 AA1 01 2345 6784.',
  'ISBN 978-3-16-148410-0 is out of print.',
  'The server answered at 2024-03-02T10:15:30.123456Z after 1234567890 ns.',
  'Version 10.15.7.2203 fixes issue 123456789.',
  'Population: 8 405 837 in 2013, 8 336 817 in 2018.',
  'pi is 3.14159265358979323846',
  'Invoice 2024-0001-3345, due 2024-04-30, total 1,234.56 EUR',
  'The part 555-4821-B fits model 300-212-9.',
  'Coordinates 48.2082, 16.3738; altitude 171 m',
  'commit 4f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2',
  'See RFC 5321, section 4.5.3.1.1, and DOI 10.1000/182.',
  'The scores were 21-17, 19-21 and 15-12.',
  'From 1914-1918 and 1939-1945.',
  'uuid 123e4567-e89b-42d3-a456-426614174000',
  'Call the function with 100 200 300 as arguments.',
  '@media (min-width: 1024px) and user@host:~$ ls',
  'Lot 12345678, pallet 87654321, weight 1000-2000 kg',
  'Room 212-555, second floor, 9-17 h',
  'timestamp=1700000000 size=1048576 offset=4294967295',
  'The range 192.168.0.0/16 is private, port 8080-8090.',
  'Account DE00 0000 0000 0000 0000 00 is only an example.',
  'Table 3: 123-45 | 678-90 | 111-22',
  'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
];

const perType = 120;

/** Some 600 sentences with the places of what is personal in them, and as many without. */
export function personalSentences(): readonly Sample[] {
  const dice = seeded(14);
  const makers: Readonly<Record<string, () => readonly [announced: string, value: string]>> = {
    PAYMENT_CARD: () => ['', card(dice)],
    IBAN: () => ['', iban(dice)],
    EMAIL: () => ['', email(dice)],
    PHONE: () => ['', phone(dice)],
    NATIONAL_ID: () => numberIn(dice.pick(nationalIds)),
  };
  const personal = Object.entries(makers).flatMap(([type, make]) =>
    Array.from({ length: perType }, (_, index): Sample => {
      const [announced, value] = make();
      const [before = '', after = ''] = dice.pick(frames[type] ?? []).split('{x}');
      const start = before.length + announced.length;
      const spans: readonly Span[] = [{ type, start, end: start + value.length }];
      const text = before + announced + value + after;
      return { ...common, id: `personal-${type}-${index}`, text, label: 'pii', category: type, spans };
    }),
  );
  const harmless = others.map((text, index): Sample => {
    return { ...common, id: `impersonal-${index}`, text, label: 'benign', category: 'other numbers', spans: [] };
  });
  return [...personal, ...harmless];
}

const common = { file: 'personal sentences', channel: 'user' } as const;
const nationalIds = Object.entries(personalFixture)
  .filter(([id]) => personalDetectors.some(({ name }) => id === `pii-${name}`))
  .flatMap(([, { matches }]) => matches);
