import type { Description } from './references.js'

type Target = Description['target']

/** Files below the folder of the description, and nothing else: reading a file makes no request (threat N21). */
export const fileTarget: Target = (from, reference) => {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(reference) || reference.startsWith('//'))
    return {
      why:
        `The reference ${shown(reference)} leads to an address; a file is imported without a request. Save what it ` +
        'names beside the file.',
    }
  if (reference.startsWith('/') || reference.includes('\\'))
    return { why: `The reference ${shown(reference)} is no path relative to its file.` }
  const path = decodedPath(reference)
  const name = path === undefined ? undefined : below(from, path)
  return name === undefined
    ? { why: `The reference ${shown(reference)} leads outside the folder of the description.` }
    : { name }
}

/** Documents of the same origin as the description. */
export const addressTarget: Target = (from, reference) => {
  const url = URL.canParse(reference, from) ? new URL(reference, from) : undefined
  const { origin } = new URL(from)
  return url === undefined || url.origin !== origin || url.username !== ''
    ? { why: `The reference ${shown(reference)} leads to another address than ${origin}.` }
    : { name: url.href.replace(/#.*$/u, '') }
}

/** A relative address, as it is beside the address of its document; any other is as it is written. */
export function besideDocument(file: string, url: string): string {
  const isRelative = /^https?:/iu.test(file) && !/^[a-z][a-z0-9+.-]*:|[{}]/iu.test(url)
  return isRelative && URL.canParse(url, file) ? new URL(url, file).href : url
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 200))

const decodedPath = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Names are relative to the folder of the description. */
function below(from: string, path: string): string | undefined {
  const steps = from.split('/').slice(0, -1)
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '.' && step !== '') steps.push(step)
  }
  return /[\0\\]/u.test(path) || path.startsWith('/') ? undefined : steps.join('/')
}
