/** Names what is inside a bundle: a CycloneDX 1.6 bill of materials, and the licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/iu.test(each))
  const text = file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}
