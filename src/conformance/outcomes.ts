/** Thrown by a case that does not apply to this service, and says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

export const doesNotApply = (reason: string): never => {
  throw new NotApplicable(reason)
}

/** Thrown by a case that applies, but cannot be tried with these credentials and samples, and says why. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

export const cannotTry = (reason: string): never => {
  throw new NotTried(reason)
}
