import 'server-only'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Activity } from '@/server/activity/activity'
import { writeBackup } from '@/server/db/backup'
import type { Connect, Db } from '@/server/db/database'
import { missingMigrations, migrationOf, newestMigration } from '@/server/db/migrations'
import type { Env } from '@/server/env'
import { describeError, type Logger } from '@/server/logger'
import { iso } from '@/server/feed/list-state'
import { createQueue } from '@/server/concurrency-limit'
import { canaryIn } from '@/server/settings/database-identity'
import type { Budget } from '@/server/upstream/budget'
import type { DataKeys } from '@/server/seal'
import type { statusNow } from './status'

type Parts = Parameters<typeof statusNow>[0] & {
  env: Pick<Env, 'dataDir' | 'databaseUrl' | 'mode' | 'limits'>
  connect: Connect
  dataKeys: DataKeys
  activity: Pick<Activity, 'record'>
  budget: Pick<Budget, 'reserve'>
  logger: Pick<Logger, 'warn'>
}

const databaseFactsSchema = z.object({
  version: z.string(),
  bytes: z.number(),
  aheadMs: z.number(),
  latencyMs: z.number(),
  mayCreate: z.boolean(),
  /** Migrations of this release that it lacks; negative when it has newer ones. */
  missing: z.number(),
})
export type DatabaseFacts = z.infer<typeof databaseFactsSchema>

const factsSchema = z.object({
  ok: z.literal(true),
  pid: z.number(),
  database: databaseFactsSchema,
  mode: z.enum(['demo', 'connected']),
  canary: z.string().nullable(),
  lists: z.record(z.string(), z.object({ fetchedAt: z.string(), problem: z.string().nullable() }).nullable()),
})
const refusedSchema = z.object({ ok: z.literal(false), message: z.string() })

const answers = {
  facts: factsSchema,
  backup: z.object({ ok: z.literal(true), path: z.string() }),
  place: z.object({ ok: z.literal(true), granted: z.boolean() }),
}
type Question = keyof typeof answers

/** Limit of `sun_path` (unix(7)), less its end. */
const MAX_PATH_LENGTH = 103

function socketPath(dataDir: string): string {
  return join(dataDir, 'console.sock')
}

/** PGlite is open in one process alone, so the console asks it by a socket of its owner (0600). Else null. */
export function openConsole(parts: Parts): Server | null {
  const { env, logger } = parts
  const path = socketPath(env.dataDir)
  if (env.databaseUrl !== null) return null
  if (path.length > MAX_PATH_LENGTH) {
    logger.warn('DATA_DIR is too long a path for a socket: npm run admin cannot ask this process')
    return null
  }
  rmSync(path, { force: true })
  const queue = createQueue()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    createInterface({ input: socket }).once('line', (line) => void queue(() => answer(parts, socket, line)))
  })
  server.on('error', (err) => logger.warn({ err }, 'npm run admin cannot ask this process'))
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

async function answer(parts: Parts, socket: Socket, question: string): Promise<void> {
  const reply = await replyTo(parts, question).catch((error: unknown) => {
    const { code, type } = describeError(error)
    return { ok: false, message: `Intag could not do this (${String(code ?? type)}).` }
  })
  socket.end(`${JSON.stringify(reply)}\n`)
}

async function replyTo(parts: Parts, question: string): Promise<object> {
  const { env, connect, now, feed, activity } = parts
  if (question === 'facts') {
    const lists = { questions: feed.askedQuestions(), declarations: feed.declarations(), schools: feed.highSchools() }
    const shown = Object.entries(lists).map(([name, { fetchedAt, problem }]) => [
      name,
      fetchedAt === null ? null : { fetchedAt: iso(fetchedAt), problem: problem?.kind ?? null },
    ])
    const db = await connect()
    const [database, canary] = [await databaseFacts(db, now), await canaryIn(db)]
    return { ok: true, pid: process.pid, database, mode: env.mode, canary, lists: Object.fromEntries(shown) }
  }
  if (question === 'place') return await placeForOther(parts.budget)
  if (question !== 'backup') return { ok: false, message: 'Intag runs in another release than this command.' }
  // To a file, not to the socket: a slow reader must not hold the database.
  const folder = join(env.dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomUUID()}.backup`)
  const { rows } = await writeBackup(await connect(), path, { ...parts, mode: env.mode })
  await activity.record({ userId: null, action: 'backup-made', details: { rows, console: true } })
  return { ok: true, path }
}

/** When the console's request ends is unknown here, so its place is held for as long as possible. */
async function placeForOther(budget: Pick<Budget, 'reserve'>): Promise<object> {
  const place = await budget.reserve('list')
  if (place.ok) await place.finish('abandoned')
  return { ok: true, granted: place.ok }
}

export class NobodyAnswersError extends Error {
  override readonly name = 'NobodyAnswersError'
}

/** Rejects with the process's message, or `NobodyAnswersError`. */
export async function askRunning<Q extends Question>(
  dataDir: string,
  question: Q,
): Promise<z.infer<(typeof answers)[Q]>> {
  const line = await lineFrom(socketPath(dataDir), question)
  const reply: unknown = JSON.parse(line)
  const refused = refusedSchema.safeParse(reply)
  if (refused.success) throw new Error(refused.data.message)
  return answers[question].parse(reply) as z.infer<(typeof answers)[Q]>
}

function lineFrom(path: string, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path, () => socket.write(`${question}\n`))
    const fail = (cause?: unknown) => reject(new NobodyAnswersError('Intag does not answer.', { cause }))
    socket.on('error', fail)
    socket.on('close', () => fail())
    createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => {
        resolve(line)
        socket.destroy()
      })
  })
}

const rowSchema = z.object({ version: z.string(), bytes: z.coerce.number(), now: z.coerce.number(), may: z.boolean() })
const rowsSchema = z.object({ rows: z.tuple([rowSchema]) })
const QUESTIONS = 7

/** Reads only. Rejects with the driver's error. */
export async function databaseFacts(db: Db, now: () => number): Promise<DatabaseFacts> {
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
  const [facts] = rowsSchema.parse(found).rows
  const last = await migrationOf(db)
  return {
    version: facts.version,
    bytes: facts.bytes,
    aheadMs: Math.round(facts.now - middle),
    latencyMs: Math.round((took.toSorted((a, b) => a - b)[Math.floor(QUESTIONS / 2)] ?? 0) * 10) / 10,
    mayCreate: facts.may,
    missing: last !== null && last > newestMigration() ? -1 : missingMigrations(last),
  }
}
