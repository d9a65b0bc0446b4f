import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PATHS =
  /`((?:app|components|lib|server|reference-service|e2e|public|scripts|proxy|instrumentation)[\w./()[\]-]*)`/g

test.each(['README.md', 'ARCHITECTURE.md'])('%s names only paths that exist', (document) => {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(PATHS)].map((match) => match[1] ?? '').filter((path) => /[/.]/.test(path))
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('the documents and the code name the same variables', () => {
  const readme = readFileSync('README.md', 'utf8')
  const schema = readFileSync('server/env-schema.ts', 'utf8')
  const variables = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1] ?? '')
  expect(variables.length).toBeGreaterThan(15)
  expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})
