import 'server-only'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Activity } from '@/server/activity/activity'
import { writeBackup } from '@/server/db/backup'
import type { Connect } from '@/server/db/database'
import type { Env } from '@/server/env'
import { describeError, type Logger } from '@/server/logger'
import { createQueue } from '@/server/queue'
import { canaryIn } from '@/server/settings/data-key'
import type { Budget } from '@/server/upstream/budget'
import type { DataKeys } from '@/server/seal'
import { databaseFacts, databaseFactsSchema } from './database-facts'
import type { statusNow } from './status'

type Parts = Parameters<typeof statusNow>[0] & {
  env: Pick<Env, 'dataDir' | 'databaseUrl' | 'mode' | 'limits'>
  connect: Connect
  dataKeys: DataKeys
  activity: Pick<Activity, 'record'>
  budget: Pick<Budget, 'reserve'>
  logger: Pick<Logger, 'warn'>
}

const factsSchema = z.object({
  ok: z.literal(true),
  pid: z.number(),
  database: databaseFactsSchema,
  mode: z.enum(['demo', 'connected']),
  /** What the database knows its key by (`server/settings/data-key.ts`). */
  canary: z.string().nullable(),
  /** When each list was fetched last. */
  lists: z.record(z.string(), z.object({ fetchedAt: z.string(), problem: z.string().nullable() }).nullable()),
})
const backupSchema = z.object({ ok: z.literal(true), path: z.string() })
const placeSchema = z.object({ ok: z.literal(true), granted: z.boolean() })
const refusedSchema = z.object({ ok: z.literal(false), message: z.string() })

/** What each question is answered with. */
const answers = { facts: factsSchema, backup: backupSchema, place: placeSchema }
type Question = keyof typeof answers

/** As long as the address of a socket may be (`sun_path`), with its end. */
const LONGEST_PATH = 103

function socketPath(dataDir: string): string {
  return join(dataDir, 'console.sock')
}

/**
 * PGlite is open in one process alone, so the server's own console asks that process: over a socket in the data folder,
 * which its owner alone may use (0600 in a folder of 0700). Null with PostgreSQL, which the console opens itself.
 */
export function openConsole(parts: Parts): Server | null {
  const { env, logger } = parts
  const path = socketPath(env.dataDir)
  if (env.databaseUrl !== null) return null
  if (path.length > LONGEST_PATH) {
    logger.warn('DATA_DIR is too long a path for a socket: npm run admin cannot ask this process')
    return null
  }
  // Whoever left it there is gone: the folder is locked by this process.
  rmSync(path, { force: true })
  const inOrder = createQueue()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    createInterface({ input: socket }).once('line', (line) => void inOrder(() => answer(parts, socket, line)))
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
      fetchedAt === null ? null : { fetchedAt: new Date(fetchedAt).toISOString(), problem: problem?.kind ?? null },
    ])
    const db = await connect()
    const [database, canary] = [await databaseFacts(db, now), await canaryIn(db)]
    return { ok: true, pid: process.pid, database, mode: env.mode, canary, lists: Object.fromEntries(shown) }
  }
  if (question === 'place') return await placeForOther(parts.budget)
  if (question !== 'backup') return { ok: false, message: 'Intag runs in another release than this command.' }
  // To a file of ours, not to the socket: a slow reader must not keep everybody from the database.
  const folder = join(env.dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomUUID()}.backup`)
  const { rows } = await writeBackup(await connect(), path, { ...parts, mode: env.mode })
  await activity.record({ userId: null, action: 'backup-made', details: { rows, console: true } })
  return { ok: true, path }
}

/** For one request of the console to the service; when its answer ends is not known here, so the place is held as long as can be. */
async function placeForOther(budget: Pick<Budget, 'reserve'>): Promise<object> {
  const place = await budget.reserve('list')
  if (place.ok) await place.finish('abandoned')
  return { ok: true, granted: place.ok }
}

/** Nobody has the data folder's database open, or somebody who cannot be asked. */
export class NobodyAnswersError extends Error {
  override readonly name = 'NobodyAnswersError'
}

/** Asks the process that has the database in this folder open. Rejects with its message, or `NobodyAnswersError`. */
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
    const nobody = (cause?: unknown) => reject(new NobodyAnswersError('Intag does not answer.', { cause }))
    socket.on('error', nobody)
    socket.on('close', () => nobody())
    createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => {
        resolve(line)
        socket.destroy()
      })
  })
}
