import type { Diagnostic } from '../diagnostics.js'

/**
 * Returns fingerprints of findings that do not depend on line numbers: the code, the path and the message. Equal ones
 * are numbered.
 */
export function fingerprintsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  const seen = new Map<string, number>()
  return diagnostics.map(({ code, file, path, message }) => {
    const identity = `${code}\n${file}\n${path}\n${message.replaceAll(/\d+/gu, '#')}`
    const times = (seen.get(identity) ?? 0) + 1
    seen.set(identity, times)
    return hash(`${identity}\n${times}`)
  })
}

/** Finding -> its fingerprint. */
export function fingerprintOf(diagnostics: readonly Diagnostic[]): (diagnostic: Diagnostic) => string {
  const prints = fingerprintsOf(diagnostics)
  const known = new Map(diagnostics.map((each, index) => [each, prints[index]!]))
  return (diagnostic) => known.get(diagnostic)!
}

/** 64 bits in two halves, each mixed as in MurmurHash 3: enough to tell findings apart, not to keep secrets. */
function hash(text: string): string {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
