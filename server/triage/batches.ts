import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { leadKindSchema, type LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/database'
import { batches, type TriageFields } from '@/server/db/schema'
import { NotReadyError } from '@/server/errors'
import { lockTriage, type LogRange } from './write-triage'

/** `updatedAt` (ms; null: never): change it only if its triage still is of that moment. */
export type LeadToChange = LeadRef & { updatedAt?: number | null }

/** A batch that is ours to work on, until somebody takes it over because we gave no sign of life. */
export type HeldBatch = { number: number; owner: string }
export type StoredBatch = typeof batches.$inferSelect

/** What a batch begins as: a change of these leads, or the undoing of what the log has in this range. */
type NewBatch =
  | { fields: TriageFields; leads: readonly LeadToChange[] }
  | { undo: LogRange & { at: Date }; leads?: undefined; fields?: undefined }

/** Without a sign of life for so long another process ends what was begun. Each part of a batch is one, and so is waiting. */
export const SILENT_SECONDS = 10
const LOOK_EVERY_MS = 100

const isOpen = inArray(batches.state, ['changing', 'undoing'])
const now = sql`clock_timestamp()`
const isSilent = sql`${batches.heartbeat} < ${now} - make_interval(secs => ${SILENT_SECONDS})`
/** Others that began to wait before. Whoever is silent keeps nobody waiting. */
const hasTurn = sql<boolean>`not exists (select from ${batches} as other where other.state in ('changing', 'undoing')
  and other.number < batches.number and other.heartbeat >= ${now} - make_interval(secs => ${SILENT_SECONDS}))`

/** Another process works on the batch now: what this one was about to write is not written. */
export class BatchTakenOverError extends NotReadyError {
  constructor() {
    super('Another instance continues this change', SILENT_SECONDS)
  }
}

/**
 * Keeps what is to be done, and waits until every batch before it has ended, on whichever instance. Numbers are given under
 * the lock of all writers, so that two that begin at once see each other. Rejects with the signal's reason when it is aborted.
 */
export async function beginBatch(
  connect: Connect,
  userId: string,
  { fields, leads, ...its }: NewBatch,
  signal?: AbortSignal,
): Promise<HeldBatch> {
  const owner = randomUUID()
  const undo = 'undo' in its ? its.undo : null
  const db = await connect()
  const number = await db.transaction(async (tx) => {
    await lockTriage(tx)
    const [row] = await tx
      .insert(batches)
      .values({
        userId,
        owner,
        heartbeat: now,
        ...(undo
          ? { state: 'undoing', at: undo.at, firstLog: undo.first, lastLog: undo.last }
          : { state: 'changing', fields: fields ?? {}, leads: leadsAsText(leads ?? []) }),
      })
      .returning({ number: batches.number })
    return row?.number ?? 0
  })
  const held = { number, owner }
  await turnOf(connect, held, signal)
  return held
}

/** Resolves when no other batch is in front; meanwhile it says that we are there. */
export async function turnOf(connect: Connect, held: HeldBatch, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted) await endBatch(connect, held, 'taken-back')
    signal?.throwIfAborted()
    const [row] = await (
      await connect()
    )
      .update(batches)
      .set({ heartbeat: now })
      .where(ours(held))
      .returning({ hasTurn })
    if (row === undefined) throw new BatchTakenOverError()
    if (row.hasTurn) return
    await setTimeout(LOOK_EVERY_MS)
  }
}

type HowFar = Partial<Pick<StoredBatch, 'at' | 'revision' | 'done' | 'firstLog' | 'lastLog' | 'undoneLog'>>

/** Within the transaction of a part: how far it has come, so that the two stand or fall together. */
export async function advanceBatch(tx: Db, held: HeldBatch, howFar: HowFar): Promise<void> {
  const set = { ...howFar, heartbeat: now }
  const moved = await tx.update(batches).set(set).where(ours(held)).returning({ number: batches.number })
  if (moved.length === 0) throw new BatchTakenOverError()
}

/** From now on it is undone, whoever does it. Answers what the log has of it; null when nothing was changed. */
export async function turnBack(connect: Connect, held: HeldBatch): Promise<(LogRange & { at: Date }) | null> {
  const [row] = await (
    await connect()
  )
    .update(batches)
    .set({ state: 'undoing', heartbeat: now })
    .where(ours(held))
    .returning()
  if (row === undefined) throw new BatchTakenOverError()
  return loggedOf(row)
}

/** It is over, and which leads it was about is kept no longer. */
export async function endBatch(
  connect: Connect,
  held: HeldBatch,
  state: 'finished' | 'taken-back' | 'stopped',
): Promise<void> {
  const db = await connect()
  await db.update(batches).set({ state, leads: null, heartbeat: now }).where(ours(held))
}

/**
 * Takes over the batch whose owner is silent for longest, null when there is none. Under the lock of all writers: who waits for
 * it with a part of the batch is not taken for gone.
 */
export async function takeOver(connect: Connect): Promise<StoredBatch | null> {
  const db = await connect()
  const silent = and(isOpen, isSilent)
  const [seen] = await db.select({ number: batches.number }).from(batches).where(silent).limit(1)
  if (seen === undefined) return null
  return db.transaction(async (tx) => {
    await lockTriage(tx)
    const { number } = batches
    const [oldest] = await tx
      .select({ number })
      .from(batches)
      .where(silent)
      .orderBy(asc(batches.heartbeat), asc(number))
      .limit(1)
    if (oldest === undefined) return null
    const [taken] = await tx
      .update(batches)
      .set({ owner: randomUUID(), heartbeat: now })
      .where(eq(number, oldest.number))
      .returning()
    return taken ?? null
  })
}

/** Where the log has the entries of a batch, and of which moment they are. */
export function loggedOf({ at, firstLog, lastLog }: StoredBatch): (LogRange & { at: Date }) | null {
  return at === null || firstLog === null || lastLog === null ? null : { at, first: firstLog, last: lastLog }
}

/** Within a transaction: batches that ended before then. */
export async function deleteEndedBatches(tx: Db, before: Date): Promise<void> {
  await tx.delete(batches).where(and(sql`not (${isOpen})`, lt(batches.heartbeat, before)))
}

function ours({ number, owner }: HeldBatch) {
  return and(eq(batches.number, number), eq(batches.owner, owner), isOpen)
}

/** Leads of one kind in their order; `seen` has the moments at which somebody saw some of them, by id. */
const storedLeadsSchema = z.array(
  z.object({
    kind: leadKindSchema,
    ids: z.array(z.string()),
    seen: z.array(z.tuple([z.string(), z.number().nullable()])),
  }),
)

function leadsAsText(leads: readonly LeadToChange[]): string {
  const groups: z.infer<typeof storedLeadsSchema> = []
  for (const { kind, id, updatedAt } of leads) {
    if (groups.at(-1)?.kind !== kind) groups.push({ kind, ids: [], seen: [] })
    const group = groups.at(-1)
    group?.ids.push(id)
    if (updatedAt !== undefined) group?.seen.push([id, updatedAt])
  }
  return JSON.stringify(groups)
}

/** The leads of a batch that has not ended, in their order. */
export function leadsOfBatch({ leads }: Pick<StoredBatch, 'leads'>): LeadToChange[] {
  return storedLeadsSchema.parse(JSON.parse(leads ?? '[]')).flatMap(({ kind, ids, seen }) => {
    const moments = new Map(seen)
    return ids.map((id): LeadToChange => {
      const updatedAt = moments.get(id)
      return updatedAt === undefined ? { kind, id } : { kind, id, updatedAt }
    })
  })
}
