/** Names what is inside a bundle: a CycloneDX 1.6 bill of materials, and the licences. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { printable } from '../shared/output/printable.js'
import type { JoinedPackage } from './packages.js'

/** Returns the bill of materials of a bundle, as JSON. Same packages, same bytes. */
export function billOfMaterials(packages: readonly JoinedPackage[]): string {
  const components = packages.map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
  }))
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components }, undefined, 2)}\n`
}

const licenseOf = (license: string) =>
  /^[\w.+-]+$/u.test(license) ? { license: { id: license } } : { expression: license }

/** Returns the licence of each package, as its authors wrote it. */
export const licensesOf = (packages: readonly JoinedPackage[]): string =>
  ['dist/server.mjs contains the packages below.\n', ...packages.map(licenseText)].join(`\n${'-'.repeat(80)}\n\n`)

function licenseText({ name, version, license = 'see its licence', folder }: JoinedPackage): string {
  const file = readdirSync(folder, { withFileTypes: true }).find(
    (each) => each.isFile() && /^(?:licen[cs]e|copying)/iu.test(each.name),
  )
  return `${[name, version, `(${license})`].map(printable).join(' ')}\n\n${file === undefined ? '' : textOf(join(folder, file.name))}\n`
}

/** The most bytes of a licence; a larger file is none. */
const MOST_BYTES = 256 * 1024

/** A text of others, without what steers a terminal. */
const textOf = (file: string): string =>
  statSync(file).size > MOST_BYTES ? '' : readFileSync(file, 'utf8').trim().split(/\r?\n/u).map(printable).join('\n')
