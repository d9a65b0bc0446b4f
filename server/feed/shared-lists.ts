import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { and, eq, gt, ne, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/base/database'
import { codeOf, listCauses } from '@/server/base/error-codes'
import type { InstanceEvents } from '@/server/base/instance-events'
import { tryParseJson } from '@/server/base/parse-input'
import { createByteSeal, createSeal, type DataKeys } from '@/server/base/seal'
import { feedLeader, sharedListParts as parts, sharedLists as lists } from '@/server/base/sharing-schema'
import { CLOCK, createLease, leaseCondition } from './lease'
import { sharedStateSchema } from './list-state'

export type SharedLists = ReturnType<typeof createDatabaseLists>

type Listener = { onPublished: (list: FeedList) => void; onWatched: () => void }

const POLL_INTERVAL_MS = 5_000

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

/** `sentAt` is a moment of the publisher's clock. */
const storedPublicationSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  validators: z.object({
    etag: z.string().optional(),
    lastModified: z.string().optional(),
    wholeAt: z.number().optional(),
  }),
  state: sharedStateSchema,
})
type StoredPublication = z.infer<typeof storedPublicationSchema>
export type Publication = Omit<StoredPublication, 'sentAt'> & { body: Uint8Array | null }

/** A smaller difference between clocks is ignored, so that all instances show the same moments. */
const SAME_CLOCK_MS = 250

/** Translates moments to the reader's clock, which is `aheadMs` ahead of the publisher's: they may be minutes apart. */
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

/** Returns null for a text that another release wrote and this one cannot read. */
export function parsePublished(text: string): StoredPublication | null {
  return storedPublicationSchema.safeParse(tryParseJson(text)).data ?? null
}

/** The database cannot be reached. The message is an error code, without data. */
export class ShareUnavailableError extends Error {}

type Options = {
  connect: Connect
  events: Pick<InstanceEvents, 'registerTopic' | 'isListening'>
  dataKeys: DataKeys
  now: () => number
  leaseMs: number
}

/** A publication expires after this time; each good answer renews it. */
export const PUBLISHED_TTL_MS = 15 * 60_000
const PART_BYTES = 2 ** 19
const MAX_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18
/** While the instance cannot listen for messages it reads the database this often instead. */
const FALLBACK_POLL_MS = 1_000

/**
 * Shares lists and the lease through the database. Bodies are encrypted in parts, because four megabytes as one value block
 * the event loop two to four times as long. A row under another key counts as absent.
 */
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
  const toPartContext = (list: FeedList, body: string | null, part: number, count: number) =>
    `${list} ${body} ${part} of ${count}`

  return {
    ...lease,
    acquireLease: () => lease.acquireLease().catch(throwUnavailable),
    /** Returns null when the publication has expired. The body comes only with a later version than `version`. */
    async read(list: FeedList, version: number): Promise<Publication | null> {
      const toMilliseconds = (moment: SQLWrapper) => sql<number>`extract(epoch from ${moment}) * 1000`.mapWith(Number)
      const columns = {
        state: lists.sealedState,
        body: lists.body,
        publishedAt: toMilliseconds(lists.publishedAt),
        now: toMilliseconds(CLOCK),
        bytes: parts.sealedBytes,
      }
      const partCondition = and(eq(parts.body, lists.body), gt(lists.version, version))
      const listCondition = and(eq(lists.list, list), gt(lists.expiresAt, CLOCK))
      const db = await connect()
      // State and body are read by one statement, so that they belong together.
      const joined = db.select(columns).from(lists).leftJoin(parts, partCondition)
      const rows = await joined.where(listCondition).orderBy(parts.part).catch(throwUnavailable)
      const [row] = rows
      const text = row ? stateSeal.decrypt(row.state, list) : null
      const published = text === null ? null : parsePublished(text)
      if (!row || published === null) return null
      const aheadMs = now() - row.now - (published.sentAt - row.publishedAt)
      const packed = rows.flatMap(
        ({ body, bytes }, part) =>
          (bytes && bodySeal.decrypt(bytes, toPartContext(list, body, part, rows.length))) ?? [],
      )
      // A body that lacks a part or cannot be decompressed counts as none; the leader fetches it again.
      const limits = { chunkSize: CHUNK_BYTES, maxOutputLength: MAX_BYTES }
      const isWhole = packed.length === rows.length
      const body = isWhole ? await promisify(gunzip)(Buffer.concat(packed), limits).catch(() => null) : null
      return { ...toLocalTime(published, aheadMs), body }
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
        const packed = await promisify(gzip)(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
        const count = Math.ceil(packed.length / PART_BYTES)
        // The parts are not read before a row names them.
        for (let part = 0; part < count; part++) {
          const bytes = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
          const sealedBytes = bodySeal.encrypt(bytes, toPartContext(list, id, part, count))
          await db.insert(parts).values({ list, body: id, part, sealedBytes }).catch(throwUnavailable)
        }
      }
      const { state } = publication
      const published = { ...publication, id, sentAt: now() } satisfies StoredPublication
      const sealedState = stateSeal.encrypt(JSON.stringify(published), list)
      const row = { list, state, sealedState, body: body && id }
      const answer = await writeIfLeading(db, row, leaseCondition(instance, fencingToken)).catch(throwUnavailable)
      if (answer !== 'refused') void announce(list)
      return answer
    },
    announceWatched: (): void => void announce('watched'),
    /** Calls the listener when another instance has published, or may have. Messages can get lost, so readers also poll. */
    subscribe: (newListener: Listener): void => void (listener = newListener),
    pollIntervalMs: (): number => (events.isListening() ? POLL_INTERVAL_MS : FALLBACK_POLL_MS),
  }
}

const writtenSchema = z.object({ rows: z.array(z.object({ body: z.string().nullable() })) })

type PublishedRow = { list: FeedList; state: Publication['state']; sealedState: string; body: string | null }

/** A former leader is refused, and a next one waits for the locked row. One statement: a stopped instance holds no lock. */
async function writeIfLeading(db: Db, { list, state, sealedState, body }: PublishedRow, isLeading: SQL | undefined) {
  const isExpired = sql`stored.expires_at <= ${CLOCK}`
  const statement = sql`
    with leader as (select 1 from ${feedLeader} where ${isLeading} for share)
    insert into ${lists} as stored (list, version, sealed_state, body, published_at, expires_at)
    select ${list}, ${state.version}::bigint, ${sealedState}, ${body}::text, ${CLOCK},
      ${CLOCK} + ${PUBLISHED_TTL_MS}::int * interval '1 millisecond'
    from leader
    on conflict (list) do update set version = excluded.version, sealed_state = excluded.sealed_state,
      published_at = excluded.published_at, body = coalesce(excluded.body,
        case when stored.version = excluded.version and not ${isExpired} then stored.body end),
      expires_at = case when ${state.problem === null}::boolean or ${isExpired} then excluded.expires_at
        else stored.expires_at end
    returning body`
  const [row] = writtenSchema.parse(await db.execute(statement)).rows
  const obsolete = row ? ne(parts.body, row.body ?? '') : eq(parts.body, body ?? '')
  if (!row || body !== null || row.body === null) await db.delete(parts).where(and(eq(parts.list, list), obsolete))
  if (!row) return 'refused'
  return row.body === null ? 'without body' : 'published'
}

function throwUnavailable(cause: unknown): never {
  const codes = listCauses(cause).map(codeOf)
  throw new ShareUnavailableError(codes.find((code) => /^\w{1,20}$/.test(code)) ?? 'no answer', { cause })
}
