import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'

const OURS = 'test/vectors'

/** Vectors are read from `VECTORS`, so that other sets of the same shape can be put in their place. */
export const folder = process.env['VECTORS'] ?? OURS

/** Holds for sets of somebody else, of which anything may be missing, and in which anything may be new. */
export const areForeign = folder !== OURS

export const vectorBytes = (...path: readonly string[]): Uint8Array => readFileSync(join(folder, ...path))
export const vectorText = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8')
export const vectorJson = <T>(...path: readonly string[]): T => JSON.parse(vectorText(...path)) as T
export const vectorFiles = (...path: readonly string[]): readonly string[] => readdirSync(join(folder, ...path)).sort()

const isThere = (...path: readonly string[]): boolean => existsSync(join(folder, ...path))

/** Runs cases whose set has these files; where somebody else's folder lacks one, it says so instead. Ours has them all. */
export function forSet(set: string, files: readonly string[], body: () => void): void {
  const missing = files.filter((file) => !isThere(set, file))
  if (missing.length === 0 || !areForeign) return void describe(set, body)
  notRun(`${set} (${missing.join(', ')})`, `not in ${folder}`)
}

/** Says that something of somebody else's folder was not run, and why. Of our own everything is. */
export function notRun(what: string, why: string): void {
  if (!areForeign) throw new Error(`${what}: ${why}`)
  describe(`${what}: not run`, () => {
    it.skip(why)
  })
}

/** Those of named cases that a folder has; of ours, all. */
export const having = <Case>(cases: readonly Case[], fileOf: (each: Case) => readonly string[]): readonly Case[] =>
  cases.filter((each) => !areForeign || isThere(...fileOf(each)))
