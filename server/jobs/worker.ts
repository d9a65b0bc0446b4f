import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { and, asc, eq, lt, not, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { type JobCursor, jobs } from '@/server/db/job-schema'
import { NotReadyError } from '@/server/errors'
import type { Logger } from '@/server/logger'
import { adoptBatches } from './release-before'

/** Work that outlives its request, as its row has it. */
export type Job = typeof jobs.$inferSelect
/** One that is ours until another process takes it over. Null: all of it is one part, and no row is needed. */
export type HeldJob = Pick<Job, 'number' | 'owner'> | null

/** Without a sign of life for so long another process goes on with a job. Each part is one, and so is waiting for one's turn. */
const SILENT_SECONDS = 10
/** Between two looks whether it is one's turn: few wait long, and many that do are to cost little. */
const LOOKS_MS = { first: 50, most: 500 }

const now = sql`clock_timestamp()`
const isOpen = eq(jobs.state, 'running')
const isSilent = sql`${jobs.heartbeat} < ${now} - make_interval(secs => ${SILENT_SECONDS})`
/** Others that began to wait before. Whoever is silent keeps nobody waiting. */
const hasTurn = sql<boolean>`not exists (select from ${jobs} as other where other.state = 'running'
  and other.number < ${jobs.number} and other.heartbeat >= ${now} - make_interval(secs => ${SILENT_SECONDS}))`

/** Another process works on the job now: what this one was about to write is not written. */
export class JobTakenOverError extends NotReadyError {
  constructor() {
    super('Another instance continues this change', SILENT_SECONDS)
  }
}

type NewJob = Pick<typeof jobs.$inferInsert, 'kind' | 'userId' | 'payload' | 'total' | 'cursor'>

/**
 * Keeps what is to be done, and waits until every job before it has ended, on whichever instance. Numbers are given under a
 * lock, so that two that begin at once see each other. Rejects with the signal's reason when it is aborted.
 */
export async function beginJob(connect: Connect, job: NewJob, signal?: AbortSignal): Promise<NonNullable<HeldJob>> {
  const owner = randomUUID()
  const db = await connect()
  const number = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.jobs'))`)
    const row = { ...job, state: 'running', owner, heartbeat: now } as const
    const [begun] = await tx.insert(jobs).values(row).returning({ number: jobs.number })
    return begun?.number ?? 0
  })
  const held = { number, owner }
  await waitForTurn(connect, held, signal)
  return held
}

/** Resolves when no other job is in front; meanwhile it says that we are there. */
async function waitForTurn(connect: Connect, held: NonNullable<HeldJob>, signal?: AbortSignal): Promise<void> {
  for (let ms = LOOKS_MS.first; ; ms = Math.min(2 * ms, LOOKS_MS.most)) {
    if (signal?.aborted) await endJob(connect, held, 'stopped')
    signal?.throwIfAborted()
    const db = await connect()
    const [row] = await db.update(jobs).set({ heartbeat: now }).where(ours(held)).returning({ hasTurn })
    if (row === undefined) throw new JobTakenOverError()
    if (row.hasTurn) return
    await setTimeout(ms)
  }
}

/** First of all within the transaction of a part: nobody takes the job over until that has ended, however long it waits. */
export async function holdJob(tx: Db, held: HeldJob): Promise<void> {
  if (held === null) return
  const found = await tx.select({ number: jobs.number }).from(jobs).where(ours(held)).for('update')
  if (found.length === 0) throw new JobTakenOverError()
}

/** How much is done after a part, how many of it stayed as others left them, and what the next part has to know. */
export type Advance = { done: number; conflicts: number; cursor?: JobCursor }

/** Last of all: how far the job has come, so that the part and this stand or fall together. */
export async function advanceJob(tx: Db, held: HeldJob, { done, conflicts, cursor }: Advance): Promise<void> {
  if (held === null) return
  const set = { done, conflicts: sql`${jobs.conflicts} + ${conflicts}`, ...(cursor && { cursor }), heartbeat: now }
  await tx.update(jobs).set(set).where(ours(held))
}

/** From now on it is undone, whoever does it. Answers what has been done of it. */
export async function turnBack(connect: Connect, held: NonNullable<HeldJob>): Promise<Job> {
  const db = await connect()
  const range = sql`coalesce((${jobs.cursor} ->> 'last')::bigint - (${jobs.cursor} ->> 'first')::bigint + 1, 0)`
  const set = { kind: 'undo', payload: null, done: 0, conflicts: 0, total: range, heartbeat: now } as const
  const [job] = await db.update(jobs).set(set).where(ours(held)).returning()
  if (job === undefined) throw new JobTakenOverError()
  return job
}

/** It is over, and which leads it was about is kept no longer. */
export async function endJob(connect: Connect, held: HeldJob, state: 'finished' | 'stopped'): Promise<void> {
  if (held === null) return
  const db = await connect()
  await db.update(jobs).set({ state, payload: null, heartbeat: now }).where(ours(held))
}

function ours({ number, owner }: NonNullable<HeldJob>) {
  return and(eq(jobs.number, number), eq(jobs.owner, owner), isOpen)
}

/** Takes over the job whose owner is silent for longest, null when there is none; none that is in the middle of a part. */
async function takeOver(connect: Connect): Promise<Job | null> {
  const db = await connect()
  const oldest = db
    .select({ number: jobs.number })
    .from(jobs)
    .where(and(isOpen, isSilent))
    .orderBy(asc(jobs.heartbeat), asc(jobs.number))
    .limit(1)
    .for('update', { skipLocked: true })
  const mine = { owner: randomUUID(), heartbeat: now }
  const [taken] = await db
    .update(jobs)
    .set(mine)
    .where(sql`${jobs.number} = (${oldest})`)
    .returning()
  return taken ?? null
}

/** Within a transaction: jobs that ended before then. */
export async function deleteEndedJobs(tx: Db, before: Date): Promise<void> {
  await tx.delete(jobs).where(and(not(isOpen), lt(jobs.heartbeat, before)))
}

/** What is done in one transaction without knowing how long it takes. */
export const FIRST_PART = 250
const MOST_AT_ONCE = 2_000
const PART_MS = 40
/** One part tells little: the database or the processor may just have been somebody else's. */
const PARTS_MEASURED = 4

type Work = {
  /** How much there is, and how much of it is done. */
  total: number
  done?: number
  /** In one transaction: so much of it from there on. */
  part: (from: number, count: number) => Promise<unknown>
}
export type Following = {
  /** Called after each part with how much is done; the next part waits for it. */
  onProgress?: ((done: number) => Promise<void> | void) | undefined
  /** Aborted: no further part begins, and the call rejects with the reason. */
  signal?: AbortSignal | undefined
}

/**
 * Does the work part by part: as much at once as the last parts show to take 40 ms, because PGlite computes in this very process,
 * and because whoever decides about a single lead waits for the lock meanwhile.
 */
export async function partByPart(
  { total, done = 0, part }: Work,
  { onProgress, signal }: Following = {},
  monotonic: () => number = () => performance.now(),
): Promise<void> {
  const last: { count: number; ms: number }[] = []
  let size = FIRST_PART
  while (done < total) {
    signal?.throwIfAborted()
    const [count, start] = [Math.min(size, total - done), monotonic()]
    await part(done, count)
    done += count
    last.push({ count, ms: monotonic() - start })
    if (last.length === PARTS_MEASURED) {
      const fits = (PART_MS * sum(last.map((one) => one.count))) / Math.max(1, sum(last.map(({ ms }) => ms)))
      // Never more than twice as much at once.
      size = Math.round(Math.max(FIRST_PART, Math.min(MOST_AT_ONCE, 2 * size, fits)))
      last.shift()
    }
    await onProgress?.(done)
    await setImmediate()
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, number) => before + number, 0)
}

type WorkerParts = {
  connect: Connect
  /** Whether this process knows what it must to go on with jobs. */
  isReady: () => boolean
  /** Does what is left of it; what fails can be resumed again. */
  resume: (job: Job) => Promise<'finished' | 'stopped'>
  logger: Pick<Logger, 'info'>
}

/** Ends what another process, or this one before its last start, began and left. */
export function createWorker({ connect, isReady, resume, logger }: WorkerParts) {
  const end = async (job: Job) => {
    try {
      await waitForTurn(connect, job)
      const state = await resume(job)
      await endJob(connect, job, state)
      return state
    } catch (error) {
      if (error instanceof JobTakenOverError) return 'taken over'
      throw error
    }
  }
  return {
    /** One round. */
    run: async (): Promise<void> => {
      if (!isReady()) return
      await adoptBatches(connect, SILENT_SECONDS)
      for (let job = await takeOver(connect); job !== null; job = await takeOver(connect)) {
        const { number, kind, done, total } = job
        logger.info({ job: number, kind, done, total }, 'an abandoned job is continued')
        logger.info({ job: number, state: await end(job) }, 'an abandoned job has ended')
      }
    },
  }
}
