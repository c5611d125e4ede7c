import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackedPackages } from './debian.js'

const PROGRAMS = 'usr/lib/postgresql/15/bin'

/** PostgreSQL with all its tools, for the tests of this folder: the system's, or Debian's packages, unpacked aside. */
export default function setup(): void {
  if (existsSync(join('/', PROGRAMS, 'postgres'))) return
  const root = unpackedPackages(['postgresql-15', 'postgresql-client-15'])
  process.env['PATH'] = `${join(root, PROGRAMS)}:${process.env['PATH'] ?? ''}`
}
