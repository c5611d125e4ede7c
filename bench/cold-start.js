/** Cold start of the command line against bare Node, in one run, without any cache of compiled code. */
import { join, resolve } from 'node:path'
import { compare } from './processes.js'

process.env.NODE_DISABLE_COMPILE_CACHE = '1'

const root = resolve(import.meta.dirname, '..')
const svc = (...args) => ['node', join(root, 'bin/svc.cjs'), ...args]
const manifest = join(root, 'examples/minimal/svc.yaml')

console.log('Cold start, whole processes')
console.table(
  compare(
    {
      'node -e 0': ['node', '-e', '0'],
      'svc --version': svc('--version'),
      'svc validate --help': svc('validate', '--help'),
      'svc validate': svc('validate', manifest),
      'svc validate --format json': svc('validate', '--format', 'json', manifest),
      'svc validate --format sarif': svc('validate', '--format', 'sarif', manifest),
      'svc explain': svc('explain', 'scope-empty-on-read'),
      'svc fmt --check': svc('fmt', '--check', manifest),
    },
    { rounds: Number(process.env.ROUNDS ?? 15) },
  ),
)
