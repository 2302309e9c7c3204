import { bankAccount } from '../detectors/bank-account.ts';
import { dateOfBirth, emailAddress, ipAddress, macAddress } from '../detectors/contact-details.ts';
import type { Detector } from '../detectors/detector.ts';
import { hiddenCharacters } from '../detectors/hidden-characters.ts';
import { paymentCard } from '../detectors/payment-card.ts';
import { personalDetectors } from '../detectors/personal/personal-detectors.ts';
import { phoneNumber } from '../detectors/phone-number.ts';
import { repetition } from '../detectors/repetition.ts';
import { tokenDetectors } from '../detectors/tokens/token-detectors.ts';
import { injectionWording, oddCharacters, plantedOrders } from '../detectors/linear-classifier/table-detectors.ts';
import { vehicleNumber } from '../detectors/vehicle-number.ts';
import { walletAddress } from '../detectors/wallet-address.ts';

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
