/** A registry that has this package as it is packed now, and sends whoever asks for another one to the public registry. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const PUBLIC = 'https://registry.npmjs.org'

export interface Registry {
  readonly url: string
  readonly version: string
  close(): void
}

/** Packs into the folder, and serves on a port of its own. */
export async function startRegistry(folder: string): Promise<Registry> {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
    encoding: 'utf8',
  })
  const archive = readFileSync(join(folder, packed.trim()))
  const own = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string; readonly version: string }
  const server = createServer((request, response) => {
    if (request.url === `/${own.name}`) {
      response.setHeader('content-type', 'application/json')
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
      const version = { ...own, dist: { tarball: `${url}/${own.name}.tgz`, integrity } }
      response.end(
        JSON.stringify({ name: own.name, 'dist-tags': { latest: own.version }, versions: { [own.version]: version } }),
      )
    } else if (request.url === `/${own.name}.tgz`) response.end(archive)
    else response.writeHead(307, { location: PUBLIC + request.url }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return { url, version: own.version, close: () => server.close() }
}
