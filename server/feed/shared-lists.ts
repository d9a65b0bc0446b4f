import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { MINUTE_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { readErrorCode, listCauses } from '@/server/base/error-codes'
import type { InstanceEvents } from '@/server/base/instance-events'
import { tryParseJson } from '@/server/base/parse-input'
import { createByteSeal, createSeal } from '@/server/base/seal'
import type { BaseServices } from '@/server/base/services'
import { feedLeader, sharedListParts as parts, sharedLists as lists } from '@/server/base/sharing-schema'
import { CLOCK, createLease, createLeaseCondition, toMilliseconds } from './lease'
import { sharedStateSchema } from './list-state'
import { validatorsSchema } from './response-headers'

/** What the instances share of a list, without its body. `sentAt` is a moment of the publisher's clock. */
const storedPublicationSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  validators: validatorsSchema,
  state: sharedStateSchema,
})
export type StoredPublication = z.infer<typeof storedPublicationSchema>
export type Publication = Omit<StoredPublication, 'sentAt'> & { body: Uint8Array | null }

export type SharedLists = ReturnType<typeof createDatabaseLists>

type Listener = { onPublished: (list: FeedList) => void; onWatched: () => void }

/** The database cannot be reached. The message is an error code, without data. */
export class ShareUnavailableError extends Error {}

type Options = Pick<BaseServices, 'connect' | 'dataKeys' | 'now'> & {
  events: Pick<InstanceEvents, 'registerTopic' | 'isListening'>
  leaseMs: number
}

/** A publication expires after this time; each good answer renews it. */
export const PUBLISHED_TTL_MS = 15 * MINUTE_MS
/** Four megabytes as one value block the event loop two to four times as long as in parts of this size. */
const PART_BYTES = 2 ** 19
const CHUNK_BYTES = 2 ** 18
const MAX_BODY_BYTES = 256 * 2 ** 20
const POLL_INTERVAL_MS = 5_000
/** While the instance cannot listen for messages it reads the database this often instead. */
const FALLBACK_POLL_MS = 1_000

/** Shares lists and the lease through the database, encrypted. A row under an unknown key counts as absent. */
export function createDatabaseLists(options: Options) {
  const { events, dataKeys, now, leaseMs } = options
  const instance = randomUUID()
  const connect = () => options.connect().catch(throwUnavailable)
  const lease = createLease({ connect, leaseMs, instance })
  const stateSeal = createSeal(dataKeys, 'states of shared lists')
  const bodySeal = createByteSeal(dataKeys, 'bodies of shared lists')
  let listener: Listener = { onPublished: () => {}, onWatched: () => {} }
  const announce = events.registerTopic('lists', {
    schema: z.enum([...FEED_LISTS, 'watched']),
    onMessage: (name) => (name === 'watched' ? listener.onWatched() : listener.onPublished(name)),
    onGap: () => FEED_LISTS.forEach((list) => listener.onPublished(list)),
    isReplaceable: true,
  })
  const toPartContext = (list: FeedList, bodyId: string | null, part: number, count: number) =>
    `${list} ${bodyId} ${part} of ${count}`

  return {
    ...lease,
    acquireLease: () => lease.acquireLease().catch(throwUnavailable),
    /** Returns null when the publication has expired. The body comes only with a later version than `version`. */
    async read(list: FeedList, version: number): Promise<Publication | null> {
      const db = await connect()
      const columns = {
        sealedState: lists.sealedState,
        bodyId: lists.bodyId,
        publishedAt: toMilliseconds(lists.publishedAt),
        now: toMilliseconds(CLOCK),
        sealedBytes: parts.sealedBytes,
      }
      // State and body are read by one statement, so that they belong together.
      const rows = await db
        .select(columns)
        .from(lists)
        .leftJoin(parts, and(eq(parts.bodyId, lists.bodyId), gt(lists.version, version)))
        .where(and(eq(lists.list, list), gt(lists.expiresAt, CLOCK)))
        .orderBy(parts.part)
        .catch(throwUnavailable)
      const [row] = rows
      const text = row ? stateSeal.decrypt(row.sealedState, list) : null
      const publication = text === null ? null : parsePublished(text)
      if (!row || publication === null) return null
      // Both clocks are compared with the database's, which each instance can read.
      const aheadMs = now() - row.now - (publication.sentAt - row.publishedAt)
      const packedParts = rows.flatMap(({ bodyId, sealedBytes }, part) => {
        const context = toPartContext(list, bodyId, part, rows.length)
        return (sealedBytes && bodySeal.decrypt(sealedBytes, context)) ?? []
      })
      const isWhole = packedParts.length === rows.length
      return { ...toLocalTime(publication, aheadMs), body: isWhole ? await unpack(Buffer.concat(packedParts)) : null }
    },
    /** Without a body, the stored one of the same version stays. Refused unless the lease of the token still holds. */
    async publish(
      list: FeedList,
      fencingToken: number,
      publication: Pick<Publication, 'state' | 'validators'>,
      body: Uint8Array | null,
    ): Promise<'published' | 'without body' | 'refused'> {
      const db = await connect()
      const id = randomUUID()
      if (body !== null) {
        const packedBody = await promisify(gzip)(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
        const count = Math.ceil(packedBody.length / PART_BYTES)
        // Parts need no transaction, because nobody reads them before a row names their body.
        for (let part = 0; part < count; part++) {
          const bytes = packedBody.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
          const sealedBytes = bodySeal.encrypt(bytes, toPartContext(list, id, part, count))
          await db.insert(parts).values({ list, bodyId: id, part, sealedBytes }).catch(throwUnavailable)
        }
      }
      const storedPublication: StoredPublication = { ...publication, id, sentAt: now() }
      const sealedState = stateSeal.encrypt(JSON.stringify(storedPublication), list)
      const row = { list, state: publication.state, sealedState, bodyId: body && id }
      const leaseCondition = createLeaseCondition(instance, fencingToken)
      const result = await writeIfLeading(db, row, leaseCondition).catch(throwUnavailable)
      if (result !== 'refused') void announce(list)
      return result
    },
    announceWatched: (): void => void announce('watched'),
    /** Calls the listener when another instance may have published. Messages can get lost, so readers also poll. */
    subscribe: (newListener: Listener): void => void (listener = newListener),
    pollIntervalMs: (): number => (events.isListening() ? POLL_INTERVAL_MS : FALLBACK_POLL_MS),
  }
}

/** Returns null for a body that cannot be unpacked, which the leader then fetches again. */
function unpack(packed: Uint8Array): Promise<Buffer | null> {
  return promisify(gunzip)(packed, { chunkSize: CHUNK_BYTES, maxOutputLength: MAX_BODY_BYTES }).catch(() => null)
}

const writtenSchema = z.object({ rows: z.array(z.object({ body: z.string().nullable() })) })

type PublishedRow = { list: FeedList; state: Publication['state']; sealedState: string; bodyId: string | null }

/** Refuses a former leader. It is one statement, because a process that is paused in a transaction holds its lock. */
async function writeIfLeading(db: Db, { list, state, sealedState, bodyId }: PublishedRow, leaseCondition?: SQL) {
  const expiredCondition = sql`stored.expires_at <= ${CLOCK}`
  const statement = sql`
    with leader as (select 1 from ${feedLeader} where ${leaseCondition} for share)
    insert into ${lists} as stored (list, version, sealed_state, body, published_at, expires_at)
    select ${list}, ${state.version}::bigint, ${sealedState}, ${bodyId}::text, ${CLOCK},
      ${CLOCK} + ${PUBLISHED_TTL_MS}::int * interval '1 millisecond'
    from leader
    on conflict (list) do update set version = excluded.version, sealed_state = excluded.sealed_state,
      published_at = excluded.published_at, body = coalesce(excluded.body,
        case when stored.version = excluded.version and not ${expiredCondition} then stored.body end),
      expires_at = case when ${state.problem === null}::boolean or ${expiredCondition} then excluded.expires_at
        else stored.expires_at end
    returning body`
  const [row] = writtenSchema.parse(await db.execute(statement)).rows
  // Parts that no row names are deleted: those of a refused body, or of every body but the stored one.
  const obsoleteCondition = row ? ne(parts.bodyId, row.body ?? '') : eq(parts.bodyId, bodyId ?? '')
  if (!row || bodyId !== null || row.body === null)
    await db.delete(parts).where(and(eq(parts.list, list), obsoleteCondition))
  if (!row) return 'refused'
  return row.body === null ? 'without body' : 'published'
}

/** A smaller difference between clocks is ignored, so that all instances show the same moments. */
const SAME_CLOCK_MS = 250

/** Translates moments to the reader's clock, which may be minutes (`aheadMs`) ahead of the publisher's. */
export function toLocalTime({ id, state, validators }: StoredPublication, aheadMs: number): Omit<Publication, 'body'> {
  const ms = Math.abs(aheadMs) < SAME_CLOCK_MS ? 0 : aheadMs
  const { fetchedAt, nextAt, problem } = state
  const { wholeAt } = validators
  return {
    id,
    state: {
      ...state,
      fetchedAt: fetchedAt && fetchedAt + ms,
      nextAt: nextAt && nextAt + ms,
      problem: problem && { ...problem, since: problem.since + ms },
    },
    validators: { ...validators, wholeAt: wholeAt && wholeAt + ms },
  }
}

/** Returns null for what another release wrote and this one cannot read. */
export function parsePublished(text: string): StoredPublication | null {
  return storedPublicationSchema.safeParse(tryParseJson(text)).data ?? null
}

function throwUnavailable(cause: unknown): never {
  const codes = listCauses(cause).map(readErrorCode)
  throw new ShareUnavailableError(codes.find((code) => /^\w{1,20}$/.test(code)) ?? 'no answer', { cause })
}

/** A single instance shares nothing, and always leads. */
export const singleInstanceLists: SharedLists = {
  acquireLease: async () => ({ fencingToken: 1, freeInMs: 0 }),
  fencingToken: () => 1,
  read: async () => null,
  publish: async () => 'published',
  announceWatched: () => {},
  subscribe: () => {},
  pollIntervalMs: () => POLL_INTERVAL_MS,
  close: async () => {},
}
