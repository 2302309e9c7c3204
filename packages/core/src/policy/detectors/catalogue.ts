import { bankAccount } from './bank-account.ts';
import { dateOfBirth, emailAddress, ipAddress, macAddress } from './contact-details.ts';
import type { Detector } from './detector.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { paymentCard } from './payment-card.ts';
import { personalDetectors } from './personal/personal-detectors.ts';
import { phoneNumber } from './phone-number.ts';
import { repetition } from './repetition.ts';
import { tokenDetectors } from './tokens/token-detectors.ts';
import { injectionWording, oddCharacters, plantedOrders } from './linear-classifier/table-detectors.ts';
import { vehicleNumber } from './vehicle-number.ts';
import { walletAddress } from './wallet-address.ts';

/** Every detector that rules may name. */
const all: readonly Detector[] = [
  hiddenCharacters,
  repetition,
  injectionWording,
  oddCharacters,
  plantedOrders,
  paymentCard,
  bankAccount,
  emailAddress,
  phoneNumber,
  ipAddress,
  macAddress,
  dateOfBirth,
  vehicleNumber,
  walletAddress,
  ...personalDetectors,
  ...tokenDetectors,
];

export const detectorCatalogue: ReadonlyMap<string, Detector> = new Map(
  all.map((detector) => [detector.name, detector]),
);
