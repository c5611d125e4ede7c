/**
 * Works something out once for each part of a manifest: a rule asks again for each step, and a composition may have
 * thousands.
 */
export function remembered<Part extends object, Answer>(work: (part: Part) => Answer): (part: Part) => Answer {
  const known = new WeakMap<Part, { readonly answer: Answer }>()
  return (part) => {
    const earlier = known.get(part)
    if (earlier !== undefined) return earlier.answer
    const answer = work(part)
    known.set(part, { answer })
    return answer
  }
}
