/** How the shared SQL becomes that of an engine. */
export interface Dialect {
  /** The placeholder of the n-th bound value, from 1. */
  placeholder(n: number): string
  /** The engine's clock in ms as an expression, or undefined when it must be bound. */
  readonly now: string | undefined
  readonly lock: string
}

export interface Translated {
  readonly text: string
  /** What each placeholder takes: the index of a value, or the clock. */
  readonly slots: readonly (number | 'now')[]
}

const MARKS = /\?|:now\b|:lock\b/g

export function translate(sql: string, dialect: Dialect): Translated {
  const slots: (number | 'now')[] = []
  let values = 0
  const bind = (slot: number | 'now'): string => dialect.placeholder(slots.push(slot))
  const text = sql.replace(MARKS, (mark) => {
    if (mark === '?') return bind(values++)
    if (mark === ':lock') return dialect.lock
    return dialect.now ?? bind('now')
  })
  return { text, slots }
}
