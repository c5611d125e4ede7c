import type { ResolutionBehaviour, ResolutionMode } from '../../../protocol/words.js'
import { isAbsent } from '../../shape/view.js'
import type { InputView } from '../rule.js'

/** Modes in which a missing value is not the default, unless `on_missing` says so. */
const WITHOUT_DEFAULT: readonly ResolutionMode[] = ['clarify', 'app_selected', 'explicit_only']

/** Holds where the default of an input can stand in for a value, by its resolution (section 2.6). */
export function defaultCanApply({ resolution }: InputView): boolean {
  if (resolution?.mode === undefined) return true
  const { mode, on_missing, on_ambiguous, on_unresolved } = resolution
  const behaviours: readonly (ResolutionBehaviour | undefined)[] = [on_missing, on_ambiguous, on_unresolved]
  if (behaviours.includes('use_default')) return true
  return on_missing === undefined && !WITHOUT_DEFAULT.includes(mode)
}

/** Checks whether an input is required and has no default or derivation; false if that is unknown. */
export const mustBeSupplied = (input: InputView): boolean =>
  (input.required ?? isAbsent(input, 'required')) && isAbsent(input, 'default') && isAbsent(input, 'resolution')
