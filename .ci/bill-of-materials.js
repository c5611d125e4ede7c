/** Says what is inside the package: a CycloneDX bill of materials and the licences of what was bundled. Same input, same bytes. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u

/** A rolldown plugin that notes which packages ended in the bundles and writes `dist/sbom.cdx.json` and `dist/THIRD_PARTY_NOTICES.txt`. */
export function billOfMaterials() {
  const bundled = new Map()
  return {
    name: 'bill-of-materials',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        for (const [name, folder] of Object.keys(chunk.modules ?? {}).flatMap(foldersIn)) bundled.set(name, folder)
      mkdirSync('dist', { recursive: true })
      writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom(bundled), undefined, 2)}\n`)
      writeFileSync('dist/THIRD_PARTY_NOTICES.txt', notices(bundled, 'The bundled command line and compiler contain'))
    },
  }
}

/** Name and folder of the package that a module belongs to. */
function foldersIn(id) {
  const match = PACKAGE.exec(id.replaceAll('\\', '/').replace(/^\0+/u, ''))
  return match === null ? [] : [[match[1], match[0].slice(0, -1)]]
}

function sbom(bundled) {
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const installed = Object.entries(packages).filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
  const within = Object.entries(packages).filter(
    ([path]) => bundled.has(path.replace(/^.*node_modules\//u, '')) && !path.slice(1).includes('/node_modules/'),
  )
  const components = new Map([
    ...installed.map(([path, entry]) =>
      componentOf(path, entry, entry.optional || entry.peer ? 'optional' : 'required'),
    ),
    ...within.filter(([, entry]) => entry.dev).map(([path, entry]) => componentOf(path, entry, 'required')),
  ])
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        name: own.name,
        version: own.version,
        purl: `pkg:npm/${own.name}@${own.version}`,
        licenses: [{ license: { id: own.license } }],
      },
    },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  }
}

function componentOf(path, { version, license, integrity }, scope) {
  const name = path.replace(/^.*node_modules\//u, '')
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const hash = /^sha512-(.*)$/u.exec(integrity ?? '')?.[1]
  return [
    purl,
    {
      type: 'library', name, version, purl, scope,
      ...(license && { licenses: [/ (?:OR|AND) /u.test(license) ? { expression: license } : { license: { id: license } }] }),
      ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    },
  ] // prettier-ignore
}

/** The licences of the packages of which modules became part of something else. */
export const noticesOf = (modules) => notices(new Map(modules.flatMap(foldersIn)), 'The extension contains')

function notices(bundled, what) {
  const parts = [...bundled]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, folder]) => {
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/iu.test(each))
      const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : ''
      return `${name} ${version} (${typeof license === 'string' ? license : 'see its licence'})\n\n${text}\n`
    })
  return [`${what} the packages below.\n`, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
