/** Packs the extension as a .vsix: `node editors/vscode/pack.js svc-kit.vsix`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { noticesOf } from '../../.ci/bill-of-materials.js'
import { zipOf } from './zip.js'

const here = import.meta.dirname
const read = (name) => readFileSync(join(here, name), 'utf8')
const description = JSON.parse(read('package.json'))

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".cjs" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const manifestOf = ({ name, version, publisher, displayName, description, categories, engines }) =>
  `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${escaped(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`

/** The program in one file, with the client library inside, and the packages that it holds. */
async function bundled() {
  const bundle = await rolldown({
    input: join(here, 'src/extension.js'),
    platform: 'node',
    external: [/^node:/, 'vscode'],
    treeshake: true,
  })
  const { output } = await bundle.generate({ format: 'cjs', minify: true, comments: { legal: false } })
  await bundle.close()
  return { code: output[0].code, modules: Object.keys(output[0].modules) }
}

export async function packedExtension() {
  const { code, modules } = await bundled()
  return zipOf({
    'extension.vsixmanifest': manifestOf(description),
    '[Content_Types].xml': CONTENT_TYPES,
    'extension/package.json': `${JSON.stringify({ ...description, private: undefined, type: undefined }, undefined, 2)}\n`,
    'extension/extension.cjs': code,
    'extension/README.md': read('README.md'),
    'extension/LICENSE.txt': readFileSync(join(here, '../../LICENSE'), 'utf8'),
    'extension/THIRD_PARTY_NOTICES.txt': noticesOf(modules),
  })
}

if (process.argv[1] === import.meta.filename) {
  const target = process.argv[2] ?? 'svc-kit.vsix'
  const archive = await packedExtension()
  writeFileSync(target, archive)
  console.log(`${target}: ${(archive.length / 1024).toFixed(0)} kB`)
}
