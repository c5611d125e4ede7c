import type { CapabilityView } from '../rule.js'
import { isAbsent } from '../../shape/view.js'

/** Checks whether a call changes something; false if that is unknown. */
export const changesSomething = ({ side_effect }: CapabilityView): boolean =>
  side_effect?.type !== undefined && side_effect.type !== 'read'

export const isReading = ({ side_effect }: CapabilityView): boolean => side_effect?.type === 'read'

export const isIrreversible = ({ side_effect }: CapabilityView): boolean => side_effect?.type === 'irreversible'

export const isComposed = ({ kind }: CapabilityView): boolean => kind === 'composed'

/** Checks whether a control requirement of a type is declared. */
export const requiresControl = ({ control_requirements }: CapabilityView, type: string): boolean =>
  control_requirements?.some((control) => control.type === type) ?? false

/** Checks whether a capability lacks a control, and no finding covers its declaration. */
export const lacksControl = (capability: CapabilityView, type: string): boolean =>
  !requiresControl(capability, type) &&
  (capability.control_requirements !== undefined || isAbsent(capability, 'control_requirements'))
