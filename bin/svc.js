#!/usr/bin/env node
import { run } from '../dist/bundle/cli/main.js'

process.exitCode = await run(process.argv)
