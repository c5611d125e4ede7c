/** Remembers the newest signed manifest that was served, so that an older one is not put in its place. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sha256Hex } from '../../crypto/json/digest.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { keepFile, unlessReadOnly } from '../storage/kept-file.js'

export interface ServedManifestMemory {
  /** Returns when the newest one was issued, in ms since the epoch; undefined if none was served. */
  last(serviceId: string): Promise<number | undefined>
  /** Notes one; where the folder may not be written, nothing is remembered. */
  keep(serviceId: string, issuedAt: number): Promise<void>
}

/** A memory in the folder of keys, or of state, one file for each service. */
export function servedManifestMemory(directory: string): ServedManifestMemory {
  const folder = resolve(directory, 'manifests')
  return {
    last: async (serviceId) => {
      const text = await readFile(join(folder, fileOf(serviceId))).catch(() => undefined)
      const json = text === undefined ? undefined : parseStrictJson(text)
      const issued = json?.ok === true && isRecord(json.value) ? json.value['issued_at'] : undefined
      return typeof issued === 'string' && !Number.isNaN(Date.parse(issued)) ? Date.parse(issued) : undefined
    },
    keep: (serviceId, issuedAt) => {
      const text = `${JSON.stringify({ service: serviceId, issued_at: new Date(issuedAt).toISOString() })}\n`
      return keepFile(folder, fileOf(serviceId), text).catch(unlessReadOnly)
    },
  }
}

const fileOf = (serviceId: string): string => `${sha256Hex(serviceId).slice(0, 32)}.json`
