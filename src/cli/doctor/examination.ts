/** What a check found: what is so, and what to do where that is wrong. */
export interface Diagnosis {
  readonly state: 'ok' | 'warning' | 'error'
  readonly says: string
  readonly remedy?: string
}

/** One question about a project, answered from what lies on this machine. */
export interface Examination {
  readonly name: string
  /** Undefined where the question does not arise. */
  readonly of: (root: string) => Promise<Diagnosis | undefined> | Diagnosis | undefined
}

export const fine = (says: string): Diagnosis => ({ state: 'ok', says })
export const wrong = (says: string, remedy: string): Diagnosis => ({ state: 'error', says, remedy })
export const doubtful = (says: string, remedy: string): Diagnosis => ({ state: 'warning', says, remedy })
