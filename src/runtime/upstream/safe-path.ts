import { percentEncoded } from './serialized.js'

/**
 * What would lead a path elsewhere: a dot segment, a slash, or one of these in disguise, as a server might decode it
 * once more, or read it without what follows a semicolon, or without spaces around it.
 */
const UNSAFE = /^\s*\.{0,2}\s*(?:$|;|%3b)|[/\\?#\p{Cc}]|%(?:2e|2f|5c|25|00|0a|0d)/iu

/** Whether a value may stand for one segment of a path, whoever gave it. */
export const isSegment = (value: string): boolean => !UNSAFE.test(value)

/** An empty segment or one of dots, also before a semicolon; of its own, one that begins so is of the style `matrix`. */
const LEADS_UP = /^\s*(?:\.{0,2}\s*(?:$|%3b)|\.{1,2}\s*;)/iu

/** A path with its values in it; the name of the parameter where its value would lead elsewhere. */
export function filledPath(
  template: string,
  textOf: (name: string) => string | undefined,
): { readonly path: string; readonly unsafe?: never } | { readonly unsafe: string; readonly path?: never } {
  let unsafe: string | undefined
  const path = template
    .split('/')
    .map((part) => {
      const filled = part.replaceAll(/\{([^{}]+)\}/gu, (_, name: string) => {
        const text = textOf(name)
        if (text === undefined) unsafe ??= name
        return text ?? ''
      })
      if (filled !== part && LEADS_UP.test(filled)) unsafe ??= part.replaceAll(/[{}]/gu, '')
      return filled
    })
    .join('/')
  return unsafe === undefined ? { path } : { unsafe }
}

/** Characters of descriptions that a path has in their encoded form only (RFC 3986, 3.3). */
const NEVER_IN_A_PATH = /[^\u0000-\u007f]|["<>^`{|}]/gu

/** The address of a path below another, which no path leaves: no normalisation may have changed it. */
export function addressBelow(base: URL, path: string): URL {
  const whole = `${base.pathname.replace(/\/+$/u, '')}${path.replaceAll(NEVER_IN_A_PATH, percentEncoded)}`
  const url = new URL(`${base.origin}${whole}`)
  if (url.origin !== base.origin || url.pathname !== whole)
    throw new Error(`The path ${path} of the operation leads outside the address of the service behind.`)
  return url
}
