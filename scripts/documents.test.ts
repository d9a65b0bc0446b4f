import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import * as accessSchema from '@/server/db/access-schema'
import * as workSchema from '@/server/db/schema'

const PATHS =
  /`((?:app|components|lib|server|reference-service|e2e|public|scripts|proxy|instrumentation)[\w./()[\]-]*)`/g

test.each(['README.md', 'ARCHITECTURE.md', 'SECURITY.md'])('%s names only paths that exist', (document) => {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(PATHS)].map((match) => match[1] ?? '').filter((path) => /[/.]/.test(path))
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test('the documents and the code name the same variables', () => {
  const readme = readFileSync('README.md', 'utf8')
  const schema = readFileSync('server/env.ts', 'utf8')
  const variables = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1] ?? '')
  expect(variables.length).toBeGreaterThan(15)
  expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

describe('PRIVACY.md, in both languages', () => {
  const [english = '', swedish = ''] = ['PRIVACY.md', 'PRIVACY.sv.md'].map((name) => readFileSync(name, 'utf8'))
  const tables = Object.values({ ...accessSchema, ...workSchema }).flatMap((part) =>
    is(part, PgTable) ? [getTableName(part)] : [],
  )

  test('says of every table of the database what it is kept for', () => {
    expect(tables.length).toBeGreaterThan(20)
    for (const text of [english, swedish])
      expect(tables.filter((table) => !new RegExp(`^\\|.*\`${table}\`.*\\|`, 'm').test(text))).toEqual([])
  })

  test('says the same: part by part, row by row, with the same numbers', () => {
    const rowsOf = (text: string) => text.split('\n').flatMap((line) => /^(?:## |\*\*|[-|] ?)/.exec(line)?.[0] ?? [])
    expect(rowsOf(swedish)).toEqual(rowsOf(english))
    const facts = (text: string) => text.match(/\d+|`[^`]+`/g)?.filter((fact) => !fact.startsWith('`PRIVACY'))
    expect(facts(swedish)).toEqual(facts(english))
  })

  test('knows how long things are kept', () => {
    const months = /RETENTION_MONTHS: count\(\)\.default\((\d+)\)/.exec(readFileSync('server/env.ts', 'utf8'))?.[1]
    expect(english).toContain(`\`RETENTION_MONTHS\` (${months} unless set otherwise)`)
    expect(readFileSync('server/retention/purge.ts', 'utf8')).toContain('ABSENT_MS = 7 * 24 * 3_600_000')
    expect(readFileSync('server/feed/share.ts', 'utf8')).toContain('TTL_MS = 15 * 60_000')
    expect(english).toMatch(/seven days after the lead is gone[^]*fifteen minutes after the last good answer/)
  })
})

describe('the ways in ARCHITECTURE.md', () => {
  const sections = readFileSync('ARCHITECTURE.md', 'utf8').split(/^## /m)
  const ways = sections.flatMap((section) => {
    const steps = [...section.matchAll(/^\d+\. `([^`]+)`(.*)$/gm)].map(([, file = '', words = '']) => ({ file, words }))
    return steps.length > 0 ? [{ name: section.split('\n')[0] ?? '', steps }] : []
  })

  test('are six', () => expect(ways).toHaveLength(6))

  test.each(ways)('$name: every step follows from one before it', ({ steps }) => {
    const astray = steps.filter(({ file, words }, index) => {
      const before = steps.slice(0, index).map((step) => step.file)
      return index > 0 && !before.some((earlier) => isLinked(earlier, file)) && !isWired(file, words)
    })
    expect(astray).toEqual([])
  })
})

/** One imports the other (the caller the called, or the one that is called back its caller), or asks it over HTTP. */
function isLinked(earlier: string, file: string): boolean {
  return imports(earlier, file) || imports(file, earlier) || asks(earlier, file) || asks(file, earlier)
}

/** Handed to the others by who composes the process. */
function isWired(file: string, words: string): boolean {
  return words.includes('wired in `server/services.ts`') && imports('server/services.ts', file)
}

function imports(from: string, to: string): boolean {
  const specifiers = [...readFileSync(from, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
  return specifiers.some(([, name = '']) => {
    const path = name.startsWith('@/') ? name.slice(2) : join(dirname(from), name)
    return to.replace(/\.tsx?$/, '') === path
  })
}

/** The paths of the two lists stand in their description; a route that answers all below a path has `[...name]` there. */
function asks(from: string, to: string): boolean {
  const route = /^app(\/api\/.+)\/route\.ts$/.exec(to)?.[1]
  if (route === undefined) return false
  const files = [from, ...(imports(from, 'lib/contract/lists.ts') ? ['lib/contract/lists.ts'] : [])]
  const [above = '', below] = route.split('[...')
  const asked = below === undefined ? `'${route}'` : `\`${above}\${`
  return files.some((file) => readFileSync(file, 'utf8').includes(asked))
}
