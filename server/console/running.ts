import 'server-only'
import { performance } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { FolderInUseError } from '@/server/db/data-folder'
import type { Db } from '@/server/db/database'
import { missingMigrations, migrationOf, newestMigration } from '@/server/db/migrations'
import { iso } from '@/server/feed/list-state'
import { keyId } from '@/server/seal'
import { services } from '@/server/services'
import { refuseOtherDatabase } from '@/server/settings/database-identity'
import { type AdminCommand, nameOf } from './command'
import { askRunning, type Ended, NobodyAnswersError } from './socket'

export type DatabaseFacts = Awaited<ReturnType<typeof databaseFacts>>

export type RunningFacts = Awaited<ReturnType<typeof factsHere>>

async function factsHere() {
  const { env, dataKeys, connect, now, feed } = services()
  const lists = { questions: feed.askedQuestions(), declarations: feed.declarations(), schools: feed.highSchools() }
  const shown = Object.entries(lists).map(([name, { fetchedAt, problem }]) => ({
    name,
    fetchedAt: iso(fetchedAt),
    problem: problem?.kind ?? null,
  }))
  const database = await databaseFacts(await connect(), now)
  return { pid: process.pid, database, mode: env.mode, key: idOf(dataKeys.current), lists: shown }
}

/** For the console of another process alone: neither changes anything. */
export const factsCommand: AdminCommand = {
  usage: 'facts',
  says: 'the settings, database and lists of the Intag that runs',
  run: async () => JSON.stringify(await factsHere()),
}

/** When the console's request ends is unknown here, so its place is held for as long as possible. */
export const placeCommand: AdminCommand = {
  usage: 'place',
  says: 'counts a request that the console is about to send',
  run: async () => {
    const reserved = await services().budget.reserve('list')
    if (reserved.ok) await reserved.finish('abandoned')
    return reserved.ok ? GRANTED : 'none'
  },
}

const GRANTED = 'granted'

export async function factsOf(dataDir: string): Promise<RunningFacts> {
  const { code, out, err } = await askRunning(dataDir, ['facts'])
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as RunningFacts
}

export async function isPlaceGranted(dataDir: string): Promise<boolean> {
  return (await askRunning(dataDir, ['place'])).out === GRANTED
}

/** Runs a command here or, where Intag has PGlite open, there. */
export async function runWherever(command: AdminCommand, args: readonly string[], called = ''): Promise<Ended> {
  return command
    .run(args)
    .then((out): Ended => ({ code: 0, out, err: '' }))
    .catch((failure: unknown) => byRunning(failure, { ...command, args: [nameOf(command), ...args], called }))
}

type Asked = { args: readonly string[]; called?: string; isAlone?: true }

/**
 * What failed because Intag has PGlite open, Intag runs, unless it was started with other settings. Throws any other failure,
 * or says what to do.
 */
export async function byRunning(failure: unknown, { args, called, isAlone }: Asked): Promise<Ended> {
  if (!(failure instanceof FolderInUseError)) throw failure
  const { env, dataKeys } = services()
  try {
    if (isAlone) throw new NobodyAnswersError()
    const running = await factsOf(env.dataDir)
    refuseOtherDatabase(running, { env, dataKeys })
    if (running.key === idOf(dataKeys.current)) return await askRunning(env.dataDir, args, called)
  } catch (other) {
    if (!(other instanceof NobodyAnswersError)) throw other
    throw new Error(`${failure.message} Stop Intag, run this, and start it again.`, { cause: other })
  }
  throw new Error('Intag runs with another DATA_KEY than these settings: start it again with them first.')
}

function idOf(key: Uint8Array): string {
  return keyId(key).toString('base64url')
}

const rowSchema = z.object({ version: z.string(), bytes: z.coerce.number(), now: z.coerce.number(), may: z.boolean() })
const rowsSchema = z.object({ rows: z.tuple([rowSchema]) })
const QUESTIONS = 7

/** Reads only. Rejects with the driver's error. */
export async function databaseFacts(db: Db, now: () => number) {
  const took: number[] = []
  for (let run = 0; run < QUESTIONS; run += 1) {
    const before = performance.now()
    await db.execute(sql`select 1`)
    took.push(performance.now() - before)
  }
  const before = now()
  const found = await db.execute(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      extract(epoch from clock_timestamp()) * 1000 as now,
      has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as may`)
  const middle = (before + now()) / 2
  const [row] = rowsSchema.parse(found).rows
  const last = await migrationOf(db)
  return {
    version: row.version,
    bytes: row.bytes,
    aheadMs: Math.round(row.now - middle),
    latencyMs: Math.round((took.toSorted((a, b) => a - b)[Math.floor(QUESTIONS / 2)] ?? 0) * 10) / 10,
    mayCreate: row.may,
    missing: last !== null && last > newestMigration() ? -1 : missingMigrations(last),
  }
}
