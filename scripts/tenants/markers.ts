export const tenantNames = ['amber', 'birch'] as const;
export type TenantName = (typeof tenantNames)[number];

const digits = 9;

/** What stands in everything that a request says, and in nothing else. */
export const markerOf = (tenant: TenantName, number: number): string =>
  `${tenant}-${String(number).padStart(digits, '0')}`;

const anyMarker = new RegExp(`\\b(?:${tenantNames.join('|')})-\\d{${digits}}\\b`, 'g');

/** The markers in a text, each once. */
export const markersIn = (text: string): ReadonlySet<string> => new Set(text.match(anyMarker));

/** The tenants of these markers. */
export const tenantsOf = (markers: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...markers].map((marker) => marker.slice(0, marker.indexOf('-'))));

/** What crossed, for people. As many as are worth reading. */
export class Crossings {
  readonly #examples: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get examples(): readonly string[] {
    return this.#examples;
  }

  add(what: string): void {
    this.#count += 1;
    if (this.#examples.length < 20) this.#examples.push(what);
  }

  /** Notes a text that says anything but its own marker. */
  expectOnly(own: string, text: string, where: string): void {
    for (const marker of markersIn(text)) {
      if (marker !== own) this.add(`${where} of ${own} has ${marker}`);
    }
  }

  /** Notes a record that says anything of another tenant. */
  expectTenant(own: string, text: string, where: string): void {
    for (const tenant of tenantsOf(markersIn(text))) {
      if (tenant !== own) this.add(`${where} of ${own} has a marker of ${tenant}: ${text.slice(0, 300)}`);
    }
  }
}
