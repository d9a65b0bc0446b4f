import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { IDLE_HOURS } from '@/lib/contract/limits'
import { ROUNDING_STEP } from '@/lib/interest/rounding'
import { LINK_TTL_MS } from '@/server/access/invitations'
import { COOKIE_MAX_AGE_SECONDS } from '@/server/access/session-cookie'
import { MAX_SESSION_MS } from '@/server/access/sessions'
import { PROOF_TTL_MS } from '@/server/access/step-up'
import { ATTEMPT_RETENTION_MS } from '@/server/access/throttle'
import * as accessSchema from '@/server/base/access-schema'
import * as workSchema from '@/server/base/schema'
import { REQUIRED_TOGETHER, SETTINGS } from '@/server/base/settings-schema'
import * as sharingSchema from '@/server/base/sharing-schema'
import { PUBLISHED_TTL_MS } from '@/server/feed/shared-lists'
import { ABSENCE_LIMIT_MS } from '@/server/privacy/absences'
import { ADDRESS_RETENTION_MS, SESSION_RETENTION_MS } from '@/server/privacy/delete-expired-rows'
import { documents } from './docs'

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
const read = (path: string) => readFileSync(path, 'utf8')
const OPERATORS = readdirSync('docs').map((name) => join('docs', name))
const PATHS =
  /`((?:app|components|lib|server|docs|deploy|reference-service|e2e|public|scripts|proxy|instrumentation)[\w./()[\]-]*)`/g

const SOURCES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'PRIVACY.md', 'PRIVACY.sv.md']

test.each([...SOURCES, ...OPERATORS])('%s names only paths that exist, and has no marks of its making', (document) => {
  const named = Array.from(read(document).matchAll(PATHS), ([, path = '']) => path)
  expect(named.filter((path) => /[/.]/.test(path) && !existsSync(path))).toEqual([])
  expect(read(document)).not.toMatch(/<!--|TODO|TBD/)
})

test.each(Object.entries(documents))('%s is as npm run docs writes it', (path, written) => {
  const text = read(path)
  expect(written(text)).toBe(text)
  expect(text).not.toMatch(/\| *\|$/m)
})

test('.env.example has the eight settings that a person needs, each once, and no secret', () => {
  const text = read('.env.example')
  const named = Array.from(text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm), ([, name = '']) => name)
  const known = SETTINGS.map(({ name }) => name)
  expect(known.filter((name) => named.includes(name))).toHaveLength(named.length)
  expect(named).toHaveLength(8)
  expect(REQUIRED_TOGETHER[0]?.required.filter((name) => !named.includes(name))).toEqual([])
  expect(text).not.toMatch(/(?:SECRET|TOKEN|PASSWORD|DATA_KEY)=./)
})

describe('PRIVACY.md, in both languages', () => {
  const [english, swedish] = [read('PRIVACY.md'), read('PRIVACY.sv.md')]
  const tables = Object.values({ ...accessSchema, ...workSchema, ...sharingSchema }).flatMap((part) =>
    is(part, PgTable) ? [getTableName(part)] : [],
  )
  const findRow = (text: string, table: string) => new RegExp(`^\\|.*\`${table}\`.*\\|`, 'm').exec(text)?.[0]

  test('says of every table of the database what it is kept for', () => {
    expect(tables.length).toBeGreaterThan(20)
    for (const text of [english, swedish])
      expect(tables.filter((table) => findRow(text, table) === undefined)).toEqual([])
  })

  test('says the same: part by part, row by row, with the same numbers', () => {
    const listRowMarks = (text: string) => text.match(/^(?:## |\*\*|[-|] ?)/gm)
    expect(listRowMarks(swedish)).toEqual(listRowMarks(english))
    const listFacts = (text: string) => text.match(/\d+|`[^`]+`/g)?.filter((fact) => !fact.startsWith('`PRIVACY'))
    expect(listFacts(swedish)).toEqual(listFacts(english))
  })

  test('knows how long things are kept', () => {
    const months = SETTINGS.find(({ name }) => name === 'RETENTION_MONTHS')?.defaultText
    for (const [table, words] of Object.entries({
      notes: `\`RETENTION_MONTHS\` (${months} unless set otherwise)`,
      exports: '`RETENTION_MONTHS`',
      triage: 'seven days after the lead is gone',
      activity: `${ADDRESS_RETENTION_MS / DAY_MS} days`,
      sessions: `${SESSION_RETENTION_MS / DAY_MS} days`,
      sign_in_attempts: `${ATTEMPT_RETENTION_MS / DAY_MS} days`,
    }))
      expect(findRow(english, table)).toContain(words)
    expect(findRow(english, 'activity')).toContain('`RETENTION_MONTHS`')
    expect(findRow(swedish, 'triage')).toContain('sju dagar efter att ärendet')
    expect([ABSENCE_LIMIT_MS / DAY_MS, PUBLISHED_TTL_MS / MINUTE_MS]).toEqual([7, 15])
    expect(english).toContain('fifteen minutes after the last good answer')
    const links = `good for ${LINK_TTL_MS.invitation / DAY_MS} days, for a new password ${LINK_TTL_MS.reset / DAY_MS};`
    expect(english).toContain(links)
  })

  test('knows how numbers are rounded, and how long a browser remembers', () => {
    expect(english).toContain(`1 to ${ROUNDING_STEP - 1} as "<${ROUNDING_STEP}"`)
    expect(english).toContain(`the session (${COOKIE_MAX_AGE_SECONDS / 3600} hours at most`)
  })
})

describe('the handbook', () => {
  const LOCALES = ['sv', 'en'] as const
  const texts = { sv: read('docs/help.sv.md'), en: read('docs/help.en.md') }
  const listPictures = (text: string) => Array.from(text.matchAll(/^!\[.+\]\(([a-z]+)\)$/gm), ([, name]) => name)

  test('says the same in both languages: part by part, row by row, picture by picture', () => {
    const listMarks = (text: string) => text.match(/^(?:## |\||!\[)/gm)
    expect(listMarks(texts.sv)).toEqual(listMarks(texts.en))
    expect(listPictures(texts.sv)).toEqual(listPictures(texts.en))
  })

  test('has each of its pictures, and no other lies there', () => {
    const wanted = listPictures(texts.sv).map((name) => `${name}.webp`)
    expect(wanted.length).toBeGreaterThan(10)
    for (const locale of LOCALES) expect(readdirSync(`public/help/${locale}`).toSorted()).toEqual(wanted.toSorted())
  })

  test.each(LOCALES)('calls what is on screen by the words on screen (%s)', (locale) => {
    const plural = /\{\w+, plural,.*?other \{([^{}]*)\}\}/g
    const onScreen = new Set(
      listMessages(locale)
        .map((words) =>
          words
            .replaceAll(plural, '$1')
            .replaceAll('#', '3')
            .replaceAll(/<\/?\w+>/g, ''),
        )
        .flatMap((words) => [words, ...words.split(/[.!?] ?/)]),
    )
    const named = Array.from(texts[locale].matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g), ([, words = '']) => words)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((words) => !onScreen.has(words))).toEqual([])
  })
})

function listMessages(locale: string): string[] {
  return globSync(`lib/i18n/messages/${locale}/*.json`).flatMap((file) => listWords(JSON.parse(read(file))))
}

function listWords(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  return typeof messages === 'object' && messages !== null ? Object.values(messages).flatMap(listWords) : []
}

describe('SECURITY.md', () => {
  const security = read('SECURITY.md')
  const joinLines = (text: string) => text.trim().replace(/\s+/g, ' ')
  const listFiles = (text: string) => Array.from(text.matchAll(/`([^`]+\.\w+)`/g), ([, file = '']) => file)
  /** What it does: its files (their tests). */
  const rows = (/^## Controls.*?(?=^## )/ms.exec(security)?.[0].split(/^- /m).slice(1) ?? []).map((row) => {
    const [, where = '', tests = ''] = /^.+?: ((?:`[^`]+\.\w+`,? )+)\((.+)\)$/.exec(joinLines(row)) ?? []
    return { where: listFiles(where), tests: listFiles(tests) }
  })

  test('names for each control where it is and what tests it', () => {
    const isTest = (file: string) => /\.(?:test|spec)\.ts$|-suite\.ts$/.test(file)
    expect(rows.length).toBeGreaterThan(30)
    for (const { where, tests } of rows) {
      expect([where.length > 0, tests.length > 0], `${where}: ${tests}`).toEqual([true, true])
      expect([...where.filter(isTest), ...tests.filter((file) => !isTest(file))]).toEqual([])
    }
  })

  test('knows when sessions end, and when users authenticate again', () => {
    expect([IDLE_HOURS.staff, IDLE_HOURS.admin, MAX_SESSION_MS / HOUR_MS]).toEqual([8, 1, 12])
    expect(PROOF_TTL_MS).toBe(10 * MINUTE_MS)
    const words = joinLines(security)
    expect(words).toContain(
      "A session lasts eight hours without use, an administrator's one hour, and twelve hours at most from sign-in",
    )
    expect(words).toContain('when the last proof is older than ten minutes')
  })
})
