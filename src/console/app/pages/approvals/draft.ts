/** Unsent decision about a request; survives a sign-in in between, within this tab. */
export interface Draft {
  readonly reason: string
  readonly isSession: boolean
  readonly uses: number
  readonly minutes: number
}

const keyOf = (id: string): string => `console-draft-${id}`

export function draftOf(id: string, otherwise: Draft): Draft {
  const stored = sessionStorage.getItem(keyOf(id))
  return stored === null ? otherwise : { ...otherwise, ...(JSON.parse(stored) as Partial<Draft>) }
}

export const keepDraft = (id: string, draft: Draft): void => sessionStorage.setItem(keyOf(id), JSON.stringify(draft))

export const dropDraft = (id: string): void => sessionStorage.removeItem(keyOf(id))
