import type { ResolutionBehaviour, ResolutionMode } from '../../../protocol/words.js'
import { keyOf } from '../../shape/view.js'
import type { InputView, Rule } from '../rule.js'

export const defaultNeverApplies = {
  code: 'SVC2424',
  slug: 'default-never-applies',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: 'An optional input has no default that its resolution never uses.',
  why: 'A reader takes the default for what happens; the service asks, refuses or leaves the value out.',
  needs: 'default',
  ofInput({ input }, report) {
    if (input.default === undefined || input.required !== false || isUsed(input)) return
    report(
      keyOf(input, 'default'),
      `The default of \`${input.name}\` never applies: ${reasonOf(input)}. Remove it, or write \`on_missing: ` +
        'use_default`.',
    )
  },
} satisfies Rule

/** Modes in which a missing value is not the default, unless `on_missing` says so. */
const WITHOUT_DEFAULT: readonly ResolutionMode[] = ['clarify', 'app_selected']

function isUsed({ resolution }: InputView): boolean {
  if (resolution?.mode === undefined || resolution.mode === 'explicit_only') return true
  const { mode, on_missing, on_ambiguous, on_unresolved } = resolution
  const behaviours: readonly (ResolutionBehaviour | undefined)[] = [on_missing, on_ambiguous, on_unresolved]
  if (behaviours.includes('use_default')) return true
  return on_missing === undefined && !WITHOUT_DEFAULT.includes(mode)
}

const reasonOf = ({ resolution }: InputView): string =>
  resolution?.on_missing === undefined
    ? `the mode is \`${resolution?.mode}\``
    : `a missing value means \`${resolution.on_missing}\``
