import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Vectors are read from `VECTORS`, so that other sets of the same shape can be put in their place. */
const folder = process.env['VECTORS'] ?? 'test/vectors'

export const vectorBytes = (...path: readonly string[]): Uint8Array => readFileSync(join(folder, ...path))
export const vectorText = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8')
export const vectorJson = <T>(...path: readonly string[]): T => JSON.parse(vectorText(...path)) as T
export const vectorFiles = (...path: readonly string[]): readonly string[] => readdirSync(join(folder, ...path)).sort()
