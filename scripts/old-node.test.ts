import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json'

/** What Node has only since a version after that of `engines`; it is used with `?.` only. */
const LATER =
  /\b(?:(?:Map|Object)\.groupBy(?=\()|Promise\.(?:withResolvers|try)|Array\.fromAsync|RegExp\.escape|Iterator\.from|import\.meta\.(?:dirname|filename))\b|^import (?!type).*\bhash\b.*'node:crypto'|^import (?!type).*(?:\bcrc32\b.*'node:zlib'|'node:sqlite')|\bglobSync\b|\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/m

test('what runs in production runs on the oldest Node of the engines', () => {
  expect(packageJson.engines.node).toBe('>=20.9.0')
  const files = ['server', 'lib', 'app', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== 'scripts', encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const run = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.ts$|-suite\.ts$|\/testing\//.test(file))
  expect(run.length).toBeGreaterThan(300)
  expect(run.filter((file) => LATER.test(readFileSync(file, 'utf8')))).toEqual([])
})
