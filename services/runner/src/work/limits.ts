import type { Limits__Output } from '@husky/contracts/types/simulation/v1/Limits';
import { defaultLimits, type Limits } from '../play/setup.ts';

/** The assignment's limits; what it leaves out or sets to 0 is the default. */
export function limitsOf(given: Limits__Output | null): Limits {
  if (given === null) return defaultLimits;
  return {
    decisionMs: given.decisionMs || defaultLimits.decisionMs,
    bankMs: given.bankMs || defaultLimits.bankMs,
    freeMs: given.freeMs || defaultLimits.freeMs,
    faultsToDisable: given.faultsToDisable || defaultLimits.faultsToDisable,
    startupMs: given.startupMs || defaultLimits.startupMs,
    memoryMib: given.memoryMib || defaultLimits.memoryMib,
    logBytes: given.logBytes || defaultLimits.logBytes,
  };
}
