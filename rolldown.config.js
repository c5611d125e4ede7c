import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { billOfMaterials } from './.ci/bill-of-materials.js'

const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const external = [
  /^node:/,
  ...Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`)),
]

/** The command line and the compiler are bundled, so that they start fast and install nothing that only they need. */
export default defineConfig({
  input: { 'cli/main': 'dist/cli/main.js', 'compiler/index': 'dist/compiler/index.js' },
  platform: 'node',
  transform: { define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } },
  external,
  plugins: [billOfMaterials()],
  output: {
    dir: 'dist/bundle',
    cleanDir: true,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { legal: false },
  },
})
