/**
 * What others have written down stays as it is: paths, names, codes, prefixes and bounds. `fixtures/wire-words.json` holds each
 * word as callers, auditors, stores and other versions of us know it; whoever changes one changes the protocol.
 */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'

const written = (_: string, value: unknown) => {
  if (value instanceof RegExp) return String(value)
  if (value instanceof Set || value instanceof Map) return [...value]
  return typeof value === 'bigint' ? `${value}n` : value
}

it('no word of the protocol changes, and no limit', async () => {
  const words: Record<string, unknown> = { limits: DEFAULT_LIMITS }
  for (const file of readdirSync('src/protocol').toSorted()) {
    const module = (await import(`../../src/protocol/${file}`)) as Record<string, unknown>
    const constants = Object.entries(module).filter(([, value]) => typeof value !== 'function')
    if (constants.length > 0) words[file.replace('.ts', '')] = Object.fromEntries(constants)
  }
  await expect(`${JSON.stringify(words, written, 1)}\n`).toMatchFileSnapshot('fixtures/wire-words.json')
})
