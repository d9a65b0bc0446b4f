import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LAST_BEFORE_THE_RULE = 4
const FOLDER = join(import.meta.dirname, 'migrations')

const BREAKING = [
  /\bdrop\s+(table|column|schema|view|type|function|sequence|default)\b/,
  /\brename\b/,
  /\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/,
  /\bset\s+not\s+null\b/,
  /\badd\s+(column\s+)?(?!constraint\b).*\bnot\s+null\b(?!.*\bdefault\b)(?<!\bdefault\b.*)/,
  /\btruncate\b/,
  /\bdelete\s+from\b/,
]
/** A migration that is a second step says since which release nothing uses what it removes. */
const CONTRACT = /^--\s*contract: not used since \d+\.\d+\.\d+\s*$/m

function breakingIn(sql: string): string[] {
  if (CONTRACT.test(sql)) return []
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => !/^create\s/i.test(statement) && BREAKING.some((form) => form.test(statement.toLowerCase())))
}

const files = readdirSync(FOLDER).filter(
  (name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) > LAST_BEFORE_THE_RULE,
)

test('what a migration does, the release before it survives', () => {
  const breaking = files.flatMap((name) =>
    breakingIn(readFileSync(join(FOLDER, name), 'utf8')).map((statement) => `${name}: ${statement}`),
  )
  expect(breaking).toEqual([])
})

test.each([
  'ALTER TABLE "notes" DROP COLUMN "text"',
  'DROP TABLE "notes"',
  'ALTER TABLE "notes" RENAME COLUMN "text" TO "body"',
  'ALTER TABLE "notes" RENAME TO "remarks"',
  'ALTER TABLE "notes" ALTER COLUMN "id" SET DATA TYPE bigint',
  'ALTER TABLE "notes" ALTER COLUMN "id" TYPE bigint',
  'ALTER TABLE "notes" ALTER COLUMN "text" SET NOT NULL',
  'ALTER TABLE "notes"\n  ADD COLUMN "seen" boolean NOT NULL',
  'ALTER TABLE "notes" ALTER COLUMN "text" DROP DEFAULT',
  'TRUNCATE "notes"',
])('%s is refused, unless it says that nothing uses it any more', (statement) => {
  const sql = `CREATE TABLE "x" ("id" text NOT NULL);\n--> statement-breakpoint\n${statement};`
  expect(breakingIn(sql)).toHaveLength(1)
  expect(breakingIn(`-- contract: not used since 0.2.0\n${sql}`)).toEqual([])
  expect(breakingIn(`-- contract: soon\n${sql}`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE "notes" ADD COLUMN "seen" boolean DEFAULT false NOT NULL',
  'ALTER TABLE "notes" ADD COLUMN "seen" boolean NOT NULL DEFAULT false',
  'ALTER TABLE "notes" ADD COLUMN "seen" timestamp',
  'ALTER TABLE "notes" ADD CONSTRAINT "c" CHECK ("id" IS NOT NULL)',
  'CREATE INDEX "i" ON "notes" ("id")',
  'DROP INDEX "i"',
])('%s may come while the release before is running', (statement) => {
  expect(breakingIn(`${statement};`)).toEqual([])
})
