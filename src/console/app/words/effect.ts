import type { SideEffect } from '../../../protocol/manifest.js'
import type { IconName } from '../parts/icon.js'
import { both, durationMs, durationWords } from './time.js'

/** Explains an effect to an approver: prominent only if the call cannot be undone. */
export interface EffectWords {
  readonly is: 'irreversible' | 'undo' | 'neutral'
  readonly icon: IconName
  readonly short: string
  readonly shortDetail: string
  readonly title: string
  readonly detail: string
}

type Words = (effect: SideEffect, service: string) => EffectWords

const WORDS: { readonly [type in SideEffect['type']]: Words } = {
  irreversible: (_, service) => ({
    is: 'irreversible',
    icon: 'irreversible',
    short: 'Cannot be undone',
    shortDetail: 'nothing takes it back',
    title: 'It cannot be undone',
    detail: `It runs as soon as the agent goes on, and no capability of ${service} takes it back.`,
  }),
  transactional: ({ rollback_window, compensation }) => {
    const window = rollback_window === undefined ? '' : ` for ${durationWords(rollback_window)}`
    const by = compensation === undefined ? '' : `by ${compensation}`
    return {
      is: 'undo',
      icon: 'undo',
      short: 'Can be undone',
      shortDetail: [window.trim(), by].filter((part) => part !== '').join(', '),
      title: `It can be undone${window}`,
      detail: compensation === undefined ? 'The service takes it back on request.' : `${compensation} takes it back.`,
    }
  },
  write: () => ({
    is: 'neutral',
    icon: 'write',
    short: 'Changes data',
    shortDetail: 'no undo is declared',
    title: 'It changes data',
    detail: 'No undo is declared.',
  }),
  read: () => ({
    is: 'neutral',
    icon: 'read',
    short: 'Reads only',
    shortDetail: '',
    title: 'It reads only',
    detail: 'Nothing is changed.',
  }),
}

/** Words for an effect; for one that is not known, what is so. */
export const effectWords = (effect: SideEffect | undefined, service: string): EffectWords =>
  effect === undefined
    ? { is: 'neutral', icon: 'write', short: 'Effect unknown', shortDetail: '', title: 'Its effect is unknown', detail: 'The service did not say.' } // prettier-ignore
    : WORDS[effect.type](effect, service)

/** Until when what was done can be taken back, and by what; undefined where nothing is declared of it. */
export function undoWords(
  { type, rollback_window, compensation }: SideEffect,
  at: number,
  now: number,
): string | undefined {
  const window = rollback_window === undefined ? undefined : durationMs(rollback_window)
  if (type === 'irreversible') return 'It cannot be undone'
  if (type !== 'transactional' || window === undefined) return undefined
  const until = both(at + window, now)
  const by = compensation === undefined ? '' : `, by ${compensation}`
  return now < at + window ? `Can be undone until ${until}${by}` : `Could be undone until ${until}`
}
