import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { MOST_CHARACTERS, readApiDocument, type ApiDocument, type ApiFinding } from '../../compiler/openapi/library.js'
import type { Description } from '../../compiler/openapi/references.js'
import { addressTarget, fileTarget } from '../../compiler/openapi/targets.js'
import { parsedAddress } from '../../protocol/address.js'
import { CliError } from '../shared/errors/cli-error.js'
import { decodedText } from './decoded-text.js'
import { fetchedText } from './fetch-text.js'

/** Files of one description; DigitalOcean's has some 1,100. */
const MOST_DOCUMENTS = 2_000

/** A description that is read as far as it is asked about. */
export interface DescriptionReading {
  readonly root: ApiDocument | ApiFinding
  /**
   * Does something with the description, again with each further document that it refers to, until it has all.
   * Undefined with findings.
   */
  readonly whole: <Result>(
    work: (description: Description) => Promise<(() => Promise<Result>) | undefined>,
  ) => Promise<Result | undefined>
  readonly findings: () => readonly ApiFinding[]
}

/** Reads a file, and those below its folder that it refers to; or an address, and others of its origin. */
export async function describedBy(source: string): Promise<DescriptionReading> {
  const isAddress = /^https?:\/\//iu.test(source)
  const read = isAddress ? fetchedText : readerBelow(source)
  const name = isAddress ? (parsedAddress(source)?.href ?? source) : basename(source)
  const root = readApiDocument(name, await read(name))
  const documents = new Map<string, ApiDocument>()
  let findings: ApiFinding[] = []
  return {
    root,
    findings: () => findings,
    whole: async (work) => {
      if ('line' in root) return undefined
      documents.set(name, root)
      for (;;) {
        findings = []
        const wanted = new Set<string>()
        const target = isAddress ? addressTarget : fileTarget
        const finish = await work({ root, documents, wanted, target, findings })
        if (wanted.size === 0) return findings.length === 0 ? finish?.() : undefined
        for (const each of wanted) {
          const document = readApiDocument(each, await read(each))
          if ('line' in document) return void (findings = [document])
          documents.set(each, document)
        }
        if (documents.size > MOST_DOCUMENTS)
          throw new CliError(`The description refers to more than ${MOST_DOCUMENTS} documents.`)
      }
    },
  }
}

/** Reads files below the folder of the first; a link that leaves it is refused. */
function readerBelow(source: string): (name: string) => Promise<string> {
  const home = dirname(source)
  return async (name) => {
    const path = join(home, name)
    try {
      if (!realpathSync(path).startsWith(realpathSync(home) + sep) && name !== basename(source))
        throw new CliError(`${name} is a link that leaves the folder of the description.`)
      const { size } = statSync(path)
      if (size > MOST_CHARACTERS * 2)
        throw new CliError(`${name} has ${size} bytes; at most ${MOST_CHARACTERS} characters are read.`)
      return decodedText(readFileSync(path))
    } catch (error) {
      if (error instanceof CliError) throw error
      throw new CliError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`)
    }
  }
}
