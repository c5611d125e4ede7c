import type { Money } from '../../../../protocol/money.js'
import { outcomeOf } from '../../words/outcome.js'

/** Figures that the console counts from audit entries. */
export interface Overview {
  /** ms. */
  readonly since: number
  readonly until: number
  /** False where only the newest entries were counted. */
  readonly is_whole: boolean
  readonly bars: readonly { readonly done: number; readonly failures: { readonly [type: string]: number } }[]
  readonly spent: readonly Money[]
  /** ms, shortest first. */
  readonly decided_in_ms: readonly number[]
}

export interface Bar {
  readonly calls: number
  readonly refused: number
  readonly failed: number
}

const kindOf = (type: string): string =>
  outcomeOf({ entry_type: 'invocation', success: false, failure_type: type === '' ? null : type } as Parameters<
    typeof outcomeOf
  >[0]).is

const sumOf = (failures: { readonly [type: string]: number }, holds: (type: string) => boolean): number =>
  Object.entries(failures).reduce((sum, [type, count]) => sum + (holds(type) ? count : 0), 0)

/** Calls of each part of the time; refused is not failed. */
export const barsOf = ({ bars }: Overview): readonly Bar[] =>
  bars.map(({ done, failures }) => ({
    calls: done + sumOf(failures, () => true),
    refused: sumOf(failures, (type) => kindOf(type) === 'refused'),
    failed: sumOf(failures, (type) => kindOf(type) === 'failed'),
  }))

export const totalOf = (bars: readonly Bar[], member: keyof Bar): number =>
  bars.reduce((sum, bar) => sum + bar[member], 0)

/** Returns the reasons of refused calls, most frequent first. */
export function reasonsOf({ bars }: Overview): readonly (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { failures } of bars)
    for (const [type, count] of Object.entries(failures))
      if (kindOf(type) === 'refused') counts.set(type, (counts.get(type) ?? 0) + count)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

export const median = (sorted: readonly number[]): number | undefined => sorted[Math.floor((sorted.length - 1) / 2)]
