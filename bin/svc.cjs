#!/usr/bin/env node
'use strict'
// One bundle starts every command. Node keeps what V8 compiled, where it can: docs/decisions/bundled-command-line.md
const { statSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

/** A cache is code: only the owner of the package writes one, inside the package. */
const isOwner = () => process.geteuid === undefined || process.geteuid() === statSync(__dirname).uid
if (enableCompileCache && !process.env.CI && isOwner()) enableCompileCache(join(__dirname, '../dist/cache'))

require('../dist/bundle/cli/main.cjs')
  .run(process.argv)
  .then((code) => (process.exitCode = code))
