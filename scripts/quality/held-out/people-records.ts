import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Sample, Span } from '../../../packages/detector-training/src/sample.ts';

/** What is used of the makers of records, which are there only while something is measured. */
interface Faker {
  seed(value: number): void;
  readonly finance: { creditCardNumber(): string; iban(): string; accountNumber(): string; amount(): string };
  readonly internet: { email(): string; ipv4(): string };
  readonly phone: { number(options: { style: string }): string; imei(): string };
  readonly person: { fullName(): string };
  readonly commerce: { isbn(): string; productName(): string };
  readonly database: { mongodbObjectId(): string };
  readonly git: { commitSha(): string };
  readonly string: { uuid(): string; numeric(length: number): string };
  readonly date: { past(): Date };
  readonly location: { zipCode(): string; latitude(): number };
  readonly system: { semver(): string };
}
interface Chance {
  cc(): string;
  ssn(): string;
  email(): string;
  phone(): string;
}

interface NumberingPlans {
  getCountries(): readonly string[];
  getExampleNumber(
    country: string,
    examples: unknown,
  ): { formatInternational(): string; formatNational(): string } | undefined;
}

/** One of the held-out packages: nothing of them is among the dependencies of this repository. */
const load = (modules: string, name: string): unknown => createRequire(join(modules, 'index.js'))(name) as unknown;

type Field = readonly [name: string, value: string, type?: string];

/** Fields as they are in three kinds of texts: with names, with names in JSON, and with none. */
const writings: readonly ((fields: readonly Field[]) => readonly (readonly [text: string, field?: Field])[])[] = [
  (fields) => fields.flatMap((field) => [[`${field[0]}: `], [field[1], field], ['\n']]),
  (fields) => [
    ['{'],
    ...fields.flatMap((field, at): [string, Field?][] => [
      [`${at > 0 ? ', ' : ''}"${field[0]}": "`],
      [field[1], field],
      ['"'],
    ]),
    ['}'],
  ],
  (fields) => fields.flatMap((field) => [[field[1], field], ['; ']]),
];

function write(fields: readonly Field[], way: number): { text: string; spans: Span[] } {
  let text = '';
  const spans: Span[] = [];
  for (const [part, field] of writings[way % writings.length]?.(fields) ?? []) {
    const type = field?.[2];
    if (type !== undefined) spans.push({ type, start: text.length, end: text.length + part.length });
    text += part;
  }
  return { text, spans };
}

const sampleOf = (file: string, index: number, fields: readonly Field[]): Sample => ({
  id: `${file}-${index}`,
  ...write(fields, index),
  label: 'pii',
  category: file,
  file,
  channel: 'user',
});

const locales = ['en_US', 'en_GB', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt_BR', 'sv'] as const;

/** What else stands in records and is none of it. */
const others = (faker: Faker): readonly Field[] => [
  ['product', faker.commerce.productName()],
  ['isbn', faker.commerce.isbn()],
  ['_id', faker.database.mongodbObjectId()],
  ['commit', faker.git.commitSha()],
  ['order', faker.string.numeric(10)],
  ['request', faker.string.uuid()],
  ['created', faker.date.past().toISOString()],
  ['updated', String(faker.date.past().getTime())],
  ['amount', faker.finance.amount()],
  ['account', faker.finance.accountNumber()],
  ['imei', faker.phone.imei()],
  ['zip', faker.location.zipCode()],
  ['lat', String(faker.location.latitude())],
  ['version', faker.system.semver()],
];

/** Records of people in ten countries. Their telephone numbers have the right form, and most are of no plan. */
export function fakerSamples(modules: string, count: number): readonly Sample[] {
  return locales.flatMap((locale) => {
    const { faker } = load(modules, `@faker-js/faker/locale/${locale}`) as { faker: Faker };
    faker.seed(7);
    return Array.from({ length: count }, (_, index) =>
      sampleOf(`faker ${locale}`, index, [
        ['name', faker.person.fullName()],
        ['card', faker.finance.creditCardNumber(), 'PAYMENT_CARD'],
        ['iban', faker.finance.iban(), 'IBAN'],
        ['email', faker.internet.email(), 'EMAIL'],
        ...others(faker),
      ]),
    );
  });
}

/** Records of Americans. */
export function chanceSamples(modules: string, count: number): readonly Sample[] {
  const Chance = load(modules, 'chance') as new (seed: number) => Chance;
  const chance = new Chance(7);
  return Array.from({ length: count }, (_, index) =>
    sampleOf('chance', index, [
      ['card', chance.cc(), 'PAYMENT_CARD'],
      ['ssn', chance.ssn(), 'NATIONAL_ID'],
      ['email', chance.email(), 'EMAIL'],
      ['phone', chance.phone(), 'PHONE'],
    ]),
  );
}

/** The example of each country's numbers that comes with the numbering plans, as the country writes it and as others do. */
export function exampleNumbers(modules: string): readonly Sample[] {
  const examples: unknown = load(modules, 'libphonenumber-js/examples.mobile.json');
  const plans = load(modules, 'libphonenumber-js/min') as NumberingPlans;
  return plans.getCountries().flatMap((country, index) => {
    const number = plans.getExampleNumber(country, examples);
    if (number === undefined) return [];
    return [
      sampleOf('mobile numbers, international', index, [['mobile', number.formatInternational(), 'PHONE']]),
      sampleOf('mobile numbers, national, named', index % 2, [['mobile', number.formatNational(), 'PHONE']]),
      sampleOf('mobile numbers, national, alone', 2, [['mobile', number.formatNational(), 'PHONE']]),
    ];
  });
}
