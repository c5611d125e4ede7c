/** Cold start of the command line against bare Node, in one run. */
import { join, resolve } from 'node:path'
import { compare } from './processes.js'

const root = resolve(import.meta.dirname, '..')
const svc = join(root, 'bin/svc.cjs')
const manifest = join(root, 'examples/minimal/svc.yaml')

console.log('Cold start, whole processes')
console.table(
  compare({
    'node -e 0': ['node', '-e', '0'],
    'svc --version': ['node', svc, '--version'],
    'svc validate': ['node', svc, 'validate', manifest],
  }),
)
