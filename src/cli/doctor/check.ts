/** What a check found: what is so, and what to do where that is wrong. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'error'
  readonly says: string
  readonly remedy?: string
}

/** One question about a project, answered from what lies on this machine. */
export interface Check {
  readonly name: string
  /** Undefined where the question does not arise. */
  readonly of: (root: string) => Promise<Finding | undefined> | Finding | undefined
}

export const fine = (says: string): Finding => ({ state: 'ok', says })
export const wrong = (says: string, remedy: string): Finding => ({ state: 'error', says, remedy })
export const doubtful = (says: string, remedy: string): Finding => ({ state: 'warning', says, remedy })
