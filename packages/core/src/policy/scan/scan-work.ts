import { scanWorkPerBody } from '../policy.ts';

/** What a step may come to, in characters looked at: from a tenth of a millisecond to two, for any characters. */
const stepCost = 30_000;

/** So many characters of other readings are looked at: no encoding makes a text longer than it is. */
const readingsFor = (length: number): number => 65_536 + 2 * length;

/** What a scan may cost, and what it has: characters looked at, weighed. No clock is involved. */
export class ScanWork {
  #length = 0;
  /** What may be granted in all. */
  #most = 0;
  #granted = 0;
  /** Of what was granted; below zero, the scan is over. */
  #left = 0;
  #readings = 0;
  /** What is left of the step at hand; endless where the scan goes on in one. */
  #step = Infinity;

  /** @param most of a body; what a body may cost unless given */
  open(length: number, base: number, most = scanWorkPerBody): void {
    this.#length = length;
    this.#most = most;
    this.#granted = Math.min(base, most);
    this.#left = this.#granted > 0 ? this.#granted : -1;
    this.#readings = readingsFor(length);
  }

  get isOver(): boolean {
    return this.#left < 0;
  }

  /** What was taken out of the budget. */
  get spent(): number {
    return this.#granted - this.#left;
  }

  /** What was read besides the text itself, in characters. */
  get read(): number {
    return readingsFor(this.#length) - this.#readings;
  }

  /** For one more reading, as far as there is something to grant. */
  grant(wanted: number): void {
    if (this.#left < 0) return;
    const granted = Math.min(wanted, this.#most - this.#granted);
    this.#granted += granted;
    this.#left += granted;
  }

  /** False when the budget was gone before; it may be overdrawn once, by what one look costs. */
  spend(cost: number): boolean {
    if (this.#left < 0) return false;
    this.#left -= cost;
    this.#step -= cost;
    return true;
  }

  /** False, and the scan over, when there is more to read than a text can have in it by chance. */
  pay(length: number): boolean {
    if (length > this.#readings) this.giveUp();
    else this.#readings -= length;
    return this.#left >= 0;
  }

  /** The scan is over; what was granted and not used counts as not granted. */
  giveUp(): void {
    if (this.#left < 0) return;
    this.#granted -= this.#left + 1;
    this.#left = -1;
  }

  beginStep(): void {
    this.#step = stepCost;
  }

  /** What follows is one step. */
  endSteps(): void {
    this.#step = Infinity;
  }

  /** What it took of the step, beside the budget. */
  takeStep(cost: number): void {
    this.#step -= cost;
  }

  /** True when something that looked at so many characters was the last of a step. */
  endsStep(cost: number): boolean {
    this.#step -= cost;
    if (this.#step > 0) return false;
    this.#step = stepCost;
    return true;
  }
}
