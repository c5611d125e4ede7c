import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sha256Hex } from '../crypto/json/digest.js'
import { StartUpError } from '../runtime/errors/start-up-error.js'
import type { HttpRequest, HttpResponse } from '../runtime/http/exchange.js'

/** The files of the browser: read once, so that no path of a request ever reaches the disk. */
export interface Assets {
  /** A file by its name, or undefined. */
  file(name: string, request: HttpRequest): HttpResponse | undefined
}

interface Asset {
  readonly type: string
  readonly bytes: Uint8Array
  readonly zipped: Uint8Array
  readonly etag: string
}

/** Folder of the built files; the same from `src/` and from `dist/`. */
const FOLDER = new URL('../../dist/console/assets/', import.meta.url)

const TYPES: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Reads the files for a console below a base path, which the page names before its other files. */
export async function readAssets(base = '', folder = FOLDER): Promise<Assets> {
  const names = await readdir(folder).catch(() => {
    throw new StartUpError('The files of the console are not there. Install svc-kit again, or build it: npm run build')
  })
  const all = new Map(
    await Promise.all(names.map(async (name) => [name, await assetOf(new URL(name, folder), base)] as const)),
  )
  return { file: (name, request) => answerOf(all.get(name), request) }
}

async function assetOf(file: URL, base: string): Promise<Asset> {
  const bytes = placed(file, await readFile(file), base)
  const type = TYPES[file.pathname.slice(file.pathname.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { type, bytes, zipped: await promisify(gzip)(bytes, { level: 9 }), etag: `"${sha256Hex(bytes).slice(0, 32)}"` }
}

/** A base path has no character that HTML reads. */
const placed = (file: URL, bytes: Buffer, base: string): Uint8Array =>
  base !== '' && file.pathname.endsWith('.html')
    ? Buffer.from(bytes.toString('utf8').replaceAll('"/-/console/', `"${base}/-/console/`))
    : bytes

function answerOf(asset: Asset | undefined, request: HttpRequest): HttpResponse | undefined {
  if (asset === undefined) return undefined
  const { type, bytes, zipped, etag } = asset
  const headers = ['content-type', type, 'x-content-type-options', 'nosniff', 'cache-control', 'no-cache', 'etag', etag, 'vary', 'accept-encoding'] // prettier-ignore
  if (request.header('if-none-match') === etag) return { status: 304, headers, body: null }
  const isZipped = /\bgzip\b/u.test(request.header('accept-encoding') ?? '')
  return isZipped
    ? { status: 200, headers: [...headers, 'content-encoding', 'gzip'], body: zipped }
    : { status: 200, headers, body: bytes }
}
