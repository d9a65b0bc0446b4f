import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { ROUNDED_TO } from '@/lib/interest/rounding'
import { COOKIE_SECONDS } from '@/server/access/session-cookie'
import { IDLE_MS, MAX_SESSION_MS } from '@/server/access/sessions'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { RETENTION_MS } from '@/server/access/throttle'
import * as accessSchema from '@/server/base/access-schema'
import * as workSchema from '@/server/base/schema'
import * as sharingSchema from '@/server/base/sharing-schema'
import { TTL_MS } from '@/server/feed/shared-lists'
import { ABSENT_MS } from '@/server/privacy/purge-holds'
import { ADDRESS_MS, SESSION_KEPT_MS } from '@/server/privacy/retention'
import { NEEDS, SETTINGS } from '@/server/base/settings-schema'
import { VALID_MS } from '@/server/access/invitations'
import { documents } from './docs'

const OPERATORS = readdirSync('docs').map((name) => join('docs', name))

const PATHS =
  /`((?:app|components|lib|server|docs|deploy|reference-service|e2e|public|scripts|proxy|instrumentation)[\w./()[\]-]*)`/g

test.each([
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'PRIVACY.md',
  'PRIVACY.sv.md',
  ...OPERATORS,
])('%s names only paths that exist, and has no marks of its making', (document) => {
  expect(pathsIn(document).filter((path) => !existsSync(path))).toEqual([])
  expect(readFileSync(document, 'utf8')).not.toMatch(/<!--|TODO|TBD/)
})

function pathsIn(document: string): string[] {
  const named = [...readFileSync(document, 'utf8').matchAll(PATHS)].map((match) => match[1] ?? '')
  return named.filter((path) => /[/.]/.test(path))
}

test.each(Object.entries(documents))('%s is as npm run docs writes it', (path, written) => {
  const text = readFileSync(path, 'utf8')
  expect(written(text)).toBe(text)
  expect(text).not.toMatch(/\| *\|$/m)
})

test('.env.example has the eight settings that a person needs, each once, and no secret', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n')
  const named = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? [])
  const known = SETTINGS.map(({ name }) => name)
  expect(known.filter((name) => named.includes(name))).toHaveLength(named.length)
  expect(named).toHaveLength(8)
  expect(NEEDS[0]?.needed.filter((name) => !named.includes(name))).toEqual([])
  const secrets = lines.filter((line) => /(?:SECRET|TOKEN|PASSWORD|DATA_KEY)=./.test(line))
  expect(secrets).toEqual([])
})

test('README makes no new secret at each start', () => {
  expect(readFileSync('README.md', 'utf8')).not.toMatch(/=\$\(openssl/)
})

describe('PRIVACY.md, in both languages', () => {
  const [english = '', swedish = ''] = ['PRIVACY.md', 'PRIVACY.sv.md'].map((name) => readFileSync(name, 'utf8'))
  const tables = Object.values({ ...accessSchema, ...workSchema, ...sharingSchema }).flatMap((part) =>
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

  const [inEnglish, inSwedish] = [english, swedish].map(
    (text) => (table: string) => text.split('\n').find((line) => new RegExp(`^\\|.*\`${table}\``).test(line)) ?? '',
  )

  test('knows how long things are kept', () => {
    const months = SETTINGS.find(({ name }) => name === 'RETENTION_MONTHS')?.fallback
    expect(inEnglish?.('notes')).toContain(`\`RETENTION_MONTHS\` (${months} unless set otherwise)`)
    for (const table of ['notes', 'exports', 'activity']) expect(inEnglish?.(table)).toContain('`RETENTION_MONTHS`')
    expect([ABSENT_MS / DAY_MS, TTL_MS / MINUTE_MS]).toEqual([7, 15])
    expect(inEnglish?.('triage')).toContain('seven days after the lead is gone')
    expect(inSwedish?.('triage')).toContain('sju dagar efter att ärendet')
    expect(english).toContain('fifteen minutes after the last good answer')
    expect(inEnglish?.('activity')).toContain(`${ADDRESS_MS / DAY_MS} days`)
    expect(inEnglish?.('sessions')).toContain(`${SESSION_KEPT_MS / DAY_MS} days`)
    const links = `good for ${VALID_MS.invitation / DAY_MS} days, for a new password ${VALID_MS.reset / DAY_MS};`
    expect(english).toContain(links)
    expect(inEnglish?.('sign_in_attempts')).toContain(`${RETENTION_MS / DAY_MS} days`)
  })

  test('knows how numbers are rounded, and how long a browser remembers', () => {
    expect(english).toContain(`1 to ${ROUNDED_TO - 1} as "<${ROUNDED_TO}"`)
    expect(english).toContain(`the session (${COOKIE_SECONDS / 3600} hours at most`)
  })
})

describe('the handbook', () => {
  const LOCALES = ['sv', 'en'] as const
  const texts = LOCALES.map((locale) => readFileSync(`docs/help.${locale}.md`, 'utf8'))
  const picturesOf = (text: string) => [...text.matchAll(/^!\[.+\]\(([a-z]+)\)$/gm)].map((match) => match[1])

  test('says the same in both languages: part by part, row by row, picture by picture', () => {
    const shape = (text: string) => text.split('\n').flatMap((line) => /^(?:## |\||!\[)/.exec(line)?.[0] ?? [])
    const [swedish = '', english = ''] = texts
    expect(shape(swedish)).toEqual(shape(english))
    expect(picturesOf(swedish)).toEqual(picturesOf(english))
  })

  test('has each of its pictures, and no other lies there', () => {
    const wanted = picturesOf(texts[0] ?? '').flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`])
    expect(wanted.length).toBeGreaterThan(10)
    for (const locale of LOCALES) expect(readdirSync(`public/help/${locale}`).toSorted()).toEqual(wanted.toSorted())
  })

  test.each(LOCALES)('calls what is on screen by the words on screen (%s)', (locale) => {
    const folder = `lib/i18n/messages/${locale}`
    const files = readdirSync(folder).filter((name) => /^[\w-]+\.json$/.test(name))
    const onScreen = new Set(
      files
        .flatMap((name) => wordsIn(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
        .map((words) => inPlural(words).replaceAll(/<\/?\w+>/g, ''))
        .flatMap((words) => [words, ...words.split(/[.!?] ?/)]),
    )
    const text = texts[LOCALES.indexOf(locale)] ?? ''
    const named = [...text.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((words) => !onScreen.has(words))).toEqual([])
  })
})

function wordsIn(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  return typeof messages === 'object' && messages !== null ? Object.values(messages).flatMap(wordsIn) : []
}

const inPlural = (message: string) =>
  message.replaceAll(/\{\w+, plural,.*?other \{([^{}]*)\}\}/g, '$1').replaceAll('#', '3')

describe('SECURITY.md', () => {
  const security = readFileSync('SECURITY.md', 'utf8')
  const words = inOneLine(security)
  const controls = /^## Controls.*?(?=^## )/ms.exec(security)?.[0].split(/^- /m).slice(1) ?? []
  const rows = controls.map((row) => {
    const [, control = row, where = '', tests = ''] = CONTROL.exec(inOneLine(row)) ?? []
    return { control, where: filesIn(where), tests: filesIn(tests) }
  })

  test('names for each control where it is and what tests it', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.filter(({ where, tests }) => where.length === 0 || tests.length === 0)).toEqual([])
    for (const { control, where, tests } of rows) {
      const wrong = [...where.filter((file) => TEST.test(file)), ...tests.filter((file) => !TEST.test(file))]
      const missing = [...where, ...tests].filter((file) => !existsSync(file))
      expect({ wrong, missing }, control).toEqual({ wrong: [], missing: [] })
    }
  })

  test('names no suite that no test runs', () => {
    const stores = readFileSync('server/base/stores.integration.test.ts', 'utf8')
    const suites = rows.flatMap(({ tests }) => tests.filter((file) => file.endsWith('-suite.ts')))
    expect(suites.length).toBeGreaterThan(8)
    expect(suites.filter((file) => !stores.includes(`/${basename(file, '.ts')}'`))).toEqual([])
  })

  test('knows when sessions end, and when users authenticate again', () => {
    expect([IDLE_MS.staff, IDLE_MS.admin, MAX_SESSION_MS].map((ms) => ms / HOUR_MS)).toEqual([8, 1, 12])
    expect(words).toContain(
      "A session lasts eight hours without use, an administrator's one hour, and twelve hours at most from sign-in",
    )
    expect(PROOF_TTL_MS).toBe(10 * MINUTE_MS)
    expect(words).toContain('when the last proof is older than ten minutes')
  })

  test('names each requirement that does not hold, once', () => {
    const named = [...(security.split('## OWASP')[1] ?? '').matchAll(/\b(\d+\.\d+)\.(\d+)(?:–\1\.(\d+))?/g)].flatMap(
      ([, section = '', from = '', to = from]) =>
        Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${section}.${Number(from) + index}`),
    )
    expect(named).toHaveLength(91)
    expect(new Set(named).size).toBe(91)
  })
})

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
/** What it does: its files (their tests). */
const CONTROL = /^(.+?): ((?:`[^`]+\.\w+`,? )+)\((.+)\)$/
const TEST = /\.(?:test|spec)\.ts$|-suite\.ts$/

const inOneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

function filesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+\.\w+)`/g)].map((match) => match[1] ?? '')
}
