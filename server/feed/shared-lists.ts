import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { and, eq, exists, gt, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { MINUTE_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { readErrorCode, listCauses } from '@/server/base/error-codes'
import type { InstanceEvents } from '@/server/base/instance-events'
import { createByteSeal, createSeal } from '@/server/base/seal'
import { tryParseJson } from '@/server/base/parse-input'
import type { BaseServices } from '@/server/base/services'
import { feedLeader, sharedListParts, sharedLists } from '@/server/base/sharing-schema'
import { DATABASE_NOW, createLease, createLeaseCondition } from './lease'
import { sharedStateSchema } from './list-state'
import { validatorsSchema } from './response-headers'

export type SharedLists = ReturnType<typeof createDatabaseLists>

/** What the instances share of a list, besides its body. */
const publicationSchema = z.object({ validators: validatorsSchema, state: sharedStateSchema })
export type Publication = z.infer<typeof publicationSchema>

type Listener = { onPublished: (list: FeedList) => void; onWatched: () => void }

/** The database cannot be reached. The message is an error code, without data. */
export class ShareUnavailableError extends Error {}

type SharedListsOptions = Pick<BaseServices, 'connect' | 'dataKeys'> & {
  events: Pick<InstanceEvents, 'registerTopic' | 'isListening'>
  leaseMs: number
}

/** A publication expires after this time; each good answer renews it. */
export const PUBLISHED_TTL_MS = 15 * MINUTE_MS
/** A body is stored in parts of this size: 4 MB as one value block the event loop two to four times as long. */
const PART_BYTES = 2 ** 19
const GZIP_CHUNK_BYTES = 2 ** 18
const MAX_BODY_BYTES = 256 * 2 ** 20
/** A lease and a poll together take less than ten seconds, in which another instance takes over from a dead one. */
export const LEASE_MS = 6_000
export const POLL_INTERVAL_MS = 3_000
/** While the instance cannot listen for messages it reads the database this often instead. */
const FALLBACK_POLL_MS = 1_000

/** Shares lists and the lease through the database, encrypted. A row under an unknown key counts as absent. */
export function createDatabaseLists(options: SharedListsOptions) {
  const { events, dataKeys, leaseMs } = options
  const instanceId = randomUUID()
  const connect = () => options.connect().catch(throwUnavailable)
  const lease = createLease({ connect, leaseMs, instance: instanceId })
  const stateSeal = createSeal(dataKeys, 'states of shared lists')
  const bodySeal = createByteSeal(dataKeys, 'bodies of shared lists')
  let listener: Listener = { onPublished: () => {}, onWatched: () => {} }
  const announce = events.registerTopic('lists', {
    schema: z.enum([...FEED_LISTS, 'watched']),
    onMessage: (name) => (name === 'watched' ? listener.onWatched() : listener.onPublished(name)),
    onGap: () => FEED_LISTS.forEach((list) => listener.onPublished(list)),
    isReplaceable: true,
  })
  const toPartContext = (list: FeedList, bodyId: string | null, part: number, partCount: number) =>
    `${list} ${bodyId} ${part} of ${partCount}`

  return {
    ...lease,
    acquireLease: () => lease.acquireLease().catch(throwUnavailable),
    /** Returns null if the publication has expired or is unreadable. The body comes only if newer than `version`. */
    async read(list: FeedList, version: number) {
      const db = await connect()
      const columns = {
        sealedState: sharedLists.sealedState,
        bodyId: sharedLists.bodyId,
        publishedAt: sharedLists.publishedAt,
        sealedBytes: sharedListParts.sealedBytes,
      }
      const bodyCondition = and(eq(sharedListParts.bodyId, sharedLists.bodyId), gt(sharedLists.version, version))
      // State and body are read by one statement, so that they belong together.
      const rows = await db
        .select(columns)
        .from(sharedLists)
        .leftJoin(sharedListParts, bodyCondition)
        .where(and(eq(sharedLists.list, list), gt(sharedLists.expiresAt, DATABASE_NOW)))
        .orderBy(sharedListParts.part)
        .catch(throwUnavailable)
      const [row] = rows
      const text = row ? stateSeal.decrypt(row.sealedState, list) : null
      const publication = text === null ? undefined : publicationSchema.safeParse(tryParseJson(text)).data
      if (!row || !publication) return null
      const packedParts = rows.flatMap(({ bodyId, sealedBytes }, part) => {
        const context = toPartContext(list, bodyId, part, rows.length)
        return (sealedBytes && bodySeal.decrypt(sealedBytes, context)) ?? []
      })
      const isWhole = packedParts.length === rows.length
      const body = isWhole ? await unpack(Buffer.concat(packedParts)) : null
      return { ...publication, publishedAt: row.publishedAt.getTime(), body }
    },
    /** Without a body, the stored one of the same version stays. Refused unless the lease of the token still holds. */
    async publish(
      list: FeedList,
      fencingToken: number,
      publication: Publication,
      body: Uint8Array | null,
    ): Promise<'published' | 'without body' | 'refused'> {
      const db = await connect()
      let bodyId: string | null = null
      if (body !== null) {
        bodyId = randomUUID()
        const packedBody = await promisify(gzip)(body, { level: constants.Z_BEST_SPEED, chunkSize: GZIP_CHUNK_BYTES })
        const partCount = Math.ceil(packedBody.length / PART_BYTES)
        // Parts need no transaction, because nobody reads them before a row names their body.
        for (let part = 0; part < partCount; part++) {
          const bytes = packedBody.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
          const sealedBytes = bodySeal.encrypt(bytes, toPartContext(list, bodyId, part, partCount))
          await db.insert(sharedListParts).values({ list, bodyId, part, sealedBytes }).catch(throwUnavailable)
        }
      }
      const sealedState = stateSeal.encrypt(JSON.stringify(publication), list)
      const row = { list, state: publication.state, sealedState, bodyId }
      const leaseCondition = createLeaseCondition(instanceId, fencingToken)
      const result = await writeIfLeading(db, row, leaseCondition).catch(throwUnavailable)
      if (result !== 'refused') void announce(list)
      return result
    },
    announceWatched: (): void => void announce('watched'),
    /** Calls the listener when another instance may have published. Messages can get lost, so callers also poll. */
    subscribe: (newListener: Listener): void => void (listener = newListener),
    pollIntervalMs: (): number => (events.isListening() ? POLL_INTERVAL_MS : FALLBACK_POLL_MS),
  }
}

/** Returns null for a body that cannot be unpacked, which the leader then fetches again. */
function unpack(packed: Uint8Array): Promise<Buffer | null> {
  return promisify(gunzip)(packed, { chunkSize: GZIP_CHUNK_BYTES, maxOutputLength: MAX_BODY_BYTES }).catch(() => null)
}

const returnedBodySchema = z.object({ rows: z.array(z.object({ body: z.string().nullable() })) })

type PublishedRow = { list: FeedList; state: Publication['state']; sealedState: string; bodyId: string | null }

/** Refuses a former leader. It is one statement, because a process that is paused in a transaction holds its lock. */
async function writeIfLeading(db: Db, row: PublishedRow, leaseCondition: SQL | undefined) {
  const { list, state, sealedState, bodyId } = row
  const expiredCondition = sql`stored.expires_at <= ${DATABASE_NOW}`
  const statement = sql`
    with leader as (select 1 from ${feedLeader} where ${leaseCondition} for share)
    insert into ${sharedLists} as stored (list, version, sealed_state, body, published_at, expires_at)
    select ${list}, ${state.version}::bigint, ${sealedState}, ${bodyId}::text, ${DATABASE_NOW},
      ${DATABASE_NOW} + ${PUBLISHED_TTL_MS}::int * interval '1 millisecond'
    from leader
    on conflict (list) do update set version = excluded.version, sealed_state = excluded.sealed_state,
      published_at = excluded.published_at, body = coalesce(excluded.body,
        case when stored.version = excluded.version and not ${expiredCondition} then stored.body end),
      expires_at = case when ${state.problem === null}::boolean or ${expiredCondition} then excluded.expires_at
        else stored.expires_at end
    returning body`
  const [storedRow] = returnedBodySchema.parse(await db.execute(statement)).rows
  if (storedRow === undefined) {
    await db.delete(sharedListParts).where(eq(sharedListParts.bodyId, bodyId ?? ''))
    return 'refused'
  }
  if (bodyId === null && storedRow.body !== null) return 'published'
  // A former leader deletes no other bodies, because its successor may be storing one by now.
  const leadingCondition = exists(db.select().from(feedLeader).where(leaseCondition))
  const obsoleteCondition = and(ne(sharedListParts.bodyId, storedRow.body ?? ''), leadingCondition)
  await db.delete(sharedListParts).where(and(eq(sharedListParts.list, list), obsoleteCondition))
  return storedRow.body === null ? 'without body' : 'published'
}

function throwUnavailable(cause: unknown): never {
  const codes = listCauses(cause).map(readErrorCode)
  throw new ShareUnavailableError(codes.find((code) => /^\w{1,20}$/.test(code)) ?? 'no answer', { cause })
}

/** A single instance shares nothing, and always leads. */
export const singleInstanceLists: SharedLists = {
  acquireLease: async () => 1,
  fencingToken: () => 1,
  read: async () => null,
  publish: async () => 'published',
  announceWatched: () => {},
  subscribe: () => {},
  pollIntervalMs: () => POLL_INTERVAL_MS,
  close: async () => {},
}
