import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { and, asc, eq, lt, not, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { batches, type JobCursor, jobs } from '@/server/db/job-schema'
import { NotReadyError } from '@/server/errors'
import type { Logger } from '@/server/logger'

export type Job = typeof jobs.$inferSelect
/** Ours until another process takes it over. Null: a single part, which needs no row. */
export type OwnedJob = Pick<Job, 'number' | 'owner'> | null

/** Another process takes over a job whose owner is silent this long; parts and waiting count as signs of life. */
const SILENT_SECONDS = 10
const POLL_MS = { first: 50, max: 500 }

const now = sql`clock_timestamp()`
const isOpen = eq(jobs.state, 'running')
const isSilent = sql`${jobs.heartbeat} < ${now} - make_interval(secs => ${SILENT_SECONDS})`
const isFirst = sql<boolean>`not exists (select from ${jobs} as other where other.state = 'running'
  and other.number < ${jobs.number} and other.heartbeat >= ${now} - make_interval(secs => ${SILENT_SECONDS}))`

/** Another process owns the job: what this one was about to write is not written. */
export class JobTakenOverError extends NotReadyError {
  static override readonly tag = 'JobTakenOverError'

  constructor() {
    super('Another instance continues this change', SILENT_SECONDS)
  }
}

type NewJob = Pick<typeof jobs.$inferInsert, 'kind' | 'userId' | 'payload' | 'total' | 'cursor'>

/** Waits until every earlier job has ended, on any instance. A lock gives the numbers, so beginners see each other. */
export async function startJob(connect: Connect, job: NewJob, signal?: AbortSignal): Promise<NonNullable<OwnedJob>> {
  const owner = randomUUID()
  const db = await connect()
  const number = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.jobs'))`)
    const row = { ...job, state: 'running', owner, heartbeat: now } as const
    const [inserted] = await tx.insert(jobs).values(row).returning({ number: jobs.number })
    return inserted?.number ?? 0
  })
  const held = { number, owner }
  await waitForTurn(connect, held, signal)
  return held
}

async function waitForTurn(connect: Connect, held: NonNullable<OwnedJob>, signal?: AbortSignal): Promise<void> {
  for (let ms = POLL_MS.first; ; ms = Math.min(2 * ms, POLL_MS.max)) {
    if (signal?.aborted) await endJob(connect, held, 'stopped')
    signal?.throwIfAborted()
    const db = await connect()
    const [row] = await db.update(jobs).set({ heartbeat: now }).where(isHeld(held)).returning({ isFirst })
    if (row === undefined) throw new JobTakenOverError()
    if (row.isFirst) return
    await setTimeout(ms)
  }
}

/** First in a part's transaction: nobody takes the job over until it ends. */
export async function lockJob(tx: Db, held: OwnedJob): Promise<void> {
  if (held === null) return
  const found = await tx.select({ number: jobs.number }).from(jobs).where(isHeld(held)).for('update')
  if (found.length === 0) throw new JobTakenOverError()
}

export type Advance = { done: number; conflicts: number; cursor?: JobCursor }

/** Last in a part's transaction, so that both commit or neither. */
export async function advanceJob(tx: Db, held: OwnedJob, { done, conflicts, cursor }: Advance): Promise<void> {
  if (held === null) return
  const set = { done, conflicts: sql`${jobs.conflicts} + ${conflicts}`, ...(cursor && { cursor }), heartbeat: now }
  await tx.update(jobs).set(set).where(isHeld(held))
}

export async function turnIntoUndo(connect: Connect, held: NonNullable<OwnedJob>): Promise<Job> {
  const db = await connect()
  const range = sql`coalesce((${jobs.cursor} ->> 'last')::bigint - (${jobs.cursor} ->> 'first')::bigint + 1, 0)`
  const set = { kind: 'undo', payload: null, done: 0, conflicts: 0, total: range, heartbeat: now } as const
  const [job] = await db.update(jobs).set(set).where(isHeld(held)).returning()
  if (job === undefined) throw new JobTakenOverError()
  return job
}

/** Forgets which leads it was about. */
export async function endJob(connect: Connect, held: OwnedJob, state: 'finished' | 'stopped'): Promise<void> {
  if (held === null) return
  const db = await connect()
  await db.update(jobs).set({ state, payload: null, heartbeat: now }).where(isHeld(held))
}

function isHeld({ number, owner }: NonNullable<OwnedJob>) {
  return and(eq(jobs.number, number), eq(jobs.owner, owner), isOpen)
}

/** The job that is silent longest, but none in the middle of a part. */
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

export async function deleteEndedJobs(tx: Db, before: Date): Promise<void> {
  await tx.delete(jobs).where(and(not(isOpen), lt(jobs.heartbeat, before)))
}

export const FIRST_PART = 250
const MAX_AT_ONCE = 2_000
const PART_MS = 40
const PARTS_MEASURED = 4

type Work = {
  total: number
  done?: number
  part: (from: number, count: number) => Promise<unknown>
}
export type ProgressOptions = {
  onProgress?: ((done: number) => Promise<void> | void) | undefined
  signal?: AbortSignal | undefined
}

/** As much at once as takes 40 ms: PGlite computes in this process, and single decisions wait for the lock. */
export async function partByPart(
  { total, done = 0, part }: Work,
  { onProgress, signal }: ProgressOptions = {},
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
      size = Math.round(Math.max(FIRST_PART, Math.min(MAX_AT_ONCE, 2 * size, fits)))
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
  isReady: () => boolean
  resume: (job: Job) => Promise<'finished' | 'stopped'>
  logger: Pick<Logger, 'info'>
}

/** Ends what another process, or an earlier life of this one, left. */
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

/** Bulk changes of the release before become jobs. Goes with their table in the next release. */
async function adoptBatches(connect: Connect, silentSeconds: number): Promise<void> {
  const db = await connect()
  await db.execute(sql`
    with abandoned as (
      select * from ${batches} where state in ('changing', 'undoing')
        and heartbeat < clock_timestamp() - make_interval(secs => ${silentSeconds}) for update skip locked
    ), gone as (
      delete from ${batches} where state not in ('changing', 'undoing') or number in (select number from abandoned)
    ), adopted as (
      select *, state = 'undoing' as is_undo, json_build_object('fields', fields,
          'ids', (select json_object_agg(one ->> 'kind', one -> 'ids') from json_array_elements(leads::json) as one),
          'seen', (select coalesce(json_agg(json_build_object('kind', one ->> 'kind', 'id', seen ->> 0, 'updatedAt', seen -> 1)), '[]')
            from json_array_elements(leads::json) as one, json_array_elements(one -> 'seen') as seen)) as what,
        (select sum(json_array_length(one -> 'ids')) from json_array_elements(leads::json) as one) as size,
        jsonb_strip_nulls(jsonb_build_object('at', (extract(epoch from at) * 1000)::bigint, 'revision', revision,
          'first', first_log, 'last', last_log)) as place
      from abandoned
    )
    insert into ${jobs} (kind, user_id, state, payload, done, total, cursor, created_at, owner, heartbeat)
    select case when is_undo then 'undo' else 'change' end, user_id, 'running', case when is_undo then null else what end,
      case when is_undo then coalesce(undone_log - first_log + 1, 0) else done end,
      case when is_undo then coalesce(last_log - first_log + 1, 0) else size end,
      case when at is null then null else place end, created_at, owner, heartbeat
    from adopted order by number`)
}
